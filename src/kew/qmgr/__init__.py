"""The queue manager as a process: configuration, wiring, start, stop, and messages to the operator."""
