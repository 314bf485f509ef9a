"""Compressed dumps, read from their start to their end, or to the place where they are damaged.

Dumps are cut off when a transfer ends early. All bytes that can be unpacked before that place are given; then the error
is raised.
"""

import bz2
import gzip
import lzma
import zipfile
import zlib
from collections.abc import Callable
from typing import IO, BinaryIO, Final, Protocol, cast

import pyarrow as pa

from kew.analytics.smf.netdata import NetdataStream, is_netdata
from kew.analytics.smf.terse import TerseStream, is_tersed

MAGIC: Final = {
    b"\x1f\x8b": "gzip",
    b"BZh": "bz2",
    b"\xfd7zXZ\x00": "xz",
    b"\x28\xb5\x2f\xfd": "zstd",
    b"\x04\x22\x4d\x18": "lz4",
    b"PK\x03\x04": "zip",
}
# An encrypted member and an unknown way of compression are RuntimeErrors of zipfile.
BROKEN: Final = (EOFError, OSError, RuntimeError, zlib.error, lzma.LZMAError, zipfile.BadZipFile)

LONGEST_MAGIC: Final = 12

STEPS: Final = (1 << 20, 1 << 10, 1)  # bytes that Arrow is asked for at once, the smaller ones near a fault


class ByteStream(Protocol):
    """Bytes from a file, one read after the other."""

    def read(self, size: int, /) -> bytes:
        """Give the next bytes, at most `size`, and none at the end."""

    def close(self) -> None:
        """Close the file."""


class StandardStream:
    """A stream that the standard library unpacks."""

    def __init__(self, stream: "gzip.GzipFile | bz2.BZ2File | lzma.LZMAFile", file: BinaryIO) -> None:
        self._stream = stream
        self._file = file

    def read(self, size: int) -> bytes:
        """Give the next bytes by read1, which stops before a fault; read would lose the bytes that precede it."""
        return self._stream.read1(size)

    def close(self) -> None:
        """Close the file."""
        self._file.close()


class ArrowStream:
    """A stream that Arrow unpacks. When a read of Arrow fails, shorter reads are made up to the fault."""

    def __init__(self, reopen: Callable[[], BinaryIO], compression: str) -> None:
        self._reopen = reopen
        self._compression = compression
        self._given = 0
        self._step = 0  # which of STEPS
        self._stream = self._opened()

    def _opened(self) -> BinaryIO:
        return cast(
            BinaryIO, pa.CompressedInputStream(pa.PythonFile(self._reopen(), mode="r"), self._compression)
        )  # which closes the file

    def read(self, size: int) -> bytes:
        """Give the next bytes."""
        while True:
            try:
                data = bytes(self._stream.read(min(size, STEPS[self._step])))
            except BROKEN:
                if self._step + 1 == len(STEPS):
                    raise
                self._step += 1
                self._return_to(self._given)
            else:
                self._given += len(data)
                return data

    def _return_to(self, place: int) -> None:
        self._stream.close()
        self._stream = self._opened()
        while place:
            place -= len(self._stream.read(min(place, STEPS[0])))

    def close(self) -> None:
        """Close the file."""
        self._stream.close()


class ZipStream:
    """The files of a zip archive, one after the other in the archive's order."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._archive: zipfile.ZipFile | None = None
        self._left: list[zipfile.ZipInfo] = []
        self._member: IO[bytes] | None = None

    def read(self, size: int) -> bytes:
        """Give the next bytes."""
        if self._archive is None:
            self._archive = zipfile.ZipFile(self._file)  # which fails where its directory, at the end, is cut off
            self._left = [one for one in self._archive.infolist() if not one.is_dir()]
        while True:
            if self._member is None:
                if not self._left:
                    return b""
                self._member = self._archive.open(self._left.pop(0))
            data = self._member.read(min(size, STEPS[0]))
            if data:
                return data
            self._member = None

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def compression_of(start: bytes) -> str:
    """Give the name of a file's compression by its first bytes (LONGEST_MAGIC), empty for none."""
    if is_tersed(start):
        return "terse"
    if is_netdata(start):
        return "xmit"
    return next((name for magic, name in MAGIC.items() if start.startswith(magic)), "")


def unpacked(reopen: Callable[[], BinaryIO], compression: str) -> ByteStream:
    """Give the content of a file that `reopen` opens at its start."""
    if compression in ("zstd", "lz4"):
        return ArrowStream(reopen, compression)
    file = reopen()
    if compression == "gzip":
        return StandardStream(gzip.GzipFile(fileobj=file), file)
    if compression == "zip":
        return ZipStream(file)
    if compression == "bz2":
        return StandardStream(bz2.BZ2File(file), file)
    if compression == "xz":
        return StandardStream(lzma.LZMAFile(file), file)
    if compression == "terse":
        return TerseStream(file)
    if compression == "xmit":
        return NetdataStream(file)
    return file


def read_fully(stream: ByteStream, size: int) -> tuple[bytes, str]:
    """Give the next bytes, fewer only at the end, and the fault that ended them early, empty if there was none."""
    parts: list[bytes] = []
    wanted = size
    while wanted:
        try:
            part = bytes(stream.read(wanted))
        except BROKEN as problem:
            return b"".join(parts), f"the compressed data cannot be read on: {problem}"
        if not part:
            break
        parts.append(part)
        wanted -= len(part)
    return parts[0] if len(parts) == 1 else b"".join(parts), ""
