"""The memory that sockets hold: one budget over all of them.

A put received in part, and a reply sent in part, stay in memory for as long as the other side takes. Both reserve room
in the budget before they use memory: a put of several segments when its first segment was received, a long message
before it is read from its queue. Without room the call waits, which costs no memory: the socket is read no further, or
the message stays on its queue. Networks with waiting calls take turns, and the calls of each network are in order.

While calls wait for room, the sockets that have transferred nothing for longest, and for at least GRACE, are ended, as
many as are needed; while no call waits, the time-out of qm.ini applies. A socket that the queue manager itself holds up
does not count as stalled. A call larger than the whole budget has room when nothing else is held.
"""

import contextlib
import ctypes
import threading
from abc import abstractmethod
from collections import deque
from collections.abc import Callable
from typing import Final

from mypy_extensions import mypyc_attr

from kew.mqi.gets.request import ReplyMemory, ReplyRoom
from kew.storage.log.ticket import Ticket

GRACE: Final = 5.0  # seconds without a move that a socket has while others wait for room
SMALL: Final = 1 << 17  # bytes of half-sent calls of a socket that are not worth counting
RETURNED: Final = 1 << 26  # bytes that have become free, after which memory is given back to the system
MOVE: Final = 1 << 16  # bytes that count as a move: one byte now and then does not

Granted = Callable[[], None]


class NoRoom(Ticket):
    """A stall: a long message waits until the budget has room for it; the ticket is due when the room is granted."""

    def __init__(self, size: int) -> None:
        super().__init__(f"no room for a message of {size} bytes")


class Room(ReplyRoom):
    """The part of the budget that one call has taken."""

    def __init__(self, share: "Share") -> None:
        self.share = share
        self.size = 0

    def take(self, size: int) -> None:
        """Reserve so many bytes in all; raises NoRoom if the call must wait. From any thread."""
        ticket = NoRoom(size)
        if not self.ask(size, ticket.due):
            raise ticket

    def ask(self, size: int, granted: Granted) -> bool:
        """Reserve so many bytes in all; False if the call must wait: `granted` is called later."""
        return size <= self.size or self.share.budget.take(self, size - self.size, granted)

    def give_back(self, kept: int = 0) -> None:
        """Return the room, except for so many bytes."""
        self.share.budget.give_back(self, kept)


@mypyc_attr(allow_interpreted_subclasses=True)
class Share(ReplyMemory):
    """The share of one socket in the memory, and the time at which the socket last transferred bytes."""

    def __init__(self, budget: "MemoryBudget", network: str) -> None:
        self.budget = budget
        self.network = network
        self.held = 0  # bytes, in all rooms and in replies that are half read
        self.closed = False
        self.unsent = False  # the other side is to send the rest of a call
        self.unread = False  # and to read the rest of a reply
        self.since = 0.0  # its last move
        self._moved = 0  # bytes since

    @abstractmethod
    def stalled(self, seconds: float) -> None:
        """End the socket: it holds memory that other sockets need, or has held memory too long."""

    @abstractmethod
    def kept(self) -> bool:
        """Say whether the queue manager itself keeps the socket from transferring bytes."""

    def move(self, size: int, now: float) -> None:
        """Count transferred bytes."""
        self._moved += size
        if self._moved >= MOVE:
            self._moved = 0
            self.since = now

    def expect(self, unsent: bool, unread: bool, now: float) -> None:
        """Note whether the other side is to send bytes (`unsent`), and to read bytes (`unread`)."""
        if (unsent and not self.unsent) or (unread and not self.unread):
            self._moved = 0
            self.since = now
        self.unsent = unsent
        self.unread = unread

    def room(self) -> Room:
        """Make a room that has no bytes yet."""
        return Room(self)

    def hold(self, size: int) -> None:
        """Count so many bytes more (or fewer, if negative) that the socket holds already."""
        self.budget.hold(self, size)

    def close(self) -> None:
        """Return all memory of the socket, which is closed."""
        self.budget.close(self)


class Wanted:
    """A call that waits for room."""

    def __init__(self, room: Room, more: int, granted: Granted) -> None:
        self.room = room
        self.more = more
        self.granted = granted


