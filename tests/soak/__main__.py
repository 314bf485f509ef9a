"""`python -m tests.soak`: an hour of load, backups, kills and media recovery, with memory and response times plotted.

python -m tests.soak --seconds 3600 --cycle 60 --out build/soak

A cycle: programs put and get over TCP in units of work, a fuzzy backup is taken meanwhile, and a probe measures how
long a put and a get take. Then the queue manager is killed; in every other cycle a page set is lost, too, and comes
back from the backup and the log. The programs go on, end, and a ledger compares what they were told with what is left.
Memory and the 99th percentile of the last quarter are compared with those of the first.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path
from threading import Event, Thread

from tests.crash.network import CONSUMERS, PRODUCERS, QUEUE, Programs, left
from tests.support.server import NAME, OPEN_CHANNEL, ServerProcess

from kew import client
from kew.codes.errors import MQError
from kew.codes.options import MQOO_INPUT_SHARED, MQOO_OUTPUT
from kew.formats.mqmd import MessageDescriptor
from kew.qmgr import manager
from kew.qmgr.backup import back_up, restore
from kew.qmgr.config import Configuration, LogConfiguration
from kew.storage.directories import directory_of

PROBED = "DEV.QUEUE.2"
PAUSE = 0.02  # seconds between two probes
MOST_MEMORY = 1.3  # of the first quarter's
MOST_WAIT = 2.0
FEWEST = 8  # cycles, for quarters to be compared
SETTINGS = Configuration(log=LogConfiguration(file_pages=16384, primary_files=6))
WIDTH, HEIGHT, MARGIN = 900, 220, 60


class Second:
    """What was measured in one second."""

    def __init__(self, at: float, memory: int, waits: list[float]) -> None:
        self.at = at
        self.memory = memory
        self.waits = sorted(waits)

    def p99(self) -> float:
        """Give the time that all but one in a hundred of the probes took at most; 0 where there was none."""
        return self.waits[len(self.waits) * 99 // 100] if self.waits else 0.0


class Probe:
    """Puts and gets a message again and again, while the queue manager is there."""

    def __init__(self, server: ServerProcess, begun: float) -> None:
        self._server = server
        self._begun = begun
        self._over = Event()
        self.seconds: list[Second] = []
        self._waits: list[float] = []
        self._since = begun
        self._thread = Thread(target=self._run)

    def __enter__(self) -> "Probe":
        self._thread.start()
        return self

    def __exit__(self, *_problem: object) -> None:
        self._over.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._over.is_set():
            try:
                connection = client.connect(NAME, self._server.address, OPEN_CHANNEL, application="probe")
            except MQError:
                self._over.wait(PAUSE)
                continue
            try:
                self._measure(connection)
            except MQError:
                pass  # it was killed
            finally:
                connection.driver.close()

    def _measure(self, connection: client.Connection) -> None:
        queue = connection.open(PROBED, MQOO_OUTPUT | MQOO_INPUT_SHARED)
        while not self._over.wait(PAUSE):
            begun = time.monotonic()
            queue.put(b"probe", MessageDescriptor(persistence=1))
            queue.get()
            self._waits.append(time.monotonic() - begun)
            if begun - self._since >= 1.0:
                self.seconds.append(Second(begun - self._begun, self._server.memory(), self._waits))
                self._waits, self._since = [], begun


class Soak:
    """One run."""

    def __init__(self, folder: Path, seconds: float, cycle: float) -> None:
        self.folder = folder
        self.length = seconds
        self.cycle = cycle
        self.committed = self.got = 0
        self.kills = self.recoveries = 0
        self.cycles: list[list[Second]] = []
        self.data = folder / "data"

    def run(self, most: int = 1 << 30) -> None:
        """Go through so many cycles, or until the time is over. An assertion fails where a promise was not kept."""
        self.data.mkdir()
        manager.create(NAME, SETTINGS, str(self.data))
        begun = time.monotonic()
        with ServerProcess(self.data) as server:
            server.mqsc(f"ALTER QLOCAL({QUEUE}) MAXDEPTH(999999)")
            while len(self.cycles) < most and time.monotonic() - begun < self.length:
                self._cycle(server, begun)

    def _cycle(self, server: ServerProcess, begun: float) -> None:
        number = len(self.cycles)
        folder = self.folder / f"cycle{number}"
        folder.mkdir()
        programs = Programs(server.port, folder)
        try:
            with Probe(server, begun) as probe:
                for each in range(PRODUCERS + CONSUMERS):
                    programs.start(each < PRODUCERS)
                time.sleep(self.cycle / 2)
                backup = folder / "backup"
                back_up(NAME, str(backup), str(self.data))
                time.sleep(self.cycle / 2)
                server.kill()
                self.kills += 1
                if number % 2:
                    self._lose_page_set(backup)
                server.start()
                time.sleep(self.cycle / 10)
        finally:
            programs.stop()
        ledger = programs.ledger()
        ledger.judge(left(server))
        failures = server.first_failures()
        assert not failures, failures[0].read_text()
        self.committed += len(ledger.put)
        self.got += len(ledger.got)
        self.cycles.append(probe.seconds)

    def _lose_page_set(self, backup: Path) -> None:
        """Lose the page set with the messages, and put the copy of the backup there; the log brings it up to date."""
        Path(directory_of(str(self.data), NAME), "pagesets", "psid01").unlink()
        restore(NAME, str(backup), str(self.data))
        self.recoveries += 1

    def growth(self) -> tuple[float, float]:
        """Give memory and 99th percentile of the last quarter of the cycles, as multiples of the first quarter's."""
        quarter = max(1, len(self.cycles) // 4)
        first = [second for cycle in self.cycles[:quarter] for second in cycle]
        last = [second for cycle in self.cycles[-quarter:] for second in cycle]
        return (
            max(each.memory for each in last) / max(each.memory for each in first),
            _middle([each.p99() for each in last]) / _middle([each.p99() for each in first]),
        )

    def report(self) -> str:
        """Say what happened in a sentence."""
        memory, wait = self.growth()
        return (
            f"{len(self.cycles)} cycles, {self.kills} kills, {self.recoveries} page sets recovered: {self.committed} "
            f"messages committed, {self.got} got; lost 0, twice 0, phantom 0; memory x {memory:.2f}, p99 x {wait:.2f}"
        )

    def write(self, out: Path) -> None:
        """Write the figures of each second, and their picture."""
        out.mkdir(parents=True, exist_ok=True)
        seconds = [second for cycle in self.cycles for second in cycle]
        lines = [f"{each.at:.1f},{each.memory},{each.p99() * 1000:.3f},{len(each.waits)}" for each in seconds]
        (out / "soak.csv").write_text("\n".join(["second,memory,p99_ms,probes", *lines]) + "\n")
        memory = [(each.at, each.memory / (1 << 20)) for each in seconds]
        waits = [(each.at, each.p99() * 1000) for each in seconds]
        height = 2 * HEIGHT + MARGIN
        (out / "soak.svg").write_text(
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" font-family="sans-serif">'
            f"{_curve(memory, 0, 'memory in MB')}{_curve(waits, HEIGHT, 'p99 of put and get in ms')}</svg>\n"
        )


def _middle(values: list[float]) -> float:
    return sorted(values)[len(values) // 2]


def _curve(points: list[tuple[float, float]], top: int, title: str) -> str:
    longest = max(at for at, _value in points) or 1.0
    highest = max(value for _at, value in points) or 1.0
    bottom = top + HEIGHT - 20
    placed = [
        f"{MARGIN + at / longest * (WIDTH - 2 * MARGIN):.1f},{bottom - value / highest * (HEIGHT - 60):.1f}"
        for at, value in points
    ]
    return (
        f'<text x="{MARGIN}" y="{top + 20}">{title}, at most {highest:.1f}; {longest:.0f} seconds</text>'
        f'<line x1="{MARGIN}" y1="{bottom}" x2="{WIDTH - MARGIN}" y2="{bottom}" stroke="black"/>'
        f'<polyline points="{" ".join(placed)}" fill="none" stroke="steelblue"/>'
    )


def main() -> int:
    """Run as long as the command line asks; 0 when all promises were kept and nothing has grown."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.soak", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=3600.0, help="how long; an hour by default")
    parser.add_argument("--cycle", type=float, default=60.0, help="seconds of load between two kills")
    parser.add_argument("--out", type=Path, default=Path("build/soak"), help="where the figures and the picture go")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        soak = Soak(Path(folder), asked.seconds, asked.cycle)
        soak.run()
    soak.write(asked.out)
    print(f"{soak.report()}; {asked.out}/soak.svg")
    memory, wait = soak.growth()
    return int(len(soak.cycles) >= FEWEST and (memory > MOST_MEMORY or wait > MOST_WAIT))


if __name__ == "__main__":
    sys.exit(main())
