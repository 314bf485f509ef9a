"""The findings: the places where the data meets a rule, found in this process or on Spark.

Row rules are evaluated on each batch of a table. For series rules, narrow rows with the columns that the rules need are
made first and then grouped by object; on Spark that is a grouped map with the same function. Both ways give the same
findings, and both decode a record once, for any number of rules.
"""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
from isal.isal_zlib import crc32

from kew.analytics.reports.rules import ERROR, RULES, RowRule, Rule, SeriesRule, subject_columns
from kew.analytics.reports.series import FUNCTIONS, Series
from kew.analytics.smf.remarks import Remarks
from kew.analytics.smf.scan import (
    PACKED,
    REMARKED,
    Made,
    Remarking,
    Rows,
    Work,
    packed,
    remarked,
    scan_here,
    scan_on_spark,
    unpacked,
)
from kew.analytics.smf.selection import Selection
from kew.analytics.smf.tables import MANAGER, RECORD, REMARKS

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_MANAGER: Final = [(name, pa.string()) for name in MANAGER]
FINDINGS: Final = pa.schema(
    [
        ("written_local", pa.timestamp("us")),
        *_MANAGER,
        ("rule", pa.string()),
        ("severity", pa.string()),
        ("subject", pa.string()),
        ("value", pa.float64()),
        ("limit", pa.float64()),
        ("unit", pa.string()),
        ("advice", pa.string()),
        ("file", pa.string()),
        ("dump", pa.string()),
        ("offset", pa.int64()),
    ]
)
_SUMMED: Final = ("severity", "rule", *MANAGER, "subject", "limit", "unit", "advice")
PARTIAL: Final = pa.schema(
    [
        *(FINDINGS.field(name) for name in _SUMMED),
        ("times", pa.int64()),
        ("lowest", pa.float64()),
        ("highest", pa.float64()),
        ("first", pa.timestamp("us")),
        ("last", pa.timestamp("us")),
    ]
)

_NARROW: Final = pa.schema(
    [
        ("rule", pa.int32()),
        ("key", pa.string()),
        *_MANAGER,
        ("written_local", pa.timestamp("us")),
        ("moment", pa.timestamp("us")),
        ("subject", pa.string()),
        ("value", pa.float64()),
        ("other", pa.float64()),
        ("file", pa.string()),
        ("dump", pa.string()),
        ("offset", pa.int64()),
        ("section", pa.int32()),
    ]
)
FOUND: Final = "found"
NARROW: Final = "narrow"
BUCKETS: Final = 64  # parts that the objects of series rules are divided among on Spark
HERE: Final = 16  # the same in one process, which looks at them one after the other
TOGETHER: Final = 32 << 20  # bytes of findings and narrow rows that leave a task together
_BASE: Final = ("file", *RECORD, *MANAGER, "written_local", "recorded")
_ORDER: Final = ["written_local", *MANAGER, "rule", "subject", "file", *RECORD, "value"]


def load_limits(text: str) -> dict[str, float]:
    """Read new limits of rules from TOML such as `LG06 = 800`; an unknown rule is an error."""
    known = {rule.name for rule in RULES}
    limits: dict[str, float] = {}
    for name, value in tomllib.loads(text).items():
        if name not in known:
            raise ValueError(f"{name} is not a rule; rules are {', '.join(sorted(known))}")
        if not isinstance(value, int | float) or isinstance(value, bool):
            raise ValueError(f"the limit of {name} must be a number, not {value!r}")
        limits[name] = float(value)
    return limits


