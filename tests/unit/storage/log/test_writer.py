"""Group commit: what a step carries, who is woken, what is counted, and what a failure does."""

import threading
from pathlib import Path

import pytest
from tests.support.logs import HEADER, PLACES, LogLedger, Told, entry_of, new_disk

from kew.storage.disk import RealDisk
from kew.storage.log import Log, LogAddress, LogBroken, LogDirectories, LogError, LogSettings

SMALL = LogSettings(file_pages=64, primary=3, buffer_pages=18)
SINGLE = LogSettings(file_pages=64, primary=3, buffer_pages=18, write_integrity="SingleWrite")
BIG = LogSettings(file_pages=1024, primary=2, buffer_pages=4096)
DUAL = LogSettings(file_pages=1024, primary=2, buffer_pages=512, dual=True)


def test_everything_pending_shares_one_sync() -> None:
    ledger = LogLedger(new_disk(SMALL), SMALL)
    log = ledger.open()
    before = ledger.disk.syncs
    for _ in range(50):
        ledger.append(100)
    assert log.write_pending()
    assert not log.write_pending()
    assert ledger.disk.syncs == before + 1
    assert log.durable == log.next_address


def test_a_step_is_cut_into_writes_of_at_most_128_pages_that_stay_in_their_file() -> None:
    ledger = LogLedger(new_disk(BIG), BIG)
    log = ledger.open()
    writes: list[int] = []
    ledger.disk.delay = lambda operation, path, length: writes.append(length) if operation == "write" else None
    for _ in range(4):
        ledger.append(1_000_000)
    ledger.force()
    assert writes[:-1] == [128 * 4096] * 7
    assert 0 < writes[-1] <= 128 * 4096
    counters = log.counters
    assert counters.io_requests == 8
    assert counters.copies[0].many_pages.requests == 8
    assert counters.copies[0].many_pages.pages == counters.pages_written == counters.pages_created == 987
    assert counters.copies[0].one_page.requests == 0
    assert counters.buffer_writes == 1
    writes.clear()
    ledger.append(300_000)
    ledger.force()
    assert sum(writes[:1]) == 37 * 4096
    assert [entry_of(record) for record in log.read(LogAddress(0))] == ledger.entries


def test_an_acknowledged_page_is_never_written_again() -> None:
    ledger = LogLedger(new_disk(SMALL), SMALL)
    log = ledger.open()
    ledger.append(10)
    ledger.force()
    before = ledger.disk.content("log/copy1/S0000000.LOG")
    second = ledger.append(10)
    ledger.force()
    assert second == 4096 + 40
    assert ledger.disk.content("log/copy1/S0000000.LOG")[: HEADER + 4096] == before[: HEADER + 4096]
    assert log.counters.pages_rewritten == 0


def test_single_write_packs_the_last_page_in_place() -> None:
    ledger = LogLedger(new_disk(SINGLE), SINGLE)
    log = ledger.open()
    first = ledger.append(10)
    ledger.force()
    second = ledger.append(10)
    ledger.force()
    assert second == first + 38
    assert log.counters.pages_rewritten == 1
    assert log.counters.pages_written == 2
    assert log.durable == log.next_address == second + 38
    for _ in range(300):
        ledger.append(50)
        ledger.force()
    assert log.next_address < 7 * 4096
    assert [entry_of(record) for record in log.read(LogAddress(0))] == ledger.entries
    assert log.record_at(second).payload == ledger.entries[1][6]


def test_the_last_page_of_single_write_is_read_whole_while_it_is_written_again() -> None:
    ledger = LogLedger(new_disk(SINGLE), SINGLE)
    log = ledger.open()
    address = ledger.append(10)
    ledger.force()
    path = "log/copy1/S0000000.LOG"
    whole = ledger.disk.content(path)[HEADER : HEADER + 4096]
    half = whole[:60] + bytes(10) + whole[70:]
    reads = 0

    def half_written(operation: str, name: str, length: int) -> None:
        # The first read falls into the middle of a write, which is over before the second.
        nonlocal reads
        if operation == "read":
            reads += 1
            ledger.disk.overwrite(path, half if reads == 1 else whole, HEADER)

    ledger.disk.delay = half_written
    assert log.record_at(address).payload == ledger.entries[0][6]
    assert reads == 2
    assert "CSQJ902W" not in ledger.told.ids()


