"""The index by id: like a dictionary of lists, in a fraction of the memory."""

from random import Random

import pytest

from kew.queues.index import IdIndex


def places(index: IdIndex, key: int) -> list[int]:
    """Give what the index has for a key, oldest first."""
    found = []
    head = index.first(key)
    node = head
    while node:
        found.append(index.place(node))
        node = index.following(node, head)
    return found


def test_an_empty_index_has_nothing() -> None:
    index = IdIndex()
    assert places(index, 0) == []
    assert index.size == 0
    assert not index.remove(5, 5)


def test_places_of_one_key_are_in_order_of_arrival() -> None:
    index = IdIndex()
    for place in (30, 10, 20):
        index.add(7, place)
    assert places(index, 7) == [30, 10, 20]


@pytest.mark.parametrize("gone", [30, 10, 20])
def test_the_order_stays_when_one_goes(gone: int) -> None:
    index = IdIndex()
    for place in (30, 10, 20):
        index.add(7, place)
    assert index.remove(7, gone)
    assert places(index, 7) == [place for place in (30, 10, 20) if place != gone]
    assert not index.remove(7, gone)
    index.add(7, 40)
    assert places(index, 7)[-1] == 40


def test_keys_that_share_a_bucket_are_kept_apart() -> None:
    index = IdIndex()
    keys = [64 * number + 5 for number in range(20)]
    for number, key in enumerate(keys):
        index.add(key, number)
    for number, key in enumerate(keys):
        assert places(index, key) == [number]
    for key in keys[::2]:
        assert index.remove(key, keys.index(key))
    assert [places(index, key) for key in keys] == [[] if number % 2 == 0 else [number] for number in range(20)]


def test_the_highest_key_and_place_fit() -> None:
    index = IdIndex()
    index.add(0xFFFFFFFF, (0xFFFFFFFF << 8) + 83)
    assert places(index, 0xFFFFFFFF) == [(0xFFFFFFFF << 8) + 83]


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("keys", [1, 20, 100000])
def test_it_does_what_a_dictionary_of_lists_does(keys: int, seed: int) -> None:
    random = Random(seed)
    index = IdIndex()
    model: dict[int, list[int]] = {}
    held: list[tuple[int, int]] = []
    for place in range(1500):
        if held and random.random() < 0.45:
            key, gone = held.pop(random.randrange(len(held)))
            assert index.remove(key, gone)
            model[key].remove(gone)
        else:
            key = random.randrange(keys)
            index.add(key, place)
            model.setdefault(key, []).append(place)
            held.append((key, place))
        assert index.size == len(held)
    for key, expected in model.items():
        assert places(index, key) == expected


def test_a_hundred_thousand_messages_take_at_most_136_bytes_each() -> None:
    random = Random(1)
    index = IdIndex()
    count = 100_000
    worst = 0.0
    for place in range(count):
        index.add(random.getrandbits(32), place)
        if place > 1000 and place & (place - 1) == 0:
            worst = max(worst, index.memory() / (place + 1))
    assert index.size == count
    assert max(worst, index.memory() / count) <= 136


def test_memory_of_removed_messages_is_used_again() -> None:
    index = IdIndex()
    for place in range(1000):
        index.add(place, place)
    before = index.memory()
    for round_ in range(20):
        for place in range(1000):
            assert index.remove(place + 1000 * round_, place)
            index.add(place + 1000 * (round_ + 1), place)
    assert index.memory() == before
