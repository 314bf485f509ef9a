"""Connections, queues and subscriptions of a client, for either driver.

Each verb is described by a Call, made here from the program's arguments. The blocking and the asyncio client carry
calls out; after a reconnection the objects recorded here are opened again.
"""

import copy
import itertools
from collections.abc import Callable, Sequence
from typing import Final, Generic, TypedDict, TypeVar, Unpack
from weakref import WeakValueDictionary

from kew.channels.protocol.options import GetOptions, PutOptions
from kew.channels.protocol.structures import ObjectDescriptor, StatusReport
from kew.channels.protocol.subscription import SubscriptionDescriptor
from kew.client import readahead, requests
from kew.client.arguments import body_of
from kew.client.attempts import Making
from kew.client.consume import Wanted, consume
from kew.client.effects import Driver, Established, Script
from kew.client.link import Operation
from kew.client.openobject import OpenObject
from kew.client.received import Received
from kew.client.recovery import (
    Call,
    Recovery,
    check_subscription,
    identify,
    in_doubt,
    look_who,
    open_again,
    restoring,
    to_open_again,
    to_subscribe_again,
)
from kew.client.verbs import Inquired, Verbs
from kew.codes.errors import MQError
from kew.codes.options import MQGMO_SYNCPOINT, MQGMO_SYNCPOINT_IF_PERSISTENT, MQOO_INQUIRE, MQPMO_SYNCPOINT
from kew.codes.structures import MQHO_UNUSABLE_HOBJ
from kew.formats.mqmd import MessageDescriptor
from kew.protection.counters import Counters

IN_UNIT: Final = MQGMO_SYNCPOINT | MQGMO_SYNCPOINT_IF_PERSISTENT

T = TypeVar("T")
D = TypeVar("D", bound=Driver)
Q = TypeVar("Q", bound="AnyQueue")
Special = TypeVar("Special", bound="AnyQueue")
S = TypeVar("S", bound="AnySubscription")


# A queue, the descriptor that a get matches, its options, and the length of the program's buffer.
QueueWanted = tuple["AnyQueue", MessageDescriptor, GetOptions, int]


class OpenArguments(TypedDict, total=False):
    """Further arguments of opening a queue, besides its name and MQOO_*."""

    queue_manager: str
    dynamic_name: str
    selector: str
    read_ahead: bool


class PutArguments(TypedDict, total=False):
    """The arguments of a put: under syncpoint, asynchronous, or by options of the program's own."""

    syncpoint: bool
    asynchronous: bool
    options: PutOptions | None


class Put1Arguments(TypedDict, total=False):
    """The arguments of an MQPUT1 to a queue, with the queue manager of that queue."""

    syncpoint: bool
    options: PutOptions | None
    queue_manager: str


class GetArguments(TypedDict, total=False):
    """The arguments of a get: match and wait as keywords, or options and a descriptor of the program's own."""

    message_id: bytes
    correlation_id: bytes
    syncpoint: bool
    max_length: int
    truncate: bool
    options: GetOptions | None
    descriptor: MessageDescriptor | None


class SubscribeArguments(TypedDict, total=False):
    """Further arguments of a subscription, besides its topic string."""

    topic: str
    name: str
    selector: str
    options: int


