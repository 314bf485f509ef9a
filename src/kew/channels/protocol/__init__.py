"""MQ's wire protocol without sockets or clocks: bytes in, events out, and back."""
