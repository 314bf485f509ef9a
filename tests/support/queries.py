"""Streaming queries in tests.

Spark gives the process that reads a stream ten seconds to begin, and no setting changes that; on a busy machine it may
need more. A query that ends so has done nothing, and is begun again, as whoever runs one for good does it.
"""

from time import monotonic
from typing import Final

from pyspark.errors import PySparkException
from pyspark.sql.streaming.query import StreamingQuery
from pyspark.sql.streaming.readwriter import DataStreamWriter

TOO_SLOW: Final = "connect back"  # what Spark says of a process that it did not wait for
PATIENCE: Final = 900  # seconds


def run_to_end(writer: DataStreamWriter) -> StreamingQuery:
    """Run a query to its end, and give it."""
    deadline = monotonic() + PATIENCE
    while True:
        try:
            query = writer.start()
            assert query.awaitTermination(PATIENCE)
            return query
        except PySparkException as problem:
            if TOO_SLOW not in str(problem) or monotonic() > deadline:
                raise
