"""Compression on a channel, by the methods that the two ends have agreed on.

The receiver states how long the result may be, and no method produces more, so that a few bytes cannot become
gigabytes. Run-length encoding, which also serves for headers, writes a run as AB, the byte and the length of the run;
other bytes stay as they are, and an AB in the data is written twice.

IBM's clients from 9.4 on pad compressed data with zeros to a multiple of 4: up to three zeros are ignored after a zlib
stream, and after an LZ4 block whose length is known. Run-length encoded data has no end mark; `packing.py` cuts the
padding.
"""

import re
import zlib
from typing import Final, cast

import lz4.block
from isal import isal_zlib

from kew.channels.protocol.errors import ProtocolError
from kew.channels.protocol.status import INVALID_DATA, MESSAGE_LENGTH_ERROR

NONE: Final = 0
RLE: Final = 1
ZLIBFAST: Final = 2
ZLIBHIGH: Final = 4
SYSTEM: Final = 8
LZ4FAST: Final = 16
LZ4HIGH: Final = 32
MESSAGE_METHODS: Final = (RLE, ZLIBFAST, ZLIBHIGH, LZ4FAST, LZ4HIGH)

MOST_PADDING: Final = 3  # zeros behind compressed data

NAMES: Final[dict[int, str]] = {
    NONE: "NONE",
    RLE: "RLE",
    ZLIBFAST: "ZLIBFAST",
    ZLIBHIGH: "ZLIBHIGH",
    SYSTEM: "SYSTEM",
    LZ4FAST: "LZ4FAST",
    LZ4HIGH: "LZ4HIGH",
}

# The library's annotations give its exception the type of an instance.
_IsalError: Final = cast(type[Exception], isal_zlib.IsalError)
_RUN: Final = re.compile(rb"\xab|([^\xab])\1{3,254}", re.DOTALL)


def compress(method: int, data: bytes) -> bytes:
    """Compress data with a method; a result longer than the data is possible, and then the data is sent as it is."""
    if method == LZ4FAST:
        packed: bytes = lz4.block.compress(data, mode="default", store_size=False)
        return packed
    if method == ZLIBFAST:
        # The assembler library is as small as zlib at its first level, and several times as fast.
        small: bytes = isal_zlib.compress(data, 1)
        return small
    if method == LZ4HIGH:
        tight: bytes = lz4.block.compress(data, mode="high_compression", compression=9, store_size=False)
        return tight
    if method == ZLIBHIGH:
        return zlib.compress(data, 9)
    if method in (RLE, SYSTEM):
        return _run_lengths(data)
    raise ValueError(f"compression method {method} is none of {NAMES}")


def expand(method: int, data: bytes, limit: int) -> bytes:
    """Expand compressed data; a result longer than the limit is refused before it is made."""
    if method in (ZLIBFAST, ZLIBHIGH):
        return _inflate(data, limit)
    if method in (LZ4FAST, LZ4HIGH):
        return _unpack(data, limit)
    if method in (RLE, SYSTEM):
        return _expand_runs(data, limit)
    raise ProtocolError(0, "a compression method that was agreed", method)


def _inflate(data: bytes, limit: int) -> bytes:
    inflater = isal_zlib.decompressobj()
    try:
        result: bytes = inflater.decompress(data, limit + 1)
    except _IsalError as problem:
        raise ProtocolError(0, "data that zlib can expand", str(problem), INVALID_DATA) from None
    if len(result) > limit:
        raise _too_long(limit)
    behind = bytes(inflater.unused_data)
    if not inflater.eof or len(behind) > MOST_PADDING or behind.strip(b"\0"):
        raise ProtocolError(0, "one whole zlib stream", f"{len(result)} bytes of it", MESSAGE_LENGTH_ERROR)
    return result


def _unpack(data: bytes, limit: int) -> bytes:
    padding = 0
    while True:
        try:
            result: bytes = lz4.block.decompress(data, uncompressed_size=limit)
        except lz4.block.LZ4BlockError as problem:
            # A block does not say where it ends; the padding makes it too long, or is not a valid sequence.
            padding += 1
            if padding > MOST_PADDING or not data.endswith(b"\0"):
                raise ProtocolError(0, f"LZ4 data of at most {limit} bytes", str(problem), INVALID_DATA) from None
            data = data[:-1]
        else:
            return result


def _run_lengths(data: bytes) -> bytes:
    out = bytearray()
    position = 0
    for run in _RUN.finditer(data):
        out += data[position : run.start()]
        out += b"\xab" + data[run.start() : run.start() + 1]
        if run[1] is not None:
            out.append(run.end() - run.start())
        position = run.end()
    out += data[position:]
    return bytes(out)


def _expand_runs(data: bytes, limit: int) -> bytes:
    out = bytearray()
    position = 0
    while True:
        found = data.find(b"\xab", position)
        if found < 0:
            out += data[position:]
            break
        out += data[position:found]
        if data[found + 1 : found + 2] == b"\xab":
            out.append(0xAB)
            position = found + 2
        elif found + 3 > len(data):
            raise ProtocolError(found, "a byte and its count", f"{len(data) - found - 1} bytes", MESSAGE_LENGTH_ERROR)
        else:
            out += data[found + 1 : found + 2] * data[found + 2]
            position = found + 3
        if len(out) > limit:
            raise _too_long(limit)
    if len(out) > limit:
        raise _too_long(limit)
    return bytes(out)


def _too_long(limit: int) -> ProtocolError:
    return ProtocolError(0, f"at most {limit} bytes once expanded", "more", MESSAGE_LENGTH_ERROR)


class CompressionRate:
    """The compression rate of a channel: COMPRATE of its status."""

    def __init__(self) -> None:
        self.before: int = 0
        self.after: int = 0
        self._recent_before: float = 0.0
        self._recent_after: float = 0.0

    def count(self, before: int, after: int) -> None:
        """Add one message: its length before compression, and the length sent."""
        self.before += before
        self.after += after
        # The last few dozen messages weigh most in the short-term figure.
        self._recent_before = self._recent_before * 0.96 + before
        self._recent_after = self._recent_after * 0.96 + after

    @property
    def percent(self) -> int:
        """The long-term rate, 0 to 100."""
        return _saved(float(self.before), float(self.after))

    @property
    def recent_percent(self) -> int:
        """The short-term rate, 0 to 100."""
        return _saved(self._recent_before, self._recent_after)


def _saved(before: float, after: float) -> int:
    if before <= 0.0 or after >= before:
        return 0
    return int(100.0 * (before - after) / before + 0.5)
