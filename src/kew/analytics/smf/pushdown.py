"""A reader of dumps that leaves out what was not selected: those rows are not decoded, and never leave the task.

The selection stands in the options of the read. Filters that Spark offers to readers (`pushFilters`) are not taken: in
pyspark 4.3 two filters over one DataFrame, in one plan, came to the same reader, so both halves of a comparison were
the same rows.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Final

import pyarrow as pa
from pyspark.sql.datasource import InputPartition

from kew.analytics.smf.selection import Selection
from kew.analytics.smf.sparkreader import ROWS, Settings, Share, SmfReader
from kew.analytics.smf.tables import table_named

_TESTED: Final = ("system", "qmgr", "written_local")


def options_of(selection: Selection) -> dict[str, str]:
    """Give a selection as options of a read."""
    found = {"system": selection.system, "qmgr": selection.qmgr}
    found |= {"from": selection.since.isoformat() if selection.since is not None else ""}
    found |= {"to": selection.until.isoformat() if selection.until is not None else ""}
    return {name: value for name, value in found.items() if value}


def selection_of(options: Mapping[str, str]) -> Selection:
    """Give the selection that the options of a read name."""
    moments: dict[str, datetime | None] = {}
    for name in ("from", "to"):
        text = options.get(name, "")
        try:
            moments[name] = datetime.fromisoformat(text) if text else None
        except ValueError:
            raise ValueError(f"option {name} takes a local time such as 2024-03-01T08:00:00, not {text!r}") from None
        moment = moments[name]
        if moment is not None and moment.tzinfo is not None:
            raise ValueError(f"option {name} takes a local time without a zone, not {text!r}")
    return Selection(options.get("qmgr", ""), moments["from"], moments["to"], options.get("system", ""))


class SelectingReader(SmfReader):
    """A reader of dumps that gives selected rows only."""

    def __init__(self, settings: Settings, selection: Selection) -> None:
        super().__init__(settings)
        self.selection = selection.of(self.table)

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """Give the selected rows of one share; a batch without any is not decoded further."""
        if self.selection.everything:
            yield from super().read(partition)
        elif isinstance(partition, Share):
            yield from self._read_some(partition)

    def _read_some(self, share: Share) -> Iterator[pa.RecordBatch]:
        from kew.analytics.smf.decode import Decoder
        from kew.analytics.smf.files import read_batches

        names = table_named(self.table).schema(self.columns).names
        first = Decoder([self.table], {self.table: _TESTED})
        whole = Decoder([self.table], {self.table: [*names, *_TESTED]})
        for piece in share.pieces:
            for batch in read_batches(piece):
                tested = first.decode(batch, piece.dump.path, piece.dump.digest).tables[self.table]
                if not self.selection.rows(tested).num_rows:
                    continue
                decoded = whole.decode(batch, piece.dump.path, piece.dump.digest).tables[self.table]
                rows = self.selection.rows(decoded).select(names)
                for at in range(0, rows.num_rows, ROWS):
                    yield rows.slice(at, ROWS)
