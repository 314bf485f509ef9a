"""Weeks of load whose unusual hours are known."""

from datetime import UTC, datetime, tzinfo

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from kew.analytics.jobs.metrics import POINTS
from kew.analytics.smf.tables import LOCAL, MOMENT

Floats = npt.NDArray[np.float64]
Numbers = npt.NDArray[np.int64]

HOUR = 3_600_000_000
DAY = 24 * HOUR


def working_hours(local: Numbers) -> Floats:
    """Messages a second by the clock on the wall: two humps on working days, a low one at weekends, 2 % at night."""
    hour = local % DAY / HOUR
    weekday = (local // DAY + 3) % 7
    working = 20 + 980 * np.exp(-(((hour - 11) / 3) ** 2)) + 600 * np.exp(-(((hour - 15) / 2) ** 2))
    return np.asarray(np.where(weekday < 5, working, 20 + 80 * np.exp(-(((hour - 12) / 4) ** 2))))


class Weeks:
    """One series: an interval every `step` seconds for so many weeks from a local Monday on."""

    def __init__(
        self, seed: int, weeks: int, step: int, scale: float = 1.0, trend: float = 0.0, start: datetime | None = None
    ) -> None:
        random = np.random.default_rng(seed)
        count = weeks * 7 * 86_400 // step
        first = int((start or datetime(2024, 1, 1, tzinfo=UTC)).timestamp()) * 1_000_000
        self.step = step
        self.local: Numbers = first + np.arange(count, dtype=np.int64) * (step * 1_000_000)
        day = (self.local - first) // DAY
        self.random = random
        self.rate: Floats = (
            working_hours(self.local)
            * scale
            * np.exp(trend * day)
            * np.exp(random.normal(0, 0.08, weeks * 7))[day]
            * np.exp(random.normal(0, 0.15, count))
        )
        self.split = int(first + (weeks - 2) * 7 * DAY)
        self.odd: npt.NDArray[np.bool_] = np.zeros(count, dtype=np.bool_)

    def plant(self, start: int, length: int, factor: float) -> None:
        """Multiply the load of a span of local time."""
        span = (self.local >= start) & (self.local < start + length)
        self.rate = np.where(span, self.rate * factor, self.rate)
        self.odd |= span

    def values(self) -> Floats:
        """Counted messages, a second."""
        return np.asarray(self.random.poisson(self.rate * self.step) / self.step)

    @property
    def quantum(self) -> Floats:
        """What one message adds to a value."""
        return np.full(len(self.local), 1 / self.step)

    def points(self, qmgr: str, metric: str, values: Floats, zone: tzinfo = UTC) -> pa.Table:
        """The series as points of a metric."""
        count = len(self.local)
        naive = [datetime.fromtimestamp(at / 1e6, UTC).replace(tzinfo=None) for at in self.local.tolist()]
        start = [int(at.replace(tzinfo=zone).timestamp()) * 1_000_000 for at in naive]
        texts = {"system": "SYS1", "subsystem": qmgr, "qsg": "", "qmgr": qmgr, "metric": metric, "object": ""}
        columns = {name: pa.array([text] * count, pa.string()) for name, text in texts.items()}
        columns |= {
            "start": pa.array(start, pa.int64()).cast(MOMENT),
            "start_local": pa.array(self.local).cast(LOCAL),
            "duration_us": pa.array(np.full(count, self.step * 1_000_000)),
            "value": pa.array(values),
            "quantum": pa.array(self.quantum),
        }
        return pa.table(columns, schema=POINTS)
