"""A publication: its copies for subscriptions, and the retained publication.

A copy is the publication with a new message id, and with the correlation id, context and priority of its subscription.
PMSGDLV and NPMSGDLV of the topic say which subscriptions must get their copies:

    ALL        every one, or none does and the put fails with MQRC_PUBLICATION_FAILURE
    ALLDUR     the same for durable ones; others may miss it
    ALLAVAIL   every subscription that can get it does

A copy that cannot be put goes to the dead-letter queue, unless USEDLQ forbids it, and then counts as delivered. Copies
that must all be delivered are put in one unit of work, the program's or one of their own: a crash leaves all or none.
In a program's unit the copies of a failed publication are undone and the unit continues.

A copy for a queue with a stream is copied to the stream queue as well; with MUSTDUP both copies are in one unit of
work. A publisher that asks for COA gets a report for each copy (`delivery/followups.py`).

A publication with many copies is put in steps, so that other verbs need not wait for the last copy.
"""

from typing import Final

from kew.codes.attributes import MQDLV_ALL, MQDLV_ALL_DUR
from kew.codes.errors import MQError
from kew.codes.options import (
    MQPER_NOT_PERSISTENT,
    MQPER_PERSISTENCE_AS_Q_DEF,
    MQPER_PERSISTENT,
    MQPRI_PRIORITY_AS_Q_DEF,
    MQRO_COA,
)
from kew.codes.reasons import (
    MQRC_PUBLICATION_FAILURE,
    MQRC_PUT_NOT_RETAINED,
    MQRC_SYNCPOINT_LIMIT_REACHED,
)
from kew.formats.mqmd import LENGTH, MessageDescriptor
from kew.mqi.connections.connection import Connection
from kew.mqi.delivery.deadletter import grave, letter
from kew.mqi.delivery.delivery import QueueDelivery, cap_expiry, refuse
from kew.mqi.delivery.destination import addressed, find
from kew.mqi.delivery.followups import FollowUpPut
from kew.mqi.delivery.longput import LongPut
from kew.mqi.engine import Engine
from kew.mqi.publishing.copytemplate import CopyTemplate, fill
from kew.queues.queue import TEMPORARY_DYNAMIC, Queue
from kew.queues.store import AT_ONCE
from kew.storage.log import NO_ADDRESS, LogAddress
from kew.storage.recovery.attempt import Attempt
from kew.storage.stall import Stall
from kew.storage.unit import Unit
from kew.topics import retained
from kew.topics.copyproperties import CopyProperties
from kew.topics.registration import AS_PUBLISHED
from kew.topics.subscription import Subscription
from kew.topics.tree import Settings

_AT_A_TIME: Final = 256  # copies in one hold of the lock


class Copy:
    """The copy for one subscription, or the message to be retained."""

    def __init__(self, subscription: Subscription | None, delivery: QueueDelivery, required: bool) -> None:
        self.subscription = subscription  # None for the retained publication
        self.delivery = delivery
        self.required = required
        self.dead = False  # it goes to the dead-letter queue
        self.whole: FollowUpPut | None = None  # the copy with its follow-up messages, if it has any
        self.failure: MQError | None = None  # for which it is given up


