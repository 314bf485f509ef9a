"""Every operation fails once: with EIO, with ENOSPC, and in the middle of a write. Nothing acknowledged is lost."""

import errno

import pytest
from tests.support.logs import LogLedger, new_disk

from kew.storage.log import LogBroken, LogFull, LogSettings

TRIPLE = LogSettings(file_pages=64, primary=2, secondary=2, buffer_pages=18)
DUAL = LogSettings(file_pages=64, primary=2, secondary=2, buffer_pages=18, dual=True)
LINEAR = LogSettings(file_pages=64, primary=2, secondary=2, buffer_pages=18, log_type="linear")


def work(ledger: LogLedger) -> None:
    for _ in range(2):
        for _ in range(5):
            ledger.append(60_000)
            ledger.force()
        ledger.checkpoint()
    ledger.opened.close()


@pytest.mark.parametrize("settings", [TRIPLE, DUAL, LINEAR], ids=["one", "dual", "linear"])
@pytest.mark.parametrize("fault", ["EIO", "ENOSPC", "short"])
def test_a_fault_in_every_operation(settings: LogSettings, fault: str) -> None:
    disk = new_disk(settings)
    counting = LogLedger(disk.copy(), settings)
    counting.open()
    before = counting.disk.operations
    work(counting)
    outcomes = set()
    for count in range(1, counting.disk.operations - before + 1):
        ledger = LogLedger(disk.copy(), settings)
        log = ledger.open()
        if fault == "short":
            ledger.disk.short_write(count)
        else:
            ledger.disk.fail(count, getattr(errno, fault))
        try:
            work(ledger)
            outcomes.add("survived")
        except LogBroken:
            outcomes.add("broken")
            assert log.broken is not None
        except LogFull:
            outcomes.add("full")
            assert log.broken is None
        ledger.after(ledger.disk.crash(keep="none"))
        ledger.after(ledger.disk.crash(keep="all"))
        # The next process, which finds what this one left in the page cache.
        ledger.after(ledger.disk).after(ledger.disk.crash(keep="none"))
    assert "broken" in outcomes
