"""What the blocking and the asyncio client have in common: verbs as calls, and what outlives a connection that breaks.

A call says how its verb is begun on a connection's verbs, rather than being begun already: where the connection breaks
and is made anew, the verb is begun once more, on the new one and with the handles as they are open there.
"""

import copy
import weakref
from collections.abc import Callable
from typing import Final, Generic, NamedTuple, TypeVar

from kew.channels.protocol.options import GetOptions, PutOptions
from kew.channels.protocol.structures import ObjectDescriptor
from kew.channels.protocol.subscription import SubscriptionDescriptor
from kew.client import readahead
from kew.client.link import Operation
from kew.client.opened import Opened
from kew.client.received import Received
from kew.client.recovery import (
    Recovery,
    check_subscription,
    in_doubt,
    look_who,
    open_again,
    to_open_again,
    to_subscribe_again,
)
from kew.client.verbs import Verbs
from kew.codes.options import MQGMO_SYNCPOINT, MQGMO_SYNCPOINT_IF_PERSISTENT, MQPMO_SYNCPOINT
from kew.codes.structures import MQHO_UNUSABLE_HOBJ
from kew.formats.mqmd import MessageDescriptor

IN_UNIT: Final = MQGMO_SYNCPOINT | MQGMO_SYNCPOINT_IF_PERSISTENT

T = TypeVar("T")


class Call(NamedTuple, Generic[T]):
    """A verb that may have to be begun more than once."""

    begin: Callable[[Verbs], Operation[T]]
    doubtful: bool = False  # nobody could say after a break whether it was done
    unit: bool = False  # it belongs to a unit of work, which a break backs out


class Handle:
    """An open object."""

    def __init__(self, opened: Opened) -> None:
        self.opened = opened
        self.asked = opened.target  # by what it is opened again, where that is done

    @property
    def name(self) -> str:
        """The object's name; of a dynamic queue the one it was given."""
        return self.opened.name

    def putting(self, descriptor: MessageDescriptor, options: PutOptions, data: bytes) -> Call[None]:
        """MQPUT; the descriptor is completed by it."""
        doubtful = in_doubt(descriptor.persistence, options.options)
        unit = options.options & MQPMO_SYNCPOINT != 0
        return Call(lambda verbs: verbs.put(self.opened, descriptor, options, data), doubtful, unit)

    def getting(self, descriptor: MessageDescriptor, options: GetOptions, max_length: int) -> Call[Received]:
        """MQGET of a message that matches the descriptor."""
        unit = options.options & IN_UNIT != 0
        return Call(lambda verbs: verbs.get(self.opened, descriptor, options, max_length), False, unit)


class Interest:
    """A subscription, and the queue on which its publications arrive."""

    def __init__(self, opened: Opened, queue: Handle) -> None:
        self.opened = opened
        self.destination = queue
        self.provided = False  # the queue is one that the program had opened
        self.asked: SubscriptionDescriptor | None = None  # by what it is made again, where that is done


class Bond:
    """A connection, of either client: its verbs, and where it reconnects what there is to open again."""

    def __init__(self, verbs: Verbs) -> None:
        self.verbs = verbs
        self._recovery: Recovery | None = None
        self._handles: weakref.WeakSet[Handle] = weakref.WeakSet()
        self._interests: list[Interest] = []  # those that are open; they count though the program keeps only the queue
        self._destinations: weakref.WeakSet[Handle] = weakref.WeakSet()  # queues that came with them

    @property
    def quiescing(self) -> bool:
        """Whether the queue manager has said that it is about to end."""
        return self.verbs.link.quiescing

    def opening(self, target: ObjectDescriptor, options: int) -> Call[Opened]:
        """MQOPEN of any object."""
        return Call(lambda verbs: verbs.open(copy.copy(target), options))

    def remember(self, handle: Handle, asked: ObjectDescriptor, read_ahead: bool) -> None:
        """Take note of an object that was opened."""
        if read_ahead and self.verbs.link.session.multiplexed:
            opened = handle.opened
            opened.window = readahead.window_of(opened.options, opened.read_ahead, wanted=True)
        if self._recovery is not None:
            handle.asked = to_open_again(asked, handle.opened.target)
            self._handles.add(handle)

    def subscribing(
        self, descriptor: SubscriptionDescriptor, queue: Handle | None
    ) -> Call[tuple[Opened, Opened, SubscriptionDescriptor]]:
        """MQSUB."""
        if self._recovery is not None:
            check_subscription(descriptor.options, self._recovery.same_manager)
        return Call(lambda verbs: verbs.subscribe(descriptor, None if queue is None else queue.opened))

    def remember_interest(
        self, interest: Interest, asked: SubscriptionDescriptor, made: SubscriptionDescriptor, provided: bool
    ) -> None:
        """Take note of a subscription that was made."""
        if self._recovery is not None:
            interest.asked = to_subscribe_again(asked, made)
            interest.provided = provided
            self._interests = [each for each in self._interests if not each.opened.closed]
            self._interests.append(interest)
            if not provided:
                self._destinations.add(interest.destination)

    def reopening(self, verbs: Verbs, recovery: Recovery) -> Operation[None]:
        """On the verbs of the connection that takes the place of this one, open everything as it was open."""
        yield from look_who(verbs, recovery)
        again: dict[Handle, Opened] = {}
        for handle in [each for each in self._handles if not each.opened.closed]:
            again[handle] = yield from open_again(verbs, handle.asked, handle.opened)
        interests = [each for each in self._interests if not each.opened.closed]
        subscriptions: list[Opened] = []
        for interest in interests:
            subscriptions.append((yield from _subscribe_again(verbs, interest, again)))
        for handle in self._destinations:
            if not handle.opened.closed and handle not in again:  # its subscription was closed: it is no more
                again[handle] = Opened(MQHO_UNUSABLE_HOBJ, handle.opened.target, 0)
        for handle, opened in again.items():
            handle.opened = opened
        for interest, opened in zip(interests, subscriptions, strict=True):
            interest.opened = opened

    def putting_one(
        self, target: ObjectDescriptor, descriptor: MessageDescriptor, options: PutOptions, data: bytes
    ) -> Call[None]:
        """MQPUT1; the descriptor is completed by it."""
        doubtful = in_doubt(descriptor.persistence, options.options)
        unit = options.options & MQPMO_SYNCPOINT != 0
        return Call(lambda verbs: verbs.put1(target, descriptor, options, data), doubtful, unit)

    def committing(self, standing: bool) -> Call[None]:
        """MQCMIT; `standing` says whether the connection that has the unit of work still does."""
        recovery = self._recovery
        if recovery is None or not recovery.unit or not standing:
            return Call(lambda verbs: verbs.commit())
        recovery.unit = False  # whatever becomes of it, it is over
        return Call(lambda verbs: verbs.commit(), True)

    def backing_out(self) -> Call[None]:
        """MQBACK."""
        if self._recovery is not None:
            self._recovery.unit = False  # a connection that broke has done it already
        return Call(lambda verbs: verbs.back_out())


def _subscribe_again(verbs: Verbs, interest: Interest, again: dict[Handle, Opened]) -> Operation[Opened]:
    """Make a subscription again; adds its queue to what was opened again, where it has one of its own."""
    assert interest.asked is not None
    queue = interest.destination
    given = again.get(queue) if interest.provided else None
    if interest.provided and given is None:  # the program has closed it since
        given = yield from open_again(verbs, queue.asked, queue.opened)
    where, subscription, _answer = yield from verbs.subscribe(interest.asked, given)
    if queue.opened.closed:
        yield from verbs.close(where)
    elif not interest.provided:
        again[queue] = where
    return subscription
