import pytest
from tests.support.logs import HEADER, LogLedger, entry_of, new_disk

from kew.storage.log import LogAddress, LogDamaged, LogError, LogSettings

SMALL = LogSettings(file_pages=64, primary=3, buffer_pages=18)
DUAL = LogSettings(file_pages=64, primary=3, buffer_pages=18, dual=True)


def some(settings: LogSettings = SMALL) -> LogLedger:
    ledger = LogLedger(new_disk(settings), settings)
    ledger.open()
    for number in range(40):
        ledger.append(number * 211)
        if number % 3 == 0:
            ledger.force()
    ledger.force()
    return ledger


def test_reading_starts_and_ends_at_any_record() -> None:
    ledger = some()
    log = ledger.opened
    for first in range(0, 40, 3):
        for last in range(first, 40, 5):
            start, end = LogAddress(ledger.entries[first][0]), LogAddress(ledger.entries[last][0])
            assert [entry_of(record) for record in log.read(start, end)] == ledger.entries[first:last]


def test_reading_on_from_where_a_record_ended() -> None:
    ledger = some()
    log = ledger.opened
    address = LogAddress(ledger.entries[0][0])
    for entry in ledger.entries:
        record = next(iter(log.read(address)))
        assert entry_of(record) == entry
        address = record.next_address
    assert list(log.read(address)) == []


def test_reading_from_a_page_starts_with_the_first_record_in_it() -> None:
    ledger = some()
    for page in range(0, ledger.opened.durable, 4096):
        expected = [entry for entry in ledger.entries if entry[0] >= page]
        assert [entry_of(record) for record in ledger.opened.read(LogAddress(page))] == expected


def test_every_record_is_found_by_its_address() -> None:
    ledger = some()
    for entry in ledger.entries:
        assert entry_of(ledger.opened.record_at(LogAddress(entry[0]))) == entry
    assert ledger.opened.counters.reads_active >= 40


def test_records_on_their_way_are_found_too() -> None:
    ledger = some()
    address = ledger.append(100)
    assert entry_of(ledger.opened.record_at(address)) == ledger.entries[-1]
    with pytest.raises(LogError, match="no log record starts at"):
        ledger.opened.record_at(LogAddress(address + 1))
    with pytest.raises(LogError, match="no log record starts at"):
        ledger.opened.record_at(LogAddress(address + 10_000_000))


def test_an_address_inside_a_record_is_damage_not_data() -> None:
    ledger = some()
    with pytest.raises(LogDamaged):
        ledger.opened.record_at(LogAddress(ledger.entries[30][0] + 1))


def test_a_page_lost_while_running_is_read_from_the_other_copy_and_repaired() -> None:
    ledger = some(DUAL)
    path = "log/copy1/S0000000.LOG"
    whole = ledger.disk.content(path)
    ledger.disk.overwrite(path, bytes(4096), HEADER + 5 * 4096)
    assert [entry_of(record) for record in ledger.opened.read(LogAddress(0))] == ledger.entries
    assert ("CSQJ902W", (1, 1), (path, f"{5 * 4096:#018x}")) in ledger.told.messages
    assert ledger.disk.crash(keep="none").content(path) == whole


def test_a_page_lost_while_running_without_another_copy_is_named() -> None:
    ledger = some()
    ledger.disk.flip("log/copy1/S0000000.LOG", HEADER + 5 * 4096 + 77)
    with pytest.raises(LogDamaged) as damaged:
        list(ledger.opened.read(LogAddress(0)))
    assert (damaged.value.path, damaged.value.offset) == ("log/copy1/S0000000.LOG", 5 * 4096)


def test_reads_are_counted() -> None:
    ledger = some()
    counters = ledger.opened.counters
    before = counters.read_pages
    list(ledger.opened.read(LogAddress(0)))
    assert counters.read_pages - before >= ledger.opened.durable // 4096
    assert counters.read_bytes == counters.read_pages * 4096
    assert counters.read_seconds > 0
