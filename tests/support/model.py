"""What queues must hold: a model that follows the log, so that it knows what a crash may and may not leave.

The engine's log is one sequence, and a restart keeps a prefix of it. So the model keeps the persistent state as of the
last acknowledgement (everything in it is *certain*) and the logged changes since, in order. After a crash exactly the
states after each of these changes are allowed: a message that is in all of them is certain, in none gone, else
uncertain. The state a restart shows must be one of them as a whole, so a unit of work is there entirely or not at all,
in its order, with its backout counts, byte for byte.

Messages that are not persistent are in the live state only.
"""

import heapq
from collections.abc import Iterable, Sequence
from random import Random
from typing import Literal

# Bytes of no pattern: a page that belongs elsewhere, in the same message or another, is never equal.
_NOISE = Random(20).randbytes(1 << 20)


class Message:
    """A message as it was put; the serial is its message id and its place in the order of arrival."""

    __slots__ = ("backouts", "key", "persistent", "priority", "queue", "serial", "size")

    def __init__(self, serial: int, queue: str, priority: int, persistent: bool, size: int, fifo: bool) -> None:
        self.serial = serial
        self.queue = queue
        self.priority = priority
        self.persistent = persistent
        self.size = size
        self.key = (0 if fifo else -priority, serial)
        # How often a get of it was undone: as the running queue manager counts, and as a restart after a given change
        # will (which undoes the gets that are in flight). The second is kept in `Durable`.
        self.backouts = 0

    def body(self) -> bytes:
        """Give its bytes."""
        start = self.serial * 7919 % (len(_NOISE) - self.size)
        return (self.serial.to_bytes(8, "big") + _NOISE[start : start + self.size])[: self.size]

    @property
    def message_id(self) -> bytes:
        """Give its message id."""
        return self.serial.to_bytes(24, "big")

    def __repr__(self) -> str:
        kind = "persistent" if self.persistent else "volatile"
        return f"#{self.serial} on {self.queue} ({kind}, priority {self.priority}, {self.size} bytes)"


class Work:
    """A unit of work: what it has put and got."""

    def __init__(self) -> None:
        self.puts: list[Message] = []
        self.gets: list[Message] = []

    def persistent(self) -> "Work":
        """Give the part of it that survives a crash."""
        part = Work()
        part.puts = [message for message in self.puts if message.persistent]
        part.gets = [message for message in self.gets if message.persistent]
        return part

    @property
    def empty(self) -> bool:
        """Whether it has done nothing."""
        return not self.puts and not self.gets


Kind = Literal["put", "remove", "got", "commit", "prepare", "resolve", "define", "delete"]


class Change:
    """One logged change of the persistent state."""

    def __init__(
        self,
        kind: Kind,
        message: Message | None = None,
        work: Work | None = None,
        xid: bytes = b"",
        queue: str = "",
        commit: bool = False,
    ) -> None:
        self.kind = kind
        self.message = message
        self.work = work
        self.xid = xid
        self.queue = queue
        self.commit = commit

    def __repr__(self) -> str:
        what = self.message or self.queue or self.xid.hex()
        return f"{self.kind}({what}{', commit' if self.commit else ''})"


class Durable:
    """The persistent state after some change."""

    def __init__(self) -> None:
        self.queues: dict[str, dict[int, Message]] = {}
        self.in_doubt: dict[bytes, Work] = {}
        self.backouts: dict[int, int] = {}

    def copy(self) -> "Durable":
        """Give an independent copy."""
        other = Durable()
        other.queues = {name: dict(messages) for name, messages in self.queues.items()}
        other.in_doubt = dict(self.in_doubt)
        other.backouts = dict(self.backouts)
        return other

    def apply(self, change: Change) -> None:
        """Go on by one change."""
        kind, message = change.kind, change.message
        if kind == "put":
            assert message is not None
            self.queues[message.queue][message.serial] = message
        elif kind == "remove":
            assert message is not None
            self._remove(message)
        elif kind == "got":
            assert message is not None
            self.backouts[message.serial] = self.backouts.get(message.serial, 0) + 1
        elif kind == "commit":
            assert change.work is not None
            self._commit(change.work)
        elif kind == "prepare":
            assert change.work is not None
            self.in_doubt[change.xid] = change.work
        elif kind == "resolve":
            work = self.in_doubt.pop(change.xid)
            if change.commit:
                self._commit(work)
        elif kind == "define":
            self.queues[change.queue] = {}
        else:
            del self.queues[change.queue]

    def _remove(self, message: Message) -> None:
        del self.queues[message.queue][message.serial]
        self.backouts.pop(message.serial, None)

    def _commit(self, work: Work) -> None:
        for message in work.puts:
            self.queues[message.queue][message.serial] = message
        for message in work.gets:
            self._remove(message)

    def visible(self, queue: str) -> list[Message]:
        """Give the messages that a program would see, in the order in which it gets them."""
        locked = {message.serial for work in self.in_doubt.values() for message in work.gets}
        found = [message for serial, message in self.queues[queue].items() if serial not in locked]
        return sorted(found, key=lambda message: message.key)

    def serials(self) -> set[int]:
        """Give the committed messages of all queues."""
        return {serial for messages in self.queues.values() for serial in messages}


