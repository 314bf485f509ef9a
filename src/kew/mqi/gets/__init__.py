"""MQGET: the request, browse marks, groups and segments, conversion, and messages reserved for a client."""
