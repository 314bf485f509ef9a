"""The header of a queue manager's files: the format of a file, its version, and its queue manager.

A file of text has its header in the first line, as a comment. A file that is written by hand may leave the identity
out:

    # Kew qm.ini 2 of queue manager QM1, identity 000102030405060708090a0b0c0d0e0f

The first page of a binary file is a page of kind HEADER, and begins alike in every version of every format:

    offset  bytes  field
         0     32  page header, as each page of a page set has it
        32     16  format name, such as "Kew page set", padded with blanks
        48      2  version of the format
        50      2  unused
        52      4  number: of the page set, the log file or the archived extent; 0 for other files
        56     16  identity of the queue manager, drawn when it was made
        72     48  name of the queue manager, padded with blanks
       120      4  crc32 of bytes 32 to 119
       124      4  unused
       128         the format's own fields

The first 128 bytes are written once, so no write that a crash cuts short can change them. A file is refused
(`FileRefused`) where these bytes name another format, version or owner, and where they are not a header at all. They
count as damaged only where the format name can still be recognised (at most two bytes of it differ), or where the page
is blank and the pages behind it are of this format; then the file is treated as each format treats damage.
`docs/design/formats.md` has the policy.
"""

import posixpath
import re
import secrets
from collections.abc import Callable
from struct import Struct
from typing import Final

from kew.storage.checksum import crc32
from kew.storage.disk import Disk, File
from kew.storage.page import HEADER, PAGE_HEADER, PAGE_HEADER_SIZE, PAGE_SIZE

KEY_LENGTH: Final = 16
BODY: Final = 128  # where a format's own fields begin
_FIELDS: Final = Struct("<16sHxxI16s48s")
_CRC: Final = Struct("<I")
_NAME_END: Final = PAGE_HEADER_SIZE + 16
_CHECKED_END: Final = PAGE_HEADER_SIZE + _FIELDS.size  # the checksum covers the bytes before it, and follows them
_BLANK: Final = bytes(PAGE_SIZE)
_DIFFERENCES: Final = 2  # bytes of a format name that damage may have changed
_FIRST_LINE: Final = re.compile(
    r"# (?P<title>Kew [a-z.]+) (?P<version>\d{1,9})"
    r"( of queue manager (?P<name>[^\s,]*)(, identity (?P<key>[0-9a-f]{32}))?)?"
)


class Identity:
    """The identity of a queue manager: its name, and a key that is different for each queue manager."""

    def __init__(self, name: str, key: bytes) -> None:
        self.name = name
        self.key = key

    @staticmethod
    def new(name: str) -> "Identity":
        """Draw the identity of a new queue manager."""
        return Identity(name, secrets.token_bytes(KEY_LENGTH))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Identity) and self.name == other.name and self.key == other.key

    def __hash__(self) -> int:
        return hash((self.name, self.key))

    def __str__(self) -> str:
        return f"queue manager {self.name} ({self.key.hex()})" if self.key else f"queue manager {self.name}"


NOBODY: Final = Identity("", bytes(KEY_LENGTH))  # of files that no queue manager has


class Format:
    """A file format: its name, its current version, and the first bytes of files of version 1, which had no header."""

    def __init__(self, name: str, version: int, first: bytes = b"", first_at: int = 0) -> None:
        self.name = name
        self.version = version
        self._first = first
        self._first_at = first_at

    def is_version_1(self, page: bytes) -> bool:
        """Say whether a page is the first of a file of version 1."""
        return bool(self._first) and page[self._first_at : self._first_at + len(self._first)] == self._first

    def __str__(self) -> str:
        return f"'{self.name}' of version {self.version}"


