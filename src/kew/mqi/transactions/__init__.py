"""MQBEGIN, MQCMIT, MQBACK and XA branches; and messages that are put when a connection ends."""
