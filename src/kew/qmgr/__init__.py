"""The running process: configuration, start, stop, and messages to the operator."""
