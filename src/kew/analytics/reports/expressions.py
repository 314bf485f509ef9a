"""The formulas of reports and rules: arithmetic and comparisons over the columns of a table.

    100 * (1 - QPSTCBSL / QPSTNBUF)
    QJSTIO[0].QJSTIOTOTIO / QJSTIO[0].QJSTIOCOUNT > 1000

Formulas have Python's syntax; Python's parser reads them, and they are evaluated here on whole columns, never executed
as code. A null anywhere makes a number null and a comparison false, and so does a division by zero. `dur` is the length
of the interval in seconds. Functions: min, max, sqrt, abs, coalesce (the first that is not null), bit (whether a bit of
a flag word is set), null (whether a value is missing).
"""

import ast
from collections.abc import Callable
from typing import Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

Floats = npt.NDArray[np.float64]

DURATION: Final = "dur"
LONGEST: Final = 2000
_BINARY: Final[dict[type[ast.operator], Callable[[Floats, Floats], Floats]]] = {
    ast.Add: np.add,
    ast.Sub: np.subtract,
    ast.Mult: np.multiply,
    ast.Div: np.divide,
    ast.Pow: np.power,
}
_COMPARE: Final[dict[type[ast.cmpop], Callable[[Floats, Floats], npt.NDArray[np.bool_]]]] = {
    ast.Gt: np.greater,
    ast.GtE: np.greater_equal,
    ast.Lt: np.less,
    ast.LtE: np.less_equal,
    ast.Eq: np.equal,
    ast.NotEq: np.not_equal,
}
_FUNCTIONS: Final = {"min": 2, "max": 2, "sqrt": 1, "abs": 1, "coalesce": 2, "bit": 2, "null": 1}


class BadFormula(ValueError):
    """An invalid formula, or one with a column that the table lacks."""


class Formula:
    """A parsed formula: the columns it needs, and its value over them."""

    def __init__(self, text: str) -> None:
        self.text = text
        if len(text) > LONGEST:
            raise BadFormula(f"a formula of {len(text)} characters is too long")
        try:
            self.tree = ast.parse(text.strip(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError) as problem:
            raise BadFormula(f"{text!r} is not a formula: {problem}") from None
        self.columns: set[str] = set()
        self._check(self.tree)

    def evaluate(self, batch: pa.RecordBatch) -> Floats:
        """Give the value for each row, NaN for null; a comparison gives 1 or 0."""
        with np.errstate(all="ignore"):
            value = np.broadcast_to(_value(self.tree, batch), (batch.num_rows,)).astype(np.float64)
        value[~np.isfinite(value)] = np.nan
        return value

    def holds(self, batch: pa.RecordBatch) -> npt.NDArray[np.bool_]:
        """Say whether a comparison is true, row by row."""
        return np.asarray(self.evaluate(batch) == 1.0)

    def _check(self, node: ast.expr) -> None:
        """Refuse anything except arithmetic on columns, and note the columns."""
        if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
            return
        if isinstance(node, ast.Name):
            self.columns.add("duration_us" if node.id == DURATION else node.id)
        elif isinstance(node, ast.Attribute | ast.Subscript):
            self.columns.add(_array_of(node))
        elif isinstance(node, ast.BinOp) and type(node.op) in _BINARY:
            self._check(node.left)
            self._check(node.right)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.Not):
            self._check(node.operand)
        elif isinstance(node, ast.BoolOp):
            for part in node.values:
                self._check(part)
        elif isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _COMPARE:
            self._check(node.left)
            self._check(node.comparators[0])
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
            if _FUNCTIONS.get(node.func.id) != len(node.args):
                raise BadFormula(f"{self.text!r}: there is no function {node.func.id} of {len(node.args)}")
            for part in node.args:
                self._check(part)
        else:
            raise BadFormula(f"{self.text!r}: {ast.unparse(node)} is not allowed in a formula")


