"""The message descriptor keeps every field through every form it has."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kew.codes.structures import MQMD_CURRENT_LENGTH, MQMD_LENGTH_1
from kew.formats import mqmd
from kew.formats.binary import BIG, LITTLE, FormatError
from kew.formats.descriptortemplate import DescriptorTemplate
from kew.formats.mqmd import MessageDescriptor

INTEGERS = st.integers(-(1 << 31), (1 << 31) - 1)


def text(width: int) -> st.SearchStrategy[bytes]:
    return st.binary(max_size=width)


DESCRIPTORS = st.builds(
    MessageDescriptor,
    *[INTEGERS] * 6,
    text(8),
    INTEGERS,
    INTEGERS,
    text(24),
    text(24),
    INTEGERS,
    text(48),
    text(48),
    text(12),
    text(32),
    text(32),
    INTEGERS,
    text(28),
    text(8),
    text(8),
    text(4),
    text(24),
    *[INTEGERS] * 4,
)


def test_default_descriptor_is_mqs_default_in_version_2_bytes() -> None:
    data = mqmd.encode(MessageDescriptor())
    assert len(data) == mqmd.LENGTH == MQMD_CURRENT_LENGTH == 364
    assert mqmd.LENGTH_1 == MQMD_LENGTH_1 == 324
    assert data[:8] == b"MD  \2\0\0\0"
    assert data[8:32] == bytes.fromhex("00000000 08000000 ffffffff 00000000 22020000 00000000")
    assert data[32:48] == b" " * 8 + bytes.fromhex("ffffffff 02000000")
    assert data[348:] == bytes.fromhex("01000000 00000000 00000000 ffffffff")


def test_fields_sit_at_their_offsets_in_big_endian() -> None:
    md = MessageDescriptor(
        expiry=600,
        format=b"MQSTR",
        message_id=b"M" * 24,
        correlation_id=b"C",
        reply_to_queue=b"REPLY",
        put_date=b"20250225",
        offset=7,
    )
    data = mqmd.encode_as(md, BIG)
    assert data[4:8] == b"\0\0\0\2"
    assert data[16:20] == b"\0\0\x02\x58"
    assert data[32:40] == b"MQSTR   "
    assert data[48:72] == b"M" * 24
    assert data[72:96] == b"C" + bytes(23)
    assert data[100:148] == b"REPLY".ljust(48)
    assert data[304:312] == b"20250225"
    assert data[352:356] == b"\0\0\0\7"


@given(DESCRIPTORS)
def test_round_trip_canonical(md: MessageDescriptor) -> None:
    data = mqmd.encode(md)
    assert mqmd.encode(mqmd.decode(data)) == data
    assert mqmd.encode(md.copy()) == data


@given(DESCRIPTORS, st.sampled_from([LITTLE, BIG]), st.sampled_from([1, 2]), st.integers(0, 9))
def test_round_trip_every_order_and_version(md: MessageDescriptor, order: str, version: int, shift: int) -> None:
    data = mqmd.encode_as(md, order, version)
    framed = bytes(shift) + data + b"tail"
    assert mqmd.byte_order(framed, shift) == order
    assert mqmd.encoded_length(framed, shift) == len(data)
    back = mqmd.decode(framed, shift)
    assert mqmd.encode_as(back, order, version) == data
    if version == 1:
        assert (back.group_id, back.sequence_number, back.offset) == (bytes(24), 1, 0)
        assert (back.message_flags, back.original_length) == (0, -1)


@given(st.binary(max_size=400), st.integers(-2, 500))
def test_no_input_crashes_decode(data: bytes, offset: int) -> None:
    try:
        mqmd.decode(data, offset)
    except FormatError as problem:
        assert problem.structure == "MQMD"


@given(DESCRIPTORS, st.integers(0, 363), st.binary(min_size=1, max_size=4))
def test_damaged_descriptor_is_read_or_refused(md: MessageDescriptor, at: int, noise: bytes) -> None:
    data = bytearray(mqmd.encode(md))
    data[at : at + len(noise)] = noise
    try:
        mqmd.encode(mqmd.decode(bytes(data)))
    except FormatError as problem:
        assert problem.offset in (0, 4)


def test_refusals_say_where_and_what_was_expected() -> None:
    data = mqmd.encode(MessageDescriptor())
    with pytest.raises(FormatError, match="offset 0: expected 364 bytes, 363 remain"):
        mqmd.decode(data[:-1])
    with pytest.raises(FormatError, match="expected StrucId 'MD  ', found b'XX  '"):
        mqmd.decode(b"XX" + data[2:])
    with pytest.raises(FormatError, match="offset 9: expected StrucId"):
        mqmd.decode(bytes(9) + b"XX" + mqmd.encode_as(MessageDescriptor(), BIG, 1)[2:], 9)
    with pytest.raises(FormatError, match="offset 4: expected version 1 or 2, found 03000000"):
        mqmd.decode(data[:4] + b"\3\0\0\0" + data[8:])
    with pytest.raises(FormatError, match="offset 4: expected version 1 or 2, found nothing"):
        mqmd.decode(b"")


def test_values_that_do_not_fit_are_refused() -> None:
    with pytest.raises(FormatError, match="ReplyToQ has 49 bytes, expected at most 48"):
        mqmd.encode(MessageDescriptor(reply_to_queue=b"Q" * 49))
    with pytest.raises(FormatError, match="MsgId has 25 bytes"):
        mqmd.encode(MessageDescriptor(message_id=bytes(25)))
    with pytest.raises(FormatError, match="fit 32 bits"):
        mqmd.encode(MessageDescriptor(expiry=1 << 31))


def test_ebcdic_descriptor_becomes_readable_by_translation() -> None:
    table = bytes(range(256)).decode("cp500").encode("latin-1")
    to_ebcdic = bytes(range(256)).decode("latin-1").encode("cp500")
    md = MessageDescriptor(format=b"MQSTR", reply_to_queue=b"REPLY", put_date=b"20250225", user_identifier=b"mqperf")
    md.pad()
    md.translate(to_ebcdic)
    data = b"\xd4\xc4\x40\x40" + mqmd.encode_as(md, BIG)[4:]
    back = mqmd.decode(data)
    assert back.format != b"MQSTR   "
    back.translate(table)
    assert (back.format, back.reply_to_queue) == (b"MQSTR   ", b"REPLY".ljust(48))
    assert (back.put_date, back.user_identifier) == (b"20250225", b"mqperf".ljust(12))


@given(DESCRIPTORS, st.lists(DESCRIPTORS, max_size=3), st.booleans())
def test_descriptors_that_are_alike_are_encoded_as_any_other(
    first: MessageDescriptor, others: list[MessageDescriptor], same_life: bool
) -> None:
    template = DescriptorTemplate()
    assert template.encode(first) == mqmd.encode(first)
    for other in others:
        alike = first.copy()
        alike.message_id, alike.correlation_id = other.message_id, other.correlation_id
        alike.user_identifier, alike.accounting_token = other.user_identifier, other.accounting_token
        alike.application_identity_data = other.application_identity_data
        if not same_life:
            alike.priority, alike.persistence, alike.expiry = other.priority, other.persistence, other.expiry
        assert template.encode(alike) == mqmd.encode(alike)


@given(DESCRIPTORS, DESCRIPTORS)
def test_what_is_said_of_the_data_can_be_changed_in_the_stored_form(
    descriptor: MessageDescriptor, other: MessageDescriptor
) -> None:
    stored = mqmd.encode(descriptor)
    mqmd.encode(other)  # pads it
    descriptor.format, descriptor.ccsid, descriptor.encoding = other.format, other.ccsid, other.encoding
    assert mqmd.reframed(stored, descriptor) == mqmd.encode(descriptor)


@given(DESCRIPTORS, DESCRIPTORS)
def test_what_a_queue_manager_fills_in_is_taken_from_its_answer(
    put: MessageDescriptor, answer: MessageDescriptor
) -> None:
    expected = mqmd.decode(mqmd.encode(answer))
    mqmd.encode(put)  # pads it
    expected.report, expected.message_type, expected.expiry = put.report, put.message_type, put.expiry
    expected.feedback, expected.encoding, expected.ccsid = put.feedback, put.encoding, put.ccsid
    expected.format, expected.backout_count = put.format, put.backout_count
    expected.reply_to_queue, expected.reply_to_queue_manager = put.reply_to_queue, put.reply_to_queue_manager
    mqmd.complete(put, mqmd.encode(answer))
    assert mqmd.encode(put) == mqmd.encode(expected)
