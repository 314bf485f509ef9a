"""Statistics, accounting and events: data collected about the work of a queue manager."""
