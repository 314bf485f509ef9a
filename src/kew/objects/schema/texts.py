"""Kinds of attribute value that are strings: texts, names, and bytes written in hexadecimal."""

import re
from typing import Final

from kew.objects.schema.values import CHARACTERS, LENGTH, NAME, NUMBER, BadValue, Kind, Value

NAME_CHARACTERS: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789./_%")
GENERIC_CHARACTERS: Final = frozenset(NAME_CHARACTERS | frozenset("*?"))
_UNPRINTABLE: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def quoted(text: str) -> str:
    """Return text as an MQSC string in single quotation marks; a blank string keeps one blank."""
    return "'" + (text.replace("'", "''") or " ") + "'"


class Text(Kind):
    """A string with a greatest length in bytes; trailing blanks are not part of the value."""

    def __init__(self, length: int) -> None:
        self.length = length

    def read(self, word: str) -> Value:
        """Return the string without trailing blanks."""
        return word.rstrip(" ")

    def format(self, value: Value) -> str:
        """Return the string, or one blank for the empty string."""
        assert isinstance(value, str)
        return value or " "

    def define(self, value: Value) -> str:
        """Return the string in quotation marks."""
        assert isinstance(value, str)
        return quoted(value)

    def check(self, value: Value) -> None:
        """Raise BadValue if the string is too long or has unprintable characters."""
        if not isinstance(value, str):
            raise BadValue(CHARACTERS, str(value), self.expected())
        if _UNPRINTABLE.search(value) is not None:
            raise BadValue(CHARACTERS, ascii(value)[1:41], "a text of printable characters")
        if len(value) > self.length or (not value.isascii() and len(value.encode()) > self.length):
            raise BadValue(LENGTH, value[:40] + "…", self.expected())

    def expected(self) -> str:
        """Describe the length."""
        return f"a text of at most {self.length} bytes"

    def blank(self) -> Value:
        """Return the empty string."""
        return ""

    def accept(self, raw: Value) -> Value:
        """Remove the padding of a PCF string."""
        return raw.rstrip(" \0") if isinstance(raw, str) else raw


class Name(Text):
    """The name of an MQ object: letters, digits and . / _ %."""

    def __init__(self, length: int = 48, generic: bool = False) -> None:
        super().__init__(length)
        self.characters = GENERIC_CHARACTERS if generic else NAME_CHARACTERS

    def check(self, value: Value) -> None:
        """Raise BadValue unless every character may be in a name."""
        super().check(value)
        assert isinstance(value, str)
        if not self.characters.issuperset(value):
            raise BadValue(NAME, value, f"a name of letters, digits and . / _ % (at most {self.length} characters)")

    def expected(self) -> str:
        """Describe the length."""
        return f"a name of at most {self.length} characters"


class ProfileName(Name):
    """A pattern of object names, or @class, which stands for the creation of objects."""

    def __init__(self) -> None:
        super().__init__(48, generic=True)

    def check(self, value: Value) -> None:
        """Raise BadValue unless the value is a pattern or @class."""
        if not isinstance(value, str) or value.lower() != "@class":
            super().check(value)


class ByteText(Text):
    """A text that PCF carries as bytes, such as the identifier of a unit of work."""

    def to_pcf(self, value: Value) -> Value:
        """Return the text's bytes."""
        assert isinstance(value, str)
        return value.encode()

    def accept(self, raw: Value) -> Value:
        """Decode the bytes of a PCF value; bytes that are not valid text are given in hexadecimal digits."""
        if not isinstance(raw, bytes):
            return super().accept(raw)
        try:
            return raw.decode().rstrip(" \0")
        except UnicodeDecodeError:
            return raw.hex().upper()


class Hex(Kind):
    """A fixed number of bytes written as hexadecimal digits; a short string is filled with zeros."""

    def __init__(self, length: int) -> None:
        self.length = length

    def read(self, word: str) -> Value:
        """Return the bytes, filled to their length."""
        text = word.strip()
        try:
            data = bytes.fromhex(text) if " " not in text and text.isascii() else None
        except ValueError:
            data = None
        if data is None:
            raise BadValue(NUMBER, word[:80], self.expected())
        if len(data) > self.length:
            raise BadValue(LENGTH, word[:80], self.expected())
        return data.ljust(self.length, b"\0")

    def format(self, value: Value) -> str:
        """Return the digits."""
        assert isinstance(value, bytes)
        return value.hex().upper()

    def define(self, value: Value) -> str:
        """Return the digits in quotation marks."""
        return quoted(self.format(value))

    def check(self, value: Value) -> None:
        """Raise BadValue unless the value has the attribute's number of bytes."""
        if not isinstance(value, bytes) or len(value) != self.length:
            raise BadValue(LENGTH, value.hex() if isinstance(value, bytes) else str(value), self.expected())

    def expected(self) -> str:
        """Describe the length."""
        return f"at most {2 * self.length} hexadecimal digits"

    def blank(self) -> Value:
        """Return zeros."""
        return bytes(self.length)

    def accept(self, raw: Value) -> Value:
        """Fill a short PCF byte string with zeros."""
        return raw.ljust(self.length, b"\0") if isinstance(raw, bytes) else raw
