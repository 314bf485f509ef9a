"""MQOPEN, MQCLOSE, MQINQ and MQSET of queues, distribution lists and other objects."""
