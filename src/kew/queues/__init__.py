"""The message manager: queues, how messages get on and off them, and who waits for them."""