class RuleBook:
    """The rules in force: those of the table, with limits that may have been changed."""

    def __init__(self, limits: Mapping[str, float] | None = None, rules: Sequence[Rule] = tuple(RULES)) -> None:
        self.rules = list(rules)
        self.limits = dict(limits or {})

    def limit(self, rule: Rule) -> float:
        """Give the limit of a rule."""
        return self.limits.get(rule.name, rule.limit)

    def tables(self) -> list[str]:
        """Give the tables that rules look at."""
        return sorted({rule.table for rule in self.rules})

    def columns(self, table: str) -> list[str]:
        """Give the columns that the rules need of a table."""
        needed = set(_BASE)
        for rule in self.rules:
            if rule.table == table:
                needed |= rule.columns
        if table != "records":
            needed.add("section")
        return sorted(needed)

    def row_findings(self, table: str, batch: pa.RecordBatch) -> pa.Table:
        """Give the findings of the row rules in a batch."""
        found = [self._row(rule, batch) for rule in self.rules if isinstance(rule, RowRule) and rule.table == table]
        return pa.concat_tables(found) if found else FINDINGS.empty_table()

    def _row(self, rule: RowRule, batch: pa.RecordBatch) -> pa.Table:
        value = rule.value.evaluate(batch)
        limit = self.limit(rule)
        fired = _compared(value, rule.compare, limit)
        if rule.only is not None:
            fired &= rule.only.holds(batch)
        places = np.flatnonzero(fired)
        if not len(places):
            return FINDINGS.empty_table()
        rows = batch.take(pa.array(places))
        values = value[places]
        severe = np.zeros(len(places), dtype=np.bool_)
        limits = np.full(len(places), limit)
        if rule.severe is not None:
            severe = _compared(values, rule.compare, rule.severe)
            limits[severe] = rule.severe
        advice = _advice(rule, rows)
        return pa.table(
            {
                "written_local": rows.column("written_local"),
                **{name: rows.column(name) for name in MANAGER},
                "rule": pa.repeat(rule.name, len(places)),
                "severity": pa.array([ERROR if bad else rule.severity for bad in severe]),
                "subject": subjects(rule.subject, rows),
                "value": pa.array(values),
                "limit": pa.array(limits),
                "unit": pa.repeat(rule.unit, len(places)),
                "advice": advice,
                "file": rows.column("file"),
                **{name: rows.column(name) for name in RECORD},
            },
            schema=FINDINGS,
        )

    def narrow(self, table: str, batch: pa.RecordBatch) -> pa.Table:
        """Make narrow rows: the columns of a batch that series rules need, for some rules summed by day and subject."""
        made = [
            self._narrow(number, rule, batch)
            for number, rule in enumerate(self.rules)
            if isinstance(rule, SeriesRule) and rule.table == table
        ]
        return pa.concat_tables(made) if made else _NARROW.empty_table()

    def _narrow(self, number: int, rule: SeriesRule, batch: pa.RecordBatch) -> pa.Table:
        value = rule.value.evaluate(batch)
        keep = ~np.isnan(value)
        if rule.only is not None:
            keep &= rule.only.holds(batch)
        rows = batch.filter(pa.array(keep))
        count = rows.num_rows
        other = rule.other.evaluate(rows) if rule.other is not None else np.zeros(count)
        section = (
            rows.column("section") if "section" in rows.schema.names else pa.array(np.zeros(count, dtype=np.int32))
        )
        table = pa.table(
            {
                "rule": pa.array(np.full(count, number, dtype=np.int32)),
                "key": _keys(rule, rows),
                **{name: rows.column(name) for name in MANAGER},
                "written_local": rows.column("written_local"),
                "moment": _moments(rows),
                "subject": subjects(rule.subject, rows),
                "value": pa.array(value[keep]),
                "other": pa.array(np.nan_to_num(other)),
                "file": rows.column("file"),
                **{name: rows.column(name) for name in RECORD},
                "section": section,
            },
            schema=_NARROW,
        )
        return summed(table) if rule.other is not None else table

    def compacted(self, narrow: pa.Table) -> pa.Table:
        """Compact the narrow rows of many batches: sums of a day are added up again."""
        sums = [number for number, rule in enumerate(self.rules) if isinstance(rule, SeriesRule) and rule.other]
        is_sum = pc.is_in(narrow.column("rule"), pa.array(sums, pa.int32()))
        return pa.concat_tables([narrow.filter(pc.invert(is_sum)), summed(narrow.filter(is_sum))])

    def series_findings(self, rows: pa.Table) -> pa.Table:
        """Give the findings of a series rule in the rows of one object; the rows need not be in order."""
        rule = self.rules[rows.column("rule")[0].as_py()]
        assert isinstance(rule, SeriesRule)
        if rule.other is not None:
            rows = summed(rows)
        order = [(name, "ascending") for name in ("moment", "file", *RECORD, "section", "subject", "value")]
        rows = rows.take(pc.sort_indices(rows, order))
        series = Series(
            rows.column("written_local").cast(pa.int64()).to_numpy(),
            rows.column("moment").cast(pa.int64()).to_numpy(),
            rows.column("value").to_numpy(),
            rows.column("other").to_numpy(),
            rows.column("subject").to_pylist(),
        )
        hits = FUNCTIONS[rule.function](series, self.limit(rule))
        chosen = rows.take(pa.array([at for at, _ in hits], pa.int64()))
        count = len(hits)
        return pa.table(
            {
                "written_local": chosen.column("written_local"),
                **{name: chosen.column(name) for name in MANAGER},
                "rule": pa.repeat(rule.name, count),
                "severity": pa.repeat(rule.severity, count),
                "subject": chosen.column("subject"),
                "value": pa.array([value for _, value in hits], pa.float64()),
                "limit": pa.repeat(pa.scalar(self.limit(rule), pa.float64()), count),
                "unit": pa.repeat(rule.unit, count),
                "advice": pa.repeat(rule.advice, count),
                "file": chosen.column("file"),
                **{name: chosen.column(name) for name in RECORD},
            },
            schema=FINDINGS,
        )


