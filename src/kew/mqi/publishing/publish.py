"""MQPUT to a topic: checks the publication, finds its subscriptions, and begins the copies (`publication.py`)."""

from typing import Final

from kew.codes.completion import MQCC_WARNING
from kew.codes.errors import MQError
from kew.codes.options import (
    MQMF_LAST_MSG_IN_GROUP,
    MQMF_LAST_SEGMENT,
    MQMF_MSG_IN_GROUP,
    MQMF_SEGMENT,
    MQOT_TOPIC,
    MQPER_PERSISTENT,
    MQPMO_NOT_OWN_SUBS,
    MQPMO_RETAIN,
    MQPMO_SUPPRESS_REPLYTO,
    MQPMO_WARN_IF_NO_SUBS_MATCHED,
)
from kew.codes.reasons import (
    MQRC_ALIAS_TARGTYPE_CHANGED,
    MQRC_GROUPING_NOT_ALLOWED,
    MQRC_NO_SUBS_MATCHED,
    MQRC_OPTIONS_ERROR,
    MQRC_PUBSUB_INHIBITED,
    MQRC_SEGMENTATION_NOT_ALLOWED,
)
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.delivery.delay import stage_publication
from kew.mqi.delivery.delivery import QueueDelivery
from kew.mqi.delivery.longput import LongPut
from kew.mqi.engine import Engine
from kew.mqi.options import NOT_FOR_TOPICS
from kew.mqi.publishing.publication import Publication
from kew.mqi.puts.request import PutRequest
from kew.mqi.puts.target import SingleTarget, put_inhibited
from kew.queues.queue import Queue
from kew.selection.fields import MessageFields
from kew.storage.log import LogAddress
from kew.storage.unit import Unit
from kew.topics.space import Publisher
from kew.topics.subscription import Subscription

HIGHEST_LEVEL: Final = 9  # of publications, and of the subscriptions that see them first
_GROUPS: Final = MQMF_MSG_IN_GROUP | MQMF_LAST_MSG_IN_GROUP
_SEGMENTS: Final = MQMF_SEGMENT | MQMF_LAST_SEGMENT
_BLANK_48: Final = b" " * 48


class TopicOutlet(SingleTarget):
    """The put target of a handle that has a topic open."""

    def __init__(self, publisher: Publisher) -> None:
        super().__init__()
        self.not_allowed = NOT_FOR_TOPICS
        self.publisher = publisher
        self.level = HIGHEST_LEVEL  # PubLevel of the next publication
        self.further = ""  # names and values of a publisher of the queued interface, for copies with an MQRFH
        self.but_for = ("", "", b"")  # queue manager, queue and correlation id of a registrant that does not get it

    def admit(self, request: PutRequest) -> None:
        """Take over the alias and the topic objects as they are now; refuse a put that they forbid."""
        connection, handle, flags = request.connection, request.handle, request.descriptor.message_flags
        if flags & _SEGMENTS:
            raise MQError(MQRC_SEGMENTATION_NOT_ALLOWED, message_flags=flags)
        if flags & _GROUPS:
            raise MQError(MQRC_GROUPING_NOT_ALLOWED, message_flags=flags)
        engine = connection.engine
        settings = engine.topics.settings_of(self.publisher)
        if handle.alias_values is not None:
            handle.refresh_alias(engine.catalogue)
            if handle.alias_values is not None and handle.alias_values["TARGTYPE"] != MQOT_TOPIC:
                raise MQError(MQRC_ALIAS_TARGTYPE_CHANGED, alias=handle.opened_name)
        if not engine.topics.enabled:
            raise MQError(MQRC_PUBSUB_INHIBITED, topic=handle.name)
        if not settings.publishing or not handle.put_allowed_by_alias:
            raise put_inhibited(request)
        if request.options & MQPMO_SUPPRESS_REPLYTO:
            request.descriptor.reply_to_queue = _BLANK_48
            request.descriptor.reply_to_queue_manager = _BLANK_48
        self.expiry_cap = settings.expiry_cap
        self.default_persistence = settings.persistence
        self.default_priority = settings.priority

    def staged(self, request: PutRequest, queue: Queue | None, delay: int, unit: Unit | None) -> QueueDelivery:
        """Give the delivery of a delayed publication to the staging queue; its subscriptions are found when due."""
        options = request.options
        if options & MQPMO_NOT_OWN_SUBS:  # the handle that marked them is not known any more then
            raise MQError(MQRC_OPTIONS_ERROR, options=options, delay=delay)
        self.copies = 0
        engine, topic, kept = request.connection.engine, self.publisher.topic, options & MQPMO_RETAIN
        return stage_publication(engine, topic, kept, self.level, request.descriptor, request.data, delay, unit)

    def publish(self, request: PutRequest, unit: Unit | None) -> LogAddress | LongPut:
        """Begin a copy for each subscription that gets the publication."""
        connection, descriptor, data, options = request.connection, request.descriptor, request.data, request.options
        engine, publisher = connection.engine, self.publisher
        descriptor.pad()
        now = engine.clock.now()
        found = engine.topics.found_by(publisher)
        own = connection.number if options & MQPMO_NOT_OWN_SUBS else 0
        chosen = choose(found, self.level, own, int(now * 1000), descriptor, data)
        if self.but_for[1]:
            chosen = [each for each in chosen if not self._is_its_own(each)]
        settings = engine.topics.settings_of(publisher)
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
        result = publication.begin(connection, descriptor.persistence == MQPER_PERSISTENT)
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

    def let_go(self, engine: Engine) -> None:
        """Give back the resources of the open."""
        engine.topics.end_publishing(self.publisher)


def choose(
    found: list[Subscription], level: int, own: int, now: int, descriptor: MessageDescriptor, data: bytes
) -> list[Subscription]:
    """Give the subscriptions that get a publication: those of the highest level that want it, one of each group."""
    highest = -1
    chosen: list[Subscription] = []
    grouped = False
    fields: MessageFields | None = None  # of the message, once a selector needs them
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
