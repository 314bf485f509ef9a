"""Messages as columns: what each says, with properties and without, and no more columns than are wanted."""

from datetime import UTC, datetime

import pytest

from kew.analytics.queue.columns import SCHEMA, Message, batch_of, message_of, schema_of
from kew.formats.mqmd import MessageDescriptor


def plain(**fields: object) -> MessageDescriptor:
    descriptor = MessageDescriptor(put_date=b"20221104", put_time=b"10203055", put_application_name=b"APP".ljust(28))
    for name, value in fields.items():
        setattr(descriptor, name, value)
    return descriptor


def test_every_column_is_what_the_message_says() -> None:
    messages = [Message(7, plain(priority=3, persistence=1, format=b"MQSTR   "), b"seven"), Message(8, plain(), b"")]
    batch = batch_of(messages)
    assert batch.schema.equals(SCHEMA)
    one, other = batch.to_pylist()
    assert (one["position"], one["data"], one["properties"], one["format"]) == (7, b"seven", [], "MQSTR")
    assert (one["priority"], one["persistent"], other["persistent"]) == (3, True, False)
    assert one["put_time"] == datetime(2022, 11, 4, 10, 20, 30, 550_000, tzinfo=UTC)
    assert (one["put_application_name"], one["reply_to_queue"], len(one["message_id"])) == ("APP", "", 24)


def test_properties_are_taken_off() -> None:
    row = {"data": "hello", "properties": [("colour", "red"), ("shop.till", "3")]}
    descriptor, body = message_of(dict(row), 0)
    damaged = Message(2, descriptor, body[:20])
    batch = batch_of([Message(1, descriptor, body), damaged], schema_of(["data", "properties", "format"]))
    good, bad = batch.to_pylist()
    assert good == {"data": b"hello", "properties": row["properties"], "format": "MQSTR"}
    assert bad == {"data": body[:20], "properties": [], "format": "MQHRF2"}  # stays whole


def test_a_moment_that_is_none_is_null() -> None:
    batch = batch_of([Message(1, plain(put_date=b"        ", put_time=b"        "), b"")], schema_of(["put_time"]))
    assert batch.to_pylist() == [{"put_time": None}]


def test_unknown_columns_are_named() -> None:
    with pytest.raises(ValueError, match="kewmq has no column colour; it has position, data"):
        schema_of(["data", "colour"])
