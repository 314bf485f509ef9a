from hypothesis import given
from hypothesis import strategies as st

from kew.storage.log.buffer import LogBuffer
from kew.storage.log.record import RECORD_HEADER, parse
from kew.storage.logaddress import LogAddress

long_words = st.integers(0, 2**64 - 1)


def framed(kind: int, unit: int, previous: int, head: bytes, body: bytes, flags: int) -> tuple[int, bytes]:
    buffer = LogBuffer(LogAddress(4136), 18, False, lambda: 0.0)
    buffer.set_limit(1 << 40)
    address = buffer.append(kind, unit, previous, head, body, flags)
    taken = buffer.take()
    assert taken is not None
    return address, b"".join(taken.parts)


@given(st.integers(0, 255), long_words, long_words, st.binary(max_size=99), st.binary(max_size=99), st.integers(0, 255))
def test_a_record_comes_back(kind: int, unit: int, previous: int, head: bytes, body: bytes, flags: int) -> None:
    address, data = framed(kind, unit, previous, head, body, flags)
    record = parse(address, data[:RECORD_HEADER], data[RECORD_HEADER:])
    assert record is not None
    assert (record.address, record.kind, record.flags, record.unit) == (address, kind, flags, unit)
    assert (record.previous, record.payload) == (previous, head + body)
    assert record.next_address == address + len(data)


@given(st.integers(0, 10**6), st.binary(max_size=60))
def test_every_flipped_bit_is_noticed(bit: int, body: bytes) -> None:
    address, data = framed(3, 5, 7, b"head", body, 0)
    damaged = bytearray(data)
    bit %= len(data) * 8
    damaged[bit // 8] ^= 1 << bit % 8
    assert parse(address, bytes(damaged[:RECORD_HEADER]), bytes(damaged[RECORD_HEADER:])) is None


@given(st.integers(41, 2**32 - 1))
def test_a_record_is_valid_only_in_its_place(address: int) -> None:
    place, data = framed(3, 5, 7, b"head", b"body", 0)
    found = parse(address, data[:RECORD_HEADER], data[RECORD_HEADER:])
    assert (found is not None) == (address == place)
