"""When a sweep ends by itself, and how work is paced and spread."""

import os
from typing import Any

import pytest

from kew.perf.board import COPIES, GETS, PUTS, UNITS, Board
from kew.perf.bodies import make_body
from kew.perf.drive import NORMAL, Driver
from kew.perf.plan import make_plan
from kew.perf.results import Point
from kew.perf.roles import Pace
from kew.perf.scenario import Scenario, ScenarioError, Workload


class Bench:
    """Prepares nothing."""

    def prepare(self, _workload: Workload) -> None:
        """Do nothing."""

    def worker(self, _place: str) -> "Bench":
        """Give itself."""
        return self

    def ask(self, _operation: str) -> dict[str, float]:
        """Say that a unit costs a microsecond."""
        return {"nanoseconds": 1000.0}


class Made(Driver):
    """Measures what the test says."""

    figures: dict[int, tuple[float, float]]

    def _point(self, scenario: Scenario, clients: int, repeat: int) -> Point:
        rate, mean = self.figures[clients]
        return Point(clients=clients, rate=rate, mean=mean, repeat=repeat)


def swept(figures: dict[int, tuple[float, float]], workload: Workload | None = None) -> list[int]:
    bench: Any = Bench()
    driver = Made(bench, NORMAL)
    driver.figures = figures
    scenario = Scenario("s/v", "t", "S", workload or Workload())
    return [point.clients for point in driver.sweep(scenario, tuple(figures))]


def test_a_sweep_ends_when_responses_take_longer_than_a_second() -> None:
    assert swept({1: (10, 0.1), 2: (10, 0.9), 4: (10, 1.1), 8: (10, 2.0)}) == [1, 2, 4]


def test_a_sweep_ends_when_the_rate_has_fallen_twice() -> None:
    assert swept({1: (10, 0.1), 2: (100, 0.1), 4: (95, 0.1), 8: (80, 0.1), 16: (70, 0.1), 32: (60, 0.1)}) == [
        1,
        2,
        4,
        8,
        16,
    ]
    assert swept({1: (100, 0.1), 2: (80, 0.1), 4: (100, 0.1), 8: (80, 0.1), 16: (101, 0.1)}) == [1, 2, 4, 8, 16]


def test_a_program_alone_is_measured_once() -> None:
    assert swept({1: (10, 0.1), 2: (10, 0.1)}, Workload(kind="verbs")) == [1]


def test_what_waits_is_not_run() -> None:
    bench: Any = Bench()
    with pytest.raises(ScenarioError, match="s/v waits for rain"):
        list(Driver(bench, NORMAL).sweep(Scenario("s/v", "t", "S", Workload(), waiting="rain"), (1,)))


def test_the_board_adds_up_and_forgets() -> None:
    board = Board(3)
    for number in range(3):
        slot = board.slot(number)
        slot.add(PUTS, number)
        slot.timed(1000 * (number + 1))
    assert board.total(PUTS, 3) == 3
    assert board.total(PUTS, 2) == 1
    assert board.total(UNITS, 3) == board.histogram(0, 3).total == 3
    assert (board.total(GETS, 3), board.total(COPIES, 3)) == (0, 0)
    board.clear(3)
    assert board.total(UNITS, 3) == board.histogram(0, 3).total == 0
    board.close()


def test_fastpath_programs_are_in_the_queue_manager_and_others_spread_over_cores() -> None:
    plan = make_plan(Workload(binding="fastpath", responder_binding="standard", responders=3), 4)
    places = plan.places()
    assert [thread["role"] for thread in places["host"]] == ["requester"] * 4
    assert len(places) == 1 + min(3, os.cpu_count() or 1)


def test_copies_and_partners_of_streaming() -> None:
    plan = make_plan(Workload(kind="one-way", stream="MUSTDUP", capexpry=30), 2)
    assert plan.copies == ["KEW.PERF.COPY1", "KEW.PERF.COPY2"]
    assert "STREAMQ('KEW.PERF.COPY2') STRMQOS(MUSTDUP)" in plan.commands[3]
    assert "CUSTOM('CAPEXPRY(30)')" in plan.commands[0]
    senders = [thread for thread in plan.threads if thread["role"] == "sender"]
    assert [plan.threads[thread["partner"]]["input"] for thread in senders] == plan.queues


def test_a_pace_without_rate_does_not_wait() -> None:
    assert Pace(0).wait(lambda: True)
    assert not Pace(0).wait(lambda: False)
    assert not Pace(0.0001, 50).wait(lambda: False)


@pytest.mark.parametrize("kind", ["text", "json", "random"])
def test_bodies_have_their_size(kind: str) -> None:
    for size in (0, 1, 2048, 20480):
        assert len(make_body(kind, size)) == size
    assert make_body(kind, 100) == make_body(kind, 100)
