"""Messages as rows: the columns of `kewmq`, read from browsed messages and made into messages to put.

A message that begins with an MQRFH2 gives its properties as a map (those of the folder usr by their names, others with
the folder's name and a dot before) and the data behind the header. A message whose header cannot be read stays whole.
"""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache, partial
from operator import attrgetter, eq
from typing import Final

import pyarrow as pa

from kew.codes.options import MQENC_NATIVE, MQFMT_RF_HEADER_2, MQPER_PERSISTENT, MQTYPE_STRING
from kew.formats.binary import LITTLE, FormatError
from kew.formats.charset import UTF_8
from kew.formats.mqmd import MessageDescriptor
from kew.formats.properties import Framed, Property, take_apart, text_of, with_properties, without_properties
from kew.queues.monitor import seconds_of

SCHEMA: Final = pa.schema(
    [
        pa.field("position", pa.int64(), metadata={"comment": "arrival number of the message on its queue"}),
        pa.field("data", pa.binary(), metadata={"comment": "the message, without its properties"}),
        pa.field("properties", pa.map_(pa.string(), pa.string()), metadata={"comment": "message properties"}),
        pa.field("message_id", pa.binary()),
        pa.field("correlation_id", pa.binary()),
        pa.field("group_id", pa.binary()),
        pa.field("sequence_number", pa.int32(), metadata={"comment": "in its group"}),
        pa.field("message_type", pa.int32(), metadata={"comment": "MQMT_*"}),
        pa.field("format", pa.string(), metadata={"comment": "MQFMT_* of the data"}),
        pa.field("encoding", pa.int32()),
        pa.field("ccsid", pa.int32()),
        pa.field("persistent", pa.bool_()),
        pa.field("priority", pa.int32()),
        pa.field("expiry", pa.int32(), metadata={"comment": "tenths of a second that are left, -1 for ever"}),
        pa.field("report", pa.int32(), metadata={"comment": "MQRO_*"}),
        pa.field("feedback", pa.int32(), metadata={"comment": "MQFB_*"}),
        pa.field("backout_count", pa.int32()),
        pa.field("reply_to_queue", pa.string()),
        pa.field("reply_to_queue_manager", pa.string()),
        pa.field("user_identifier", pa.string()),
        pa.field("accounting_token", pa.binary()),
        pa.field("application_identity_data", pa.string()),
        pa.field("put_application_type", pa.int32(), metadata={"comment": "MQAT_*"}),
        pa.field("put_application_name", pa.string()),
        pa.field("put_time", pa.timestamp("us", tz="UTC")),
    ]
)

# The columns of a row that is put; all but the data may be missing or null.
WRITTEN: Final = {
    "data": "binary or string",
    "properties": "map<string,string>",
    "message_id": "binary",
    "correlation_id": "binary",
    "message_type": "int",
    "format": "string",
    "ccsid": "int",
    "encoding": "int",
    "persistent": "boolean",
    "priority": "int",
    "expiry": "int",
    "report": "int",
    "feedback": "int",
    "reply_to_queue": "string",
    "reply_to_queue_manager": "string",
}
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


class Message:
    """A browsed message, separated from its properties."""

    __slots__ = ("ccsid", "data", "descriptor", "encoding", "format", "position", "properties")

    def __init__(self, position: int, descriptor: MessageDescriptor, data: bytes) -> None:
        self.position = position
        self.descriptor = descriptor
        self.data = data
        self.properties: Sequence[tuple[str, str]] = ()
        self.format = descriptor.format
        self.ccsid = descriptor.ccsid
        self.encoding = descriptor.encoding
        if self.format == MQFMT_RF_HEADER_2:
            self._take_apart()

    def _take_apart(self) -> None:
        try:
            carried = take_apart(self.format, self.ccsid, self.encoding, self.data)
            found = [(item.name, text_of(item)) for item in carried.properties]
            framed = without_properties(carried, self.ccsid, self.encoding)
        except FormatError:
            return
        self.format, self.ccsid, self.encoding = framed.format, framed.ccsid, framed.encoding
        self.data = framed.data
        self.properties = found


