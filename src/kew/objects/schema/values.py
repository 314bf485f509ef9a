"""Kinds of attribute value: how each is written in MQSC, checked, printed and carried in PCF.

A value is held in the form that programs get: an enumerated attribute is its MQ constant, not its keyword, so the
engine and MQINQ use the value unchanged, and only the edges (MQSC text, JSON) translate it.

    kind        held as            MQSC                       PCF
    Number      int                MAXDEPTH(5000)             MQCFIN
    Choice      int                PUT(ENABLED)               MQCFIN
    Flag        int                SHARE or NOSHARE           MQCFIN
    Bits        int                OPENOPTS(MQOO_OUTPUT,…)    MQCFIN
    Kilobytes   int (K)            OFFLD1SZ(32K)              MQCFST
    Interval    int (seconds)      STATIME(0.05)              two MQCFINs, minutes and seconds
    Text, Name  str, blanks cut    DESCR('a queue')           MQCFST
    Hex         bytes              DESTCORL('41…')            MQCFBS
    ListOf      tuple              NAMES(A,B)                 MQCFSL or MQCFIL
    Pair        tuple of two ints  QTIME(12,40)               MQCFIL
"""

import re
from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeAlias

Value: TypeAlias = int | str | bytes | tuple[int, ...] | tuple[str, ...]

# Problems of a value; each becomes a message number in MQSC and a reason code in PCF.
MISSING: Final = "missing"
COUNT: Final = "count"
NUMBER: Final = "number"
RANGE: Final = "range"
LENGTH: Final = "length"
KEYWORD: Final = "keyword"
NAME: Final = "name"
CHARACTERS: Final = "characters"
REFUSED: Final = "refused"

NOT_AVAILABLE: Final = -1  # an indicator that monitoring has not filled in; printed blank

_WHOLE: Final = re.compile(r"[+-]?[0-9]{1,20}\Z")
_MINUTES_SECONDS: Final = re.compile(r"([0-9]{1,4})(?:\.([0-5][0-9]))?\Z")
_KILOBYTES: Final = re.compile(r"([0-9]{1,9})K?\Z")


class BadValue(Exception):
    """The error for a value that its attribute cannot take: the problem, the given value, and the expected form."""

    def __init__(self, problem: str, given: str, expected: str) -> None:
        super().__init__(f"{given!r} is not {expected}" if given else f"expected {expected}")
        self.problem = problem
        self.given = given
        self.expected = expected


def whole(text: str) -> int | None:
    """Return the integer that text spells, or None."""
    return int(text) if _WHOLE.match(text) else None


class Kind:
    """A kind of attribute value: its values are parsed, checked, printed and carried in PCF by subclasses."""

    def parse(self, words: Sequence[str]) -> Value:
        """Return the value that the words between the parentheses spell, or raise BadValue."""
        if len(words) > 1:
            raise BadValue(
                COUNT, " ".join(words)[:80], f"one value ({self.expected()}); enclose a text in quotation marks"
            )
        value = self.read(words[0] if words else "")
        self.check(value)
        return value

    @abstractmethod
    def read(self, word: str) -> Value:
        """Return the value one word spells; an empty word is the empty pair of parentheses."""

    @abstractmethod
    def format(self, value: Value) -> str:
        """Return the value as DISPLAY shows it between parentheses; a blank value is one blank."""

    def define(self, value: Value) -> str:
        """Return the value as text for a DEFINE command; `parse` reads the same value from it."""
        return self.format(value)

    @abstractmethod
    def check(self, value: Value) -> None:
        """Raise BadValue unless the value is of this kind and within its limits."""

    @abstractmethod
    def expected(self) -> str:
        """Describe the allowed values, for error texts and help."""

    def keywords(self) -> tuple[str, ...]:
        """Return the words that are values, for completion and suggestions."""
        return ()

    @abstractmethod
    def blank(self) -> Value:
        """Return the value of an attribute without a default."""

    def to_pcf(self, value: Value) -> Value:
        """Return the value as a PCF parameter carries it."""
        return value

    def from_pcf(self, raw: Value) -> Value:
        """Return the value a PCF parameter carries, checked."""
        value = self.accept(raw)
        self.check(value)
        return value

    def accept(self, raw: Value) -> Value:
        """Convert a value from its PCF form to the stored form, without checking it."""
        return raw

    def to_json(self, value: Value) -> int | str | list[int] | list[str]:
        """Return the value as JSON shows it: numbers as numbers, the rest as MQSC would spell it."""
        return self.format(value).strip()


