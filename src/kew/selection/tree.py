"""The syntax tree of a selection string: values and conditions.

A value is a text, a number, a truth value, bytes or, where a message lacks the named value, None. A condition is true,
false or unknown, as in SQL: a comparison with None is unknown, and a message is selected only if the whole condition is
true. A comparison of values of different types is false, be it = or <>; exact and approximate numbers are of one type.
Arithmetic with anything but numbers, and division by zero, give None. An exact result beyond 64 bits becomes an
approximate one.
"""

from abc import abstractmethod
from typing import Final

from kew.formats.properties import Scalar
from kew.selection.fields import Fields

FALSE: Final = 0
TRUE: Final = 1
UNKNOWN: Final = 2

EQUAL: Final = 0
UNEQUAL: Final = 1
LESS: Final = 2
AT_MOST: Final = 3
GREATER: Final = 4
AT_LEAST: Final = 5

MOST_TRIES: Final = 32  # of a piece of a pattern, before it is looked for in a way that costs more and never much
_LOWEST: Final = -(1 << 63)
_HIGHEST: Final = (1 << 63) - 1


class Value:
    """A node with a value for each message."""

    @abstractmethod
    def of(self, message: Fields) -> Scalar:
        """Give the value for a message."""


class Condition:
    """A node that is true, false or unknown for each message."""

    @abstractmethod
    def test(self, message: Fields) -> int:
        """Give TRUE, FALSE or UNKNOWN."""


class Literal(Value):
    """A literal of the selection string."""

    def __init__(self, value: Scalar) -> None:
        self.value: Scalar = value

    def of(self, message: Fields) -> Scalar:
        """Give the value, the same for every message."""
        return self.value


class Name(Value):
    """A property of the message, or a field of its descriptor."""

    def __init__(self, name: str) -> None:
        self.name = name

    def of(self, message: Fields) -> Scalar:
        """Give the value of the name in the message."""
        return message.value(self.name)


class Negative(Value):
    """A number with the opposite sign."""

    def __init__(self, operand: Value) -> None:
        self.operand = operand

    def of(self, message: Fields) -> Scalar:
        """Give the number with the opposite sign."""
        value = self.operand.of(message)
        if isinstance(value, bool):
            return None
        if isinstance(value, int):
            return _bounded(-value)
        if isinstance(value, float):
            return -value
        return None


class Row(Value):
    """A series of numbers and operators of one precedence, computed from left to right."""

    def __init__(self, first: Value, operators: list[str], others: list[Value]) -> None:
        self.first = first
        self.operators = operators
        self.others = others

    def of(self, message: Fields) -> Scalar:
        """Compute the result."""
        result = self.first.of(message)
        for place, operator in enumerate(self.operators):
            result = calculate(operator, result, self.others[place].of(message))
            if result is None:
                return None
        return result


class Compare(Condition):
    """A comparison of two values."""

    def __init__(self, operator: int, left: Value, right: Value) -> None:
        self.operator = operator
        self.left = left
        self.right = right

    def test(self, message: Fields) -> int:
        """Compare the two values."""
        return compare(self.operator, self.left.of(message), self.right.of(message))


class Between(Condition):
    """BETWEEN: a value within a range, both ends included."""

    def __init__(self, value: Value, low: Value, high: Value) -> None:
        self.value = value
        self.low = low
        self.high = high

    def test(self, message: Fields) -> int:
        """Compare the value with both ends."""
        value = self.value.of(message)
        above = compare(AT_LEAST, value, self.low.of(message))
        if above == FALSE:
            return FALSE
        below = compare(AT_MOST, value, self.high.of(message))
        if below == FALSE:
            return FALSE
        return TRUE if above == TRUE and below == TRUE else UNKNOWN


class In(Condition):
    """IN: a text that is one of several."""

    def __init__(self, value: Value, texts: frozenset[str]) -> None:
        self.value = value
        self.texts = texts

    def test(self, message: Fields) -> int:
        """Look for the text in the list."""
        value = self.value.of(message)
        if value is None:
            return UNKNOWN
        return TRUE if isinstance(value, str) and value in self.texts else FALSE


class Like(Condition):
    """LIKE: a text that matches a pattern, in which % stands for any characters and _ for one.

    The pattern is kept as the pieces between the %; in a piece None stands for _. The first piece must match at the
    beginning of the text and the last at its end. Each piece between is matched as far left as possible: a pattern
    whose rest matches behind a later place also matches behind an earlier one.
    """

    def __init__(self, value: Value, pieces: list[list[str | None]]) -> None:
        self.value = value
        self.pieces = pieces

    def test(self, message: Fields) -> int:
        """Match the text with the pattern."""
        value = self.value.of(message)
        if value is None:
            return UNKNOWN
        return TRUE if isinstance(value, str) and fits(value, self.pieces) else FALSE


class IsNull(Condition):
    """IS NULL: a name whose value the message does not have."""

    def __init__(self, value: Value) -> None:
        self.value = value

    def test(self, message: Fields) -> int:
        """Say whether the message lacks the value; the result is never unknown."""
        return TRUE if self.value.of(message) is None else FALSE


class Truth(Condition):
    """A value used as a condition."""

    def __init__(self, value: Value) -> None:
        self.value = value

    def test(self, message: Fields) -> int:
        """Give TRUE for a true value, UNKNOWN for a missing one, FALSE for any other."""
        value = self.value.of(message)
        if value is None:
            return UNKNOWN
        return TRUE if isinstance(value, bool) and value else FALSE


class Not(Condition):
    """NOT: the negation of a condition; that of unknown is unknown."""

    def __init__(self, operand: Condition) -> None:
        self.operand = operand

    def test(self, message: Fields) -> int:
        """Negate the condition."""
        result = self.operand.test(message)
        if result == UNKNOWN:
            return UNKNOWN
        return FALSE if result == TRUE else TRUE


