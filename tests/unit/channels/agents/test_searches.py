"""Searches have turns, and pause while other sockets have calls."""

from collections.abc import Callable
from time import monotonic

from kew.channels.agents.resources import REST, Searches

PART = 0.002


class Turns:
    """The timers of a loop, which a test lets ring."""

    def __init__(self) -> None:
        self.served = 0
        self.pauses: list[float] = []
        self.due: list[Callable[[], None]] = []

    def later(self, seconds: float, work: Callable[[], None]) -> None:
        self.pauses.append(seconds)
        self.due.append(work)

    def ring(self) -> None:
        assert len(self.due) == 1  # one part in a turn, however many searches there are
        self.due.pop()()


def part() -> None:
    """What a part of a search takes."""
    until = monotonic() + PART
    while monotonic() < until:
        pass


def searching(searches: Searches, done: list[str], name: str, parts: int) -> None:
    """A search of some parts."""

    def go_on() -> None:
        part()
        done.append(name)
        if done.count(name) < parts:
            searches.take(go_on)

    searches.take(go_on)


def test_searches_have_turns() -> None:
    loop, done = Turns(), list[str]()
    searches = Searches(loop.later, lambda: loop.served)
    searching(searches, done, "a", 3)
    searching(searches, done, "b", 2)
    while loop.due:
        loop.ring()
    assert done == ["a", "b", "a", "b", "a"]
    assert max(loop.pauses) == 0.0  # nobody else has calls
    searching(searches, done, "c", 1)
    loop.ring()
    assert done[-1] == "c"


def test_searches_pause_while_others_have_calls() -> None:
    loop, done = Turns(), list[str]()
    searches = Searches(loop.later, lambda: loop.served)
    searching(searches, done, "a", 4)
    for _ in range(4):
        loop.served += 1  # a call of another socket
        loop.ring()
    assert min(loop.pauses[1:]) >= REST * PART
    loop.ring()
    assert not loop.due
    searching(searches, done, "b", 2)
    loop.ring()
    assert loop.pauses[-1] == 0.0
