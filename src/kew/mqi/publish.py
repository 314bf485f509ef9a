"""MQPUT to a topic: checks the publication, finds who wants it, and lets `publication.py` give each of them a copy."""

from typing import Final

from kew.codes.completion import MQCC_WARNING
from kew.codes.errors import MQError
from kew.codes.options import (
    MQMF_LAST_MSG_IN_GROUP,
    MQMF_LAST_SEGMENT,
    MQMF_MSG_IN_GROUP,
    MQMF_SEGMENT,
    MQOT_TOPIC,
    MQPMO_FAIL_IF_QUIESCING,
    MQPMO_NOT_OWN_SUBS,
    MQPMO_RETAIN,
    MQPMO_SUPPRESS_REPLYTO,
    MQPMO_SYNCPOINT,
    MQPMO_WARN_IF_NO_SUBS_MATCHED,
)
from kew.codes.reasons import (
    MQRC_ALIAS_TARGTYPE_CHANGED,
    MQRC_GROUPING_NOT_ALLOWED,
    MQRC_HOBJ_ERROR,
    MQRC_MSG_TOO_BIG_FOR_Q_MGR,
    MQRC_NO_SUBS_MATCHED,
    MQRC_NOT_OPEN_FOR_OUTPUT,
    MQRC_OPTIONS_ERROR,
    MQRC_PUBSUB_INHIBITED,
    MQRC_PUT_INHIBITED,
    MQRC_SEGMENTATION_NOT_ALLOWED,
)
from kew.formats.mqmd import MessageDescriptor
from kew.formats.properties import RFH2_FORMAT
from kew.mqi.completing import complete, settle_defaults
from kew.mqi.connect import Connection
from kew.mqi.delaying import delay_of, stage_publication
from kew.mqi.delivery import cap_expiry
from kew.mqi.engine import Engine
from kew.mqi.handles import Handle
from kew.mqi.longput import LongPut
from kew.mqi.options import check_close_plain, check_publish
from kew.mqi.outlet import PutOutlet
from kew.mqi.publication import Publication
from kew.mqi.together import TogetherPut
from kew.selection.fields import MessageFields
from kew.storage.log import LogAddress
from kew.topics.space import Publisher
from kew.topics.subscription import Subscription
from kew.topics.tree import Settings

HIGHEST_LEVEL: Final = 9  # of publications, and of the subscriptions that see them first
_GROUPS: Final = MQMF_MSG_IN_GROUP | MQMF_LAST_MSG_IN_GROUP
_SEGMENTS: Final = MQMF_SEGMENT | MQMF_LAST_SEGMENT
_BLANK_48: Final = b" " * 48


class TopicOutlet(PutOutlet):
    """A topic that a program has open to publish on."""

    def __init__(self, publisher: Publisher) -> None:
        super().__init__()
        self.publisher = publisher
        self.level = HIGHEST_LEVEL  # PubLevel of the next publication
        self.further = ""  # what is said of it to those who get an MQRFH, by a publisher that uses the queued interface
        self.but_for = ("", "", b"")  # queue manager, queue and correlation id of whoever is not to get it

    def put(
        self,
        connection: Connection,
        handle: Handle,
        descriptor: MessageDescriptor,
        data: bytes,
        options: int,
        context: Handle | None,
    ) -> LogAddress | LongPut:
        """Publish a message; gives the log address to wait for, or a put that is to be continued."""
        if handle.owner != connection.number:
            raise MQError(MQRC_HOBJ_ERROR, handle=handle.number)
        check_publish(options)
        if not handle.output:
            raise handle.refusal(MQRC_NOT_OPEN_FOR_OUTPUT)
        if descriptor.message_flags & _SEGMENTS:
            raise MQError(MQRC_SEGMENTATION_NOT_ALLOWED, message_flags=descriptor.message_flags)
        if descriptor.message_flags & _GROUPS:
            raise MQError(MQRC_GROUPING_NOT_ALLOWED, message_flags=descriptor.message_flags)
        if options & MQPMO_FAIL_IF_QUIESCING:
            connection.refuse_if_quiescing()
        engine, publisher = connection.engine, self.publisher
        settings = engine.topics.settings_of(publisher)
        _check(engine, handle, settings, len(data), connection)
        persistent = _choose(handle, settings, descriptor)
        if options & MQPMO_SUPPRESS_REPLYTO:
            descriptor.reply_to_queue = _BLANK_48
            descriptor.reply_to_queue_manager = _BLANK_48
        complete(connection, handle, descriptor, options, context, len(data))
        cap_expiry(descriptor, settings.expiry_cap)
        cap_expiry(descriptor, handle.expiry_cap)
        if handle.delay or descriptor.format == RFH2_FORMAT:
            delay = handle.delay or delay_of(descriptor, data)
            if delay > 0:
                return self._put_later(connection, descriptor, data, options, delay)
        descriptor.pad()
        now = engine.clock.now()
        found = engine.topics.found_by(publisher)
        own = connection.number if options & MQPMO_NOT_OWN_SUBS else 0
        chosen = choose(found, self.level, own, int(now * 1000), descriptor, data)
        if self.but_for[1]:
            chosen = [each for each in chosen if not self._is_its_own(each)]
        unit = connection.unit_for_work() if options & MQPMO_SYNCPOINT else None
        publication = Publication(engine, publisher.topic, settings, descriptor, data, unit)
        publication.marks = publisher.marks
        publication.further = self.further
        if options & MQPMO_RETAIN:
            publication.retain()
        for subscription in chosen:
            publication.add(subscription)
        if not chosen and not options & MQPMO_RETAIN:
            engine.topics.counters.unmatched += 1
            if options & MQPMO_WARN_IF_NO_SUBS_MATCHED:
                raise MQError(MQRC_NO_SUBS_MATCHED, completion=MQCC_WARNING, topic=publisher.topic)
        result = publication.begin(connection, persistent)
        self.copies = len(chosen)
        publisher.publications += 1
        publisher.last = now
        engine.topics.counters.publications += 1
        return result

    def _is_its_own(self, subscription: Subscription) -> bool:
        manager, queue, correlation_id = self.but_for
        return (
            subscription.registration != ""
            and subscription.destination == queue
            and subscription.destination_manager == manager
            and subscription.correlation_id == correlation_id
        )

    def _put_later(
        self, connection: Connection, descriptor: MessageDescriptor, data: bytes, options: int, delay: int
    ) -> LongPut:
        """Begin to put a publication where it waits until it is to be made; who gets it is seen then."""
        if options & MQPMO_NOT_OWN_SUBS:  # whose they were is not known any more then
            raise MQError(MQRC_OPTIONS_ERROR, options=options, delay=delay)
        engine = connection.engine
        unit = connection.unit_for_work() if options & MQPMO_SYNCPOINT else None
        topic, kept = self.publisher.topic, options & MQPMO_RETAIN
        staged = stage_publication(engine, topic, kept, self.level, descriptor, data, delay, unit)
        self.copies = 0
        return TogetherPut(engine, [staged], unit, None, engine.on_delayed)

    def close(self, connection: Connection, handle: Handle, options: int) -> None:
        """MQCLOSE of a topic."""
        check_close_plain(options, handle.name)
        connection.engine.topics.end_publishing(self.publisher)
        handle.close()
        handle.outlet = None
        del connection.handles[handle.number]


