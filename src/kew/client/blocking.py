"""The synchronous client: connections over blocking sockets, each used by one thread at a time."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from functools import partial
from types import TracebackType
from typing import Any, TypeVar, Unpack

from kew.channels.protocol.structures import ObjectDescriptor, StatusReport
from kew.channels.protocol.subscription import SubscriptionDescriptor
from kew.client import requests
from kew.client.arguments import body_of
from kew.client.attempts import Making, connecting, connecting_by_table, joining
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
from kew.client.link import Link, Operation
from kew.client.openobject import OpenObject
from kew.client.received import Received
from kew.client.recovery import TIMEOUT as RECONNECT_SECONDS
from kew.client.recovery import Call, Recovery, recovery_of
from kew.client.securesocket import SecureSocket
from kew.client.socketdriver import KEEPER, SocketDriver
from kew.client.threadsharing import OneThread, RefuseConcurrent, check_sharing
from kew.client.verbs import HANDSHAKE_SECONDS, Verbs
from kew.codes.errors import Broken, MQError, NoMessage
from kew.codes.options import MQCNO_HANDLE_SHARE_NO_BLOCK, MQCNO_HANDLE_SHARE_NONE, MQCNO_ISOLATED_BINDING
from kew.codes.reasons import MQRC_SSL_INITIALIZATION_ERROR
from kew.formats.mqmd import MessageDescriptor

T = TypeVar("T")


def connect(
    queue_manager: str = "",
    connection_name: str = "localhost(1414)",
    channel: str = "SYSTEM.DEF.SVRCONN",
    user: str | None = None,
    password: str | None = None,
    application: str = "",
    **more: Unpack[ConnectKeywords],
) -> "Connection":
    """Connect to a queue manager, trying the addresses of the connection name in turn.

    `more` has further fields of ConnectSettings: TLS, compression, limits, options. With MQCNO_RECONNECT or
    MQCNO_RECONNECT_Q_MGR among the options the client reconnects when the connection breaks.
    """
    return connect_by(ConnectSettings(queue_manager, connection_name, channel, user, password, application, **more))


def connect_by(settings: ConnectSettings, timeout: float = RECONNECT_SECONDS) -> "Connection":
    """Connect with the given settings; attempts to reconnect end after `timeout` seconds."""
    return connect_with(partial(connecting, settings), recovery_of(settings, timeout), settings.options)


def connect_by_table(location: str, settings: ConnectSettings, timeout: float = RECONNECT_SECONDS) -> "Connection":
    """Connect by a client channel definition table (CCDT), a file or an address; `settings` has the rest.

    The queue manager may be `*GROUP`, or `*` for any; channels of a group are tried in an order that follows their
    weights.
    """
    make = partial(connecting_by_table, location, settings.queue_manager, lambda _channel: settings)
    return connect_with(make, recovery_of(settings, timeout), settings.options)


def connect_with(make: Making, recovery: Recovery | None = None, options: int = 0) -> "Connection":
    """Connect by the script that `make` gives; with a recovery the client reconnects when the connection breaks."""
    check_sharing(options)
    connection = Connection(perform(make()))
    connection.driver.run(connection.keeping_up(make, recovery))
    connection.take_turns(options)
    return connection


def connect_local(
    queue_manager: str,
    application: str = "",
    *,
    user: str | None = None,
    password: str | None = None,
    data: str = "",
    max_message: int = 104857600,
    options: int = 0,
    timeout: float = HANDSHAKE_SECONDS,
) -> "Connection":
    """Connect to a queue manager on this machine (standard bindings); `data` is the directory of queue managers.

    The connection's user is the owner of this process, whom the operating system reports to the queue manager, unless
    CONNAUTH has the queue manager adopt `user`. With MQCNO_ISOLATED_BINDING the connection has an agent in a process of
    its own.
    """
    check_sharing(options)
    link = Link("", queue_manager, 1, 0, max_message)
    open_endpoint = isolated_endpoint if options & MQCNO_ISOLATED_BINDING else local_endpoint
    driver = SocketDriver(link, open_endpoint(queue_manager, data, timeout))
    connection = Connection(perform(joining(driver, queue_manager, user, password, application, options)))
    connection.take_turns(options)
    return connection


# Carrying out scripts.


def perform(script: Script[T], pause: Callable[[float], bool] | None = None) -> T:
    """Carry out a script by blocking; `pause` waits and says whether the program has disconnected meanwhile."""
    try:
        effect = next(script)
        while True:
            try:
                answer = _carry_out(effect, pause)
            except BaseException as problem:  # Ctrl-C too: the script closes its socket
                effect = script.throw(problem)
            else:
                effect = script.send(answer)
    except StopIteration as done:
        result: T = done.value
        return result


def _carry_out(effect: Effect, pause: Callable[[float], bool] | None) -> Any:
    if isinstance(effect, Run):
        return effect.driver.run(effect.operation)
    if isinstance(effect, Dial):
        return _dial(effect.settings, effect.host, effect.port)
    if isinstance(effect, Close):
        return effect.driver.close()
    if isinstance(effect, Look):
        return effect.function()
    assert isinstance(effect, Pause)
    assert pause is not None
    return pause(effect.seconds)


def _dial(settings: ConnectSettings, host: str, port: int) -> SocketDriver:
    plain = socket.create_connection((host, port), settings.timeout)
    endpoint: socket.socket | SecureSocket = plain
    try:
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, settings.keep_alive)
        if settings.tls is not None:
            endpoint = secure = SecureSocket(plain, settings.tls, host)
            try:
                secure.shake_hands()
            except OSError as problem:  # also where the other side hangs up in the middle
                raise MQError(MQRC_SSL_INITIALIZATION_ERROR, host=host, port=port, why=str(problem)) from problem
            settings.check_certificate(secure.session)
        driver = SocketDriver(settings.link(), endpoint)
    except BaseException:
        endpoint.close()
        raise
    driver.key_reset = settings.key_reset if settings.tls is not None else 0
    return driver


class Connection(AnyConnection[SocketDriver, "Queue", "Subscription"]):
    """A connection to a queue manager."""

    def __init__(self, established: Established[SocketDriver]) -> None:
        super().__init__(established)
        KEEPER.keep(self.driver)
        self._restoring = threading.Lock()
        self._ended = threading.Event()
        self.turns: OneThread | RefuseConcurrent | None = None  # None: threads that share it wait for each other

    def take_turns(self, options: int) -> None:
        """Apply MQCNO_HANDLE_SHARE_NONE or _NO_BLOCK to sharing among threads; otherwise calls wait for one another."""
        if options & MQCNO_HANDLE_SHARE_NONE:
            self.turns = OneThread()
        elif options & MQCNO_HANDLE_SHARE_NO_BLOCK:
            self.turns = RefuseConcurrent()

    def queue_of(self, opened: OpenObject) -> "Queue":
        """Make the program's queue for an opened object."""
        return Queue(self, opened)

    def subscription_of(self, opened: OpenObject, queue: "Queue") -> "Subscription":
        """Make the program's subscription for an opened subscription and its queue."""
        return Subscription(self, opened, queue)

    def do(
        self, begin: Callable[[Verbs], Operation[T]], doubtful: bool = False, unit: bool = False, ends: bool = False
    ) -> T:
        """Run a verb; after a break it is run again, unless its outcome is doubtful or its unit of work is gone."""
        call = Call(begin, doubtful, unit, ends)
        if self.turns is None:
            return self._do(call)
        with self.turns:
            return self._do(call)

    def _do(self, call: Call[T]) -> T:
        recovery = self._recovery
        if recovery is None:
            return self.driver.run(call.begin(self.verbs))
        while True:
            driver, sent = self.driver, recovery.begin(call, self.standing)
            try:
                if sent:
                    result = driver.run(call.begin(self.verbs))
                    recovery.unit = recovery.unit or call.unit
                    return result
            except Broken:
                pass
            with self._restoring:
                if self.driver is driver:  # otherwise another thread has reconnected
                    perform(self.restoring(recovery), self.pause)
                    KEEPER.keep(self.driver)
            recovery.come_back(call, sent)

    @property
    def standing(self) -> bool:
        """True unless the connection is known to be broken."""
        return not self.driver.closed and super().standing

    def pause(self, seconds: float) -> bool:
        """Wait before an attempt to reconnect; says whether the program has disconnected meanwhile."""
        return self._ended.wait(seconds)

    @property
    def idle(self) -> bool:
        """Say whether a verb could begin at once: none is under way, and the connection is not reconnecting."""
        return not self._restoring.locked() and not self.driver.lock.locked()

    def __enter__(self) -> "Connection":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        if problem is not None and self.verbs.connected and self.verbs.link.ready:
            try:
                self.back_out()
            except MQError:
                self.driver.close()
        self.disconnect()

    def open(self, queue: str, options: int, **more: Unpack[OpenArguments]) -> "Queue":
        """Open a queue; options are MQOO_*."""
        return self.do(*self.opening_queue(queue, options, **more))

    def open_topic(self, topic_string: str, options: int, *, topic: str = "") -> "Queue":
        """Open a topic to publish on."""
        return self.open_object(requests.topic_object(topic_string, topic), options)

    def open_object(self, target: ObjectDescriptor, options: int, read_ahead: bool = False) -> "Queue":
        """Open any object by its object descriptor (MQOPEN)."""
        return self.do(*self.opening(target, options, read_ahead))

    def put1(
        self,
        queue: str,
        data: bytes,
        descriptor: MessageDescriptor | None = None,
        **how: Unpack[Put1Arguments],
    ) -> MessageDescriptor:
        """Put one message to a queue; returns its descriptor as the queue manager completed it."""
        descriptor = descriptor if descriptor is not None else MessageDescriptor()
        self.do(*self.putting_one_to(queue, descriptor, data, **how))
        return descriptor

    def subscribe(
        self, topic_string: str, *, queue: "Queue | None" = None, **more: Unpack[SubscribeArguments]
    ) -> "Subscription":
        """Subscribe to a topic; publications come from the subscription's queue."""
        return self.do(*self.subscribing_to(topic_string, queue, **more))

    def subscribe_with(self, descriptor: SubscriptionDescriptor, queue: "Queue | None") -> "Subscription":
        """Subscribe by a subscription descriptor (MQSUB)."""
        return self.do(*self.subscribing(descriptor, queue))

    def inquire(self, selectors: list[int]) -> dict[int, int | str]:
        """Inquire attributes of the queue manager."""
        return self.do(*self.inquiring(selectors))

    def status(self, status_type: int = 0) -> StatusReport:
        """Give the outcome of asynchronous puts since the last call."""
        return self.do(*self.telling_status(status_type))

    def commit(self) -> None:
        """Commit the unit of work."""
        self.do(*self.committing())

    def back_out(self) -> None:
        """Back the unit of work out."""
        self.do(*self.backing_out())

    def disconnect(self) -> None:
        """Commit the unit of work and end the connection."""
        with self.turns or nullcontext():
            self._ended.set()
            if not self.driver.closed:
                try:
                    self.driver.run(self.verbs.disconnect())
                finally:
                    self.driver.close()


