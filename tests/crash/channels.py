"""Kills either of two queue managers with SIGKILL while a channel moves messages between them, and compares the ledger.

    python -m tests.crash.channels KILLS [SEED] [WINDOW]

A program puts units of numbered messages at QM1 and notes each that was committed, or whose commit got no answer. At
the end QM2 must have every committed message once, in order, with its bytes; those without an answer once or never.
"""

import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from random import Random

from tests.support.network import eventually
from tests.support.server import ServerProcess

from kew import client
from kew.codes.errors import MQError, NoMessage
from kew.codes.options import MQOO_INPUT_SHARED, MQOO_OUTPUT
from kew.formats.mqmd import MessageDescriptor
from kew.storage.directories import directory_of

CHANNEL = "QM1.TO.QM2"
REMOTE = "DEV.REMOTE"
TARGET = "DEV.TARGET"
PATIENCE = 120.0


class Outcome:
    """What a run has come to."""

    def __init__(self) -> None:
        self.kills = [0, 0]  # of QM1, of QM2
        self.committed = 0
        self.doubtful = 0
        self.arrived = 0
        self.faults: list[str] = []

    def __str__(self) -> str:
        return (
            f"{self.kills[0]} kills of the sending and {self.kills[1]} of the receiving queue manager: "
            f"{self.committed} messages committed, {self.doubtful} without an answer, {self.arrived} arrived, "
            f"{len(self.faults)} lost, doubled, out of order or wrong"
        )


class Producer:
    """A program that puts numbered messages, and connects again when it must."""

    def __init__(self, server: ServerProcess, random: Random) -> None:
        self._server = server
        self._random = random
        self._connection: client.Connection | None = None
        self._queue: client.Queue | None = None
        self._next = 0
        self.committed: list[int] = []
        self.doubtful: set[int] = set()

    def put(self) -> None:
        """Put one unit of work."""
        numbers = list(range(self._next, self._next + self._random.randint(1, 9)))
        self._next = numbers[-1] + 1
        try:
            if self._queue is None:
                self._connection = self._server.connect()
                self._queue = self._connection.open(REMOTE, MQOO_OUTPUT)
            for number in numbers:
                self._queue.put(body(number), MessageDescriptor(persistence=number % 5 > 0), syncpoint=True)
        except MQError:
            self.leave()
            return
        assert self._connection is not None
        try:
            self._connection.commit()
            self.committed += numbers
        except MQError:
            self.doubtful.update(numbers)
            self.leave()

    def leave(self) -> None:
        """Forget a connection that is broken."""
        if self._connection is not None:
            with suppress(MQError, OSError):
                self._connection.driver.close()
        self._connection = self._queue = None


def body(number: int) -> bytes:
    """What the message of a number holds; some have several segments."""
    return b"%d." % number + bytes([number % 251]) * (70000 if number % 97 == 0 else number % 3000)


def run(folder: Path, kills: int, seed: int, window: int = 1) -> Outcome:
    """Kill so many times; the ledger at the end."""
    random = Random(seed)
    outcome = Outcome()
    with ServerProcess(folder / "one", name="QM1") as one, ServerProcess(folder / "two", name="QM2") as two:
        furnish(one, two)
        for server in (one, two):
            if window > 1:
                pipeline(server, window)
        one.mqsc(f"START CHANNEL({CHANNEL})")
        assert eventually(lambda: "STATUS(RUNNING)" in answer(one, f"DISPLAY CHSTATUS({CHANNEL}) STATUS"), PATIENCE)
        producer = Producer(one, random)
        for _ in range(kills):
            for _ in range(random.randint(1, 60)):
                producer.put()
            which = random.randrange(2)
            victim = (one, two)[which]
            victim.kill()
            outcome.kills[which] += 1
            victim.start()
        producer.leave()
        outcome.committed, outcome.doubtful = len(producer.committed), len(producer.doubtful)
        settle(one)
        compare(outcome, producer, received(two))
    return outcome


