"""Directory entries and chains of directories."""

from hypothesis import given
from hypothesis import strategies as st
from librt.threading import Lock
from tests.support.simdisk import SimDisk

from kew.storage.buffers.pool import BufferPool
from kew.storage.page import PAGE_SIZE
from kew.storage.pages.chain import Chain
from kew.storage.pages.directory import ENTRIES, ENTRY, ENTRY_SIZE, FIRST_ENTRY, Directory, Entry, unpack_entry
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


def chain() -> Chain:
    disk = SimDisk()
    page_set = PageSet(1, "/p", disk.open("/p", create=True), BufferPool(1, 10, Lock()), "QM1")
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
