"""The space map: which pages are free, found again wherever they are, and what of it belongs on disk."""

from random import Random

import pytest

from kew.storage.pages.spacemap import (
    CATALOG,
    FREE,
    GROUP,
    ITEM,
    RELEASING,
    SYSTEM,
    VOLATILE,
    SpaceMap,
    map_page_of,
)


def check(space: SpaceMap) -> None:
    assert space.free == space.states.count(FREE)


def taken(runs: list[tuple[int, int]]) -> list[int]:
    return [number for first, count in runs for number in range(first, first + count)]


def test_header_and_map_pages_are_never_free() -> None:
    space = SpaceMap(3 * GROUP)
    system = [number for number in range(space.pages) if space.states[number] == SYSTEM]
    assert system == [0, 1, GROUP, 2 * GROUP]
    assert [map_page_of(group) for group in range(3)] == [1, GROUP, 2 * GROUP]
    assert space.groups() == 3
    check(space)


@pytest.mark.parametrize("pages", [1, 2, 16, GROUP - 1, GROUP, GROUP + 1, 2 * GROUP + 5])
@pytest.mark.parametrize("step", [1, 7, GROUP])
def test_a_map_that_grew_is_like_one_that_was_made_so(pages: int, step: int) -> None:
    grown = SpaceMap(1)
    for size in [*range(1, pages, max(step, pages // 50)), pages]:
        grown.extend(size)
    made = SpaceMap(pages)
    assert grown.states == made.states
    assert grown.free == made.free
    check(grown)


def test_pages_are_taken_in_turn_until_there_are_none() -> None:
    space = SpaceMap(20)
    pages = [space.take_one(ITEM) for _ in range(18)]
    assert pages == list(range(2, 20))
    assert space.take_one(ITEM) == -1
    check(space)


def test_a_page_that_is_free_again_is_found_behind_the_last_search() -> None:
    space = SpaceMap(20)
    for _ in range(18):
        space.take_one(ITEM)
    space.mark(5, 1, FREE)
    assert space.take_one(CATALOG) == 5
    assert space.states[5] == CATALOG
    check(space)


def test_a_run_is_taken_whole_where_it_fits() -> None:
    space = SpaceMap(100)
    assert space.take(30, ITEM) == [(2, 30)]
    assert space.take(68, ITEM) == [(32, 68)]
    assert space.take(1, ITEM) == []
    check(space)


def test_a_run_is_pieced_together_where_it_must_be() -> None:
    space = SpaceMap(100)
    space.take(98, ITEM)
    for first, count in ((10, 5), (40, 20), (80, 1)):
        space.mark(first, count, FREE)
    runs = space.take(26, VOLATILE)
    assert sorted(taken(runs)) == [*range(10, 15), *range(40, 60), 80]
    assert runs[0][1] >= 13, "the largest piece first"
    assert space.free == 0
    check(space)


def test_too_much_takes_nothing() -> None:
    space = SpaceMap(100)
    before = bytes(space.states)
    assert space.take(99, ITEM) == []
    assert bytes(space.states) == before


def test_a_run_never_covers_a_map_page() -> None:
    space = SpaceMap(2 * GROUP)
    runs = space.take(2 * GROUP - 3, ITEM)
    assert GROUP not in taken(runs)
    assert len(taken(runs)) == 2 * GROUP - 3


def test_freed_pages_wait_for_the_log() -> None:
    space = SpaceMap(20)
    space.take(18, ITEM)
    space.release_after(1000, 4, 3)
    space.release_after(2000, 10, 2)
    assert (space.free, space.available()) == (0, 5)
    assert space.take_one(ITEM) == -1
    space.release(999)
    assert space.free == 0
    space.release(1000)
    assert (space.free, space.available()) == (3, 5)
    assert space.take(3, ITEM) == [(4, 3)]
    space.release(5000)
    assert space.take(2, ITEM) == [(10, 2)]
    check(space)


def test_what_a_crash_undoes_is_free_on_disk() -> None:
    space = SpaceMap(20)
    for number, state in ((2, ITEM), (3, CATALOG), (4, VOLATILE), (5, ITEM)):
        space.mark(number, 1, state)
    space.release_after(1000, 5, 1)
    image = space.image(0)
    assert len(image) == GROUP
    assert list(image[:7]) == [SYSTEM, SYSTEM, ITEM, CATALOG, FREE, FREE, FREE]
    assert space.states[5] == RELEASING


def test_a_map_comes_back_from_disk_group_by_group() -> None:
    space = SpaceMap(GROUP + 100)
    space.mark(GROUP - 5, 5, ITEM)
    space.mark(GROUP + 1, 50, CATALOG)
    other = SpaceMap(GROUP + 100)
    other.mark(7, 1, ITEM)
    for group in (1, 0):
        other.load(group, space.image(group))
    assert other.states == space.states
    check(other)


def test_marking_counts_what_was_free_before() -> None:
    space = SpaceMap(50)
    space.mark(10, 5, ITEM)
    space.mark(8, 10, CATALOG)
    check(space)
    space.mark(0, 0, FREE)
    space.mark(12, 20, FREE)
    check(space)


@pytest.mark.parametrize("seed", range(10))
def test_any_sequence_agrees_with_a_set(seed: int) -> None:
    random = Random(seed)
    space = SpaceMap(300)
    free = set(range(2, 300))
    held: list[tuple[int, int]] = []
    waiting: list[tuple[int, int, int]] = []
    address = 0
    for _ in range(400):
        choice = random.random()
        if choice < 0.3:
            number = space.take_one(ITEM)
            assert (number == -1) == (not free)
            if number >= 0:
                free.remove(number)
                held.append((number, 1))
        elif choice < 0.55:
            count = random.randrange(1, 60)
            runs = space.take(count, ITEM)
            assert bool(runs) == (count <= len(free))
            for number in taken(runs):
                free.remove(number)
            held.extend(runs)
        elif choice < 0.75 and held:
            first, count = held.pop(random.randrange(len(held)))
            address += 10
            space.release_after(address, first, count)
            waiting.append((address, first, count))
        elif choice < 0.85 and held:
            first, count = held.pop(random.randrange(len(held)))
            space.mark(first, count, FREE)
            free.update(range(first, first + count))
        else:
            durable = random.randrange(max(1, address - 50), address + 20)
            space.release(durable)
            while waiting and waiting[0][0] <= durable:
                _, first, count = waiting.pop(0)
                free.update(range(first, first + count))
        assert {number for number in range(300) if space.states[number] == FREE} == free
        assert space.available() == len(free) + sum(count for _, _, count in waiting)
        check(space)
