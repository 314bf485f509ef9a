"""Commands as PCF messages: from a request to the same actions as MQSC, and from what they say to replies."""
