"""How fast Spark reads a queue into Parquet.

    python -m tests.bench.queuespark [MESSAGES]

The queue manager is a process of its own; Spark reads 2 KB messages in batches of 50,000 by its socket. The figures
are those of the batches after the first, which starts Spark's workers.
"""

import multiprocessing
import shutil
import sys
import tempfile
from multiprocessing.connection import Connection as Pipe
from statistics import median

from kew.analytics.session import start_session
from kew.codes.options import MQOO_OUTPUT
from kew.formats.mqmd import MessageDescriptor
from kew.qmgr import manager
from kew.version import is_compiled
from tests.bench.host import NAME, configuration

BATCH = 50_000
BODY = 2048


def serve(data: str, messages: int, pipe: Pipe) -> None:
    """Run the queue manager with the messages, until told to end."""
    manager.create(NAME, configuration(pool=messages + messages // 8), data)
    with manager.start(NAME, data) as host:
        host.host.administration.define("QLOCAL", "IN", {"MAXDEPTH": 999_999_999})
        connection = host.connect("bench")
        queue = connection.open("IN", MQOO_OUTPUT)
        for number in range(messages):
            connection.put(queue, MessageDescriptor(persistence=0), number.to_bytes(8, "big") * (BODY // 8))
        connection.disconnect()
        pipe.send("ready")
        pipe.recv()


def main(messages: int) -> None:
    """Print messages a second and the time of a batch."""
    data = tempfile.mkdtemp(prefix="kew-bench-", dir=".")
    ours, theirs = multiprocessing.Pipe()
    server = multiprocessing.get_context("spawn").Process(target=serve, args=(data, messages, theirs))
    server.start()
    try:
        ours.recv()
        spark = start_session("local[2]", partitions=2)
        options = {"queueManager": NAME, "queue": "IN", "dataDirectory": data, "maxMessagesPerBatch": str(BATCH)}
        frame = spark.readStream.format("kewmq").options(**options).load()
        query = (
            frame.select("position", "data", "message_id", "put_time")
            .writeStream.format("parquet")
            .option("path", f"{data}/table")
            .option("checkpointLocation", f"{data}/checkpoint")
            .trigger(availableNow=True)
            .start()
        )
        query.awaitTermination()
        batches = [one for one in query.recentProgress if one["numInputRows"]][1:]
        rates = [one["numInputRows"] / one["durationMs"]["triggerExecution"] * 1000 for one in batches]
        times = [one["durationMs"]["triggerExecution"] for one in batches]
        build = "compiled" if is_compiled() else "interpreted"
        print(f"{build}: {median(rates):,.0f} messages/s of {BODY} bytes into Parquet, batches of {BATCH:,} in")
        print(f"{median(times):,.0f} ms ({min(times):,} to {max(times):,}), {len(batches)} batches")
        spark.stop()
    finally:
        ours.send("end")
        server.join()
        shutil.rmtree(data, ignore_errors=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 300_000)