class Seen:
    """A message as a program found it."""

    __slots__ = ("backouts", "body", "persistent", "priority", "serial")

    def __init__(self, serial: int, priority: int, persistent: bool, backouts: int, body: bytes) -> None:
        self.serial = serial
        self.priority = priority
        self.persistent = persistent
        self.backouts = backouts
        self.body = body


class Observation:
    """What a queue manager shows after a restart: each queue's messages in order, and the units in doubt."""

    def __init__(self, queues: dict[str, list[Seen]], in_doubt: Iterable[bytes]) -> None:
        self.queues = queues
        self.in_doubt = set(in_doubt)

    def differs(self, state: Durable) -> str:
        """Say the first thing in which it is not a state; empty when it is that state."""
        if self.queues.keys() != state.queues.keys():
            return f"queues {sorted(self.queues)} instead of {sorted(state.queues)}"
        if self.in_doubt != state.in_doubt.keys():
            return f"units in doubt {sorted(self.in_doubt)} instead of {sorted(state.in_doubt)}"
        for name, found in self.queues.items():
            problem = compare(found, state.visible(name), state.backouts)
            if problem:
                return f"queue {name}: {problem}"
        return ""


def compare(found: Sequence[Seen], expected: Sequence[Message], backouts: dict[int, int]) -> str:
    """Say the first thing in which messages are not the expected ones."""
    serials = [seen.serial for seen in found]
    wanted = [message.serial for message in expected]
    if serials != wanted:
        lost = [message for message in expected if message.serial not in serials]
        if lost:
            return f"lost {lost[0]} ({len(lost)} in all; found {serials})"
        phantoms = [serial for serial in serials if serial not in wanted]
        if phantoms:
            return f"phantom #{phantoms[0]} ({len(phantoms)} in all; expected {wanted})"
        if len(serials) != len(wanted):
            return f"twice: {serials} instead of {wanted}"
        return f"out of order: {serials} instead of {wanted}"
    for seen, message in zip(found, expected, strict=True):
        if seen.body != message.body():
            return f"wrong bytes in {message}: {len(seen.body)} of them"
        if (seen.priority, seen.persistent) != (message.priority, message.persistent):
            return f"{message} came back with priority {seen.priority}, persistence {seen.persistent}"
        if seen.backouts != backouts.get(message.serial, 0):
            return f"{message} has backout count {seen.backouts}, not {backouts.get(message.serial, 0)}"
    return ""


