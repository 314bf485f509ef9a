"""A buffer pool over a file of pages on a simulated disk, with a writer and without a log."""

from librt.threading import Lock
from tests.support.simdisk import SimDisk

from kew.storage.buffers.deferred import DeferredWriter
from kew.storage.buffers.doublewrite import DoubleWrite
from kew.storage.buffers.frame import Frame
from kew.storage.buffers.pagefile import PageFile
from kew.storage.buffers.pool import BufferPool
from kew.storage.log import LogAddress
from kew.storage.page import DIRECTORY, PAGE_HEADER_SIZE
from kew.storage.recovery.redo import resolve
from kew.storage.stall import Stall

OWNER = 20


class Paging:
    """The buffer manager alone. What the writer wanted of the log is kept in `forced`."""

    def __init__(self, size: int) -> None:
        self.disk = SimDisk()
        self.disk.make_directory("/pages")
        self.lock = Lock()
        self.pool = BufferPool(1, size, self.lock)
        self.file = PageFile(3, "/pages/psid03", self.disk.open("/pages/psid03", create=True))
        self.pool.attach(self.file)
        self.forced: list[int] = []
        self.double = DoubleWrite(self.disk, "/pages/double")
        self.disk.sync_directory("/pages")
        self.writer = DeferredWriter(self.lock, self.force, self.double)
        self.writer.add_pool(self.pool)

    def force(self, address: LogAddress) -> None:
        self.forced.append(address)

    def make(self, number: int, text: bytes, address: int, volatile: bool = False, kind: int = DIRECTORY) -> Frame:
        """Take a frame for a new page and write into it, logged at an address unless it is volatile."""
        while True:
            try:
                with self.lock:
                    self.pool.ensure(1)
                    frame = self.pool.new_page(self.file, number, kind, OWNER, volatile)
                    self._change(frame, text, address)
                    return frame
            except Stall as stall:
                waiting = stall
            resolve(waiting)

    def change(self, number: int, text: bytes, address: int) -> None:
        """Change a page that is there."""
        while True:
            try:
                with self.lock:
                    self._change(self.pool.find(self.file, number), text, address)
                    return
            except Stall as stall:
                waiting = stall
            resolve(waiting)

    def _change(self, frame: Frame, text: bytes, address: int) -> None:
        frame.data[PAGE_HEADER_SIZE : PAGE_HEADER_SIZE + len(text)] = text
        if frame.volatile:
            self.pool.touch_volatile(frame)
        else:
            self.pool.touch(frame, address, address - 10)

    def text(self, number: int, length: int) -> bytes:
        """Read a page's first bytes, from memory or from disk."""
        while True:
            try:
                with self.lock:
                    data = self.pool.find(self.file, number).data
                    return bytes(data[PAGE_HEADER_SIZE : PAGE_HEADER_SIZE + length])
            except Stall as stall:
                waiting = stall
            resolve(waiting)

    def on_disk(self, number: int, length: int) -> bytes:
        """Read a page's first bytes from the file, checked."""
        return self.file.read_checked(number)[PAGE_HEADER_SIZE : PAGE_HEADER_SIZE + length]
