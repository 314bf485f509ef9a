"""What TLS costs: non-persistent puts and gets of 2 KB by programs with it and without, each a process of its own.

Programs in one process would wait for each other's interpreter, and that would be measured. Both kinds are connected
all the time and work in short turns, one kind after the other, so that what else the machine does falls on both.
"""

import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from kew import client
from kew.client import ConnectSettings
from kew.client.tls import client_context
from kew.codes.options import MQOO_INPUT_SHARED, MQOO_OUTPUT
from kew.formats.mqmd import MessageDescriptor
from kew.perf.processes import cpu_seconds
from tests.support.certificates import certify, found
from tests.support.server import NAME, OPEN_CHANNEL, ServerProcess

Row = tuple[str, float, str, str, bool | None]

QUEUE = "DEV.QUEUE.1"
CHANNEL = "SECRET"
CIPHER = "TLS_AES_256_GCM_SHA384"
PROGRAMS = 6
TURN = 0.4  # seconds
IN_A_ROW = 20  # pairs between two looks at the clock
LEAST = 0.75  # of the rate without TLS


class Programs:
    """Programs of one kind."""

    def __init__(self, stack: ExitStack, address: str, channel: str, authority: str) -> None:
        command = [sys.executable, "-m", "tests.bench.secrecy", address, channel, authority]
        self._processes = [
            stack.enter_context(subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True))
            for _ in range(PROGRAMS)
        ]
        for process in self._processes:
            self._answer(process)

    def work(self, seconds: float) -> int:
        """Let them work; how many pairs they have done."""
        for process in self._processes:
            assert process.stdin is not None
            print(seconds, file=process.stdin, flush=True)
        return sum([int(self._answer(process)) for process in self._processes])

    def _answer(self, process: "subprocess.Popen[str]") -> str:
        assert process.stdout is not None
        said = process.stdout.readline()
        assert said, "a program has ended"
        return said


@dataclass
class Measured:
    """What a kind of program has come to."""

    rates: list[float] = field(default_factory=list)  # pairs a second, by turns
    pairs: int = 0
    used: float = 0.0  # CPU seconds of the queue manager

    @property
    def cost(self) -> float:
        """CPU microseconds of the queue manager for a pair."""
        return self.used / self.pairs * 1e6


def secrecy(running: ServerProcess, folder: Path, turns: int) -> Iterator[Row]:
    """Pairs a second without TLS, and what part of it is left with it."""
    certify(folder, "qm", "/O=Kew/CN=QM1", found(folder, "ca", "/O=Kew/CN=Authority"))
    running.mqsc(
        f"ALTER QMGR SSLKEYR('{folder}/qm')",
        "REFRESH SECURITY TYPE(SSL)",
        f"DEFINE CHANNEL({CHANNEL}) CHLTYPE(SVRCONN) MCAUSER('app') SSLCIPH({CIPHER}) SSLCAUTH(OPTIONAL)",
        f"SET CHLAUTH({CHANNEL}) TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(CHANNEL)",
    )
    plain, secret = Measured(), Measured()
    with ExitStack() as stack:
        kinds = [
            (Programs(stack, running.address, OPEN_CHANNEL, "-"), plain),
            (Programs(stack, running.address, CHANNEL, str(folder / "ca.crt")), secret),
        ]
        for programs, _measured in kinds:
            programs.work(TURN)  # warm
        for _turn in range(turns):
            for programs, measured in kinds:
                _take_turn(running.process, programs, measured)
            kinds.reverse()
    left = median(secret.rates) / median(plain.rates)
    yield f"np 2 KB put+get over TCP, {PROGRAMS} programs", median(plain.rates), "/s", "", None
    yield "  queue manager's CPU a pair", plain.cost, "us", "", None
    yield f"  with TLS 1.3 {CIPHER}, of that", left, "", f">= {LEAST}", left >= LEAST
    yield "  queue manager's CPU a pair", secret.cost, "us", "", None


def _take_turn(server: int, programs: Programs, measured: Measured) -> None:
    used = cpu_seconds(server)
    pairs = programs.work(TURN)
    measured.used += cpu_seconds(server) - used
    measured.pairs += pairs
    measured.rates.append(pairs / TURN)


def main() -> None:
    """A program: address, channel, and the file of the authority it trusts or - for no TLS."""
    address, channel, authority = sys.argv[1:]
    tls: ssl.SSLContext | None = None if authority == "-" else client_context(CIPHER, authority)
    connection = client.connect_by(ConnectSettings(NAME, address, channel, application="bench", tls=tls))
    queue = connection.open(QUEUE, MQOO_OUTPUT | MQOO_INPUT_SHARED)
    print("ready", flush=True)
    for line in sys.stdin:
        until, pairs = time.perf_counter() + float(line), 0
        while time.perf_counter() < until:
            for _ in range(IN_A_ROW):
                queue.put(bytes(2048), MessageDescriptor(persistence=0))
                queue.get(10)
            pairs += IN_A_ROW
        print(pairs, flush=True)
    connection.disconnect()


if __name__ == "__main__":
    main()