class AnyQueue:
    """An open object."""

    def __init__(self, opened: OpenObject) -> None:
        self.opened = opened
        self.asked = opened.target  # the descriptor that opens it again, with reconnection

    @property
    def name(self) -> str:
        """The object's name; for a dynamic queue, the generated name."""
        return self.opened.name

    def putting(self, descriptor: MessageDescriptor, options: PutOptions, data: bytes) -> Call[None]:
        """Make the call of an MQPUT, which completes the descriptor."""
        body = body_of(data)
        doubtful = in_doubt(descriptor.persistence, options.options)
        unit = options.options & MQPMO_SYNCPOINT != 0
        return Call(lambda verbs: verbs.put(self.opened, descriptor, options, body), doubtful, unit)

    def getting(self, descriptor: MessageDescriptor, options: GetOptions, max_length: int) -> Call[Received]:
        """Make the call of an MQGET for a message that matches the descriptor."""
        unit = options.options & IN_UNIT != 0
        return Call(lambda verbs: verbs.get(self.opened, descriptor, options, max_length), False, unit)

    def inquiring(self, selectors: list[int]) -> Call[Inquired]:
        """Make the call of an MQINQ."""
        return Call(lambda verbs: verbs.inquire(self.opened, selectors))

    def setting(self, values: dict[int, int | str]) -> Call[None]:
        """Make the call of an MQSET."""
        return Call(lambda verbs: verbs.set_attributes(self.opened, values))

    def closing(self, options: int) -> Call[None]:
        """Make the call of an MQCLOSE."""
        return Call(lambda verbs: verbs.close(self.opened, options))


class AnySubscription:
    """A subscription and the queue of its publications."""

    def __init__(self, opened: OpenObject, queue: AnyQueue) -> None:
        self.opened = opened
        self.destination = queue
        self.answer = SubscriptionDescriptor()  # the program's descriptor as the queue manager completed it
        self.provided = False  # the queue is one that the program had opened
        self.asked: SubscriptionDescriptor | None = None  # the descriptor that makes it again, with reconnection

    def requesting(self, action: int) -> Call[int]:
        """Make the call of an MQSUBRQ."""
        return Call(lambda verbs: verbs.request_publications(self.opened, action))

    def closing(self, options: int) -> Call[None]:
        """Make the call of an MQCLOSE."""
        return Call(lambda verbs: verbs.close(self.opened, options))


