"""The part of a stored message that is read for its headers."""

from typing import Final, Literal

from kew.formats.mqmd import LENGTH
from kew.formats.properties import RFH2_FORMAT
from kew.storage.pages.blob import FIRST_ROOM, SINGLE_PAGE
from kew.storage.pages.item import Item
from kew.storage.pages.items import CONTENT, FIRST_CONTENT, ItemStore
from kew.storage.pages.longitem import read_on

_FORMAT: Final = 32  # where it is in the stored descriptor


def content_of(store: ItemStore, item: Item) -> bytes:
    """Give a stored message, at least up to the end of its first header. May stall, and is then called again.

    For a long message the first page is read, unless a header with properties continues beyond it.
    """
    data = store.first_page(item).data
    if item.length <= SINGLE_PAGE:
        return bytes(data[CONTENT : CONTENT + item.length])
    start = bytes(data[FIRST_CONTENT : FIRST_CONTENT + FIRST_ROOM])
    if start[_FORMAT : _FORMAT + 8] != RFH2_FORMAT:
        return start
    order: Literal["little", "big"] = "big" if start[LENGTH + 4] == 0 else "little"
    length = int.from_bytes(start[LENGTH + 8 : LENGTH + 12], order)
    following = LENGTH + length
    if following <= len(start) and start[LENGTH + 20 : LENGTH + 28] != RFH2_FORMAT:
        return start
    return read_on(store, item)
