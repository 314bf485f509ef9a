"""The budget of the memory that sockets hold."""

import pytest

from kew.channels.transport.memory import GRACE, MOVE, RETURNED, MemoryBudget, NoRoom, Share

MOST = 1000
PATIENCE = 300.0


class Socket(Share):
    """A share that says when it was ended."""

    def __init__(self, budget: MemoryBudget, network: str) -> None:
        super().__init__(budget, network)
        self.waits_for_us = False
        self.ended = False

    def stalled(self, seconds: float) -> None:
        self.ended = True
        self.close()

    def kept(self) -> bool:
        return self.waits_for_us


@pytest.fixture
def budget() -> MemoryBudget:
    return MemoryBudget(MOST, PATIENCE)


def test_a_call_waits_until_there_is_room(budget: MemoryBudget) -> None:
    told: list[str] = []
    first, second, third = [Socket(budget, "a").room() for _ in range(3)]
    assert first.ask(700, lambda: None)
    assert not second.ask(400, lambda: told.append("second"))
    assert not third.ask(10, lambda: told.append("third"))  # though it would fit: others have waited longer
    first.give_back()
    assert told == ["second", "third"]
    assert (second.size, third.size, budget.held) == (400, 10, 410)


def test_something_larger_than_the_budget_has_room_alone(budget: MemoryBudget) -> None:
    large, other = Socket(budget, "a").room(), Socket(budget, "a").room()
    large.take(5 * MOST)
    with pytest.raises(NoRoom):
        other.take(1)
    large.give_back()
    assert budget.held == 1


def test_networks_have_turns(budget: MemoryBudget) -> None:
    told: list[str] = []
    full = Socket(budget, "x").room()
    full.take(MOST)
    for number in range(3):
        assert not Socket(budget, "many").room().ask(600, lambda number=number: told.append(f"many {number}"))  # type: ignore[misc]
    assert not Socket(budget, "one").room().ask(300, lambda: told.append("one"))
    full.give_back()
    assert told == ["many 0", "one"]


def test_what_moved_nothing_for_longest_goes_first_while_others_wait(budget: MemoryBudget) -> None:
    sockets = [Socket(budget, "a") for _ in range(3)]
    for moment, socket in enumerate(sockets):
        socket.hold(300)
        socket.expect(True, False, float(moment))
    budget.tick(GRACE + 3)
    assert not any(socket.ended for socket in sockets)  # nobody waits
    told: list[int] = []
    assert not Socket(budget, "b").room().ask(300, lambda: told.append(1))
    sockets[0].move(MOVE, GRACE)
    sockets[2].waits_for_us = True
    budget.tick(GRACE + 3)
    assert [socket.ended for socket in sockets] == [False, True, False]
    assert told == [1]


def test_a_byte_now_and_then_is_no_move(budget: MemoryBudget) -> None:
    socket = Socket(budget, "a")
    socket.hold(MOST)
    socket.expect(False, True, 0.0)
    for second in range(int(PATIENCE)):
        socket.move(1, float(second))
    budget.tick(PATIENCE)
    assert socket.ended


def test_who_is_gone_gives_everything_back_and_waits_no_more(budget: MemoryBudget) -> None:
    told: list[int] = []
    full, waiting = Socket(budget, "a"), Socket(budget, "b")
    full.room().take(MOST)
    room = waiting.room()
    assert not room.ask(5, lambda: told.append(1))
    waiting.close()
    assert told == [1]  # it finds that it is gone
    full.close()
    assert (budget.held, budget.waiting, room.size) == (0, 0, 0)
    room.take(MOST + 1)  # counts nothing any more
    assert budget.held == 0


def test_a_call_that_is_withdrawn_waits_no_more(budget: MemoryBudget) -> None:
    told: list[int] = []
    full, room = Socket(budget, "a").room(), Socket(budget, "a").room()
    full.take(MOST)
    assert not room.ask(5, lambda: told.append(1))
    room.give_back()
    full.give_back()
    assert (budget.held, budget.waiting, room.size, told) == (0, 0, 0, [1])


def test_much_that_became_free_is_given_back_to_the_system_once() -> None:
    budget = MemoryBudget(2 * RETURNED, PATIENCE)
    room = Socket(budget, "a").room()
    room.take(RETURNED)
    assert not budget.may_return()
    room.give_back()
    assert budget.may_return()
    assert not budget.may_return()