class FindingWork(Work):
    """The work of the rules: findings of the row rules, and narrow rows for the series rules, in buckets by object."""

    def __init__(self, book: RuleBook, selection: Selection | None = None, buckets: int = 1) -> None:
        self.book = book
        self.selection = selection or Selection()
        self.buckets = buckets

    def columns(self) -> dict[str, list[str]]:
        """Give the tables of the rules, and the columns of each."""
        return {table: self.book.columns(table) for table in self.book.tables()}

    def outputs(self, rows: Rows) -> Iterator[Made]:
        """Give the findings of the row rules, and the narrow rows for the series rules."""
        found: list[pa.Table] = []
        narrow: list[pa.Table] = []
        size = 0
        for table, batch in rows:
            found.append(self.book.row_findings(table, batch))
            narrow.append(self.book.narrow(table, batch))
            size += found[-1].nbytes + narrow[-1].nbytes
            if size > TOGETHER:
                yield from self._made(found, narrow)
                found, narrow, size = [], [], 0
        if narrow:
            yield from self._made(found, narrow)

    def _made(self, found: list[pa.Table], narrow: list[pa.Table]) -> Iterator[Made]:
        findings = pa.concat_tables(found)
        if findings.num_rows:
            yield FOUND, int(findings.column("offset")[0].as_py()) % self.buckets, findings
        rows = self.book.compacted(pa.concat_tables(narrow))
        if self.buckets == 1:
            yield NARROW, 0, rows
            return
        bucket = _buckets(rows, self.buckets)
        order = np.argsort(bucket, kind="stable")
        rows = rows.take(pa.array(order))
        ends = np.flatnonzero(np.diff(bucket[order])) + 1
        for start, end in pairwise([0, *ends.tolist(), len(order)]):
            if end > start:
                yield NARROW, int(bucket[order[start]]), rows.slice(start, end - start)

    def finish(self, narrow: pa.Table) -> pa.Table:
        """Give the findings of the series rules in the narrow rows of a bucket."""
        found = [self.book.series_findings(group) for group in groups_of(narrow)]
        return pa.concat_tables(found) if found else FINDINGS.empty_table()


def find_here(
    names: Sequence[str],
    book: RuleBook,
    selection: Selection | None = None,
    workers: int = 1,
    remarks: Remarks | None = None,
) -> pa.Table:
    """Give the findings on dumps or a store, in this process, or of large dumps in several processes."""
    found = list(_found_here(names, book, selection, workers, remarks))
    return in_order(pa.concat_tables(found) if found else FINDINGS.empty_table())


def summarise_here(
    names: Sequence[str],
    book: RuleBook,
    selection: Selection | None = None,
    workers: int = 1,
    remarks: Remarks | None = None,
) -> pa.Table:
    """Give the summary of the findings, without holding all of them in memory."""
    counted = PARTIAL.empty_table()
    for found in _found_here(names, book, selection, workers, remarks):
        counted = _counted(pa.concat_tables([counted, _partial(found)]))
    return _summary(counted)