PAGE_SET: Final = Format("Kew page set", 2, b"KEWPSET1", 32)
DOUBLE_WRITE: Final = Format("Kew doublewrite", 2)
BOOTSTRAP: Final = Format("Kew bootstrap", 2, b"KEWBOOT1")
LOG_FILE: Final = Format("Kew log file", 2, b"LK\x01", 4)
ARCHIVE: Final = Format("Kew log archive", 2, b"LK\x01", 4)
CONFIGURATION: Final = Format("Kew qm.ini", 2)
USERS: Final = Format("Kew users", 2)
BACKUP: Final = Format("Kew backup", 2)  # its manifest

_PUT_BACK: Final = "Put the file that belongs there back in its place. Where it is lost, move this one away first"
_OTHER_VERSION: Final = (
    "Use the version of Kew that wrote the file. To change to this version, write the queues to files with its "
    "'kew dump' and read them with 'kew load' into a new queue manager"
)


class FileRefused(Exception):
    """The error for a file that does not belong in its place and was not changed: found, expected, remedy."""

    def __init__(self, path: str, found: str, expected: str, remedy: str = _PUT_BACK) -> None:
        super().__init__(f"{path}: found {found}, expected {expected}. {remedy}.")
        self.path = path
        self.found = found
        self.expected = expected
        self.remedy = remedy

    def inserts(self) -> tuple[tuple[int, ...], tuple[str, str, str, str]]:
        """Give the inserts of message CSQY909E."""
        return (), (self.path, self.found, self.expected, self.remedy)


def header_page(kind: Format, identity: Identity, number: int = 0, fields: bytes = b"") -> bytes:
    """Make the header page of a file."""
    page = bytearray(PAGE_SIZE)
    PAGE_HEADER.pack_into(page, 0, 0, HEADER, number & 0xFFFF, 0, 0, 0)
    name = identity.name.encode().ljust(48)
    _FIELDS.pack_into(page, PAGE_HEADER_SIZE, kind.name.encode().ljust(16), kind.version, number, identity.key, name)
    _CRC.pack_into(page, _CHECKED_END, crc32(page[PAGE_HEADER_SIZE:_CHECKED_END]))
    page[BODY : BODY + len(fields)] = fields
    _CRC.pack_into(page, 0, crc32(page[_CRC.size :]))
    return bytes(page)


def read_header(path: str, page: bytes, kind: Format, number: int, behind: Callable[[], bool]) -> Identity | None:
    """Give the owner that a file's header names, None if the header is damaged; FileRefused for another file.

    `behind` says whether the pages behind the header are of the format; it is called where the header is blank.
    """
    wanted = f"{kind}"
    if not page:
        raise FileRefused(path, "an empty file", wanted)
    if kind.is_version_1(page):
        raise FileRefused(path, f"'{kind.name}' of version 1", wanted, _OTHER_VERSION)
    if len(page) >= BODY and crc32(page[PAGE_HEADER_SIZE:_CHECKED_END]) == _CRC.unpack_from(page, _CHECKED_END)[0]:
        name, version, its_number, key, owner = _FIELDS.unpack_from(page, PAGE_HEADER_SIZE)
        title = name.decode("ascii", "replace").rstrip()
        if title != kind.name:
            raise FileRefused(path, f"'{title}' of version {version}", wanted)
        if version != kind.version:
            raise FileRefused(path, f"'{title}' of version {version}", wanted, _OTHER_VERSION)
        if its_number != number:
            raise FileRefused(path, f"'{title}' number {its_number}", f"'{title}' number {number}")
        return Identity(owner.decode("utf-8", "replace").rstrip(), key)
    found = page[PAGE_HEADER_SIZE:_NAME_END]
    differences = sum([one != other for one, other in zip(found, kind.name.encode().ljust(16), strict=False)])
    if len(found) == 16 and differences <= _DIFFERENCES:
        return None
    if not any(page):
        if behind():
            return None
        raise FileRefused(path, "zeros", wanted)
    raise FileRefused(path, f"an unknown format that begins with {page[:16]!r}", wanted)


def check_owner(path: str, found: Identity, expected: Identity) -> None:
    """Refuse a file of another queue manager."""
    if found != expected:
        remedy = f"Put the file of queue manager {expected.name} back in its place"
        raise FileRefused(path, f"a file of {found}", f"one of {expected}", remedy)


