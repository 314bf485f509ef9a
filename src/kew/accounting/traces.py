"""The running traces: kinds and classes of data that operators have asked for.

A trace is an order to collect. This registry keeps the orders; a collector of a kind of data calls `collects` and is
notified of changes. Traces live as long as the queue manager runs, as on z/OS: those that must be there after every
start are named in qm.ini (SMFSTAT, SMFACCT, TRACSTR).
"""

import threading
from collections.abc import Callable, Iterable, Mapping
from typing import Final

GLOBAL: Final = 1
STATISTICS: Final = 2
ACCOUNTING: Final = 3
CHANNELS: Final = 4
KIND_NAMES: Final = {GLOBAL: "GLOBAL", STATISTICS: "STAT", ACCOUNTING: "ACCTG", CHANNELS: "CHINIT"}

RESIDENT: Final = 1
SMF: Final = 3
# Where the data of each kind can go here; the first is the default.
DESTINATIONS: Final[Mapping[int, tuple[int, ...]]] = {
    GLOBAL: (RESIDENT,),
    STATISTICS: (SMF,),
    ACCOUNTING: (SMF,),
    CHANNELS: (RESIDENT,),
}
# The classes each kind has; 2 of STAT and the upper ones of GLOBAL are taken by MQ and hold nothing of their own.
CLASSES: Final[Mapping[int, tuple[int, ...]]] = {
    GLOBAL: (1, 2, 3, 4),
    STATISTICS: (1, 2, 3, 4, 5),
    ACCOUNTING: (1, 2, 3, 4),
    CHANNELS: (1, 4),
}
DEFAULT_CLASSES: Final[Mapping[int, tuple[int, ...]]] = {
    GLOBAL: (1,),
    STATISTICS: (1, 2),
    ACCOUNTING: (1,),
    CHANNELS: (1,),
}
MOST_TRACES: Final = 32


class TraceError(Exception):
    """A trace that cannot be started or changed, and why."""


class Trace:
    """One request of an operator to collect data."""

    def __init__(
        self,
        kind: int,
        classes: Iterable[int],
        destinations: Iterable[int] = (),
        users: Iterable[str] = (),
        managers: Iterable[int] = (),
        comment: str = "",
    ) -> None:
        self.number = 0  # given by the registry
        self.kind = kind
        self.classes = tuple(sorted(set(classes)))
        self.destinations = tuple(sorted(set(destinations))) or DESTINATIONS[kind][:1]
        self.users = tuple(users)  # empty: all
        self.managers = tuple(managers)  # resource managers; empty: all
        self.comment = comment

    def same_order(self, other: "Trace") -> bool:
        """Say whether two traces collect the same data, whatever their numbers and comments."""
        mine = (self.kind, self.classes, self.destinations, self.users, self.managers)
        return mine == (other.kind, other.classes, other.destinations, other.users, other.managers)


def _check(trace: Trace) -> None:
    name = KIND_NAMES[trace.kind]
    allowed = CLASSES[trace.kind]
    for one in trace.classes:
        if one not in allowed:
            raise TraceError(f"CLASS({one}): {name} has the classes {', '.join([str(each) for each in allowed])}")
    if any(one not in DESTINATIONS[trace.kind] for one in trace.destinations):
        place = "SMF" if SMF in DESTINATIONS[trace.kind] else "RES"
        raise TraceError(f"data of a {name} trace can go to {place} only")


class Traces:
    """The running traces by number; the methods may be called from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: dict[int, Trace] = {}
        self.on_change: list[Callable[[], None]] = []  # called after a trace was started, changed or stopped

    def running(self) -> list[Trace]:
        """Give the traces in the order of their numbers."""
        with self._lock:
            return [self._running[number] for number in sorted(self._running)]

    def collects(self, kind: int, one_class: int) -> bool:
        """Say whether some trace collects a class of data."""
        with self._lock:
            return any(trace.kind == kind and one_class in trace.classes for trace in self._running.values())

    def collects_of(self, kind: int, user: str) -> bool:
        """Say whether some trace of a kind collects the work of a user; a trace without users collects that of all."""
        with self._lock:
            of_kind = [trace for trace in self._running.values() if trace.kind == kind]
            return any(not trace.users or user in trace.users for trace in of_kind)

    def start(self, trace: Trace) -> Trace:
        """Start a trace under the lowest free number, or give the running trace that collects the same."""
        _check(trace)
        with self._lock:
            for other in self._running.values():
                if other.same_order(trace):
                    return other
            free = [number for number in range(1, MOST_TRACES + 1) if number not in self._running]
            if not free:
                raise TraceError(f"{MOST_TRACES} traces are running, which is the most there can be")
            trace.number = free[0]
            self._running[trace.number] = trace
        self._tell()
        return trace

    def alter(self, number: int, classes: Iterable[int], comment: str) -> bool:
        """Change the classes of a trace; say whether there is one of that number."""
        with self._lock:
            old = self._running.get(number)
            if old is None:
                return False
            changed = Trace(
                old.kind, classes or old.classes, old.destinations, old.users, old.managers, comment or old.comment
            )
            changed.number = number
            _check(changed)
            self._running[number] = changed
        self._tell()
        return True

    def stop(self, numbers: Iterable[int]) -> None:
        """Stop traces; those already stopped are passed over."""
        with self._lock:
            for number in numbers:
                self._running.pop(number, None)
        self._tell()

    def _tell(self) -> None:
        for callback in self.on_change:
            callback()
