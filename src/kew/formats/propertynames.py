"""Names of properties: identifiers of Java, joined by dots.

JMS defines the names of properties so, also in selectors, and MQ follows it. Control characters, which Java ignores
within an identifier, are refused.
"""

from typing import Final
from unicodedata import category

# Letters, letter numbers, currency signs, connecting punctuation; later also digits, combining marks and format
# characters.
_BEGINNINGS: Final = frozenset(("Lu", "Ll", "Lt", "Lm", "Lo", "Nl", "Sc", "Pc"))
_LATER: Final = _BEGINNINGS | {"Nd", "Mc", "Mn", "Cf"}


def starts_name(character: str) -> bool:
    """Say whether an identifier may begin with a character."""
    return category(character) in _BEGINNINGS


def continues_name(character: str) -> bool:
    """Say whether a character may stand in an identifier after its first."""
    return category(character) in _LATER


def is_name(text: str) -> bool:
    """Say whether a text may be the name of a property."""
    for part in text.split("."):
        if not part or not starts_name(part[0]):
            return False
        for character in part:
            if not continues_name(character):
                return False
    return True
