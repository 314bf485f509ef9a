"""Dumps of buffer pool statistics: one record an hour, half an hour after it began, with a number of its own."""

from datetime import datetime
from pathlib import Path

from tests.support.smf import frame

from kew.formats.smf import Stamp, build_records

START = 1_656_460_800_000_000  # midnight
HOUR = 3_600_000_000
DAY = datetime(2022, 6, 29)


def dump(path: Path, days: int, manager: str, first: int = 0) -> str:
    """Write so many days of a queue manager, from a day on."""
    made: list[bytes] = []
    for number in range(first * 24, (first + days) * 24):
        stamp = Stamp("SYS1", manager, 100000, START + number * HOUR, START + number * HOUR + HOUR // 2)
        made += build_records(115, 215, stamp, {"QPST": [{"QPSTPOOL": 0, "QPSTNBUF": 1000 + number}]})
    path.write_bytes(frame(made))
    return str(path)
