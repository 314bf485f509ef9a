"""The connection of a program in this process: each verb takes the engine lock, and waits for pages and the log."""

from functools import partial

from kew.codes.errors import MQError, NoMessage
from kew.codes.options import (
    MQCO_DELETE_PURGE,
    MQCO_NONE,
    MQGMO_CONVERT,
    MQGMO_WAIT,
    MQMO_MATCH_MSG_TOKEN,
    MQMO_NONE,
    MQPMO_ALTERNATE_USER_AUTHORITY,
    MQPMO_RESOLVE_LOCAL_Q,
    MQWI_UNLIMITED,
)
from kew.codes.reasons import MQRC_CONNECTION_BROKEN, MQRC_WAIT_INTERVAL_ERROR
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.connections import metering
from kew.mqi.connections.handles import DeferredMessage, Handle
from kew.mqi.connections.logicalorder import warning
from kew.mqi.delivery.longput import LongPut
from kew.mqi.engine import BROKEN, broken_by, settle
from kew.mqi.gets import get as getting
from kew.mqi.gets.browsemarks import match_token
from kew.mqi.gets.conversion import convert_got
from kew.mqi.gets.request import GetRequest, Got, match_of
from kew.mqi.local.gets import get_now, get_waiting
from kew.mqi.local.objects import LocalObjects
from kew.mqi.objects import open as opening
from kew.mqi.objects.distribution import DistributionList
from kew.mqi.options import NOT_FOR_TOPICS, check_put, open_for_put1
from kew.mqi.publishing.publish import TopicOutlet
from kew.mqi.puts import put as putting
from kew.mqi.puts.remote import Resolved, resolved
from kew.mqi.puts.request import OVER, PutRequest
from kew.mqi.transactions import units
from kew.mqi.transactions.deferredputs import connection_for_deferred, take_deferred
from kew.queues.queue import Queue
from kew.storage.log import NO_ADDRESS, LogError
from kew.storage.stall import Stall
from kew.storage.unit import IN_FLIGHT


