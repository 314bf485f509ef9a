"""Selectors against a model: conditions are made at random, written down, and worked out by hand."""

import re
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from kew.formats.mqmd import MessageDescriptor
from kew.formats.properties import Scalar
from kew.selection.fields import GivenFields
from kew.selection.parser import pieces_of
from kew.selection.selector import Selector
from kew.selection.tree import FALSE, MOST_TRIES, TRUE, UNKNOWN, fits

NAMES = ("a", "b", "shop.c", "d")
LETTERS = "ab%_'"
TEXTS = st.text(LETTERS, max_size=4)
NUMBERS = st.one_of(st.integers(-20, 20), st.integers(-(1 << 63) + 1, (1 << 63) - 1), st.sampled_from([0.5, -2.5, 4.0]))
SCALARS = st.one_of(st.none(), st.booleans(), TEXTS, NUMBERS, st.binary(min_size=1, max_size=2))

# A condition or a value is a tuple: what it is, and its parts.
VALUES: Any = st.recursive(
    st.one_of(st.tuples(st.just("name"), st.sampled_from(NAMES)), st.tuples(st.just("number"), NUMBERS)),
    lambda parts: st.one_of(st.tuples(st.sampled_from("+-*/"), parts, parts), st.tuples(st.just("negative"), parts)),
    max_leaves=5,
)
ANY = st.one_of(
    VALUES,
    st.tuples(st.just("text"), TEXTS),
    st.tuples(st.just("truth"), st.booleans()),
    st.tuples(st.just("bytes"), st.binary(min_size=1, max_size=2)),
)
NAME = st.tuples(st.just("name"), st.sampled_from(NAMES))
PREDICATES: Any = st.one_of(
    st.tuples(st.sampled_from(["=", "<>"]), ANY, ANY),
    st.tuples(st.sampled_from(["<", "<=", ">", ">="]), VALUES, VALUES),
    st.tuples(st.just("between"), VALUES, VALUES, VALUES),
    st.tuples(st.just("in"), NAME, st.lists(TEXTS, min_size=1, max_size=3)),
    st.tuples(st.just("like"), NAME, TEXTS),
    st.tuples(st.just("null"), NAME),
    st.tuples(st.just("alone"), NAME),
)
CONDITIONS: Any = st.recursive(
    PREDICATES,
    lambda parts: st.one_of(st.tuples(st.sampled_from(["and", "or"]), parts, parts), st.tuples(st.just("not"), parts)),
    max_leaves=6,
)


def quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def written(node: Any) -> str:
    """Write a condition or a value down, with all brackets."""
    kind, *parts = node
    if kind in ("name", "alone"):
        return str(parts[0]) if kind == "name" else written(parts[0])
    if kind == "number":
        return f"({parts[0]!r})" if parts[0] < 0 else repr(parts[0])
    if kind == "text":
        return quoted(parts[0])
    if kind == "truth":
        return "TRUE" if parts[0] else "false"
    if kind == "bytes":
        return f'"0x{parts[0].hex()}"'
    if kind == "negative":
        return f"(-{written(parts[0])})"
    if kind == "between":
        return "({} BETWEEN {} AND {})".format(*map(written, parts))
    if kind == "in":
        return f"({written(parts[0])} in ({', '.join(map(quoted, parts[1]))}))"
    if kind == "like":
        return f"({written(parts[0])} LIKE {quoted(parts[1])})"
    if kind == "null":
        return f"({written(parts[0])} is null)"
    if kind == "not":
        return f"(not {written(parts[0])})"
    return f"({written(parts[0])} {kind} {written(parts[1])})"


def number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def worked_out(node: Any, values: dict[str, Scalar]) -> Any:
    """The value of a node: a scalar, or for a condition True, False or None for unknown."""
    kind, *parts = node
    if kind == "name":
        return values.get(parts[0])
    if kind in ("number", "text", "truth", "bytes"):
        return parts[0]
    if kind == "negative":
        value = worked_out(parts[0], values)
        return limited(-value) if number(value) else None
    if kind in "+-*/":
        return arithmetic(kind, worked_out(parts[0], values), worked_out(parts[1], values))
    if kind == "null":
        return worked_out(parts[0], values) is None
    if kind == "not":
        value = worked_out(parts[0], values)
        return None if value is None else not value
    if kind in ("and", "or"):
        both = [worked_out(part, values) for part in parts]
        decisive = kind == "or"
        return decisive if decisive in both else None if None in both else not decisive
    if kind == "between":
        value, low, high = parts
        return worked_out(("and", (">=", value, low), ("<=", value, high)), values)
    value = worked_out(parts[0], values)
    if kind == "alone":
        return None if value is None else value is True
    if kind == "in":
        return None if value is None else isinstance(value, str) and value in parts[1]
    if kind == "like":
        return None if value is None else isinstance(value, str) and naive_like(value, parts[1])
    return compared(kind, value, worked_out(parts[1], values))


def compared(kind: str, left: Any, right: Any) -> bool | None:
    if left is None or right is None:
        return None
    if not (number(left) and number(right)) and type(left) is not type(right):
        return False
    if kind in ("=", "<>"):
        return bool((left == right) == (kind == "="))
    if not number(left):
        return False
    held: dict[str, bool] = {"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right}
    return held[kind]


def limited(value: Any) -> Any:
    return float(value) if isinstance(value, int) and not -(1 << 63) <= value < 1 << 63 else value


def arithmetic(kind: str, left: Any, right: Any) -> Any:
    if not number(left) or not number(right) or (kind == "/" and right == 0):
        return None
    if kind == "/" and isinstance(left, int) and isinstance(right, int):
        quotient = abs(left) // abs(right)
        return limited(quotient if (left >= 0) == (right >= 0) else -quotient)
    if isinstance(left, float) or isinstance(right, float):
        left, right = float(left), float(right)
    return limited({"+": left + right, "-": left - right, "*": left * right, "/": left / (right or 1)}[kind])


def naive_like(text: str, pattern: str) -> bool:
    if not pattern:
        return not text
    if pattern[0] == "%":
        return any(naive_like(text[start:], pattern[1:]) for start in range(len(text) + 1))
    return bool(text) and pattern[0] in ("_", text[0]) and naive_like(text[1:], pattern[1:])


@settings(max_examples=400, deadline=None)
@given(CONDITIONS, st.dictionaries(st.sampled_from(NAMES), SCALARS))
def test_a_selector_says_what_the_model_says(node: Any, values: dict[str, Scalar]) -> None:
    selector = Selector(written(node))
    result = selector.condition.test(GivenFields(values, MessageDescriptor()))
    assert {TRUE: True, FALSE: False, UNKNOWN: None}[result] is worked_out(node, values)


@settings(max_examples=400, deadline=None)
@given(st.text("ab", max_size=8), st.text("ab%_", max_size=6))
def test_patterns(text: str, pattern: str) -> None:
    assert fits(text, pieces_of(pattern, "", 0)) == naive_like(text, pattern)


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 3 * MOST_TRIES), st.text("ab", max_size=8), st.text("ab_", min_size=1, max_size=6))
def test_patterns_that_nearly_fit_again_and_again(times: int, text: str, piece: str) -> None:
    whole = "ab" * times + text + "a" * times
    assert fits(whole, pieces_of(f"%{piece}%", "", 0)) == (
        re.search(piece.replace("_", "."), whole, re.DOTALL) is not None
    )
    found = re.search(f"{piece.replace('_', '.')}.*b$", whole, re.DOTALL)
    assert fits(whole, pieces_of(f"%{piece}%b", "", 0)) == (found is not None)
