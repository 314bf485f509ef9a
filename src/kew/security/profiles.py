"""Generic profiles: patterns of object names, and which of two matching ones is more specific.

    ?    one character, but no dot
    *    any characters within one qualifier; alone, exactly one qualifier
    **   any number of whole qualifiers, none included; at most once in a profile

Qualifiers are the parts of a name between dots. Profiles are compared from left to right; where they first differ, a
character is most specific, then ?, then the end of the profile, then *, then ** (with the dot before it).
"""

from typing import Final

_LITERAL: Final = 0
_ONE: Final = 1
_END: Final = 2
_SOME: Final = 3
_ANY: Final = 4
WILD: Final = "**"


class BadProfile(ValueError):
    """A profile that MQ's rules do not allow."""


def is_generic(profile: str) -> bool:
    """Say whether a profile is a pattern and not the name of one object."""
    return "*" in profile or "?" in profile


def within(pattern: str, text: str) -> bool:
    """Say whether a text fits a pattern in which * stands for any characters and ? for one."""
    place = 0
    star = -1  # where in the pattern the last * is
    resume = 0  # where in the text what that * stands for ends, as far as tried
    for_pattern = 0
    while place < len(text):
        if for_pattern < len(pattern) and pattern[for_pattern] == "*":
            star = for_pattern
            resume = place
            for_pattern += 1
        elif for_pattern < len(pattern) and pattern[for_pattern] in ("?", text[place]):
            for_pattern += 1
            place += 1
        elif star >= 0:
            resume += 1
            place = resume
            for_pattern = star + 1
        else:
            return False
    return pattern[for_pattern:].strip("*") == ""


class Profile:
    """A profile that is matched with the names of objects."""

    def __init__(self, text: str) -> None:
        qualifiers = text.split(".")
        wild = [number for number, qualifier in enumerate(qualifiers) if qualifier == WILD]
        if len(wild) > 1 or any(WILD in qualifier for qualifier in qualifiers if qualifier != WILD):
            raise BadProfile(f"{text}: ** stands for whole qualifiers, and at most once")
        self.text = text
        self.open = bool(wild)  # whether there may be more qualifiers than are written down
        split = wild[0] if wild else len(qualifiers)
        self._head = qualifiers[:split]
        self._tail = qualifiers[split + 1 :]
        self.rank = (*_classes(text), _END)  # the lower, the more specific

    def matches(self, name: str) -> bool:
        """Say whether the profile matches the name of an object."""
        qualifiers = name.split(".")
        fixed = len(self._head) + len(self._tail)
        if len(qualifiers) < fixed or (len(qualifiers) > fixed and not self.open):
            return False
        if any(not within(pattern, part) for pattern, part in zip(self._head, qualifiers, strict=False)):
            return False
        end = qualifiers[len(qualifiers) - len(self._tail) :]
        return not any(not within(pattern, part) for pattern, part in zip(self._tail, end, strict=True))


def _classes(text: str) -> list[int]:
    found: list[int] = []
    place = 0
    while place < len(text):
        wild = WILD if text.startswith(WILD, place) else "." + WILD
        if text.startswith(wild, place):
            found.append(_ANY)
            place += len(wild)
        else:
            found.append({"?": _ONE, "*": _SOME}.get(text[place], _LITERAL))
            place += 1
    return found


def by_specificity(profile: Profile) -> tuple[tuple[int, ...], str]:
    """Give the key that sorts profiles, the most specific first."""
    return profile.rank, profile.text
