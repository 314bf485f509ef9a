"""The attribute table: every object type, its attributes, and the properties of each attribute.

The MQSC parser, the PCF codec, DISPLAY's output, help, completion and manual pages derive from these rows. One module
holds the rows of one family; a row names its PCF identifier, kind, default and the types that have it.
"""

from typing import Final

from kew.objects.schema import (
    channel_status,
    channels,
    local,
    qmgr,
    queue_status,
    queues,
    security,
    storage,
    system_status,
    topic_status,
    topics,
)
from kew.objects.schema.model import ANYTIME, DEFINE, EMPTY, FORCE, KEEP, LIVE, RESTART, SET, AttributeSpec, ObjectType

__all__ = [
    "ANYTIME",
    "DEFINE",
    "EMPTY",
    "FAMILIES",
    "FORCE",
    "KEEP",
    "LIVE",
    "OBJECT_TYPES",
    "RESTART",
    "SET",
    "AttributeSpec",
    "Family",
    "ObjectType",
    "family",
    "object_type",
]

OBJECT_TYPES: Final[dict[str, ObjectType]] = {
    kind.name: kind
    for kind in (
        *qmgr.TYPES,
        *queues.TYPES,
        *topics.TYPES,
        *channels.TYPES,
        *local.TYPES,
        *storage.TYPES,
        *security.TYPES,
        *queue_status.TYPES,
        *channel_status.TYPES,
        *topic_status.TYPES,
        *system_status.TYPES,
    )
}


class Family:
    """Object types that share one word in DISPLAY and DEFINE, distinguished by a type attribute."""

    def __init__(self, name: str, types: tuple[ObjectType, ...]) -> None:
        self.name = name
        self.types = types
        self.type_keyword = types[0].type_keyword
        self.name_spec = types[0].name_spec
        self.by_label: dict[str, ObjectType] = {kind.type_label: kind for kind in types}
        self.by_subtype: dict[int, ObjectType] = {kind.pcf_subtype[1]: kind for kind in types}
        self.by_word: dict[str, AttributeSpec] = {}
        for kind in types:
            for word, spec in kind.by_word.items():
                self.by_word.setdefault(word, spec)

    def find(self, word: str) -> AttributeSpec | None:
        """Return the attribute that a word names in any of the types, or None."""
        return self.by_word.get(word.upper())

    def groups(self) -> list[str]:
        """Return the words of DISPLAY that stand for groups of attributes, such as CLUSINFO."""
        return list(dict.fromkeys([group for kind in self.types for group in kind.groups()]))


def _families() -> dict[str, Family]:
    members: dict[str, list[ObjectType]] = {}
    for kind in OBJECT_TYPES.values():
        members.setdefault(kind.family, []).append(kind)
    return {name: Family(name, tuple(types)) for name, types in members.items()}


FAMILIES: Final[dict[str, Family]] = _families()
_TYPE_SYNONYMS: Final = {synonym: kind.name for kind in OBJECT_TYPES.values() for synonym in kind.synonyms}


def object_type(name: str) -> ObjectType:
    """Return the object type of a name or synonym, in capitals or not; raise KeyError if there is none."""
    upper = name.upper()
    return OBJECT_TYPES[_TYPE_SYNONYMS.get(upper, upper)]


def family(name: str) -> Family:
    """Return the family of a name, in capitals or not; raise KeyError if there is none."""
    return FAMILIES[name.upper()]
