"""Agents: the queue manager's end of client sockets."""
