"""Streams what is on a queue into Parquet files with Spark, each message exactly once.

    pip install 'kew-mq[spark]'
    kew start QM1 --dev
    seq 1000 | kew put QM1 DEV.QUEUE.1
    python examples/stream_to_spark.py QM1 DEV.QUEUE.1 orders

Run it again after more messages have come: only those are added. With trigger(processingTime="10 seconds") in place of
availableNow it goes on until it is stopped.
"""

import sys

from pyspark.sql import SparkSession
from pyspark.sql.streaming.readwriter import DataStreamWriter

from kew.analytics.session import start_session


def copy(spark: SparkSession, source: dict[str, str], directory: str) -> DataStreamWriter:
    """Give the query that adds what is on the queue to the table; it may be started again and again."""
    messages = spark.readStream.format("kewmq").options(**source).load()
    orders = messages.selectExpr("put_time", "put_application_name", "cast(data AS string) AS text", "properties")
    return (
        orders.writeStream.format("parquet")
        .option("path", f"{directory}/table")
        .option("checkpointLocation", f"{directory}/checkpoint")
        .trigger(availableNow=True)
    )


def main() -> None:
    """Copy, and say how much there is."""
    queue_manager, queue, directory = sys.argv[1:4]
    spark = start_session("local[*]", "stream to spark")
    copy(spark, {"queueManager": queue_manager, "queue": queue}, directory).start().awaitTermination()
    print(spark.read.parquet(f"{directory}/table").count(), "messages in", directory)
    spark.stop()


if __name__ == "__main__":
    main()
