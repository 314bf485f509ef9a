"""Queues as Spark sources and sinks: the format `kewmq`."""
