"""MQPUT to a topic: finds who wants the publication, and gives each of them a copy.

A copy is the publication with a message id of its own, the correlation id and the context that the subscription has,
and the priority that it asks for. Which subscriptions must get theirs is what PMSGDLV and NPMSGDLV of the topic say:

    ALL        every one, or none does and the put fails with MQRC_PUBLICATION_FAILURE
    ALLDUR     the same for durable ones; others may miss it
    ALLAVAIL   whoever can get it does

A copy that cannot be put goes to the dead-letter queue, unless USEDLQ says no, and counts as given then. Where copies
belong together they are put in one unit of work, the program's or one of their own: a crash leaves all or none. In a
program's unit the copies of a publication that fails are taken back and the unit goes on.

A publication to many goes in steps, so that nobody else waits for the last of them.
"""

from typing import Final

from kew.codes import attributes as a
from kew.codes.completion import MQCC_WARNING
from kew.codes.errors import MQError
from kew.codes.options import (
    MQMF_LAST_MSG_IN_GROUP,
    MQMF_LAST_SEGMENT,
    MQMF_MSG_IN_GROUP,
    MQMF_SEGMENT,
    MQOT_TOPIC,
    MQPER_NOT_PERSISTENT,
    MQPER_PERSISTENCE_AS_Q_DEF,
    MQPER_PERSISTENT,
    MQPMO_FAIL_IF_QUIESCING,
    MQPMO_NOT_OWN_SUBS,
    MQPMO_RETAIN,
    MQPMO_SUPPRESS_REPLYTO,
    MQPMO_SYNCPOINT,
    MQPMO_WARN_IF_NO_SUBS_MATCHED,
    MQPRI_PRIORITY_AS_PUBLISHED,
    MQPRI_PRIORITY_AS_Q_DEF,
)
from kew.codes.reasons import (
    MQRC_ALIAS_TARGTYPE_CHANGED,
    MQRC_GROUPING_NOT_ALLOWED,
    MQRC_HOBJ_ERROR,
    MQRC_MSG_TOO_BIG_FOR_Q_MGR,
    MQRC_NO_SUBS_MATCHED,
    MQRC_NONE,
    MQRC_NOT_OPEN_FOR_OUTPUT,
    MQRC_PERSISTENCE_ERROR,
    MQRC_PRIORITY_ERROR,
    MQRC_PUBLICATION_FAILURE,
    MQRC_PUBSUB_INHIBITED,
    MQRC_PUT_INHIBITED,
    MQRC_PUT_NOT_RETAINED,
    MQRC_SEGMENTATION_NOT_ALLOWED,
    MQRC_SYNCPOINT_LIMIT_REACHED,
)
from kew.formats.mqmd import LENGTH, MessageDescriptor
from kew.mqi.connect import Connection, backed_out
from kew.mqi.deadletter import grave, letter
from kew.mqi.delivery import Delivery, cap_expiry, refusal
from kew.mqi.destination import addressed, find
from kew.mqi.engine import Engine
from kew.mqi.handles import Handle
from kew.mqi.longput import LongPut
from kew.mqi.options import check_publish
from kew.mqi.outlet import PutOutlet
from kew.mqi.put import complete
from kew.queues.private import TEMPORARY_DYNAMIC, PrivateQueue
from kew.selection.fields import MessageFields
from kew.storage.log import NO_ADDRESS, LogAddress
from kew.storage.pages.blob import SINGLE_PAGE
from kew.storage.stall import Stall
from kew.storage.unit import BEGIN, IN_BACKOUT, IN_FLIGHT, Unit
from kew.topics import retained
from kew.topics.marks import Marks
from kew.topics.space import Publisher
from kew.topics.subscription import ANY_CORRELATION, Subscription
from kew.topics.tree import Settings

HIGHEST_LEVEL: Final = 9  # of publications, and of the subscriptions that see them first
_HIGHEST_PRIORITY: Final = 9
_AT_A_TIME: Final = 256  # copies in one hold of the lock
_GROUPS: Final = MQMF_MSG_IN_GROUP | MQMF_LAST_MSG_IN_GROUP
_SEGMENTS: Final = MQMF_SEGMENT | MQMF_LAST_SEGMENT
_BLANK_48: Final = b" " * 48


