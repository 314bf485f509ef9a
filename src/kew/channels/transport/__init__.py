"""Sockets, and the one thread that serves them."""
