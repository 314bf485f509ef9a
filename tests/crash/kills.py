"""Kills a loaded queue manager process with SIGKILL, again and again, and keeps a ledger of what it had acknowledged.

The ledger must come to nothing lost, nothing committed twice, no phantom, no wrong order and no wrong bytes.
"""

import json
import os
import select
import signal
import sys
import tempfile
import time
import traceback
from pathlib import Path
from random import Random

from tests.crash.victim import PROGRAMS, QUEUES, decided, live, only_restart
from tests.support.cores import spread
from tests.support.world import NAME

from kew.qmgr.files import Places
from kew.qmgr.pagesets import PageSetSettings
from kew.qmgr.storageparts import EngineSettings, create_engine
from kew.storage.disk import RealDisk
from kew.storage.log import LogSettings

# Each kind of log in turn; a kill tears no page, so the mode that relies on that is among them.
LOGS = (
    LogSettings(file_pages=128, primary=3, secondary=3, buffer_pages=64),
    LogSettings(file_pages=128, primary=3, secondary=3, buffer_pages=64, dual=True, write_integrity="SingleWrite"),
    LogSettings(file_pages=128, primary=3, secondary=3, buffer_pages=64, log_type="linear", dual=True),
    LogSettings(file_pages=128, primary=3, secondary=3, log_type="linear", write_integrity="SingleWrite"),
)
KILLS_A_LIFE = 7
MEMORY = "/dev/shm"
PATIENCE = 60.0  # seconds in which a restart must show something


def settings_for(number: int) -> EngineSettings:
    """Give the settings of a life."""
    page_sets = {0: PageSetSettings(pages=64, pool=0), 1: PageSetSettings(pages=512, pool=1)}
    return EngineSettings(LOGS[number % len(LOGS)], {0: 50, 1: 150}, page_sets)


class Ledger:
    """What became of everything that was acknowledged."""

    def __init__(self) -> None:
        self.kills = 0
        self.in_restart = 0
        self.acknowledged = 0
        self.lost = 0
        self.twice = 0
        self.phantom = 0
        self.order = 0
        self.wrong = 0
        self.failures: list[str] = []

    def add(self, other: "Ledger") -> None:
        """Add up."""
        self.kills += other.kills
        self.in_restart += other.in_restart
        self.acknowledged += other.acknowledged
        self.lost += other.lost
        self.twice += other.twice
        self.phantom += other.phantom
        self.order += other.order
        self.wrong += other.wrong
        self.failures += other.failures

    def __str__(self) -> str:
        return (
            f"{self.kills} kills ({self.in_restart} during restart), {self.acknowledged} operations acknowledged; "
            f"lost {self.lost}, twice {self.twice}, phantom {self.phantom}, out of order {self.order}, "
            f"wrong bytes {self.wrong}"
        )


class Group:
    """What happened together or not at all: the puts and gets of a unit, or a single one."""

    def __init__(self) -> None:
        self.puts: dict[int, tuple[str, int]] = {}  # serial -> queue and priority
        self.gets: list[int] = []


class Round:
    """What the ledgers of one life of the process say."""

    def __init__(self) -> None:
        self.done: list[Group] = []
        self.undone: list[Group] = []
        self.perhaps: list[Group] = []
        self.prepared: dict[str, Group] = {}
        self.preparing: dict[str, Group] = {}
        self.unknown_gets: dict[str, int] = {}  # gets of which the process died before it said what it got
        self.wrong: list[int] = []
        self.errors: list[str] = []
        self.acknowledged = 0

    def read(self, path: Path) -> None:
        """Take in a program's ledger."""
        group = Group()
        xid = ending = ""
        lines = path.read_text().split("\n")[:-1] if path.exists() else []
        for line in lines:
            word, *rest = line.split()
            if word == "wrong":
                self.wrong.append(int(rest[0]))
            elif word == "error":
                self.errors.append(json.loads(line.partition(" ")[2]))
            elif word in ("put", "get", "unit"):
                self._leave(group, xid, ending)
                group, xid, ending = Group(), "", word
                if word == "put":
                    group.puts[int(rest[0])] = (rest[1], int(rest[2]))
                elif word == "get" or rest[0] != "-":
                    xid = rest[0]
            elif word == "uput":
                group.puts[int(rest[0])] = (rest[1], int(rest[2]))
            elif word == "uget":
                group.gets.append(int(rest[0]))
            elif word in ("commit", "prepare", "backout"):
                ending = word
            else:
                self._answer(word, rest, group, xid, ending)
                group, xid, ending = Group(), "", ""
        self._leave(group, xid, ending)

    def _answer(self, word: str, rest: list[str], group: Group, xid: str, ending: str) -> None:
        self.acknowledged += 1
        if word == "got":
            group.gets.append(int(rest[0]))
            self.done.append(group)
        elif word == "failed" or ending == "backout":
            self.undone.append(group)
        elif ending == "prepare":
            self.prepared[xid] = group
        elif word == "ok":
            self.done.append(group)

    def _leave(self, group: Group, xid: str, ending: str) -> None:
        """Judge what the process was doing when it died."""
        if ending in ("put", "commit"):
            self.perhaps.append(group)
        elif ending == "prepare":
            self.preparing[xid] = group
        elif ending == "get":
            self.unknown_gets[xid] = self.unknown_gets.get(xid, 0) + 1
        elif ending:
            self.undone.append(group)