class Model:
    """The queues of a queue manager, as they are and as a crash may leave them."""

    def __init__(self) -> None:
        self.certain = Durable()
        self.pending: list[Change] = []
        # How many changes have been acknowledged.
        self.acknowledgements = 0
        self.fifo: set[str] = set()
        self.in_doubt: dict[bytes, Work] = {}
        self._visible: dict[str, dict[int, Message]] = {}
        self._heaps: dict[str, list[tuple[tuple[int, int], int]]] = {}
        self._serial = 0

    def copy(self) -> "Model":
        """Give a copy of what a crash may leave; what is there now is known again once `restarted` has seen it."""
        other = Model()
        other.certain = self.certain.copy()
        other.pending = list(self.pending)
        other.fifo = set(self.fifo)
        other._serial = self._serial
        return other

    def next_number(self) -> int:
        """Give a number that no message has."""
        self._serial += 1
        return self._serial

    # -- what is there now --------------------------------------------------------------------------------------------

    @property
    def queues(self) -> list[str]:
        """Give the names of the queues."""
        return list(self._visible)

    def new(self, queue: str, priority: int, persistent: bool, size: int) -> Message:
        """Draw a message that nobody has put yet."""
        self._serial += 1
        return Message(self._serial, queue, priority, persistent, size, queue in self.fifo)

    def first(self, queue: str) -> Message | None:
        """Give the message that the next get takes."""
        heap, visible = self._heaps[queue], self._visible[queue]
        while heap:
            message = visible.get(heap[0][1])
            if message is not None:
                return message
            heapq.heappop(heap)
        return None

    def visible(self, queue: str) -> list[Message]:
        """Give all messages of a queue in the order of delivery."""
        return sorted(self._visible[queue].values(), key=lambda message: message.key)

    def depth(self) -> int:
        """Count the visible messages of all queues."""
        return sum(len(messages) for messages in self._visible.values())

    def show(self, message: Message) -> None:
        """Let a message be there for everybody."""
        self._visible[message.queue][message.serial] = message
        heapq.heappush(self._heaps[message.queue], (message.key, message.serial))

    def hide(self, message: Message) -> None:
        """Let a message be there no longer, or not for the others."""
        del self._visible[message.queue][message.serial]

    def undo(self, work: Work) -> None:
        """Bring back what a unit of work has got, and forget what it put."""
        for message in work.gets:
            message.backouts += 1
            self.show(message)

    def finish(self, work: Work) -> None:
        """Let the others see what a unit of work has put."""
        for message in work.puts:
            self.show(message)

    def add_queue(self, name: str) -> None:
        """Let a queue be there."""
        self._visible[name] = {}
        self._heaps[name] = []

    def drop_queue(self, name: str) -> None:
        """Let a queue be gone."""
        del self._visible[name]
        del self._heaps[name]

    # -- what is logged -----------------------------------------------------------------------------------------------

    def logged(self, changes: Iterable[Change]) -> None:
        """Note changes that are in the log and perhaps not yet on disk."""
        self.pending.extend(changes)

    def acknowledged(self) -> None:
        """Note that everything logged so far was acknowledged: it is certain now."""
        self.acknowledgements += len(self.pending)
        for change in self.pending:
            self.certain.apply(change)
        self.pending.clear()

    # -- after a crash ------------------------------------------------------------------------------------------------

    def sets(self) -> tuple[set[int], set[int]]:
        """Give the messages that must be there after a crash now, and those that may be there or not."""
        state = self.certain.copy()
        always, ever = state.serials(), state.serials()
        for change in self.pending:
            state.apply(change)
            always &= state.serials()
            ever |= state.serials()
        return always, ever - always

    def restarted(self, seen: Observation) -> str:
        """Take over what a restart shows; gives the reason why that is not allowed, or nothing."""
        state = self.certain.copy()
        problem = seen.differs(state)
        problems = [problem]
        for change in self.pending:
            if not problem:
                break
            state.apply(change)
            problem = seen.differs(state)
            problems.append(problem)
        if problem:
            always, perhaps = self.sets()
            lines = [f"after {number} of {len(self.pending)} changes: {each}" for number, each in enumerate(problems)]
            return "\n  ".join(
                [
                    "the restart shows a state that never was",
                    *lines,
                    f"since the last acknowledgement: {self.pending}",
                    f"certain {sorted(always)}, uncertain {sorted(perhaps)}, all else gone",
                ]
            )
        self.certain = state
        self.pending.clear()
        self._rebuild()
        return ""

    def _rebuild(self) -> None:
        state = self.certain
        self.in_doubt = dict(state.in_doubt)
        self._visible = {}
        self._heaps = {}
        for name in state.queues:
            self.add_queue(name)
            for message in state.visible(name):
                message.backouts = state.backouts.get(message.serial, 0)
                self.show(message)
        for work in self.in_doubt.values():
            for message in work.gets:
                # Undoing will count it once, which the log says already.
                message.backouts = state.backouts[message.serial] - 1
            for message in work.puts:
                message.backouts = 0  # messages are shared by the copies of a model; another may have undone a get