@pytest.mark.parametrize("what", ["write", "sync"])
def test_a_failed_write_or_sync_breaks_the_log_for_good(what: str) -> None:
    ledger = LogLedger(new_disk(SMALL), SMALL)
    log = ledger.open()
    heard: list[BaseException] = []
    log.on_failure.append(heard.append)
    ledger.append(10)
    ledger.force()
    durable = log.durable
    ledger.append(10)
    if what == "write":
        ledger.disk.fail(1)
    else:
        ledger.disk.fail_sync(1)
    operations = ledger.disk.operations
    with pytest.raises(LogBroken, match=r"S0000000\.LOG"):
        ledger.force()
    assert ledger.disk.operations == operations + (1 if what == "write" else 2)
    assert log.durable == durable
    assert log.broken is heard[0]
    assert len(heard) == 1
    assert "CSQJ910E" in ledger.told.ids()
    for call in (lambda: ledger.append(1), ledger.force, lambda: log.request_force(log.next_address)):
        with pytest.raises(LogBroken):
            call()
    assert not log.write_pending()
    log.close()
    assert ledger.disk.operations == operations + (1 if what == "write" else 2)


def test_a_bootstrap_file_that_cannot_be_written_breaks_the_log() -> None:
    ledger = LogLedger(new_disk(SMALL), SMALL)
    log = ledger.open()
    address = ledger.append(10)
    ledger.force()
    ledger.disk.fail_sync(1)
    with pytest.raises(LogBroken, match="BOOTSTRAP"):
        log.set_checkpoint(address)
    with pytest.raises(LogBroken):
        ledger.append(10)


def test_too_long_a_record_is_refused() -> None:
    ledger = LogLedger(new_disk(BIG), BIG)
    ledger.open()
    ledger.append(1 << 20)
    with pytest.raises(LogError, match="longer than 1048576"):
        ledger.append((1 << 20) + 1)
    ledger.force()
    assert len(ledger.after(ledger.disk.crash(keep="none")).entries) == 1


def test_the_buffer_has_room_for_its_pages_and_for_one_record_of_any_size() -> None:
    ledger = LogLedger(new_disk(SMALL), SMALL)
    log = ledger.open()
    assert log.room(500_000)
    ledger.append(30_000)
    assert not log.buffer_room(50_000)
    assert log.buffer_room(40_000)
    ledger.append(40_000)
    assert not log.buffer_room(10_000)
    assert log.counters.buffer_waits == 2
    log.write_pending()
    assert log.buffer_room(50_000)


def test_durable_is_told_after_every_step() -> None:
    ledger = LogLedger(new_disk(SMALL), SMALL)
    log = ledger.open()
    told: list[int] = []
    log.on_durable.append(told.append)
    ledger.append(10)
    assert not log.request_force(log.next_address)
    log.write_pending()
    assert told == [log.durable]
    assert log.request_force(log.next_address)
    assert log.counters.write_requests_force == 1


def test_a_listener_that_fails_breaks_the_log() -> None:
    ledger = LogLedger(new_disk(SMALL), SMALL)
    log = ledger.open()

    def listen(durable: LogAddress) -> None:
        raise RuntimeError("deaf")

    log.on_durable.append(listen)
    ledger.append(10)
    with pytest.raises(RuntimeError, match="deaf"):
        ledger.force()
    with pytest.raises(LogBroken, match="deaf"):
        ledger.append(10)


def real_log(path: Path, settings: LogSettings) -> tuple[Log, LogDirectories]:
    places = LogDirectories.under(str(path))
    disk = RealDisk()
    Log.create(disk, settings, places)
    return Log.open(disk, settings, places, Told(), environment={}), places