class Life:
    """A queue manager that is killed and started again and again."""

    def __init__(self, number: int, kills: int, root: Path) -> None:
        self.number = number
        self.kills = kills
        self.root = root
        self.random = Random(number)
        self.settings = settings_for(number)
        self.ledger = Ledger()
        self.there: dict[int, tuple[str, int]] = {}  # what the last restart showed
        self.ledgers = root / "ledgers"
        self.ledgers.mkdir()
        create_engine(RealDisk(), NAME, Places(str(root / "qm")), self.settings)

    def run(self) -> Ledger:
        """Kill as often as asked for, and look once more at the end."""
        for kill in range(self.kills + 1):
            last = kill == self.kills
            early = not last and self.random.random() < 0.15
            self._once(self.number * 1000 + kill, early, last)
        return self.ledger

    def _once(self, number: int, early: bool, last: bool) -> None:
        shown, show = os.pipe()
        go, gone = os.pipe()
        child = os.fork()
        if child == 0:
            self._become_victim(number, show, go, early)
        os.close(show)
        os.close(go)
        try:
            if early:
                time.sleep(self.random.uniform(0.0, 0.05))
                self.ledger.in_restart += 1
                return
            self._compare(self._shown(shown))
            if not last:
                os.write(gone, b"!")
                time.sleep(self.random.uniform(0.05, 0.25))
        finally:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            os.close(shown)
            os.close(gone)
            self.ledger.kills += not last

    def _become_victim(self, number: int, show: int, go: int, early: bool) -> None:
        """Turn this process into a queue manager; it never returns."""
        try:
            if early:
                only_restart(str(self.root / "qm"), self.settings, go)
            live(str(self.root / "qm"), self.settings, str(self.ledgers), number, show, go)
        except BaseException:
            os.write(show, json.dumps({"failed": traceback.format_exc()}).encode() + b"\n")
        finally:
            sys.stderr.flush()
            os._exit(1)

    def _shown(self, descriptor: int) -> dict[str, object]:
        data = b""
        deadline = time.monotonic() + PATIENCE
        while not data.endswith(b"\n"):
            ready, _, _ = select.select([descriptor], [], [], max(0.0, deadline - time.monotonic()))
            part = os.read(descriptor, 1 << 16) if ready else b""
            if not part:
                raise AssertionError(f"life {self.number}: the queue manager did not restart")
            data += part
        shown = json.loads(data)
        if "failed" in shown:
            raise AssertionError(f"life {self.number}: {shown['failed']}")
        assert isinstance(shown, dict)
        return shown

    def _fail(self, what: str) -> None:
        self.ledger.failures.append(f"life {self.number}, kill {self.ledger.kills}: {what}")

    def _compare(self, shown: dict[str, object]) -> None:
        """Hold what a restart shows against the ledgers."""
        queues = shown["queues"]
        in_doubt = shown["in doubt"]
        wrong = shown["wrong"]
        volatile = shown["volatile"]
        assert isinstance(queues, dict)
        assert isinstance(in_doubt, list)
        assert isinstance(wrong, list)
        assert isinstance(volatile, list)
        found = {serial: queue for queue, serials in queues.items() for serial in serials}
        now = Round()
        for place in range(PROGRAMS):
            path = self.ledgers / f"ledger{place}"
            now.read(path)
            path.unlink(missing_ok=True)
        self.ledger.acknowledged += now.acknowledged
        self._resolve(now, in_doubt, found)
        self._count(now, found, queues)
        for serial in (*wrong, *now.wrong):
            self.ledger.wrong += 1
            self._fail(f"wrong bytes in {serial:#x}")
        for error in now.errors:
            self._fail(error)
        for serial in volatile:
            self.ledger.phantom += 1
            self._fail(f"phantom: {serial:#x} was not persistent")

    def _resolve(self, now: Round, in_doubt: list[str], found: dict[int, str]) -> None:
        for xid, group in now.prepared.items():
            # The process may have died before, in or after the second phase, whose outcome was decided before.
            (now.done if decided(bytes.fromhex(xid)) else now.undone).append(group)
        for xid, group in now.preparing.items():
            (now.done if xid in in_doubt and decided(bytes.fromhex(xid)) else now.undone).append(group)
        for group in now.perhaps:
            happened = any(serial in found for serial in group.puts)
            if not group.puts or not happened:
                # Only gets, or puts that another program may have got since: its gets show which of the two it was.
                happened = bool(group.gets) and not any(serial in found for serial in group.gets)
            (now.done if happened else now.undone).append(group)

    def _count(self, now: Round, found: dict[int, str], queues: dict[str, list[int]]) -> None:
        ledger = self.ledger
        expected = dict(self.there)
        for group in now.done:
            expected.update(group.puts)
        got: set[int] = set()
        never = {serial for group in now.undone if group not in now.perhaps for serial in group.puts}
        for group in now.done:
            for serial in group.gets:
                if serial in never:
                    ledger.phantom += 1
                    self._fail(f"phantom: {serial:#x} was got and never committed")
                if serial in got:
                    ledger.twice += 1
                    self._fail(f"{serial:#x} was got twice")
                got.add(serial)
                if serial in found:
                    ledger.twice += 1
                    self._fail(f"{serial:#x} was got and is still there")
                expected.pop(serial, None)
        uncertain = {serial for group in now.perhaps for serial in (*group.puts, *group.gets)}
        missing = [serial for serial in expected if serial not in found and serial not in uncertain]
        for queue in QUEUES:
            allowed = now.unknown_gets.get(queue, 0)
            lost = [serial for serial in missing if expected[serial][0] == queue]
            for serial in lost[: max(0, len(lost) - allowed)]:
                ledger.lost += 1
                self._fail(f"lost {serial:#x} of {queue}")
        known = {**self.there, **{serial: put for group in now.perhaps for serial, put in group.puts.items()}}
        for group in now.done:
            known.update(group.puts)
        never = {serial for group in now.undone for serial in group.puts}
        places: dict[int, tuple[str, int]] = {}
        for queue, serials in queues.items():
            places.update(self._check_order(queue, serials, known, never))
        self.there = places

    def _check_order(
        self, queue: str, serials: list[int], known: dict[int, tuple[str, int]], never: set[int]
    ) -> dict[int, tuple[str, int]]:
        ledger = self.ledger
        there: dict[int, tuple[str, int]] = {}
        newest: dict[tuple[int, int], int] = {}
        before = 9
        for serial in serials:
            if serial not in known or serial in never or known[serial][0] != queue:
                ledger.phantom += 1
                self._fail(f"phantom {serial:#x} on {queue}")
                continue
            if serial in there:
                ledger.twice += 1
                self._fail(f"{serial:#x} is there twice")
            there[serial] = known[serial]
            priority = 0 if queue == QUEUES[2] else known[serial][1]
            program = (serial >> 24) & 0xFF
            if priority > before or serial <= newest.get((priority, program), 0):
                ledger.order += 1
                self._fail(f"{serial:#x} of {queue} is out of order")
            before = priority
            newest[priority, program] = serial
        return there


def run_life(case: tuple[int, int]) -> Ledger:
    """Run one life in a directory of its own."""
    number, kills = case
    # Half of them in memory where there is such a file system: with fast syncs far more happens before the kill.
    place = MEMORY if number // len(LOGS) % 2 and os.path.isdir(MEMORY) else None
    with tempfile.TemporaryDirectory(prefix="kew-kill-", dir=place) as root:
        return Life(number, kills, Path(root)).run()


def run_all(seed: int, kills: int) -> Ledger:
    """Kill as often as asked for, on all cores."""
    lives = [(seed + life, min(KILLS_A_LIFE, kills - life * KILLS_A_LIFE)) for life in range(-(-kills // KILLS_A_LIFE))]
    total = Ledger()
    for ledger in spread(run_life, lives):
        total.add(ledger)
    return total