def _check(engine: Engine, handle: Handle, settings: Settings, length: int, connection: Connection) -> None:
    if handle.alias_values is not None:
        handle.heed_alias(engine.catalogue)
        if handle.alias_values is not None and handle.alias_values["TARGTYPE"] != MQOT_TOPIC:
            raise MQError(MQRC_ALIAS_TARGTYPE_CHANGED, alias=handle.opened_name)
    if not engine.topics.enabled:
        raise MQError(MQRC_PUBSUB_INHIBITED, topic=handle.name)
    if not settings.publishing or not handle.put_allowed_by_alias:
        engine.events.inhibited(MQRC_PUT_INHIBITED, handle.opened_name, connection.application)
        raise MQError(MQRC_PUT_INHIBITED, topic=handle.name)
    if length > engine.max_message_length:
        raise MQError(MQRC_MSG_TOO_BIG_FOR_Q_MGR, length=length, most=engine.max_message_length)


def _choose(handle: Handle, settings: Settings, descriptor: MessageDescriptor) -> bool:
    """Settle what the program leaves to the topic, or to the alias it has opened; says whether it is persistent."""
    if handle.alias_values is None:
        return settle_defaults(handle, descriptor, settings.persistence, settings.priority)
    return settle_defaults(handle, descriptor, handle.alias_persistence, handle.alias_priority)


def choose(
    found: list[Subscription], level: int, own: int, now: int, descriptor: MessageDescriptor, data: bytes
) -> list[Subscription]:
    """Give the subscriptions that get a publication: those of the highest level that want it, one of each group."""
    highest = -1
    chosen: list[Subscription] = []
    grouped = False
    fields: MessageFields | None = None  # of the message, once a selector asks for them
    for subscription in found:
        if subscription.level > level or subscription.level < highest or subscription.on_request:
            continue
        if (own and own in subscription.owners) or subscription.has_expired(now):
            continue
        if subscription.selector is not None:
            if fields is None:
                fields = MessageFields(descriptor, data, 0)
            if not subscription.selector.accepts(fields):
                continue
        if subscription.level > highest:
            highest = subscription.level
            chosen = []
        chosen.append(subscription)
        grouped = grouped or subscription.grouped
    return _one_of_each_group(chosen) if grouped else chosen


def _one_of_each_group(chosen: list[Subscription]) -> list[Subscription]:
    """Keep the most specific of the grouped subscriptions that share a queue and a correlation id."""
    best: dict[tuple[str, str, bytes], Subscription] = {}
    for each in chosen:
        if each.grouped:
            key = (each.destination_manager, each.destination, each.correlation_id)
            other = best.get(key)
            if other is None or _specificity(each) > _specificity(other):
                best[key] = each
    return [
        each
        for each in chosen
        if not each.grouped or best[each.destination_manager, each.destination, each.correlation_id] is each
    ]


def _specificity(subscription: Subscription) -> tuple[bool, int]:
    return not subscription.wildcard, subscription.spelled_levels
