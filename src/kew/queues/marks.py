"""Marks of browsed messages, by which one program, or several that browse together, see each message once.

A handle's own mark lasts until the handle is closed, the mark is removed, or the message is gone. A mark of cooperating
handles (MQOO_CO_OP) is seen by all of them and lasts as long as MARKINT says, at most until the handle that made it is
closed. Marks are in memory only; they lock nothing.
"""

from typing import Final

UNLIMITED: Final = -1  # MQMMBI_UNLIMITED


class BrowseMarks:
    """The marks on the messages of one queue, by arrival number. Used under the engine lock."""

    def __init__(self) -> None:
        self._own: dict[int, set[int]] = {}  # by handle
        self._shared: dict[int, tuple[int, float]] = {}  # by message: the handle that made it, and when

    @property
    def empty(self) -> bool:
        """Say whether no message is marked."""
        return not self._own and not self._shared

    def mark(self, handle: int, message: int) -> None:
        """Mark a message for one handle."""
        self._own.setdefault(handle, set()).add(message)

    def mark_shared(self, handle: int, message: int, now: float) -> None:
        """Mark a message for all cooperating handles."""
        self._shared[message] = (handle, now)

    def is_marked(self, handle: int, cooperates: bool, message: int, now: float, interval: int) -> bool:
        """Say whether a browse of a handle skips a message; `interval` is MARKINT in milliseconds."""
        if message in self._own.get(handle, ()):
            return True
        if not cooperates:
            return False
        shared = self._shared.get(message)
        if shared is None:
            return False
        if interval != UNLIMITED and (now - shared[1]) * 1000 >= interval:
            del self._shared[message]
            return False
        return True

    def next_end(self, now: float, interval: int) -> float:
        """Give the seconds until the first mark of cooperating handles expires; negative if there is none.

        Expired marks are removed. If there were any, the result is 0, since the caller may not have seen their
        messages.
        """
        if interval == UNLIMITED or not self._shared:
            return -1.0
        oldest = now - interval / 1000
        ended = [message for message, (_handle, when) in self._shared.items() if when <= oldest]
        for message in ended:
            del self._shared[message]
        if ended:
            return 0.0
        return min([when for _handle, when in self._shared.values()]) - oldest

    def unmark(self, handle: int, message: int) -> None:
        """Remove a handle's own mark."""
        self._own.get(handle, set()).discard(message)

    def unmark_shared(self, message: int) -> None:
        """Remove the mark of cooperating handles."""
        self._shared.pop(message, None)

    def closed(self, handle: int) -> None:
        """Remove the marks of a handle that is closed."""
        self._own.pop(handle, None)
        for message in [message for message, (owner, _when) in self._shared.items() if owner == handle]:
            del self._shared[message]

    def gone(self, message: int) -> None:
        """Remove the marks of a message that is taken off the queue."""
        self._shared.pop(message, None)
        for marked in self._own.values():
            marked.discard(message)