def _found_here(
    names: Sequence[str], book: RuleBook, selection: Selection | None, workers: int, remarks: Remarks | None
) -> Iterator[pa.Table]:
    """Give findings as they are found; narrow rows are kept packed, and unpacked a bucket at a time."""
    work = FindingWork(book, selection, HERE)
    waiting: dict[int, list[bytes]] = {}
    for output, bucket, rows in remarked(scan_here(names, Remarking(work), workers), remarks):
        if output == FOUND:
            yield rows
        else:
            waiting.setdefault(bucket, []).append(packed(rows))
    for bucket in sorted(waiting):
        yield work.finish(pa.concat_tables([pa.ipc.open_stream(data).read_all() for data in waiting.pop(bucket)]))


def find_on_spark(
    spark: "SparkSession",
    names: Sequence[str],
    book: RuleBook,
    selection: Selection | None = None,
    remarks: Remarks | None = None,
) -> pa.Table:
    """Give the same findings, found by Spark's tasks in one job that decodes every record once."""
    from kew.analytics.smf.sparkreader import spark_schema

    work = FindingWork(book, selection, BUCKETS)

    # Spark looks at the hints of a grouped function, so this is one and not an object like the tasks of a scan.
    def finish(rows: pa.Table) -> pa.Table:
        found = unpacked(rows, FOUND, FINDINGS)
        series = work.finish(unpacked(rows, NARROW, _NARROW))
        made = pa.concat_tables([found, series])
        met = packed(unpacked(rows, REMARKS, REMARKED))
        return pa.table([[FOUND, REMARKS], pa.array([0, 0], pa.int32()), [packed(made), met]], schema=PACKED)

    scanned = scan_on_spark(spark, names, Remarking(work))
    rows = scanned.groupBy("bucket").applyInArrow(finish, spark_schema(PACKED)).toArrow()
    if remarks is not None:
        remarks.add(unpacked(rows, REMARKS, REMARKED))
    return in_order(unpacked(rows, FOUND, FINDINGS))


def _buckets(rows: pa.Table, buckets: int) -> npt.NDArray[np.int64]:
    """Give the bucket of each narrow row: the same for all rows of an object and rule."""
    keys = rows.column("key").combine_chunks().dictionary_encode()
    hashes = np.array([crc32(key.encode()) for key in keys.dictionary.to_pylist()], dtype=np.int64)
    number = rows.column("rule").to_numpy().astype(np.int64)
    return np.asarray((hashes[keys.indices.to_numpy()] + number) % buckets)


def summarise_findings(findings: pa.Table) -> pa.Table:
    """Give one row for each rule and subject: number, first and last time, and the worst value."""
    return _summary(_counted(_partial(findings)))


def _partial(findings: pa.Table) -> pa.Table:
    """Give findings as rows of a partial summary, one for each finding."""
    value, when = findings.column("value"), findings.column("written_local")
    columns = {name: findings.column(name) for name in _SUMMED}
    ones = pa.array(np.ones(findings.num_rows, dtype=np.int64))
    return pa.table(
        {**columns, "times": ones, "lowest": value, "highest": value, "first": when, "last": when}, schema=PARTIAL
    )


def _counted(partial: pa.Table) -> pa.Table:
    """Add up a partial summary, to one row for each rule and subject."""
    ways = {"times": "sum", "lowest": "min", "highest": "max", "first": "min", "last": "max"}
    grouped = partial.group_by(list(_SUMMED)).aggregate(list(ways.items()))
    return grouped.rename_columns([*_SUMMED, *ways]).cast(PARTIAL)


def _summary(counted: pa.Table) -> pa.Table:
    below = {rule.name for rule in RULES if isinstance(rule, RowRule) and rule.compare == "<"}
    is_below = pc.is_in(counted.column("rule"), pa.array(sorted(below), pa.string()))
    worst = pc.if_else(is_below, counted.column("lowest"), counted.column("highest"))
    table = pa.table(
        {
            **{key: counted.column(key) for key in _SUMMED[:-3]},
            "times": counted.column("times"),
            "worst": worst,
            "limit": counted.column("limit"),
            "unit": counted.column("unit"),
            "first": counted.column("first"),
            "last": counted.column("last"),
            "advice": counted.column("advice"),
        }
    )
    rank = pc.index_in(table.column("severity"), pa.array(["E", "W", "I"]))
    ranked = table.append_column("rank", rank)
    order = [("rank", "ascending"), ("rule", "ascending"), ("times", "descending")]
    order += [(name, "ascending") for name in (*MANAGER, "subject", "advice", "limit")]
    return table.take(pc.sort_indices(ranked, order))


