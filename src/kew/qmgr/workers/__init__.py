"""Background workers: threads of the queue manager that put what verbs leave for later, and take checkpoints."""
