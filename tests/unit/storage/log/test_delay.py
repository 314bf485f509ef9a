import pytest
from tests.support.logs import PLACES, Told, new_disk
from tests.support.simdisk import SimDisk

from kew.storage.log import Log, LogSettings, LogSettingsError
from kew.storage.log.delay import slow_io

SMALL = LogSettings(file_pages=64, buffer_pages=18)


class FakeClock:
    """A clock that stands still unless the disk moves it."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now

    def time(self) -> float:
        return 1_700_000_000.0 + self.now


def slow_log(variables: dict[str, str], delays: dict[str, float]) -> tuple[Log, Told, SimDisk, list[tuple[str, str]]]:
    disk = new_disk(SMALL)
    clock = FakeClock()
    told = Told()
    records: list[tuple[str, str]] = []
    log = Log.open(disk, SMALL, PLACES, told, clock, variables, lambda probe, text: records.append((probe, text)))

    def delay(operation: str, path: str, length: int) -> None:
        clock.now += delays.get(operation, 0.0)

    disk.delay = delay
    return log, told, disk, records


def test_a_slow_write_is_reported_with_its_inserts() -> None:
    log, told, _, records = slow_log({"AMQ_IODELAY": "7000", "AMQ_IODELAY_INMS": "YES"}, {"sync": 0.010465})
    log.append(1, 1, 0, b"slow")
    log.force(log.next_address)
    assert ("AMQ6729W", (4096,), ("W", "7000", "10465")) in told.messages
    assert records == []
    io = log.counters.copies[0].one_page
    assert (io.requests, io.pages) == (1, 1)
    assert io.longest == pytest.approx(0.010465)
    assert io.longest_file == "S0000000.LOG"
    assert io.longest_when == pytest.approx(1_700_000_100.0, abs=1)
    assert log.counters.copies[0].busy_seconds == pytest.approx(0.010465)
    assert log.counters.copies[0].square_microseconds == pytest.approx(10465**2, rel=0.001)
    assert log.busy_seconds() == pytest.approx(0.010465)
    assert io.suspended == pytest.approx(0.010465)


def test_a_slow_read_is_reported_and_a_first_failure_record_asked_for() -> None:
    variables = {"AMQ_IODELAY": "2", "AMQ_IODELAY_FFST": "YES"}
    log, told, _, records = slow_log(variables, {"read": 2.5})
    address = log.append(1, 1, 0, b"slow")
    log.force(log.next_address)
    assert told.ids().count("AMQ6729W") == 0
    log.record_at(address)
    assert ("AMQ6729W", (4096,), ("R", "2000000", "2500000")) in told.messages
    assert records[0][0] == "AMQ6729W"
    assert "S0000000.LOG" in records[0][1]
    assert log.counters.read_seconds >= 2.5


def test_what_is_quick_enough_is_not_reported() -> None:
    log, told, _, _ = slow_log({"AMQ_IODELAY": "7000", "AMQ_IODELAY_INMS": "yes"}, {"sync": 0.0069})
    log.append(1, 1, 0, b"quick")
    log.force(log.next_address)
    assert "AMQ6729W" not in told.ids()


def test_the_default_is_three_seconds_and_zero_is_off() -> None:
    assert slow_io({}, Told()).threshold == 3.0
    assert slow_io({"AMQ_IODELAY": "0"}, Told()).threshold == float("inf")
    assert slow_io({"AMQ_IODELAY": "5"}, Told()).threshold == 5.0
    assert slow_io({"AMQ_IODELAY": "5", "AMQ_IODELAY_INMS": "YES"}, Told()).threshold == 5e-6


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("AMQ_IODELAY", "-1"),
        ("AMQ_IODELAY", "1.5"),
        ("AMQ_IODELAY", ""),
        ("AMQ_IODELAY", "ten"),
        ("AMQ_IODELAY", "3601"),
        ("AMQ_IODELAY", "9" * 100),
        ("AMQ_IODELAY", "٣"),
        ("AMQ_IODELAY_INMS", "MAYBE"),
        ("AMQ_IODELAY_FFST", "1"),
    ],
)
def test_a_bad_value_is_named(key: str, value: str) -> None:
    with pytest.raises(LogSettingsError) as refused:
        slow_io({key: value}, Told())
    assert refused.value.key == key
    assert value in str(refused.value)