def _array_of(node: ast.Attribute | ast.Subscript) -> str:
    """Give the name of the column behind NAME[n] or NAME[n].FIELD."""
    inner = node.value if isinstance(node, ast.Attribute) else node
    if isinstance(inner, ast.Subscript) and isinstance(inner.value, ast.Name):
        place = inner.slice
        if isinstance(place, ast.Constant) and isinstance(place.value, int) and place.value >= 0:
            return inner.value.id
    raise BadFormula(f"{ast.unparse(node)} is not allowed in a formula")


def as_floats(column: pa.Array | pa.ChunkedArray) -> Floats:
    """Give a column as floats, NaN for null; moments become microseconds, and text a number where it is one."""
    if pa.types.is_timestamp(column.type):
        column = column.cast(pa.int64())
    elif pa.types.is_boolean(column.type):
        column = column.cast(pa.int32())
    elif pa.types.is_string(column.type):
        column = pc.if_else(pc.utf8_is_digit(column), column, None)
    floats: Floats = pc.cast(column, pa.float64(), safe=False).to_numpy(zero_copy_only=False)
    return floats


def _value(node: ast.expr, batch: pa.RecordBatch) -> Floats:
    if isinstance(node, ast.Constant):
        return np.float64(node.value)  # type: ignore[arg-type,return-value]
    if isinstance(node, ast.Name):
        if node.id == DURATION:
            return as_floats(batch.column("duration_us")) / 1e6
        return as_floats(batch.column(node.id))
    if isinstance(node, ast.Attribute | ast.Subscript):
        return _element(node, batch)
    if isinstance(node, ast.BinOp):
        return _BINARY[type(node.op)](_value(node.left, batch), _value(node.right, batch))
    if isinstance(node, ast.UnaryOp):
        operand = _value(node.operand, batch)
        return -operand if isinstance(node.op, ast.USub) else np.asarray(operand != 1.0, dtype=np.float64)
    if isinstance(node, ast.BoolOp):
        parts = [_value(part, batch) == 1.0 for part in node.values]
        joined = np.logical_and if isinstance(node.op, ast.And) else np.logical_or
        result = parts[0]
        for part in parts[1:]:
            result = joined(result, part)
        return np.asarray(result, dtype=np.float64)
    if isinstance(node, ast.Compare):
        left, right = _value(node.left, batch), _value(node.comparators[0], batch)
        known = np.isfinite(left) & np.isfinite(right)
        return np.asarray(_COMPARE[type(node.ops[0])](left, right) & known, dtype=np.float64)
    assert isinstance(node, ast.Call)
    assert isinstance(node.func, ast.Name)
    return _call(node.func.id, [_value(part, batch) for part in node.args])


def _element(node: ast.Attribute | ast.Subscript, batch: pa.RecordBatch) -> Floats:
    """Give one element of an array column, or one field of it."""
    subscript = node.value if isinstance(node, ast.Attribute) else node
    assert isinstance(subscript, ast.Subscript)
    assert isinstance(subscript.slice, ast.Constant)
    index = subscript.slice.value
    assert isinstance(index, int)
    element = pc.list_element(batch.column(_array_of(node)), index)
    if isinstance(node, ast.Attribute):
        element = pc.struct_field(element, node.attr)
    return as_floats(element)


def _call(name: str, parts: list[Floats]) -> Floats:
    if name == "min":
        return np.minimum(parts[0], parts[1])
    if name == "max":
        return np.maximum(parts[0], parts[1])
    if name == "sqrt":
        return np.sqrt(parts[0])
    if name == "abs":
        return np.abs(parts[0])
    if name == "coalesce":
        return np.where(np.isfinite(parts[0]), parts[0], parts[1])
    if name == "null":
        return np.asarray(~np.isfinite(parts[0]), dtype=np.float64)
    words = np.where(np.isfinite(parts[0]), parts[0], 0).astype(np.int64)
    return np.where(np.isfinite(parts[0]), (words & np.asarray(parts[1]).astype(np.int64)) != 0, np.nan)
