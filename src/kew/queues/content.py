"""How much of a stored message is read to know its headers."""

from typing import Final, Literal

from kew.formats.mqmd import LENGTH
from kew.formats.properties import RFH2_FORMAT
from kew.storage.pages.blob import FIRST_ROOM, SINGLE_PAGE
from kew.storage.pages.item import Item
from kew.storage.pages.items import CONTENT, FIRST_CONTENT, ItemStore
from kew.storage.pages.longitem import read_on

_FORMAT: Final = 32  # where it is in the stored descriptor


def content_of(store: ItemStore, item: Item) -> bytes:
    """Give a message as it is stored, at least as far as its first header goes. May stall, and is then called again.

    Of a long message the first page is enough, unless a header with properties does not end there.
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
