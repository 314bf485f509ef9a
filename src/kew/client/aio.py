"""The asyncio client: the same verbs, run by an event loop; several connections may share a socket."""

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from functools import partial
from types import TracebackType
from typing import Any, Final, TypeVar, Unpack

from kew.channels.protocol.structures import ObjectDescriptor, StatusReport
from kew.channels.protocol.subscription import SubscriptionDescriptor
from kew.client import requests
from kew.client.attempts import APPLICATION, Making, connecting, connecting_by_table, joining
from kew.client.bindings import isolated_endpoint, local_endpoint
from kew.client.connection import (
    AnyConnection,
    AnyQueue,
    AnySubscription,
    GetArguments,
    OpenArguments,
    Put1Arguments,
    PutArguments,
    SubscribeArguments,
)
from kew.client.connectsettings import ConnectKeywords, ConnectSettings
from kew.client.effects import Close, Dial, Effect, Established, Look, Pause, Run, Script
from kew.client.link import Inbox, Link, Operation
from kew.client.loopdriver import LinkProtocol
from kew.client.openobject import OpenObject
from kew.client.received import Received
from kew.client.recovery import TIMEOUT as RECONNECT_SECONDS
from kew.client.recovery import Call, Recovery, recovery_of
from kew.client.verbs import HANDSHAKE_SECONDS, Verbs
from kew.codes.errors import Broken, MQError, NoMessage
from kew.codes.options import MQCNO_ISOLATED_BINDING
from kew.formats.mqmd import MessageDescriptor

SHARED: Final = 10  # conversations on a socket, unless the program gives a number

T = TypeVar("T")


async def connect(
    queue_manager: str = "",
    connection_name: str = "localhost(1414)",
    channel: str = "SYSTEM.DEF.SVRCONN",
    user: str | None = None,
    password: str | None = None,
    application: str = "",
    **more: Unpack[ConnectKeywords],
) -> "AsyncConnection":
    """Connect to a queue manager, trying the addresses of the connection name in turn.

    `more` has further fields of ConnectSettings: TLS, compression, limits, options. With MQCNO_RECONNECT or
    MQCNO_RECONNECT_Q_MGR among the options the client reconnects when the connection breaks.
    """
    more.setdefault("conversations", SHARED)
    return await connect_by(
        ConnectSettings(queue_manager, connection_name, channel, user, password, application, **more)
    )


async def connect_by(settings: ConnectSettings, timeout: float = RECONNECT_SECONDS) -> "AsyncConnection":
    """Connect with the given settings; attempts to reconnect end after `timeout` seconds."""
    return await connect_with(partial(connecting, settings), recovery_of(settings, timeout))


async def connect_by_table(
    location: str, settings: ConnectSettings, timeout: float = RECONNECT_SECONDS
) -> "AsyncConnection":
    """Connect by a client channel definition table (CCDT), a file or an address; `settings` has the rest.

    The queue manager may be `*GROUP`, or `*` for any; channels of a group are tried in an order that follows their
    weights.
    """
    make = partial(connecting_by_table, location, settings.queue_manager, lambda _channel: settings)
    return await connect_with(make, recovery_of(settings, timeout))


async def connect_with(make: Making, recovery: Recovery | None = None) -> "AsyncConnection":
    """Connect by the script that `make` gives; with a recovery the client reconnects when the connection breaks."""
    connection = AsyncConnection(await perform(make()))
    await connection.run(connection.keeping_up(make, recovery))
    return connection


async def connect_local(
    queue_manager: str,
    application: str = "",
    *,
    user: str | None = None,
    password: str | None = None,
    data: str = "",
    max_message: int = 104857600,
    conversations: int = SHARED,
    options: int = 0,
    timeout: float = HANDSHAKE_SECONDS,
) -> "AsyncConnection":
    """Connect to a queue manager on this machine (standard bindings); `data` is the directory of queue managers.

    With MQCNO_ISOLATED_BINDING the connection has an agent in a process of its own.
    """
    protocol = LinkProtocol(Link("", queue_manager, conversations, 0, max_message))
    open_endpoint = isolated_endpoint if options & MQCNO_ISOLATED_BINDING else local_endpoint
    endpoint = open_endpoint(queue_manager, data, timeout)
    endpoint.setblocking(False)
    await asyncio.get_running_loop().create_unix_connection(lambda: protocol, sock=endpoint)
    return AsyncConnection(await perform(joining(protocol, queue_manager, user, password, application, options)))


# Carrying out scripts.


async def perform(script: Script[T], pause: Callable[[float], Awaitable[bool]] | None = None) -> T:
    """Carry out a script by awaiting; `pause` waits and says whether the program has disconnected meanwhile."""
    try:
        effect = next(script)
        while True:
            try:
                answer = await _carry_out(effect, pause)
            except BaseException as problem:  # a cancelled task too: the script closes its socket
                effect = script.throw(problem)
            else:
                effect = script.send(answer)
    except StopIteration as done:
        result: T = done.value
        return result


