"""The message manager: queues, the messages on them, and the gets that wait for messages."""
