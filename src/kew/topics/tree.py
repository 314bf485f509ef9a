"""The topic tree: TOPIC objects, and the attributes that hold at each topic string.

A TOPIC object stands at the point of the tree that its topic string names. An attribute with the value ASPARENT has the
value of the nearest object above that sets one, in the end of SYSTEM.BASE.TOPIC, which is the root. The attributes at a
topic string depend only on the deepest object above it, so they are computed once for each object, when the objects
have changed, and a look-up costs one step for each level that has objects below.

A slash at the end of an object's topic string makes no level of its own: the object DEV.BASE.TOPIC, for 'dev/', stands
above 'dev/news'.
"""

from collections.abc import Mapping
from typing import Final

from kew.codes import attributes as a
from kew.codes import options as o
from kew.codes.errors import MQError
from kew.codes.reasons import MQRC_UNKNOWN_OBJECT_NAME
from kew.objects.catalogue import AttributeValue, Catalogue, Record
from kew.topics.patterns import levels_of

FAMILY: Final = "TOPIC"
ROOT: Final = "SYSTEM.BASE.TOPIC"

# The ASPARENT value of each attribute, and its value at the root of a tree without SYSTEM.BASE.TOPIC.
_INHERITED: Final[dict[str, tuple[AttributeValue, AttributeValue]]] = {
    "CAPEXPRY": (-2, -1),
    "DEFPRTY": (o.MQPRI_PRIORITY_AS_PARENT, 0),
    "DEFPSIST": (o.MQPER_PERSISTENCE_AS_PARENT, o.MQPER_NOT_PERSISTENT),
    "DEFPRESP": (o.MQPRT_RESPONSE_AS_PARENT, o.MQPRT_SYNC_RESPONSE),
    "DURSUB": (a.MQSUB_DURABLE_AS_PARENT, a.MQSUB_DURABLE_ALLOWED),
    "MCAST": (a.MQMC_AS_PARENT, a.MQMC_DISABLED),
    "MDURMDL": ("", "SYSTEM.DURABLE.MODEL.QUEUE"),
    "MNDURMDL": ("", "SYSTEM.NDURABLE.MODEL.QUEUE"),
    "NPMSGDLV": (a.MQDLV_AS_PARENT, a.MQDLV_ALL_AVAIL),
    "PMSGDLV": (a.MQDLV_AS_PARENT, a.MQDLV_ALL_DUR),
    "PUB": (a.MQTA_PUB_AS_PARENT, a.MQTA_PUB_ALLOWED),
    "PUBSCOPE": (a.MQSCOPE_AS_PARENT, a.MQSCOPE_ALL),
    "SUB": (a.MQTA_SUB_AS_PARENT, a.MQTA_SUB_ALLOWED),
    "SUBSCOPE": (a.MQSCOPE_AS_PARENT, a.MQSCOPE_ALL),
    "USEDLQ": (a.MQUSEDLQ_AS_PARENT, a.MQUSEDLQ_YES),
}


def string_of(record: Record) -> str:
    """Give the topic string of a TOPIC object, without a slash at its end."""
    return str(record.values["TOPICSTR"]).removesuffix("/")


class Settings:
    """The attributes that hold at a point of the tree."""

    def __init__(self, values: Mapping[str, AttributeValue], objects: tuple[str, ...], blocked: int) -> None:
        self.values = dict(values)  # of the inherited attributes, none of which says ASPARENT
        self.objects = objects  # the names of the objects on the way, deepest first; the root is the last
        self.blocked = blocked  # levels that a pattern must spell out to see what is published here
        self.publishing = values["PUB"] == a.MQTA_PUB_ALLOWED
        self.subscribing = values["SUB"] == a.MQTA_SUB_ALLOWED
        self.durable = values["DURSUB"] == a.MQSUB_DURABLE_ALLOWED
        self.priority = _number(values, "DEFPRTY")
        self.persistence = _number(values, "DEFPSIST")
        self.persistent_delivery = _number(values, "PMSGDLV")
        self.passing_delivery = _number(values, "NPMSGDLV")
        self.expiry_cap = _number(values, "CAPEXPRY")
        self.dead_letters = values["USEDLQ"] == a.MQUSEDLQ_YES


def _number(values: Mapping[str, AttributeValue], keyword: str) -> int:
    value = values[keyword]
    assert isinstance(value, int)
    return value


class _Point:
    """A point of the tree with a TOPIC object at it or below it."""

    def __init__(self) -> None:
        self.children: dict[str, _Point] = {}
        self.record: Record | None = None
        self.settings: Settings | None = None  # None where no object stands


class TopicTree:
    """The TOPIC objects by their topic strings."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._generation = -1
        self._root = _Point()
        self._base = _settle(self._root, None, ())

    def settings(self, topic: str) -> Settings:
        """Give the attributes that hold at a topic string or a pattern, whose wildcards count as levels like others."""
        self._refresh()
        found = self._base
        point = self._root
        for level in levels_of(topic):
            below = point.children.get(level)
            if below is None:
                break
            point = below
            if point.settings is not None:
                found = point.settings
        return found

    def full_string(self, name: str, text: str) -> str:
        """Give the topic string that an object's name and a topic string make together."""
        if not name:
            return text
        record = self._catalogue.records.get((FAMILY, name))
        if record is None:
            raise MQError(MQRC_UNKNOWN_OBJECT_NAME, name=name)
        own = str(record.values["TOPICSTR"])
        if not text or not own:
            return text or own
        return f"{own.removesuffix('/')}/{text}"

    def generation(self) -> int:
        """Give a number that changes whenever attributes at some topic may have changed."""
        return self._catalogue.generations.get(FAMILY, 0)

    def _refresh(self) -> None:
        generation = self.generation()
        if generation == self._generation:
            return
        root = _Point()
        for record in self._catalogue.of_family(FAMILY):
            topic = string_of(record)
            if topic or record.name == ROOT:
                _point_of(root, topic).record = record
        self._root = root
        self._base = _settle(root, None, ())
        self._generation = generation


def _point_of(root: _Point, topic: str) -> _Point:
    point = root
    for level in levels_of(topic) if topic else ():
        below = point.children.get(level)
        if below is None:
            below = _Point()
            point.children[level] = below
        point = below
    return point


def _settle(point: _Point, parent: Settings | None, levels: tuple[str, ...]) -> Settings:
    """Compute the attributes of a point and of all points below it; gives those of the point."""
    record = point.record
    if record is None:
        inherited = parent if parent is not None else _rootless()
    else:
        inherited = _inherit(record, parent, len(levels))
        point.settings = inherited
    for level, below in point.children.items():
        _settle(below, inherited, (*levels, level))
    return inherited


def _rootless() -> Settings:
    return Settings({keyword: otherwise for keyword, (_left, otherwise) in _INHERITED.items()}, (ROOT,), 0)


def _inherit(record: Record, parent: Settings | None, depth: int) -> Settings:
    above = parent if parent is not None else _rootless()
    own = record.values
    values = {
        keyword: above.values[keyword] if own[keyword] == left else own[keyword]
        for keyword, (left, _otherwise) in _INHERITED.items()
    }
    blocked = depth if own["WILDCARD"] == a.MQTA_BLOCK else above.blocked
    objects = (record.name, *above.objects) if parent is not None else (record.name,)
    return Settings(values, objects, blocked)
