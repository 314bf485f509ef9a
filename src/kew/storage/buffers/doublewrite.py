"""The double-write file: pages are written here before their page sets, so that a torn write can be repaired.

The file is a header and an array of page images. A batch is written there and synced, then written to the page sets and
synced, and only then may the next batch overwrite it. Each image names its page set and page under its checksum, so
restart needs no other directory: a page that is torn in its page set has its newest image here.

An empty page ends each batch. Images behind it are of older batches, and must not be used for repair: a page that is
damaged in its page set long after its write must be reported, and no old image of it may hide that.
"""

import posixpath
from typing import Final

from kew.storage.checksum import crc32
from kew.storage.disk import Disk
from kew.storage.fileheader import (
    DOUBLE_WRITE,
    NOBODY,
    BehindHeader,
    Identity,
    check_owner,
    draft,
    first_page,
    header_page,
    publish,
    read_header,
)
from kew.storage.page import PAGE_HEADER, PAGE_SIZE

_END: Final = bytes(PAGE_SIZE)


class DoubleWrite:
    """The file of page images."""

    def __init__(self, disk: Disk, path: str, owner: Identity = NOBODY) -> None:
        self.path = path
        self.mended = False  # the header was damaged, and was written again
        header = header_page(DOUBLE_WRITE, owner)
        if disk.exists(path):
            self.mended = not check_double_write(disk, path, owner)
            self.file = BehindHeader(disk.open(path))
            if self.mended:
                self.file.write_header(header)
                self.file.sync()
            # A process may have died between making it and syncing its name.
            disk.sync_directory(posixpath.dirname(path))
        else:
            self.file = publish(disk, path, draft(disk, path, header))

    def protect(self, images: list[bytes]) -> None:
        """Write a batch of page images and sync the file."""
        self.file.pwrite(b"".join([*images, _END]), 0)
        self.file.sync()

    def images(self) -> dict[tuple[int, int], bytes]:
        """Give the newest valid image of each page of the last batch, by page set and page number."""
        return _images(self.file)

    def close(self) -> None:
        """Close the file."""
        self.file.close()


def check_double_write(disk: Disk, path: str, owner: Identity) -> bool:
    """Refuse a file that is not the double-write file of this owner; say whether its header is whole."""

    def behind() -> bool:
        file = BehindHeader(disk.open(path))
        try:
            return bool(_images(file))
        finally:
            file.close()

    page = first_page(disk, path)
    found = read_header(path, page, DOUBLE_WRITE, 0, behind)
    if found is not None:
        check_owner(path, found, owner)
    return page == header_page(DOUBLE_WRITE, owner)


def _images(file: BehindHeader) -> dict[tuple[int, int], bytes]:
    found: dict[tuple[int, int], tuple[int, bytes]] = {}
    data = file.pread(file.size(), 0)
    for start in range(0, len(data) - PAGE_SIZE + 1, PAGE_SIZE):
        image = data[start : start + PAGE_SIZE]
        if image == _END:
            break
        crc, kind, page_set, number, _owner, address = PAGE_HEADER.unpack_from(image)
        if kind and crc32(image[4:]) == crc:
            older = found.get((page_set, number))
            if older is None or older[0] < address:
                found[page_set, number] = (address, image)
    return {key: image for key, (_address, image) in found.items()}
