"""Distinguished names as text: CN=bob,O=IBM,C=GB.

A separator after a backslash, or within quotation marks, is an ordinary character.
"""

from typing import Final

_SEPARATORS: Final = ",;+"


class BadName(ValueError):
    """The error for an invalid distinguished name; the text says why."""


def split_name(text: str) -> list[str]:
    """Split a name at its separators, except those within quotes."""
    found: list[str] = []
    item = ""
    quoted = escaped = False
    for letter in text:
        if escaped:
            item += letter
            escaped = False
        elif letter == "\\":
            escaped = True
        elif letter == '"':
            quoted = not quoted
        elif letter in _SEPARATORS and not quoted:
            found.append(item)
            item = ""
        else:
            item += letter
    if quoted or escaped:
        raise BadName(f"{text!r}: a quote or an escape does not end")
    return [*found, item]
