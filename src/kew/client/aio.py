"""The asyncio client: the same verbs, run by an event loop; several connections may share a socket."""

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from functools import partial
from types import TracebackType
from typing import Final, TypeVar, Unpack

from kew.channels.protocol.options import GetOptions, PutOptions
from kew.channels.protocol.structures import ObjectDescriptor, StatusReport
from kew.channels.protocol.subscription import SubscriptionDescriptor
from kew.client import requests
from kew.client.attempts import AT_ANOTHER_ADDRESS, BY_ANOTHER_CHANNEL, Failures, ways
from kew.client.calls import Bond, Handle, Interest
from kew.client.isolated import isolated_endpoint
from kew.client.link import Inbox, Link, Operation
from kew.client.local import local_endpoint
from kew.client.loopdriver import LinkProtocol
from kew.client.opened import Opened
from kew.client.reach import Particulars, Reach
from kew.client.received import Received
from kew.client.recovery import TIMEOUT as RECONNECT_SECONDS
from kew.client.recovery import Recovery, go_on_after, identify
from kew.client.verbs import HANDSHAKE_SECONDS, Verbs
from kew.codes.errors import Broken, MQError, NoMessage
from kew.codes.options import MQCNO_ISOLATED_BINDING, MQOO_INQUIRE
from kew.codes.reasons import MQRC_CONNECTION_BROKEN
from kew.formats.mqmd import MessageDescriptor

SHARED: Final = 10  # conversations on a socket, where the program does not say

T = TypeVar("T")


async def connect(
    queue_manager: str = "",
    connection_name: str = "localhost(1414)",
    channel: str = "SYSTEM.DEF.SVRCONN",
    user: str | None = None,
    password: str | None = None,
    application: str = "",
    **more: Unpack[Particulars],
) -> "AsyncConnection":
    """Connect to a queue manager, trying the addresses of the connection name in turn.

    `more` is what else a Reach has: TLS, compression, limits, options. With MQCNO_RECONNECT or MQCNO_RECONNECT_Q_MGR
    among the options a connection that breaks is made anew.
    """
    more.setdefault("conversations", SHARED)
    reach = Reach(queue_manager, connection_name, channel, user, password, application, **more)
    return await connect_by(reach)


async def connect_by(reach: Reach, timeout: float = RECONNECT_SECONDS) -> "AsyncConnection":
    """Connect as `reach` says; attempts to reconnect are given up after a time."""
    return await _keep_up(partial(_reached, reach), reach, timeout)


async def connect_by_table(location: str, reach: Reach, timeout: float = RECONNECT_SECONDS) -> "AsyncConnection":
    """Connect by a client channel definition table (CCDT) at a path or address, which says what `reach` does not.

    The queue manager may be `*GROUP`, or `*` for any; those of a group are tried in an order that their weights say.
    """
    return await _keep_up(partial(_reached_by_table, location, reach), reach, timeout)


async def _keep_up(make: "Callable[[], Awaitable[AsyncConnection]]", reach: Reach, timeout: float) -> "AsyncConnection":
    connection = await make()
    if reach.reconnects:
        await connection.reconnect_by(make, Recovery(reach.options, timeout))
    return connection


async def _reached_by_table(location: str, reach: Reach) -> "AsyncConnection":
    failures = Failures(BY_ANOTHER_CHANNEL)
    for way in await asyncio.to_thread(lambda: list(ways(location, reach))):
        try:
            return await _reached(way)
        except MQError as error:
            failures.note(error)
    raise failures.last()


async def _reached(reach: Reach) -> "AsyncConnection":
    failures = Failures(AT_ANOTHER_ADDRESS)
    for host, port in reach.addresses():
        try:
            return await _reached_at(reach, host, port)
        except (MQError, OSError) as problem:
            failures.note_at(host, port, problem)
    raise failures.last()


