"""Definitions of objects: type, name, a value for every stored attribute, and the dates of creation and change."""

import time
from collections.abc import Mapping
from typing import Final

from kew.objects.schema import AttributeSpec, ObjectType, object_type
from kew.objects.schema.values import Value


class Definition:
    """One object: values by keyword, complete with defaults, in the forms that objects/schema/values.py lists."""

    def __init__(self, kind: ObjectType, name: str, values: Mapping[str, Value] | None = None) -> None:
        self.kind = kind
        self.name = name
        self.values: dict[str, Value] = dict(kind.defaults)
        for keyword, value in (values or {}).items():
            spec = kind[keyword]
            spec.check(value)
            self.values[keyword] = value

    @classmethod
    def of(cls, type_name: str, name: str, spelled: Mapping[str, str] | None = None) -> "Definition":
        """Return a definition whose values are given as MQSC spells them."""
        kind = object_type(type_name)
        return cls(kind, name, {keyword: kind[keyword].read(text) for keyword, text in (spelled or {}).items()})

    def __getitem__(self, keyword: str) -> Value:
        return self.values[keyword]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Definition):
            return NotImplemented
        return self.kind is other.kind and self.name == other.name and self.values == other.values

    def __hash__(self) -> int:
        return hash((self.kind.name, self.name))

    def __repr__(self) -> str:
        changed = [f"{spec.show(self.values[spec.keyword])}" for spec in self.changed()]
        return f"Definition({self.kind.name} {self.name!r} {' '.join(changed)})"

    def integer(self, keyword: str) -> int:
        """Return the value of a numeric or enumerated attribute."""
        value = self.values[keyword]
        assert isinstance(value, int)
        return value

    def text(self, keyword: str) -> str:
        """Return the value of a text attribute."""
        value = self.values[keyword]
        assert isinstance(value, str)
        return value

    def texts(self, keyword: str) -> tuple[str, ...]:
        """Return the value of an attribute that is a list of texts."""
        value = self.values[keyword]
        assert isinstance(value, tuple)
        return tuple([item for item in value if isinstance(item, str)])

    def numbers(self, keyword: str) -> tuple[int, ...]:
        """Return the value of an attribute that is a list of numbers or keywords."""
        value = self.values[keyword]
        assert isinstance(value, tuple)
        return tuple([item for item in value if isinstance(item, int)])

    def changed(self) -> list[AttributeSpec]:
        """Return the attributes whose value is not the type's default."""
        return [spec for spec in self.kind.attributes if spec.stored and self.values[spec.keyword] != spec.default]

    def altered(self, changes: Mapping[str, Value]) -> "Definition":
        """Return a copy with some values changed; raise BadValue for a value its attribute cannot take."""
        return Definition(self.kind, self.name, {**self.values, **changes})

    def named(self, name: str) -> "Definition":
        """Return a copy under another name, as LIKE makes it."""
        return Definition(self.kind, name, self.values)


DATE_FORMAT: Final = "%Y-%m-%d"
TIME_FORMAT: Final = "%H.%M.%S"


def _stamped(values: Mapping[str, Value], when: float, keywords: tuple[str, ...]) -> dict[str, Value]:
    parts = time.localtime(when)
    date, clock = time.strftime(DATE_FORMAT, parts), time.strftime(TIME_FORMAT, parts)
    stamped = dict(values)
    for keyword in keywords:
        if keyword in stamped:
            stamped[keyword] = date if keyword.endswith("DATE") else clock
    return stamped


def created(values: Mapping[str, Value], when: float) -> dict[str, Value]:
    """Return the values of an object that is created now."""
    return _stamped(values, when, ("CRDATE", "CRTIME", "ALTDATE", "ALTTIME"))


def altered(before: Mapping[str, Value], changes: Mapping[str, Value], when: float) -> dict[str, Value]:
    """Return the values of an object that is changed now; its time of creation and its identity stay."""
    kept = {keyword: before[keyword] for keyword in ("CRDATE", "CRTIME", "QMID") if keyword in before}
    return _stamped({**before, **changes, **kept}, when, ("ALTDATE", "ALTTIME"))
