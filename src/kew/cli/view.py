"""The display of a message: its descriptor, headers and data, as text, in hexadecimal or as JSON."""

import base64
from dataclasses import dataclass, field
from typing import Final

from kew.codes import options as o
from kew.codes.reasons import reason_name
from kew.formats import charset, mqdlh, mqrfh2, mqxqh
from kew.formats.binary import BIG, LITTLE, FormatError
from kew.formats.mqmd import MessageDescriptor

_TYPES: Final = {
    o.MQMT_REQUEST: "MQMT_REQUEST",
    o.MQMT_REPLY: "MQMT_REPLY",
    o.MQMT_DATAGRAM: "MQMT_DATAGRAM",
    o.MQMT_REPORT: "MQMT_REPORT",
}
_TEXTS: Final = frozenset({o.MQFMT_STRING, o.MQFMT_RF_HEADER_2})
_MOST_HEADERS: Final = 16
_INTEGER_REVERSED: Final = 2  # MQENC_INTEGER_REVERSED: little-endian

# Names as in the manuals, in the order of the structure.
_FIELDS: Final = (
    ("Report", "report"),
    ("MsgType", "message_type"),
    ("Expiry", "expiry"),
    ("Feedback", "feedback"),
    ("Encoding", "encoding"),
    ("CodedCharSetId", "ccsid"),
    ("Format", "format"),
    ("Priority", "priority"),
    ("Persistence", "persistence"),
    ("MsgId", "message_id"),
    ("CorrelId", "correlation_id"),
    ("BackoutCount", "backout_count"),
    ("ReplyToQ", "reply_to_queue"),
    ("ReplyToQMgr", "reply_to_queue_manager"),
    ("UserIdentifier", "user_identifier"),
    ("AccountingToken", "accounting_token"),
    ("ApplIdentityData", "application_identity_data"),
    ("PutApplType", "put_application_type"),
    ("PutApplName", "put_application_name"),
    ("PutDate", "put_date"),
    ("PutTime", "put_time"),
    ("ApplOriginData", "application_origin_data"),
    ("GroupId", "group_id"),
    ("MsgSeqNumber", "sequence_number"),
    ("Offset", "offset"),
    ("MsgFlags", "message_flags"),
    ("OriginalLength", "original_length"),
)
FIELD_NAMES: Final = {attribute: name for name, attribute in _FIELDS}
_BINARY: Final = frozenset({"MsgId", "CorrelId", "AccountingToken", "GroupId"})

Fields = dict[str, int | str]


@dataclass
class Header:
    """A header in front of the data: its name, its fields, and its properties."""

    name: str
    fields: Fields
    folders: list[str] = field(default_factory=list)


@dataclass
class View:
    """A message separated into headers, in order, and the data with its own format, character set and encoding."""

    descriptor: MessageDescriptor
    headers: list[Header]
    data: bytes
    format: bytes
    ccsid: int
    encoding: int

    def describe(self, format: bytes, ccsid: int, encoding: int) -> None:
        """Set the data's format, CCSID and encoding from the header in front; a zero value changes nothing."""
        self.format = format
        self.ccsid = ccsid if ccsid > 0 else self.ccsid
        self.encoding = encoding or self.encoding

    def text(self) -> str | None:
        """Give the data as text if its format is text and its character set is known."""
        if self.format not in _TEXTS:
            return None
        order = LITTLE if self.encoding & _INTEGER_REVERSED else BIG
        try:
            return charset.decode(self.data, self.ccsid, order)
        except FormatError:
            return None


def descriptor_fields(descriptor: MessageDescriptor) -> Fields:
    """Give the fields of a descriptor by MQ's names: numbers, texts without padding, identifiers in hexadecimal."""
    shown: Fields = {}
    for name, attribute in _FIELDS:
        value = getattr(descriptor, attribute)
        if isinstance(value, bytes):
            value = value.hex().upper() if name in _BINARY else _plain(value)
        shown[name] = value
    return shown


def _plain(value: bytes) -> str:
    return value.rstrip(b" \0").decode("ascii", "backslashreplace")


def take_apart(descriptor: MessageDescriptor, data: bytes) -> View:
    """Separate the headers from a message's data; a damaged header counts as data."""
    view = View(descriptor, [], data, descriptor.format, descriptor.ccsid, descriptor.encoding)
    for _ in range(_MOST_HEADERS):
        try:
            found = _next_header(view)
        except FormatError:
            break
        if not found:
            break
    return view


