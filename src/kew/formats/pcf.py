"""Programmable command formats: commands, replies, events and statistics as headers with typed parameters.

    MQCFH     Type StrucLength 36 Version Command MsgSeqNumber Control CompCode Reason ParameterCount
    MQCFIN    Type  3 StrucLength 16 Parameter Value
    MQCFST    Type  4 StrucLength    Parameter CodedCharSetId StringLength String
    MQCFIL    Type  5 StrucLength    Parameter Count Values
    MQCFSL    Type  6 StrucLength    Parameter CodedCharSetId Count StringLength Strings
    MQCFBS    Type  9 StrucLength    Parameter StringLength String
    MQCFIF    Type 13 StrucLength 20 Parameter Operator FilterValue
    MQCFSF    Type 14 StrucLength    Parameter Operator CodedCharSetId FilterValueLength FilterValue
    MQCFBF    Type 15 StrucLength    Parameter Operator FilterValueLength FilterValue
    MQCFGR    Type 20 StrucLength 16 Parameter ParameterCount, then that many parameters
    MQCFIN64  Type 23 StrucLength 24 Parameter Reserved Value, 8 bytes
    MQCFIL64  Type 25 StrucLength    Parameter Count Values, 8 bytes each

Every field is four bytes but the strings and the 64-bit values. Strings are padded so that StrucLength is a multiple
of four. The strings of a list all have the list's StringLength, padded with blanks. The header's StrucLength is always
36, from which the byte order is known.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from kew.codes import commands, reasons
from kew.formats import charset
from kew.formats.binary import BIG, LITTLE, FormatError, Reader, Writer

HEADER_LENGTH: Final = 36
MAX_DEPTH: Final = 32
_SMALLEST: Final = 16


class PCFError(FormatError):
    """The error of an unreadable PCF message, with the reason code for its sender."""

    def __init__(self, offset: int, expectation: str, reason: int) -> None:
        super().__init__("PCF", offset, expectation)
        self.reason = reason


@dataclass
class Header:
    """The MQCFH of a PCF message, without the parameter count, which is that of the parameters."""

    type: int = commands.MQCFT_COMMAND
    version: int = 3
    command: int = 0
    sequence_number: int = 1
    control: int = commands.MQCFC_LAST
    completion: int = 0
    reason: int = 0


@dataclass
class Integer:
    """MQCFIN: a parameter with a 32-bit value."""

    parameter: int
    value: int


@dataclass
class Integer64:
    """MQCFIN64: a parameter with a 64-bit value."""

    parameter: int
    value: int


@dataclass
class String:
    """MQCFST: a parameter with characters and their character set."""

    parameter: int
    value: bytes
    ccsid: int = 0

    def text(self, default_ccsid: int = charset.UTF_8) -> str:
        """Give the value as text without trailing blanks; `default` is the CCSID of the message."""
        return _text(self.value, self.ccsid, default_ccsid)


@dataclass
class ByteString:
    """MQCFBS: a parameter with bytes."""

    parameter: int
    value: bytes


@dataclass
class IntegerList:
    """MQCFIL: a parameter with several 32-bit values."""

    parameter: int
    values: list[int]


@dataclass
class Integer64List:
    """MQCFIL64: a parameter with several 64-bit values."""

    parameter: int
    values: list[int]


@dataclass
class StringList:
    """MQCFSL: a parameter with several strings, all padded to the longest when encoded."""

    parameter: int
    values: list[bytes]
    ccsid: int = 0

    def texts(self, default_ccsid: int = charset.UTF_8) -> list[str]:
        """Give the values as text without trailing blanks."""
        return [_text(value, self.ccsid, default_ccsid) for value in self.values]


@dataclass
class IntegerFilter:
    """MQCFIF: a condition on an integer attribute."""

    parameter: int
    operator: int
    value: int


@dataclass
class StringFilter:
    """MQCFSF: a condition on a character attribute."""

    parameter: int
    operator: int
    value: bytes
    ccsid: int = 0

    def text(self, default_ccsid: int = charset.UTF_8) -> str:
        """Give the value as text without trailing blanks."""
        return _text(self.value, self.ccsid, default_ccsid)


@dataclass
class ByteStringFilter:
    """MQCFBF: a condition on a byte-string attribute."""

    parameter: int
    operator: int
    value: bytes


@dataclass
class Group:
    """MQCFGR: parameters that belong together."""

    parameter: int
    members: list["Parameter"] = field(default_factory=list)


Parameter = (
    Integer
    | Integer64
    | String
    | ByteString
    | IntegerList
    | Integer64List
    | StringList
    | IntegerFilter
    | StringFilter
    | ByteStringFilter
    | Group
)


@dataclass
class PCFMessage:
    """A header and its parameters."""

    header: Header
    parameters: list[Parameter] = field(default_factory=list)


def encode(message: PCFMessage, order: str = LITTLE) -> bytes:
    """Encode a PCF message in bytes."""
    writer = Writer("PCF", order)
    header = message.header
    writer.i32(header.type, "Type")
    writer.i32(HEADER_LENGTH, "StrucLength")
    writer.i32(header.version, "Version")
    writer.i32(header.command, "Command")
    writer.i32(header.sequence_number, "MsgSeqNumber")
    writer.i32(header.control, "Control")
    writer.i32(header.completion, "CompCode")
    writer.i32(header.reason, "Reason")
    writer.i32(len(message.parameters), "ParameterCount")
    for parameter in message.parameters:
        _encode_parameter(writer, parameter, 1)
    return bytes(writer.out)


def decode(data: bytes) -> PCFMessage:
    """Decode data that is one PCF message, in either byte order; bytes behind the message are an error."""
    message, end = read_message(data)
    if end != len(data):
        raise PCFError(
            end, f"expected the end of the message, {len(data) - end} bytes remain", reasons.MQRCCF_MSG_LENGTH_ERROR
        )
    return message


def read_message(data: bytes, offset: int = 0) -> tuple[PCFMessage, int]:
    """Decode the PCF message at an offset; gives the message and the offset of its end."""
    order = message_order(data, offset)
    reader = Reader("PCF", data, offset, len(data), order)
    type_ = reader.i32("Type")
    reader.i32("StrucLength")
    header = Header(
        type_,
        reader.i32("Version"),
        reader.i32("Command"),
        reader.i32("MsgSeqNumber"),
        reader.i32("Control"),
        reader.i32("CompCode"),
        reader.i32("Reason"),
    )
    count = reader.i32("ParameterCount")
    _check_count(reader, count, reasons.MQRCCF_CFH_PARM_COUNT_ERROR)
    parameters = [_decode_parameter(reader, 1) for _ in range(count)]
    return PCFMessage(header, parameters), reader.offset


def message_order(data: bytes, offset: int = 0) -> str:
    """Give the byte order of the PCF message at an offset, from the StrucLength of its header."""
    if offset < 0 or len(data) - offset < HEADER_LENGTH:
        left = max(len(data) - offset, 0)
        raise PCFError(
            offset, f"expected a header of {HEADER_LENGTH} bytes, {left} remain", reasons.MQRCCF_CFH_LENGTH_ERROR
        )
    length = data[offset + 4 : offset + 8]
    if length == b"\x24\0\0\0":
        return LITTLE
    if length == b"\0\0\0\x24":
        return BIG
    raise PCFError(
        offset + 4,
        f"expected the header's StrucLength to be {HEADER_LENGTH}, found {length.hex()}",
        reasons.MQRCCF_CFH_LENGTH_ERROR,
    )


def _text(value: bytes, ccsid: int, default_ccsid: int) -> str:
    return charset.decode(value, ccsid if ccsid > 0 else default_ccsid).rstrip(" \0")


def _encode_parameter(writer: Writer, parameter: Parameter, depth: int) -> None:
    if depth > MAX_DEPTH:
        raise PCFError(
            len(writer.out), f"expected groups at most {MAX_DEPTH} deep", reasons.MQRCCF_CFGR_PARM_COUNT_ERROR
        )
    match parameter:
        case Integer(selector, value):
            _fields(writer, commands.MQCFT_INTEGER, 16, selector, value)
        case Integer64(selector, value):
            _fields(writer, commands.MQCFT_INTEGER64, 24, selector, 0)
            writer.i64(value, "Value")
        case String(selector, text, ccsid):
            _fields(writer, commands.MQCFT_STRING, 20 + _round(text), selector, ccsid, len(text))
            _padded(writer, text)
        case ByteString(selector, text):
            _fields(writer, commands.MQCFT_BYTE_STRING, 16 + _round(text), selector, len(text))
            _padded(writer, text)
        case IntegerList(selector, values):
            _fields(writer, commands.MQCFT_INTEGER_LIST, 16 + 4 * len(values), selector, len(values), *values)
        case Integer64List(selector, values):
            _fields(writer, commands.MQCFT_INTEGER64_LIST, 16 + 8 * len(values), selector, len(values))
            for value in values:
                writer.i64(value, "Value")
        case StringList(selector, texts, ccsid):
            width = max(1, *map(len, texts)) if texts else 0
            joined = b"".join([text.ljust(width) for text in texts])
            _fields(writer, commands.MQCFT_STRING_LIST, 24 + _round(joined), selector, ccsid, len(texts), width)
            _padded(writer, joined)
        case IntegerFilter(selector, operator, value):
            _fields(writer, commands.MQCFT_INTEGER_FILTER, 20, selector, operator, value)
        case StringFilter(selector, operator, text, ccsid):
            _fields(writer, commands.MQCFT_STRING_FILTER, 24 + _round(text), selector, operator, ccsid, len(text))
            _padded(writer, text)
        case ByteStringFilter(selector, operator, text):
            _fields(writer, commands.MQCFT_BYTE_STRING_FILTER, 20 + _round(text), selector, operator, len(text))
            _padded(writer, text)
        case Group(selector, members):
            _fields(writer, commands.MQCFT_GROUP, 16, selector, len(members))
            for member in members:
                _encode_parameter(writer, member, depth + 1)


def _fields(writer: Writer, type_: int, length: int, *values: int) -> None:
    writer.i32(type_, "Type")
    writer.i32(length, "StrucLength")
    for value in values:
        writer.i32(value, "a field")


def _round(text: bytes) -> int:
    return (len(text) + 3) & ~3


def _padded(writer: Writer, text: bytes) -> None:
    writer.raw(text.ljust(_round(text), b"\0"))


# For each type: the length of its fixed part, whether that is all of it, and the reason for a wrong length.
_SHAPES: Final[dict[int, tuple[int, bool, int]]] = {
    commands.MQCFT_INTEGER: (16, True, reasons.MQRCCF_CFIN_LENGTH_ERROR),
    commands.MQCFT_INTEGER64: (24, True, reasons.MQRCCF_CFIN_LENGTH_ERROR),
    commands.MQCFT_STRING: (20, False, reasons.MQRCCF_CFST_LENGTH_ERROR),
    commands.MQCFT_BYTE_STRING: (16, False, reasons.MQRCCF_CFBS_LENGTH_ERROR),
    commands.MQCFT_INTEGER_LIST: (16, False, reasons.MQRCCF_CFIL_LENGTH_ERROR),
    commands.MQCFT_INTEGER64_LIST: (16, False, reasons.MQRCCF_CFIL_LENGTH_ERROR),
    commands.MQCFT_STRING_LIST: (24, False, reasons.MQRCCF_CFSL_LENGTH_ERROR),
    commands.MQCFT_INTEGER_FILTER: (20, True, reasons.MQRCCF_CFIF_LENGTH_ERROR),
    commands.MQCFT_STRING_FILTER: (24, False, reasons.MQRCCF_CFSF_LENGTH_ERROR),
    commands.MQCFT_BYTE_STRING_FILTER: (20, False, reasons.MQRCCF_CFBF_LENGTH_ERROR),
    commands.MQCFT_GROUP: (16, True, reasons.MQRCCF_CFGR_LENGTH_ERROR),
}


def _check_count(reader: Reader, count: int, reason: int) -> None:
    """Refuse a count that is too large for the remaining bytes, before memory is allocated for it."""
    if count < 0:
        raise PCFError(reader.offset - 4, f"ParameterCount is {count}, expected 0 or more", reason)
    if count * _SMALLEST > reader.left():
        raise PCFError(
            reader.offset - 4,
            f"ParameterCount is {count}, the {reader.left()} bytes that remain hold fewer",
            reasons.MQRCCF_PARM_COUNT_TOO_BIG,
        )


def _decode_parameter(reader: Reader, depth: int) -> Parameter:
    start = reader.offset
    if reader.left() < _SMALLEST:
        raise PCFError(start, "expected another parameter, the message ends", reasons.MQRCCF_PARM_COUNT_TOO_SMALL)
    type_ = reader.i32("Type")
    length = reader.i32("StrucLength")
    shape = _SHAPES.get(type_)
    if shape is None:
        raise PCFError(
            start, f"expected a parameter, found structure type {type_}", reasons.MQRCCF_STRUCTURE_TYPE_ERROR
        )
    fixed, whole, reason = shape
    if length < fixed or length % 4 or (whole and length != fixed):
        wanted = str(fixed) if whole else f"{fixed} or more, a multiple of 4"
        raise PCFError(start + 4, f"StrucLength of type {type_} is {length}, expected {wanted}", reason)
    if length > reader.left() + 8:
        raise PCFError(start + 4, f"StrucLength is {length}, only {reader.left() + 8} bytes remain", reason)
    selector = reader.i32("Parameter")
    if type_ == commands.MQCFT_GROUP:
        return _decode_group(reader, selector, depth)
    body = Reader("PCF", reader.data, reader.offset, start + length, BIG if reader.big else LITTLE)
    reader.offset = start + length
    return _decode_body(body, type_, selector)


def _decode_group(reader: Reader, selector: int, depth: int) -> Group:
    if depth > MAX_DEPTH:
        raise PCFError(reader.offset, f"expected groups at most {MAX_DEPTH} deep", reasons.MQRCCF_CFGR_PARM_COUNT_ERROR)
    count = reader.i32("ParameterCount")
    _check_count(reader, count, reasons.MQRCCF_CFGR_PARM_COUNT_ERROR)
    return Group(selector, [_decode_parameter(reader, depth + 1) for _ in range(count)])


def _decode_body(body: Reader, type_: int, selector: int) -> Parameter:
    """Decode the part behind the field Parameter; the caller has checked that the fixed part is complete."""
    match type_:
        case commands.MQCFT_INTEGER:
            return Integer(selector, body.i32("Value"))
        case commands.MQCFT_INTEGER64:
            body.i32("Reserved")
            return Integer64(selector, body.i64("Value"))
        case commands.MQCFT_STRING:
            ccsid = body.i32("CodedCharSetId")
            return String(selector, _counted(body, reasons.MQRCCF_CFST_STRING_LENGTH_ERR), ccsid)
        case commands.MQCFT_BYTE_STRING:
            return ByteString(selector, _counted(body, reasons.MQRCCF_CFBS_STRING_LENGTH_ERR))
        case commands.MQCFT_INTEGER_LIST:
            return IntegerList(selector, [body.i32("Value") for _ in range(_count(body, 4))])
        case commands.MQCFT_INTEGER64_LIST:
            return Integer64List(selector, [body.i64("Value") for _ in range(_count(body, 8))])
        case commands.MQCFT_STRING_LIST:
            return _decode_string_list(body, selector)
        case commands.MQCFT_INTEGER_FILTER:
            return IntegerFilter(selector, body.i32("Operator"), body.i32("FilterValue"))
        case commands.MQCFT_STRING_FILTER:
            operator = body.i32("Operator")
            ccsid = body.i32("CodedCharSetId")
            return StringFilter(selector, operator, _counted(body, reasons.MQRCCF_CFSF_FILTER_VAL_LEN_ERR), ccsid)
        case _:
            operator = body.i32("Operator")
            return ByteStringFilter(selector, operator, _counted(body, reasons.MQRCCF_CFBF_FILTER_VAL_LEN_ERR))


def _decode_string_list(body: Reader, selector: int) -> StringList:
    ccsid = body.i32("CodedCharSetId")
    count = body.i32("Count")
    width = body.i32("StringLength")
    if width < 0 or (width == 0 and count != 0):
        raise PCFError(
            body.offset - 4, f"StringLength is {width}, expected 1 or more", reasons.MQRCCF_CFSL_STRING_LENGTH_ERR
        )
    if count < 0 or count * width > body.left():
        raise PCFError(
            body.offset - 8,
            f"{count} strings of {width} bytes do not fit the {body.left()} bytes of the list",
            reasons.MQRCCF_CFSL_COUNT_ERROR,
        )
    return StringList(selector, [body.take(width, "String") for _ in range(count)], ccsid)


def _counted(body: Reader, reason: int) -> bytes:
    """Read a length and the string behind it; gives the string."""
    length = body.i32("StringLength")
    if length < 0 or length > body.left():
        raise PCFError(body.offset - 4, f"the string's length is {length}, {body.left()} bytes are there", reason)
    return body.take(length, "String")


def _count(body: Reader, width: int) -> int:
    count = body.i32("Count")
    if count < 0 or count * width > body.left():
        raise PCFError(
            body.offset - 4, f"Count is {count}, the list has {body.left()} bytes", reasons.MQRCCF_CFIL_COUNT_ERROR
        )
    return count


def find(parameters: Sequence[Parameter], selector: int) -> Parameter | None:
    """Give the first parameter with an identifier, None if there is none."""
    for parameter in parameters:
        if parameter.parameter == selector:
            return parameter
    return None
