"""Kew: an open queue manager that does what IBM MQ does."""
