"""Conversion of message data to another character set and encoding: text, and MQ's built-in formats.

A format is a sequence of fields: characters, numbers of four bytes, and bytes that are not converted. Most formats are
headers, which give encoding, character set and format of the data behind them, as the descriptor does for the message.
Therefore headers are converted one after the other, and each then describes the converted data behind it. Data without
a format is not converted, and the description in its header stays.

Names in headers have one byte for a character, so no header can be in UTF-16. Where that is the target, headers are
converted to the queue manager's own character set and encoding, and the data behind them to the target's, which they
then describe: the message is partially converted. A format that does not describe the data behind it is not
converted to UTF-16.

A character that the target lacks becomes the target's substitute character. If a part of a message cannot be converted,
the caller gets the reason, and nothing of the message is converted.
"""

from typing import Final

from kew.codes import options as o
from kew.codes import reasons as r
from kew.formats import charset, mqrfh2, pcf
from kew.formats.binary import BIG, LITTLE, FormatError

UTF_16: Final = frozenset((1200, 1201, 1202, 13488, 17584))
OWN_CCSID: Final = charset.UTF_8  # of the queue manager
MOST_HEADERS: Final = 64
INHERIT: Final = -2  # MQCCSI_INHERIT: that of the structure before the data
_ORDERS: Final = (o.MQENC_INTEGER_NORMAL, o.MQENC_INTEGER_REVERSED)
_REPLACEMENT: Final = "\x1a"

CHARACTERS: Final = 0
NUMBER: Final = 1
RAW: Final = 2
# Of the data that follows a header:
ENCODING: Final = 3
CCSID: Final = 4
FORMAT: Final = 5

_C4: Final = (CHARACTERS, 4)
_C8: Final = (CHARACTERS, 8)
_C28: Final = (CHARACTERS, 28)
_C48: Final = (CHARACTERS, 48)
_I: Final = (NUMBER, 4)
_ID: Final = (RAW, 24)
_FOLLOWS: Final = ((ENCODING, 4), (CCSID, 4), (FORMAT, 8))

Fields = tuple[tuple[int, int], ...]


class Layout:
    """A format: its fields, its StrucId, and the reason code for data that is damaged."""

    def __init__(self, struc_id: str, fields: Fields, damaged: int, sized: bool = True) -> None:
        self.sized = sized  # its third field is StrucLength
        self.struc_id = struc_id
        self.fields = fields
        self.damaged = damaged
        self.length: int = sum([size for _, size in fields])


_DESCRIPTOR: Final[Fields] = (
    *(_C4, _I, _I, _I, _I, _I, *_FOLLOWS),
    *(_I, _I, _ID, _ID, _I, _C48, _C48, (CHARACTERS, 12), (RAW, 32), (CHARACTERS, 32), _I, _C28, _C8, _C8, _C4),
)
_HEAD: Final[Fields] = (_C4, _I, _I, *_FOLLOWS, _I)  # StrucId, Version, StrucLength, what follows, Flags
_CIH_1: Final[Fields] = (*_HEAD, *[_I] * 11, (RAW, 8), _C4, _C4, _C8, _C8, _C8, *[_C4] * 8, _C8, _C8)
LAYOUTS: Final[dict[bytes, tuple[Layout, ...]]] = {
    o.MQFMT_DEAD_LETTER_HEADER: (
        Layout("DLH ", (_C4, _I, _I, _C48, _C48, *_FOLLOWS, _I, _C28, _C8, _C8), r.MQRC_DLH_ERROR, False),
    ),
    o.MQFMT_MD_EXTENSION: (Layout("MDE ", (*_HEAD, _ID, _I, _I, _I, _I), r.MQRC_MDE_ERROR),),
    o.MQFMT_XMIT_Q_HEADER: (Layout("XQH ", (_C4, _I, _C48, _C48, *_DESCRIPTOR), r.MQRC_XQH_ERROR, False),),
    o.MQFMT_CICS: (
        Layout("CIH ", _CIH_1, r.MQRC_HEADER_ERROR),
        Layout("CIH ", (*_CIH_1, _I, _I, _I, _I), r.MQRC_HEADER_ERROR),
    ),
    o.MQFMT_IMS: (Layout("IIH ", (*_HEAD, _C8, _C8, _C8, _C8, (RAW, 16), _C4), r.MQRC_IIH_ERROR),),
    o.MQFMT_WORK_INFO_HEADER: (
        Layout("WIH ", (*_HEAD, (CHARACTERS, 32), _C8, (RAW, 16), (CHARACTERS, 32)), r.MQRC_WIH_ERROR),
    ),
    o.MQFMT_RF_HEADER_1: (Layout("RFH ", _HEAD, r.MQRC_RFH_ERROR),),
    o.MQFMT_RF_HEADER_2: (Layout("RFH ", (*_HEAD, _I), r.MQRC_RFH_ERROR),),
    o.MQFMT_REF_MSG_HEADER: (Layout("RMH ", (*_HEAD, _C8, _ID, *[_I] * 11), r.MQRC_RMH_ERROR),),
    o.MQFMT_DIST_HEADER: (Layout("DH  ", (*_HEAD, _I, _I, _I, _I), r.MQRC_DH_ERROR),),
}
TRIGGER: Final = Layout(
    "TM  ",
    (_C4, _I, _C48, _C48, (CHARACTERS, 64), _I, (CHARACTERS, 256), (CHARACTERS, 128), (CHARACTERS, 128)),
    r.MQRC_TM_ERROR,
)
# These headers do not describe the data behind them, which has the header's own character set and encoding.
_LIKE_THEMSELVES: Final = frozenset((o.MQFMT_CICS, o.MQFMT_IMS))
_PCF: Final = frozenset((o.MQFMT_ADMIN, o.MQFMT_EVENT, o.MQFMT_PCF))
# Fields of a put message record in a distribution header, by their bits.
_RECORD_FIELDS: Final = ((1, _ID), (2, _ID), (4, _ID), (8, _I), (16, (RAW, 32)))
_OBJECT_RECORD: Final[Fields] = (_C48, _C48)
_REFERENCES: Final = (64, 72, 80, 88)  # in a reference message header: offsets of the length and offset of each string
_ITEM_HEAD: Final = 4  # of an IMS variable string: LL, its length with these, and ZZ, which is IMS's
_LONGEST_ITEM: Final = 32767