class Queue(AnyQueue):
    """An open queue or topic."""

    def __init__(self, connection: Connection, opened: OpenObject) -> None:
        super().__init__(opened)
        self.connection = connection

    def __enter__(self) -> "Queue":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.connection.verbs.link.ready:
            self.close()

    def put(
        self, data: bytes, descriptor: MessageDescriptor | None = None, **how: Unpack[PutArguments]
    ) -> MessageDescriptor:
        """Put a message; returns its descriptor as the queue manager completed it."""
        descriptor = descriptor if descriptor is not None else MessageDescriptor()
        options = requests.put_options_of(**how)
        connection = self.connection
        if connection.reconnects or connection.turns is not None:
            connection.do(*self.putting(descriptor, options, data))
        else:
            connection.driver.put(connection.verbs, self.opened, descriptor, options, body_of(data))
        return descriptor

    def get(self, wait: float = 0.0, **how: Unpack[GetArguments]) -> Received:
        """Get a message, waiting so many seconds (less than 0: for ever); NoMessage when none came."""
        descriptor, options, max_length = requests.get_arguments(wait, **how)
        connection = self.connection
        if connection.reconnects or connection.turns is not None:
            return connection.do(*self.getting(descriptor, options, max_length))
        return connection.driver.get(connection.verbs, self.opened, descriptor, options, max_length)

    def browse(self, wait: float = 0.0) -> Iterator[Received]:
        """Browse the messages of the queue from the first; `wait` is the time to wait for each further one."""
        first = True
        while True:
            try:
                yield self.get(options=requests.browse_options(first, wait))
            except NoMessage:
                return
            first = False

    def inquire(self, selectors: list[int]) -> dict[int, int | str]:
        """Inquire attributes of the object."""
        return self.connection.do(*self.inquiring(selectors))

    def set(self, values: dict[int, int | str]) -> None:
        """Change attributes of the queue."""
        self.connection.do(*self.setting(values))

    def close(self, options: int = 0) -> None:
        """Close the handle; options are MQCO_*."""
        self.connection.do(*self.closing(options))


class Subscription(AnySubscription):
    """A subscription and the queue of its publications."""

    def __init__(self, connection: Connection, opened: OpenObject, queue: Queue) -> None:
        super().__init__(opened, queue)
        self.connection = connection
        self.queue = queue

    def get(self, wait: float = 0.0) -> Received:
        """Get the next publication."""
        return self.queue.get(wait)

    def request_publications(self, action: int = 1) -> int:
        """Request the retained publications (MQSUBRQ); returns their number."""
        return self.connection.do(*self.requesting(action))

    def close(self, options: int = 0) -> None:
        """Close the subscription's handle and its queue."""
        self.connection.do(*self.closing(options))
        self.queue.close()
