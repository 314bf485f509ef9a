"""Dump files: the messages of a queue as lines of text, with the letters and codes of MQ's own unload files.

    * Kew dump 1 of APP.QUEUE on QM1, QMID QM1_2026-11-19_15... a comment; this one promises checks and an end
    N                                                           a message begins
    A VER 2                                                     a field of its descriptor: three letters and a value
    A FMT MQSTR                                                 texts without the blanks at their end
    A PAN X'C1C2'                                               in hexadecimal where they are not plain text
    A MSI 414D51...                                             identifiers always in hexadecimal
    X 48656C6C6F                                                a piece of the message's data in hexadecimal
    T Hello                                                     a piece of the data that is plain text
    * Check 1 8A1F03C2                                          message 1: CRC-32 of its descriptor (364 bytes) and data
    * End 1                                                     so many messages; nothing follows

Fields that are left out have MQ's defaults, so a file can be written by hand, without the first line, the checks and
the end. If the file has the first line, all checks and the end must be present and right, so that a file that was cut
short or changed is refused before any of its messages is used. Lines are at most 128 KB long; a reader holds one
message at a time.
"""

import re
import zlib
from collections.abc import Callable, Iterator
from typing import BinaryIO, Final

from kew.formats.binary import FormatError
from kew.formats.mqmd import MessageDescriptor, encode

LONGEST_LINE: Final = 128 << 10
LONGEST_MESSAGE: Final = 100 << 20
_WIDTH: Final = 4096  # bytes of data in a line that is written
_TITLE: Final = b"* Kew dump 1 "
_ANY_TITLE: Final = b"* Kew dump "
_CHECK: Final = re.compile(rb"\* Check (\d{1,18}) ([0-9A-F]{8})\Z")
_END: Final = re.compile(rb"\* End (\d{1,18})\Z")
_HEXADECIMAL: Final = re.compile(rb"X'((?:[0-9A-Fa-f]{2})*)'\Z")
_PLAIN: Final = re.compile(rb"[ -~]*\Z")

NUMBER: Final = "number"
TEXT: Final = "text"
BYTES: Final = "bytes"
# The fields of a descriptor in their order: code, attribute, kind, width in bytes.
FIELDS: Final = (
    (b"RPT", "report", NUMBER, 4),
    (b"MST", "message_type", NUMBER, 4),
    (b"EXP", "expiry", NUMBER, 4),
    (b"FDB", "feedback", NUMBER, 4),
    (b"ENC", "encoding", NUMBER, 4),
    (b"CCS", "ccsid", NUMBER, 4),
    (b"FMT", "format", TEXT, 8),
    (b"PRI", "priority", NUMBER, 4),
    (b"PER", "persistence", NUMBER, 4),
    (b"MSI", "message_id", BYTES, 24),
    (b"COI", "correlation_id", BYTES, 24),
    (b"BOC", "backout_count", NUMBER, 4),
    (b"RTQ", "reply_to_queue", TEXT, 48),
    (b"RTM", "reply_to_queue_manager", TEXT, 48),
    (b"USR", "user_identifier", TEXT, 12),
    (b"ACC", "accounting_token", BYTES, 32),
    (b"AIX", "application_identity_data", TEXT, 32),
    (b"PAT", "put_application_type", NUMBER, 4),
    (b"PAN", "put_application_name", TEXT, 28),
    (b"PTD", "put_date", TEXT, 8),
    (b"PTT", "put_time", TEXT, 8),
    (b"AOX", "application_origin_data", TEXT, 4),
    (b"GRP", "group_id", BYTES, 24),
    (b"MSQ", "sequence_number", NUMBER, 4),
    (b"OFF", "offset", NUMBER, 4),
    (b"MSF", "message_flags", NUMBER, 4),
    (b"ORL", "original_length", NUMBER, 4),
)
_BY_CODE: Final = {code: (attribute, kind, width) for code, attribute, kind, width in FIELDS}


class DumpError(Exception):
    """The error of an invalid or damaged dump; the text names the line."""

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(f"line {line}: {problem}")
        self.line = line