async def _reached_at(reach: Reach, host: str, port: int) -> "AsyncConnection":
    protocol = LinkProtocol(reach.link())
    loop = asyncio.get_running_loop()
    await asyncio.wait_for(loop.create_connection(lambda: protocol, host, port, ssl=reach.tls), reach.timeout)
    if reach.keep_alive and protocol.transport is not None:
        protocol.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    if reach.tls is not None and protocol.transport is not None:
        try:
            reach.check_certificate(protocol.transport.get_extra_info("ssl_object"))
        except MQError:
            await protocol.closed()
            raise
        protocol.key_reset = reach.key_reset
    return await _connected(protocol, reach.queue_manager, reach.user, reach.password, reach.application, reach.told)


async def connect_local(
    queue_manager: str,
    application: str = "",
    *,
    user: str | None = None,
    password: str | None = None,
    data: str = "",
    max_message: int = 104857600,
    conversations: int = 10,
    options: int = 0,
    timeout: float = HANDSHAKE_SECONDS,
) -> "AsyncConnection":
    """Connect to a queue manager on this machine (standard bindings); `data` is where queue managers live.

    With MQCNO_ISOLATED_BINDING the connection has an agent in a process of its own.
    """
    protocol = LinkProtocol(Link("", queue_manager, conversations, 0, max_message))
    reach = isolated_endpoint if options & MQCNO_ISOLATED_BINDING else local_endpoint
    endpoint = reach(queue_manager, data, timeout)
    endpoint.setblocking(False)
    await asyncio.get_running_loop().create_unix_connection(lambda: protocol, sock=endpoint)
    return await _connected(protocol, queue_manager, user, password, application, options)


async def _connected(
    protocol: LinkProtocol, queue_manager: str, user: str | None, password: str | None, application: str, options: int
) -> "AsyncConnection":
    connection = AsyncConnection(protocol, Verbs(protocol.link))
    try:
        await connection.run(connection.verbs.negotiate())
        await connection.run(connection.verbs.connect(queue_manager, user, password, application or "kew", options))
    except MQError:
        await protocol.closed()
        raise
    protocol.users += 1
    return connection


