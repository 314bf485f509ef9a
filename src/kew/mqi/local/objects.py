"""Verbs on objects for programs in this process: open, inquire, set, subscribe and close."""

from collections.abc import Iterable, Mapping
from functools import partial

from kew.codes.completion import MQCC_FAILED, MQCC_WARNING
from kew.codes.errors import MQError
from kew.codes.options import MQCO_DELETE_PURGE, MQCO_NONE, MQSO_DURABLE, MQSR_ACTION_PUBLICATION
from kew.codes.positions import BROWSE, TRIM
from kew.codes.reasons import MQRC_NONE
from kew.mqi.connections import metering
from kew.mqi.connections.connection import Connection
from kew.mqi.connections.handles import Handle
from kew.mqi.connections.logicalorder import warning
from kew.mqi.engine import Engine, wait_for_log
from kew.mqi.gets import positions
from kew.mqi.messages.transform import Protection
from kew.mqi.objects import definitions
from kew.mqi.objects import inquire as inquiring
from kew.mqi.objects import open as opening
from kew.mqi.objects.distribution import DistributionList, Member, check_list, open_list, open_member
from kew.mqi.objects.policies import PROTECTED, policy_of
from kew.mqi.publishing import topics
from kew.mqi.subscribing import retained
from kew.mqi.subscribing.managedqueues import drop_orphan
from kew.mqi.subscribing.subscribe import Subscribed, Subscriber, SubscriptionRequest
from kew.mqi.subscribing.unsubscribe import end_registrations
from kew.queues.administration import QueueAdministration
from kew.queues.queue import PREDEFINED
from kew.storage.log import NO_ADDRESS, LogAddress


