"""The synchronous client: connections over blocking sockets, each used by one thread at a time."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from functools import partial
from types import TracebackType
from typing import TypeVar, Unpack

from kew.channels.protocol.options import GetOptions, PutOptions
from kew.channels.protocol.structures import ObjectDescriptor, StatusReport
from kew.channels.protocol.subscription import SubscriptionDescriptor
from kew.client import requests
from kew.client.attempts import AT_ANOTHER_ADDRESS, BY_ANOTHER_CHANNEL, Failures, ways
from kew.client.calls import Bond, Handle, Interest
from kew.client.isolated import isolated_endpoint
from kew.client.link import Link, Operation
from kew.client.local import local_endpoint
from kew.client.opened import Opened
from kew.client.reach import Particulars, Reach
from kew.client.received import Received
from kew.client.recovery import TIMEOUT as RECONNECT_SECONDS
from kew.client.recovery import Recovery, go_on_after, identify
from kew.client.secure import SecureSocket
from kew.client.socketdriver import KEEPER, SocketDriver
from kew.client.turns import NoWaiting, OneThread, check_sharing
from kew.client.verbs import HANDSHAKE_SECONDS, Verbs
from kew.codes.errors import Broken, MQError, NoMessage
from kew.codes.options import (
    MQCNO_HANDLE_SHARE_NO_BLOCK,
    MQCNO_HANDLE_SHARE_NONE,
    MQCNO_ISOLATED_BINDING,
    MQOO_INQUIRE,
)
from kew.codes.reasons import (
    MQRC_CONNECTION_BROKEN,
    MQRC_SSL_INITIALIZATION_ERROR,
)
from kew.formats.mqmd import MessageDescriptor

T = TypeVar("T")


def connect(
    queue_manager: str = "",
    connection_name: str = "localhost(1414)",
    channel: str = "SYSTEM.DEF.SVRCONN",
    user: str | None = None,
    password: str | None = None,
    application: str = "",
    **more: Unpack[Particulars],
) -> "Connection":
    """Connect to a queue manager, trying the addresses of the connection name in turn.

    `more` is what else a Reach has: TLS, compression, limits, options. With MQCNO_RECONNECT or MQCNO_RECONNECT_Q_MGR
    among the options a connection that breaks is made anew.
    """
    reach = Reach(queue_manager, connection_name, channel, user, password, application, **more)
    return connect_by(reach)


def connect_by(reach: Reach, timeout: float = RECONNECT_SECONDS) -> "Connection":
    """Connect as `reach` says; attempts to reconnect are given up after a time."""
    return _keep_up(partial(_reached, reach), reach, timeout)


def connect_by_table(location: str, reach: Reach, timeout: float = RECONNECT_SECONDS) -> "Connection":
    """Connect by a client channel definition table (CCDT) at a path or address, which says what `reach` does not.

    The queue manager may be `*GROUP`, or `*` for any; those of a group are tried in an order that their weights say.
    """
    return _keep_up(partial(_reached_by_table, location, reach), reach, timeout)


def _keep_up(make: "Callable[[], Connection]", reach: Reach, timeout: float) -> "Connection":
    check_sharing(reach.options)
    connection = make()
    if reach.reconnects:
        connection.reconnect_by(make, Recovery(reach.options, timeout))
    connection.take_turns(reach.options)
    return connection


def _reached_by_table(location: str, reach: Reach) -> "Connection":
    failures = Failures(BY_ANOTHER_CHANNEL)
    for way in ways(location, reach):
        try:
            return _reached(way)
        except MQError as error:
            failures.note(error)
    raise failures.last()


def _reached(reach: Reach) -> "Connection":
    failures = Failures(AT_ANOTHER_ADDRESS)
    for host, port in reach.addresses():
        try:
            return _reached_at(reach, host, port)
        except (MQError, OSError) as problem:
            failures.note_at(host, port, problem)
    raise failures.last()


def _reached_at(reach: Reach, host: str, port: int) -> "Connection":
    plain = socket.create_connection((host, port), reach.timeout)
    endpoint: socket.socket | SecureSocket = plain
    try:
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, reach.keep_alive)
        if reach.tls is not None:
            endpoint = secure = SecureSocket(plain, reach.tls, host)
            try:
                secure.shake_hands()
            except OSError as problem:  # also where the other side hangs up in the middle
                raise MQError(MQRC_SSL_INITIALIZATION_ERROR, host=host, port=port, why=str(problem)) from problem
            reach.check_certificate(secure.session)
    except (OSError, MQError):
        endpoint.close()
        raise
    connection = _connected(
        reach.link(), endpoint, reach.queue_manager, reach.user, reach.password, reach.application, reach.told
    )
    connection.driver.key_reset = reach.key_reset if reach.tls is not None else 0
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
    """Connect to a queue manager on this machine (standard bindings); `data` is where queue managers live.

    The user is the one who runs this process, as the system tells the queue manager, unless CONNAUTH has it heed the
    one that is given. With MQCNO_ISOLATED_BINDING the connection has an agent in a process of its own.
    """
    check_sharing(options)
    link = Link("", queue_manager, 1, 0, max_message)
    reach = isolated_endpoint if options & MQCNO_ISOLATED_BINDING else local_endpoint
    endpoint = reach(queue_manager, data, timeout)
    connection = _connected(link, endpoint, queue_manager, user, password, application, options)
    connection.take_turns(options)
    return connection


def _connected(
    link: Link,
    endpoint: socket.socket | SecureSocket,
    queue_manager: str,
    user: str | None,
    password: str | None,
    application: str,
    options: int,
) -> "Connection":
    driver = SocketDriver(link, endpoint)
    verbs = Verbs(link)
    try:
        driver.run(verbs.negotiate())
        driver.run(verbs.connect(queue_manager, user, password, application or "kew", options))
    except MQError:
        driver.close()
        raise
    KEEPER.keep(driver)
    return Connection(driver, verbs)


class Connection(Bond):
    """A connection to a queue manager."""

    def __init__(self, driver: SocketDriver, verbs: Verbs) -> None:
        super().__init__(verbs)
        self.driver = driver
        self._make: Callable[[], Connection] | None = None  # another connection, when this one breaks
        self.reconnects = False
        self._restoring = threading.Lock()
        self._ended = threading.Event()
        self.turns: OneThread | NoWaiting | None = None  # None: threads that share it wait for each other

    def take_turns(self, options: int) -> None:
        """Have threads share the connection as MQCNO_HANDLE_SHARE_NONE or _NO_BLOCK say; otherwise they take turns."""
        if options & MQCNO_HANDLE_SHARE_NONE:
            self.turns = OneThread()
        elif options & MQCNO_HANDLE_SHARE_NO_BLOCK:
            self.turns = NoWaiting()

    # Breaking and coming back.

    def reconnect_by(self, make: "Callable[[], Connection]", recovery: Recovery) -> None:
        """From now on make the connection anew when it breaks."""
        if recovery.same_manager:
            recovery.recognise(self.driver.run(identify(self.verbs)))
        self._make, self._recovery = make, recovery
        self.reconnects = True

    def do(self, begin: Callable[[Verbs], Operation[T]], doubtful: bool = False, unit: bool = False) -> T:
        """Run a verb; one that meets a break is done again, unless its outcome is doubtful or its unit is gone."""
        if self.turns is None:
            return self._do(begin, doubtful, unit)
        with self.turns:
            return self._do(begin, doubtful, unit)

    def _do(self, begin: Callable[[Verbs], Operation[T]], doubtful: bool, unit: bool) -> T:
        recovery = self._recovery
        if recovery is None:
            return self.driver.run(begin(self.verbs))
        while True:
            driver = self.driver
            try:
                if driver.closed:
                    raise Broken(MQRC_CONNECTION_BROKEN)
                result = driver.run(begin(self.verbs))
            except Broken:
                self._restore(driver, recovery)
                recovery.come_back(doubtful)
            else:
                recovery.unit = recovery.unit or unit
                return result

    def _restore(self, lost: SocketDriver, recovery: Recovery) -> None:
        """Connect again and open everything again, unless another thread has done so."""
        with self._restoring:
            if self.driver is not lost:
                return
            lost.close()
            for delay in recovery.delays():
                if self._ended.wait(delay):
                    raise Broken(MQRC_CONNECTION_BROKEN, why="the program has disconnected")
                try:
                    self._replace(recovery)
                except MQError as error:
                    go_on_after(error)
                else:
                    return

    def _replace(self, recovery: Recovery) -> None:
        assert self._make is not None
        fresh = self._make()
        try:
            fresh.driver.run(self.reopening(fresh.verbs, recovery))
        except MQError:
            fresh.driver.close()
            raise
        self.driver, self.verbs = fresh.driver, fresh.verbs

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

    def open(
        self,
        queue: str,
        options: int,
        *,
        queue_manager: str = "",
        dynamic_name: str = "AMQ.*",
        selector: str = "",
        read_ahead: bool = False,
    ) -> "Queue":
        """Open a queue; options are MQOO_*."""
        target = requests.queue_object(queue, queue_manager, dynamic_name, selector)
        return self.open_object(target, options, read_ahead)

    def open_topic(self, topic_string: str, options: int, *, topic: str = "") -> "Queue":
        """Open a topic to publish on."""
        return self.open_object(requests.topic_object(topic_string, topic), options)

    def open_object(self, target: ObjectDescriptor, options: int, read_ahead: bool = False) -> "Queue":
        """MQOPEN of any object."""
        queue = Queue(self, self.do(*self.opening(target, options)))
        self.remember(queue, target, read_ahead)
        return queue

    def put1(
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
        self.do(*self.putting_one(target, descriptor, options, data))
        return descriptor

    def subscribe(
        self,
        topic_string: str,
        *,
        topic: str = "",
        name: str = "",
        selector: str = "",
        options: int = 0,
        queue: "Queue | None" = None,
    ) -> "Subscription":
        """Subscribe to a topic; publications come from the subscription's queue."""
        descriptor = requests.subscription(topic_string, topic, name, selector, options, queue is None)
        return self.subscribe_with(descriptor, queue)

    def subscribe_with(self, descriptor: SubscriptionDescriptor, queue: "Queue | None") -> "Subscription":
        """MQSUB."""
        where, subscription, answer = self.do(*self.subscribing(descriptor, queue))
        made = Subscription(self, subscription, queue if queue is not None else Queue(self, where))
        self.remember_interest(made, descriptor, answer, queue is not None)
        return made

    def inquire(self, selectors: list[int]) -> dict[int, int | str]:
        """Attributes of the queue manager."""
        with self.open_object(requests.queue_manager_object(), MQOO_INQUIRE) as queue_manager:
            return queue_manager.inquire(selectors)

    def status(self, status_type: int = 0) -> StatusReport:
        """What became of asynchronous puts since the last call."""
        return self.do(lambda verbs: verbs.status(status_type))

    def commit(self) -> None:
        """Make what was done under syncpoint final."""
        self.do(*self.committing(not self.driver.closed))

    def back_out(self) -> None:
        """Undo what was done under syncpoint."""
        self.do(*self.backing_out())

    def disconnect(self) -> None:
        """End the connection; what was done under syncpoint is committed."""
        with self.turns or nullcontext():
            self._ended.set()
            if not self.driver.closed:
                try:
                    self.driver.run(self.verbs.disconnect())
                finally:
                    self.driver.close()


