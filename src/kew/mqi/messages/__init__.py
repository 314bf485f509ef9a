"""Messages as a program sees them: properties, message handles, the MQMDE, transforms of the body, and replies."""
