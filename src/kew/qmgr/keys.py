"""What a key of a configuration file may be, and how a key is declared as a field of its stanza's class."""

from collections.abc import Iterator
from dataclasses import Field, dataclass, field, fields
from typing import Any, Final, Generic, Protocol, TypeVar

from kew.objects.schema import AttributeSpec
from kew.objects.schema.values import BadValue

Value = TypeVar("Value")
V_co = TypeVar("V_co", covariant=True)


class Kind(Protocol[V_co]):
    """What a key may be."""

    @property
    def allowed(self) -> str:
        """In words, what the key may be."""

    def parse(self, text: str) -> V_co:
        """The value that the text stands for; ValueError where it stands for none."""


@dataclass(frozen=True)
class Number:
    """A whole number within bounds; zero may mean `the default` where it is out of bounds."""

    low: int
    high: int
    zero_is: int = 0

    @property
    def allowed(self) -> str:
        """In words, what the key may be."""
        return f"a whole number from {self.low} to {self.high}" + (", or 0 for the default" if self.zero_is else "")

    def parse(self, text: str) -> int:
        """The number."""
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
        """In words, what the key may be."""
        return "one of " + ", ".join(self.words)

    def parse(self, text: str) -> Value:
        """The value of the word."""
        for word, value in self.words.items():
            if word.upper() == text.upper():
                return value
        raise ValueError(text)


@dataclass(frozen=True)
class Text:
    """Any text up to a length; an empty one means that the key is not set."""

    longest: int = 4096

    @property
    def allowed(self) -> str:
        """In words, what the key may be."""
        return f"text of at most {self.longest} characters"

    def parse(self, text: str) -> str:
        """The text."""
        if len(text) > self.longest or "\0" in text:
            raise ValueError(text)
        return text


@dataclass(frozen=True)
class MessageNumbers:
    """Message numbers such as 9001,9002 or CSQP020."""

    @property
    def allowed(self) -> str:
        """In words, what the key may be."""
        return "message numbers with commas between, such as 9001,6729,CSQP020"

    def parse(self, text: str) -> tuple[str, ...]:
        """The message ids without their severity letters."""
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
    """A value of an attribute of the table, spelled as MQSC spells it."""

    spec: AttributeSpec

    @property
    def allowed(self) -> str:
        """In words, what the key may be."""
        return self.spec.kind.expected()

    def parse(self, text: str) -> int:
        """The value."""
        try:
            value = self.spec.read(text)
        except BadValue as bad:
            raise ValueError(text) from bad
        if not isinstance(value, int):
            raise ValueError(text)
        return value


@dataclass(frozen=True)
class Classes:
    """Classes of a trace that starts with the queue manager: NO, YES for the usual ones, * for all, or numbers."""

    all: tuple[int, ...]
    usual: tuple[int, ...]

    @property
    def allowed(self) -> str:
        """In words, what the key may be."""
        return f"NO, YES, * or numbers out of {', '.join([str(one) for one in self.all])} with commas between"

    def parse(self, text: str) -> tuple[str, ...]:
        """The classes, as digits."""
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
    """One row of the table: a key, what it may be, and what it does."""

    name: str
    kind: Kind[object]
    effect: str
    # A key that MQ's own files have and that means nothing here is accepted, and said to mean nothing.
    idle: bool = False


YES_NO: Final = Choice({"YES": True, "NO": False})


def key(name: str, kind: Kind[Value], default: Value, effect: str, idle: bool = False) -> Value:
    """Declares a key; the dataclass machinery takes it as the field's default."""
    declared: Value = field(default=default, metadata={"key": Key(name, kind, effect, idle)})
    return declared


def keys_of(stanza: type[Any]) -> Iterator[tuple[Key, Field[Any]]]:
    """The keys of a stanza's class with their fields."""
    for declared in fields(stanza):
        if "key" in declared.metadata:
            yield declared.metadata["key"], declared


def spell(kind: Kind[object], value: object) -> str:
    """The text in a file that stands for a value."""
    if isinstance(kind, Choice):
        return next(word for word, meaning in kind.words.items() if meaning == value)
    if isinstance(kind, Attribute) and isinstance(value, int):
        return kind.spec.format(value)
    if isinstance(kind, Classes) and not value:
        return "NO"
    if isinstance(value, tuple):
        return ",".join(value)
    return str(value)