class MemoryBudget:
    """The bytes that all sockets may hold together. Safe for threads; its lock is taken last."""

    def __init__(self, most: int, patience: float) -> None:
        self.most = most
        self.patience = patience  # seconds without progress, while no call waits for room
        self.held = 0
        self._freed = 0  # bytes since the system had memory back
        self._lock = threading.Lock()
        self._holders: dict[Share, None] = {}
        self._lines: dict[str, deque[Wanted]] = {}  # by network, in the order of their turns

    @property
    def waiting(self) -> int:
        """The number of calls that wait for room."""
        return sum([len(line) for line in list(self._lines.values())])

    def take(self, room: Room, more: int, granted: Granted) -> bool:
        """Reserve so many bytes more for a room; False if it must wait."""
        share = room.share
        with self._lock:
            if share.closed:
                return True
            if not self._lines and self._fits(more):
                self._grant(room, more)
                return True
            self._lines.setdefault(share.network, deque()).append(Wanted(room, more, granted))
        return False

    def hold(self, share: Share, size: int) -> None:
        """Count bytes that a socket holds whether there is room or not; a negative size is for bytes no longer held."""
        with self._lock:
            if not share.closed:
                self._count(share, size)
            found = self._next_in_line() if size < 0 else []
        _tell(found)

    def give_back(self, room: Room, kept: int) -> None:
        """Return a room's bytes, except so many; its calls wait no longer."""
        with self._lock:
            gone = self._leave_line(room.share, room) if self._lines else []
            size, room.size = room.size - kept, min(room.size, kept)
            if size > 0 and not room.share.closed:
                self._count(room.share, -size)
            found = [*gone, *self._next_in_line()]
        _tell(found)

    def close(self, share: Share) -> None:
        """Return the bytes of a socket; its waiting calls are called, and find the socket closed."""
        with self._lock:
            if share.closed:
                return
            share.closed = True
            self._count(share, -share.held)
            gone = self._leave_line(share, None)
            found = [*gone, *self._next_in_line()]
        _tell(found)

    def may_return(self) -> bool:
        """Say whether enough memory has become free to return it to the system; true once for that memory."""
        with self._lock:
            if self._freed < RETURNED:
                return False
            self._freed = 0
            return True

    def tick(self, now: float) -> None:
        """End sockets that hold memory and have transferred nothing for too long."""
        with self._lock:
            idle = [each for each in self._holders if (each.unsent or each.unread) and not each.kept()]
        idle.sort(key=_last_move)
        for share in idle:
            still = now - share.since
            if still >= self.patience or (self._lines and still >= GRACE):
                share.stalled(still)  # which closes it, and so others have their room
            else:
                return

    def _fits(self, more: int) -> bool:
        return self.held + more <= self.most or not self.held

    def _leave_line(self, share: Share, room: Room | None) -> list[Wanted]:
        """Remove the waiting calls of a socket, or of one room of it, from the line."""
        gone: list[Wanted] = []
        left: deque[Wanted] = deque()
        for wanted in self._lines.get(share.network, ()):
            found = wanted.room is room if room is not None else wanted.room.share is share
            (gone if found else left).append(wanted)
        if left:
            self._lines[share.network] = left
        else:
            self._lines.pop(share.network, None)
        return gone

    def _grant(self, room: Room, more: int) -> None:
        room.size += more
        self._count(room.share, more)

    def _count(self, share: Share, size: int) -> None:
        share.held += size
        self.held += size
        if size < 0:
            self._freed -= size
        if share.held > 0:
            self._holders[share] = None
        else:
            self._holders.pop(share, None)

    def _next_in_line(self) -> list[Wanted]:
        """Grant room to waiting calls as far as there is any; networks take turns."""
        found: list[Wanted] = []
        while self._lines:
            network = next(iter(self._lines))
            line = self._lines[network]
            if not self._fits(line[0].more):
                break
            wanted = line.popleft()
            del self._lines[network]
            if line:
                self._lines[network] = line
            self._grant(wanted.room, wanted.more)
            found.append(wanted)
        return found


def return_memory() -> None:
    """Return free memory to the system, if the C library can; by itself the library keeps freed pieces."""
    with contextlib.suppress(AttributeError, OSError):
        ctypes.CDLL(None).malloc_trim(0)


def _tell(found: list[Wanted]) -> None:
    for wanted in found:
        wanted.granted()


def _last_move(share: Share) -> float:
    return share.since
