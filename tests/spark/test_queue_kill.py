"""Exactly once, whoever dies: a query and its queue manager are killed at random moments and started again.

It takes minutes, so it runs on its own: make cluster
"""

import json
import os
import random
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from tests.support.queries import PATIENCE, TOO_SLOW

from kew.commands.actions.script import Script
from kew.qmgr import manager

pytestmark = pytest.mark.cluster

PATHS = os.pathsep.join(os.path.abspath(path) for path in sys.path if os.path.isdir(os.path.join(path or ".", "kew")))
ENVIRONMENT = {**os.environ, "PYSPARK_PYTHON": sys.executable, "PYTHONPATH": PATHS}
MESSAGES = 4000
KILLS = 6

SERVE = """
import sys, time
from kew.qmgr import manager
data, port = sys.argv[1:]
host = manager.start("QM1", data, developer=True)
host.network.listen("TEST", "127.0.0.1", int(port))
print("up", flush=True)
while True:
    time.sleep(60)
"""

QUERY = """
import json, sys
from kew.analytics.session import start_session
place, reached = sys.argv[1], json.loads(sys.argv[2])
spark = start_session("local[2]", partitions=2)
frame = spark.readStream.format("kewmq").options(**reached, queue="IN", maxMessagesPerBatch="300").load()
query = (frame.selectExpr("cast(data as string) as data").writeStream.format("parquet")
    .option("path", place + "/table").option("checkpointLocation", place + "/one").trigger(availableNow=True).start())
query.awaitTermination()
copied = spark.readStream.format("parquet").schema("data string").option("maxFilesPerTrigger", 2).load(place + "/table")
query = (copied.writeStream.format("kewmq").options(**reached, queue="OUT", persistence="yes")
    .option("checkpointLocation", place + "/two").trigger(availableNow=True).start())
query.awaitTermination()
spark.stop()
"""


class Server:
    """The queue manager as a process of its own, always on the same port."""

    def __init__(self, data: Path) -> None:
        self.data = data
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = int(free.getsockname()[1])
        self.process = self._start()

    def _start(self) -> "subprocess.Popen[str]":
        words = [sys.executable, "-c", SERVE, str(self.data), str(self.port)]
        process = subprocess.Popen(words, env=ENVIRONMENT, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        assert process.stdout.readline() == "up\n"
        process.stdout.close()
        return process

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def kill_and_start(self) -> None:
        self.kill()
        self.process = self._start()

    def options(self, way: str) -> str:
        if way == "socket":
            return json.dumps({"queueManager": "QM1", "dataDirectory": str(self.data)})
        address = {"connection": f"127.0.0.1({self.port})", "channel": "DEV.APP.SVRCONN"}
        return json.dumps({"queueManager": "QM1", "user": "app", "password": "password", **address})


def query(place: Path, options: str) -> "subprocess.Popen[bytes]":
    words = [sys.executable, "-c", QUERY, str(place), options]
    with open(place.parent / "errors", "wb") as errors:
        return subprocess.Popen(words, env=ENVIRONMENT, stderr=errors)


def check_it_was_slow(place: Path, deadline: float) -> None:
    """A query may end by itself because Spark would not wait for it, and for no other reason."""
    said = (place.parent / "errors").read_text(errors="replace")
    assert TOO_SLOW in said, said[-4000:]
    assert time.monotonic() < deadline


def kill_while_running(place: Path, server: "Server", way: str, chance: random.Random, with_server: bool) -> bool:
    """Start the query and kill it some batches later; says whether it was killed, or else was done before."""
    deadline = time.monotonic() + PATIENCE
    while True:
        running = query(place, server.options(way))
        goal = progress(place) + chance.randint(1, 4)
        while running.poll() is None and progress(place) < goal and time.monotonic() < deadline:
            time.sleep(0.02)
        time.sleep(chance.uniform(0, 0.5))  # anywhere between two commits
        ended = running.poll()
        if with_server:
            server.kill_and_start()
        running.kill()
        running.wait()
        if ended is None:
            return True
        if ended == 0:
            return False
        check_it_was_slow(place, deadline)


def run_to_the_end(place: Path, server: "Server", way: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while query(place, server.options(way)).wait(PATIENCE) != 0:
        check_it_was_slow(place, deadline)


def furnish(data: Path) -> list[str]:
    """Make a queue manager with the messages that are to arrive."""
    from kew.codes.options import MQOO_OUTPUT, MQPER_PERSISTENT, MQPMO_SYNCPOINT
    from kew.formats.mqmd import MessageDescriptor

    manager.create("QM1", data=str(data))
    texts = [f"message {number:06d}" for number in range(MESSAGES)]
    with manager.start("QM1", str(data), developer=True) as host:
        script = Script(host.host.commands)
        rights = "SET AUTHREC PROFILE('**') OBJTYPE(QUEUE) PRINCIPAL('app') AUTHADD(ALLMQI)\n"
        assert "AMQ8862I" in "".join([line for lines in script.run([rights]) for line in lines])
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


def progress(place: Path) -> int:
    """Give how many batches the two queries have written down so far."""
    return sum(len(list(place.glob(f"{name}/commits/[0-9]*"))) for name in ("one", "two"))


@pytest.mark.parametrize("way", ["socket", "network"])
def test_each_message_arrives_once(tmp_path: Path, way: str) -> None:
    chance = random.Random(way)
    data, place = tmp_path / "data", tmp_path / "place"
    texts = furnish(data)
    server = Server(data)
    killed = 0
    try:
        for number in range(KILLS):
            killed += kill_while_running(place, server, way, chance, bool(number % 2))
        run_to_the_end(place, server, way)
    finally:
        server.kill()
    assert killed >= KILLS - 1
    assert sorted(in_table(place)) == texts
    assert sorted(on_queue(data, "OUT")) == texts
