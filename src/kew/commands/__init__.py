"""Commands: MQSC text and PCF messages, what they ask for, and how their replies look."""
