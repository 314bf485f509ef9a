"""The edge for programs in this process: verbs as methods, which wait for pages, the log and messages."""
