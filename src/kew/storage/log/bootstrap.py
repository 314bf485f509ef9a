"""The bootstrap file: the state with which a start of the log begins, like the BSDS of z/OS.

A small file beside each copy of the log. The file has the settings fixed when the log was created, the table of log
files and their parts of the stream, the archives, the last checkpoint, and the state in which the log was left.

The file has two slots, and every save writes the same state to one, syncs, then to the other, and syncs. A torn save
leaves one whole slot, with the state before or after. If a slot is damaged later, the other has the same state, so a
start never uses an older state that lacks log files. With dual logging each copy has such a file; if a file is more
than one save behind, its whole copy is out of date.

     0          8      12      16         24   28      32     33      34     35   36     40
     +----------+------+-------+----------+----+-------+------+-------+------+----+------+
     | KEWBOOT2 | crc  | length| sequence |id  | pages | type | copies| clean| 0  | life |
     +----------+------+-------+----------+----+-------+------+-------+------+----+------+
     40           48       56      64        72    80      84         88    104
     +------------+--------+-------+---------+-----+-------+----------+-----+------+---------------------+-----------
     | checkpoint | needed | media | durable | end | files | archives | key | name | per file: slot u32, | per archive:
     +------------+--------+-------+---------+-----+-------+----------+-----+------+ number i64          | number u64,
                                                                                   +---------------------+ crc u32 --
Little-endian. `crc` runs over the `length` bytes behind it (from the length on). Key (16 bytes) and name (48) are the
queue manager's identity. The first page of the file is its header (`storage/fileheader.py`). Behind it a slot starts at
0 and at SLOT_SIZE.
"""

import posixpath
import struct
import threading
from typing import Final

from kew.storage.checksum import crc32
from kew.storage.disk import Disk, DiskError
from kew.storage.fileheader import (
    BOOTSTRAP,
    NOBODY,
    BehindHeader,
    Identity,
    draft,
    first_page,
    header_page,
    publish,
    read_header,
)
from kew.storage.log.errors import LogDamaged, LogError
from kew.storage.log.notices import BOOTSTRAP_REPAIRED, Notices
from kew.storage.logaddress import NO_ADDRESS, LogAddress

FILE_NAME: Final = "BOOTSTRAP"
SLOT_SIZE: Final = 64 * 1024
MAGIC: Final = b"KEWBOOT2"
FREE: Final = -1
# z/OS keeps as many; older archives stay in their directory but are no longer found by address.
ARCHIVES_LIMIT: Final = 1000

HEAD: Final = struct.Struct("<8sI")
BODY: Final = struct.Struct("<IQIIBBBBIQQQQQII16s48s")
EXTENT: Final = struct.Struct("<Iq")
ARCHIVE: Final = struct.Struct("<QI")


class BootstrapState:
    """The state in the bootstrap file."""

    def __init__(self, log_id: int, file_pages: int, linear: bool, owner: Identity = NOBODY) -> None:
        self.sequence = 0
        self.log_id = log_id
        self.file_pages = file_pages
        self.linear = linear
        # How many copies were written in step when this was saved.
        self.copies = 1
        # Whether the log was closed in order, and then where it ended.
        self.clean = False
        self.end = 0
        # How many times the log was started.
        self.life = 0
        self.checkpoint = NO_ADDRESS
        # The oldest addresses that restart and media recovery need.
        self.needed = NO_ADDRESS
        self.media = NO_ADDRESS
        # The log was durable at least up to here.
        self.durable = 0
        # Log file slot -> number of the extent of the stream it holds, or FREE.
        self.extents: dict[int, int] = {}
        # Extent number -> crc of its archive file.
        self.archives: dict[int, int] = {}
        # The queue manager that has the log.
        self.owner = owner

    def encode(self) -> bytes:
        """Return the bytes of a slot."""
        length = BODY.size + len(self.extents) * EXTENT.size + len(self.archives) * ARCHIVE.size
        parts = [
            BODY.pack(
                length,
                self.sequence,
                self.log_id,
                self.file_pages,
                self.linear,
                self.copies,
                self.clean,
                0,
                self.life,
                self.checkpoint,
                self.needed,
                self.media,
                self.durable,
                self.end,
                len(self.extents),
                len(self.archives),
                self.owner.key,
                self.owner.name.encode().ljust(48),
            )
        ]
        for slot, number in sorted(self.extents.items()):
            parts.append(EXTENT.pack(slot, number))
        for number, crc in sorted(self.archives.items()):
            parts.append(ARCHIVE.pack(number, crc))
        body = b"".join(parts)
        return HEAD.pack(MAGIC, crc32(body)) + body


def decode(data: bytes) -> BootstrapState | None:
    """Return the state in a slot's bytes; None if the slot is not whole."""
    if len(data) < HEAD.size + BODY.size:
        return None
    magic, crc = HEAD.unpack_from(data)
    fields = BODY.unpack_from(data, HEAD.size)
    length = fields[0]
    body = data[HEAD.size : HEAD.size + length]
    if magic != MAGIC or not BODY.size <= length <= SLOT_SIZE or len(body) != length or crc32(body) != crc:
        return None
    owner = Identity(fields[17].decode("utf-8", "replace").rstrip(), fields[16])
    state = BootstrapState(fields[2], fields[3], bool(fields[4]), owner)
    state.sequence = fields[1]
    state.copies = fields[5]
    state.clean = bool(fields[6])
    state.life = fields[8]
    state.checkpoint = LogAddress(fields[9])
    state.needed = LogAddress(fields[10])
    state.media = LogAddress(fields[11])
    state.durable = fields[12]
    state.end = fields[13]
    extents, archives = fields[14], fields[15]
    if BODY.size + extents * EXTENT.size + archives * ARCHIVE.size != length:
        return None
    offset = BODY.size
    for _ in range(extents):
        slot, number = EXTENT.unpack_from(body, offset)
        state.extents[slot] = number
        offset += EXTENT.size
    for _ in range(archives):
        number, archive_crc = ARCHIVE.unpack_from(body, offset)
        state.archives[number] = archive_crc
        offset += ARCHIVE.size
    return state


