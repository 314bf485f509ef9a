"""Commands: MQSC text and PCF messages, their execution and their replies."""
