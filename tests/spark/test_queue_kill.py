"""Exactly once, whoever dies: a query and its queue manager are killed at random moments and started again.

It takes minutes, so it runs on its own: make cluster
"""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from kew.qmgr import manager

pytestmark = pytest.mark.cluster

PATHS = os.pathsep.join(os.path.abspath(path) for path in sys.path if os.path.isdir(os.path.join(path or ".", "kew")))
ENVIRONMENT = {**os.environ, "PYSPARK_PYTHON": sys.executable, "PYTHONPATH": PATHS}
MESSAGES = 4000
KILLS = 4

SERVE = """
import sys, time
from kew.qmgr import manager
host = manager.start("QM1", sys.argv[1])
print("up", flush=True)
while True:
    time.sleep(60)
"""

QUERY = """
import sys
from kew.analytics.session import start_session
data, place = sys.argv[1:]
spark = start_session("local[2]", partitions=2)
reached = {"queueManager": "QM1", "dataDirectory": data}
frame = spark.readStream.format("kewmq").options(**reached, queue="IN", maxMessagesPerBatch="300").load()
rows = frame.selectExpr("cast(data as string) as data")
queries = [
    rows.writeStream.format("parquet").option("path", place + "/table")
    .option("checkpointLocation", place + "/one").trigger(availableNow=True).start(),
]
for query in queries:
    query.awaitTermination()
copied = spark.readStream.format("parquet").schema("data string").load(place + "/table")
query = (copied.writeStream.format("kewmq").options(**reached, queue="OUT")
    .option("checkpointLocation", place + "/two").trigger(availableNow=True).start())
query.awaitTermination()
spark.stop()
"""


class Server:
    """The queue manager as a process of its own."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.process = self._start()

    def _start(self) -> "subprocess.Popen[str]":
        process = subprocess.Popen(
            [sys.executable, "-c", SERVE, str(self.data)], env=ENVIRONMENT, stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        assert process.stdout.readline() == "up\n"
        return process

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def kill_and_start(self) -> None:
        self.kill()
        self.process = self._start()


def query(data: Path, place: Path) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, "-c", QUERY, str(data), str(place)], env=ENVIRONMENT, stderr=subprocess.DEVNULL
    )


def furnish(data: Path) -> list[str]:
    """Make a queue manager with the messages that are to arrive."""
    from kew.codes.options import MQOO_OUTPUT, MQPER_PERSISTENT, MQPMO_SYNCPOINT
    from kew.formats.mqmd import MessageDescriptor

    manager.create("QM1", data=str(data))
    texts = [f"message {number:06d}" for number in range(MESSAGES)]
    with manager.start("QM1", str(data)) as host:
        for name in ("IN", "OUT"):
            host.host.administration.define("QLOCAL", name, {"MAXDEPTH": 999999})
        connection = host.connect("test")
        queue = connection.open("IN", MQOO_OUTPUT)
        for text in texts:
            connection.put(queue, MessageDescriptor(persistence=MQPER_PERSISTENT), text.encode(), MQPMO_SYNCPOINT)
        connection.disconnect()
    return texts


def on_queue(data: Path, name: str) -> list[str]:
    from kew.codes.errors import NoMessage
    from kew.codes.options import MQOO_INPUT_SHARED

    found: list[str] = []
    with manager.start("QM1", str(data)) as host:
        connection = host.connect("test")
        queue = connection.open(name, MQOO_INPUT_SHARED)
        try:
            while True:
                found.append(connection.get(queue).data.decode())
        except NoMessage:
            return found


def in_table(place: Path) -> list[str]:
    """Give what the table of Spark's file sink holds: the files that its log lists."""
    import json

    listed: dict[str, str] = {}
    log = place / "table" / "_spark_metadata"
    for file in sorted(log.iterdir(), key=lambda path: path.name):
        if file.name.startswith("."):
            continue
        for line in file.read_text().splitlines()[1:]:
            entry = json.loads(line)
            listed[entry["path"]] = entry["action"]
    found: list[str] = []
    for path, action in listed.items():
        if action == "add":
            found += pq.read_table(path.removeprefix("file:").replace("///", "/")).column("data").to_pylist()
    return found


@pytest.mark.parametrize("seed", [1])
def test_each_message_arrives_once(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    data, place = tmp_path / "data", tmp_path / "place"
    texts = furnish(data)
    server = Server(data)
    try:
        for number in range(KILLS):
            running = query(data, place)
            moment = time.monotonic() + chance.uniform(20, 60)
            while running.poll() is None and time.monotonic() < moment:
                time.sleep(0.2)
            if number % 2:
                server.kill_and_start()
            running.kill()
            running.wait()
        last = query(data, place)
        assert last.wait(300) == 0
    finally:
        server.kill()
    assert sorted(in_table(place)) == texts
    assert sorted(on_queue(data, "OUT")) == texts
