"""Message channel agents: the two ends of a message channel, with queues, units of work and records."""
