"""Online monitoring: when a queue was last used, and how long messages stay."""

import calendar
import time

import pytest

from kew.codes.attributes import MQMON_HIGH
from kew.queues.monitor import LONG_RUN, SHORT_RUN, QueueMonitor, seconds_of


@pytest.mark.parametrize("moment", [0, 951782400, 951868799, 1709164800, 1709251199, 1798761599, 4102444799])
def test_dates_and_times_of_messages(moment: int) -> None:
    parts = time.gmtime(moment)
    date = time.strftime("%Y%m%d", parts).encode()
    clock = time.strftime("%H%M%S", parts).encode() + b"25"
    assert seconds_of(date, clock) == calendar.timegm(parts) + 0.25


@pytest.mark.parametrize(("date", "clock"), [(b" " * 8, b" " * 8), (b"20261315", b"00000000"), (b"2026", b"00000000")])
def test_what_is_no_date_is_not_known(date: bytes, clock: bytes) -> None:
    assert seconds_of(date, clock) == 0.0


def test_the_averages_follow_the_messages() -> None:
    monitor = QueueMonitor(MQMON_HIGH)
    assert monitor.short_stay < 0
    monitor.got(100.0, 99.0)
    assert monitor.short_stay == monitor.long_stay == 1e6
    monitor.got(105.0, 100.0)
    assert monitor.short_stay == pytest.approx(1e6 + 4e6 / SHORT_RUN)
    assert monitor.long_stay == pytest.approx(1e6 + 4e6 / LONG_RUN)
    assert monitor.last_get == 105.0


def test_a_message_of_unknown_or_future_time_does_no_harm() -> None:
    monitor = QueueMonitor(MQMON_HIGH)
    monitor.got(100.0, 0.0)
    assert monitor.short_stay < 0
    monitor.got(100.0, 200.0)
    assert monitor.short_stay == 0.0
