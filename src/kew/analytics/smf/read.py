"""Reads dumps in this process: tables, and a summary of the input."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kew.analytics.smf.decode import Decoded, Decoder
from kew.analytics.smf.files import examine, find_dumps, identified, read_batches, whole
from kew.analytics.smf.numbering import Numbers, missing
from kew.analytics.smf.remarks import Remarks
from kew.analytics.smf.tables import MANAGER, QUARANTINE, RECORDS_TABLE, REMARKS, manager_name, table_named
from kew.formats.smf import Framing

MOST_LISTED: Final = 1000  # damaged places that a summary remembers


def decode_dumps(
    names: Sequence[str],
    tables: Sequence[str],
    columns: Mapping[str, Sequence[str]] | None = None,
    framing: Framing | None = None,
) -> Iterator[tuple[str, Decoded]]:
    """Decode each dump in chunks, as (path, tables of the chunk); only one chunk is in memory."""
    decoder = Decoder(tables, columns)
    for path in find_dumps(names):
        dump = examine(path, framing)
        if decoder.needs_digest:
            identified(dump)
        for batch in read_batches(whole(dump)):
            yield path, decoder.decode(batch, path, dump.digest)


def load(names: Sequence[str], table: str, columns: Sequence[str] | None = None) -> pa.Table:
    """Read one table of the named dumps, whole."""
    name = table_named(table).name
    chosen = None if columns is None else {name: columns}
    batches = [decoded.tables[name] for _, decoded in decode_dumps(names, [name], chosen)]
    return pa.Table.from_batches(batches, table_named(name).schema(columns))


class Summary:
    """The summary of a read: records by type and subtype, damaged places, and missing records."""

    def __init__(self) -> None:
        self.records: dict[tuple[int, int | None], int] = {}
        self.damaged = 0
        self.damaged_bytes = 0
        self.quarantine: list[tuple[str, int, int, str]] = []  # the first of them
        self.remarks = Remarks()
        self._numbers: dict[tuple[object, ...], list[tuple[Numbers, Numbers]]] = {}  # moments and numbers

    def add(self, decoded: Decoded) -> None:
        """Count a chunk that was decoded with the tables `records`, `quarantine` and `remarks`."""
        records = decoded.tables[RECORDS_TABLE]
        kinds = records.column("smf_type").to_numpy(zero_copy_only=False)
        subtypes = np.asarray(records.column("subtype").fill_null(-1))
        pairs, counts = np.unique(np.stack([kinds, subtypes]), axis=1, return_counts=True)
        for (kind, subtype), count in zip(pairs.T.tolist(), counts.tolist(), strict=True):
            key = (kind, None if subtype < 0 else subtype)
            self.records[key] = self.records.get(key, 0) + count
        damage = decoded.tables[QUARANTINE]
        self.damaged += damage.num_rows
        self.damaged_bytes += sum(damage.column("length").to_pylist())
        for row in damage.slice(0, max(0, MOST_LISTED - len(self.quarantine))).to_pylist():
            self.quarantine.append((row["file"], row["offset"], row["length"], row["reason"]))
        self.remarks.add(decoded.tables[REMARKS])
        self._add_numbers(records)

    def _add_numbers(self, records: pa.RecordBatch) -> None:
        """Remember the running numbers of queue managers; the channel initiator does not number its records."""
        numbered = pc.fill_null(pc.greater(records.column("kind_sequence"), 0), False)
        kinds = [*MANAGER, "smf_type", "subtype"]
        rows = pa.Table.from_batches([records.filter(numbered)]).group_by(kinds)
        for row in rows.aggregate([("recorded", "list"), ("kind_sequence", "list")]).to_batches():
            for place in range(row.num_rows):
                key = tuple([row.column(name)[place].as_py() for name in kinds])
                moments = row.column("recorded_list")[place].values.cast(pa.int64()).to_numpy()
                numbers = row.column("kind_sequence_list")[place].values.to_numpy()
                self._numbers.setdefault(key, []).append((moments, numbers))

    def gaps(self) -> dict[tuple[str, str], int]:
        """Give how many records are missing between the first and the last of each queue manager."""
        lost: dict[tuple[str, str], int] = {}
        for key, chunks in self._numbers.items():
            moments = np.concatenate([chunk[0] for chunk in chunks])
            numbers = np.concatenate([chunk[1] for chunk in chunks])
            order = np.lexsort((numbers, moments))
            count = sum(count for _, count in missing(moments[order], numbers[order]))
            if count:
                system, _, name = manager_name(dict(zip(MANAGER, key, strict=False))).partition(",")
                lost[system, name] = lost.get((system, name), 0) + count
        return lost


def summarise(names: Sequence[str], progress: Callable[[str], None] | None = None) -> Summary:
    """Read dumps for a summary only; `progress` is called with the dump that is being read."""
    summary = Summary()
    columns = {RECORDS_TABLE: ["smf_type", "subtype", *MANAGER, "recorded", "kind_sequence"]}
    for path, decoded in decode_dumps(names, [RECORDS_TABLE, QUARANTINE, REMARKS], columns):
        summary.add(decoded)
        if progress is not None:
            progress(path)
    return summary
