"""The layout of an item's bytes in its pages.

The payload of the first page begins with

    length u32 | run count u16 | run pages u16

followed, for an item of more than one page, by room for 64 runs (first u32, count u32) that name its further pages, and
then by the first bytes of the item. Further pages hold 4,064 bytes of it each. When there are more runs than fit into
the first page, as can happen to a large message in a fragmented page set, the list of runs lies in pages of its own
(kind RUNS, 508 runs each), whose numbers stand in the first page in place of the runs.
"""

from struct import Struct
from typing import Final

from kew.storage.page import PAYLOAD_SIZE
from kew.storage.pages.records import RUN, pack_runs, unpack_runs

BLOB_HEAD: Final = Struct("<IHH")
BLOB_HEAD_SIZE: Final = 8
SINGLE_PAGE: Final = PAYLOAD_SIZE - BLOB_HEAD_SIZE  # the longest item that takes one page
RUNS_IN_FIRST_PAGE: Final = 64
RUNS_IN_RUN_PAGE: Final = PAYLOAD_SIZE // RUN.size
LIST_SIZE: Final = RUNS_IN_FIRST_PAGE * RUN.size
FIRST_ROOM: Final = SINGLE_PAGE - LIST_SIZE  # bytes of the item in the first page, when it has more than one
_NUMBER: Final = Struct("<I")


def pages_of(length: int) -> int:
    """Count the pages, run pages not included, of an item."""
    if length <= SINGLE_PAGE:
        return 1
    return 1 + (length - FIRST_ROOM + PAYLOAD_SIZE - 1) // PAYLOAD_SIZE


class Layout:
    """The pages of an item of more than one page."""

    def __init__(self, length: int, first: int, runs: list[tuple[int, int]], run_pages: list[int]) -> None:
        self.length = length
        self.first = first
        self.runs = runs  # further pages
        self.run_pages = run_pages

    def all_runs(self) -> list[tuple[int, int]]:
        """Give every page the item occupies, as runs."""
        return [(self.first, 1), *self.runs, *[(number, 1) for number in self.run_pages]]

    def head(self) -> bytes:
        """Encode the head of the first page: the item's length and its runs, always in the same size."""
        start = BLOB_HEAD.pack(self.length, len(self.runs), len(self.run_pages))
        if self.run_pages:
            listed = b"".join([_NUMBER.pack(number) for number in self.run_pages])
        else:
            listed = pack_runs(self.runs)
        return start + listed.ljust(LIST_SIZE, b"\0")

    def run_page_payloads(self) -> list[bytes]:
        """Give the payloads of the run pages."""
        parts = []
        for start in range(0, len(self.runs), RUNS_IN_RUN_PAGE):
            parts.append(pack_runs(self.runs[start : start + RUNS_IN_RUN_PAGE]))
        return parts if self.run_pages else []


def run_pages_needed(run_count: int) -> int:
    """Count the run pages for a number of runs."""
    return 0 if run_count <= RUNS_IN_FIRST_PAGE else (run_count + RUNS_IN_RUN_PAGE - 1) // RUNS_IN_RUN_PAGE


def parse_layout(payload: bytes | bytearray, offset: int, first: int) -> Layout:
    """Read the layout from a first page; `runs` is still to be filled when there are run pages."""
    length, run_count, run_page_count = BLOB_HEAD.unpack_from(payload, offset)
    offset += BLOB_HEAD_SIZE
    if not run_page_count:
        return Layout(length, first, unpack_runs(payload, offset, run_count), [])
    numbers: list[int] = []
    for place in range(run_page_count):
        numbers.append(_NUMBER.unpack_from(payload, offset + place * _NUMBER.size)[0])
    return Layout(length, first, [], numbers)


def parse_run_page(payload: bytes | bytearray, offset: int, place: int, run_count: int) -> list[tuple[int, int]]:
    """Read the runs of the run page at a place in the list of run pages."""
    return unpack_runs(payload, offset, min(RUNS_IN_RUN_PAGE, run_count - place * RUNS_IN_RUN_PAGE))