class AsyncConnection(Bond):
    """A connection to a queue manager; calls on it are made one after the other."""

    def __init__(self, protocol: LinkProtocol, verbs: Verbs) -> None:
        super().__init__(verbs)
        self.protocol = protocol
        self._lock = asyncio.Lock()
        self._make: Callable[[], Awaitable[AsyncConnection]] | None = None  # another one, when this one breaks
        self._restoring = asyncio.Lock()
        self._ended = asyncio.Event()

    # Breaking and coming back.

    async def reconnect_by(self, make: "Callable[[], Awaitable[AsyncConnection]]", recovery: Recovery) -> None:
        """From now on make the connection anew when it breaks."""
        if recovery.same_manager:
            recovery.recognise(await self.run(identify(self.verbs)))
        self._make, self._recovery = make, recovery

    async def do(self, begin: Callable[[Verbs], Operation[T]], doubtful: bool = False, unit: bool = False) -> T:
        """Run a verb; one that meets a break is done again, unless its outcome is doubtful or its unit is gone."""
        recovery = self._recovery
        if recovery is None:
            return await self.run(begin(self.verbs))
        while True:
            protocol = self.protocol
            try:
                protocol.link.check()
                result = await self.run(begin(self.verbs))
            except Broken:
                await self._restore(protocol, recovery)
                recovery.come_back(doubtful)
            else:
                recovery.unit = recovery.unit or unit
                return result

    async def _restore(self, lost: LinkProtocol, recovery: Recovery) -> None:
        """Connect again and open everything again, unless another task has done so."""
        async with self._restoring:
            if self.protocol is not lost:
                return
            await lost.closed()
            for delay in recovery.delays():
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._ended.wait(), delay)
                if self._ended.is_set():
                    raise Broken(MQRC_CONNECTION_BROKEN, why="the program has disconnected")
                try:
                    await self._replace(recovery)
                except MQError as error:
                    go_on_after(error)
                else:
                    return

    async def _replace(self, recovery: Recovery) -> None:
        assert self._make is not None
        fresh = await self._make()
        try:
            await fresh.run(self.reopening(fresh.verbs, recovery))
        except MQError:
            await fresh.protocol.closed()
            raise
        self.protocol, self.verbs = fresh.protocol, fresh.verbs

    async def run(self, operation: Operation[T]) -> T:
        """Run a verb when those before it are done."""
        async with self._lock:
            return await self.protocol.run(operation, self.verbs.conversation_id)

    async def __aenter__(self) -> "AsyncConnection":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        if problem is not None and self.verbs.connected and self.verbs.link.ready:
            try:
                await self.back_out()
            except MQError:
                self.protocol.close()
        await self.disconnect()

    @property
    def room(self) -> int:
        """How many more connections may share this one's socket."""
        return self.verbs.link.session.room

    async def share(
        self, user: str | None = None, password: str | None = None, application: str = "", options: int = 0
    ) -> "AsyncConnection":
        """Another connection to the same queue manager over the same socket."""
        link = self.verbs.link
        link.check()
        data, number = link.session.start_conversation()
        link.inboxes[number] = Inbox()
        other = AsyncConnection(self.protocol, Verbs(link, number))
        if self.protocol.transport is not None:
            self.protocol.transport.write(data)
        await other.run(other.verbs.start_conversation())
        await other.run(other.verbs.connect(self.verbs.queue_manager, user, password, application or "kew", options))
        self.protocol.users += 1
        return other

    async def open(
        self,
        queue: str,
        options: int,
        *,
        queue_manager: str = "",
        dynamic_name: str = "AMQ.*",
        selector: str = "",
        read_ahead: bool = False,
    ) -> "AsyncQueue":
        """Open a queue; options are MQOO_*."""
        target = requests.queue_object(queue, queue_manager, dynamic_name, selector)
        return await self.open_object(target, options, read_ahead)

    async def open_topic(self, topic_string: str, options: int, *, topic: str = "") -> "AsyncQueue":
        """Open a topic to publish on."""
        return await self.open_object(requests.topic_object(topic_string, topic), options)

    async def open_object(self, target: ObjectDescriptor, options: int, read_ahead: bool = False) -> "AsyncQueue":
        """MQOPEN of any object."""
        queue = AsyncQueue(self, await self.do(*self.opening(target, options)))
        self.remember(queue, target, read_ahead)
        return queue

    async def put1(
        self,
        queue: str,
        data: bytes,
        descriptor: MessageDescriptor | None = None,
        *,
        syncpoint: bool = False,
        options: PutOptions | None = None,
        queue_manager: str = "",
    ) -> MessageDescriptor:
        """Put one message to a queue; answers its descriptor as the queue manager completed it."""
        descriptor = descriptor if descriptor is not None else MessageDescriptor()
        options = options if options is not None else requests.put_options(syncpoint, False)
        target = requests.queue_object(queue, queue_manager)
        await self.do(*self.putting_one(target, descriptor, options, data))
        return descriptor

    async def subscribe(
        self,
        topic_string: str,
        *,
        topic: str = "",
        name: str = "",
        selector: str = "",
        options: int = 0,
        queue: "AsyncQueue | None" = None,
    ) -> "AsyncSubscription":
        """Subscribe to a topic; publications come from the subscription's queue."""
        descriptor = requests.subscription(topic_string, topic, name, selector, options, queue is None)
        return await self.subscribe_with(descriptor, queue)

    async def subscribe_with(
        self, descriptor: SubscriptionDescriptor, queue: "AsyncQueue | None"
    ) -> "AsyncSubscription":
        """MQSUB."""
        where, subscription, answer = await self.do(*self.subscribing(descriptor, queue))
        made = AsyncSubscription(self, subscription, queue if queue is not None else AsyncQueue(self, where))
        self.remember_interest(made, descriptor, answer, queue is not None)
        return made

    async def inquire(self, selectors: list[int]) -> dict[int, int | str]:
        """Attributes of the queue manager."""
        async with await self.open_object(requests.queue_manager_object(), MQOO_INQUIRE) as queue_manager:
            return await queue_manager.inquire(selectors)

    async def status(self, status_type: int = 0) -> StatusReport:
        """What became of asynchronous puts since the last call."""
        return await self.do(lambda verbs: verbs.status(status_type))

    async def commit(self) -> None:
        """Make what was done under syncpoint final."""
        await self.do(*self.committing(self.verbs.link.ready))

    async def back_out(self) -> None:
        """Undo what was done under syncpoint."""
        await self.do(*self.backing_out())

    async def disconnect(self) -> None:
        """End the connection; the socket closes with the last connection that shares it."""
        self._ended.set()
        try:
            if self.verbs.connected:
                self.protocol.users -= 1
                await self.run(self.verbs.disconnect())
        finally:
            if self.protocol.users <= 0 or self.protocol.link.failure is not None:
                await self.protocol.closed()


