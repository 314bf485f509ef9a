"""Live findings: the rules applied to records as they arrive.

A row rule gives the same findings for new rows as for all rows. A series rule sees the new rows of an object after the
newest KEPT of its earlier rows, and its findings in new rows are reported. So a finding is reported once, when its row
arrives, from the rows known then; the report over all records may differ. Two kinds of rules are left to the report:
rules over the sums of whole days, and rules over the records' running numbers, which are in order only once files are
complete.
"""

from collections.abc import Iterable, Iterator
from typing import Final

import pyarrow as pa

from kew.analytics.reports.findings import FINDINGS, RuleBook, groups_of, in_order
from kew.analytics.reports.rules import Rule, SeriesRule
from kew.analytics.smf.growing import Aside, Follower, before, ends, rows_of
from kew.analytics.smf.selection import Selection
from kew.analytics.smf.tables import RECORD, RECORDS_TABLE

KEPT: Final = 500  # rows of one object and rule
MOST_OBJECTS: Final = 10_000  # those that were silent for longest are forgotten
HISTORY: Final = 16 << 20  # bytes of records that are read again when a stream begins

Rows = Iterable[tuple[str, pa.RecordBatch]]


def is_live(rule: Rule) -> bool:
    """Say whether a rule can give findings before all records are there."""
    if isinstance(rule, SeriesRule) and rule.other is not None:
        return False
    return rule.table != RECORDS_TABLE


class FindingStream:
    """Applies the rules to new rows, with knowledge of the rows before."""

    def __init__(self, book: RuleBook, selection: Selection | None = None) -> None:
        self._book = RuleBook(book.limits, [rule for rule in book.rules if is_live(rule)])
        self._selection = selection or Selection()
        self._before: dict[tuple[int, str], pa.Table] = {}  # the rows of each rule and object, the newest last

    def columns(self) -> dict[str, list[str]]:
        """Give the tables of the rules, and the columns of each."""
        return {table: self._book.columns(table) for table in self._book.tables()}

    def remember(self, rows: Rows) -> None:
        """Take earlier rows, whose findings are not reported."""
        for _, group in self._narrowed(rows, []):
            self._keep(group)

    def add(self, rows: Rows) -> pa.Table:
        """Take new rows and give their findings."""
        found: list[pa.Table] = []
        for key, group in self._narrowed(rows, found):
            earlier = self._before.get(key)
            series = group if earlier is None else pa.concat_tables([earlier, group])
            new = set(_records(group))
            findings = self._book.series_findings(series)
            found.append(findings.filter(pa.array([place in new for place in _records(findings)], pa.bool_())))
            self._keep(group)
        return in_order(pa.concat_tables(found) if found else FINDINGS.empty_table())

    def _narrowed(self, rows: Rows, found: list[pa.Table]) -> list[tuple[tuple[int, str], pa.Table]]:
        """Add the findings of row rules to `found`, and give the rows for series rules, by rule and object."""
        narrow: list[pa.Table] = []
        for table, batch in rows:
            chosen = self._selection.rows(batch)
            found.append(self._book.row_findings(table, chosen))
            narrow.append(self._book.narrow(table, chosen))
        if not narrow:
            return []
        groups = groups_of(pa.concat_tables(narrow))
        return [((group.column("rule")[0].as_py(), group.column("key")[0].as_py()), group) for group in groups]

    def _keep(self, group: pa.Table) -> None:
        number, key = group.column("rule")[0].as_py(), group.column("key")[0].as_py()
        rule = self._book.rules[number]
        assert isinstance(rule, SeriesRule)
        if "offset" in rule.keys:
            return  # the rows of one record are all that such a rule looks at
        earlier = self._before.pop((number, key), None)
        rows = group if earlier is None else pa.concat_tables([earlier, group])
        # Combined, since a slice of many pieces would keep all of them.
        self._before[number, key] = rows.slice(max(0, rows.num_rows - KEPT)).combine_chunks()
        while len(self._before) > MOST_OBJECTS:
            del self._before[next(iter(self._before))]


def _records(rows: pa.Table) -> Iterator[tuple[str, int]]:
    """Give the identity of the record that each row is from."""
    return zip(*(rows.column(name).to_pylist() for name in RECORD), strict=True)


class FindingFollower:
    """Gives findings in the files that a queue manager writes, in this process."""

    def __init__(self, names: list[str], book: RuleBook, selection: Selection | None = None, whole: bool = False):
        """Begin at the end of the files, or with `whole` at their beginning."""
        self._stream = FindingStream(book, selection)
        columns = self._stream.columns()
        offset = {} if whole else ends(names, {})
        self._stream.remember(rows_of(before(offset, HISTORY), columns))
        self._follower = Follower(names, columns, offset)

    def look(self) -> pa.Table:
        """Give the findings in the records since the last call."""
        return self._stream.add(self._follower.look())

    @property
    def aside(self) -> list[Aside]:
        """Give the files that the last look set aside."""
        return self._follower.aside
