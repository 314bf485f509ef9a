"""Makes `kewmq` known to Spark, which imports every top-level module named pyspark_* and takes its DefaultSource."""

from kew.analytics.queue.source import QueueSource

DefaultSource = QueueSource