def _check(descriptor: MessageDescriptor, data: bytes) -> int:
    return zlib.crc32(data, zlib.crc32(encode(descriptor)))


class DumpWriter:
    """The writer of a dump; it calls `write` with the bytes of whole lines."""

    def __init__(self, write: Callable[[bytes], object], title: str, readable: bool = False) -> None:
        self.count = 0
        self._write = write
        self._readable = readable
        write(_TITLE + title.replace("\n", " ").encode() + b"\n")

    def add(self, descriptor: MessageDescriptor, data: bytes) -> None:
        """Write one message."""
        descriptor.pad()
        lines = [b"N", b"A VER 2"]
        lines.extend([b"A %s %s" % (code, _spell(kind, getattr(descriptor, name))) for code, name, kind, _ in FIELDS])
        self._write(b"\n".join(lines) + b"\n")
        plain = self._readable and _PLAIN.match(data)
        for begin in range(0, len(data), _WIDTH):
            piece = data[begin : begin + _WIDTH]
            self._write(b"T %s\n" % piece if plain else b"X %s\n" % piece.hex().upper().encode())
        self.count += 1
        self._write(b"* Check %d %08X\n" % (self.count, _check(descriptor, data)))

    def finish(self) -> None:
        """Write the last line, without which the file counts as damaged."""
        self._write(b"* End %d\n" % self.count)


def _spell(kind: str, value: object) -> bytes:
    if isinstance(value, int):
        return b"%d" % value
    assert isinstance(value, bytes)
    if kind == BYTES:
        return value.hex().upper().encode()
    text = value.rstrip(b" ")
    if _PLAIN.match(text) and not text.startswith((b" ", b"X'")):
        return text
    return b"X'%s'" % value.hex().upper().encode()


