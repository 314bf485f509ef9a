from hypothesis import given
from hypothesis import strategies as st

from kew.storage.logaddress import PAGE_HEADER, PAGE_SIZE, advance, boundary, next_page, page_start

places = st.integers(0, 2**50).map(lambda page: page * PAGE_SIZE)
offsets = st.integers(PAGE_HEADER, PAGE_SIZE - 1)


@given(places, offsets, st.integers(0, 20_000))
def test_advancing_counts_payload_bytes_only(page: int, offset: int, size: int) -> None:
    address = page + offset
    count = 0
    expected = address
    while count < size:
        expected += 1
        count += 1
        if expected % PAGE_SIZE == 0:
            expected += PAGE_HEADER
    assert advance(address, size) == expected


@given(places, offsets, st.integers(0, 9000), st.integers(0, 9000))
def test_advancing_twice_is_advancing_once(page: int, offset: int, one: int, two: int) -> None:
    address = page + offset
    assert advance(advance(address, one), two) == advance(address, one + two)


@given(places, offsets)
def test_a_fresh_page_starts_at_or_behind(page: int, offset: int) -> None:
    address = page + offset
    fresh = next_page(address)
    assert fresh % PAGE_SIZE == PAGE_HEADER
    assert address <= fresh < address + PAGE_SIZE
    assert boundary(fresh) == page_start(fresh)
    assert next_page(fresh) == fresh
    if offset != PAGE_HEADER:
        assert boundary(address) == address