class LocalObjects:
    """The verbs of one program on objects: MQOPEN, MQINQ, MQSET, MQSUB, MQSUBRQ and MQCLOSE."""

    def __init__(self, engine: Engine, administration: QueueAdministration, connection: Connection) -> None:
        self.engine = engine
        self.administration = administration
        self.connection = connection

    def open(
        self,
        name: str,
        options: int,
        dynamic_name: str = "",
        alternate_user: str = "",
        selection: str = "",
        manager: str = "",
    ) -> Handle:
        """MQOPEN of a queue; a model queue makes a new queue, named after `dynamic_name`.

        With MQOO_ALTERNATE_USER_AUTHORITY `alternate_user` needs the authority for the options. With a selection
        string, gets and browses see only messages that it selects. `manager` is the queue manager of the queue, blank
        for this one; messages for another one wait on a transmission queue.
        """
        if not self.engine.metered:
            return self._open(name, options, dynamic_name, alternate_user, selection, manager)
        handle: Handle | None = None
        self._begin()
        try:
            handle = self._open(name, options, dynamic_name, alternate_user, selection, manager)
            return handle
        finally:
            metering.opened(self.connection, handle)
            self._end()

    def _begin(self) -> None:
        """Begin the accounting of a verb, including its waits for the lock and for pages."""
        account = self.connection.account
        if account is not None:
            account.begin()
            account.enter(None)

    def _end(self) -> None:
        account = self.connection.account
        if account is not None:
            account.end()

    def _force(self, address: LogAddress) -> None:
        """Wait until the log is on disk up to an address."""
        account = self.connection.account
        if account is None:
            wait_for_log(self.engine, address)
            return
        since = account.now()
        wait_for_log(self.engine, address)
        account.forced(since)

    def _open(
        self,
        name: str,
        options: int,
        dynamic_name: str = "",
        alternate_user: str = "",
        selection: str = "",
        manager: str = "",
    ) -> Handle:
        selector = opening.selector_for(options, selection) if selection else None
        handle = self._find(name, options, dynamic_name, alternate_user, manager)
        handle.selector = selector
        if options & PROTECTED and self.connection.protection is not None:
            self._protect(handle, name.rstrip(), self.connection.protection)
        return handle

    def _protect(self, handle: Handle, name: str, protection: Protection) -> None:
        """Give a handle the transform of its policy, if it has one; if that fails, the queue is closed."""
        policy = policy_of(self.engine.catalogue, handle, name)
        if policy is None:
            return
        try:
            handle.transform = protection.transform(policy.name, policy.values)
        except MQError:
            self._close(handle)
            raise

    def _find(self, name: str, options: int, dynamic_name: str, alternate_user: str, manager: str) -> Handle:
        alternate_user = alternate_user.rstrip()
        name = name.rstrip()
        self.engine.run(lambda: opening.check_request(self.connection, options))
        other = opening.other_manager(self.engine, manager.rstrip(), options)
        model = opening.find_model(self.administration, name) if not other else None
        if model is not None:
            made = opening.dynamic_name(dynamic_name, self.engine.ids.number())
            created = opening.create_dynamic(self.connection, self.administration, model, made, options, alternate_user)
            target = opening.Target(created, None)
            target.created = True
            return self.engine.run(lambda: opening.open_queue(self.connection, target, name, options, alternate_user))
        return self.engine.run(
            lambda: opening.open_named(self.connection, self.administration, name, options, alternate_user, other)
        )

    def open_definition(self, kind: str, name: str, options: int, alternate_user: str = "") -> Handle:
        """MQOPEN of an object without messages, to inquire about it; for QMGR the name may be blank."""
        record = definitions.find(self.engine, kind, name)
        return self.engine.run(lambda: definitions.open_definition(self.connection, record, options, alternate_user))

    def open_topic(self, name: str, string: str, options: int, alternate_user: str = "") -> Handle:
        """MQOPEN of a topic, by the name of a topic object, by a topic string or by both."""
        user = alternate_user.rstrip()
        self.engine.run(lambda: opening.check_request(self.connection, options))
        return self.engine.run(lambda: topics.open_topic(self.connection, name.rstrip(), string, options, user))

    def open_list(self, destinations: DistributionList, options: int, alternate_user: str = "") -> Handle:
        """MQOPEN of a distribution list; afterwards the list has the reason of each destination that was not opened."""
        user = alternate_user.rstrip()
        run, connection = self.engine.run, self.connection
        run(lambda: check_list(connection, options))
        try:
            for member in destinations.members:
                self._begin()
                run(partial(open_member, connection, self.administration, member, options, user))
                if self.engine.metered:
                    metering.opened(connection, member.handle)
                self._end()
                self._protect_member(member)
            return run(lambda: open_list(connection, destinations, options))
        except MQError:
            self._close_members(destinations)
            raise

    def _protect_member(self, member: Member) -> None:
        """Give a destination the transform of its policy, or keep why it cannot be opened."""
        handle, protection = member.handle, self.connection.protection
        if handle is None or protection is None:
            return
        try:
            self._protect(handle, member.name, protection)
        except MQError as error:
            member.handle = None
            member.refused = error.reason
            member.answer(MQCC_FAILED, error.reason)

    def _close_members(self, destinations: DistributionList) -> None:
        """Close the opened destinations of a list; an incomplete group on one of its queues is a warning."""
        told: MQError | None = None
        for member in destinations.members:
            handle = member.handle
            if handle is not None and not handle.closed:
                try:
                    self.close(handle)
                except MQError as error:
                    if error.completion != MQCC_WARNING:
                        raise
                    told = error
        if told is not None:
            raise told

    def subscribe(self, request: SubscriptionRequest, queue: Handle | None = None) -> Subscribed:
        """MQSUB: gives the handles of the subscription and of the queue on which publications arrive."""
        if not self.engine.metered:
            return self._subscribe(request, queue)
        self._begin()
        try:
            return self._subscribe(request, queue)
        finally:
            metering.subscribed(self.connection, request.options & MQSO_DURABLE != 0, len(request.selector))
            self._end()

    def _subscribe(self, request: SubscriptionRequest, queue: Handle | None) -> Subscribed:
        return Subscriber(self.engine, self.administration, self.connection).subscribe(request, queue)

    def request_publications(self, handle: Handle, action: int = MQSR_ACTION_PUBLICATION, options: int = 0) -> int:
        """MQSUBRQ: send the retained publications; gives their number."""
        if not self.engine.metered:
            return retained.request(self.connection, handle, action, options)
        self._begin()
        try:
            return retained.request(self.connection, handle, action, options)
        finally:
            metering.requested(self.connection)
            self._end()

    def close(self, handle: Handle, options: int = MQCO_NONE) -> None:
        """MQCLOSE; an incomplete group or logical message is a warning."""
        if not self.engine.metered or isinstance(handle.outlet, DistributionList):
            self._close(handle, options)
            return
        queue = handle.put_to()
        self._begin()
        try:
            self._close(handle, options)
        finally:
            metering.closed(self.connection, handle, queue)
            self._end()

    def _close(self, handle: Handle, options: int = MQCO_NONE) -> None:
        if handle.subscription is not None:
            Subscriber(self.engine, self.administration, self.connection).close(handle, options)
            return
        if isinstance(handle.outlet, DistributionList):
            members = handle.outlet
            self.engine.run(lambda: opening.close(self.connection, handle, options))
            self._close_members(members)
            return
        queue = handle.put_to()
        left = handle.logical.left() if handle.logical is not None else MQRC_NONE
        deleted = NO_ADDRESS
        if queue is not None and self.engine.run(lambda: opening.must_delete(self.connection, handle, options)):
            deleted = self.administration.discard(queue, options & MQCO_DELETE_PURGE != 0)
        delete = self.engine.run(lambda: opening.close(self.connection, handle, options))
        if queue is None:
            return  # the handle is not one of a queue
        if queue.deleted:
            self.administration.sweep()
        elif queue.dynamic != PREDEFINED and self.engine.topics.is_orphan(queue.name):
            drop_orphan(self.engine, self.administration, queue)
        elif delete:
            self.administration.retire(queue)
            if self.engine.topics.registered:
                end_registrations(self.engine, self.administration, queue.name)
        if deleted:
            self._force(deleted)
        if left:
            raise warning(left)

    def inquire(self, handle: Handle, selectors: Iterable[int]) -> inquiring.Inquired:
        """MQINQ: give values by selector, and the reason of a warning if the queue lacks one of the attributes."""
        wanted = list(selectors)
        if not self.engine.metered:
            return self.engine.run(lambda: inquiring.inquire(self.connection, handle, wanted))
        self._begin()
        try:
            return self.engine.run(lambda: inquiring.inquire(self.connection, handle, wanted))
        finally:
            metering.inquired(self.connection, handle)
            self._end()

    def set(self, handle: Handle, values: Mapping[int, int | str]) -> None:
        """MQSET."""
        if not self.engine.metered:
            self._set(handle, values)
            return
        self._begin()
        try:
            self._set(handle, values)
        finally:
            metering.was_set(self.connection, handle)
            self._end()

    def _set(self, handle: Handle, values: Mapping[int, int | str]) -> None:
        if TRIM[0] in values or BROWSE[0] in values:
            self._position(handle, {selector: value for selector, value in values.items() if isinstance(value, int)})
            return
        changes = self.engine.run(lambda: inquiring.settings(self.connection, handle, values))
        self.administration.alter(handle.defined_as(), changes)

    def _position(self, handle: Handle, values: dict[int, int]) -> None:
        """Browse from a position on, or remove the messages before it."""
        run, connection = self.engine.run, self.connection
        if BROWSE[0] in values:
            position = run(lambda: positions.check(connection, handle, values, BROWSE))
            run(lambda: positions.browse_from(connection, handle, position))
            return
        position = run(lambda: positions.check(connection, handle, values, TRIM))
        trim = positions.Trim(handle, position)
        while not run(trim.step):
            connection.check()
        if trim.address:
            self._force(trim.address)
