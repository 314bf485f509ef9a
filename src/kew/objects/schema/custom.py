"""The CUSTOM attribute: named values in one text, such as CAPEXPRY(12000) or, for queues, PROPINDX(colour).

MQ's own reports print the name of the cap on expiry three ways; all three mean the same, and the text is kept as the
user typed it. PROPINDX is Kew's own: the property by which a queue is indexed for selection strings.
"""

import re
from typing import Final

from kew.formats.propertynames import is_name
from kew.objects.schema.texts import Text
from kew.objects.schema.values import CHARACTERS, KEYWORD, RANGE, BadValue, Value, whole

CAPEXPRY: Final = "CAPEXPRY"
PROPINDX: Final = "PROPINDX"
SPELLINGS: Final = {"CAPEXPRY": CAPEXPRY, "CAPEXPY": CAPEXPRY, "CAEXPY": CAPEXPRY, "PROPINDX": PROPINDX}
NO_LIMIT: Final = -1
LARGEST_NUMBER: Final = 999999999

_ITEM: Final = re.compile(r"\s*([A-Za-z][A-Za-z0-9]*)\s*\(\s*([^()]*?)\s*\)\s*,?")


def read_custom(text: str) -> dict[str, int | str]:
    """Return the values in a CUSTOM text by their proper names; raise BadValue if the text is not valid."""
    found: dict[str, int | str] = {}
    position = 0
    while text[position:].strip():
        match = _ITEM.match(text, position)
        if match is None:
            raise BadValue(
                CHARACTERS, text[position : position + 40], "a list of names with values, as in CAPEXPRY(6000)"
            )
        name = SPELLINGS.get(match.group(1).upper())
        if name is None:
            raise BadValue(KEYWORD, match.group(1), "CAPEXPRY or PROPINDX, the custom attributes known")
        if name in found:
            raise BadValue(KEYWORD, match.group(1), "given only once")
        found[name] = _expiry(match.group(2)) if name == CAPEXPRY else _property(match.group(2))
        position = match.end()
    return found


def _expiry(text: str) -> int:
    if text.upper() == "NOLIMIT":
        return NO_LIMIT
    number = whole(text)
    if number is None or not 0 <= number <= LARGEST_NUMBER:
        raise BadValue(RANGE, text, f"a number of tenths of a second from 0 to {LARGEST_NUMBER}, or NOLIMIT")
    return number


def _property(text: str) -> str:
    name = text.removeprefix("usr.")
    if not is_name(name) or name.startswith(("JMS", "Root.", "Body.")):
        raise BadValue(CHARACTERS, text, "the name of a property, as in PROPINDX(colour)")
    return name


def property_to_index(custom: str) -> str:
    """Return the name of the property by which a queue is indexed, an empty text for none."""
    return str(read_custom(custom).get(PROPINDX, "")) if custom else ""


def cap_on_expiry(custom: str, own_attribute: int = NO_LIMIT) -> int | None:
    """Return the cap on message expiry in tenths of a second, None for none; attribute CAPEXPRY overrides CUSTOM."""
    if own_attribute != NO_LIMIT:
        return own_attribute
    cap = read_custom(custom).get(CAPEXPRY, NO_LIMIT) if custom else NO_LIMIT
    return cap if isinstance(cap, int) and cap != NO_LIMIT else None


class Custom(Text):
    """The kind of the CUSTOM attribute of queues and topics."""

    def __init__(self) -> None:
        super().__init__(128)

    def check(self, value: Value) -> None:
        """Raise BadValue unless every named value can be read."""
        super().check(value)
        assert isinstance(value, str)
        read_custom(value)

    def expected(self) -> str:
        """Describe the allowed form of the text."""
        return "a text of named values, as in 'CAPEXPRY(6000)'"
