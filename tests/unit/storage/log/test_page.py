from hypothesis import given
from hypothesis import strategies as st

from kew.storage.log.page import FRESH, PIECES, build_page, check_page, follows, is_blank
from kew.storage.logaddress import PAGE_PAYLOAD, PAGE_SIZE

addresses = st.integers(0, 2**50).map(lambda page: page * PAGE_SIZE)

words = st.integers(0, 2**32 - 1)


def built(
    payload: bytes, flags: int, first: int, address: int, durable: int, chain: int, life: int, log_id: int
) -> tuple[int, bytes]:
    pieces: list[bytes | memoryview] = []
    crc = build_page(pieces, payload, flags, first, address, durable, chain, life, log_id)
    assert len(pieces) == PIECES
    return crc, b"".join(pieces)


@given(st.integers(0, PAGE_PAYLOAD), addresses, addresses, words, words, words)
def test_a_page_comes_back(used: int, address: int, durable: int, chain: int, life: int, log_id: int) -> None:
    payload = (b"payload" * 600)[:used]
    crc, data = built(payload, FRESH, 40, address, durable, chain, life, log_id)
    assert len(data) == PAGE_SIZE
    page = check_page(b"before" + data, 6)
    assert page is not None
    assert (page.crc, page.flags, page.used, page.first) == (crc, FRESH, used, 40)
    assert (page.address, page.durable, page.chain, page.life, page.log_id) == (address, durable, chain, life, log_id)
    assert data[40 : 40 + used] == payload
    assert not is_blank(data, 0)


@given(st.integers(0, PAGE_SIZE * 8 - 1))
def test_every_flipped_bit_is_noticed(bit: int) -> None:
    _, data = built(b"x" * 1000, 0, 40, 8192, 4096, 1, 2, 3)
    damaged = bytearray(data)
    damaged[bit // 8] ^= 1 << bit % 8
    assert check_page(bytes(damaged), 0) is None


@given(st.binary(max_size=PAGE_SIZE + 10))
def test_no_bytes_are_taken_for_a_page(data: bytes) -> None:
    assert check_page(data, 0) is None


def test_a_page_follows_only_its_predecessor() -> None:
    first_crc, first_data = built(b"one", 0, 40, 4096, 0, 0, 5, 7)
    first = check_page(first_data, 0)
    assert first is not None

    def made(address: int, chain: int, life: int, log_id: int) -> bool:
        page = check_page(built(b"two", 0, 40, address, 0, chain, life, log_id)[1], 0)
        assert page is not None
        return follows(page, 8192, 7, first)

    assert made(8192, first_crc, 5, 7)
    assert made(8192, first_crc, 6, 7)
    assert not made(12288, first_crc, 5, 7)
    assert not made(8192, first_crc ^ 1, 5, 7)
    assert not made(8192, first_crc, 4, 7)
    assert not made(8192, first_crc, 5, 8)


def test_a_page_never_written_is_blank() -> None:
    assert is_blank(bytes(PAGE_SIZE * 2), PAGE_SIZE)
    assert not is_blank(bytes(PAGE_SIZE - 1) + b"x", 0)
