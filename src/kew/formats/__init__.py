"""Codecs of MQ's structures: from bytes to values and back, without files and sockets."""
