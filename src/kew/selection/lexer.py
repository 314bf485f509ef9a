"""The lexer of selection strings: cuts a string into tokens.

Literals are texts in single quotes ('' inside is one quote), byte strings ("0x2F1C"), exact numbers (57, 0x39, 071,
with an optional L) and approximate ones (5.7, 57e-1, with an optional F or D). Names are those of properties:
identifiers of Java, joined by dots. Key words may be written in any mixture of capitals and small letters.
"""

from typing import Final

from kew.codes.errors import MQError
from kew.codes.reasons import MQRC_SELECTION_STRING_ERROR, MQRC_SELECTOR_SYNTAX_ERROR
from kew.formats.propertynames import continues_name, starts_name

LONGEST: Final = 10240  # MQ_SELECTOR_LENGTH

END: Final = 0
NAME: Final = 1
TEXT: Final = 2
BYTES: Final = 3
EXACT: Final = 4
APPROXIMATE: Final = 5
SYMBOL: Final = 6
KEYWORD: Final = 7

KEYWORDS: Final = frozenset(("NULL", "TRUE", "FALSE", "NOT", "AND", "OR", "BETWEEN", "LIKE", "IN", "IS", "ESCAPE"))
_SYMBOLS: Final = "=<>()+-*/,"
_DIGITS: Final = frozenset("0123456789")
_HEXADECIMAL: Final = frozenset("0123456789abcdefABCDEF")
LARGEST_INTEGER: Final = (1 << 63) - 1


class Token:
    """A token of a selection string, and its position."""

    def __init__(self, kind: int, text: str, position: int) -> None:
        self.kind = kind
        self.text = text  # of a key word in capitals; of a text without its quotes
        self.position = position
        self.exact = 0
        self.approximate = 0.0
        self.data = b""


def refusal(position: int, expected: str) -> MQError:
    """Give the error of an invalid selection string: the position, counted from 0, and the expected token."""
    return MQError(MQRC_SELECTOR_SYNTAX_ERROR, position=position, expected=expected)


def tokens_of(text: str) -> list[Token]:
    """Cut a selection string into tokens; the last one marks the end."""
    if len(text) > LONGEST:
        raise MQError(MQRC_SELECTION_STRING_ERROR, length=len(text), most=LONGEST)
    found: list[Token] = []
    place = 0
    while place < len(text):
        character = text[place]
        if character in " \t\n\r\f":
            place += 1
        elif character == "'":
            place = _text(text, place, found)
        elif character == '"':
            place = _bytes(text, place, found)
        elif character in _DIGITS or (character == "." and text[place + 1 : place + 2] in _DIGITS):
            place = _number(text, place, found)
        elif character in _SYMBOLS:
            symbol = text[place : place + 2]
            if symbol not in ("<>", "<=", ">="):
                symbol = character
            found.append(Token(SYMBOL, symbol, place))
            place += len(symbol)
        elif starts_name(character):
            place = _name(text, place, found)
        else:
            raise refusal(place, f"a name, a literal or an operator, not {character!r}")
    found.append(Token(END, "", len(text)))
    return found


def _name(text: str, start: int, found: list[Token]) -> int:
    place = start + 1
    while place < len(text) and (text[place] == "." or continues_name(text[place])):
        place += 1
    name = text[start:place]
    if name.upper() in KEYWORDS:
        found.append(Token(KEYWORD, name.upper(), start))
        return place
    at = start
    for part in name.split("."):
        if not part or not starts_name(part[0]):
            raise refusal(at, "between the dots of a name what begins with a letter")
        at += len(part) + 1
    found.append(Token(NAME, name, start))
    return place


def _text(text: str, start: int, found: list[Token]) -> int:
    parts: list[str] = []
    place = start + 1
    while True:
        end = text.find("'", place)
        if end < 0:
            raise refusal(start, "the quote that ends the text which begins here")
        parts.append(text[place:end])
        if text[end + 1 : end + 2] != "'":
            break
        parts.append("'")
        place = end + 2
    found.append(Token(TEXT, "".join(parts), start))
    return end + 1


def _bytes(text: str, start: int, found: list[Token]) -> int:
    end = text.find('"', start + 1)
    inside = text[start + 1 : end] if end > start else ""
    digits = inside[2:]
    if inside[:2] not in ("0x", "0X") or not digits or len(digits) % 2 or not _HEXADECIMAL.issuperset(digits):
        raise refusal(start, 'a byte string such as "0x2F1C"; text stands in single quotes')
    token = Token(BYTES, inside, start)
    token.data = bytes.fromhex(digits)
    found.append(token)
    return end + 1


def _number(text: str, start: int, found: list[Token]) -> int:
    if text[start : start + 2] in ("0x", "0X"):
        place = _while(text, start + 2, _HEXADECIMAL)
        return _exact(text, start, text[start + 2 : place], 16, place, found)
    place = _while(text, start, _DIGITS)
    approximate = False
    if text[place : place + 1] == ".":
        approximate = True
        place = _while(text, place + 1, _DIGITS)
    if text[place : place + 1] in ("e", "E"):
        digits = place + 2 if text[place + 1 : place + 2] in ("+", "-") else place + 1
        end = _while(text, digits, _DIGITS)
        if end == digits:
            raise refusal(place, "digits of the exponent")
        approximate = True
        place = end
    if approximate or text[place : place + 1] in ("f", "F", "d", "D"):
        token = Token(APPROXIMATE, text[start:place], start)
        token.approximate = float(token.text)
        if token.approximate == float("inf"):
            raise refusal(start, "a number of the range of double precision")
        found.append(token)
        return _ended(text, place + 1 if text[place : place + 1] in ("f", "F", "d", "D") else place)
    octal = place > start + 1 and text[start] == "0"
    return _exact(text, start, text[start:place], 8 if octal else 10, place, found)


def _exact(text: str, start: int, digits: str, base: int, place: int, found: list[Token]) -> int:
    if not digits or (base == 8 and ("8" in digits or "9" in digits)):
        raise refusal(start, "a number")
    # One more than the highest is allowed here: with a minus before it, it is the lowest.
    number = int(digits, base) if len(digits) <= 24 else LARGEST_INTEGER + 2
    if number > LARGEST_INTEGER + 1:
        raise refusal(start, "an exact number of 64 bits")
    token = Token(EXACT, text[start:place], start)
    token.exact = number
    found.append(token)
    return _ended(text, place + 1 if text[place : place + 1] in ("l", "L") else place)


def _ended(text: str, place: int) -> int:
    if place < len(text) and (text[place] == "." or continues_name(text[place])):
        raise refusal(place, "the end of the number")
    return place


def _while(text: str, place: int, characters: frozenset[str]) -> int:
    while place < len(text) and text[place] in characters:
        place += 1
    return place