def _next_header(view: View) -> bool:
    data = view.data
    if view.format == o.MQFMT_RF_HEADER_2:
        rules = mqrfh2.decode(data)
        fields: Fields = {"Encoding": rules.encoding, "CodedCharSetId": rules.ccsid, "Format": _plain(rules.format)}
        view.headers.append(Header("MQRFH2", {**fields, "NameValueCCSID": rules.name_value_ccsid}, rules.folders))
        view.data = data[mqrfh2.encoded_length(data) :]
        view.describe(rules.format, rules.ccsid, rules.encoding)
    elif view.format == o.MQFMT_DEAD_LETTER_HEADER:
        dead = mqdlh.decode(data)
        view.headers.append(
            Header(
                "MQDLH",
                {
                    "Reason": f"{dead.reason} {reason_name(dead.reason)}",
                    "DestQName": _plain(dead.destination_queue),
                    "DestQMgrName": _plain(dead.destination_queue_manager),
                    "Encoding": dead.encoding,
                    "CodedCharSetId": dead.ccsid,
                    "Format": _plain(dead.format),
                    "PutApplType": dead.put_application_type,
                    "PutApplName": _plain(dead.put_application_name),
                    "PutDate": _plain(dead.put_date),
                    "PutTime": _plain(dead.put_time),
                },
            )
        )
        view.data = data[mqdlh.LENGTH :]
        view.describe(dead.format, dead.ccsid, dead.encoding)
    elif view.format == o.MQFMT_XMIT_Q_HEADER:
        transmission = mqxqh.decode(data)
        inner = transmission.descriptor
        fields = {"RemoteQName": _plain(transmission.remote_queue)}
        fields["RemoteQMgrName"] = _plain(transmission.remote_queue_manager)
        view.headers.append(Header("MQXQH", {**fields, **descriptor_fields(inner)}))
        view.data = data[mqxqh.LENGTH :]
        view.describe(inner.format, inner.ccsid, inner.encoding)
    else:
        return False
    return True


def hexadecimal(data: bytes) -> list[str]:
    """Give data in lines of sixteen bytes: offset, hexadecimal, and printable characters."""
    lines = []
    for offset in range(0, len(data), 16):
        row = data[offset : offset + 16]
        shown = "".join([chr(byte) if 32 <= byte < 127 else "." for byte in row])
        lines.append(f"{offset:08X}: {row.hex(' ', -2).upper():<39}  '{shown}'")
    return lines


def header_lines(view: View, number: int) -> list[str]:
    """Give the descriptor and the headers of a message, one field a line."""
    descriptor = view.descriptor
    lines = [f"**** Message {number}, {len(view.data)} bytes of data ****", "MQMD"]
    for name, value in descriptor_fields(descriptor).items():
        meaning = f" {_TYPES[descriptor.message_type]}" if name == "MsgType" and value in _TYPES else ""
        lines.append(f"  {name:<17}: {value}{meaning}".rstrip())
    for header in view.headers:
        lines.append(header.name)
        lines.extend([f"  {name:<17}: {value}".rstrip() for name, value in header.fields.items()])
        lines.extend([f"  {folder}" for folder in header.folders])
    return lines


def as_json(view: View) -> dict[str, object]:
    """Give a message as a JSON object: text data as text, other data in base64."""
    shown: dict[str, object] = {"descriptor": descriptor_fields(view.descriptor)}
    if view.headers:
        shown["headers"] = [_header_json(header) for header in view.headers]
    text = view.text()
    if text is not None:
        shown["text"] = text
    else:
        shown["base64"] = base64.b64encode(view.data).decode()
    return shown


def _header_json(header: Header) -> dict[str, object]:
    shown: dict[str, object] = {"name": header.name, **header.fields}
    if header.name == "MQRFH2":
        shown["folders"] = header.folders
        shown["properties"] = properties(header.folders)
    return shown


def properties(folders: list[str]) -> dict[str, str | int | float | bool]:
    """Give the properties in folders as folder.name and value; folders that are data have none."""
    found: dict[str, str | int | float | bool] = {}
    for text in folders:
        try:
            for folder in mqrfh2.parse_folders(text):
                _collect(folder, "", found)
        except FormatError:
            continue
    return found


def _collect(element: mqrfh2.Element, before: str, found: dict[str, str | int | float | bool]) -> None:
    name = f"{before}{element.name}"
    for child in element.children:
        _collect(child, f"{name}.", found)
    if not element.children:
        found[name] = _typed(element.text, element.attributes.get("dt", ""))


def _typed(text: str, kind: str) -> str | int | float | bool:
    try:
        if kind in ("i1", "i2", "i4", "i8", "int"):
            return int(text)
        if kind in ("r4", "r8"):
            return float(text)
    except ValueError:
        return text
    return text == "1" if kind == "boolean" else text
