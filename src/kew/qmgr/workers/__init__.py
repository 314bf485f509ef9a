"""Background workers: threads of the queue manager for work that verbs leave for later, and for checkpoints."""
