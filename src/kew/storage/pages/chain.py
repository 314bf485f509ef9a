"""A chain: the items of one queue and one priority, persistent or not, in order of arrival."""

from abc import abstractmethod

from mypy_extensions import mypyc_attr

from kew.storage.message import MessageRef, lane_of
from kew.storage.pages.directory import Directory
from kew.storage.pages.pageset import PageSet


@mypyc_attr(allow_interpreted_subclasses=True)
class ChainKeeper:
    """A listener for the items of a chain."""

    @abstractmethod
    def became_available(self, item: MessageRef) -> None:
        """An item that was locked is available again."""

    @abstractmethod
    def removing(self, item: MessageRef) -> None:
        """An item is about to be removed, and nothing is changed yet; its directory page is in a frame."""


class Chain:
    """A list of directories, oldest first. The order is in memory only; restart makes it anew from the positions."""

    def __init__(self, page_set: PageSet, owner: int, priority: int, volatile: bool) -> None:
        self.page_set = page_set
        self.owner = owner
        self.priority = priority
        self.volatile = volatile
        self.lane = lane_of(priority, not volatile)
        self.keeper: ChainKeeper | None = None
        self.first: Directory | None = None
        self.last: Directory | None = None
        self.by_number: dict[int, Directory] = {}
        self.next_position = 1
        self.used = 0  # items that are not EMPTY
        self.available = 0  # items that a get may take
        self.expiring = 0  # items with a time at which they expire

    def append(self, directory: Directory) -> None:
        """Add a directory at the end."""
        last = self.last
        directory.before = last
        directory.after = None
        if last is None:
            self.first = directory
        else:
            last.after = directory
        self.last = directory
        self.by_number[directory.number] = directory
        if directory.position >= self.next_position:
            self.next_position = directory.position + 1

    def remove(self, directory: Directory) -> None:
        """Remove a directory."""
        before, after = directory.before, directory.after
        if before is None:
            self.first = after
        else:
            before.after = after
        if after is None:
            self.last = before
        else:
            after.before = before
        directory.before = None
        directory.after = None
        del self.by_number[directory.number]
        directory.removed = True
