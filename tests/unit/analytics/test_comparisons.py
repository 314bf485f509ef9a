"""Two periods of made series, of which it is known what changed."""

from datetime import UTC, datetime
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from tests.support.weeks import DAY, Weeks

from kew.analytics.jobs.comparisons import all_metrics, compared_of, student
from kew.analytics.jobs.metrics import Metric

METRIC = Metric("QMST: QMSTPUT + QMSTPUT1")


def compare(tables: list[pa.Table], split: int, metric: Metric = METRIC) -> list[dict[str, Any]]:
    when = datetime.fromtimestamp(split / 1e6, UTC).replace(tzinfo=None)
    rows: list[dict[str, Any]] = compared_of(pa.concat_tables(tables), [metric], when).to_pylist()
    return rows


@pytest.mark.parametrize(
    ("distance", "freedom", "chance"),
    [(0.0, 5, 1.0), (2.571, 5, 0.05), (12.706, 1, 0.05), (2.0, 60, 0.0500), (4.587, 10, 0.001), (-2.228, 10, 0.05)],
)
def test_the_chance_is_that_of_the_tables_of_student(distance: float, freedom: float, chance: float) -> None:
    assert student(distance, freedom) == pytest.approx(chance, rel=2e-3)


def test_what_changed_is_found_and_what_did_not_is_not(capsys: pytest.CaptureFixture[str]) -> None:
    """Half of 60 series change by a quarter, from four weeks to two, each with its own days and hours."""
    tables, changed = [], set()
    split = 0
    for number in range(60):
        made = Weeks(number, 6, 1800, scale=1 + number % 5)
        split = made.split
        if number % 2:
            made.plant(split, 14 * DAY, 1.25 if number % 4 == 1 else 0.75)
            changed.add(f"Q{number}")
        tables.append(made.points("QM1", METRIC.name, made.values()))
        at = tables[-1].schema.get_field_index("object")
        tables[-1] = tables[-1].set_column(
            at, tables[-1].schema.field(at), pa.array([f"Q{number}"] * tables[-1].num_rows)
        )
    rows = compare(tables, split)
    told = {row["object"]: row for row in rows if row["verdict"] in ("higher", "lower")}
    false, found = len(told.keys() - changed), len(told.keys() & changed)
    with capsys.disabled():
        print(f"\ncompared: {found} of {len(changed)} changes found, {false} of 30 told without one")
    assert found >= 0.9 * len(changed)
    assert false <= 2
    for name, row in told.items():
        if name in changed:
            assert row["verdict"] == ("higher" if int(name[1:]) % 4 == 1 else "lower")
            assert abs(row["change_percent"]) == pytest.approx(25, abs=12)
            assert (row["counted"], row["after_count"]) == ("day", 14)
    effects = [abs(row["effect"]) for row in rows if row["verdict"] in ("higher", "lower")]
    assert effects == sorted(effects, reverse=True)
    assert [row["verdict"] for row in rows[len(told) :]] == ["same"] * (60 - len(told))


def test_week_against_week(capsys: pytest.CaptureFixture[str]) -> None:
    tables = []
    split = 0
    for number in range(20):
        made = Weeks(100 + number, 3, 3600)
        split = made.split + 7 * DAY
        made.plant(split, 7 * DAY, 2.0 if number < 5 else 1.0)
        tables.append(
            made.points(f"QM{number:02}", METRIC.name, made.values()).filter(pa.array(made.local >= made.split))
        )
    rows = compare(tables, split)
    told = {row["qmgr"] for row in rows if row["verdict"] == "higher"}
    with capsys.disabled():
        print(f"\nweek against week: {sorted(told)} of QM00 to QM04")
    assert {"QM00", "QM01", "QM02", "QM03", "QM04"} <= told
    assert len(told) <= 6


def test_constants_new_gone_and_short_series() -> None:
    made = Weeks(1, 4, 3600)
    level = np.full(len(made.local), 500.0)
    moved = np.where(made.local < made.split, 500.0, 501.0)  # by less than a hundredth
    leapt = np.where(made.local < made.split, 500.0, 700.0)
    tables = [made.points(name, METRIC.name, values) for name, values in (("A", level), ("B", moved), ("C", leapt))]
    late, early = pa.array(made.local >= made.split), pa.array(made.local < made.split)
    tables += [made.points("D", METRIC.name, level).filter(late), made.points("E", METRIC.name, level).filter(early)]
    few = pa.array(np.abs(made.local - made.split) <= 3600_000_000)
    tables.append(made.points("F", METRIC.name, level).filter(few))
    found = {row["qmgr"]: row for row in compare(tables, made.split)}
    assert {name: row["verdict"] for name, row in found.items()} == {
        "A": "same",
        "B": "same",
        "C": "higher",
        "D": "new",
        "E": "gone",
        "F": "too little",
    }
    assert found["C"]["change_percent"] == pytest.approx(40)


def test_hours_and_intervals_count_where_days_are_few() -> None:
    made = Weeks(2, 2, 60)
    values = np.where(made.local < made.split + 6 * 3600_000_000, 10.0, 20.0) + made.random.normal(
        0, 1, len(made.local)
    )
    table = made.points("QM1", METRIC.name, values).slice(0, 12 * 60)
    (row,) = compare([table], made.split + 6 * 3600_000_000)
    assert (row["counted"], row["verdict"]) == ("hour", "higher")
    (row,) = compare([table.slice(330, 60)], made.split + 6 * 3600_000_000)
    assert (row["counted"], row["verdict"]) == ("interval", "higher")


def test_all_metrics_are_those_of_every_table() -> None:
    names = [metric.name for metric in all_metrics()]
    assert len(names) == len(set(names)) > 300
    assert {"QJST: QJSTWRW", "QPST: QPSTSOS", "QQST: QQSTDPTH", "QCST: QCSTNMSG", "WQ: PUTCT / PUTN"} <= set(names)
    assert not any("PSID" in name or "POOL" in name for name in names)
