"""Patterns of topic strings, in MQ's two wildcard schemes.

By level (WSCHEMA(TOPIC)): `+` stands for one level, `#` for any number of levels, also none. Both are wildcards only
where they are a whole level: `a/b+` names the one topic `a/b+`.

By character (WSCHEMA(CHAR)): `?` stands for one character, `*` for any number of characters, slashes too; `%` makes the
character behind it an ordinary one.
"""

from typing import Final

from kew.codes.errors import MQError
from kew.codes.reasons import MQRC_TOPIC_STRING_ERROR

LONGEST: Final = 10240
ONE_LEVEL: Final = "+"
MANY_LEVELS: Final = "#"
ESCAPE: Final = "%"
_ONE: Final = "?"
_MANY: Final = "*"


def levels_of(topic: str) -> list[str]:
    """Give the levels of a topic string; a slash at its beginning or end makes an empty level."""
    if len(topic) > LONGEST:
        raise MQError(MQRC_TOPIC_STRING_ERROR, length=len(topic), most=LONGEST)
    if "\0" in topic:
        raise MQError(MQRC_TOPIC_STRING_ERROR, position=topic.index("\0"), found="a null character")
    return topic.split("/")


def level_pattern(pattern: str) -> list[str]:
    """Give the levels of a pattern; several `#` in a row become one, which matches the same topics."""
    levels: list[str] = []
    for level in levels_of(pattern):
        if level != MANY_LEVELS or not levels or levels[-1] != MANY_LEVELS:
            levels.append(level)
    return levels


def has_level_wildcard(levels: list[str]) -> bool:
    """Say whether a pattern has wildcards, so that it matches more than one topic."""
    return ONE_LEVEL in levels or MANY_LEVELS in levels


class CharacterPattern:
    """A pattern by character: its fixed beginning, and pieces of text with wildcards between them."""

    def __init__(self, pattern: str) -> None:
        levels_of(pattern)  # the same limits
        # A piece is text in which None stands for any one character; between two pieces is any number of characters.
        pieces: list[list[str | None]] = [[]]
        place = 0
        while place < len(pattern):
            character = pattern[place]
            if character == ESCAPE:
                place += 1
                if place == len(pattern):
                    raise MQError(
                        MQRC_TOPIC_STRING_ERROR, position=place, expected="a character behind the escape character %"
                    )
                pieces[-1].append(pattern[place])
            elif character == _ONE:
                pieces[-1].append(None)
            elif character == _MANY:
                pieces.append([])
            else:
                pieces[-1].append(character)
            place += 1
        self._pieces = pieces
        self.prefix = _text_of(pieces[0])
        self.exact = len(pieces) == 1 and None not in pieces[0]

    def matches(self, topic: str) -> bool:
        """Say whether a topic matches; each piece is matched at its first place, since a later place gains nothing."""
        first, last = self._pieces[0], self._pieces[-1]
        if not _fits(first, topic, 0):
            return False
        if len(self._pieces) == 1:
            return len(topic) == len(first)
        place = len(first)
        for piece in self._pieces[1:-1]:
            while not _fits(piece, topic, place):
                place += 1
                if place + len(piece) > len(topic):
                    return False
            place += len(piece)
        ending = len(topic) - len(last)
        return ending >= place and _fits(last, topic, ending)


def _text_of(piece: list[str | None]) -> str:
    text = ""
    for character in piece:
        if character is None:
            break
        text += character
    return text


def _fits(piece: list[str | None], topic: str, place: int) -> bool:
    if place + len(piece) > len(topic):
        return False
    for character in piece:
        if character is not None and topic[place] != character:
            return False
        place += 1
    return True
