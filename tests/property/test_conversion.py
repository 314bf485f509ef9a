"""Conversion of any message to any character set: it says why it cannot, or what it gives says what it is.

A message is headers behind each other, each in a character set and an encoding of its own, and text, a command or bytes
behind them. Converted, it has the same names and the same text; converted back, the same again.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kew.codes import options as o
from kew.codes import reasons as r
from kew.formats import charset, mqrfh2, pcf
from kew.formats.binary import BIG, LITTLE
from kew.formats.conversion import (
    CHARACTERS,
    FORMAT,
    LAYOUTS,
    NUMBER,
    OWN_CCSID,
    TRIGGER,
    UTF_16,
    Data,
    Layout,
    NotConverted,
    Transcoding,
)
from kew.formats.conversion import convert as converted
from kew.formats.dataconversion import convert
from kew.formats.mqmd import MessageDescriptor

NARROW = (37, 273, 437, 500, 819, 850, 923, 1047, 1140, 1208, 1252)
WIDE = (1200, 13488, 17584)
ENCODINGS = (o.MQENC_NATIVE, 785, 273)
# Records and strings that a header refers to have tests of their own.
CHAINED = tuple([name for name in LAYOUTS if name not in (o.MQFMT_DIST_HEADER, o.MQFMT_REF_MSG_HEADER)])
BRIDGES = (o.MQFMT_CICS, o.MQFMT_IMS)
REASONS = frozenset(
    (
        *(r.MQRC_NOT_CONVERTED, r.MQRC_FORMAT_ERROR, r.MQRC_SOURCE_CCSID_ERROR, r.MQRC_TARGET_CCSID_ERROR),
        *(r.MQRC_SOURCE_INTEGER_ENC_ERROR, r.MQRC_TARGET_INTEGER_ENC_ERROR, r.MQRC_CONVERTED_STRING_TOO_BIG),
        *(layout.damaged for layouts in LAYOUTS.values() for layout in layouts),
        *(TRIGGER.damaged, r.MQRC_PARTIALLY_CONVERTED, r.MQRC_CONVERTED_MSG_TOO_BIG, r.MQRC_NONE),
    )
)

letters = st.sampled_from("ABCxyz0189._/% ")
texts = st.text(st.sampled_from("ABCxyz0189 äöüÄÖÜßéñ"), max_size=40)
narrow = st.sampled_from(NARROW)
encodings = st.sampled_from(ENCODINGS)
numbers = st.integers(-(1 << 31), (1 << 31) - 1)


def order_of(encoding: int) -> str:
    return BIG if encoding & o.MQENC_INTEGER_MASK == o.MQENC_INTEGER_NORMAL else LITTLE


def number(value: int, encoding: int) -> bytes:
    return value.to_bytes(4, "big" if order_of(encoding) == BIG else "little", signed=True)


@st.composite
def bodies(draw: st.DrawFn, ccsid: int, encoding: int) -> Data:
    """Text, a command, or bytes of no format; none of it empty."""
    kind = draw(st.sampled_from((o.MQFMT_STRING, o.MQFMT_STRING, o.MQFMT_PCF, o.MQFMT_NONE)))
    if kind == o.MQFMT_NONE:
        return Data(kind, ccsid, encoding, draw(st.binary(min_size=1, max_size=40)))
    text = draw(texts) + "."
    if kind == o.MQFMT_STRING:
        return Data(kind, ccsid, encoding, charset.encode(text, ccsid, order_of(encoding)))
    value = charset.encode(text, ccsid, order_of(encoding))
    message = pcf.PCFMessage(pcf.Header(command=44), [pcf.String(2016, value, 0), pcf.Integer(1, draw(numbers))])
    return Data(kind, ccsid, encoding, pcf.encode(message, order_of(encoding)))


@st.composite
def headers(draw: st.DrawFn, behind: Data, format: bytes, ccsid: int, encoding: int) -> Data:
    """A header of a format before data."""
    layout: Layout = LAYOUTS[format][-1]
    tail = b""
    names = draw(st.sampled_from(mqrfh2.NAME_VALUE_CCSIDS))
    if format == o.MQFMT_RF_HEADER_2:
        folder = charset.encode(f"<usr><a>{draw(st.text(letters, max_size=9))}ü</a></usr>", names, order_of(encoding))
        blank = charset.encode(" ", names, order_of(encoding))
        folder += blank * (-len(folder) % 4 // len(blank))
        tail = number(len(folder), encoding) + folder
    elif format == o.MQFMT_RF_HEADER_1:
        tail = charset.encode(draw(st.text(letters, min_size=8, max_size=8)), ccsid)
    said = {3: behind.encoding, 4: behind.ccsid}
    parts: list[bytes] = []
    for place, (kind, size) in enumerate(layout.fields):
        if kind == FORMAT:
            parts.append(charset.encode(behind.format.decode(), ccsid))
        elif kind == CHARACTERS:
            text = layout.struc_id if place == 0 else draw(st.text(letters, max_size=4)).rstrip(" ").ljust(size)
            parts.append(charset.encode(text, ccsid))
        elif kind in said:
            parts.append(number(said[kind], encoding))
        elif place == 2 and layout.sized:
            parts.append(number(layout.length + len(tail), encoding))
        elif kind == NUMBER and format == o.MQFMT_RF_HEADER_2 and place == len(layout.fields) - 1:
            parts.append(number(names, encoding))
        else:
            parts.append(
                number(draw(numbers), encoding) if kind == NUMBER else draw(st.binary(min_size=size, max_size=size))
            )
    return Data(format, ccsid, encoding, b"".join(parts) + tail + behind.data)


@st.composite
def messages(draw: st.DrawFn) -> Data:
    """A message as programs put them."""
    ccsid, encoding = draw(narrow | st.sampled_from(WIDE)), draw(encodings)
    chain = draw(st.lists(st.sampled_from(CHAINED), max_size=3))
    if chain and chain[-1] in BRIDGES:
        ccsid = draw(narrow)  # what is behind these is in their character set
    message = draw(bodies(ccsid, encoding))
    for format in reversed(chain):
        if format not in BRIDGES:
            ccsid, encoding = draw(narrow), draw(encodings)
        elif message.ccsid in UTF_16:
            continue
        else:
            ccsid, encoding = message.ccsid, message.encoding
        message = draw(headers(message, format, ccsid, encoding))
    return message


def told(message: Data) -> list[object]:
    """What a message says, in no character set and encoding."""
    turn = Transcoding(message.ccsid, message.encoding, message.ccsid, message.encoding)
    if message.format in (o.MQFMT_STRING, o.MQFMT_NONE):
        if message.format == o.MQFMT_NONE:
            return [message.data]
        return [charset.decode(message.data, message.ccsid, turn.order)]
    if message.format == o.MQFMT_PCF:
        found = pcf.decode(message.data)
        first = found.parameters[0]
        assert isinstance(first, pcf.String)
        return [charset.decode(first.value, message.ccsid, turn.order), found.parameters[1:]]
    layout = LAYOUTS[message.format][-1]
    length = turn.value(message.data[8:12]) if layout.sized else layout.length
    behind = Data(b"", message.ccsid, message.encoding, message.data[length:])
    out: list[object] = []
    place = 0
    for kind, size in layout.fields:
        part = message.data[place : place + size]
        place += size
        if kind in (CHARACTERS, FORMAT):
            out.append(charset.decode(part, message.ccsid).rstrip(" "))
            if kind == FORMAT:
                behind.format = str(out[-1]).ljust(8).encode()
        elif kind == NUMBER:
            out.append(turn.value(part))
        elif kind == 3:
            behind.encoding = turn.value(part)
        elif kind == 4:
            behind.ccsid = turn.value(part)
        else:
            out.append(part)
    if message.format == o.MQFMT_RF_HEADER_2:
        names = turn.value(message.data[32:36])
        out.append(charset.decode(message.data[40:length], names, turn.order))
    elif message.format == o.MQFMT_RF_HEADER_1:
        out.append(charset.decode(message.data[32:length], message.ccsid).rstrip(" "))
    return [*out, *told(behind)]


@given(messages(), narrow | st.sampled_from(WIDE), encodings)
def test_a_message_says_the_same_in_another_character_set(message: Data, ccsid: int, encoding: int) -> None:
    try:
        there = converted(message, ccsid, encoding)
    except NotConverted as refused:
        formats = (o.MQFMT_NONE, *BRIDGES)
        assert message.format in formats or any(name in said(message) for name in BRIDGES), refused.reason
        return
    assert told(there) == told(message)
    if there.partial:
        assert (there.ccsid, there.encoding) == (OWN_CCSID, o.MQENC_NATIVE)
        assert ccsid in UTF_16
    else:
        assert (there.ccsid, there.encoding) == (ccsid, encoding)
    if message.ccsid not in UTF_16:
        back = converted(there, message.ccsid, message.encoding)
        assert told(back) == told(message)


def said(message: Data) -> list[bytes]:
    """The formats of a message and of what is behind its headers."""
    return [part.ljust(8).encode() for part in told(message) if isinstance(part, str) and part.startswith("MQ")]


@given(
    messages(),
    st.lists(st.tuples(st.integers(0, 400), st.binary(min_size=1, max_size=8)), max_size=4),
    st.integers(0, 500) | st.just(1 << 20),
    narrow | st.sampled_from(WIDE) | st.integers(-2, 70000),
    encodings | numbers,
    st.sampled_from((-1, 0, 10, 100, 1000)),
    st.booleans(),
)
def test_no_bytes_make_it_fail_otherwise(
    message: Data, damage: list[tuple[int, bytes]], length: int, ccsid: int, encoding: int, room: int, cuts: bool
) -> None:
    data = bytearray(message.data)
    for place, written in damage:
        data[place : place + len(written)] = written
    raw = bytes(data[:length])
    descriptor = MessageDescriptor(format=message.format, ccsid=message.ccsid, encoding=message.encoding)
    whole = len(raw)
    if cuts and 0 <= room < whole:
        raw = raw[:room]
    found = convert(descriptor, raw, ccsid, encoding, room, whole, cuts)
    if found.reason == r.MQRC_TRUNCATED_MSG_ACCEPTED:
        assert cuts
        assert len(found.data) == room < found.length
        return
    assert found.reason in REASONS
    if found.reason not in (r.MQRC_NONE, r.MQRC_PARTIALLY_CONVERTED):
        assert found.data == raw
        assert (descriptor.ccsid, descriptor.encoding) == (message.ccsid, message.encoding)
    else:
        assert len(found.data) <= 4 * len(raw) + 64


@given(st.binary(max_size=200), st.integers(-2, 70000), numbers, st.integers(-2, 70000), numbers)
def test_text_of_any_kind(data: bytes, ccsid: int, encoding: int, to_ccsid: int, to_encoding: int) -> None:
    descriptor = MessageDescriptor(format=o.MQFMT_STRING, ccsid=ccsid, encoding=encoding)
    assert convert(descriptor, data, to_ccsid, to_encoding, -1).reason in REASONS


def test_a_chain_without_end_is_refused() -> None:
    header = mqrfh2.encode(mqrfh2.RulesHeader(o.MQENC_NATIVE, 819, o.MQFMT_RF_HEADER_2, 0, 1208, []))
    descriptor = MessageDescriptor(format=o.MQFMT_RF_HEADER_2, ccsid=819, encoding=o.MQENC_NATIVE)
    assert convert(descriptor, header * 5000, 500, 785, -1).reason == r.MQRC_FORMAT_ERROR


@pytest.mark.parametrize("length", [-4, -5, -(1 << 31), 1, 5, 1 << 30])
def test_folders_that_lead_back_or_beyond_are_refused(length: int) -> None:
    folder = length.to_bytes(4, "little", signed=True)
    header = mqrfh2.encode(mqrfh2.RulesHeader(o.MQENC_NATIVE, 819, o.MQFMT_STRING, 0, 1208, []))
    data = header[:8] + (40).to_bytes(4, "little") + header[12:] + folder + b"text"
    descriptor = MessageDescriptor(format=o.MQFMT_RF_HEADER_2, ccsid=819, encoding=o.MQENC_NATIVE)
    assert convert(descriptor, data, 500, 785, -1).reason == r.MQRC_RFH_ERROR


def test_long_text_of_which_the_target_lacks_much() -> None:
    text = "日本語😀x" * 200_000
    for ccsid in (819, 1047, 1140):
        descriptor = MessageDescriptor(format=o.MQFMT_STRING, ccsid=1208, encoding=o.MQENC_NATIVE)
        found = convert(descriptor, text.encode(), ccsid, 785, -1)
        assert found.data == charset.encode("\x1a\x1a\x1a\x1ax", ccsid) * 200_000
