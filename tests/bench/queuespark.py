"""How fast Spark reads a queue into Parquet, and how soon it sees a single message.

    python -m tests.bench.queuespark [MESSAGES]

The queue manager is a process of its own; Spark reads 2 KB messages in batches of 50,000 by its socket. The figures
are those of the batches after the first, which starts Spark's workers. Latency is from the put of a message on an empty
queue to its row in a function of the driver, one message at a time, with a trigger that never waits.
"""

import multiprocessing
import shutil
import sys
import tempfile
import time
from multiprocessing.connection import Connection as Pipe
from statistics import median, quantiles

from pyspark.sql import DataFrame, SparkSession

from kew.analytics.session import start_session
from kew.codes.options import MQOO_OUTPUT
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.connections.handles import Handle
from kew.mqi.local.connection import LocalConnection
from kew.qmgr import manager
from kew.version import is_compiled
from tests.bench.host import NAME, configuration
from tests.bench.smf import tree_cpu
from tests.support.queries import PATIENCE, TOO_SLOW, run_to_end

BATCH = 50_000
BODY = 2048
SINGLES = 40
TARGET = 12_000  # messages a second


def put(connection: LocalConnection, queue: Handle, text: bytes) -> None:
    """Put one message of the usual length."""
    connection.put(queue, MessageDescriptor(persistence=0), text.ljust(BODY, b"."))


def serve(data: str, messages: int, pipe: Pipe) -> None:
    """Run the queue manager with the messages, and put another whenever asked, until told to end."""
    manager.create(NAME, configuration(pool=messages + messages // 8), data)
    with manager.start(NAME, data) as host:
        for name in ("IN", "SINGLE"):
            host.host.administration.define("QLOCAL", name, {"MAXDEPTH": 999_999_999})
        connection = host.connect("bench")
        queue = connection.open("IN", MQOO_OUTPUT)
        for number in range(messages):
            put(connection, queue, number.to_bytes(8, "big") * (BODY // 8))
        pipe.send("ready")
        queue = connection.open("SINGLE", MQOO_OUTPUT)
        while pipe.recv() == "put":
            put(connection, queue, str(time.time()).encode())
        connection.disconnect()


def options(data: str, queue: str, columns: str = "") -> dict[str, str]:
    """How Spark reaches a queue."""
    chosen = {"queueManager": NAME, "queue": queue, "dataDirectory": data, "maxMessagesPerBatch": str(BATCH)}
    return {**chosen, "columns": columns}


def throughput(spark: SparkSession, data: str) -> bool:
    """Print messages a second and the time of a batch; says whether it is enough."""
    before = tree_cpu()
    query = run_to_end(
        spark.readStream.format("kewmq")
        .options(**options(data, "IN", "position,data,message_id,put_time"))
        .load()
        .writeStream.format("parquet")
        .option("path", f"{data}/table")
        .option("checkpointLocation", f"{data}/checkpoint")
        .trigger(availableNow=True)
    )
    batches = [one for one in query.recentProgress if one["numInputRows"]]
    each = (tree_cpu() - before) / sum([one["numInputRows"] for one in batches])
    del batches[0]
    rates = [one["numInputRows"] / one["durationMs"]["triggerExecution"] * 1000 for one in batches]
    times = [one["durationMs"]["triggerExecution"] for one in batches]
    build = "compiled" if is_compiled() else "interpreted"
    print(
        f"{build}: {median(rates):,.0f} messages/s of {BODY} bytes into Parquet (target {TARGET:,}), batches of"
        f" {BATCH:,} in {median(times):,.0f} ms ({min(times):,} to {max(times):,}), {len(batches)} batches"
    )
    print(f"{1e6 * each:,.0f} us of processor time a message over all processes, the query's start and end included")
    return bool(median(rates) >= TARGET)


def latency(spark: SparkSession, data: str, pipe: Pipe) -> None:
    """Print how long a single message takes to the driver."""
    seen: list[float] = []

    def take(batch: DataFrame, number: int) -> None:
        rows = batch.select("data").collect()
        seen.extend([time.time() - float(bytes(row.data).rstrip(b".")) for row in rows])

    stream = spark.readStream.format("kewmq").options(**options(data, "SINGLE")).load()
    writer = stream.writeStream.foreachBatch(take).option("checkpointLocation", f"{data}/single")
    query = writer.start()
    for number in range(1, SINGLES + 1):
        pipe.send("put")
        deadline = time.monotonic() + PATIENCE
        while len(seen) < number:
            time.sleep(0.005)
            if not query.isActive and TOO_SLOW in str(query.exception()):
                query = writer.start()
            elif not query.isActive or time.monotonic() > deadline:
                raise SystemExit(f"message {number} did not come: {query.exception()}")
    query.stop()
    steady = [1000 * one for one in seen[SINGLES // 4 :]]
    print(
        f"latency of a single message: {min(steady):,.0f} ms at least, {median(steady):,.0f} ms median,"
        f" {quantiles(steady, n=10)[8]:,.0f} ms for nine of ten"
    )


def main(messages: int) -> int:
    """Print both; 1 where Spark is too slow."""
    data = tempfile.mkdtemp(prefix="kew-bench-", dir=".")
    ours, theirs = multiprocessing.Pipe()
    server = multiprocessing.get_context("spawn").Process(target=serve, args=(data, messages, theirs))
    server.start()
    try:
        ours.recv()
        spark = start_session("local[2]", partitions=2)
        enough = throughput(spark, data)
        latency(spark, data, ours)
        spark.stop()
        return 0 if enough else 1
    finally:
        ours.send("end")
        server.join()
        shutil.rmtree(data, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 300_000))