class NotConverted(Exception):
    """The error for data that cannot be converted, with MQ's reason code."""

    def __init__(self, reason: int) -> None:
        super().__init__(reason)
        self.reason = reason


class Transcoding:
    """A conversion: source and target character set and encoding."""

    def __init__(self, ccsid: int, encoding: int, to_ccsid: int, to_encoding: int) -> None:
        self.ccsid = ccsid
        self.encoding = encoding
        self.to_ccsid = to_ccsid
        self.to_encoding = to_encoding
        self.order = order_of(encoding)
        self.to_order = order_of(to_encoding)
        if not charset.is_known(ccsid):
            raise NotConverted(r.MQRC_SOURCE_CCSID_ERROR)
        if not charset.is_known(to_ccsid):
            raise NotConverted(r.MQRC_TARGET_CCSID_ERROR)

    def text(self, data: bytes) -> bytes:
        """Convert characters; the result may have another length."""
        if self.ccsid == self.to_ccsid and (self.ccsid not in UTF_16 or self.order == self.to_order):
            return data
        try:
            text = charset.decode(data, self.ccsid, self.order)
        except FormatError as problem:
            raise NotConverted(r.MQRC_NOT_CONVERTED) from problem
        return encoded(text, self.to_ccsid, self.to_order)

    def field(self, data: bytes) -> bytes:
        """Convert the characters of a field of fixed width."""
        turned = self.text(data)
        blank = encoded(" ", self.to_ccsid, self.to_order)
        if len(turned) > len(data):  # neither what is behind a null nor a blank at the end is significant
            turned = turned.split(encoded("\0", self.to_ccsid, self.to_order), 1)[0]
            while len(turned) > len(data) and turned.endswith(blank):
                turned = turned[: -len(blank)]
        if len(turned) > len(data):
            raise NotConverted(r.MQRC_CONVERTED_STRING_TOO_BIG)
        return turned + blank * ((len(data) - len(turned)) // len(blank))

    def number(self, data: bytes) -> bytes:
        """Convert a number of four bytes to the byte order of the target."""
        return data if self.order == self.to_order else data[::-1]

    def value(self, data: bytes) -> int:
        """Read a number of four bytes, in the byte order of the source."""
        return int.from_bytes(data, "little" if self.order == LITTLE else "big", signed=True)

    def said(self, value: int) -> bytes:
        """Encode a number in four bytes, in the byte order of the target."""
        return value.to_bytes(4, "little" if self.to_order == LITTLE else "big", signed=True)


def order_of(encoding: int) -> str:
    """Give the byte order of an encoding."""
    return LITTLE if encoding & o.MQENC_INTEGER_MASK == o.MQENC_INTEGER_REVERSED else BIG


def encoded(text: str, ccsid: int, order: str) -> bytes:
    """Encode text in a character set, with a substitute for characters that the set lacks."""
    try:
        return charset.encode(text, ccsid, order)
    except FormatError:
        pass
    # Each different character is tried once, since the text may be long.
    lacking = [character for character in set(text) if not _has(character, ccsid, order)]
    try:
        return charset.encode(text.translate({ord(each): _REPLACEMENT for each in lacking}), ccsid, order)
    except FormatError as problem:  # it lacks the substitute too
        raise NotConverted(r.MQRC_NOT_CONVERTED) from problem


def _has(character: str, ccsid: int, order: str) -> bool:
    try:
        charset.encode(character, ccsid, order)
    except FormatError:
        return False
    return True


class Data:
    """Message data with its format, character set and encoding."""

    def __init__(self, format: bytes, ccsid: int, encoding: int, data: bytes) -> None:
        self.format = format
        self.ccsid = ccsid
        self.encoding = encoding
        self.data = data
        self.partial = False  # its headers are in the queue manager's character set, which was not the wanted one


def convert(message: Data, ccsid: int, encoding: int) -> Data:
    """Convert a message to a character set and an encoding; raises NotConverted if that is not possible."""
    return _convert(message, ccsid, encoding, 0)


def _convert(message: Data, ccsid: int, encoding: int, depth: int) -> Data:
    if (message.ccsid == ccsid and message.encoding == encoding) or not message.data:
        return message
    if depth > MOST_HEADERS:
        raise NotConverted(r.MQRC_FORMAT_ERROR)
    format = message.format
    if format == o.MQFMT_NONE and depth:
        return message
    if format == o.MQFMT_STRING:
        transcoding = Transcoding(message.ccsid, message.encoding, ccsid, encoding)
        return Data(format, ccsid, encoding, transcoding.text(message.data))
    if format not in LAYOUTS and format not in _PCF and format not in (o.MQFMT_TRIGGER, o.MQFMT_IMS_VAR_STRING):
        raise NotConverted(r.MQRC_FORMAT_ERROR)
    if message.encoding & o.MQENC_INTEGER_MASK not in _ORDERS:
        raise NotConverted(r.MQRC_SOURCE_INTEGER_ENC_ERROR)
    if encoding & o.MQENC_INTEGER_MASK not in _ORDERS:
        raise NotConverted(r.MQRC_TARGET_INTEGER_ENC_ERROR)
    transcoding = Transcoding(message.ccsid, message.encoding, ccsid, encoding)
    if format in _PCF:
        return Data(format, ccsid, encoding, _commands(message.data, transcoding))
    if format == o.MQFMT_IMS_VAR_STRING:
        return Data(format, ccsid, encoding, _items(message.data, transcoding))
    if message.ccsid in UTF_16:
        raise NotConverted(r.MQRC_SOURCE_CCSID_ERROR)
    if ccsid in UTF_16:
        if format == o.MQFMT_TRIGGER or format in _LIKE_THEMSELVES:
            raise NotConverted(r.MQRC_TARGET_CCSID_ERROR)
        own = Transcoding(message.ccsid, message.encoding, OWN_CCSID, o.MQENC_NATIVE)
        found = _header(message, own, ccsid, encoding, depth)
        found.partial = True
        return found
    if format == o.MQFMT_TRIGGER:
        if len(message.data) < TRIGGER.length:
            raise NotConverted(TRIGGER.damaged)
        end = TRIGGER.length
        return Data(format, ccsid, encoding, _fields(message.data, 0, TRIGGER.fields, transcoding) + message.data[end:])
    return _header(message, transcoding, ccsid, encoding, depth)


def _header(message: Data, transcoding: Transcoding, ccsid: int, encoding: int, depth: int) -> Data:
    """Convert a header, and the data behind it, which may have another character set and encoding."""
    data = message.data
    layout = LAYOUTS[message.format][0]
    if len(data) < layout.length or _ascii(data[:4], transcoding) != layout.struc_id:
        raise NotConverted(layout.damaged)
    length = layout.length
    if layout.sized:
        length = transcoding.value(data[8:12])
        for other in LAYOUTS[message.format]:
            if other.length <= length:
                layout = other
        if length < layout.length or length > len(data):
            raise NotConverted(layout.damaged)
    following = _following(data, layout, transcoding)
    following.data = data[length:]
    if message.format in _LIKE_THEMSELVES:
        following.ccsid, following.encoding = message.ccsid, message.encoding
    elif following.ccsid in (0, INHERIT):
        following.ccsid = message.ccsid
    turned = _convert(following, ccsid, encoding, depth + 1)
    head = _fields(data, 0, layout.fields, transcoding, turned)
    tail = data[layout.length : length]
    if message.format == o.MQFMT_RF_HEADER_2:
        tail = _folders(tail, transcoding.value(data[32:36]), transcoding)
    elif message.format == o.MQFMT_RF_HEADER_1:
        tail = _pairs(tail, transcoding)
        head = head[:8] + transcoding.said(layout.length + len(tail)) + head[12:]
    elif message.format == o.MQFMT_REF_MSG_HEADER:
        head, tail = _references(data[:length], head, transcoding)
    elif message.format == o.MQFMT_DIST_HEADER:
        tail = _records(data, layout.length, length, transcoding)
    return Data(message.format, transcoding.to_ccsid, transcoding.to_encoding, head + tail + turned.data)


def _ascii(data: bytes, transcoding: Transcoding) -> str:
    try:
        return charset.decode(data, transcoding.ccsid, transcoding.order)
    except FormatError:
        return ""


def _following(data: bytes, layout: Layout, transcoding: Transcoding) -> Data:
    found = Data(o.MQFMT_NONE, 0, 0, b"")
    offset = 0
    for kind, size in layout.fields:
        part = data[offset : offset + size]
        if kind == ENCODING:
            found.encoding = transcoding.value(part)
        elif kind == CCSID:
            found.ccsid = transcoding.value(part)
        elif kind == FORMAT:
            found.format = _ascii(part, transcoding).replace("\0", " ").encode("ascii", "replace").ljust(8)[:8]
        offset += size
    return found


def _fields(data: bytes, offset: int, fields: Fields, transcoding: Transcoding, following: Data | None = None) -> bytes:
    parts: list[bytes] = []
    for kind, size in fields:
        part = data[offset : offset + size]
        offset += size
        if kind in (CHARACTERS, FORMAT):
            parts.append(transcoding.field(part))
        elif kind == ENCODING and following is not None:
            parts.append(transcoding.said(following.encoding))
        elif kind == CCSID and following is not None:
            parts.append(transcoding.said(following.ccsid))
        elif kind == RAW:
            parts.append(part)
        else:
            parts.append(transcoding.number(part))
    return b"".join(parts)


def _pairs(tail: bytes, transcoding: Transcoding) -> bytes:
    """Convert the names and values of an MQRFH; a longer text is padded to a multiple of four bytes."""
    try:
        return transcoding.field(tail)
    except NotConverted as problem:
        if problem.reason != r.MQRC_CONVERTED_STRING_TOO_BIG:
            raise
    turned = transcoding.text(tail)
    return turned + encoded(" ", transcoding.to_ccsid, transcoding.to_order) * (-len(turned) % 4)


def _references(data: bytes, head: bytes, transcoding: Transcoding) -> tuple[bytes, bytes]:
    """Convert a reference message header and its strings, whose lengths and offsets may change."""
    fixed = bytearray(head)
    tail = bytearray()
    for place in _REFERENCES:
        size, offset = transcoding.value(data[place : place + 4]), transcoding.value(data[place + 4 : place + 8])
        if size == 0:
            continue
        if size < 0 or offset < len(head) or offset + size > len(data):
            raise NotConverted(r.MQRC_RMH_ERROR)
        text = transcoding.text(data[offset : offset + size])
        fixed[place : place + 8] = transcoding.said(len(text)) + transcoding.said(len(head) + len(tail))
        tail += text
    tail += encoded(" ", transcoding.to_ccsid, transcoding.to_order) * (-len(tail) % 4)
    fixed[8:12] = transcoding.said(len(head) + len(tail))
    return bytes(fixed), bytes(tail)


def _items(data: bytes, transcoding: Transcoding) -> bytes:
    """Convert IMS variable strings, each behind its length of two bytes and two bytes that are not converted."""
    parts: list[bytes] = []
    place = 0
    while place < len(data):
        size = int.from_bytes(data[place : place + 2], "little" if transcoding.order == LITTLE else "big")
        if size < _ITEM_HEAD or size > len(data) - place:
            raise NotConverted(r.MQRC_FORMAT_ERROR)
        text = transcoding.text(data[place + _ITEM_HEAD : place + size])
        if len(text) + _ITEM_HEAD > _LONGEST_ITEM:
            raise NotConverted(r.MQRC_CONVERTED_STRING_TOO_BIG)
        length = (len(text) + _ITEM_HEAD).to_bytes(2, "little" if transcoding.to_order == LITTLE else "big")
        parts.append(length + data[place + 2 : place + _ITEM_HEAD] + text)
        place += size
    return b"".join(parts)


def _folders(tail: bytes, ccsid: int, transcoding: Transcoding) -> bytes:
    """Convert the folders of an MQRFH2: lengths, and the byte order of UTF-16; the character set of the text stays."""
    if ccsid not in mqrfh2.NAME_VALUE_CCSIDS:
        raise NotConverted(r.MQRC_SOURCE_CCSID_ERROR)
    swaps = ccsid in UTF_16 and transcoding.order != transcoding.to_order
    parts: list[bytes] = []
    place = 0
    while place < len(tail):
        size = transcoding.value(tail[place : place + 4])
        if len(tail) - place < 4 or size < 0 or size > len(tail) - place - 4:
            raise NotConverted(r.MQRC_RFH_ERROR)
        text = tail[place + 4 : place + 4 + size]
        if swaps:
            even = bytearray(text)
            even[0 : size - size % 2 : 2], even[1:size:2] = text[1:size:2], text[0 : size - size % 2 : 2]
            text = bytes(even)
        parts.append(transcoding.number(tail[place : place + 4]) + text)
        place += 4 + size
    return b"".join(parts)


def _records(data: bytes, start: int, end: int, transcoding: Transcoding) -> bytes:
    """Convert the records of a distribution header: names, and the put message records."""
    present = transcoding.value(data[32:36])
    count, objects, puts = (
        transcoding.value(data[36:40]),
        transcoding.value(data[40:44]),
        transcoding.value(data[44:48]),
    )
    record: Fields = tuple([field for bit, field in _RECORD_FIELDS if present & bit])
    size = sum([width for _, width in record])
    out = bytearray(data[start:end])
    for offset, fields, width in ((objects, _OBJECT_RECORD, 96), (puts, record, size)):
        if not offset or not width:
            continue
        if count < 0 or offset < start or offset + count * width > end:
            raise NotConverted(r.MQRC_DH_ERROR)
        for place in range(offset, offset + count * width, width):
            out[place - start : place - start + width] = _fields(data, place, fields, transcoding)
    return bytes(out)


def _commands(data: bytes, transcoding: Transcoding) -> bytes:
    """Convert a PCF message: its numbers to the target's byte order, its strings to the target's character set."""
    try:
        message = pcf.decode(data)
        message.parameters = [_parameter(each, transcoding) for each in message.parameters]
        return pcf.encode(message, transcoding.to_order)
    except FormatError as problem:
        raise NotConverted(r.MQRC_FORMAT_ERROR) from problem


def _parameter(parameter: pcf.Parameter, transcoding: Transcoding) -> pcf.Parameter:
    if isinstance(parameter, pcf.Group):
        return pcf.Group(parameter.parameter, [_parameter(each, transcoding) for each in parameter.members])
    if isinstance(parameter, pcf.String | pcf.StringList | pcf.StringFilter):
        own = parameter.ccsid > 0
        ccsid = parameter.ccsid if own else transcoding.ccsid
        said = transcoding.to_ccsid if own else parameter.ccsid
        each = (
            transcoding
            if ccsid == transcoding.ccsid
            else Transcoding(ccsid, transcoding.encoding, transcoding.to_ccsid, transcoding.to_encoding)
        )
        if isinstance(parameter, pcf.StringList):
            return pcf.StringList(parameter.parameter, _even(parameter.values, each), said)
        if isinstance(parameter, pcf.StringFilter):
            return pcf.StringFilter(parameter.parameter, parameter.operator, each.text(parameter.value), said)
        return pcf.String(parameter.parameter, each.text(parameter.value), said)
    return parameter


def _even(values: list[bytes], transcoding: Transcoding) -> list[bytes]:
    """Convert the strings of a list, and pad them with blanks to the length of the longest."""
    turned = [transcoding.text(value) for value in values]
    longest = max([len(value) for value in turned], default=0)
    blank = encoded(" ", transcoding.to_ccsid, transcoding.to_order)
    return [value + blank * ((longest - len(value)) // len(blank)) for value in turned]
