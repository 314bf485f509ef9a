"""An item: where a stored message is."""

from kew.storage.pages.chain import Chain
from kew.storage.pages.directory import Directory


class Item:
    """A place in a directory, and the pages that hold the item's bytes."""

    def __init__(self, chain: Chain, directory: Directory, slot: int, sequence: int, length: int, page: int) -> None:
        self.chain = chain
        self.directory = directory
        self.slot = slot
        self.sequence = sequence
        self.length = length
        self.page = page
        self.runs: list[tuple[int, int]] = []  # all its pages as (first, count); empty when it has the one page only