class TopicOutlet(PutOutlet):
    """A topic that a program has open to publish on."""

    def __init__(self, publisher: Publisher) -> None:
        super().__init__()
        self.publisher = publisher
        self.level = HIGHEST_LEVEL  # PubLevel of the next publication

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
        now = engine.clock.now()
        found = engine.topics.found_by(publisher)
        own = connection.number if options & MQPMO_NOT_OWN_SUBS else 0
        chosen = choose(found, self.level, own, int(now * 1000), descriptor, data)
        unit = connection.unit_for_work() if options & MQPMO_SYNCPOINT else None
        publication = Publication(engine, publisher.topic, settings, descriptor, data, unit)
        publication.marks = publisher.marks
        if options & MQPMO_RETAIN:
            publication.retain()
        for subscription in chosen:
            publication.add(subscription)
        if not chosen and not options & MQPMO_RETAIN:
            engine.topics.counters.unmatched += 1
            if options & MQPMO_WARN_IF_NO_SUBS_MATCHED:
                raise MQError(MQRC_NO_SUBS_MATCHED, completion=MQCC_WARNING, topic=publisher.topic)
        result = publication.begin(connection, persistent)
        self.copies = len(publication.copies)
        publisher.publications += 1
        publisher.last = now
        engine.topics.counters.publications += 1
        return result


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
    persistence = descriptor.persistence
    if persistence == MQPER_PERSISTENCE_AS_Q_DEF:
        persistence = settings.persistence if handle.alias_values is None else handle.alias_persistence
        descriptor.persistence = persistence
    elif persistence != MQPER_NOT_PERSISTENT and persistence != MQPER_PERSISTENT:
        raise MQError(MQRC_PERSISTENCE_ERROR, persistence=persistence)
    priority = descriptor.priority
    if priority == MQPRI_PRIORITY_AS_Q_DEF:
        descriptor.priority = settings.priority if handle.alias_values is None else handle.alias_priority
    elif priority < 0 or priority > _HIGHEST_PRIORITY:
        raise MQError(MQRC_PRIORITY_ERROR, priority=priority)
    return persistence == MQPER_PERSISTENT


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
        if (own and subscription.owner == own) or subscription.has_expired(now):
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


class Copy:
    """What one subscription is to get, or what is to be retained."""

    def __init__(self, subscription: Subscription | None, delivery: Delivery, required: bool) -> None:
        self.subscription = subscription  # None for what is retained
        self.delivery = delivery
        self.required = required
        self.given = False
        self.dead = False  # it goes to the dead-letter queue


