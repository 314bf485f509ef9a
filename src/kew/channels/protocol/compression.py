"""Compression of what a channel carries, by the methods two ends have agreed on.

The receiver states how long the result may be; a result of any other length is refused, and no method ever makes more
than that limit, so that a few bytes cannot become gigabytes. Run-length encoding is a byte count n followed by n + 1
bytes as they are (n < 128), or by one byte that stands for 257 - n of them (n > 128).
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
_RUN: Final = re.compile(rb"(.)\1{2,127}", re.DOTALL)


def compress(method: int, data: bytes) -> bytes:
    """The data in the form of a method; it may be longer than the data, and the caller then sends that as it is."""
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
    if method == RLE:
        return _run_lengths(data)
    raise ValueError(f"compression method {method} is none of {NAMES}")


def expand(method: int, data: bytes, length: int, limit: int) -> bytes:
    """The data that was compressed, which must have the stated length; that may not pass the limit."""
    if length < 0 or length > limit:
        raise ProtocolError(0, f"data of at most {limit} bytes once expanded", length, MESSAGE_LENGTH_ERROR)
    if method in (ZLIBFAST, ZLIBHIGH):
        result = _inflate(data, length)
    elif method in (LZ4FAST, LZ4HIGH):
        result = _unpack(data, length)
    elif method == RLE:
        result = _expand_runs(data, length)
    else:
        raise ProtocolError(0, "a compression method that was agreed", method)
    if len(result) != length:
        raise ProtocolError(0, f"{length} bytes once expanded", len(result), MESSAGE_LENGTH_ERROR)
    return result


def _inflate(data: bytes, length: int) -> bytes:
    inflater = isal_zlib.decompressobj()
    try:
        result: bytes = inflater.decompress(data, length + 1)
    except _IsalError as problem:
        raise ProtocolError(0, "data that zlib can expand", str(problem), INVALID_DATA) from None
    if not inflater.eof or inflater.unused_data:
        raise ProtocolError(0, f"zlib data that ends after {length} bytes", len(result), MESSAGE_LENGTH_ERROR)
    return result


def _unpack(data: bytes, length: int) -> bytes:
    if length == 0:
        if data not in (b"", b"\0"):
            raise ProtocolError(0, "no data", len(data), MESSAGE_LENGTH_ERROR)
        return b""
    try:
        result: bytes = lz4.block.decompress(data, uncompressed_size=length)
    except lz4.block.LZ4BlockError as problem:
        raise ProtocolError(0, f"LZ4 data of {length} bytes", str(problem), INVALID_DATA) from None
    return result


def _run_lengths(data: bytes) -> bytes:
    out = bytearray()
    position = 0
    for run in _RUN.finditer(data):
        _literal(data, position, run.start(), out)
        out.append(257 - (run.end() - run.start()))
        out += run.group(1)
        position = run.end()
    _literal(data, position, len(data), out)
    return bytes(out)


def _literal(data: bytes, position: int, end: int, out: bytearray) -> None:
    while position < end:
        size = min(end - position, 128)
        out.append(size - 1)
        out += data[position : position + size]
        position += size


def _expand_runs(data: bytes, length: int) -> bytes:
    out = bytearray()
    position = 0
    end = len(data)
    while position < end:
        count = data[position]
        position += 1
        if count < 128:
            if position + count + 1 > end:
                raise ProtocolError(position, f"{count + 1} bytes", end - position, MESSAGE_LENGTH_ERROR)
            out += data[position : position + count + 1]
            position += count + 1
        elif count > 128:
            if position >= end:
                raise ProtocolError(position, "the byte that is repeated", 0, MESSAGE_LENGTH_ERROR)
            out += data[position : position + 1] * (257 - count)
            position += 1
        else:
            raise ProtocolError(position - 1, "a count other than 128", count)
        if len(out) > length:
            raise ProtocolError(position, f"{length} bytes once expanded", len(out), MESSAGE_LENGTH_ERROR)
    return bytes(out)


class CompressionRate:
    """How much of what a channel carried compression saved: the COMPRATE of its status."""

    def __init__(self) -> None:
        self.before: int = 0
        self.after: int = 0
        self._recent_before: float = 0.0
        self._recent_after: float = 0.0

    def count(self, before: int, after: int) -> None:
        """Add one message: its length, and that of what was sent for it."""
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