class Number(Kind):
    """A whole number in a range, or one of a few keywords that stand for special values."""

    def __init__(
        self, low: int, high: int, specials: Mapping[str, int] | None = None, blank_at: int | None = None
    ) -> None:
        self.low = low
        self.high = high
        self.specials: dict[str, int] = dict(specials or {})
        self.names: dict[int, str] = {value: word for word, value in self.specials.items()}
        self.blank_at = blank_at  # a value shown as blank: an indicator that is switched off

    def read(self, word: str) -> Value:
        """Return the number or special value that word spells."""
        special = self.specials.get(word.upper())
        if special is not None:
            return special
        if not word.strip():
            if self.blank_at is not None:
                return self.blank_at
            raise BadValue(MISSING, "", self.expected())
        number = whole(word)
        if number is None:
            raise BadValue(NUMBER, word, self.expected())
        return number

    def format(self, value: Value) -> str:
        """Return the number, or the keyword of a special value."""
        assert isinstance(value, int)
        if value == self.blank_at:
            return " "
        return self.names.get(value) or str(value)

    def check(self, value: Value) -> None:
        """Raise BadValue unless value is in range or special."""
        if not isinstance(value, int):
            raise BadValue(NUMBER, str(value), self.expected())
        if not self.low <= value <= self.high and value not in self.names and value != self.blank_at:
            raise BadValue(RANGE, str(value), self.expected())

    def expected(self) -> str:
        """Describe the range and the special words."""
        span = f"a whole number from {self.low} to {self.high}"
        return " or ".join([span, *self.specials])

    def keywords(self) -> tuple[str, ...]:
        """Return the special words."""
        return tuple(self.specials)

    def blank(self) -> Value:
        """Return zero, or the lowest number where zero is out of range."""
        if self.blank_at is not None:
            return self.blank_at
        return 0 if self.low <= 0 <= self.high else self.low

    def to_json(self, value: Value) -> int | str | list[int] | list[str]:
        """Return the number itself, or the special word."""
        assert isinstance(value, int)
        return self.names.get(value) or value


class Choice(Kind):
    """One of a fixed set of keywords, held as the MQ constant each stands for."""

    def __init__(
        self,
        words: Mapping[str, int],
        synonyms: Mapping[str, str] | None = None,
        refused: Mapping[str, str] | None = None,
        numbers: tuple[int, int] | None = None,
        blank_at: int | None = None,
        bare: int | None = None,
    ) -> None:
        self.words: dict[str, int] = dict(words)
        self.names: dict[int, str] = {}
        for word, value in self.words.items():
            self.names.setdefault(value, word)
        self.synonyms: dict[str, str] = dict(synonyms or {})
        self.refused: dict[str, str] = dict(refused or {})  # keyword -> why Kew does not support it
        self.numbers = numbers  # user-defined values given as numbers, such as APPLTYPE(65536)
        self.blank_at = blank_at
        self.bare = bare  # what the attribute's keyword means without parentheses; None where it needs them

    def read(self, word: str) -> Value:
        """Return the constant that a keyword stands for."""
        upper = word.upper()
        upper = self.synonyms.get(upper, upper)
        value = self.words.get(upper)
        if value is not None:
            return value
        if upper in self.refused:
            raise BadValue(REFUSED, upper, self.refused[upper])
        if not word.strip():
            if self.blank_at is not None:
                return self.blank_at
            raise BadValue(MISSING, "", self.expected())
        if self.numbers is not None:
            number = whole(word)
            if number is not None:
                return number
        raise BadValue(KEYWORD, word, self.expected())

    def format(self, value: Value) -> str:
        """Return the keyword of a constant, or the number of a user-defined value."""
        assert isinstance(value, int)
        return self.names.get(value) or (" " if value == self.blank_at else str(value))

    def check(self, value: Value) -> None:
        """Raise BadValue unless value is one of the constants."""
        if not isinstance(value, int):
            raise BadValue(KEYWORD, str(value), self.expected())
        if value in self.names or value == self.blank_at:
            return
        if self.numbers is None or not self.numbers[0] <= value <= self.numbers[1]:
            raise BadValue(KEYWORD, str(value), self.expected())

    def expected(self) -> str:
        """List the keywords."""
        text = " or ".join(
            [", ".join(list(self.words)[:-1]), list(self.words)[-1]] if len(self.words) > 1 else self.words
        )
        if self.numbers is not None:
            text += f", or a number from {self.numbers[0]} to {self.numbers[1]}"
        return text

    def keywords(self) -> tuple[str, ...]:
        """Return the keywords."""
        return tuple(self.words)

    def blank(self) -> Value:
        """Return the first constant."""
        return self.blank_at if self.blank_at is not None else next(iter(self.names))


