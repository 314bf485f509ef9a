"""Makes `kewsmf` known to Spark, which imports every top-level module named pyspark_* and takes its DefaultSource."""

from kew.analytics.smf.source import SmfSource

DefaultSource = SmfSource
