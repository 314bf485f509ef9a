"""What was hardly used gives no finding, and no row is told two things that exclude each other."""

from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.smf import sample
from tests.support.verdicts import OPPOSITES, SAYS

from kew.analytics.reports.findings import RuleBook, find_here
from kew.analytics.reports.rules import RULES
from kew.analytics.smf.tables import TABLES

# Rules on a share or a mean that need no least volume: what they divide is no count of work, or one alone is trouble.
ABSOLUTE = {
    "ST03",  # of bytes, as megabytes
    "ST04",
    "TQ04",  # their `only` counts the gets
    "TQ10",
    "BP07",
    "PS02",
    "QS08",
}


def test_every_share_and_mean_has_a_least_volume() -> None:
    shares = [rule for rule in RULES if "/" in rule.value.text and rule.name not in ABSOLUTE]
    assert {rule.name for rule in shares if rule.only is None and ">= 100)" not in rule.value.text} == set()


def test_a_pool_of_which_one_buffer_is_used_is_not_too_small(tmp_path: Path) -> None:
    """The real dump has twelve such pools of 1,000 buffers, in 16 intervals each."""
    path = tmp_path / "dump.dat"
    path.write_bytes(sample("TESTCHL.dat"))
    found = find_here([str(path)], RuleBook()).to_pylist()
    assert [row["rule"] for row in found if row["rule"].startswith("BP")] == []


def row_of(table: str, values: dict[str, float]) -> pa.RecordBatch:
    """Give a row of a table with these numbers and 0 elsewhere."""
    schema = TABLES[table].schema()
    arrays = []
    for field in schema:
        if pa.types.is_list(field.type):
            inner = field.type.value_type
            one = {part.name: None for part in inner} if pa.types.is_struct(inner) else 0
            arrays.append(pa.array([[one] * 64], field.type))
        elif field.name in values:
            arrays.append(pa.array([values[field.name]]).cast(field.type))
        elif pa.types.is_integer(field.type) or pa.types.is_floating(field.type):
            arrays.append(pa.array([0], field.type))
        else:
            arrays.append(pa.nulls(1, field.type))
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


counts = st.integers(0, 30) | st.integers(0, 100_000)
FIELDS = {
    "QPST": ["QPSTNBUF", "QPSTCBSL", "QPSTGETP", "QPSTGETN", "QPSTRIO", "QPSTIMW", "QPSTDWT", "QPSTSTL", "QPSTSTLA"],
    "QCST": ["QCSTNMSG", "QCSTBATC", "QCSTCBSZ", "QCSTFUBA", "QCSTQETC"],
    "WQ": ["GETN", "GETS", "GETBRWS", "GETSMSG", "INDXTYPE", "VALIDGET", "VALIDPUT", "OPENN", "GETERR", "GETPSN"],
}


@pytest.mark.parametrize("table", sorted(FIELDS))
@given(data=st.data())
@settings(max_examples=300, deadline=None)
def test_no_row_is_told_opposites(table: str, data: st.DataObject) -> None:
    values: dict[str, float] = {name: data.draw(counts, name) for name in FIELDS[table]}
    values["duration_us"] = data.draw(st.sampled_from([1_000_000, 60_000_000, 1_800_000_000]))
    if table == "QPST":
        values["QPSTCBSL"] = min(values["QPSTCBSL"], values["QPSTNBUF"])
    found = RuleBook().row_findings(table, row_of(table, values)).column("rule").to_pylist()
    said = {SAYS[rule] for rule in found if rule in SAYS}
    assert not any(pair <= said for pair in OPPOSITES), (found, values)


@given(
    table=st.sampled_from(sorted(FIELDS)),
    few=st.lists(st.integers(0, 9), min_size=10, max_size=10),
)
@settings(max_examples=300, deadline=None)
def test_a_handful_of_anything_is_no_finding(table: str, few: list[int]) -> None:
    """What counts misfortunes is left at zero; everything else is below ten."""
    values: dict[str, float] = dict(zip(FIELDS[table], few, strict=False))
    values |= {"duration_us": 60_000_000, "QPSTDWT": 0}
    found = RuleBook().row_findings(table, row_of(table, values)).column("rule").to_pylist()
    assert found == []
