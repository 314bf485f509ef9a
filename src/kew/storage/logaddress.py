"""Log addresses: 64-bit byte offsets in the log stream, page headers included.

The stream is a sequence of pages, and a record may span them. The address of a record is the address of its first byte,
which lies behind a page header and so is never 0: 0 stands for "no record". The end of a record is the address at which
the next record would start if it followed directly; if its page is full, this address lies behind the header of the
next page.
"""

from typing import Final, NewType

LogAddress = NewType("LogAddress", int)

NO_ADDRESS: Final = LogAddress(0)

PAGE_SIZE: Final = 4096
PAGE_MASK: Final = 4095
PAGE_HEADER: Final = 40
PAGE_PAYLOAD: Final = 4056


def advance(address: int, size: int) -> LogAddress:
    """Return the address `size` payload bytes behind `address`, stepping over page headers."""
    reach = (address & PAGE_MASK) + size
    if reach < PAGE_SIZE:
        return LogAddress(address + size)
    rest = reach - PAGE_SIZE
    return LogAddress((address | PAGE_MASK) + 1 + rest // PAGE_PAYLOAD * PAGE_SIZE + PAGE_HEADER + rest % PAGE_PAYLOAD)


def page_start(address: int) -> int:
    """Return the address of the page that holds `address`."""
    return address & ~PAGE_MASK


def next_page(address: int) -> LogAddress:
    """Return the first payload address of a fresh page at or behind `address`."""
    if address & PAGE_MASK <= PAGE_HEADER:
        return LogAddress((address & ~PAGE_MASK) + PAGE_HEADER)
    return LogAddress((address | PAGE_MASK) + 1 + PAGE_HEADER)


def boundary(address: int) -> int:
    """Return `address`, or the start of its page where it is the first payload address of the page."""
    return address - PAGE_HEADER if address & PAGE_MASK == PAGE_HEADER else address
