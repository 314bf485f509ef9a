"""Directory entries and chains of directories."""

from hypothesis import given
from hypothesis import strategies as st
from librt.threading import Lock
from tests.support.simdisk import SimDisk

from kew.storage.buffers.pool import BufferPool
from kew.storage.fileheader import NOBODY
from kew.storage.page import PAGE_SIZE
from kew.storage.pages.chain import Chain
from kew.storage.pages.directory import (
    CORRELATION_HASH,
    ENTRIES,
    ENTRY,
    ENTRY_SIZE,
    FIRST_ENTRY,
    GROUP_HASH,
    MESSAGE_HASH,
    Directory,
    Entry,
    backout_at,
    entry_at,
    expiry_at,
    find_hash,
    flags_at,
    hash_at,
    offset_of,
    sequence_at,
    set_backout_at,
    state_at,
    unpack_entry,
)
from kew.storage.pages.pageset import PageSet

BYTE = st.integers(0, 255)
U16 = st.integers(0, 2**16 - 1)
U32 = st.integers(0, 2**32 - 1)
U64 = st.integers(0, 2**64 - 1)


def test_a_page_has_room_for_84_entries() -> None:
    assert ENTRIES == 84
    assert ENTRY.size == ENTRY_SIZE == 48
    assert FIRST_ENTRY + ENTRIES * ENTRY_SIZE == PAGE_SIZE


@given(BYTE, BYTE, BYTE, U32, U32, U32, U64, U32, U32, U32, U64, U16, st.integers(0, 100))
def test_an_entry_comes_back_as_it_was(
    state: int,
    flags: int,
    priority: int,
    length: int,
    page: int,
    pages: int,
    sequence: int,
    message: int,
    correlation: int,
    group: int,
    expiry: int,
    backout: int,
    offset: int,
) -> None:
    entry = Entry(state, flags, priority, length, page, pages, sequence, message, correlation, group, expiry, backout)
    back = unpack_entry(bytes(offset) + entry.pack(), offset)
    assert back.pack() == entry.pack()
    assert (back.state, back.length, back.sequence, back.expiry, back.backout) == (
        state,
        length,
        sequence,
        expiry,
        backout,
    )


@given(st.integers(0, ENTRIES - 1), BYTE, BYTE, U32, U64, st.tuples(U32, U32, U32), U64, U16)
def test_the_accessors_read_the_fields_of_the_entry_in_a_slot(
    slot: int,
    state: int,
    flags: int,
    length: int,
    sequence: int,
    hashes: tuple[int, int, int],
    expiry: int,
    backout: int,
) -> None:
    entry = Entry(state, flags, 3, length, 77, 1, sequence, *hashes, expiry, backout)
    data = bytearray(b"\xa5" * PAGE_SIZE)
    data[offset_of(slot) : offset_of(slot) + ENTRY_SIZE] = entry.pack()
    assert entry_at(data, slot).pack() == entry.pack()
    assert (state_at(data, slot), flags_at(data, slot)) == (state, flags)
    assert (sequence_at(data, slot), expiry_at(data, slot), backout_at(data, slot)) == (sequence, expiry, backout)
    assert tuple(hash_at(data, slot, which) for which in (MESSAGE_HASH, CORRELATION_HASH, GROUP_HASH)) == hashes
    before = bytes(data)
    set_backout_at(data, slot, backout ^ 1)
    assert backout_at(data, slot) == backout ^ 1
    set_backout_at(data, slot, backout)
    assert data == before


@given(st.lists(st.sampled_from((0, 7, 0x07070707)), min_size=1, max_size=ENTRIES), st.integers(0, ENTRIES))
def test_a_hash_is_found_in_its_own_field_only(hashes: list[int], first: int) -> None:
    data = bytearray(PAGE_SIZE)
    for slot, value in enumerate(hashes):
        # The neighbours hold bytes in which the hash can be seen across the borders of the field.
        entry = Entry(1, 0, 0, 0, 0, 0, 0, 0x07070707, value, 0x07070707, 0, 0)
        data[offset_of(slot) : offset_of(slot) + ENTRY_SIZE] = entry.pack()
    wanted = (0x07070707).to_bytes(4, "little")
    expected = next((slot for slot in range(first, len(hashes)) if hashes[slot] == 0x07070707), -1)
    assert find_hash(data, CORRELATION_HASH, wanted, first, len(hashes)) == expected


def chain() -> Chain:
    disk = SimDisk()
    page_set = PageSet(1, "/p", disk.open("/p", create=True), BufferPool(1, 10, Lock()), NOBODY)
    return Chain(page_set, 20, 0, False)


def numbers(chain: Chain) -> list[int]:
    forward = []
    directory = chain.first
    while directory is not None:
        forward.append(directory.number)
        directory = directory.after
    backward = []
    directory = chain.last
    while directory is not None:
        backward.append(directory.number)
        directory = directory.before
    assert backward == forward[::-1]
    assert sorted(chain.by_number) == sorted(forward)
    return forward


def test_directories_are_appended_and_removed_anywhere() -> None:
    line = chain()
    directories = [Directory(100 + place, place + 1) for place in range(5)]
    for directory in directories:
        line.append(directory)
    assert numbers(line) == [100, 101, 102, 103, 104]
    assert line.next_position == 6
    for gone, left in ((102, [100, 101, 103, 104]), (100, [101, 103, 104]), (104, [101, 103])):
        line.remove(line.by_number[gone])
        assert numbers(line) == left
    line.append(Directory(200, line.next_position))
    assert numbers(line) == [101, 103, 200]
    for number in (101, 200, 103):
        line.remove(line.by_number[number])
    assert numbers(line) == []
    assert (line.first, line.last) == (None, None)


def test_positions_only_rise() -> None:
    line = chain()
    line.append(Directory(1, 50))
    line.remove(line.by_number[1])
    assert line.next_position == 51


def test_a_directory_that_is_begun_anew_says_so() -> None:
    directory = Directory(1, 1)
    directory.count, directory.hint = 84, 84
    directory.reset()
    assert (directory.count, directory.hint, directory.resets) == (0, 0, 1)
