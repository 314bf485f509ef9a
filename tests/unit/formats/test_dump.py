"""Dumps of queues: what is written is read back, and what was cut, changed or never a dump is refused with its line."""

import io
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kew.formats.dump import LONGEST_LINE, DumpError, DumpReader, DumpWriter
from kew.formats.mqmd import MessageDescriptor, encode

Messages = list[tuple[MessageDescriptor, bytes]]


def written(messages: Messages, readable: bool = False) -> bytes:
    file = io.BytesIO()
    writer = DumpWriter(file.write, "of Q on QM1", readable)
    for descriptor, data in messages:
        writer.add(descriptor, data)
    writer.finish()
    return file.getvalue()


def read(dump: bytes) -> Messages:
    return list(DumpReader(io.BytesIO(dump)))


def plain(messages: Messages) -> list[tuple[bytes, bytes]]:
    return [(encode(descriptor), data) for descriptor, data in messages]


def number() -> st.SearchStrategy[int]:
    return st.integers(-(1 << 31), (1 << 31) - 1)


def field(width: int) -> st.SearchStrategy[bytes]:
    text = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=width).map(str.encode)
    return st.one_of(st.binary(max_size=width), text)


DESCRIPTORS = st.builds(
    MessageDescriptor,
    report=number(),
    expiry=number(),
    format=field(8),
    priority=number(),
    message_id=st.binary(max_size=24),
    correlation_id=st.binary(max_size=24),
    reply_to_queue=field(48),
    user_identifier=field(12),
    accounting_token=st.binary(max_size=32),
    put_application_name=field(28),
    put_date=field(8),
    application_origin_data=field(4),
    group_id=st.binary(max_size=24),
    original_length=number(),
)
DATA = st.one_of(st.binary(max_size=200), st.text(max_size=100).map(str.encode), st.just(b"y" * 10000))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(DESCRIPTORS, DATA), max_size=4), st.booleans())
def test_what_is_written_is_read_back(messages: Messages, readable: bool) -> None:
    assert plain(read(written(messages, readable))) == plain(messages)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_any_change_is_harmless_or_found(data: st.DataObject) -> None:
    messages = [(MessageDescriptor(format=b"MQSTR", put_application_name=b"app"), b"Hello"), (MessageDescriptor(), b"")]
    dump = written(messages, readable=True)
    at = data.draw(st.integers(0, len(dump) - 1))
    change = data.draw(st.sampled_from(["cut", "drop", "flip"]))
    if change == "cut":
        damaged = dump[:at]
    elif change == "drop":
        damaged = dump[:at] + dump[at + 1 :]
    else:
        damaged = dump[:at] + bytes([dump[at] ^ 1 << data.draw(st.integers(0, 7))]) + dump[at + 1 :]
    if b"* Kew dump 1 " not in damaged[:13]:
        return  # it no longer says that it is a whole dump
    try:
        found = plain(read(damaged))
    except DumpError as problem:
        assert 1 <= problem.line <= dump.count(b"\n") + 2
    else:
        assert found == plain(messages)


@settings(max_examples=200, deadline=None)
@given(st.one_of(st.binary(max_size=300), st.text("NAXT* \nMSICOPER0123456789abc'", max_size=300).map(str.encode)))
def test_rubbish_is_refused_or_read_and_nothing_else(rubbish: bytes) -> None:
    try:
        read(rubbish)
    except DumpError as problem:
        assert problem.line >= 1


def test_a_file_written_by_hand() -> None:
    ((first, hello), (second, data)) = read(b"* mine\nA PER 1\nA FMT MQSTR\nT Hello, \nT you\n\nN\nX 00 FF\nA PRI 7\n")
    assert (first.persistence, first.format, hello) == (1, b"MQSTR   ", b"Hello, you")
    assert (second.priority, second.persistence, data) == (7, 2, b"\x00\xff")


@dataclass
class Bad:
    dump: bytes
    line: int
    problem: str


@pytest.mark.parametrize(
    "bad",
    [
        Bad(b"\x89PNG\r\n\x1a\n", 1, "is not a valid line of a dump"),
        Bad(b"", 1, "an empty file is not a dump"),
        Bad(b"N\nA XYZ 1\n", 2, "'XYZ' is not a valid field"),
        Bad(b"N\nA PRI high\n", 2, "PRI must be a whole number"),
        Bad(b"N\nA PRI 99999999999\n", 2, "PRI must be a whole number"),
        Bad(b"N\nA MSI 0\n", 2, "MSI must be hexadecimal"),
        Bad(b"N\nA MSI " + b"00" * 25 + b"\n", 2, "at most 24 bytes"),
        Bad(b"N\nA FMT TOOLONG99\n", 2, "FMT must be a text of at most 8"),
        Bad(b"N\nA VER 3\n", 2, "VER is 1 or 2"),
        Bad(b"N\nX 0G\n", 2, "is not hexadecimal"),
        Bad(b"* Kew dump 9 of Q\n", 1, "version '9', and version 1 was expected"),
        Bad(b"* Kew dump 1 of Q\nN\nX 00\n", 3, "message 1 has no line '* Check'"),
        Bad(b"* Kew dump 1 of Q\n", 2, "the file ends here"),
        Bad(b"* Kew dump 1 of Q\n* End 2\n", 2, "had 2 messages, and 0 are here"),
        Bad(b"* Kew dump 1 of Q\n* Check 1 00000000\n", 2, "a check without a message"),
        Bad(b"* Kew dump 1 of Q\nN\n* Check 2 00000000\n", 3, "message 1 is missing"),
        Bad(b"* Kew dump 1 of Q\nN\n* Check 1 00000000\n", 3, "its check is wrong"),
        Bad(b"* Kew dump 1 of Q\n* End 0\nN\n", 3, "nothing may follow"),
        Bad(b"T " + b"x" * LONGEST_LINE, 1, "at most 131072 bytes"),
    ],
    ids=lambda bad: bad.problem,
)
def test_what_is_wrong_is_said_with_its_line(bad: Bad) -> None:
    with pytest.raises(DumpError) as caught:
        read(bad.dump)
    assert bad.problem in str(caught.value)
    assert caught.value.line == bad.line


def test_text_is_written_as_text_where_that_is_wanted() -> None:
    message = [(MessageDescriptor(), b"plain  text ")]
    assert b"\nT plain  text \n" in written(message, readable=True)
    assert b"\nT " not in written(message)
    assert b"\nT " not in written([(MessageDescriptor(), b"two\nlines")], readable=True)
