import math

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kew.analytics.reports.expressions import BadFormula, Formula

BATCH = pa.RecordBatch.from_pydict(
    {
        "A": pa.array([1, 2, None, 4], pa.int32()),
        "B": pa.array([2.0, 0.0, 3.0, 8.0]),
        "F": pa.array([0x80000000, 0, 0x40000000, None], pa.int64()),
        "U": pa.array([2**64 - 1, 0, 1, None], pa.decimal128(20, 0)),
        "L": pa.array([[1, 2], [3, 4], None, [5, 6]], pa.list_(pa.int64())),
        "S": pa.array([[{"X": 1}], [{"X": None}], [{"X": 3}], None], pa.list_(pa.struct([pa.field("X", pa.int64())]))),
        "V": ["09040000", "", None, "x"],
        "duration_us": pa.array([1_000_000, 2_000_000, 500_000, None], pa.int64()),
    }
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A", [1, 2, None, 4]),
        ("A + B * 2", [5, 2, None, 20]),
        ("A / B", [0.5, None, None, 0.5]),
        ("100 * (1 - A / B)", [50, None, None, 50]),
        ("-A ** 2", [-1, -4, None, -16]),
        ("A / dur", [1, 1, None, None]),
        ("A > 1", [0, 1, 0, 1]),
        ("A > 1 and B > 1", [0, 0, 0, 1]),
        ("A > 3 or B == 2", [1, 0, 0, 1]),
        ("not A > 1", [1, 0, 1, 0]),
        ("1 + (A != 2)", [2, 1, 1, 2]),
        ("min(A, B)", [1, 0, None, 4]),
        ("max(coalesce(A, 0), B)", [2, 2, 3, 8]),
        ("sqrt(B - 2)", [0, None, 1, math.sqrt(6)]),
        ("abs(A - 3)", [2, 1, None, 1]),
        ("null(A)", [0, 0, 1, 0]),
        ("bit(F, 0x80000000)", [1, 0, 0, None]),
        ("U / 2 ** 64", [1, 0, 2**-64, None]),
        ("L[1] - L[0]", [1, 1, None, 1]),
        ("S[0].X * 2", [2, None, 6, None]),
        ("V + 0", [9040000, None, None, None]),
        ("5", [5, 5, 5, 5]),
    ],
)
def test_values(text: str, expected: list[float | None]) -> None:
    found = [None if math.isnan(value) else value for value in Formula(text).evaluate(BATCH).tolist()]
    assert found == pytest.approx(expected)


def test_the_columns_of_a_formula_are_known() -> None:
    assert Formula("S[0].X + L[1] * A / dur").columns == {"S", "L", "A", "duration_us"}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "A +",
        "__import__('os')",
        "A.b",
        "A[B]",
        "A[-1]",
        "lambda: 1",
        "'text'",
        "A if B else 1",
        "1 < A < 3",
        "min(A)",
        "open(A, B)",
        "A @ B",
        "[A]",
        "A := 1",
        "max(A, B, key=A)",
        "(" * 500 + "A" + ")" * 500,
        "A + " * 600 + "A",
    ],
)
def test_what_is_no_arithmetic_is_refused(text: str) -> None:
    with pytest.raises(BadFormula):
        Formula(text)


@given(st.text(max_size=60))
def test_no_text_does_harm(text: str) -> None:
    try:
        columns = Formula(text).columns
    except BadFormula:
        return
    assert columns is not None