def in_order(findings: pa.Table) -> pa.Table:
    """Sort findings by time, and then in an order that does not depend on how they were found."""
    return findings.take(pc.sort_indices(findings, [(name, "ascending") for name in _ORDER]))


def subjects(pattern: str, rows: pa.RecordBatch) -> pa.Array:
    """Give the subject of each row: the pattern with the row's columns in it."""
    names = subject_columns(pattern)
    if not names:
        return pa.repeat(pattern, rows.num_rows)
    pieces: list[pa.Array | str] = []
    rest = pattern
    for name in names:
        before, rest = rest.split("{" + name + "}", 1)
        pieces += [before, rows.column(name).cast(pa.string())]
    return pc.binary_join_element_wise(*pieces, rest, "", null_handling="replace", null_replacement="")


def summed(rows: pa.Table) -> pa.Table:
    """Sum the values of narrow rows by day and subject."""
    day = pc.floor_temporal(rows.column("written_local"), unit="day")
    keyed = rows.set_column(rows.schema.get_field_index("written_local"), "written_local", day)
    grouped = keyed.group_by(["rule", "key", *MANAGER, "written_local", "subject"]).aggregate(
        [("value", "sum"), ("other", "sum"), ("file", "min"), ("dump", "min"), ("offset", "min")]
    )
    count = grouped.num_rows
    return pa.table(
        {
            "rule": grouped.column("rule"),
            "key": grouped.column("key"),
            **{name: grouped.column(name) for name in MANAGER},
            "written_local": grouped.column("written_local"),
            "moment": grouped.column("written_local"),
            "subject": grouped.column("subject"),
            "value": grouped.column("value_sum"),
            "other": grouped.column("other_sum"),
            "file": grouped.column("file_min"),
            "dump": grouped.column("dump_min"),
            "offset": grouped.column("offset_min"),
            "section": pa.array(np.zeros(count, dtype=np.int32)),
        },
        schema=_NARROW,
    )


def groups_of(rows: pa.Table) -> Iterator[pa.Table]:
    """Give the rows of each rule and object."""
    ordered = rows.take(pc.sort_indices(rows, [("rule", "ascending"), ("key", "ascending")]))
    rule = ordered.column("rule").to_numpy()
    key = ordered.column("key").combine_chunks().dictionary_encode().indices.to_numpy()
    change = np.flatnonzero((np.diff(rule) != 0) | (np.diff(key) != 0)) + 1
    bounds = [0, *change.tolist(), len(rule)]
    for start, end in pairwise(bounds):
        if end > start:
            yield ordered.slice(start, end - start)


def _moments(rows: pa.RecordBatch) -> pa.Array:
    """Give the time of each row in UTC, which never goes back; records of storage have local time only."""
    recorded = rows.column("recorded").cast(pa.timestamp("us", "UTC")).cast(pa.timestamp("us"))
    return pc.coalesce(recorded, rows.column("written_local"))


def _keys(rule: SeriesRule, rows: pa.RecordBatch) -> pa.Array:
    parts = [rows.column(name).cast(pa.string()) for name in rule.keys]
    return pc.binary_join_element_wise(*parts, "\x1f", null_handling="replace", null_replacement="")


def _compared(value: npt.NDArray[np.float64], compare: str, limit: float) -> npt.NDArray[np.bool_]:
    with np.errstate(invalid="ignore"):
        if compare == ">":
            return np.asarray(value > limit)
        return np.asarray(value >= limit) if compare == ">=" else np.asarray(value < limit)


def _advice(rule: RowRule, rows: pa.RecordBatch) -> pa.Array:
    """Give the advice of a rule for each row; a rule with components also names the largest one."""
    if not rule.components:
        return pa.repeat(rule.advice, rows.num_rows)
    labels = list(rule.components)
    values = np.nan_to_num(np.stack([formula.evaluate(rows) for formula in rule.components.values()]))
    largest = values.argmax(axis=0)
    return pa.array([f"{rule.advice} (mostly {labels[which]})" for which in largest], pa.string())
