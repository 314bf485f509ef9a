"""References to stored messages, and descriptions of them, for every kind of store."""

from typing import Final

from mypy_extensions import mypyc_attr

from kew.storage.logaddress import NO_ADDRESS, LogAddress

# How much of a message is wanted.
HEAD: Final = 0  # its state, which the store has without a read
HEADERS: Final = 1  # and its content, at least as far as its first header goes
WHOLE: Final = 2  # and all of its content


@mypyc_attr(allow_interpreted_subclasses=True)
class StoreFull(Exception):
    """A store has no room for a message."""

    def __init__(self, page_set: int, pages: int) -> None:
        super().__init__(f"page set {page_set} is full")
        self.page_set = page_set  # number of the page set
        self.pages = pages  # that it has


@mypyc_attr(allow_interpreted_subclasses=True)
class MessageRef:
    """A reference to a message, which only the store that gave it can follow."""

    def __init__(
        self, queue: int, priority: int, persistent: bool, may_expire: bool, sequence: int, length: int
    ) -> None:
        self.queue = queue  # number of the queue that it is on
        self.priority = priority
        self.persistent = persistent
        self.may_expire = may_expire  # False: it has no time at which it expires
        self.sequence = sequence  # in order of arrival; no two messages of a queue have the same
        self.length = length  # of descriptor and data


@mypyc_attr(free_list_len=1)
class Description:
    """The description of a message by its store, at one moment.

    A description with the whole content has no data on locks, groups and reports, which its caller has already.
    """

    def __init__(
        self,
        gone: bool,
        available: bool,
        grouped: bool,
        continues: bool,
        expiry: int,
        expiry_reported: bool,
        backout_count: int,
        address: LogAddress,
        content: bytes,
    ) -> None:
        self.gone = gone  # it is on its queue no more; the rest says nothing
        self.available = available  # it is not locked, and no unit of work has put or got it
        self.grouped = grouped  # it is in a group or a segment
        self.continues = continues  # and not the first of its group or logical message
        self.expiry = expiry  # milliseconds since 1970; 0 for never
        self.expiry_reported = expiry_reported  # its sender wants a report when it expires
        self.backout_count = backout_count
        self.address = address  # on disk up to here, it may be shown: its put cannot be undone by a crash any more
        self.content = content  # as much as was asked for: the descriptor as it is stored, and the data


def lane_of(priority: int, persistent: bool) -> int:
    """Give the number of a lane: the messages of one priority, persistent or not, in order of arrival."""
    return priority << 1 | persistent


NOTHING: Final = Description(True, False, False, False, 0, False, 0, NO_ADDRESS, b"")  # of a message that is gone
