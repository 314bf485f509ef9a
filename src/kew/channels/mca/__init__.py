"""Message channel agents: what the two ends of a message channel do with queues, units of work and records."""
