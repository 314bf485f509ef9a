"""The selection of rows: of a system, of a queue manager, and of a span of local time."""

from datetime import date, datetime
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from kew.analytics.smf.tables import QUARANTINE, REMARKS

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


class Selection:
    """A system, a queue manager, and a span of local time; a field that is not given selects everything."""

    def __init__(
        self, qmgr: str = "", since: datetime | None = None, until: datetime | None = None, system: str = ""
    ) -> None:
        self.qmgr = qmgr
        self.system = system
        self.since = since
        self.until = until

    @property
    def everything(self) -> bool:
        """Say whether no row is left out."""
        return not self.qmgr and not self.system and self.since is None and self.until is None

    def of(self, table: str) -> "Selection":
        """Give the selection for a table; tables without a queue manager are selected whole."""
        return Selection() if table in (QUARANTINE, REMARKS) else self

    def rows(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Give the selected rows of a batch."""
        if self.qmgr:
            batch = batch.filter(pc.equal(batch.column("qmgr"), self.qmgr))
        if self.system:
            batch = batch.filter(pc.equal(batch.column("system"), self.system))
        if self.since is not None:
            batch = batch.filter(
                pc.greater_equal(batch.column("written_local"), pa.scalar(self.since, pa.timestamp("us")))
            )
        if self.until is not None:
            batch = batch.filter(pc.less(batch.column("written_local"), pa.scalar(self.until, pa.timestamp("us"))))
        return batch

    def has_day(self, day: date) -> bool:
        """Say whether rows of a day may be among those selected."""
        if self.since is not None and day < self.since.date():
            return False
        return self.until is None or datetime(day.year, day.month, day.day) < self.until

    def has_span(self, first: datetime | None, last: datetime | None) -> bool:
        """Say whether rows of a span may be among those selected; None where its end is not known."""
        if self.since is not None and last is not None and last < self.since:
            return False
        return self.until is None or first is None or first < self.until

    def frame(self, frame: "DataFrame") -> "DataFrame":
        """Give the selected rows of a DataFrame, so that Spark skips others before it reads."""
        from pyspark.sql import functions as F  # noqa: N812

        if self.qmgr:
            frame = frame.where(F.col("qmgr") == self.qmgr)
        if self.system:
            frame = frame.where(F.col("system") == self.system)
        # As text, so that the session's time zone has no effect.
        if self.since is not None:
            frame = frame.where(F.col("written_local") >= F.lit(self.since.isoformat(sep=" ")).cast("timestamp_ntz"))
        if self.until is not None:
            frame = frame.where(F.col("written_local") < F.lit(self.until.isoformat(sep=" ")).cast("timestamp_ntz"))
        return frame
