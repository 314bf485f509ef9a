"""Damaged sessions over real sockets, against a queue manager in a process of its own.

    python -m tests.fuzz.sessions [seconds] [seed]

Real programs are recorded, at each way of sharing a socket; what they said is damaged, cut anew and said again by many
sockets at once, some of which end in the middle. All the while an honest program puts and gets. The queue manager must
not end, not write down a mistake of its own, keep its memory, and never fail the honest program.
"""

import socket
import sys
import tempfile
import threading
import time
from pathlib import Path
from random import Random

from kew import client
from kew.codes.attributes import MQIA_CURRENT_Q_DEPTH
from kew.codes.errors import NoMessage
from kew.codes.options import MQOO_BROWSE, MQOO_INPUT_SHARED, MQOO_INQUIRE, MQOO_OUTPUT
from kew.formats.mqmd import MessageDescriptor
from tests.fuzz.wire import chunks, damage
from tests.support.proxy import Proxy
from tests.support.server import NAME, OPEN_CHANNEL, ServerProcess

FUZZED = "DEV.QUEUE.1"
HONEST = "DEV.QUEUE.2"
EVERYTHING = MQOO_OUTPUT | MQOO_INPUT_SHARED | MQOO_BROWSE | MQOO_INQUIRE
SOCKETS = 4
GROWTH = 64 << 20  # bytes that the queue manager may grow by once it is warm: pools fill, Python keeps what it had
WARM = 0.2  # of the time, after which its memory is looked at


def record(address: str, conversations: int) -> None:
    """A program that uses every verb that there is."""
    with client.connect(
        NAME, address, OPEN_CHANNEL, application="fuzz", conversations=conversations, max_message=1 << 22
    ) as connection:
        queue = connection.open(FUZZED, EVERYTHING)
        queue.put(b"one")
        queue.put(b"two" * 2000, MessageDescriptor(persistence=1), syncpoint=True)
        connection.commit()
        queue.put(b"long" * 20000)
        if conversations:
            queue.put(b"asynchronous", asynchronous=True)
        queue.inquire([MQIA_CURRENT_Q_DEPTH])
        list(queue.browse())
        queue.get(syncpoint=True)
        connection.back_out()
        for _turn in range(5):
            try:
                queue.get(0.05)
            except NoMessage:
                break
        connection.put1(FUZZED, b"once")
        connection.status()
        queue.close()


def recordings(server: ServerProcess) -> list[list[bytes]]:
    """What programs said, as segments."""
    found = []
    for conversations in (0, 1, 10):
        with Proxy(server.port) as proxy:
            record(proxy.address, conversations)
            said = proxy.lines[0].said
        cut: list[bytes] = []
        offset = 0
        while offset < len(said):
            size = int.from_bytes(said[offset + 4 : offset + 8], "big")
            cut.append(said[offset : offset + size])
            offset += size
        found.append(cut)
    return found


class Attack:
    """Sockets that say damaged sessions, until it is time."""

    def __init__(self, server: ServerProcess, sessions: list[list[bytes]], until: float) -> None:
        self.server = server
        self.sessions = sessions
        self.until = until
        self.count = 0
        self.problems: list[str] = []
        self._lock = threading.Lock()

    def assail(self, seed: int) -> None:
        """One socket after the other."""
        random = Random(seed)
        while time.monotonic() < self.until and not self.problems:
            try:
                self._once(random)
            except TimeoutError:
                self.problems.append("a socket was neither answered nor closed")
            except OSError:
                if not self.server.alive():
                    self.problems.append("the queue manager has ended")
            with self._lock:
                self.count += 1

    def _once(self, random: Random) -> None:
        said = damage(random, random.choice(self.sessions), random.randrange(8))
        with socket.create_connection(("127.0.0.1", self.server.port), 10) as endpoint:
            endpoint.setblocking(False)
            for piece in chunks(random, said):
                if len(piece) < 64 and random.random() < 0.98:
                    piece = said  # all at once, for the most part: byte by byte takes its time
                self._say(endpoint, piece)
                if piece is said:
                    break
            if random.randrange(4):
                endpoint.shutdown(socket.SHUT_WR)
                endpoint.settimeout(30)
                while endpoint.recv(65536):
                    pass
            elif random.randrange(2):
                endpoint.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")  # a reset

    def _say(self, endpoint: socket.socket, piece: bytes) -> None:
        """Say it while hearing what is answered, or give up when the other side does not read."""
        until = time.monotonic() + 5.0
        while piece and time.monotonic() < until:
            try:
                piece = piece[endpoint.send(piece) :]
            except BlockingIOError:
                time.sleep(0.001)
            try:
                if not endpoint.recv(65536):
                    return
            except BlockingIOError:
                continue

    def honest(self) -> None:
        """A program whom all this must not harm."""
        number = 0
        try:
            with self.server.connect() as connection, connection.open(HONEST, EVERYTHING) as queue:
                while time.monotonic() < self.until and not self.problems:
                    number += 1
                    text = b"%d" % number
                    queue.put(text, MessageDescriptor(persistence=number & 1))
                    got = queue.get(10).data
                    if got != text:
                        self.problems.append(f"an honest program got {got!r} and not {text!r}")
        except Exception as problem:
            self.problems.append(f"an honest program was harmed at message {number}: {problem!r}")


def run(data: Path, seconds: float, seed: int) -> tuple[int, int]:
    """Attack for a time; how many sessions, and how many bytes the queue manager grew by."""
    with ServerProcess(data) as server:
        server.mqsc(f"ALTER QLOCAL({FUZZED}) MAXDEPTH(1000)")
        attack = Attack(server, recordings(server), time.monotonic() + seconds)
        threads = [threading.Thread(target=attack.assail, args=(seed + each,)) for each in range(SOCKETS)]
        threads.append(threading.Thread(target=attack.honest))
        for thread in threads:
            thread.start()
        time.sleep(seconds * WARM)
        before = server.memory() if server.alive() else 0
        for thread in threads:
            thread.join()
        if attack.problems:
            raise AssertionError("; ".join(attack.problems))
        grown = server.memory() - before
        if grown > GROWTH:
            raise AssertionError(f"the queue manager grew by {grown} bytes")
        failures = server.first_failures()
        if failures:
            raise AssertionError(f"{failures[0]}:\n{failures[0].read_text()}")
        return attack.count, grown


def main() -> None:
    """Run for the time asked and say what was done."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60.0
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else time.time_ns() & 0xFFFFFFFF
    print(f"sessions: seed {seed}, {seconds:g} s", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        count, grown = run(Path(folder), seconds, seed)
    print(f"sessions: {count} damaged sessions over sockets, nobody harmed, memory grew by {grown >> 10} KB")


if __name__ == "__main__":
    main()
