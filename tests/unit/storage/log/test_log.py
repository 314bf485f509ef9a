from collections.abc import Sequence

import pytest
from tests.support.simdisk import SimDisk

from kew.storage.log import Log, LogAddress, LogDirectories, LogError, LogSettings

PLACES = LogDirectories.under("log")
SMALL = LogSettings(file_pages=64, primary=3, secondary=2, buffer_pages=18)


class Told:
    """Notices, kept."""

    def __init__(self) -> None:
        self.messages: list[tuple[str, tuple[int, ...], tuple[str, ...]]] = []

    def tell(self, message_id: str, arith: Sequence[int] = (), comments: Sequence[str] = ()) -> None:
        self.messages.append((message_id, tuple(arith), tuple(comments)))


def make(settings: LogSettings = SMALL, disk: SimDisk | None = None) -> tuple[SimDisk, Log]:
    disk = disk or SimDisk()
    Log.create(disk, settings, PLACES, log_id=7)
    return disk, Log.open(disk, settings, PLACES)


@pytest.mark.parametrize("integrity", ["TripleWrite", "SingleWrite"])
@pytest.mark.parametrize("dual", [False, True])
def test_what_was_forced_is_read_back_after_reopening(integrity: str, dual: bool) -> None:
    settings = LogSettings(file_pages=64, buffer_pages=18, dual=dual, write_integrity=integrity)  # type: ignore[arg-type]
    disk, log = make(settings)
    sent = []
    previous = 0
    for number in range(60):
        payload = bytes([number]) * (number * 97)
        previous = log.append(number % 5, number, previous, payload[:10], payload[10:], flags=number % 3)
        sent.append((previous, number % 5, number % 3, number, payload))
        if number % 7 == 0:
            log.force(log.next_address)
            assert log.durable >= log.next_address
    log.force(log.next_address)
    log.abandon()
    again = Log.open(disk.crash(keep="none"), settings, PLACES)
    got = [(r.address, r.kind, r.flags, r.unit, r.payload) for r in again.read(LogAddress(0))]
    assert got == sent
    for record in again.read(LogAddress(0)):
        assert again.record_at(record.address).payload == record.payload


def test_a_record_not_yet_on_disk_is_found_in_the_buffer() -> None:
    _, log = make()
    address = log.append(1, 2, 0, b"head", b"body")
    assert log.record_at(address).payload == b"headbody"
    assert log.counters.reads_buffer == 1
    assert list(log.read(LogAddress(0))) == []


def test_appending_at_an_address_that_was_never_reached_is_refused() -> None:
    _, log = make()
    with pytest.raises(LogError, match="ends at"):
        log.force(LogAddress(5000))