async def _carry_out(effect: Effect, pause: Callable[[float], Awaitable[bool]] | None) -> Any:
    if isinstance(effect, Run):
        return await effect.driver.run(effect.operation)
    if isinstance(effect, Dial):
        return await _dial(effect.settings, effect.host, effect.port)
    if isinstance(effect, Close):
        return await effect.driver.closed()
    if isinstance(effect, Look):
        return await asyncio.to_thread(effect.function)
    assert isinstance(effect, Pause)
    assert pause is not None
    return await pause(effect.seconds)


async def _dial(settings: ConnectSettings, host: str, port: int) -> LinkProtocol:
    protocol = LinkProtocol(settings.link())
    loop = asyncio.get_running_loop()
    await asyncio.wait_for(loop.create_connection(lambda: protocol, host, port, ssl=settings.tls), settings.timeout)
    if settings.keep_alive and protocol.transport is not None:
        protocol.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    if settings.tls is not None and protocol.transport is not None:
        try:
            settings.check_certificate(protocol.transport.get_extra_info("ssl_object"))
        except MQError:
            await protocol.closed()
            raise
        protocol.key_reset = settings.key_reset
    return protocol


class AsyncConnection(AnyConnection[LinkProtocol, "AsyncQueue", "AsyncSubscription"]):
    """A connection to a queue manager; calls on it are made one after the other."""

    def __init__(self, established: Established[LinkProtocol]) -> None:
        super().__init__(established)
        self.driver.users += 1
        self._lock = asyncio.Lock()
        self._restoring = asyncio.Lock()
        self._ended = asyncio.Event()

    @property
    def protocol(self) -> LinkProtocol:
        """The driver of the socket, an asyncio protocol."""
        return self.driver

    def queue_of(self, opened: OpenObject) -> "AsyncQueue":
        """Make the program's queue for an opened object."""
        return AsyncQueue(self, opened)

    def subscription_of(self, opened: OpenObject, queue: "AsyncQueue") -> "AsyncSubscription":
        """Make the program's subscription for an opened subscription and its queue."""
        return AsyncSubscription(self, opened, queue)

    async def do(
        self, begin: Callable[[Verbs], Operation[T]], doubtful: bool = False, unit: bool = False, ends: bool = False
    ) -> T:
        """Run a verb; after a break it is run again, unless its outcome is doubtful or its unit of work is gone."""
        recovery = self._recovery
        if recovery is None:
            return await self.run(begin(self.verbs))
        call = Call(begin, doubtful, unit, ends)
        while True:
            driver, sent = self.driver, recovery.begin(call, self.standing)
            try:
                if sent:
                    result = await self.run(begin(self.verbs))
                    recovery.unit = recovery.unit or unit
                    return result
            except Broken:
                pass
            async with self._restoring:
                if self.driver is driver:  # otherwise another task has reconnected
                    await perform(self.restoring(recovery), self.pause)
                    self.driver.users += 1
            recovery.come_back(call, sent)

    async def pause(self, seconds: float) -> bool:
        """Wait before an attempt to reconnect; says whether the program has disconnected meanwhile."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._ended.wait(), seconds)
        return self._ended.is_set()

    async def run(self, operation: Operation[T]) -> T:
        """Run a verb when the earlier verbs of the connection have ended."""
        driver, conversation = self.driver, self.verbs.conversation_id
        async with self._lock:
            return await driver.run(operation, conversation)

    async def __aenter__(self) -> "AsyncConnection":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        if problem is not None and self.verbs.connected and self.verbs.link.ready:
            try:
                await self.back_out()
            except MQError:
                self.driver.close()
        await self.disconnect()

    @property
    def room(self) -> int:
        """Give the number of further connections that may share this one's socket."""
        return self.verbs.link.session.room

    async def share(
        self, user: str | None = None, password: str | None = None, application: str = "", options: int = 0
    ) -> "AsyncConnection":
        """Open another connection to the same queue manager over the same socket."""
        link, driver = self.verbs.link, self.driver
        link.check()
        data, number = link.session.start_conversation()
        link.inboxes[number] = Inbox()
        verbs = Verbs(link, number)
        if driver.transport is not None:
            driver.transport.write(data)
        await driver.run(verbs.start_conversation(), number)
        name = self.verbs.queue_manager
        await driver.run(verbs.connect(name, user, password, application or APPLICATION, options), number)
        return AsyncConnection(Established(driver, verbs))

    async def open(self, queue: str, options: int, **more: Unpack[OpenArguments]) -> "AsyncQueue":
        """Open a queue; options are MQOO_*."""
        return await self.do(*self.opening_queue(queue, options, **more))

    async def open_topic(self, topic_string: str, options: int, *, topic: str = "") -> "AsyncQueue":
        """Open a topic to publish on."""
        return await self.open_object(requests.topic_object(topic_string, topic), options)

    async def open_object(self, target: ObjectDescriptor, options: int, read_ahead: bool = False) -> "AsyncQueue":
        """Open any object by its object descriptor (MQOPEN)."""
        return await self.do(*self.opening(target, options, read_ahead))

    async def put1(
        self, queue: str, data: bytes, descriptor: MessageDescriptor | None = None, **how: Unpack[Put1Arguments]
    ) -> MessageDescriptor:
        """Put one message to a queue; returns its descriptor as the queue manager completed it."""
        descriptor = descriptor if descriptor is not None else MessageDescriptor()
        await self.do(*self.putting_one_to(queue, descriptor, data, **how))
        return descriptor

    async def subscribe(
        self, topic_string: str, *, queue: "AsyncQueue | None" = None, **more: Unpack[SubscribeArguments]
    ) -> "AsyncSubscription":
        """Subscribe to a topic; publications come from the subscription's queue."""
        return await self.do(*self.subscribing_to(topic_string, queue, **more))

    async def subscribe_with(
        self, descriptor: SubscriptionDescriptor, queue: "AsyncQueue | None"
    ) -> "AsyncSubscription":
        """Subscribe by a subscription descriptor (MQSUB)."""
        return await self.do(*self.subscribing(descriptor, queue))

    async def inquire(self, selectors: list[int]) -> dict[int, int | str]:
        """Inquire attributes of the queue manager."""
        return await self.do(*self.inquiring(selectors))

    async def status(self, status_type: int = 0) -> StatusReport:
        """Give the outcome of asynchronous puts since the last call."""
        return await self.do(*self.telling_status(status_type))

    async def commit(self) -> None:
        """Commit the unit of work."""
        await self.do(*self.committing())

    async def back_out(self) -> None:
        """Back the unit of work out."""
        await self.do(*self.backing_out())

    async def disconnect(self) -> None:
        """End the connection; the socket closes with the last connection that shares it."""
        self._ended.set()
        try:
            if self.verbs.connected:
                self.driver.users -= 1
                await self.run(self.verbs.disconnect())
        finally:
            if self.driver.users <= 0 or self.driver.link.failure is not None:
                await self.driver.closed()


