"""MQ's vocabulary: constants, reason codes and the errors that carry them; it imports nothing of Kew's."""
