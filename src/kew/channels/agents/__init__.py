"""What answers at the other end of a channel."""