class Flag(Choice):
    """Keywords that stand alone, without parentheses: SHARE or NOSHARE."""

    def __init__(self, words: Mapping[str, int]) -> None:
        super().__init__(words)


class Bits(Kind):
    """A set of named bits in one number, printed as their names."""

    def __init__(self, bits: Mapping[str, int], none: str) -> None:
        self.bits: dict[str, int] = dict(bits)
        self.none = none  # the keyword of the empty set

    def parse(self, words: Sequence[str]) -> Value:
        """Return the sum of the named bits."""
        value = 0
        for word in words:
            upper = word.upper()
            if upper in self.bits:
                value |= self.bits[upper]
            elif upper != self.none:
                raise BadValue(KEYWORD, word, self.expected())
        return value

    def read(self, word: str) -> Value:
        """Return the bits that one word, or a list joined by commas, names."""
        return self.parse(word.replace(",", " ").split())

    def format(self, value: Value) -> str:
        """Return the names of the bits that are on."""
        assert isinstance(value, int)
        return ",".join([name for name, bit in self.bits.items() if value & bit]) or self.none

    def check(self, value: Value) -> None:
        """Raise BadValue if a bit has no name."""
        if not isinstance(value, int) or value < 0 or value & ~sum(self.bits.values()):
            raise BadValue(RANGE, str(value), self.expected())

    def expected(self) -> str:
        """List the names."""
        return "a list of " + ", ".join(self.bits)

    def keywords(self) -> tuple[str, ...]:
        """Return the names."""
        return tuple(self.bits)

    def blank(self) -> Value:
        """Return the empty set."""
        return 0


class Kilobytes(Kind):
    """A size in kilobytes written with a K: 32K."""

    def __init__(self, low: int, high: int) -> None:
        self.low = low
        self.high = high

    def read(self, word: str) -> Value:
        """Return the number of kilobytes."""
        match = _KILOBYTES.match(word.upper())
        if match is None:
            raise BadValue(NUMBER, word, self.expected())
        return int(match.group(1))

    def format(self, value: Value) -> str:
        """Return the size with its K."""
        assert isinstance(value, int)
        return f"{value}K"

    def check(self, value: Value) -> None:
        """Raise BadValue unless the size is in range."""
        if not isinstance(value, int) or not self.low <= value <= self.high:
            raise BadValue(RANGE, str(value), self.expected())

    def expected(self) -> str:
        """Describe the range."""
        return f"a size from {self.low}K to {self.high}K"

    def blank(self) -> Value:
        """Return the smallest size."""
        return self.low

    def to_pcf(self, value: Value) -> Value:
        """Give the size as text, as PCF carries it."""
        return self.format(value)

    def accept(self, raw: Value) -> Value:
        """Read the size from PCF's text."""
        return self.read(raw.strip(" \0")) if isinstance(raw, str) else raw


class Interval(Kind):
    """A time in minutes and seconds, MMMM.SS or MMMM, held in seconds; 0 is the global SMF interval."""

    LIMIT: Final = 1440 * 60

    def __init__(self, inherit: bool) -> None:
        self.inherit = inherit  # whether -1, "use the other interval", is allowed

    def read(self, word: str) -> Value:
        """Return the time in seconds; five seconds are written 0.05."""
        if word == "-1" and self.inherit:
            return -1
        match = _MINUTES_SECONDS.match(word)
        if match is None:
            raise BadValue(NUMBER, word, self.expected())
        return int(match.group(1)) * 60 + int(match.group(2) or 0)

    def format(self, value: Value) -> str:
        """Return the time as MMMM.SS."""
        assert isinstance(value, int)
        return "-1" if value < 0 else f"{value // 60}.{value % 60:02d}"

    def check(self, value: Value) -> None:
        """Raise BadValue unless the time is at most a day."""
        if not isinstance(value, int) or not (0 <= value <= self.LIMIT or (value == -1 and self.inherit)):
            raise BadValue(RANGE, self.format(value) if isinstance(value, int) else str(value), self.expected())

    def expected(self) -> str:
        """Describe the allowed form."""
        tail = ", or -1 to use STATIME" if self.inherit else ""
        return f"a time in minutes and seconds MMMM.SS from 0.01 to 1440.00, 0 for the system's interval{tail}"

    def blank(self) -> Value:
        """Return 0."""
        return 0


