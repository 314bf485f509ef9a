"""A new length of a collection interval holds from the end of the interval under way, or at once if that is sooner."""

from kew.accounting.intervals import AS_STATISTICS, GLOBAL_SECONDS, CollectionTimes


def test_a_change_waits_for_the_end() -> None:
    times = CollectionTimes(60, AS_STATISTICS, 1000.0)
    times.change(55, AS_STATISTICS, 1010.0)
    assert times.statistics.setting == 60
    assert times.look(1059.0) == (False, False)
    assert times.look(1060.0) == (True, True)
    assert times.statistics.setting == 55
    assert times.statistics.end() == 1115.0


def test_a_length_that_is_over_before_the_end_holds_at_once() -> None:
    times = CollectionTimes(1800, AS_STATISTICS, 1000.0)
    times.change(1, AS_STATISTICS, 1010.0)
    assert times.statistics.end() == times.accounting_end() == 1011.0
    assert times.look(1011.0) == (True, True)
    times.change(1800, 2, 1011.5)
    assert times.statistics.end() == 1012.0
    assert times.look(1012.0) == (True, True)
    assert times.accounting_end() == 1014.0
    times.change(1800, 1, 1012.5)
    assert times.accounting_end() == 1013.5


def test_intervals_that_nobody_looked_at_are_passed_over() -> None:
    times = CollectionTimes(10, AS_STATISTICS, 0.0)
    assert times.look(1005.0) == (True, True)
    assert times.statistics.begun == 1000.0
    assert times.look(1009.0) == (False, False)


def test_accounting_has_its_own_time_or_that_of_statistics() -> None:
    times = CollectionTimes(60, 15, 0.0)
    assert times.look(15.0) == (False, True)
    times.change(60, AS_STATISTICS, 20.0)
    assert times.accounting_end() == 30.0
    assert times.look(30.0) == (False, True)
    assert times.accounting_end() == 60.0
    assert times.look(60.0) == (True, True)


def test_zero_is_the_interval_of_the_system() -> None:
    times = CollectionTimes(0, AS_STATISTICS, 0.0)
    assert times.statistics.end() == GLOBAL_SECONDS


def test_a_quarter_of_a_minute_has_four_times_the_records_of_a_minute() -> None:
    ended = {}
    for length in (60, 15):
        times = CollectionTimes(1800, length, 0.0)
        ended[length] = sum(times.look(float(now))[1] for now in range(1, 3601))
    assert ended == {60: 60, 15: 240}