class Publication(LongPut):
    """A publication on its way to those who get it."""

    def __init__(
        self,
        engine: Engine,
        topic: str,
        settings: Settings,
        descriptor: MessageDescriptor,
        data: bytes,
        unit: Unit | None,
    ) -> None:
        self.engine = engine
        self.topic = topic
        self.settings = settings
        self.descriptor = descriptor
        self.data = data
        self.unit = unit
        self.marks: Marks | None = None  # None: not remembered from one publication to the next
        self.again = False  # it was retained and is sent to one who has asked
        self.own_unit = False  # the unit exists for this publication alone
        self.before = 0 if unit is None else len(unit.operations)
        self.copies: list[Copy] = []
        self.missed = 0  # subscriptions that could not be given their copy
        self.failure: MQError | None = None
        self._place = 0
        self._ended = False
        persistent = descriptor.persistence == MQPER_PERSISTENT
        self._rule = settings.persistent_delivery if persistent else settings.passing_delivery

    # -- what is to be put --------------------------------------------------------------------------------------------

    def retain(self) -> None:
        """Keep the publication for those who subscribe later."""
        queue = self.engine.queues.by_name.get(retained.QUEUE)
        if queue is None:
            raise MQError(MQRC_PUT_NOT_RETAINED, why=f"there is no queue {retained.QUEUE}")
        self.engine.topics.retained.queue = queue
        data = retained.wrap(self.topic, self.descriptor.correlation_id, self.data)
        kept = self.descriptor.copy()
        kept.message_id = self.engine.ids.next()
        reason = refusal(self.engine, queue, len(data), False)
        if reason != MQRC_NONE:
            raise MQError(MQRC_PUT_NOT_RETAINED, queue=queue.name, reason=reason)
        self.copies.append(Copy(None, Delivery(self.engine, queue, kept, data, self.unit), True))

    def add(self, subscription: Subscription) -> None:
        """Give a subscription its copy; one that cannot be put and must be fails the publication."""
        required = self._rule == a.MQDLV_ALL or (self._rule == a.MQDLV_ALL_DUR and subscription.durable)
        try:
            self.copies.append(Copy(subscription, self._delivery(self._copy(subscription), subscription), required))
        except MQError as error:
            dead = self._dead_letter(subscription, error.reason)
            if dead is None:
                self._missed(subscription, required, error.reason)
                return
            self.copies.append(Copy(subscription, dead, required))
            self.copies[-1].dead = True

    def _copy(self, subscription: Subscription) -> MessageDescriptor:
        copy = self.descriptor.copy()
        copy.message_id = self.engine.ids.next()
        if subscription.correlation_id != ANY_CORRELATION:
            copy.correlation_id = subscription.correlation_id
        if subscription.priority != MQPRI_PRIORITY_AS_PUBLISHED:
            copy.priority = subscription.priority
        copy.user_identifier = subscription.user_identifier
        copy.accounting_token = subscription.accounting_token
        copy.application_identity_data = subscription.identity_data
        return copy

    def _delivery(self, copy: MessageDescriptor, subscription: Subscription) -> Delivery:
        engine = self.engine
        name, manager = subscription.destination, subscription.destination_manager
        queue = engine.queues.by_name.get(name) if not manager else None
        marks = self.marks
        if marks is None:
            marks = self.marks = Marks(self.topic)
        data = marks.marked(copy, self.data, subscription.properties, subscription.user_data, self.again)
        if queue is None:
            destination = find(engine, name, manager)
            queue = destination.queue
            _suit(queue, copy)
            copy, data = addressed(engine, destination, copy, data)
            cap_expiry(copy, destination.expiry_cap)
        else:
            _suit(queue, copy)
        cap_expiry(copy, queue.expiry_cap)
        reason = refusal(engine, queue, len(self.data), copy.persistence == MQPER_PERSISTENT)
        if reason != MQRC_NONE:
            raise MQError(reason, queue=queue.name)
        return Delivery(engine, queue, copy, data, self.unit)

    def _dead_letter(self, subscription: Subscription, reason: int) -> Delivery | None:
        """Give a subscription's copy for the dead-letter queue, None where that is not to be or cannot be."""
        if not self.settings.dead_letters:
            return None
        engine = self.engine
        try:
            destination = grave(engine)
        except MQError:
            return None
        manager = subscription.destination_manager or engine.name
        copy, data = letter(engine, self._copy(subscription), self.data, subscription.destination, manager, reason)
        queue = destination.queue
        if copy.priority == MQPRI_PRIORITY_AS_Q_DEF:
            copy.priority = queue.default_priority
        if refusal(engine, queue, len(data), copy.persistence == MQPER_PERSISTENT) != MQRC_NONE:
            return None
        return Delivery(engine, queue, copy, data, self.unit)

    def _missed(self, subscription: Subscription, required: bool, reason: int) -> None:
        self.missed += 1
        self.engine.topics.counters.failed += 1
        if required:
            raise MQError(MQRC_PUBLICATION_FAILURE, subscription=subscription.name or "", reason=reason)

    # -- putting it ---------------------------------------------------------------------------------------------------

    def begin(self, connection: Connection, persistent: bool) -> LogAddress | LongPut:
        """Do what can be done at once. Stalls only with nothing changed."""
        copies, unit = self.copies, self.unit
        if not copies:
            return NO_ADDRESS
        short = LENGTH + max([len(copy.delivery.data) for copy in copies]) <= SINGLE_PAGE
        if unit is not None:
            if len(unit.operations) + len(copies) > self.engine.max_uncommitted:
                raise MQError(MQRC_SYNCPOINT_LIMIT_REACHED, messages=len(unit.operations))
        elif self._belong_together(persistent, short):
            self._begin_unit()
        if not short:
            return self
        try:
            done, address = self.step(connection)
        except Stall:
            if self._place:
                return self
            if self.own_unit and self.unit is not None:
                self.engine.units.forget(self.unit)
            raise
        return address if done else self

    def _belong_together(self, persistent: bool, short: bool) -> bool:
        if len(self.copies) == 1:
            return persistent and not short
        if persistent:
            return True
        required = [copy for copy in self.copies if copy.required and copy.subscription is not None]
        return bool(required)

    def _begin_unit(self) -> None:
        unit = self.engine.units.begin()
        self.unit = unit
        self.own_unit = True
        for copy in self.copies:
            copy.delivery.unit = unit

    def step(self, connection: Connection) -> tuple[bool, LogAddress]:
        """Put some more copies; at the end decide."""
        unit = self.unit
        if unit is not None and unit.forced_out:
            raise backed_out(unit)
        last = min(self._place + _AT_A_TIME, len(self.copies))
        while self._place < last and self.failure is None:
            copy = self.copies[self._place]
            try:
                if not copy.delivery.step():
                    return False, NO_ADDRESS
            except MQError as error:
                if self._buried(copy, error.reason):
                    continue
                self._failed(copy, error)
            else:
                self._given(copy)
            self._place += 1
        if self.failure is not None:
            self._undo()
            raise self.failure
        if self._place < len(self.copies):
            return False, NO_ADDRESS
        return True, self._end()

    def _buried(self, copy: Copy, reason: int) -> bool:
        """Let a copy that could not be put go to the dead-letter queue instead; says whether it may."""
        if copy.dead or copy.subscription is None:
            return False
        dead = self._dead_letter(copy.subscription, reason)
        if dead is None:
            return False
        copy.delivery = dead
        copy.dead = True
        return True

    def _failed(self, copy: Copy, error: MQError) -> None:
        subscription = copy.subscription
        if subscription is None:
            self.failure = MQError(MQRC_PUT_NOT_RETAINED, topic=self.topic, reason=error.reason)
            return
        try:
            self._missed(subscription, copy.required, error.reason)
        except MQError as failure:
            self.failure = failure

    def _given(self, copy: Copy) -> None:
        copy.given = True
        item = copy.delivery.item
        if copy.subscription is None and item is not None:
            self.engine.topics.retained.kept(self.topic, item)

    def _end(self) -> LogAddress:
        engine, unit = self.engine, self.unit
        address = NO_ADDRESS
        if unit is None:
            for copy in self.copies:
                delivery = copy.delivery
                if delivery.persistent and copy.given:
                    address = engine.store.latest
            for copy in self.copies:
                copy.delivery.announce()
        elif self.own_unit:
            address = engine.units.commit(unit)
            engine.queues.unit_ended()
        if not self._ended:
            self._ended = True
            self._count()
        return address

    def _count(self) -> None:
        engine = self.engine
        now = engine.clock.now()
        counters = engine.topics.counters
        for copy in self.copies:
            subscription = copy.subscription
            if subscription is None:
                tidy(engine, self.topic)
            elif copy.given:
                subscription.messages += 1
                subscription.last_message = now
                counters.copies += 1

    def _undo(self) -> None:
        unit, units = self.unit, self.engine.units
        if unit is None:
            return
        if not self.own_unit:
            units.undo_to(unit, self.before)
        elif unit.state == BEGIN:
            units.forget(unit)
        elif unit.state == IN_FLIGHT or unit.state == IN_BACKOUT:
            units.backout(unit)

    def abandon(self, connection: Connection) -> None:
        """Give it up, unless it is decided; copies that were put out of syncpoint stay."""
        unit = self.unit
        if unit is not None and unit.forced_out:
            return  # given up with its unit
        if self._place < len(self.copies) and (unit is None or unit.state <= IN_FLIGHT):
            self.copies[self._place].delivery.abandon()
        self._undo()


def _suit(queue: PrivateQueue, copy: MessageDescriptor) -> None:
    """Make a copy such that its queue can have it: no persistent message is on a temporary queue."""
    if queue.dynamic == TEMPORARY_DYNAMIC:
        copy.persistence = MQPER_NOT_PERSISTENT
    if copy.priority == MQPRI_PRIORITY_AS_Q_DEF:
        copy.priority = queue.default_priority


def tidy(engine: Engine, topic: str) -> None:
    """Take away what is no longer the retained publication of a topic. What stalls is left for another time."""
    kept = engine.topics.retained
    queue = kept.queue
    if queue is None:
        return
    try:
        kept.forget_gone(topic)
        for item in kept.outdated(topic):
            engine.store.load_runs(item)
            queue.take(item, None)
        kept.forget_gone(topic)
    except Stall:
        return