class And(Condition):
    """AND: conditions that must all be true."""

    def __init__(self, operands: list[Condition]) -> None:
        self.operands = operands

    def test(self, message: Fields) -> int:
        """Give FALSE if one condition is false, else UNKNOWN if one is unknown."""
        result = TRUE
        for operand in self.operands:
            found = operand.test(message)
            if found == FALSE:
                return FALSE
            if found == UNKNOWN:
                result = UNKNOWN
        return result


class Or(Condition):
    """OR: conditions of which one must be true."""

    def __init__(self, operands: list[Condition]) -> None:
        self.operands = operands

    def test(self, message: Fields) -> int:
        """Give TRUE if one condition is true, else UNKNOWN if one is unknown."""
        result = FALSE
        for operand in self.operands:
            found = operand.test(message)
            if found == TRUE:
                return TRUE
            if found == UNKNOWN:
                result = UNKNOWN
        return result


def compare(operator: int, left: Scalar, right: Scalar) -> int:
    """Compare two values."""
    if left is None or right is None:
        return UNKNOWN
    if isinstance(left, str):
        if not isinstance(right, str) or operator > UNEQUAL:
            return FALSE
        return TRUE if (left == right) == (operator == EQUAL) else FALSE
    if isinstance(left, bool) or isinstance(right, bool):
        if not isinstance(left, bool) or not isinstance(right, bool) or operator > UNEQUAL:
            return FALSE
        return TRUE if (left == right) == (operator == EQUAL) else FALSE
    if isinstance(left, bytes):
        if not isinstance(right, bytes) or operator > UNEQUAL:
            return FALSE
        return TRUE if (left == right) == (operator == EQUAL) else FALSE
    if isinstance(right, (str, bytes)):
        return FALSE
    if operator == EQUAL:
        holds = left == right
    elif operator == UNEQUAL:
        holds = left != right
    elif operator == LESS:
        holds = left < right
    elif operator == AT_MOST:
        holds = left <= right
    elif operator == GREATER:
        holds = left > right
    else:
        holds = left >= right
    return TRUE if holds else FALSE


def calculate(operator: str, left: Scalar, right: Scalar) -> Scalar:
    """Apply one of + - * / to two numbers; None if one is not a number, or for a division by zero."""
    if isinstance(left, bool) or isinstance(right, bool):
        return None
    if isinstance(left, int) and isinstance(right, int):
        if operator == "+":
            return _bounded(left + right)
        if operator == "-":
            return _bounded(left - right)
        if operator == "*":
            return _bounded(left * right)
        if right == 0:
            return None
        quotient = abs(left) // abs(right)  # toward zero
        return _bounded(quotient if (left < 0) == (right < 0) else -quotient)
    if not isinstance(left, (int, float)) or not isinstance(right, (int, float)):
        return None
    one, other = float(left), float(right)
    if operator == "+":
        return one + other
    if operator == "-":
        return one - other
    if operator == "*":
        return one * other
    return None if other == 0.0 else one / other


def _bounded(number: int) -> int | float:
    return number if _LOWEST <= number <= _HIGHEST else float(number)


def fits(text: str, pieces: list[list[str | None]]) -> bool:
    """Say whether a text matches the pieces of a pattern."""
    first, last = pieces[0], pieces[-1]
    end = len(text)
    if len(pieces) == 1:
        return _length(first) == end and _stands(text, 0, first)
    if not _stands(text, 0, first):
        return False
    place = _length(first)
    end -= _length(last)
    if end < place or not _stands(text, end, last):
        return False
    for piece in pieces[1:-1]:
        place = _seek(text, place, end, piece)
        if place < 0:
            return False
        place += _length(piece)
    return True


def _length(piece: list[str | None]) -> int:
    total = 0
    for run in piece:
        total += 1 if run is None else len(run)
    return total


def _stands(text: str, place: int, piece: list[str | None]) -> bool:
    """Say whether a piece matches at a place, and the text is long enough for each _ in it."""
    for run in piece:
        if run is None:
            if place >= len(text):
                return False
            place += 1
        else:
            if not text.startswith(run, place):
                return False
            place += len(run)
    return True


def _seek(text: str, place: int, end: int, piece: list[str | None]) -> int:
    """Give the first place in a range where a piece matches, -1 for none."""
    length = _length(piece)
    before = 0  # the characters of the piece before its first run of letters
    for run in piece:
        if run is not None:
            break
        before += 1
    else:
        return place if place + length <= end else -1
    anchor = piece[before]
    assert anchor is not None
    for _try in range(MOST_TRIES):
        found = text.find(anchor, place + before, end)
        if found < 0:
            return -1
        place = found - before
        if place + length > end:
            return -1
        if _stands(text, place, piece):
            return place
        place += 1
    return _seek_steadily(text, place, end, piece)


def _seek_steadily(text: str, place: int, end: int, piece: list[str | None]) -> int:
    """Give the first place in a range where a piece matches, looking at each character once.

    Without this, a text of one repeated letter and a piece that differs in its last character would take as many steps
    as the product of their lengths, under the engine lock. Bit n of the state says that the first n + 1 characters of
    the piece match up to here.
    """
    any_letter = 0
    letters: dict[str, int] = {}
    bit = 1
    for run in piece:
        if run is None:
            any_letter |= bit
            bit <<= 1
        else:
            for letter in run:
                letters[letter] = letters.get(letter, 0) | bit
                bit <<= 1
    for letter in letters:
        letters[letter] |= any_letter
    whole = bit >> 1
    state = 0
    for at in range(place, end):
        state = (state << 1 | 1) & letters.get(text[at], any_letter)
        if state & whole:
            return at + 1 - _length(piece)
    return -1
