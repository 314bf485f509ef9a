"""MQOPEN and MQCLOSE of topics: by topic object, topic string or both, or by an alias of a topic object."""

from typing import Final

from kew.codes.errors import MQError
from kew.codes.options import (
    MQOO_NO_MULTICAST,
    MQOO_OUTPUT,
    MQOO_RESOLVE_LOCAL_Q,
    MQOO_RESOLVE_NAMES,
    MQOT_Q,
    MQOT_TOPIC,
)
from kew.codes.reasons import (
    MQRC_ADMIN_TOPIC_STRING_ERROR,
    MQRC_OPTION_NOT_VALID_FOR_TYPE,
    MQRC_PUBSUB_INHIBITED,
    MQRC_SUB_INHIBITED,
    MQRC_TOPIC_STRING_ERROR,
    MQRC_UNKNOWN_ALIAS_BASE_Q,
    MQRC_UNKNOWN_OBJECT_NAME,
)
from kew.mqi.connections.connection import Connection
from kew.mqi.connections.handles import Handle
from kew.mqi.options import OUTPUT_OPTIONS
from kew.mqi.publishing.publish import TopicOutlet
from kew.objects.catalogue import Record
from kew.security.openauthority import authorise_open, authorise_topic
from kew.security.rights import PUBLISH
from kew.topics.patterns import levels_of
from kew.topics.tree import FAMILY, TopicTree

_OPTIONS: Final = OUTPUT_OPTIONS | MQOO_NO_MULTICAST | MQOO_RESOLVE_LOCAL_Q | MQOO_RESOLVE_NAMES
_ADMINISTRATIVE: Final = "$SYS/MQ/"  # topics of the queue manager's own, to which no program publishes


def is_topic_alias(record: Record) -> bool:
    """Say whether a queue definition is an alias of a topic."""
    return record.kind == "QALIAS" and record.values["TARGTYPE"] == MQOT_TOPIC


def whole_string(tree: TopicTree, name: str, text: str) -> str:
    """Give the topic string of an object name and a string together; one of the two must be given."""
    if not name and not text:
        raise MQError(MQRC_UNKNOWN_OBJECT_NAME, name=name)
    topic = tree.full_string(name, text)
    if not topic:
        raise MQError(MQRC_TOPIC_STRING_ERROR, name=name)
    levels_of(topic)  # refuses an invalid topic string
    return topic


def check_published(topic: str) -> None:
    """Refuse a subscription to a topic string of queue manager statistics, on which nothing is ever published."""
    if topic.startswith(_ADMINISTRATIVE):
        raise MQError(MQRC_SUB_INHIBITED, topic=topic, why=f"nothing is published below {_ADMINISTRATIVE} yet")


def open_topic(connection: Connection, name: str, text: str, options: int, alternate_user: str = "") -> Handle:
    """MQOPEN of a topic; the request was checked. The cost does not depend on the number of subscriptions."""
    topic = whole_string(connection.engine.topics.tree, name, text)
    return _open(connection, topic, name, options, alternate_user)


def open_alias(connection: Connection, record: Record, options: int, alternate_user: str = "") -> Handle:
    """MQOPEN of an alias of a topic; both must allow it."""
    engine = connection.engine
    authorise_open(engine.authority, connection.principal, alternate_user, MQOT_Q, record.name, options)
    target = str(record.values["TARGET"])
    if (FAMILY, target) not in engine.catalogue.records:
        raise MQError(MQRC_UNKNOWN_ALIAS_BASE_Q, alias=record.name, target=target)
    topic = whole_string(engine.topics.tree, target, "")
    handle = _open(connection, topic, record.name, options, alternate_user)
    handle.refresh_alias(engine.catalogue)
    return handle


def _open(connection: Connection, topic: str, opened_name: str, options: int, alternate_user: str) -> Handle:
    if options & ~_OPTIONS or not options & MQOO_OUTPUT:
        raise MQError(MQRC_OPTION_NOT_VALID_FOR_TYPE, topic=topic, options=options)
    if topic.startswith(_ADMINISTRATIVE):
        raise MQError(MQRC_ADMIN_TOPIC_STRING_ERROR, topic=topic)
    engine = connection.engine
    if not engine.topics.enabled:
        raise MQError(MQRC_PUBSUB_INHIBITED, topic=topic)
    objects = engine.topics.tree.settings(topic).objects
    authorise_topic(engine.authority, connection.principal, alternate_user, objects, options, PUBLISH)
    handle = Handle(0, topic, options, None)
    handle.opened_name = opened_name
    handle.output = True
    connection.add_handle(handle)
    handle.outlet = TopicOutlet(engine.topics.begin_publishing(topic, connection.number))
    return handle