class AsyncQueue(Handle):
    """An open queue or topic."""

    def __init__(self, connection: AsyncConnection, opened: Opened) -> None:
        super().__init__(opened)
        self.connection = connection

    async def __aenter__(self) -> "AsyncQueue":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.connection.verbs.link.ready:
            await self.close()

    async def put(
        self,
        data: bytes,
        descriptor: MessageDescriptor | None = None,
        *,
        syncpoint: bool = False,
        asynchronous: bool = False,
        options: PutOptions | None = None,
    ) -> MessageDescriptor:
        """Put a message; answers its descriptor as the queue manager completed it."""
        descriptor = descriptor if descriptor is not None else MessageDescriptor()
        options = options if options is not None else requests.put_options(syncpoint, asynchronous)
        await self.connection.do(*self.putting(descriptor, options, data))
        return descriptor

    async def get(
        self,
        wait: float = 0.0,
        *,
        message_id: bytes = b"",
        correlation_id: bytes = b"",
        syncpoint: bool = False,
        max_length: int = -1,
        truncate: bool = False,
        options: GetOptions | None = None,
        descriptor: MessageDescriptor | None = None,
    ) -> Received:
        """Get a message, waiting so many seconds (less than 0: for ever); NoMessage when none has come."""
        options = options if options is not None else requests.get_options(wait, syncpoint, truncate)
        descriptor = descriptor if descriptor is not None else requests.matching(message_id, correlation_id)
        return await self.connection.do(*self.getting(descriptor, options, max_length))

    async def browse(self, wait: float = 0.0) -> AsyncIterator[Received]:
        """The messages of the queue from its first, left where they are; waits so long for each further one."""
        first = True
        while True:
            options = requests.browse_options(first, wait)
            try:
                yield await self.get(options=options)
            except NoMessage:
                return
            first = False

    async def inquire(self, selectors: list[int]) -> dict[int, int | str]:
        """The object's attributes."""
        return await self.connection.do(lambda verbs: verbs.inquire(self.opened, selectors))

    async def set(self, values: dict[int, int | str]) -> None:
        """Change attributes of the queue."""
        await self.connection.do(lambda verbs: verbs.set_attributes(self.opened, values))

    async def close(self, options: int = 0) -> None:
        """Close the handle; options are MQCO_*."""
        await self.connection.do(lambda verbs: verbs.close(self.opened, options))


class AsyncSubscription(Interest):
    """A subscription and the queue its publications arrive on."""

    def __init__(self, connection: AsyncConnection, opened: Opened, queue: AsyncQueue) -> None:
        super().__init__(opened, queue)
        self.connection = connection
        self.queue = queue

    async def get(self, wait: float = 0.0) -> Received:
        """Get the next publication."""
        return await self.queue.get(wait)

    async def request_publications(self, action: int = 1) -> int:
        """Have the retained publications sent; answers how many there are."""
        return await self.connection.do(lambda verbs: verbs.request_publications(self.opened, action))

    async def close(self, options: int = 0) -> None:
        """Close the subscription's handle and its queue."""
        await self.connection.do(lambda verbs: verbs.close(self.opened, options))
        await self.queue.close()
