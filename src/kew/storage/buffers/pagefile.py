"""The file behind pages: reads, checks and writes page images, and knows which pages are in memory."""

import time
from threading import Event
from typing import Final

from kew.storage.buffers.frame import Frame
from kew.storage.checksum import crc32
from kew.storage.disk import File
from kew.storage.page import PAGE_HEADER, PAGE_SIZE, PASSING
from kew.storage.stall import Damaged

_MORE_PAGES: Final = 1024  # by which the table of resident pages grows


class FileCounters:
    """Reads and writes of one page set, for its statistics (QIS1). Counters only grow."""

    def __init__(self) -> None:
        self.reads = 0
        self.pages_read = 0
        self.read_seconds = 0.0
        self.writes = 0
        self.pages_written = 0
        self.write_seconds = 0.0
        self.full = 0  # times there was no free page


class PageFile:
    """One page set's file and its resident pages."""

    def __init__(self, number: int, path: str, file: File) -> None:
        self.id = number
        self.path = path
        self.file = file
        self.resident: list[Frame | None] = []  # by page number: one place in memory to look at, however many pages
        self.reading: dict[int, Event] = {}  # pages being read now, each with its reader's event
        self.counters = FileCounters()

    def frame(self, number: int) -> Frame | None:
        """Give the frame that holds a page; None if no frame does."""
        resident = self.resident
        return resident[number] if number < len(resident) else None

    def in_memory(self) -> list[int]:
        """List the pages that frames hold."""
        return [number for number, frame in enumerate(self.resident) if frame is not None]

    def hold(self, number: int, frame: Frame) -> None:
        """Note which frame holds a page."""
        resident = self.resident
        if number >= len(resident):
            resident.extend([None] * max(number + 1 - len(resident), _MORE_PAGES))
        resident[number] = frame

    def image(self, frame: Frame) -> bytes:
        """Give the frame's page as bytes, with a checksum of zero. Called under the engine lock."""
        kind = frame.kind | PASSING if frame.volatile else frame.kind
        PAGE_HEADER.pack_into(frame.data, 0, 0, kind, self.id, frame.number, frame.owner, frame.address)
        return bytes(frame.data)

    def read_pages(self, first: int, count: int) -> list[bytes]:
        """Read `count` pages; gives fewer where the file ends."""
        begun = time.perf_counter()
        data = self.file.pread(count * PAGE_SIZE, first * PAGE_SIZE)
        whole = len(data) // PAGE_SIZE
        counters = self.counters
        counters.reads += 1
        counters.pages_read += whole
        counters.read_seconds += time.perf_counter() - begun
        return [data[i * PAGE_SIZE : (i + 1) * PAGE_SIZE] for i in range(whole)]

    def check(self, number: int, image: bytes) -> str:
        """Give the text of the error in a page image; empty if the image is valid."""
        crc, kind, page_set, page, _owner, _address = PAGE_HEADER.unpack_from(image)
        if crc32(image[4:]) != crc:
            return "checksum does not match" if kind or any(image) else "page was never written"
        if page != number or page_set != self.id:
            return f"holds page {page} of page set {page_set}"
        return ""

    def read_checked(self, number: int) -> bytes:
        """Read one page and verify it."""
        pages = self.read_pages(number, 1)
        if not pages:
            raise Damaged(self.path, number, "the file ends before it")
        why = self.check(number, pages[0])
        if why:
            raise Damaged(self.path, number, why)
        return pages[0]

    def install(self, frame: Frame, number: int, image: bytes) -> None:
        """Let a frame hold a page that was read from this file."""
        _crc, kind, _page_set, _page, owner, address = PAGE_HEADER.unpack_from(image)
        frame.view[:] = image
        frame.file = self.id
        frame.number = number
        frame.kind = kind & ~PASSING
        frame.owner = owner
        frame.address = address
        frame.volatile = kind & PASSING != 0
        frame.referenced = True
        self.hold(number, frame)


def sealed(image: bytes) -> tuple[bytes, memoryview]:
    """Give the checksum of a page image and the bytes that it covers: joined they are the page as on disk."""
    body = memoryview(image)[4:]
    return crc32(body).to_bytes(4, "little"), body


def seal(image: bytes) -> bytes:
    """Put the checksum into a page image."""
    return b"".join(sealed(image))
