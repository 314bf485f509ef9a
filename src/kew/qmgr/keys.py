"""Keys of a configuration file: their kinds of values, and their declaration as fields of a stanza's class."""

from collections.abc import Iterator
from dataclasses import Field, dataclass, field, fields
from typing import Any, Final, Generic, Protocol, TypeVar

from kew.objects.schema import AttributeSpec
from kew.objects.schema.values import BadValue

Value = TypeVar("Value")
V_co = TypeVar("V_co", covariant=True)


class Kind(Protocol[V_co]):
    """A kind of value of a key."""

    @property
    def allowed(self) -> str:
        """Give the allowed values, in words."""

    def parse(self, text: str) -> V_co:
        """Give the value of a text; ValueError for an invalid one."""


@dataclass(frozen=True)
class Number:
    """A whole number within bounds; with `zero_is`, zero stands for that number."""

    low: int
    high: int
    zero_is: int = 0

    @property
    def allowed(self) -> str:
        """Give the allowed values, in words."""
        return f"a whole number from {self.low} to {self.high}" + (", or 0 for the default" if self.zero_is else "")

    def parse(self, text: str) -> int:
        """Give the number."""
        if not text.isascii() or not text.isdecimal() or len(text) > 12:
            raise ValueError(text)
        number = int(text)
        if number == 0 and self.zero_is:
            return self.zero_is
        if not self.low <= number <= self.high:
            raise ValueError(text)
        return number


@dataclass(frozen=True)
class Choice(Generic[Value]):
    """One of a few words, in upper or lower case."""

    words: dict[str, Value]

    @property
    def allowed(self) -> str:
        """Give the allowed values, in words."""
        return "one of " + ", ".join(self.words)

    def parse(self, text: str) -> Value:
        """Give the value of the word."""
        for word, value in self.words.items():
            if word.upper() == text.upper():
                return value
        raise ValueError(text)


@dataclass(frozen=True)
class Text:
    """Any text up to a length; an empty text means that the key is not set."""

    longest: int = 4096

    @property
    def allowed(self) -> str:
        """Give the allowed values, in words."""
        return f"text of at most {self.longest} characters"

    def parse(self, text: str) -> str:
        """Give the text."""
        if len(text) > self.longest or "\0" in text:
            raise ValueError(text)
        return text


@dataclass(frozen=True)
class MessageNumbers:
    """Message numbers such as 9001,9002 or CSQP020."""

    @property
    def allowed(self) -> str:
        """Give the allowed values, in words."""
        return "message numbers with commas between, such as 9001,6729,CSQP020"

    def parse(self, text: str) -> tuple[str, ...]:
        """Give the message ids without their severity letters."""
        return tuple([self._identifier(part.strip().upper()) for part in text.split(",") if part.strip()])

    def _identifier(self, part: str) -> str:
        if part.isascii() and part.isdecimal() and len(part) == 4:
            return "AMQ" + part
        trunk = part[:7]
        if trunk.startswith(("AMQ", "CSQ")) and trunk[4:].isdecimal() and len(trunk) == 7 and len(part) <= 8:
            return trunk
        raise ValueError(part)


@dataclass(frozen=True)
class Attribute:
    """The value of an MQSC attribute, in MQSC's spelling."""

    spec: AttributeSpec

    @property
    def allowed(self) -> str:
        """Give the allowed values, in words."""
        return self.spec.kind.expected()

    def parse(self, text: str) -> int:
        """Give the value."""
        try:
            value = self.spec.read(text)
        except BadValue as bad:
            raise ValueError(text) from bad
        if not isinstance(value, int):
            raise ValueError(text)
        return value


@dataclass(frozen=True)
class Classes:
    """The classes of a trace that starts with the queue manager: NO, YES for the default, * for all, or numbers."""

    all: tuple[int, ...]
    usual: tuple[int, ...]

    @property
    def allowed(self) -> str:
        """Give the allowed values, in words."""
        return f"NO, YES, * or numbers out of {', '.join([str(one) for one in self.all])} with commas between"

    def parse(self, text: str) -> tuple[str, ...]:
        """Give the classes, as digits."""
        words = {"NO": (), "YES": self.usual, "*": self.all}
        given = words.get(text.upper())
        if given is not None:
            return tuple([str(one) for one in given])
        chosen = [part.strip() for part in text.split(",")]
        if not set(chosen) <= {str(one) for one in self.all}:
            raise ValueError(text)
        return tuple(sorted(set(chosen)))


@dataclass(frozen=True)
class Key:
    """One row of the table: a key, its kind of value, and its effect."""

    name: str
    kind: Kind[object]
    effect: str
    # A key of MQ's own files without effect here is accepted, and reported as such.
    idle: bool = False


YES_NO: Final = Choice({"YES": True, "NO": False})


def key(name: str, kind: Kind[Value], default: Value, effect: str, idle: bool = False) -> Value:
    """Declare a key; the result stands as the default of a dataclass field."""
    declared: Value = field(default=default, metadata={"key": Key(name, kind, effect, idle)})
    return declared


def keys_of(stanza: type[Any]) -> Iterator[tuple[Key, Field[Any]]]:
    """Give the keys of a stanza's class with their fields."""
    for declared in fields(stanza):
        if "key" in declared.metadata:
            yield declared.metadata["key"], declared


def spell(kind: Kind[object], value: object) -> str:
    """Give the spelling of a value in a file."""
    if isinstance(kind, Choice):
        return next(word for word, meaning in kind.words.items() if meaning == value)
    if isinstance(kind, Attribute) and isinstance(value, int):
        return kind.spec.format(value)
    if isinstance(kind, Classes) and not value:
        return "NO"
    if isinstance(value, tuple):
        return ",".join(value)
    return str(value)
