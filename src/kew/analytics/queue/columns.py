"""Messages as rows: the columns of `kewmq`, from a message that was browsed, and to one that is put.

A message that begins with an MQRFH2 gives its properties as a map (those of the folder usr by their names, others with
the folder's name and a dot before) and the data behind the header. One whose header cannot be read stays whole.
"""

from datetime import UTC, datetime, timedelta
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

# What a row that is put may say; all but the data may be missing or null.
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


def _text(value: bytes) -> str:
    return value.decode("utf-8", "replace").rstrip(" \0")


def row_of(position: int, descriptor: MessageDescriptor, data: bytes) -> tuple[object, ...]:
    """A message as a row of SCHEMA."""
    found: list[tuple[str, str]] = []
    form, ccsid, encoding = descriptor.format, descriptor.ccsid, descriptor.encoding
    if form == MQFMT_RF_HEADER_2:
        try:
            carried = take_apart(form, ccsid, encoding, data)
            found = [(item.name, text_of(item)) for item in carried.properties]
            framed = without_properties(carried, ccsid, encoding)
            form, ccsid, encoding, data = framed.format, framed.ccsid, framed.encoding, framed.data
        except FormatError:
            found = []
    put = seconds_of(descriptor.put_date, descriptor.put_time)
    return (
        position,
        data,
        found,
        descriptor.message_id,
        descriptor.correlation_id,
        descriptor.group_id,
        descriptor.sequence_number,
        descriptor.message_type,
        _text(form),
        encoding,
        ccsid,
        descriptor.persistence == MQPER_PERSISTENT,
        descriptor.priority,
        descriptor.expiry,
        descriptor.report,
        descriptor.feedback,
        descriptor.backout_count,
        _text(descriptor.reply_to_queue),
        _text(descriptor.reply_to_queue_manager),
        _text(descriptor.user_identifier),
        descriptor.accounting_token,
        _text(descriptor.application_identity_data),
        descriptor.put_application_type,
        _text(descriptor.put_application_name),
        _EPOCH + timedelta(seconds=put) if put else None,
    )


def batch_of(rows: list[tuple[object, ...]]) -> pa.RecordBatch:
    """Rows as Arrow."""
    columns = list(zip(*rows, strict=True)) if rows else [() for _ in SCHEMA]
    arrays = [pa.array(column, field.type) for column, field in zip(columns, SCHEMA, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=SCHEMA)


def check_written(names: list[str]) -> None:
    """Refuse columns that no message has, and rows without data."""
    for name in names:
        if name not in WRITTEN:
            raise ValueError(f"kewmq puts no column {name}; it knows {', '.join(WRITTEN)}")
    if "data" not in names:
        raise ValueError("kewmq needs a column data, of binary or string")


def message_of(row: dict[str, object], persistence: int) -> tuple[MessageDescriptor, bytes]:
    """A row as a message; `persistence` holds where the row does not say."""
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
