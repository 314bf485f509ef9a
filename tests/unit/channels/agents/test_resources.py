"""Searches of deep queues take turns: one part of one of them in each turn of the loop."""

from collections.abc import Callable

from kew.channels.agents.resources import Searches
from kew.channels.transport.loop import Loop


def test_each_turn_of_the_loop_has_one_part_and_all_searches_get_on() -> None:
    loop = Loop("tests")
    searches = Searches(loop.later, lambda: loop.served)
    done: list[str] = []

    def search(name: str, parts: int) -> Callable[[], None]:
        def part() -> None:
            done.append(name)
            if parts > 1:
                searches.take(search(name, parts - 1))

        return part

    seen: list[int] = []

    def before_sleep() -> None:
        seen.append(len(done))
        if len(done) == 6:
            loop.post(lambda: None)  # so that the last turn ends

    loop.before_sleep.append(before_sleep)
    for name, parts in (("a", 3), ("b", 1), ("c", 2)):
        searches.take(search(name, parts))
    while len(done) < 6:
        loop._turn()
    assert done == ["a", "b", "c", "a", "c", "a"]
    assert all(after - before <= 1 for before, after in zip([0, *seen], seen, strict=False))
    loop.stop()
