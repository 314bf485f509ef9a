"""Bytes to values and back; nothing here touches a file or a socket."""