def text_header(kind: Format, owner: Identity) -> str:
    """Give the first line of a file of text."""
    return f"# {kind.name} {kind.version} of queue manager {owner.name}, identity {owner.key.hex()}\n"


def check_text(path: str, data: bytes, kind: Format, name: str = "", key: bytes = b"") -> None:
    """Refuse a file of text by the format and version in its first line, and by name and identity if they are given."""
    line = data.removeprefix(b"\xef\xbb\xbf").partition(b"\n")[0].decode("utf-8", "replace").strip()
    wanted = f"# {kind.name} {kind.version} of queue manager {name or 'NAME'}"
    found = _FIRST_LINE.fullmatch(line)
    if not data.strip():
        raise FileRefused(path, "an empty file", f"a first line '{wanted}'")
    if found is None or (line.startswith(f"# {kind.name} {kind.version}") and found["name"] is None):
        remedy = f"If the file is meant for this queue manager, begin it with the line '{wanted}'"
        raise FileRefused(path, f"a file that begins with '{line[:60]}'", f"a first line '{wanted}'", remedy)
    if found["title"] != kind.name:
        raise FileRefused(path, f"'{found['title']}' of version {found['version']}", f"{kind}")
    if found["version"] != str(kind.version):
        raise FileRefused(path, f"'{kind.name}' of version {found['version']}", f"{kind}", _OTHER_VERSION)
    if (name and found["name"] != name) or (key and found["key"] and found["key"] != key.hex()):
        other = Identity(found["name"], bytes.fromhex(found["key"] or ""))
        check_owner(path, other, Identity(name, key))


class BehindHeader:
    """A file without its header page: offset 0 is the first byte behind the header page."""

    def __init__(self, file: File) -> None:
        self.path = file.path
        self._file = file

    def pread(self, length: int, offset: int) -> bytes:
        """Return `length` bytes from `offset`; fewer only at the end of the file."""
        return self._file.pread(length, offset + PAGE_SIZE)

    def pwrite(self, data: bytes, offset: int) -> None:
        """Write all of `data` at `offset`, growing the file where needed."""
        self._file.pwrite(data, offset + PAGE_SIZE)

    def sync(self) -> None:
        """Make every write so far, and the size, durable."""
        self._file.sync()

    def size(self) -> int:
        """Return the size in bytes."""
        return max(0, self._file.size() - PAGE_SIZE)

    def truncate(self, size: int) -> None:
        """Set the size in bytes."""
        self._file.truncate(size + PAGE_SIZE)

    def allocate(self, size: int) -> None:
        """Grow the file to `size` with its blocks reserved: a full device raises ENOSPC here, not at a later write."""
        self._file.allocate(size + PAGE_SIZE)

    def close(self) -> None:
        """Close the file, without making anything durable."""
        self._file.close()

    def write_header(self, page: bytes) -> None:
        """Write the header page; `sync` follows."""
        self._file.pwrite(page, 0)


def draft(disk: Disk, path: str, page: bytes) -> BehindHeader:
    """Begin a file under a temporary name, with its header only; `publish` gives the file its name."""
    file = disk.open(path + ".NEW", create=True)
    file.truncate(0)
    file.pwrite(page, 0)
    return BehindHeader(file)


def publish(disk: Disk, path: str, file: BehindHeader) -> BehindHeader:
    """Give a complete draft its name, durably, and open it."""
    file.sync()
    file.close()
    disk.rename(path + ".NEW", path)
    disk.sync_directory(posixpath.dirname(path))
    return BehindHeader(disk.open(path))


def first_page(disk: Disk, path: str) -> bytes:
    """Read the first page of a file; fewer bytes where the file ends before."""
    file = disk.open(path)
    try:
        return file.pread(PAGE_SIZE, 0)
    finally:
        file.close()
