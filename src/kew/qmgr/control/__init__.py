"""The control socket, by which the owner of a running queue manager gives it commands."""
