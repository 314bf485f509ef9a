"""When reconnection is tried."""

from itertools import islice

from kew.client.recovery import DELAYS, delays


def test_attempts_follow_a_schedule() -> None:
    given = list(islice(delays(schedule=((0.5, 0.25), (2.0, 0.0))), 4))
    assert 0.5 <= given[0] <= 0.75
    assert given[1:] == [2.0, 2.0, 2.0]


def test_by_themselves_they_become_rarer() -> None:
    for delay, least in zip(islice(delays(), len(DELAYS) + 1), (*DELAYS, DELAYS[-1]), strict=True):
        assert least <= delay <= least * 1.25
