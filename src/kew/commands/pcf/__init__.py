"""PCF commands: from a request to the same actions as MQSC, and from their outcome to replies."""
