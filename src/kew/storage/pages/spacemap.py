"""The free pages of a page set: one byte of state for each page.

In memory the map is one `bytearray`, so looking for free pages is a `find`. On disk the map is cut into map pages, one
for every 4,064 pages, kept at the first page of the group they describe (page 1 for the first group, behind the page
set's header). Changes that a crash undoes by itself are not written there: pages of non-persistent messages count as
free on disk.

A page that a recoverable change frees must not be overwritten before the log record that frees it is on disk, else a
crash would bring back a message whose page is gone. Such pages wait in `releasing` until the log has come that far.
"""

from collections import deque
from typing import Final

from kew.storage.page import PAYLOAD_SIZE

FREE: Final = 0
ITEM: Final = 1  # pages of persistent messages
CATALOG: Final = 2  # directory pages of persistent messages
VOLATILE: Final = 3  # pages of non-persistent messages
RELEASING: Final = 4  # freed; waits for the log
SYSTEM: Final = 5  # header and map pages

GROUP: Final = PAYLOAD_SIZE  # pages described by one map page

_ON_DISK: Final = bytes.maketrans(bytes([VOLATILE, RELEASING]), bytes([FREE, FREE]))
_FREE_PAGE: Final = b"\0"


def map_page_of(group: int) -> int:
    """Give the number of the page that holds a group's map."""
    return group * GROUP if group else 1


class SpaceMap:
    """The states of all pages of a page set."""

    def __init__(self, pages: int) -> None:
        self.states = bytearray()
        self.free = 0
        self.start = 0  # where the last search ended
        self.releasing: deque[tuple[int, int, int]] = deque()  # (log address, first page, count)
        self.extend(pages)

    @property
    def pages(self) -> int:
        """Count the pages the map describes."""
        return len(self.states)

    def groups(self) -> int:
        """Count the map pages."""
        return (len(self.states) + GROUP - 1) // GROUP

    def extend(self, pages: int) -> None:
        """Add pages to the map."""
        before = len(self.states)
        self.states.extend(bytes(pages - before))
        self.free += pages - before
        for group in range(self.groups()):
            number = map_page_of(group)
            if before <= number < pages:
                self._reserve(number)
        if before == 0 and pages:
            self._reserve(0)

    def _reserve(self, number: int) -> None:
        self.states[number] = SYSTEM
        self.free -= 1

    def available(self) -> int:
        """Count the pages that are free now or will be once the log is written."""
        return self.free + sum([count for _address, _first, count in self.releasing])

    def take_one(self, state: int) -> int:
        """Take a free page and give its number; -1 if there is none."""
        found = self.start
        if found >= len(self.states) or self.states[found] != FREE:
            found = self.states.find(_FREE_PAGE, self.start)
            if found < 0:
                found = self.states.find(_FREE_PAGE, 0, self.start)
                if found < 0:
                    return -1
        self.states[found] = state
        self.start = found + 1
        self.free -= 1
        return found

    def take(self, count: int, state: int) -> list[tuple[int, int]]:
        """Take `count` pages in as few runs as possible; the list is empty when there are not enough."""
        if count > self.free:
            return []
        runs: list[tuple[int, int]] = []
        size = count
        left = count
        while left:
            size = min(size, left)
            found = self.states.find(bytes(size), self.start)
            if found < 0:
                found = self.states.find(bytes(size))
            if found < 0:
                size = (size + 1) // 2
                continue
            self.mark(found, size, state)
            self.start = found + size
            runs.append((found, size))
            left -= size
        return runs

    def mark(self, first: int, count: int, state: int) -> None:
        """Set the state of a run of pages."""
        if count == 1:  # by far the most, and much cheaper without slices
            if self.states[first] == FREE:
                self.free -= 1
            if state == FREE:
                self.free += 1
            self.states[first] = state
            return
        before = self.states[first : first + count]
        self.free += (count if state == FREE else 0) - before.count(_FREE_PAGE)
        self.states[first : first + count] = bytes([state]) * count

    def release_after(self, address: int, first: int, count: int) -> None:
        """Free a run of pages once the log is on disk up to an address."""
        self.mark(first, count, RELEASING)
        self.releasing.append((address, first, count))

    def release(self, durable: int) -> None:
        """Free the pages that waited for the log."""
        releasing = self.releasing
        while releasing and releasing[0][0] <= durable:
            _address, first, count = releasing.popleft()
            self.mark(first, count, FREE)
            if first < self.start:
                self.start = first

    def image(self, group: int) -> bytes:
        """Give a group's states in their form on disk."""
        part = bytes(self.states[group * GROUP : (group + 1) * GROUP]).translate(_ON_DISK)
        return part + bytes(GROUP - len(part))

    def load(self, group: int, payload: bytes) -> None:
        """Take over a group's states from disk."""
        first = group * GROUP
        count = min(GROUP, len(self.states) - first)
        before = self.states[first : first + count].count(_FREE_PAGE)
        self.states[first : first + count] = payload[:count]
        self.free += payload[:count].count(_FREE_PAGE) - before
