"""The queued publish/subscribe interface: commands in messages to SYSTEM.BROKER.* queues."""