class Bootstrap:
    """The state and the files that hold it; `lock` guards every change and save."""

    def __init__(self, state: BootstrapState, files: list[BehindHeader]) -> None:
        self.state = state
        self.lock = threading.Lock()
        self.saves = 0
        self._files = files

    def save(self) -> None:
        """Make the state durable; the caller holds the lock."""
        state = self.state
        state.sequence += 1
        lowest = min((number for number in state.extents.values() if number != FREE), default=0)
        while len(state.archives) > ARCHIVES_LIMIT and min(state.archives) < lowest:
            del state.archives[min(state.archives)]
        data = state.encode()
        if len(data) > SLOT_SIZE:
            raise LogError(f"the bootstrap file holds at most {SLOT_SIZE} bytes, and {len(data)} are needed")
        for slot in (0, SLOT_SIZE):
            for file in self._files:
                file.pwrite(data, slot)
                file.sync()
        self.saves += 1

    def close(self) -> None:
        """Close the files."""
        for file in self._files:
            file.close()


def bootstrap_path(directory: str) -> str:
    """Return the path of the bootstrap file of a copy."""
    return posixpath.join(directory, FILE_NAME)


def create_bootstrap(disk: Disk, directories: list[str], state: BootstrapState) -> None:
    """Make the bootstrap files of a new log; the log exists once the first of them has its name."""
    for directory in directories:
        file = draft(disk, bootstrap_path(directory), header_page(BOOTSTRAP, state.owner))
        file.allocate(2 * SLOT_SIZE)
        bootstrap = Bootstrap(state, [file])
        bootstrap.save()
        bootstrap.close()
    for directory in directories:
        path = bootstrap_path(directory)
        disk.rename(path + ".NEW", path)
        disk.sync_directory(directory)


def read_bootstrap(disk: Disk, directories: list[str], notices: Notices) -> tuple[BootstrapState, list[int]]:
    """Return the state of an existing log, and the indexes of the copies that are out of date.

    `directories` are those of the copies the log is to have now. The newest whole slot of all files wins. A copy is out
    of date where its file is missing, damaged or more than one save behind, or where it was not written last time.
    """
    paths = [bootstrap_path(directory) for directory in directories]
    best: BootstrapState | None = None
    states: list[BootstrapState | None] = []
    damaged: list[str] = []
    for path in paths:
        newest, whole = _read(disk, path)
        if not whole:
            damaged.append(path)
        states.append(newest)
        if newest is not None and (best is None or newest.sequence > best.sequence):
            best = newest
    if best is None:
        if not damaged:
            raise LogError(f"there is no log: {paths[0]} does not exist")
        raise LogDamaged(damaged[0], 0, "no slot of the bootstrap file is whole")
    stale = []
    for index, state in enumerate(states):
        if state is not None and state.log_id != best.log_id:
            raise LogError(f"{paths[index]} belongs to another log than the other copy; move one of them away")
        if state is None or state.sequence + 1 < best.sequence or index >= best.copies:
            stale.append(index)
    for path in damaged:
        notices.tell(BOOTSTRAP_REPAIRED, (), (path,))
    return best, stale


def open_bootstrap(disk: Disk, directories: list[str], state: BootstrapState) -> Bootstrap:
    """Return the bootstrap of the copies the log is to have now; files that are missing are made.

    The name of a new file becomes durable with the log files in its directory, which are then made again, too.
    """
    files: list[BehindHeader] = []
    for directory in directories:
        disk.make_directory(directory)
        path = bootstrap_path(directory)
        if disk.exists(path):
            files.append(BehindHeader(disk.open(path)))
            continue
        file = draft(disk, path, header_page(BOOTSTRAP, state.owner))
        file.allocate(2 * SLOT_SIZE)
        files.append(publish(disk, path, file))
    return Bootstrap(state, files)


def bootstrap_owner(disk: Disk, directory: str) -> Identity | None:
    """Give the owner that the header of a bootstrap file names, None where it is damaged; refuse any other file."""
    path = bootstrap_path(directory)
    return read_header(path, first_page(disk, path), BOOTSTRAP, 0, lambda: _read(disk, path)[0] is not None)


def _read(disk: Disk, path: str) -> tuple[BootstrapState | None, bool]:
    """Return the newest state in a file, and whether the file is not damaged: whole, or missing."""
    if not disk.exists(path):
        return None, True
    file = BehindHeader(disk.open(path))
    try:
        states = []
        for slot in (0, SLOT_SIZE):
            try:
                state = decode(file.pread(SLOT_SIZE, slot))
            except DiskError:
                state = None
            if state is not None:
                states.append(state)
    finally:
        file.close()
    return max(states, key=lambda state: state.sequence, default=None), len(states) == 2