class Publication(LongPut):
    """A publication and the state of its copies."""

    def __init__(
        self,
        engine: Engine,
        topic: str,
        settings: Settings,
        descriptor: MessageDescriptor,
        data: bytes,
        unit: Unit | None,
    ) -> None:
        super().__init__(None if unit is None else Attempt(engine.units, unit))
        self.engine = engine
        self.topic = topic
        self.settings = settings
        self.descriptor = descriptor
        self.data = data
        self.unit = unit
        self.marks: CopyProperties | None = None  # None: not remembered from one publication to the next
        self.streams = True  # to queues with a stream the copies are copied; False where this is such a copy
        self.further = ""  # the publisher's further names and values, for copies with an MQRFH
        self.again = False  # it is a retained publication, sent on request
        self.targets: list[
            Subscription | None
        ] = []  # the subscriptions that get a copy; None is for the retained publication
        self.missed = 0  # subscriptions that could not be given their copy
        self.failure: MQError | None = None
        self._persists = False  # a copy may be persistent though the publication is not
        self._given: list[Subscription] = []
        self._place = 0  # of the target that is next
        self._current: Copy | None = None  # its copy, once that is made
        self._template: CopyTemplate | None = None  # of the latest copies
        self._first = True  # in the hold of the lock in which it has begun
        self._changed = False  # something of it is put
        self._logged = False  # something persistent, out of syncpoint
        self._address = NO_ADDRESS  # of the latest unit for one copy and its follow-up messages
        self._ended = False
        persistent = descriptor.persistence == MQPER_PERSISTENT
        self._rule = settings.persistent_delivery if persistent else settings.passing_delivery

    def retain(self) -> None:
        """Keep the publication as the retained one; called before the first subscription is added."""
        self.targets.append(None)

    def add(self, subscription: Subscription) -> None:
        """Add a copy for a subscription."""
        self.targets.append(subscription)
        if subscription.persistence != AS_PUBLISHED:
            self._persists = True

    # -- what is put --------------------------------------------------------------------------------------------------

    def _is_required(self, subscription: Subscription) -> bool:
        return self._rule == MQDLV_ALL or (self._rule == MQDLV_ALL_DUR and subscription.durable)

    def _make(self, target: Subscription | None) -> Copy | None:
        """Give the copy for a target, or its dead letter; if neither can be made, note the failure and give None."""
        try:
            if target is None:
                return Copy(None, self._retained(), True)
            if target.ended:  # meanwhile
                return None
            return Copy(target, self._delivery(target), self._is_required(target))
        except MQError as error:
            dead = self._dead_letter(target, error.reason) if target is not None else None
            if target is not None and dead is not None:
                copy = Copy(target, dead, self._is_required(target))
                copy.dead = True
                return copy
            self._failed(target, error)
            return None

    def _retained(self) -> QueueDelivery:
        engine = self.engine
        queue = engine.queues.by_name.get(retained.QUEUE)
        if queue is None:
            raise MQError(MQRC_PUT_NOT_RETAINED, why=f"there is no queue {retained.QUEUE}")
        engine.topics.retained.queue = queue
        data = retained.wrap(self.topic, self.descriptor.correlation_id, self.data, self.further)
        kept = self.descriptor.copy()
        kept.message_id = engine.ids.next()
        refuse(engine, queue, len(data), False)
        return QueueDelivery(engine, queue, kept, data, self.unit)

    def _delivery(self, subscription: Subscription) -> QueueDelivery:
        engine = self.engine
        name, manager = subscription.destination, subscription.destination_manager
        queue = engine.queues.by_name.get(name) if not manager else None
        template = self._template
        if template is None or not template.suits(subscription):
            marks = self.marks
            if marks is None:
                marks = self.marks = CopyProperties(self.topic)
            template = CopyTemplate(marks, self.descriptor, self.data, subscription, self.again, self.further)
            self._template = template
        copy = template.copy_for(subscription, engine.ids.next())
        data = template.data
        if queue is None:
            destination = find(engine, name, manager)
            queue = destination.queue
            _suit(queue, copy)
            copy, data = addressed(engine, destination, copy, data)
            cap_expiry(copy, destination.expiry_cap)
        else:
            _suit(queue, copy)
        cap_expiry(copy, queue.expiry_cap)
        refuse(engine, queue, len(self.data), copy.persistence == MQPER_PERSISTENT)
        delivery = QueueDelivery(engine, queue, copy, data, self.unit)
        if copy is template.descriptor:
            delivery.template = template.template
        return delivery

    def _dead_letter(self, subscription: Subscription, reason: int) -> QueueDelivery | None:
        """Give the copy for the dead-letter queue; None if USEDLQ forbids that or the queue cannot take it."""
        if not self.settings.dead_letters:
            return None
        engine = self.engine
        try:
            destination = grave(engine)
            manager = subscription.destination_manager or engine.name
            described = self.descriptor.copy()
            fill(described, self.descriptor, subscription, engine.ids.next())
            copy, data = letter(engine, described, self.data, subscription.destination, manager, reason)
            queue = destination.queue
            _suit(queue, copy)
            refuse(engine, queue, len(data), copy.persistence == MQPER_PERSISTENT)
        except MQError:
            return None
        return QueueDelivery(engine, queue, copy, data, self.unit)

    def _failed(self, target: Subscription | None, error: MQError) -> None:
        """Note that a target got neither its copy nor a dead letter; the delivery option may fail the publication."""
        if target is None:
            self.failure = MQError(MQRC_PUT_NOT_RETAINED, topic=self.topic, reason=error.reason)
            return
        self.missed += 1
        self.engine.topics.counters.failed += 1
        if self._is_required(target):
            self.failure = MQError(MQRC_PUBLICATION_FAILURE, subscription=target.name, reason=error.reason)

    # -- putting it ---------------------------------------------------------------------------------------------------

    def is_for_many(self) -> bool:
        """Give True: the put has many destinations."""
        return True

    def begin(self, connection: Connection, persistent: bool) -> LogAddress | LongPut:
        """Begin the publication, as far as that is possible at once. Stalls only with nothing changed."""
        targets, unit = self.targets, self.unit
        if not targets:
            return NO_ADDRESS
        persistent = persistent or self._persists
        if unit is not None:
            if len(unit.operations) + len(targets) > self.engine.max_uncommitted:
                raise MQError(MQRC_SYNCPOINT_LIMIT_REACHED, messages=len(unit.operations))
        elif len(targets) > 1:
            if persistent or self._has_required():
                self._begin_unit()
        elif persistent:
            copy = self._current = self._make(targets[0])
            if copy is None:
                self._place = 1  # it gets no copy: PMSGDLV decides what follows
            elif _is_long(copy):
                self._begin_unit()
                copy.delivery.unit = self.unit
        try:
            done, address = self.step(connection)
        except Stall:
            current = self._current
            if self._changed or (current is not None and current.delivery.done):
                return self
            if current is not None and current.whole is not None:
                current.whole.abandon(connection)
            self._give_up()
            raise
        finally:
            self._first = False
        return address if done else self

    def _has_required(self) -> bool:
        if self._rule == MQDLV_ALL:
            return True
        return bool([each for each in self.targets if each is not None and self._is_required(each)])

    def _begin_unit(self) -> None:
        self.attempt = Attempt(self.engine.units, None)
        self.unit = self.attempt.unit

    def advance(self, connection: Connection) -> bool:
        """Put some more copies; says whether all are put."""
        last = min(self._place + _AT_A_TIME, len(self.targets))
        while self._place < last and self.failure is None:
            copy = self._current
            if copy is None:
                copy = self._make(self.targets[self._place])
                self._current = copy
            if copy is not None:
                if self._first and _is_long(copy):
                    return False  # it is not begun where it could stall half way
                try:
                    if copy.failure is None:
                        if not self._put(connection, copy):
                            return False
                        self._gave(copy)
                except MQError as error:
                    if copy.whole is not None and copy.whole.absorb(error):
                        continue
                    copy.failure = error
                if copy.failure is not None and self._gave_up(connection, copy, copy.failure):
                    continue
                self._current = None
            self._place += 1
        if self.failure is not None:
            self._give_up()
            raise self.failure
        return self._place == len(self.targets)

    def _put(self, connection: Connection, copy: Copy) -> bool:
        """Take a step with a copy and its follow-up messages; says whether they are put."""
        delivery, subscription = copy.delivery, copy.subscription
        if copy.dead or subscription is None or not self.streams:
            return delivery.step()
        if delivery.queue.stream is None and not delivery.descriptor.report & MQRO_COA:
            return delivery.step()
        if copy.whole is None:
            copy.whole = FollowUpPut(subscription.stream_failures, delivery)
        done, address = copy.whole.step(connection)
        if address > self._address:
            self._address = address
        return done

    def _gave_up(self, connection: Connection, copy: Copy, failure: MQError) -> bool:
        """Abandon a copy that could not be put; says whether it goes to the dead-letter queue instead. May stall."""
        if copy.whole is not None:
            copy.whole.abandon(connection)
            copy.whole = None
        if self._buried(copy, failure.reason):
            return True
        self._failed(copy.subscription, failure)
        return False

    def _gave(self, copy: Copy) -> None:
        self._changed = True
        delivery = copy.delivery
        if copy.subscription is not None:
            self._given.append(copy.subscription)
        elif delivery.item is not None:
            self.engine.topics.retained.kept(self.topic, delivery.item)
        if self.unit is None:
            self._logged = self._logged or delivery.persistent
            if copy.whole is None:  # else the gets that wait have been served
                delivery.announce()

    def _buried(self, copy: Copy, reason: int) -> bool:
        """Replace a copy that could not be put by a dead letter; says whether that is possible."""
        if copy.dead or copy.subscription is None:
            return False
        dead = self._dead_letter(copy.subscription, reason)
        if dead is None:
            return False
        copy.delivery = dead
        copy.failure = None
        copy.dead = True
        return True

    def end(self, engine: Engine) -> LogAddress:
        """Commit the copies, and count them."""
        if self.attempt is not None:
            address = self.attempt.commit()
        else:
            address = engine.latest() if self._logged else self._address
        if not self._ended:
            self._ended = True
            self._count()
        return address

    def _count(self) -> None:
        engine = self.engine
        now = engine.clock.now()
        engine.topics.counters.copies += len(self._given)
        for subscription in self._given:
            subscription.messages += 1
            subscription.last_message = now
        if self.targets[0] is None:
            tidy(engine, self.topic)

    def _give_up(self) -> None:
        if self.attempt is not None:
            self.attempt.give_up()

    def let_go(self, connection: Connection) -> None:
        """Abandon the copy between two steps; copies put out of syncpoint stay."""
        current = self._current
        if current is not None and current.whole is not None:
            current.whole.abandon(connection)
        elif current is not None:
            current.delivery.abandon()


def _is_long(copy: Copy) -> bool:
    return LENGTH + len(copy.delivery.data) > AT_ONCE


def _suit(queue: Queue, copy: MessageDescriptor) -> None:
    """Adapt a copy to its queue: a temporary dynamic queue gets no persistent message."""
    if copy.persistence == MQPER_PERSISTENCE_AS_Q_DEF:
        copy.persistence = queue.default_persistence
    if queue.dynamic == TEMPORARY_DYNAMIC:
        copy.persistence = MQPER_NOT_PERSISTENT
    if copy.priority == MQPRI_PRIORITY_AS_Q_DEF:
        copy.priority = queue.default_priority


def tidy(engine: Engine, topic: str) -> None:
    """Remove messages that are no longer retained publications of a topic; a removal that stalls is left for later."""
    kept = engine.topics.retained
    queue = kept.queue
    if queue is None:
        return
    try:
        kept.forget_gone(topic)
        for item in kept.outdated(topic):
            queue.take(item, None)
        kept.forget_gone(topic)
    except Stall:
        return
