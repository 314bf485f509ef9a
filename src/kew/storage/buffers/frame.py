"""A frame: the memory for one page, and the state of the page it holds."""

from typing import Final

from kew.storage.page import PAGE_SIZE

NO_PAGE: Final = -1


class Frame:
    """4 KB of a buffer pool. All fields are read and changed under the engine lock."""

    def __init__(self, slot: int) -> None:
        # Fields used to find and free a page come first: a deep queue's frames are far away in memory.
        self.data = bytearray(PAGE_SIZE)
        self.view = memoryview(self.data)  # for slices: those of a bytearray are copied once more on their way
        self.number = NO_PAGE
        self.file = NO_PAGE  # the page set it holds a page of
        self.dirty = False  # changed since a copy of it was last taken to be written
        self.writing = False  # such a copy is on its way to disk, so the page must stay in memory
        self.volatile = False  # holds non-persistent messages only: no log, no sync
        self.referenced = False  # used since the replacement hand last passed
        self.slot = slot  # place in its pool; the key of the table of frames being written
        self.kind = 0
        self.owner = 0
        self.address = 0  # log address of the newest change; the log must be durable up to there before it is written
        self.first_change = (
            0  # log address before the oldest change not yet written: restart must begin there or before
        )
        self.turn = 0  # its place in the queue of dirty frames, while it is dirty
        self.since = 0  # number of the checkpoint after which it became dirty
        self.written_from = 0  # `first_change` of the copy that is on its way