# Few names, and few moments, are those of many messages.
@lru_cache(10_000)
def _text(value: bytes) -> str:
    return value.decode("utf-8", "replace").rstrip(" \0")


@lru_cache(10_000)
def _moment(put: tuple[bytes, bytes]) -> datetime | None:
    seconds = seconds_of(*put)
    return _EPOCH + timedelta(seconds=seconds) if seconds else None


_OF_MESSAGE: Final = frozenset({"position", "data", "properties", "format", "encoding", "ccsid"})
_SAID_OTHERWISE: Final[dict[str, Callable[..., object]]] = {
    "persistent": attrgetter("descriptor.persistence"),
    "put_time": attrgetter("descriptor.put_date", "descriptor.put_time"),
}
_MEANT: Final[dict[str, Callable[..., object]]] = {
    "persistent": partial(eq, MQPER_PERSISTENT),
    "put_time": _moment,
}


def _column(name: str, kind: pa.DataType, messages: list[Message]) -> list[object]:
    """Make one column of many messages; nearly all of the work is done in C."""
    path = name if name in _OF_MESSAGE else f"descriptor.{name}"
    values = map(_SAID_OTHERWISE.get(name) or attrgetter(path), messages)
    meant = _MEANT.get(name) or (_text if pa.types.is_string(kind) else None)
    return list(values if meant is None else map(meant, values))


def schema_of(names: Sequence[str]) -> pa.Schema:
    """Give the schema of the named columns, in their order."""
    unknown = [name for name in names if name not in SCHEMA.names]
    if unknown:
        raise ValueError(f"kewmq has no column {unknown[0]}; it has {', '.join(SCHEMA.names)}")
    return pa.schema([SCHEMA.field(name) for name in names])


def batch_of(messages: list[Message], schema: pa.Schema = SCHEMA) -> pa.RecordBatch:
    """Give messages as an Arrow batch."""
    arrays = [pa.array(_column(field.name, field.type, messages), field.type) for field in schema]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def check_written(names: list[str]) -> None:
    """Refuse columns that no message has, and rows without data."""
    for name in names:
        if name not in WRITTEN:
            raise ValueError(f"kewmq puts no column {name}; it knows {', '.join(WRITTEN)}")
    if "data" not in names:
        raise ValueError("kewmq needs a column data, of binary or string")


def message_of(row: dict[str, object], persistence: int) -> tuple[MessageDescriptor, bytes]:
    """Make a message of a row; `persistence` is used if the row has none."""
    data = row.get("data")
    body = data.encode() if isinstance(data, str) else bytes(data) if isinstance(data, (bytes, bytearray)) else b""
    text = isinstance(data, str)
    descriptor = MessageDescriptor(persistence=persistence)
    form = row.get("format")
    descriptor.format = (str(form) if form is not None else "MQSTR" if text else "").encode().ljust(8)[:8]
    descriptor.ccsid = UTF_8
    persistent = row.get("persistent")
    if persistent is not None:
        descriptor.persistence = int(bool(persistent))
    for name in ("message_type", "ccsid", "encoding", "priority", "expiry", "report", "feedback"):
        value = row.get(name)
        if isinstance(value, int):
            setattr(descriptor, name, value)
    for name, width in (("reply_to_queue", 48), ("reply_to_queue_manager", 48)):
        value = row.get(name)
        if isinstance(value, str):
            setattr(descriptor, name, value.encode().ljust(width))
    for name in ("message_id", "correlation_id"):
        value = row.get(name)
        if isinstance(value, (bytes, bytearray)):
            setattr(descriptor, name, bytes(value).ljust(24, b"\0")[:24])
    properties = row.get("properties")
    if isinstance(properties, list) and properties:
        items = [Property(str(name), MQTYPE_STRING, "" if value is None else str(value)) for name, value in properties]
        framed = Framed(descriptor.format, descriptor.ccsid, descriptor.encoding, body)
        framed = with_properties(items, framed, LITTLE, MQENC_NATIVE)
        descriptor.format, descriptor.ccsid, descriptor.encoding = framed.format, framed.ccsid, framed.encoding
        body = framed.data
    return descriptor, body