class AsyncQueue(AnyQueue):
    """An open queue or topic."""

    def __init__(self, connection: AsyncConnection, opened: OpenObject) -> None:
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
        self, data: bytes, descriptor: MessageDescriptor | None = None, **how: Unpack[PutArguments]
    ) -> MessageDescriptor:
        """Put a message; returns its descriptor as the queue manager completed it."""
        descriptor = descriptor if descriptor is not None else MessageDescriptor()
        await self.connection.do(*self.putting(descriptor, requests.put_options_of(**how), data))
        return descriptor

    async def get(self, wait: float = 0.0, **how: Unpack[GetArguments]) -> Received:
        """Get a message, waiting so many seconds (less than 0: for ever); NoMessage when none came."""
        return await self.connection.do(*self.getting(*requests.get_arguments(wait, **how)))

    async def browse(self, wait: float = 0.0) -> AsyncIterator[Received]:
        """Browse the messages of the queue from the first; `wait` is the time to wait for each further one."""
        first = True
        while True:
            try:
                yield await self.get(options=requests.browse_options(first, wait))
            except NoMessage:
                return
            first = False

    async def inquire(self, selectors: list[int]) -> dict[int, int | str]:
        """Inquire attributes of the object."""
        return await self.connection.do(*self.inquiring(selectors))

    async def set(self, values: dict[int, int | str]) -> None:
        """Change attributes of the queue."""
        await self.connection.do(*self.setting(values))

    async def close(self, options: int = 0) -> None:
        """Close the handle; options are MQCO_*."""
        await self.connection.do(*self.closing(options))


class AsyncSubscription(AnySubscription):
    """A subscription and the queue of its publications."""

    def __init__(self, connection: AsyncConnection, opened: OpenObject, queue: AsyncQueue) -> None:
        super().__init__(opened, queue)
        self.connection = connection
        self.queue = queue

    async def get(self, wait: float = 0.0) -> Received:
        """Get the next publication."""
        return await self.queue.get(wait)

    async def request_publications(self, action: int = 1) -> int:
        """Request the retained publications (MQSUBRQ); returns their number."""
        return await self.connection.do(*self.requesting(action))

    async def close(self, options: int = 0) -> None:
        """Close the subscription's handle and its queue."""
        await self.connection.do(*self.closing(options))
        await self.queue.close()
