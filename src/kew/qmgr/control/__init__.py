"""The control socket, for commands of the machine's owner to a running queue manager."""
