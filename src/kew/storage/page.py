"""The 4 KB page: the layout that all pages of a page set have in common.

    offset  bytes  field
         0      4  crc32 of bytes 4 to 4095
         4      1  kind (HEADER, SPACE_MAP, DIRECTORY, DATA, RUNS), plus PASSING for pages of non-persistent messages
         5      1  unused
         6      2  page set
         8      4  page number
        12      4  owner: the queue's number, 0 for the page set itself
        16      8  log address of the newest change; 0 when the page is not recoverable
        24      8  unused
        32   4064  payload

A page is valid in one place only: number and page set are under the checksum, so a page written to the wrong place is
found as surely as a torn one.
"""

from struct import Struct
from typing import Final, NewType

PageNumber = NewType("PageNumber", int)

PAGE_SIZE: Final = 4096
PAGE_HEADER_SIZE: Final = 32
PAYLOAD_SIZE: Final = PAGE_SIZE - PAGE_HEADER_SIZE

HEADER: Final = 1
SPACE_MAP: Final = 2
DIRECTORY: Final = 3
DATA: Final = 4
RUNS: Final = 5
PASSING: Final = 0x80

PAGE_HEADER: Final = Struct("<IBxHIIQ8x")
