"""The running process: configuration, start, stop, and what it tells the operator."""
