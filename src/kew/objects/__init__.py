"""Definitions of queues, topics, channels and the rest: their attributes, values and defaults."""
