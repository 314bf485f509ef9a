"""The durable half of a queue manager: records and pages, never queues."""
