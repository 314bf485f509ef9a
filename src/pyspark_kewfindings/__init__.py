"""Makes `kewfindings` known to Spark: it imports each top-level module named pyspark_* and takes its DefaultSource."""

from kew.analytics.reports.source import FindingSource

DefaultSource = FindingSource
