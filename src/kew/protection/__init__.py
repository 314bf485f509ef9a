"""Message protection (AMS): policies, keystores, and the signed and encrypted form of a message."""
