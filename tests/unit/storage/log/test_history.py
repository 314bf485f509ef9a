"""Random lives of a log against its ledger: appends, forces, checkpoints, clean ends and power losses."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.logs import LogLedger, entry_of, new_disk
from tests.support.simdisk import PowerLoss

from kew.storage.log import LogAddress, LogSettings

sizes = st.one_of(st.integers(0, 300), st.sampled_from([4027, 4028, 4029, 8084, 8085]), st.integers(0, 60_000))


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.one_of(sizes, st.just(-1)), max_size=40),
    st.sampled_from([64, 65, 100]),
    st.sampled_from(["TripleWrite", "SingleWrite"]),
    st.booleans(),
)
def test_records_come_back_in_order_whatever_the_takes(plan: list[int], pages: int, integrity: str, dual: bool) -> None:
    chosen = LogSettings(
        file_pages=pages,
        primary=10,
        buffer_pages=18,
        write_integrity="SingleWrite" if integrity == "SingleWrite" else "TripleWrite",
        dual=dual,
    )
    ledger = LogLedger(new_disk(chosen), chosen)
    log = ledger.open()
    for size in plan:
        if size < 0:
            log.write_pending()
        else:
            ledger.append(size)
    for entry in ledger.entries:
        assert entry_of(log.record_at(LogAddress(entry[0]))) == entry
    log.write_pending()
    assert [entry_of(record) for record in log.read(LogAddress(0))] == ledger.entries
    again = ledger.after(ledger.disk.crash(keep="none"))
    assert len(again.entries) == len(ledger.entries)
    for entry in reversed(ledger.entries):
        assert entry_of(again.opened.record_at(LogAddress(entry[0]))) == entry


KINDS = [
    LogSettings(file_pages=64, primary=2, secondary=3, buffer_pages=18),
    LogSettings(file_pages=64, primary=2, secondary=3, buffer_pages=18, dual=True),
    LogSettings(file_pages=64, primary=2, secondary=3, buffer_pages=18, write_integrity="SingleWrite"),
    LogSettings(file_pages=64, primary=2, secondary=3, buffer_pages=18, log_type="linear"),
]


def live(ledger: LogLedger, random: Random) -> None:
    for _ in range(random.randint(1, 60)):
        choice = random.random()
        if choice < 0.55:
            ledger.append(random.choice((0, 30, 500, 4028, 9000, 20_000)))
            if not ledger.opened.space_room(30_000, 64 * 4096):
                ledger.checkpoint()
        elif choice < 0.9:
            ledger.force()
        elif choice < 0.97:
            ledger.checkpoint()
        else:
            ledger.opened.write_pending()


@pytest.mark.parametrize("seed", range(60))
def test_many_lives(seed: int) -> None:
    random = Random(seed)
    chosen = KINDS[seed % len(KINDS)]
    ledger = LogLedger(new_disk(chosen, sector=4096 if chosen.write_integrity == "SingleWrite" else 512), chosen)
    ledger.open()
    for _ in range(8):
        ledger.disk.stop_after(random.randint(1, 120))
        end = random.random()
        try:
            live(ledger, random)
            if end < 0.2:
                ledger.opened.close()
        except PowerLoss:
            pass
        if end < 0.1 and not ledger.disk.lost:
            # The process ends and another one finds the disk as it is, page cache and all.
            disk = ledger.disk.copy()
        else:
            disk = ledger.disk.crash(random, keep=random.choice(("none", "all", "random", "random")))
        disk.stop_after(10**9)
        ledger = ledger.after(disk)
