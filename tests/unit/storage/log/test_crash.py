"""Power loss in every operation of a scenario: what was durable is there, and nothing that was never appended."""

import pytest
from tests.support.logs import PLACES, LogLedger, Scenario, crashes, new_disk, stops
from tests.support.simdisk import PowerLoss, SimDisk

from kew.storage.log import Log, LogBroken, LogError, LogSettings

TRIPLE = LogSettings(file_pages=64, primary=2, secondary=2, buffer_pages=18)
DUAL = LogSettings(file_pages=64, primary=2, secondary=2, buffer_pages=18, dual=True)
SINGLE = LogSettings(file_pages=64, primary=2, secondary=2, buffer_pages=18, write_integrity="SingleWrite")
SINGLE_DUAL = LogSettings(
    file_pages=64, primary=2, secondary=2, buffer_pages=18, write_integrity="SingleWrite", dual=True
)
LINEAR = LogSettings(file_pages=64, primary=2, secondary=2, buffer_pages=18, log_type="linear")
LINEAR_DUAL = LogSettings(file_pages=64, primary=2, secondary=2, buffer_pages=18, log_type="linear", dual=True)


def small_commits(ledger: LogLedger) -> None:
    for size in (10, 300, 4028, 0, 5000, 9000):
        ledger.append(size)
        ledger.force()


def groups(ledger: LogLedger) -> None:
    for count in (3, 1, 12):
        for number in range(count):
            ledger.append(700 * number)
        ledger.force()
    ledger.append(20)


def checkpoints(ledger: LogLedger) -> None:
    for _ in range(3):
        ledger.append(100)
        ledger.checkpoint()
        ledger.append(8000)
    ledger.opened.close()


def wrap(ledger: LogLedger) -> None:
    """Fill the primary files, need the secondary ones, come round again, and give the secondary ones back."""
    for _ in range(3):
        ledger.append(270_000)
        ledger.force()
    ledger.checkpoint()
    for _ in range(2):
        for _ in range(3):
            ledger.append(80_000)
            ledger.force()
        ledger.checkpoint()


SCENARIOS: list[tuple[Scenario, LogSettings]] = [
    (small_commits, TRIPLE),
    (small_commits, DUAL),
    (small_commits, SINGLE),
    (small_commits, SINGLE_DUAL),
    (groups, TRIPLE),
    (groups, DUAL),
    (groups, SINGLE),
    (checkpoints, TRIPLE),
    (checkpoints, DUAL),
    (checkpoints, SINGLE),
    (checkpoints, LINEAR),
    (wrap, TRIPLE),
    (wrap, DUAL),
    (wrap, SINGLE),
    (wrap, LINEAR),
    (wrap, LINEAR_DUAL),
]


def name_of(case: object) -> str:
    if isinstance(case, LogSettings):
        return f"{case.log_type}-{case.write_integrity}-{'dual' if case.dual else 'one'}"
    return getattr(case, "__name__", "")


@pytest.mark.parametrize(("scenario", "settings"), SCENARIOS, ids=name_of)
def test_power_loss_in_every_operation(scenario: Scenario, settings: LogSettings) -> None:
    sector = 4096 if settings.write_integrity == "SingleWrite" else 512
    disk = new_disk(settings, sector=sector)
    stopped = 0
    for ledger in stops(disk.copy, settings, scenario):
        stopped += 1
        for number, left in enumerate(crashes(ledger.disk, stopped, 1 if scenario is wrap else 3)):
            survivor = ledger.after(left)
            if scenario is wrap and number < 2:
                continue
            # What one restart found, the next one finds, whatever becomes of what the first did not sync.
            survivor.after(left.crash(keep="none")).opened.abandon()
            # And the log is of use: new records follow the old ones.
            survivor.append(6000)
            survivor.force()
            survivor.append(10)
            survivor.after(left.crash(keep="none"))
    assert stopped > 5


@pytest.mark.parametrize("settings", [TRIPLE, DUAL], ids=name_of)
def test_power_loss_while_starting(settings: LogSettings) -> None:
    first = LogLedger(new_disk(settings), settings)
    first.open()
    groups(first)
    first.disk.stop_after(1)
    with pytest.raises(PowerLoss):
        first.force()
    left = first.disk.crash(keep="all")
    counting = left.copy()
    before = counting.operations
    first.after(counting)
    for count in range(1, counting.operations - before + 1):
        disk = left.copy()
        disk.stop_after(count)
        with pytest.raises(PowerLoss):
            Log.open(disk, settings, PLACES)
        for again in crashes(disk, count):
            first.after(again)


@pytest.mark.parametrize("settings", [TRIPLE, DUAL, LINEAR], ids=name_of)
def test_power_loss_while_creating(settings: LogSettings) -> None:
    disk = SimDisk()
    Log.create(disk, settings, PLACES)
    for count in range(1, disk.operations + 1):
        cut = SimDisk()
        cut.stop_after(count)
        with pytest.raises(PowerLoss):
            Log.create(cut, settings, PLACES)
        for left in crashes(cut, count):
            try:
                log = Log.open(left, settings, PLACES)
            except LogError:
                Log.create(left, settings, PLACES)
                log = Log.open(left, settings, PLACES)
            log.append(1, 2, 0, b"alive")
            log.force(log.next_address)


def test_a_process_that_died_leaves_pages_that_the_next_one_makes_durable() -> None:
    for settings in (TRIPLE, DUAL):
        ledger = LogLedger(new_disk(settings), settings)
        log = ledger.open()
        ledger.append(5000)
        ledger.force()
        ledger.append(9000)
        # Written, and then the sync fails: the next process sees the pages, and the device never got them.
        ledger.disk.fail_sync(1)
        with pytest.raises(LogBroken, match="sync"):
            log.force(log.next_address)
        survivor = ledger.after(ledger.disk)
        assert len(survivor.entries) == 2
        survivor.after(ledger.disk.crash(keep="none"))
        assert len(survivor.entries) == 2