class ListOf(Kind):
    """Several values of one kind, separated by commas or blanks."""

    def __init__(self, item: Kind, most: int) -> None:
        self.item = item
        self.most = most
        self.of_texts = isinstance(item.blank(), str)

    def parse(self, words: Sequence[str]) -> Value:
        """Return the values the words spell; blank words are an empty list."""
        value = self.gather([self.item.read(word) for word in words if word.strip()])
        self.check(value)
        return value

    def read(self, word: str) -> Value:
        """Return the values in a text separated by commas."""
        return self.parse([part.strip() for part in word.split(",")])

    def gather(self, items: Iterable[Value]) -> Value:
        """Return the items as one tuple of numbers or of strings."""
        texts: list[str] = []
        numbers: list[int] = []
        for item in items:
            if isinstance(item, int):
                numbers.append(item)
            elif isinstance(item, str):
                texts.append(item)
        return tuple(numbers) if numbers else tuple(texts)

    def items(self, value: Value) -> list[Value]:
        """Return the values one by one."""
        return list(value) if isinstance(value, tuple) else [value]

    def format(self, value: Value) -> str:
        """Return the values joined by commas."""
        return ",".join([self.item.format(one) for one in self.items(value)]) or " "

    def define(self, value: Value) -> str:
        """Return the values, quoted where they are texts, joined by commas."""
        return ",".join([self.item.define(one) for one in self.items(value)]) or "' '"

    def check(self, value: Value) -> None:
        """Raise BadValue if there are too many items, or one is not valid."""
        if not isinstance(value, tuple):
            raise BadValue(COUNT, str(value), self.expected())
        if len(value) > self.most:
            raise BadValue(COUNT, f"{len(value)} values", self.expected())
        for one in value:
            self.item.check(one)

    def expected(self) -> str:
        """Describe the items and their number."""
        return f"at most {self.most} values, each {self.item.expected()}"

    def keywords(self) -> tuple[str, ...]:
        """Return the words an item may be."""
        return self.item.keywords()

    def blank(self) -> Value:
        """Return the empty list."""
        return ()

    def accept(self, raw: Value) -> Value:
        """Convert each item from its PCF form; a single value is a list of one."""
        return self.gather([one for one in [self.item.accept(one) for one in self.items(raw)] if one != ""])

    def to_pcf(self, value: Value) -> Value:
        """Convert each item to its PCF form."""
        return self.gather([self.item.to_pcf(one) for one in self.items(value)])

    def to_json(self, value: Value) -> int | str | list[int] | list[str]:
        """Return a list."""
        shown = [self.item.to_json(one) for one in self.items(value)]
        numbers = [one for one in shown if isinstance(one, int)]
        return numbers if numbers and len(numbers) == len(shown) else [str(one) for one in shown]


class Pair(Kind):
    """Two monitoring indicators, over a short and a long period; blank while monitoring is off."""

    def parse(self, words: Sequence[str]) -> Value:
        """Return the two numbers; without words neither is available."""
        if not "".join(words).strip():
            return (NOT_AVAILABLE, NOT_AVAILABLE)
        numbers = [whole(word) if word.strip() else NOT_AVAILABLE for word in words]
        if len(numbers) != 2 or numbers[0] is None or numbers[1] is None:
            raise BadValue(NUMBER, " ".join(words)[:80], self.expected())
        value = (numbers[0], numbers[1])
        self.check(value)
        return value

    def read(self, word: str) -> Value:
        """Return the two numbers in a text separated by a comma."""
        return self.parse([part.strip() for part in word.split(",")])

    def format(self, value: Value) -> str:
        """Return both numbers, blank where not available."""
        assert isinstance(value, tuple)
        return ",".join([" " if one == NOT_AVAILABLE else str(one) for one in value])

    def define(self, value: Value) -> str:
        """Return both numbers as they are."""
        assert isinstance(value, tuple)
        return ",".join([str(one) for one in value])

    def check(self, value: Value) -> None:
        """Raise BadValue unless there are two numbers."""
        if not isinstance(value, tuple) or len(value) != 2:
            raise BadValue(COUNT, str(value), self.expected())
        for one in value:
            if not isinstance(one, int) or not NOT_AVAILABLE <= one <= 999999999:
                raise BadValue(RANGE, str(one), self.expected())

    def expected(self) -> str:
        """Describe the pair."""
        return "two numbers from 0 to 999999999"

    def blank(self) -> Value:
        """Return a pair that is not available."""
        return (NOT_AVAILABLE, NOT_AVAILABLE)

    def to_json(self, value: Value) -> int | str | list[int] | list[str]:
        """Return the two numbers."""
        return [one for one in value if isinstance(one, int)] if isinstance(value, tuple) else []
