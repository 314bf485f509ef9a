"""The memory that sockets hold: one budget over all of them.

A put that has been half sent and a reply that is half read stay in memory for as long as the other side takes. Both
take room of the budget before the memory is used: a put of several segments when its first segment has come, a long
message before it is read from its queue. Where there is no room the call waits, which costs nothing: the socket is
read no further, or the message stays on its queue. Networks that wait have turns, and the calls of each are in order.

While others wait, the sockets that have moved nothing for longest go first (GRACE), as many as are needed; where nobody
waits they have the time-out of qm.ini. Sockets that the queue manager itself keeps from moving are not counted as
stalled. Something larger than the whole budget has room when nothing else is held.
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
    """A long message must wait until the budget has room for it; it is due when the room is granted."""

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
        """Reserve so many bytes in all; False if the call must wait, and is called later."""
        return size <= self.size or self.share.budget.take(self, size - self.size, granted)

    def give_back(self, kept: int = 0) -> None:
        """Need no more room than this."""
        self.share.budget.give_back(self, kept)


@mypyc_attr(allow_interpreted_subclasses=True)
class Share(ReplyMemory):
    """The share of one socket in the memory, and the time of its last progress."""

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
        """End the socket: it holds memory that others need, or has for too long."""

    @abstractmethod
    def kept(self) -> bool:
        """Say whether the queue manager itself keeps the socket from moving."""

    def move(self, size: int, now: float) -> None:
        """Count bytes that were moved."""
        self._moved += size
        if self._moved >= MOVE:
            self._moved = 0
            self.since = now

    def expect(self, unsent: bool, unread: bool, now: float) -> None:
        """Note whether the other side has bytes to read, and bytes to send."""
        if (unsent and not self.unsent) or (unread and not self.unread):
            self._moved = 0
            self.since = now
        self.unsent = unsent
        self.unread = unread

    def room(self) -> Room:
        """Give a room that has nothing yet."""
        return Room(self)

    def hold(self, size: int) -> None:
        """Count so many bytes more, or fewer, that are held already."""
        self.budget.hold(self, size)

    def close(self) -> None:
        """Give back everything: the socket is gone."""
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
        """Give a room so many bytes more; False if it must wait."""
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
        """Count bytes that a socket holds in any case, or holds no longer."""
        with self._lock:
            if not share.closed:
                self._count(share, size)
            found = self._next_in_line() if size < 0 else []
        _tell(found)

    def give_back(self, room: Room, kept: int) -> None:
        """Take back a room's bytes, except so many; it waits for no more."""
        with self._lock:
            gone = self._leave_line(room.share, room) if self._lines else []
            size, room.size = room.size - kept, min(room.size, kept)
            if size > 0 and not room.share.closed:
                self._count(room.share, -size)
            found = [*gone, *self._next_in_line()]
        _tell(found)

    def close(self, share: Share) -> None:
        """Take back the bytes of a socket; its waiting calls are called, and find it closed."""
        with self._lock:
            if share.closed:
                return
            share.closed = True
            self._count(share, -share.held)
            gone = self._leave_line(share, None)
            found = [*gone, *self._next_in_line()]
        _tell(found)

    def may_return(self) -> bool:
        """Say whether so much has become free that the system should have it back; true once for it."""
        with self._lock:
            if self._freed < RETURNED:
                return False
            self._freed = 0
            return True

    def tick(self, now: float) -> None:
        """Let time pass: sockets that hold memory and do not move are ended."""
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
        """Take the calls of a socket, or of one room of it, out of the line."""
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
        """Give room to calls that wait, as far as there is any; each network has its turn."""
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
    """Give free memory back to the system, if the C library can: by itself it keeps memory in pieces."""
    with contextlib.suppress(AttributeError, OSError):
        ctypes.CDLL(None).malloc_trim(0)


def _tell(found: list[Wanted]) -> None:
    for wanted in found:
        wanted.granted()


def _last_move(share: Share) -> float:
    return share.since
