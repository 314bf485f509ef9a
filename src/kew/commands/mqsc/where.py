"""Conditions of DISPLAY: generic names, and WHERE(attribute operator value)."""

from typing import Final

from kew.codes import commands as c
from kew.objects.schema import AttributeSpec
from kew.objects.schema.texts import Hex, Text
from kew.objects.schema.values import KEYWORD, BadValue, Bits, Choice, Interval, Kilobytes, ListOf, Number, Value

OPERATORS: Final = {
    "LT": c.MQCFOP_LESS,
    "GT": c.MQCFOP_GREATER,
    "EQ": c.MQCFOP_EQUAL,
    "NE": c.MQCFOP_NOT_EQUAL,
    "LE": c.MQCFOP_NOT_GREATER,
    "GE": c.MQCFOP_NOT_LESS,
    "LK": c.MQCFOP_LIKE,
    "NL": c.MQCFOP_NOT_LIKE,
    "CT": c.MQCFOP_CONTAINS,
    "EX": c.MQCFOP_EXCLUDES,
    "CTG": c.MQCFOP_CONTAINS_GEN,
    "EXG": c.MQCFOP_EXCLUDES_GEN,
}
ORDERED: Final = ("LT", "GT", "EQ", "NE", "LE", "GE")
EQUALITY: Final = ("EQ", "NE")
GENERIC: Final = ("LK", "NL")
LISTS: Final = ("CT", "EX", "CTG", "EXG")
BEGINNINGS: Final = ("LK", "NL", "CTG", "EXG")  # those that compare with the beginning of a value


def is_generic(name: str) -> bool:
    """Return whether a name is generic (ends with an asterisk)."""
    return name.endswith("*")


def matches(pattern: str, name: str) -> bool:
    """Return whether a name matches a pattern: the same name, or one with the beginning before the asterisk."""
    return name.startswith(pattern[:-1]) if pattern.endswith("*") else name == pattern


def operators_of(spec: AttributeSpec) -> tuple[str, ...]:
    """Return the operators that an attribute can have."""
    kind = spec.kind
    if isinstance(kind, ListOf):
        return LISTS if kind.of_texts else LISTS[:2]
    if isinstance(kind, Text):
        return ORDERED + GENERIC
    if isinstance(kind, Choice | Hex | Bits):
        return EQUALITY
    if isinstance(kind, Number | Interval | Kilobytes):
        return ORDERED
    return ()


class Filter:
    """One WHERE condition, ready to be matched with values."""

    def __init__(self, spec: AttributeSpec, operator: str, value: Value) -> None:
        self.spec = spec
        self.operator = operator
        self.value = value  # for a generic operator the text before the *

    def __repr__(self) -> str:
        return f"Filter({self.spec.keyword} {self.operator} {self.value!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Filter):
            return NotImplemented
        return (self.spec.keyword, self.operator, self.value) == (other.spec.keyword, other.operator, other.value)

    def __hash__(self) -> int:
        return hash((self.spec.keyword, self.operator))

    def accepts(self, value: Value | None) -> bool:
        """Return whether the condition selects an object with this value; without the attribute it never does."""
        if value is None:
            return False
        operator = self.operator
        if isinstance(value, tuple):
            return self._accepts_list(value)
        if operator == "EQ":
            return value == self.value
        if operator == "NE":
            return value != self.value
        if isinstance(value, str) and isinstance(self.value, str):
            if operator == "LK":
                return value.startswith(self.value)
            if operator == "NL":
                return not value.startswith(self.value)
            order = (value > self.value) - (value < self.value)
        elif isinstance(value, int) and isinstance(self.value, int):
            order = (value > self.value) - (value < self.value)
        else:
            return False
        return {"LT": order < 0, "GT": order > 0, "LE": order <= 0, "GE": order >= 0}[operator]

    def _accepts_list(self, value: tuple[int, ...] | tuple[str, ...]) -> bool:
        if self.operator in ("CT", "EX"):
            return (self.value in value) == (self.operator == "CT")
        prefix = self.value if isinstance(self.value, str) else ""
        found = [item for item in value if isinstance(item, str) and item.startswith(prefix)]
        return bool(found) == (self.operator == "CTG")


def make_filter(spec: AttributeSpec, operator: str, words: list[str]) -> Filter:
    """Return the condition of an operator and the words after it; raise BadValue if it is not valid."""
    allowed = operators_of(spec)
    if operator not in allowed:
        wanted = ", ".join(allowed) if allowed else "an attribute that can be compared"
        raise BadValue(KEYWORD, operator, f"an operator for {spec.keyword}: {wanted}")
    kind = spec.kind
    if operator in BEGINNINGS:
        if len(words) != 1 or not is_generic(words[0]):
            raise BadValue(KEYWORD, " ".join(words)[:80], f"a generic value after {operator}, such as 'ABC*'")
        return Filter(spec, operator, words[0][:-1])
    if isinstance(kind, ListOf):
        if len(words) != 1:
            raise BadValue(KEYWORD, " ".join(words)[:80], f"one value after {operator}")
        item = kind.item.read(words[0])
        kind.item.check(item)
        return Filter(spec, operator, item)
    return Filter(spec, operator, kind.parse(words))