class DumpReader:
    """The reader of a dump, an iterable of its messages; raises DumpError if the file is not valid."""

    def __init__(self, file: BinaryIO) -> None:
        self.line = 0  # of the line read last
        self.count = 0  # messages so far
        self._file = file
        self._promised = False  # the file says that it has checks and an end
        self._ended = False
        self._descriptor: MessageDescriptor | None = None
        self._pieces: list[bytes] = []
        self._length = 0
        self._checked = False

    def __iter__(self) -> Iterator[tuple[MessageDescriptor, bytes]]:
        while True:
            line = self._next_line()
            if line is None:
                if self.line == 0:
                    raise DumpError(1, "an empty file is not a dump; a dump of no messages has a first and a last line")
                break
            done = self._take(line)
            if done is not None:
                yield done
        last = self._finish()
        if last is not None:
            yield last
        if self._promised and not self._ended:
            raise DumpError(self.line + 1, "the file ends here, without its line '* End'")

    def _next_line(self) -> bytes | None:
        line = self._file.readline(LONGEST_LINE + 1)
        if not line:
            return None
        self.line += 1
        if len(line) > LONGEST_LINE:
            raise DumpError(self.line, f"a line of a dump has at most {LONGEST_LINE} bytes")
        line = line.removesuffix(b"\n").removesuffix(b"\r")
        if self.line == 1 and line.startswith(_ANY_TITLE):
            if not line.startswith(_TITLE):
                version = line.removeprefix(_ANY_TITLE).partition(b" ")[0]
                raise DumpError(
                    1,
                    f"the dump has version {_shown(version)}, and version 1 was expected; "
                    "read it with the version of Kew that wrote it",
                )
            self._promised = True
        return line

    def _take(self, line: bytes) -> tuple[MessageDescriptor, bytes] | None:
        """Process one line; gives the message before it if the line ends that message, else None."""
        if self._ended and line.strip():
            raise DumpError(self.line, "nothing may follow the line '* End'")
        kind, rest = line[:2].rstrip(), line[2:]
        if kind in (b"", b"*") or line.startswith(b"*"):
            return self._comment(line)
        if kind == b"N" and not rest.strip():
            done = self._finish()
            self._begin()
            return done
        if kind not in (b"A", b"X", b"T"):
            raise DumpError(self.line, f"{_shown(line)} is not a valid line of a dump; they begin with N, A, X, T or *")
        if self._descriptor is None:
            self._begin()
        if self._checked:
            raise DumpError(self.line, "a line of a message after its check; a new one begins with N")
        if kind == b"A":
            self._field(rest)
        else:
            self._data(rest if kind == b"T" else self._from_hexadecimal(rest))
        return None

    def _begin(self) -> None:
        self._descriptor = MessageDescriptor()
        self._pieces = []
        self._length = 0
        self._checked = False

    def _finish(self) -> tuple[MessageDescriptor, bytes] | None:
        descriptor = self._descriptor
        if descriptor is None:
            return None
        if self._promised and not self._checked:
            raise DumpError(self.line, f"message {self.count + 1} has no line '* Check'")
        self.count += 1
        self._descriptor = None
        return descriptor, b"".join(self._pieces)

    def _comment(self, line: bytes) -> tuple[MessageDescriptor, bytes] | None:
        if not self._promised:
            return None
        check = _CHECK.match(line)
        if check:
            self._verify(int(check[1]), int(check[2], 16))
        end = _END.match(line)
        if end is None:
            return None
        done = self._finish()
        if int(end[1]) != self.count:
            raise DumpError(self.line, f"the dump had {int(end[1])} messages, and {self.count} are here")
        self._ended = True
        return done

    def _verify(self, number: int, check: int) -> None:
        if self._descriptor is None:
            raise DumpError(self.line, "a check without a message")
        if number != self.count + 1:
            raise DumpError(self.line, f"message {self.count + 1} is missing; here is message {number}")
        if _check(self._descriptor, b"".join(self._pieces)) != check:
            raise DumpError(self.line, f"message {number} was changed or damaged: its check is wrong")
        self._checked = True

    def _field(self, rest: bytes) -> None:
        code, _, value = rest.partition(b" ")
        if code == b"VER":
            if value not in (b"1", b"2"):
                raise DumpError(self.line, f"VER is 1 or 2, not {_shown(value)}")
            return
        found = _BY_CODE.get(code)
        if found is None:
            raise DumpError(self.line, f"{_shown(code)} is not a valid field of a message descriptor")
        attribute, kind, width = found
        try:
            setattr(self._descriptor, attribute, _parse(kind, value, width))
        except (ValueError, FormatError) as problem:
            what = {NUMBER: "a whole number", TEXT: "a text", BYTES: "hexadecimal"}[kind]
            wanted = f"{what} of at most {width} bytes"
            raise DumpError(self.line, f"{code.decode()} must be {wanted}, not {_shown(value)}") from problem

    def _from_hexadecimal(self, text: bytes) -> bytes:
        try:
            return bytes.fromhex(text.decode("ascii"))
        except ValueError:
            raise DumpError(self.line, f"{_shown(text)} is not hexadecimal") from None

    def _data(self, piece: bytes) -> None:
        self._length += len(piece)
        if self._length > LONGEST_MESSAGE:
            raise DumpError(self.line, f"a message has at most {LONGEST_MESSAGE} bytes")
        self._pieces.append(piece)


def _parse(kind: str, value: bytes, width: int) -> int | bytes:
    if kind == NUMBER:
        number = int(value) if len(value) <= 11 else 1 << 31
        if not -(1 << 31) <= number < 1 << 31:
            raise ValueError(value)
        return number
    if kind == BYTES:
        field = bytes.fromhex(value.decode("ascii"))
        if len(field) > width:
            raise ValueError(value)
        return field.ljust(width, b"\0")
    hexadecimal = _HEXADECIMAL.match(value)
    field = bytes.fromhex(hexadecimal[1].decode()) if hexadecimal else value.rstrip(b" ")
    if len(field) > width:
        raise ValueError(value)
    return field.ljust(width, b" ")


def _shown(text: bytes) -> str:
    return repr(text[:40].decode("ascii", "replace"))
