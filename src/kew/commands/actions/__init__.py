"""Carries commands out: from a parsed Command to what the queue manager does and says."""
