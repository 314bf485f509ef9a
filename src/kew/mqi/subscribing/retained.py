"""Retained publications are sent to a new subscription, and on request (MQSUBRQ)."""

from typing import Final

from kew.codes.errors import MQError
from kew.codes.options import MQEI_UNLIMITED, MQSR_ACTION_PUBLICATION, MQSRO_FAIL_IF_QUIESCING
from kew.codes.reasons import (
    MQRC_ACTION_ERROR,
    MQRC_HOBJ_ERROR,
    MQRC_NO_RETAINED_MSG,
    MQRC_OPTIONS_ERROR,
    MQRC_RETAINED_NOT_DELIVERED,
)
from kew.mqi.connections.connection import Connection
from kew.mqi.connections.handles import Handle
from kew.mqi.delivery.longput import LongPut
from kew.mqi.engine import Engine, wait_for_log
from kew.mqi.publishing.publication import Publication
from kew.storage.log import NO_ADDRESS, LogAddress
from kew.storage.message import WHOLE, MessageRef
from kew.topics.retained import Retained, matching, unwrap
from kew.topics.subscription import Subscription

_OPTIONS: Final = MQSRO_FAIL_IF_QUIESCING


def request(connection: Connection, handle: Handle, action: int, options: int) -> int:
    """MQSUBRQ: send the retained publications; gives their number."""
    engine = connection.engine

    def check() -> Subscription:
        connection.check()
        subscription = handle.subscription
        if handle.owner != connection.number or subscription is None:
            raise MQError(MQRC_HOBJ_ERROR, handle=handle.number)
        if action != MQSR_ACTION_PUBLICATION:
            raise MQError(MQRC_ACTION_ERROR, action=action)
        if options & ~_OPTIONS:
            raise MQError(MQRC_OPTIONS_ERROR, options=options)
        if options & MQSRO_FAIL_IF_QUIESCING:
            connection.refuse_if_quiescing()
        return subscription

    sent, missed = send_retained(connection, engine.run(check))
    if missed:
        raise MQError(MQRC_RETAINED_NOT_DELIVERED, missed=missed, sent=sent)
    if not sent:
        raise MQError(MQRC_NO_RETAINED_MSG)
    return sent


def send_retained(connection: Connection, subscription: Subscription) -> tuple[int, int]:
    """Put the retained publications of a subscription's topics to its queue; gives the numbers put and not put."""
    engine = connection.engine
    known = engine.run(engine.topics.retained.topics)
    topics = matching(known, subscription.topic, subscription.by_character)
    sent = missed = 0
    latest = NO_ADDRESS
    for topic in topics:
        found = _Found(engine, topic)
        publication = engine.run(found.read)
        if publication is None:
            continue
        try:
            done, address = _send(connection, subscription, publication)
        except MQError:
            missed += 1
            continue
        sent += done
        latest = max(latest, address)
    if latest:
        wait_for_log(engine, latest)
    return sent, missed


class _Found:
    """A read of the retained publication of a topic; the step may stall and is then called again."""

    def __init__(self, engine: Engine, topic: str) -> None:
        self._engine = engine
        self._topic = topic
        self._item: MessageRef | None = None  # the one that is being read

    def read(self) -> Retained | None:
        """Give the retained publication; None if it is gone."""
        engine = self._engine
        kept = engine.topics.retained
        now = int(engine.clock.now() * 1000)
        item = kept.newest(self._topic, now)
        queue = kept.queue
        if item is None or queue is None:
            kept.forget_gone(self._topic)
            return None
        if self._item is None or self._item.sequence != item.sequence:
            self._item = item
        found = queue.describe(self._item, WHOLE)
        return unwrap(found.content, queue.expiry_of(found))


def _send(connection: Connection, subscription: Subscription, found: Retained) -> tuple[int, LogAddress]:
    engine = connection.engine

    begun: list[Publication] = []

    def begin() -> LogAddress | LongPut | None:
        settings = engine.topics.tree.settings(found.topic)
        if subscription.ended or not subscription.sees_past(settings.blocked):
            return None
        descriptor = found.descriptor.copy()
        descriptor.expiry = _left(found.expiry, int(engine.clock.now() * 1000))
        selector = subscription.selector
        if selector is not None and not selector.wants(descriptor, found.data):
            return None
        publication = Publication(engine, found.topic, settings, descriptor, found.data, None)
        publication.again = True
        publication.further = found.further
        publication.add(subscription)
        begun[:] = [publication]
        return publication.begin(connection, descriptor.persistence != 0)

    result = engine.run(begin)
    if result is None:
        return 0, NO_ADDRESS
    address = carry_out(connection, result) if isinstance(result, LongPut) else result
    if begun[0].missed:
        raise MQError(MQRC_RETAINED_NOT_DELIVERED, topic=found.topic)
    return 1, address


def carry_out(connection: Connection, long_put: LongPut) -> LogAddress:
    """Carry out the remaining steps of a put; gives the log address to wait for."""
    engine = connection.engine
    try:
        while True:
            done, address = engine.run(lambda: long_put.step(connection))
            if done:
                return address
    except BaseException:
        engine.run(lambda: long_put.abandon(connection))
        raise


def _left(expiry: int, now: int) -> int:
    """Give the remaining expiry of a message in tenths of a second, at least one."""
    return MQEI_UNLIMITED if not expiry else max(1, (expiry - now) // 100)