@pytest.mark.parametrize("settings", [SMALL, DUAL, SINGLE], ids=["one", "dual", "single"])
def test_committers_in_threads_lose_nothing_and_share_syncs(tmp_path: Path, settings: LogSettings) -> None:
    log, places = real_log(tmp_path, settings)
    log.start_writer()
    lock = threading.Lock()
    committed: list[tuple[int, bytes]] = []
    wrong: list[str] = []

    def commit(number: int) -> None:
        for count in range(20):
            payload = b"%d/%d" % (number, count)
            with lock:
                address = log.append(1, number, 0, payload)
                end = log.next_address
            log.force(end)
            if log.durable < end:
                wrong.append(f"{end} was acknowledged at {log.durable}")
            committed.append((address, payload))

    threads = [threading.Thread(target=commit, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    log.stop_writer()
    counters = log.counters
    assert wrong == []
    assert counters.write_requests_nowait == 160
    assert counters.write_requests_force <= 160
    assert counters.copies[0].syncs <= 160
    assert counters.copies[0].busy_seconds > 0
    log.abandon()
    again = Log.open(RealDisk(), settings, places, Told(), environment={})
    found = [(record.address, record.payload) for record in again.read(LogAddress(0))]
    assert found == sorted(committed)
    again.close()
    if settings.dual:
        assert (tmp_path / "copy1/S0000000.LOG").read_bytes() == (tmp_path / "copy2/S0000000.LOG").read_bytes()


def test_the_writer_thread_serves_requests_that_nobody_waits_for(tmp_path: Path) -> None:
    log, _ = real_log(tmp_path, SMALL)
    done = threading.Event()
    log.on_durable.append(lambda durable: done.set())
    log.start_writer()
    log.append(1, 1, 0, b"payload")
    log.request_force(log.next_address)
    assert done.wait(30)
    assert log.durable == log.next_address
    log.close()


def test_a_buffer_half_full_is_written_without_being_asked(tmp_path: Path) -> None:
    log, _ = real_log(tmp_path, SMALL)
    done = threading.Event()
    log.on_durable.append(lambda durable: done.set())
    log.start_writer()
    log.append(1, 1, 0, bytes(50_000))
    assert done.wait(30)
    log.close()
    assert log.counters.threshold_writes == 1


def test_waiters_hear_of_a_failure_in_the_writer_thread() -> None:
    ledger = LogLedger(new_disk(SMALL), SMALL)
    log = ledger.open()
    log.start_writer()
    ledger.append(10)
    ledger.disk.fail_sync(1)
    failures: list[BaseException] = []
    ends = [log.next_address] * 5

    def wait(end: LogAddress) -> None:
        try:
            log.force(end)
        except LogBroken as broken:
            failures.append(broken)

    threads = [threading.Thread(target=wait, args=(end,)) for end in ends]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(failures) == 5
    log.close()


def test_the_second_copy_s_failure_breaks_the_log_too() -> None:
    ledger = LogLedger(new_disk(DUAL), DUAL)
    log = ledger.open()
    log.start_writer()
    ledger.append(10)
    ledger.force()
    # One of the next two syncs is the second copy's; whichever fails, nothing is acknowledged.
    ledger.append(10)
    ledger.disk.fail_sync(2)
    with pytest.raises(LogBroken):
        ledger.force()
    log.stop_writer()
    log.abandon()


def test_the_threads_can_be_stopped_and_started_again(tmp_path: Path) -> None:
    log, _ = real_log(tmp_path, DUAL)
    for _ in range(3):
        log.start_writer()
        log.start_writer()
        log.append(1, 1, 0, b"threaded")
        log.force(log.next_address)
        log.stop_writer()
        log.stop_writer()
        log.append(1, 1, 0, b"alone")
        log.force(log.next_address)
    assert [record.payload for record in log.read(LogAddress(0))] == [b"threaded", b"alone"] * 3
    log.close()


def test_places_are_kept_apart(tmp_path: Path) -> None:
    real_log(tmp_path, DUAL)[0].close()
    assert sorted(path.name for path in (tmp_path / "copy2").iterdir()) == [
        "BOOTSTRAP",
        "S0000000.LOG",
        "S0000001.LOG",
    ]
    assert PLACES.copy1 != PLACES.copy2
