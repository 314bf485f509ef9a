"""Kills a queue manager and its clients with SIGKILL while they work over TCP, and compares what was said.

    python -m tests.crash.network KILLS [SEED]

Programs are processes of their own. Each writes down a batch before it commits it, and afterwards that it was told of
the success; so what a program knew when it died, or when the queue manager did, is in its file.
"""

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random

from tests.support.ledger import Ledger
from tests.support.server import NAME, OPEN_CHANNEL, ServerProcess

from kew import client
from kew.codes.errors import MQError, NoMessage
from kew.codes.options import MQOO_INPUT_SHARED, MQOO_OUTPUT
from kew.formats.mqmd import MessageDescriptor

QUEUE = "DEV.QUEUE.1"
BATCH = 4
PRODUCERS = 2
CONSUMERS = 2
PATIENCE = 60.0


# -- a program --------------------------------------------------------------------------------------------------------


class Notes:
    """The file of a program: what it tried, and what it was told."""

    def __init__(self, path: str) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    def tried(self, put: bool, batch: list[bytes]) -> None:
        os.write(self._file, b" ".join([b"\nput" if put else b"\ngot", *batch]))

    def succeeded(self) -> None:
        os.write(self._file, b" ok")


def program(port: int, put: bool, seed: int, path: str) -> None:
    """Put or get batches until told to end; connect again whenever the connection breaks."""
    ending: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, _frame: ending.append(number))
    random = Random(seed)
    notes = Notes(path)
    number = 0
    while not ending:
        connection: client.Connection | None = None
        try:
            connection = client.connect(
                NAME, f"127.0.0.1({port})", OPEN_CHANNEL, application="tests", conversations=random.choice((0, 1, 10))
            )
            ahead = not put and random.random() < 0.7
            queue = connection.open(QUEUE, MQOO_OUTPUT if put else MQOO_INPUT_SHARED, read_ahead=ahead)
            while not ending:
                if put:
                    batch = [b"%d.%d" % (seed, number + each) for each in range(BATCH)]
                    number += BATCH
                    for text in batch:
                        padding = bytes(random.choice((0, 0, 5000)))
                        queue.put(text + padding, MessageDescriptor(persistence=1), syncpoint=True)
                else:
                    batch = taken(queue)
                    if not batch:
                        continue
                notes.tried(put, batch)
                connection.commit()
                notes.succeeded()
        except MQError:
            time.sleep(0.02)
        finally:
            if connection is not None:
                connection.driver.close()


def taken(queue: client.Queue) -> list[bytes]:
    """Up to a batch of messages, in the unit of work."""
    found: list[bytes] = []
    for _turn in range(BATCH):
        try:
            found.append(queue.get(0.2 if not found else 0.0, syncpoint=True).data.rstrip(b"\0"))
        except NoMessage:
            break
    return found


# -- the run ----------------------------------------------------------------------------------------------------------


class Programs:
    """The programs that run, and the files of all that ever did."""

    def __init__(self, port: int, folder: Path) -> None:
        self._port = port
        self._folder = folder
        self._started = 0
        self.running: list[tuple[subprocess.Popen[bytes], bool]] = []

    def start(self, put: bool) -> None:
        self._started += 1
        path = self._folder / f"{self._started}.notes"
        arguments = ["program", str(self._port), str(int(put)), str(self._started), str(path)]
        process = subprocess.Popen([sys.executable, "-m", "tests.crash.network", *arguments])
        self.running.append((process, put))

    def kill_one(self, random: Random) -> None:
        """Kill one, and start another in its place."""
        process, put = self.running.pop(random.randrange(len(self.running)))
        process.kill()
        process.wait(PATIENCE)
        self.start(put)

    def stop(self) -> None:
        for process, _put in self.running:
            process.terminate()
        for process, _put in self.running:
            process.wait(PATIENCE)
        self.running.clear()

    def ledger(self) -> Ledger:
        """What all of them were told."""
        ledger = Ledger()
        for path in self._folder.glob("*.notes"):
            for line in path.read_bytes().splitlines():
                words = line.split()
                if words:
                    certain = words[-1] == b"ok"
                    ledger.note(certain, words[0] == b"put", words[1 : -1 if certain else None])
        return ledger


def run(folder: Path, kills: int, seed: int) -> tuple[int, int, int]:
    """Kill so many times; how often the queue manager, and how many messages were committed and got for certain."""
    random = Random(seed)
    servers = 0
    data = folder / "data"
    data.mkdir()
    with ServerProcess(data) as server:
        server.mqsc(f"ALTER QLOCAL({QUEUE}) MAXDEPTH(999999)")
        programs = Programs(server.port, folder)
        try:
            for each in range(PRODUCERS + CONSUMERS):
                programs.start(each < PRODUCERS)
            for _turn in range(kills):
                time.sleep(0.2 + random.random() * 0.6)
                if random.random() < 0.4:
                    server.kill()
                    servers += 1
                    server.start()
                else:
                    programs.kill_one(random)
            time.sleep(0.5)
        finally:
            programs.stop()
        ledger = programs.ledger()
        ledger.judge(left(server))
        failures = server.first_failures()
        assert not failures, failures[0].read_text()
    return servers, len(ledger.put), len(ledger.got)


def left(server: ServerProcess) -> list[bytes]:
    """What is on the queue once the units of work of the dead are backed out."""
    until = time.monotonic() + PATIENCE
    while "UNCOM(0)" not in server.mqsc(f"DISPLAY QSTATUS({QUEUE}) UNCOM"):
        assert time.monotonic() < until, "a unit of work of a dead program is still there"
        time.sleep(0.02)
    found: list[bytes] = []
    with server.connect() as connection, connection.open(QUEUE, MQOO_INPUT_SHARED) as queue:
        while True:
            try:
                found.append(queue.get().data.rstrip(b"\0"))
            except NoMessage:
                return found


def report(kills: int, seed: int) -> str:
    """Run in a directory that is removed; the figures in a sentence."""
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        servers, put, got = run(Path(folder), kills, seed)
    return (
        f"{kills} kills over TCP ({servers} of the queue manager) in {time.monotonic() - begun:.0f} s: "
        f"{put} messages committed, {got} got; lost 0, twice 0, phantom 0, cut in two 0"
    )


if __name__ == "__main__":
    if sys.argv[1] == "program":
        program(int(sys.argv[2]), sys.argv[3] == "1", int(sys.argv[4]), sys.argv[5])
    else:
        print(report(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1))