def furnish(one: ServerProcess, two: ServerProcess) -> None:
    """Define the channel and its queues."""
    two.mqsc(
        f"DEFINE QLOCAL({TARGET}) MAXDEPTH(999999999)",
        f"DEFINE CHANNEL({CHANNEL}) CHLTYPE(RCVR) MCAUSER('app') NPMSPEED(NORMAL)",
        f"SET CHLAUTH({CHANNEL}) TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(CHANNEL)",
        "SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('app') AUTHADD(CONNECT,SETALL)",
    )
    one.mqsc(
        "DEFINE QLOCAL(QM2) USAGE(XMITQ) MAXDEPTH(999999999)",
        f"DEFINE QREMOTE({REMOTE}) RNAME({TARGET}) RQMNAME(QM2) XMITQ(QM2)",
        f"DEFINE CHANNEL({CHANNEL}) CHLTYPE(SDR) XMITQ(QM2) CONNAME('{two.address}') SHORTTMR(1) SHORTRTY(999999999) "
        "NPMSPEED(NORMAL) BATCHSZ(20)",
    )


def pipeline(server: ServerProcess, window: int) -> None:
    """Have the batches of a queue manager's channels overlap."""
    server.kill()
    path = Path(directory_of(str(server.data), server.name), "qm.ini")
    text = path.read_text()
    assert "   PipeLineLength=1\n" in text
    path.write_text(text.replace("   PipeLineLength=1\n", f"   PipeLineLength={window}\n"))
    server.start()


def answer(server: ServerProcess, *commands: str) -> str:
    """Give the reply to commands, empty while a channel that is being started has no status yet."""
    try:
        return server.mqsc(*commands)
    except AssertionError:
        return ""


def settle(one: ServerProcess) -> None:
    """Wait until nothing is left to be moved."""

    def settled() -> bool:
        said = answer(one, "DISPLAY QSTATUS(QM2) CURDEPTH UNCOM", f"DISPLAY CHSTATUS({CHANNEL}) INDOUBT STATUS")
        return "CURDEPTH(0)" in said and "UNCOM(0)" in said and "INDOUBT(NO)" in said

    assert eventually(settled, PATIENCE), one.mqsc("DISPLAY QSTATUS(QM2) ALL", f"DISPLAY CHSTATUS({CHANNEL}) ALL")


def received(two: ServerProcess) -> list[bytes]:
    """Get all that has arrived."""
    found: list[bytes] = []
    with (
        two.connect() as connection,
        connection.open(TARGET, MQOO_INPUT_SHARED, read_ahead=False) as queue,
        suppress(NoMessage),
    ):
        while True:
            found.append(queue.get().data)
    return found


def compare(outcome: Outcome, producer: Producer, found: list[bytes]) -> None:
    """Find what is lost, doubled, out of order or wrong. Non-persistent messages die with their queue manager."""
    outcome.arrived = len(found)
    seen: set[int] = set()
    latest = {True: -1, False: -1}
    for data in found:
        number = int(data.partition(b".")[0])
        persistent = number % 5 > 0
        if data != body(number):
            outcome.faults.append(f"{number} has other bytes")
        if number in seen:
            outcome.faults.append(f"{number} came twice")
        if number < latest[persistent]:
            outcome.faults.append(f"{number} came after {latest[persistent]}")
        latest[persistent] = number
        seen.add(number)
    known = set(producer.committed) | producer.doubtful
    outcome.faults += [f"{number} was never committed" for number in seen - known]
    outcome.faults += [f"{number} is lost" for number in producer.committed if number % 5 and number not in seen]


def main() -> int:
    """Run as often as the command line says; 0 when nothing was lost."""
    kills = int(sys.argv[1])
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    window = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        outcome = run(Path(folder), kills, seed, window)
    print(f"{outcome}, in {time.monotonic() - began:.0f} s")
    for fault in outcome.faults[:20]:
        print(fault)
    return 1 if outcome.faults else 0


if __name__ == "__main__":
    sys.exit(main())
