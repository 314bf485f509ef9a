"""An item: the place of a stored message."""

from kew.storage.message import MessageRef
from kew.storage.pages.blob import Layout
from kew.storage.pages.chain import Chain
from kew.storage.pages.directory import Directory


class Progress:
    """The position of a read in an item of more than one page."""

    def __init__(self, layout: Layout, start: bytes) -> None:
        self.layout = layout
        self.parts = [start]
        self.run = 0  # of its further pages, the run that is being read
        self.place = 0  # and the page in it
        self.whole = b""  # all of it, once the parts were joined


class Item(MessageRef):
    """A place in a directory, and the pages that hold the item's bytes."""

    def __init__(self, chain: Chain, directory: Directory, slot: int, sequence: int, length: int, page: int) -> None:
        super().__init__(chain.owner, chain.priority, not chain.volatile, chain.expiring > 0, sequence, length)
        self.chain = chain
        self.directory = directory
        self.slot = slot
        self.resets = directory.resets  # the slot is this item's only while this is the directory's
        self.page = page
        self.runs: list[tuple[int, int]] = []  # all its pages as (first, count); empty when it has the one page only
        self.reading: Progress | None = None  # how far it was read, between two stalls

    def has_place(self) -> bool:
        """Say whether the slot in the directory still belongs to the item; the slot may be empty by now."""
        directory = self.directory
        return directory.resets == self.resets and not directory.removed