class LocalConnection(LocalObjects):
    """The verbs of one program, used by one thread at a time; the verbs on objects are in the base class."""

    # -- messages -----------------------------------------------------------------------------------------------------

    def put(
        self,
        handle: Handle,
        descriptor: MessageDescriptor,
        data: bytes,
        options: int = 0,
        context: Handle | None = None,
    ) -> None:
        """MQPUT; completes the caller's descriptor."""
        self.carry_out(PutRequest(self.connection, handle, descriptor, data, options, context, 0))

    def put_later(
        self,
        handle: Handle,
        descriptor: MessageDescriptor,
        data: bytes,
        options: int,
        context: Handle | None,
        delay: int,
    ) -> None:
        """MQPUT of a message with a delivery delay in milliseconds."""
        self.carry_out(PutRequest(self.connection, handle, descriptor, data, options, context, delay))

    def carry_out(self, request: PutRequest) -> None:
        """Carry out all steps of a put."""
        account = self.connection.account
        if account is None:
            self._put(request)
            return
        account.begin()
        try:
            self._put(request)
        finally:
            account.end()

    def _put(self, request: PutRequest) -> None:
        engine, handle = self.engine, request.handle
        lock = engine.lock
        while True:
            try:
                with lock:
                    result = putting.put(request)
            except Stall as stall:
                waiting = stall
            except LogError as broken:
                raise broken_by(broken) from broken
            else:
                break
            settle(engine, handle.put_to(), waiting)
        if isinstance(result, LongPut):
            self.finish_put(result)
        elif result:
            self._force(result)
        if handle.warning:
            raise warning(handle.take_warning())
        if handle.outlet is not None and isinstance(handle.outlet, DistributionList):
            outcome = handle.outlet.outcome()
            if outcome is not None:
                raise outcome

    def finish_put(self, long_put: LongPut, met: MQError | None = None) -> None:
        """Carry out the remaining steps of a long put; `met` is the error of the step before."""
        engine = self.engine
        try:
            done, address = False, NO_ADDRESS
            while not done:
                if met is not None and not engine.run(partial(long_put.absorb, met)):
                    raise met
                met = None
                try:
                    done, address = engine.run(lambda: putting.continue_put(self.connection, long_put))
                except MQError as error:
                    met = error
        except BaseException:
            engine.run(lambda: putting.abandon_put(self.connection, long_put))
            raise
        if address:
            self._force(address)

    def publish(
        self,
        name: str,
        string: str,
        descriptor: MessageDescriptor,
        data: bytes,
        options: int = 0,
        context: Handle | None = None,
        alternate_user: str = "",
        delay: int = 0,
    ) -> None:
        """MQPUT1 to a topic, with a delivery delay in milliseconds."""
        of_put = options & ~MQPMO_ALTERNATE_USER_AUTHORITY  # which concerns the open
        check_put(of_put, NOT_FOR_TOPICS)
        handle = self.open_topic(name, string, open_for_put1(options), alternate_user)
        try:
            self.put_later(handle, descriptor, data, of_put, context, delay)
        finally:
            self.close(handle)

    def put1(
        self,
        name: str,
        descriptor: MessageDescriptor,
        data: bytes,
        options: int = 0,
        context: Handle | None = None,
        alternate_user: str = "",
        delay: int = 0,
        manager: str = "",
    ) -> Resolved:
        """MQPUT1 with a delivery delay in milliseconds: open, put one message, close.

        Gives the resolved names.
        """
        of_put = options & ~MQPMO_ALTERNATE_USER_AUTHORITY  # which concerns the open
        plain = name.rstrip()
        other = opening.other_manager(self.engine, manager.rstrip(), 0)
        record = self.administration.find(plain) if not other else None
        self.engine.run(lambda: opening.check_put1(self.connection, record, plain, of_put))
        handle = self._open(name, open_for_put1(options), alternate_user=alternate_user, manager=manager)
        handle.single = True
        told = resolved(handle, self.engine.name, options & MQPMO_RESOLVE_LOCAL_Q != 0)
        try:
            self.put_later(handle, descriptor, data, of_put, context, delay)
        finally:
            self._close(handle)
        return told

    def put1_list(
        self,
        destinations: DistributionList,
        descriptor: MessageDescriptor,
        data: bytes,
        options: int = 0,
        context: Handle | None = None,
        alternate_user: str = "",
    ) -> None:
        """MQPUT1 to a distribution list."""
        of_put = options & ~MQPMO_ALTERNATE_USER_AUTHORITY  # which concerns the open
        opening.check_put1_options(of_put)
        handle = self.open_list(destinations, open_for_put1(options), alternate_user)
        handle.single = True
        for member in destinations.members:
            if member.handle is not None:
                member.handle.single = True
        try:
            self.put(handle, descriptor, data, of_put, context)
        finally:
            self._close(handle)

    def deliver(self, name: str, descriptor: MessageDescriptor, data: bytes, options: int) -> None:
        """Put a delayed message that is due on its queue."""
        handle = self._open(name, open_for_put1(options))
        try:
            self.put_later(handle, descriptor, data, options, None, OVER)
        finally:
            self._close(handle)

    def deliver_publication(
        self, topic: str, level: int, descriptor: MessageDescriptor, data: bytes, options: int
    ) -> None:
        """Publish a delayed publication that is due."""
        handle = self.open_topic("", topic, open_for_put1(options))
        if isinstance(handle.outlet, TopicOutlet):
            handle.outlet.level = level
        try:
            self.put_later(handle, descriptor, data, options, None, OVER)
        finally:
            self._close(handle)

    def put_held(self, message_id: bytes) -> None:
        """Put a deferred message now instead of at the end of the connection."""
        self._put_held(self.engine.run(lambda: take_deferred(self.connection, message_id)))

    def _put_held(self, held: DeferredMessage) -> None:
        handle = self._open(held.queue, open_for_put1(held.options))
        try:
            self.put(handle, held.descriptor, held.data, held.options)
        finally:
            self._close(handle)

    def get(
        self,
        handle: Handle,
        options: int = 0,
        wait_interval: int = 0,
        match_options: int = MQMO_NONE,
        wanted: MessageDescriptor | None = None,
        buffer_length: int = -1,
        version: int = 2,
        token: bytes = b"",
    ) -> Got:
        """MQGET: the next message, or the next that matches the ids of `wanted`.

        With MQGMO_CONVERT the data is converted to the character set and encoding of `wanted`, or to the queue
        manager's. `wait_interval` is in milliseconds, MQWI_UNLIMITED for ever. A truncated message has a reason;
        NoMessage is raised if there is no message. With a descriptor of version 1 group and segment fields are in an
        MQMDE before the data. `token` names a message that was marked by a browse.
        """
        if options & MQGMO_CONVERT:
            plain = options & ~MQGMO_CONVERT
            as_it_is = self.get(handle, plain, wait_interval, match_options, wanted, buffer_length, version, token)
            asked = MessageDescriptor() if wanted is None else wanted
            convert_got(as_it_is, asked.ccsid, asked.encoding, buffer_length, options)
            return as_it_is
        account = self.connection.account
        if account is None:
            return self._get(handle, options, wait_interval, match_options, wanted, buffer_length, version, token)
        account.begin()
        try:
            return self._get(handle, options, wait_interval, match_options, wanted, buffer_length, version, token)
        finally:
            account.end()

    def _get(
        self,
        handle: Handle,
        options: int,
        wait_interval: int,
        match_options: int,
        wanted: MessageDescriptor | None,
        buffer_length: int,
        version: int,
        token: bytes,
    ) -> Got:
        match = match_of(match_options & ~MQMO_MATCH_MSG_TOKEN, wanted) if match_options else None
        if match_options & MQMO_MATCH_MSG_TOKEN:
            match = match_token(match, token)
        request = GetRequest(self.connection, handle, options, match, buffer_length)
        request.extends = version == 1
        if options & MQGMO_WAIT and wait_interval < 0 and wait_interval != MQWI_UNLIMITED:
            raise MQError(MQRC_WAIT_INTERVAL_ERROR, wait_interval=wait_interval)
        try:
            got = get_waiting(request, wait_interval) if options & MQGMO_WAIT else get_now(request)
        except BaseException:
            if request.long is not None or request.seek is not None:  # it failed in the middle, with messages locked
                self.engine.run(lambda: getting.abandon_get(request))
            raise
        if got is None:
            getting.found_nothing(request)
            raise NoMessage(queue=handle.name)
        if got.address:
            self._force(got.address)
        return got

    # -- units of work ------------------------------------------------------------------------------------------------

    def begin(self) -> int:
        """MQBEGIN; gives the reason of a warning, MQRC_NO_EXTERNAL_PARTICIPANTS."""
        return self.engine.run(lambda: units.begin(self.connection))

    def commit(self) -> None:
        """MQCMIT; returns when the unit of work is on disk."""
        account = self.connection.account
        if account is None:
            self._commit()
            return
        account.begin()
        try:
            self._commit()
        finally:
            account.end()

    def _commit(self) -> None:
        engine = self.engine
        while True:
            try:
                with engine.lock:
                    address = units.commit(self.connection)
            except Stall as stall:
                waiting = stall
            except LogError as broken:
                raise broken_by(broken) from broken
            else:
                break
            settle(engine, None, waiting)
        if address:
            self._force(address)

    def backout(self) -> None:
        """MQBACK."""
        account = self.connection.account
        if account is not None:
            account.begin()
        try:
            self.engine.run(lambda: units.backout(self.connection))
        finally:
            if account is not None:
                account.end()

    def start_branch(self, xid: bytes) -> None:
        """Begin a branch of a global transaction (xa_start)."""
        self.engine.run(lambda: units.start_branch(self.connection, xid))

    def end_branch(self) -> None:
        """Detach the branch from this connection (xa_end)."""
        self.engine.run(lambda: units.end_branch(self.connection, self.connection.xid))

    def prepare(self, xid: bytes) -> None:
        """Prepare a branch (xa_prepare); after this it survives a crash until it is committed or rolled back."""
        self._begin()
        try:
            address = self.engine.run(lambda: units.prepare(self.engine, xid))
            if self.engine.metered:
                metering.prepared(self.connection)
            if address:
                self._force(address)
        finally:
            self._end()

    def commit_branch(self, xid: bytes) -> None:
        """Commit a branch, prepared or not (xa_commit)."""
        self._begin()
        try:
            address = self.engine.run(lambda: units.commit_branch(self.engine, xid))
            if self.engine.metered:
                metering.committed(self.connection, 0)  # units counts the messages
            if address:
                self._force(address)
        finally:
            self._end()

    def back_out_branch(self, xid: bytes) -> None:
        """Undo a branch, prepared or not (xa_rollback)."""
        self._begin()
        try:
            self.engine.run(lambda: units.back_out_branch(self.engine, xid))
            if self.engine.metered:
                metering.backed_out(self.connection, 0)
        finally:
            self._end()

    def recover(self) -> list[bytes]:
        """Give the xids of the branches in doubt (xa_recover)."""
        return self.engine.run(lambda: units.recover(self.engine))

    # -- the end ------------------------------------------------------------------------------------------------------

    def disconnect(self) -> None:
        """MQDISC: commits the unit of work and closes all handles."""
        if not self.connection.open:
            raise self.connection.gone()
        try:
            if self.connection.unit is not None and not self.connection.xid:
                self.commit()
        finally:
            self._leave()

    def abandon(self) -> None:
        """End the connection as if the program had died: its unit of work and unprepared branches are backed out."""
        if self.connection.open:
            self._drop()

    def break_off(self) -> None:
        """End the connection by a command, whatever its program does: each further verb gives 2009.

        Its unit of work is marked as forced out before it is undone, so that a verb of the program between two steps
        fails at the next step.
        """
        self.engine.run(self._stop)
        if self.connection.open:
            self._drop()
        if self.connection.on_stopped is not None:
            self.connection.on_stopped()

    def _stop(self) -> None:
        connection = self.connection
        connection.stopped = True
        if connection.unit is not None and connection.unit.state <= IN_FLIGHT:
            connection.unit.forced_out = True
        for handle in connection.handles.values():
            if handle.queue is not None:
                _fail_waiters(handle.queue, connection.number)

    def _drop(self) -> None:
        """End the connection without a commit."""
        if self.engine.state != BROKEN:
            self.engine.run(lambda: units.release_ended(self.connection))
        self._leave()

    def _leave(self) -> None:
        if self.engine.state == BROKEN:
            self.connection.open = False
            return
        self.engine.run(lambda: units.release(self.connection))
        self._put_all_held()
        if self.connection.handles:
            self.engine.calls.handles_left += 1
        for handle in list(self.connection.handles.values()):
            handle.logical = None  # there is no program to warn
            options = MQCO_DELETE_PURGE if handle.created and handle.is_temporary() else MQCO_NONE
            self._close(handle, options)
        self.engine.run(lambda: self.engine.leave(self.connection.number))
        self.connection.open = False

    def _put_all_held(self) -> None:
        """Put the deferred messages; a message that cannot be put is lost, and the operator is notified."""
        connection, engine = self.connection, self.engine
        held = list(connection.held.values())
        connection.held.clear()
        if not held:
            return
        queue = held[0].queue
        try:
            own = LocalConnection(engine, self.administration, engine.run(lambda: connection_for_deferred(connection)))
            try:
                for each in held:
                    queue = each.queue
                    own._put_held(each)
            finally:
                own.abandon()
        except MQError as error:
            engine.notices.tell("CSQM903W", (error.reason,), (queue, error.name))


def _fail_waiters(queue: Queue, owner: int) -> None:
    for waiter in queue.waiters.all():
        if waiter.owner == owner:
            queue.waiters.remove(waiter)
            waiter.fail(MQRC_CONNECTION_BROKEN)
