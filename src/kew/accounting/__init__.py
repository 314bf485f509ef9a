"""Statistics, accounting and events: what is collected, when, and where it goes."""
