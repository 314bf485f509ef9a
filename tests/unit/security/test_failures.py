"""Refusals that carried a password: the first few cost FAILDLAY, further ones more and more."""

from tests.support.hosting import Notes

from kew.security.failures import FORGOTTEN, FREE, MOST_KNOWN, Failures


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_delays_double_up_to_the_limit() -> None:
    notes = Notes()
    failures = Failures(8, Clock(), notes)
    assert [failures.count("app", "10.0.0.1", 1) for _ in range(FREE + 5)] == [1] * FREE + [2, 4, 8, 8, 8]
    assert notes.about("CSQH905E") == [((FREE + 1, 8), ("app", "10.0.0.1"))]


def test_users_and_networks_are_counted_apart() -> None:
    failures = Failures(8, Clock(), Notes())
    for number in range(FREE):
        failures.count("app", f"10.0.0.{number}", 0)
        failures.count(f"user{number}", "10.0.1.1", 0)
    assert failures.count("other", "10.0.2.2", 0) == 0
    assert failures.count("app", "10.0.2.3", 0) == 2
    assert failures.count("another", "10.0.1.1", 0) == 2


def test_a_longer_delay_stays_as_it_is() -> None:
    failures = Failures(8, Clock(), Notes())
    assert {failures.count("app", "", 30) for _ in range(20)} == {30}
    assert {Failures(0, Clock(), Notes()).count("app", "", 3) for _ in range(20)} == {3}


def test_a_quarter_of_an_hour_forgets() -> None:
    clock = Clock()
    failures = Failures(8, clock, Notes())
    for _ in range(20):
        failures.count("app", "", 1)
    clock.now = FORGOTTEN - 1
    assert failures.count("app", "", 1) == 8
    clock.now += FORGOTTEN
    assert failures.count("app", "", 1) == 1


def test_memory_is_bounded() -> None:
    failures = Failures(8, Clock(), Notes())
    for number in range(MOST_KNOWN):
        failures.count(f"user{number}", "10.0.0.1", 1)
    assert len(failures._known) == MOST_KNOWN
