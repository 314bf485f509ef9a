"""Systems that keep leap seconds: the store clock is ahead of UTC, local time is not."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from kew.analytics.smf.decode import Decoder
from kew.formats.smf import DumpWriter, Framing, Splitter, Stamp, build_records
from kew.formats.smf.encoding import microseconds_to_tod

MOMENT = 1_000_000
START = datetime(2022, 6, 29, 12, tzinfo=UTC)


def _micros(moment: datetime) -> int:
    return int(moment.timestamp()) * MOMENT


def _later(record: bytes, place: int, seconds: int) -> bytes:
    """The record with one of its clocks set forward."""
    clock = int.from_bytes(record[place : place + 8], "big") + (seconds * MOMENT << 12)
    return record[:place] + clock.to_bytes(8, "big") + record[place + 8 :]


def _product(record: bytes) -> int:
    return int.from_bytes(record[28:32], "big")


def _rows(records: list[bytes], table: str) -> list[dict[str, Any]]:
    writer = DumpWriter(Framing.RDW)
    dump = b"".join([*(writer.add(record) for record in records), writer.finish()])
    batch = Splitter(Framing.RDW).feed(dump, True)
    rows: list[dict[str, Any]] = Decoder([table]).decode(batch, "x").tables[table].to_pylist()
    return rows


@pytest.mark.parametrize("interval_too", [True, False])
@pytest.mark.parametrize("delay", [0, 3])
@pytest.mark.parametrize(("year", "leap"), [(2022, 27), (2016, 26), (2010, 24), (2000, 22)])
@pytest.mark.parametrize("offset", [-300, 0, 330])
def test_leap_seconds_are_taken_off(interval_too: bool, delay: int, year: int, leap: int, offset: int) -> None:
    start = START.replace(year=year)
    worst = start + timedelta(seconds=7)
    stamp = Stamp("SYS1", "QM1", 90300, _micros(start), _micros(start) + 1800 * MOMENT, offset)
    entry = {"QJSTIOMAXIOT": microseconds_to_tod(_micros(worst) + leap * MOMENT)}
    (record,) = build_records(115, 1, stamp, {"QSST": [{}], "QJST": [{"QJSTIO": [entry] * 4}]})
    taken = int.from_bytes(record[6:10], "big") + delay * 100
    record = record[:6] + taken.to_bytes(4, "big") + record[10:]
    record = _later(record, _product(record) + 16, leap)
    if interval_too:
        record = _later(record, _product(record) + 36, leap)
    (row,) = _rows([record], "QJST")
    assert row["leap_seconds"] == leap
    assert row["interval_start"] == start
    assert row["recorded"] == start + timedelta(minutes=30)
    assert row["interval_start_local"] == start.replace(tzinfo=None) + timedelta(minutes=offset)
    assert row["utc_offset"] == offset
    assert row["QJSTIO"][0]["QJSTIOMAXIOT"] == worst


@pytest.mark.parametrize("delay", [0, 4, 40])
def test_a_clock_that_keeps_utc_is_left_alone(delay: int) -> None:
    stamp = Stamp("SYS1", "QM1", 90300, _micros(START), _micros(START) + 1800 * MOMENT, 60)
    (record,) = build_records(115, 1, stamp, {"QSST": [{}], "QJST": [{}]})
    taken = int.from_bytes(record[6:10], "big") + delay * 100  # SMF may take a record some time after it was built
    (row,) = _rows([record[:6] + taken.to_bytes(4, "big") + record[10:]], "QJST")
    assert row["leap_seconds"] == 0
    assert row["recorded"] == START + timedelta(minutes=30)


def test_accounting_records_without_an_interval_too() -> None:
    end = START + timedelta(minutes=5)
    stamp = Stamp("SYS1", "QM1", 90300, _micros(START), _micros(end), 60)
    (record,) = build_records(
        116, 1, stamp, {"WTID": [{}], "WTAS": [{"WTASINTE": microseconds_to_tod(_micros(end) + 27 * MOMENT)}]}
    )
    record = _later(record, _product(record) + 16, 27)
    (row,) = _rows([record], "WTAS")
    assert (row["leap_seconds"], row["recorded"], row["WTASINTE"]) == (27, end, end)