class Queue(Handle):
    """An open queue or topic."""

    def __init__(self, connection: Connection, opened: Opened) -> None:
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
        connection = self.connection
        if connection.reconnects or connection.turns is not None:
            connection.do(*self.putting(descriptor, options, data))
        else:
            connection.driver.put(connection.verbs, self.opened, descriptor, options, data)
        return descriptor

    def get(
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
        connection = self.connection
        if connection.reconnects or connection.turns is not None:
            return connection.do(*self.getting(descriptor, options, max_length))
        return connection.driver.get(connection.verbs, self.opened, descriptor, options, max_length)

    def browse(self, wait: float = 0.0) -> Iterator[Received]:
        """The messages of the queue from its first, left where they are; waits so long for each further one."""
        first = True
        while True:
            options = requests.browse_options(first, wait)
            try:
                yield self.get(options=options)
            except NoMessage:
                return
            first = False

    def inquire(self, selectors: list[int]) -> dict[int, int | str]:
        """The object's attributes."""
        return self.connection.do(lambda verbs: verbs.inquire(self.opened, selectors))

    def set(self, values: dict[int, int | str]) -> None:
        """Change attributes of the queue."""
        self.connection.do(lambda verbs: verbs.set_attributes(self.opened, values))

    def close(self, options: int = 0) -> None:
        """Close the handle; options are MQCO_*."""
        self.connection.do(lambda verbs: verbs.close(self.opened, options))


class Subscription(Interest):
    """A subscription and the queue its publications arrive on."""

    def __init__(self, connection: Connection, opened: Opened, queue: Queue) -> None:
        super().__init__(opened, queue)
        self.connection = connection
        self.queue = queue

    def get(self, wait: float = 0.0) -> Received:
        """Get the next publication."""
        return self.queue.get(wait)

    def request_publications(self, action: int = 1) -> int:
        """Have the retained publications sent; answers how many there are."""
        return self.connection.do(lambda verbs: verbs.request_publications(self.opened, action))

    def close(self, options: int = 0) -> None:
        """Close the subscription's handle and its queue."""
        self.connection.do(lambda verbs: verbs.close(self.opened, options))
        self.queue.close()