class AnyConnection(Generic[D, Q, S]):
    """A connection: its driver and verbs, and with reconnection the objects to open again."""

    def __init__(self, established: Established[D]) -> None:
        self.driver = established.driver
        self.verbs = established.verbs
        self._recovery: Recovery | None = None
        self._make: Making | None = None  # reconnects when the connection breaks
        self._numbers = itertools.count()
        self._queues: WeakValueDictionary[int, AnyQueue] = WeakValueDictionary()
        # Open subscriptions, also where the program keeps only the queue.
        self._subscriptions: list[AnySubscription] = []
        # Queues that came with subscriptions.
        self._destinations: WeakValueDictionary[int, AnyQueue] = WeakValueDictionary()
        # States of asynchronous consumption; None for the connection's.
        self._announced: dict[AnyQueue | None, int] = {}

    def queue_of(self, opened: OpenObject) -> Q:
        """Make the program's queue for an opened object."""
        raise NotImplementedError

    def subscription_of(self, opened: OpenObject, queue: Q) -> S:
        """Make the program's subscription for an opened subscription and its queue."""
        raise NotImplementedError

    @property
    def protection_counters(self) -> Counters | None:
        """Counts of message protection on this connection; None while no queue with a policy was opened."""
        return self.verbs.protection_counters

    @property
    def quiescing(self) -> bool:
        """True after the queue manager has said that it is about to end."""
        return self.verbs.link.quiescing

    @property
    def reconnects(self) -> bool:
        """True if the client reconnects when the connection breaks."""
        return self._recovery is not None

    # Reconnection.

    def keeping_up(self, make: Making, recovery: Recovery | None) -> Operation[None]:
        """Reconnect from now on when the connection breaks, if there is a recovery."""
        if recovery is None:
            return
        if recovery.same_manager:
            recovery.recognise((yield from identify(self.verbs)))
        self._make, self._recovery = make, recovery

    @property
    def standing(self) -> bool:
        """True unless the connection is known to be broken."""
        return self.verbs.link.failure is None

    def restoring(self, recovery: Recovery) -> Script[None]:
        """Connect again and open all objects again."""
        assert self._make is not None
        fresh: Established[D] = yield from restoring(
            self.driver, self._make, recovery, lambda verbs: self.reopening(verbs, recovery)
        )
        self.driver, self.verbs = fresh.driver, fresh.verbs

    def reopening(self, verbs: Verbs, recovery: Recovery) -> Operation[None]:
        """Open all objects again on the verbs of the connection that replaces this one."""
        yield from look_who(verbs, recovery)
        again: dict[AnyQueue, OpenObject] = {}
        for queue in [each for each in self._queues.values() if not each.opened.closed]:
            again[queue] = yield from open_again(verbs, queue.asked, queue.opened)
        subscriptions = [each for each in self._subscriptions if not each.opened.closed]
        made: list[OpenObject] = []
        for subscription in subscriptions:
            made.append((yield from _subscribe_again(verbs, subscription, again)))
        for queue in list(self._destinations.values()):
            if not queue.opened.closed and queue not in again:  # its subscription was closed, so the queue is gone
                again[queue] = OpenObject(MQHO_UNUSABLE_HOBJ, queue.opened.target, 0)
        for announced, state in self._announced.items():
            if announced is None or announced in again:  # except where it was closed
                yield from verbs.announce(0 if announced is None else again[announced].handle, state)
        for queue, opened in again.items():
            queue.opened = opened
        for subscription, opened in zip(subscriptions, made, strict=True):
            subscription.opened = opened

    # Objects.

    def opening_queue(
        self,
        queue: str,
        options: int,
        *,
        queue_manager: str = "",
        dynamic_name: str = "AMQ.*",
        selector: str = "",
        read_ahead: bool = False,
    ) -> Call[Q]:
        """Make the call of an MQOPEN of a queue."""
        return self.opening(requests.queue_object(queue, queue_manager, dynamic_name, selector), options, read_ahead)

    def opening(self, target: ObjectDescriptor, options: int, read_ahead: bool = False) -> Call[Q]:
        """Make the call of an MQOPEN of any object."""
        return self.opening_as(self.queue_of, target, options, read_ahead)

    def opening_as(
        self, made: Callable[[OpenObject], Special], target: ObjectDescriptor, options: int, read_ahead: bool = False
    ) -> Call[Special]:
        """Make the call of an MQOPEN of any object; `made` makes the program's queue of the opened object."""
        asked = copy.copy(target)

        def begin(verbs: Verbs) -> Operation[Special]:
            opened = yield from verbs.open(target, options)
            if read_ahead and verbs.link.session.multiplexed and opened.protection is None:
                opened.window = readahead.window_of(opened.options, opened.read_ahead, wanted=True)
            queue = made(opened)
            if self._recovery is not None:
                queue.asked = to_open_again(asked, opened.target)
                self._queues[next(self._numbers)] = queue
            return queue

        return Call(begin)

    def inquiring(self, selectors: list[int]) -> Call[Inquired]:
        """Make the call of an MQINQ of the queue manager."""

        def begin(verbs: Verbs) -> Operation[Inquired]:
            opened = yield from verbs.open(requests.queue_manager_object(), MQOO_INQUIRE)
            try:
                values = yield from verbs.inquire(opened, selectors)
            except MQError:
                if verbs.link.ready:
                    yield from verbs.close(opened)
                raise
            yield from verbs.close(opened)
            return values

        return Call(begin)

    def telling_status(self, status_type: int) -> Call[StatusReport]:
        """Make the call of an MQSTAT."""
        return Call(lambda verbs: verbs.status(status_type))

    def announcing(self, queue: AnyQueue | None, state: int) -> Call[None]:
        """Make the call that reports the state of asynchronous consumption, now and after each reconnection."""
        self._announced[queue] = state
        if queue is not None and not state:
            del self._announced[queue]
        return Call(lambda verbs: verbs.announce(0 if queue is None else queue.opened.handle, state))

    # Messages and units of work.

    def putting_one(
        self, target: ObjectDescriptor, descriptor: MessageDescriptor, options: PutOptions, data: bytes
    ) -> Call[None]:
        """Make the call of an MQPUT1, which completes the descriptor."""
        body = body_of(data)
        doubtful = in_doubt(descriptor.persistence, options.options)
        unit = options.options & MQPMO_SYNCPOINT != 0
        return Call(lambda verbs: verbs.put1(target, descriptor, options, body), doubtful, unit)

    def putting_one_to(
        self,
        queue: str,
        descriptor: MessageDescriptor,
        data: bytes,
        *,
        queue_manager: str = "",
        **how: Unpack[PutArguments],
    ) -> Call[None]:
        """Make the call of an MQPUT1 to a queue."""
        target = requests.queue_object(queue, queue_manager)
        return self.putting_one(target, descriptor, requests.put_options_of(**how), data)

    def consuming(
        self, wanted: Sequence[QueueWanted], stopped: Callable[[], bool]
    ) -> Call[tuple[int, Received] | None]:
        """Make the call that waits for a message on one of several queues; gives the queue's position with it."""

        def begin(verbs: Verbs) -> Operation[tuple[int, Received] | None]:
            asked = [Wanted(queue.opened, md, options, length) for queue, md, options, length in wanted]
            found = yield from consume(verbs, asked, stopped)
            if found is not None and self._recovery is not None and wanted[found[0]][2].options & IN_UNIT:
                self._recovery.unit = True
            return found

        return Call(begin)

    def committing(self) -> Call[None]:
        """Make the call of an MQCMIT."""
        doubtful = self._recovery is not None and self._recovery.unit
        return Call(lambda verbs: verbs.commit(), doubtful, False, doubtful)

    def backing_out(self) -> Call[None]:
        """Make the call of an MQBACK."""
        if self._recovery is not None:
            self._recovery.unit = False  # a broken connection has closed them already
        return Call(lambda verbs: verbs.back_out())

    # Publish and subscribe.

    def subscribing_to(self, topic_string: str, queue: Q | None, **more: Unpack[SubscribeArguments]) -> Call[S]:
        """Make the call of an MQSUB to a topic."""
        return self.subscribing(requests.subscription(topic_string, managed=queue is None, **more), queue)

    def subscribing(self, descriptor: SubscriptionDescriptor, queue: Q | None) -> Call[S]:
        """Make the call of an MQSUB."""
        if self._recovery is not None:
            check_subscription(descriptor.options, self._recovery.same_manager)

        def begin(verbs: Verbs) -> Operation[S]:
            given = None if queue is None else queue.opened
            where, opened, answer = yield from verbs.subscribe(descriptor, given)
            made = self.subscription_of(opened, queue if queue is not None else self.queue_of(where))
            made.answer = answer
            if self._recovery is not None:
                self._remember(made, to_subscribe_again(descriptor, answer), queue is not None)
            return made

        return Call(begin)

    def _remember(self, made: AnySubscription, asked: SubscriptionDescriptor, provided: bool) -> None:
        """Record a subscription that was made."""
        made.asked, made.provided = asked, provided
        self._subscriptions = [each for each in self._subscriptions if not each.opened.closed]
        self._subscriptions.append(made)
        if not provided:
            self._destinations[next(self._numbers)] = made.destination


def _subscribe_again(
    verbs: Verbs, subscription: AnySubscription, again: dict[AnyQueue, OpenObject]
) -> Operation[OpenObject]:
    """Make a subscription again; a queue that is not provided by the program is added to `again`."""
    assert subscription.asked is not None
    queue = subscription.destination
    given = again.get(queue) if subscription.provided else None
    if subscription.provided and given is None:  # the program has closed it since
        given = yield from open_again(verbs, queue.asked, queue.opened)
    where, opened, _answer = yield from verbs.subscribe(subscription.asked, given)
    if queue.opened.closed:
        yield from verbs.close(where)
    elif not subscription.provided:
        again[queue] = where
    return opened
