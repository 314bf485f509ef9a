"""The durable half of a queue manager: log records and pages, without any knowledge of queues."""
