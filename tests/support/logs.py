"""Logs on a simulated disk, with a ledger of what was appended to check them against."""

from collections.abc import Callable, Iterator, Sequence
from random import Random

from tests.support.simdisk import PowerLoss, SimDisk

from kew.storage.log import Log, LogAddress, LogDirectories, LogRecord, LogSettings

PLACES = LogDirectories.under("log")
HEADER = 4096  # bytes of a log file before its first page


class Told:
    """Notices, kept for the test to look at."""

    def __init__(self) -> None:
        self.messages: list[tuple[str, tuple[int, ...], tuple[str, ...]]] = []

    def tell(self, message_id: str, arith: Sequence[int] = (), comments: Sequence[str] = ()) -> None:
        """Keep a message."""
        self.messages.append((message_id, tuple(arith), tuple(comments)))

    def ids(self) -> list[str]:
        """The identifiers of the messages, in order."""
        return [message for message, _, _ in self.messages]


def new_disk(settings: LogSettings, capacity: int = 1 << 40, sector: int = 512) -> SimDisk:
    """Return a disk with a new log on it."""
    disk = SimDisk(capacity, sector)
    Log.create(disk, settings, PLACES, log_id=7)
    return disk


Entry = tuple[int, int, int, int, int, int, bytes]


def entry_of(record: LogRecord) -> Entry:
    """Return what a ledger holds of a record."""
    return (
        record.address,
        record.next_address,
        record.kind,
        record.flags,
        record.unit,
        record.previous,
        record.payload,
    )


class LogLedger:
    """A log in use, and what must be, may be and cannot be in it after a crash."""

    def __init__(self, disk: SimDisk, settings: LogSettings) -> None:
        self.disk = disk
        self.settings = settings
        self.told = Told()
        self.log: Log | None = None
        # Everything appended, in order, that an earlier restart did not find to be lost.
        self.entries: list[Entry] = []
        self.counter = 0

    def open(self) -> Log:
        """Start the log."""
        self.log = Log.open(self.disk, self.settings, PLACES, self.told, environment={})
        return self.log

    @property
    def opened(self) -> Log:
        """The running log."""
        assert self.log is not None
        return self.log

    def append(self, size: int) -> LogAddress:
        """Append a record of recognisable content."""
        log = self.opened
        self.counter += 1
        number = self.counter
        payload = (number.to_bytes(4, "little") * (size // 4 + 1))[:size]
        previous = self.entries[-1][0] if self.entries else 0
        kind, flags, unit = number % 200, number % 7, number * 3
        address = log.append(kind, unit, previous, payload[: size // 3], payload[size // 3 :], flags)
        self.entries.append((address, log.next_address, kind, flags, unit, previous, payload))
        return address

    def force(self) -> None:
        """Make everything appended durable."""
        self.opened.force(self.opened.next_address)

    def checkpoint(self) -> None:
        """Append and record a checkpoint, and give up what lies before it."""
        address = self.append(40)
        self.force()
        self.opened.set_checkpoint(address)
        self.opened.set_needed(address)

    def after(self, disk: SimDisk) -> "LogLedger":
        """Start the log on what a crash left, check it, and return the ledger of its next life."""
        log = self.opened
        survivor = LogLedger(disk, self.settings)
        survivor.counter = self.counter
        again = survivor.open()
        assert again.needed <= max(log.needed, log.checkpoint)
        expected = [entry for entry in self.entries if entry[0] >= again.needed]
        found = [entry_of(record) for record in again.read(again.needed)]
        certain = sum(1 for entry in expected if entry[1] <= log.durable)
        assert len(found) >= certain, f"lost {certain - len(found)} of {certain} durable records"
        assert found == expected[: len(found)]
        survivor.entries = found
        return survivor


Scenario = Callable[[LogLedger], None]


def stops(make: Callable[[], SimDisk], settings: LogSettings, scenario: Scenario) -> Iterator[LogLedger]:
    """Run a scenario once to count its operations, then once per count, with the power lost in that operation."""
    ledger = LogLedger(make(), settings)
    before = ledger.disk.operations
    ledger.open()
    opening = ledger.disk.operations - before
    scenario(ledger)
    total = ledger.disk.operations - before
    yield ledger
    for count in range(opening + 1, total + 1):
        ledger = LogLedger(make(), settings)
        ledger.disk.stop_after(count)
        ledger.open()
        try:
            scenario(ledger)
        except PowerLoss:
            yield ledger
        else:
            raise AssertionError(f"the scenario ended before operation {count}")


def crashes(disk: SimDisk, seed: int, randoms: int = 3) -> Iterator[SimDisk]:
    """Return disks that a power loss could leave: nothing kept, everything, and some of it."""
    yield disk.crash(keep="none")
    yield disk.crash(keep="all")
    for number in range(randoms):
        yield disk.crash(Random(seed * 1000 + number), keep="random")
    if disk.sector < 4096:
        yield disk.crash(Random(seed), keep="random", tear="byte")
