"""Fixed headers in message data: dead letter, transmission, extension, trigger message."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kew.codes.options import MQFMT_STRING
from kew.codes.reasons import MQRC_Q_FULL
from kew.codes.structures import (
    MQDLH_CURRENT_LENGTH,
    MQMDE_CURRENT_LENGTH,
    MQTM_CURRENT_LENGTH,
    MQTMC2_LENGTH_2,
    MQXQH_CURRENT_LENGTH,
)
from kew.formats import mqdlh, mqmd, mqmde, mqtm, mqxqh
from kew.formats.binary import BIG, LITTLE, FormatError
from kew.formats.mqdlh import DeadLetterHeader
from kew.formats.mqmd import MessageDescriptor
from kew.formats.mqmde import DescriptorExtension
from kew.formats.mqtm import TriggerMessage
from kew.formats.mqxqh import TransmissionHeader

INTEGERS = st.integers(-(1 << 31), (1 << 31) - 1)
ORDERS = st.sampled_from([LITTLE, BIG])
SHIFTS = st.integers(0, 7)


def text(width: int) -> st.SearchStrategy[bytes]:
    return st.binary(max_size=width).map(lambda value: value.ljust(width))


DEAD_LETTERS = st.builds(
    DeadLetterHeader, INTEGERS, text(48), text(48), INTEGERS, INTEGERS, text(8), INTEGERS, text(28), text(8), text(8)
)
EXTENSIONS = st.builds(
    DescriptorExtension,
    INTEGERS,
    INTEGERS,
    text(8),
    INTEGERS,
    st.binary(min_size=24, max_size=24),
    INTEGERS,
    INTEGERS,
    INTEGERS,
    INTEGERS,
)
TRIGGERS = st.builds(TriggerMessage, text(48), text(48), text(64), INTEGERS, text(256), text(128), text(128))
TRANSMISSIONS = st.builds(
    TransmissionHeader, text(48), text(48), st.builds(MessageDescriptor, INTEGERS, INTEGERS, message_id=text(24))
)


def test_lengths_are_mqs() -> None:
    assert mqdlh.LENGTH == MQDLH_CURRENT_LENGTH == len(mqdlh.encode(DeadLetterHeader()))
    assert mqmde.LENGTH == MQMDE_CURRENT_LENGTH == len(mqmde.encode(DescriptorExtension()))
    assert mqtm.LENGTH == MQTM_CURRENT_LENGTH == len(mqtm.encode(TriggerMessage()))
    assert mqtm.LENGTH_CHARACTER == MQTMC2_LENGTH_2 == len(mqtm.encode_character(TriggerMessage()))
    header = TransmissionHeader(b"Q", b"QM", MessageDescriptor())
    assert mqxqh.LENGTH == MQXQH_CURRENT_LENGTH == len(mqxqh.encode(header))


def test_dead_letter_header_bytes() -> None:
    header = DeadLetterHeader(MQRC_Q_FULL, b"Q1", b"QM1", 546, 1208, MQFMT_STRING, 6, b"prog", b"20250225", b"14321480")
    data = mqdlh.encode(header, BIG)
    assert data[:12] == b"DLH \0\0\0\1\0\0\x08\x05"
    assert data[12:14] == b"Q1"
    assert data[60:64] == b"QM1 "
    assert data[108:124] == b"\0\0\x02\x22\0\0\x04\xb8MQSTR   "
    assert data[156:] == b"2025022514321480"


@given(DEAD_LETTERS, ORDERS, SHIFTS)
def test_dead_letter_round_trip(header: DeadLetterHeader, order: str, shift: int) -> None:
    assert mqdlh.decode(bytes(shift) + mqdlh.encode(header, order) + b"data", shift) == header


@given(EXTENSIONS, ORDERS, SHIFTS)
def test_extension_round_trip(extension: DescriptorExtension, order: str, shift: int) -> None:
    assert mqmde.decode(bytes(shift) + mqmde.encode(extension, order) + b"data", shift) == extension


@given(TRIGGERS, ORDERS, SHIFTS)
def test_trigger_round_trip(message: TriggerMessage, order: str, shift: int) -> None:
    assert mqtm.decode(bytes(shift) + mqtm.encode(message, order), shift) == message


@given(TRIGGERS, text(48), SHIFTS)
def test_character_trigger_round_trip(message: TriggerMessage, queue_manager: bytes, shift: int) -> None:
    message.queue_manager = queue_manager
    back = mqtm.decode_character(bytes(shift) + mqtm.encode_character(message), shift)
    message.application_type = 0
    assert back == message


@given(TRANSMISSIONS, ORDERS, SHIFTS)
def test_transmission_round_trip(header: TransmissionHeader, order: str, shift: int) -> None:
    data = mqxqh.encode(header, order)
    back = mqxqh.decode(bytes(shift) + data + b"data", shift)
    assert (back.remote_queue, back.remote_queue_manager) == (header.remote_queue, header.remote_queue_manager)
    assert mqmd.encode(back.descriptor) == mqmd.encode(header.descriptor)
    assert mqxqh.encode(back, order) == data


SAMPLES = [
    (mqdlh.decode, mqdlh.encode(DeadLetterHeader())),
    (mqmde.decode, mqmde.encode(DescriptorExtension())),
    (mqtm.decode, mqtm.encode(TriggerMessage())),
    (mqtm.decode_character, mqtm.encode_character(TriggerMessage())),
    (mqxqh.decode, mqxqh.encode(TransmissionHeader(b"", b"", MessageDescriptor()))),
]


@given(st.sampled_from(SAMPLES), st.data())
def test_no_input_crashes_a_decoder(sample: tuple[object, bytes], data: st.DataObject) -> None:
    decode, good = sample
    assert callable(decode)
    bad = bytearray(good)
    at = data.draw(st.integers(0, len(good)))
    noise = data.draw(st.binary(max_size=8))
    bad[at : at + len(noise)] = noise
    length = data.draw(st.integers(0, len(bad)))
    for candidate, offset in ((bytes(bad), 0), (bytes(bad[:length]), 0), (noise, data.draw(st.integers(-3, 12)))):
        try:
            decode(candidate, offset)
        except FormatError as problem:
            assert problem.expectation


@pytest.mark.parametrize("sample", SAMPLES)
def test_every_truncation_is_refused(sample: tuple[object, bytes]) -> None:
    decode, good = sample
    assert callable(decode)
    for length in range(len(good)):
        with pytest.raises(FormatError):
            decode(good[:length])


def test_refusals_name_the_place() -> None:
    good = mqdlh.encode(DeadLetterHeader())
    with pytest.raises(FormatError, match="MQDLH at offset 0: expected StrucId 'DLH ', found b'XXXX'"):
        mqdlh.decode(b"XXXX" + good[4:])
    with pytest.raises(FormatError, match="MQDLH at offset 4: expected version 1, found 07000000"):
        mqdlh.decode(good[:4] + b"\7\0\0\0" + good[8:])
    extension = mqmde.encode(DescriptorExtension())
    with pytest.raises(FormatError, match="MQMDE at offset 8: expected StrucLength 72, found 73"):
        mqmde.decode(extension[:8] + b"\x49\0\0\0" + extension[12:])
    transmission = mqxqh.encode(TransmissionHeader(b"", b"", MessageDescriptor()))
    mixed = transmission[:104] + mqmd.encode_as(MessageDescriptor(), BIG, 1)
    with pytest.raises(FormatError, match="MQXQH at offset 104: expected the descriptor in the byte order"):
        mqxqh.decode(mixed)
    with pytest.raises(FormatError, match="MQXQH at offset 104: expected a version 1 descriptor"):
        mqxqh.decode(transmission[:104] + mqmd.encode(MessageDescriptor()))


def test_identifiers_in_ebcdic_are_recognised() -> None:
    data = mqdlh.encode(DeadLetterHeader(reason=2053), BIG)
    assert mqdlh.decode("DLH ".encode("cp500") + data[4:]).reason == 2053
