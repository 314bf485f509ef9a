"""Delivery of one message to a queue: name resolution, storing, trigger messages, stream copies, reports."""
