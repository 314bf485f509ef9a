"""The synchronous client: connections over blocking sockets.

A connection is used by one thread at a time; a lock makes others wait. While no call is under way the keeper, one
thread for all connections of the process, answers and sends heartbeats, so that an idle connection stays alive.
"""

import copy
import select
import socket
import ssl
import struct
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from functools import partial
from types import TracebackType
from typing import Final, TypeVar

from kew.channels.protocol.options import GetOptions, PutOptions
from kew.channels.protocol.structures import ObjectDescriptor, StatusReport
from kew.channels.protocol.subscription import SubscriptionDescriptor
from kew.channels.transport import openssl
from kew.client import requests
from kew.client.attempts import AT_ANOTHER_ADDRESS, BY_ANOTHER_CHANNEL, Failures, ways
from kew.client.isolated import isolated_endpoint
from kew.client.link import Link, Operation
from kew.client.local import local_endpoint
from kew.client.reach import SHORTEST_RENEWAL, Reach
from kew.client.recovery import TIMEOUT as RECONNECT_SECONDS
from kew.client.recovery import Recovery, go_on_after, identify, in_doubt, open_again, to_open_again
from kew.client.verbs import HANDSHAKE_SECONDS, READ_AHEAD_WINDOW, Opened, Received, Verbs
from kew.codes.errors import Broken, MQError, NoMessage
from kew.codes.options import (
    MQCNO_ISOLATED_BINDING,
    MQGMO_SYNCPOINT,
    MQGMO_SYNCPOINT_IF_PERSISTENT,
    MQOO_INQUIRE,
    MQPMO_SYNCPOINT,
)
from kew.codes.reasons import (
    MQRC_CONNECTION_BROKEN,
    MQRC_SSL_INITIALIZATION_ERROR,
)
from kew.formats.mqmd import MessageDescriptor

READ_SIZE: Final = 65536
IN_UNIT: Final = MQGMO_SYNCPOINT | MQGMO_SYNCPOINT_IF_PERSISTENT
BREATH: Final = 1.0  # seconds between two looks at the clock while waiting

T = TypeVar("T")


class SocketDriver:
    """Moves bytes between a blocking socket and a link, and runs verbs to their end."""

    def __init__(self, link: Link, endpoint: socket.socket) -> None:
        self.link = link
        self.endpoint = endpoint
        self.lock = threading.Lock()
        self.closed: bool = False
        self.key_reset = 0  # bytes after which the keys of TLS are renewed; 0 for never
        self._unrenewed = 0  # bytes since they were
        self._timeout: float | None = BREATH
        if not isinstance(endpoint, ssl.SSLSocket):
            # The kernel's own time limit costs no second system call, which a Python timeout does.
            self._timeout = None
            endpoint.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("ll", int(BREATH), 0))
        endpoint.settimeout(self._timeout)

    def run(self, operation: Operation[T]) -> T:
        """Run a verb: send what it says, read until it is content."""
        with self.lock:
            try:
                step = next(operation)
                deadline: float | None = None
                while True:
                    if step.data:
                        self._write(step.data)
                    came = True
                    if step.wait:
                        if not step.same_limit:
                            deadline = None if step.seconds is None else time.monotonic() + step.seconds
                        came = self._read(deadline)
                    step = operation.send(came)
            except StopIteration as done:
                result: T = done.value
                if self.key_reset:
                    self._renew_keys()
                return result
            except Broken:
                self._shut()
                raise

    def _renew_keys(self) -> None:
        """Renew the keys of TLS if it is time, between two verbs."""
        endpoint = self.endpoint
        if self._unrenewed < max(self.key_reset, SHORTEST_RENEWAL) or not isinstance(endpoint, ssl.SSLSocket):
            return
        try:
            if openssl.renew(endpoint):
                self._unrenewed = 0
                endpoint.do_handshake()
        except TimeoutError:
            return  # the next verb goes on with it
        except OSError as problem:
            self.link.fail(MQRC_CONNECTION_BROKEN, str(problem))

    def idle(self) -> None:
        """Look after the socket while no verb runs: heartbeats, and what the server says unasked."""
        if not self.lock.acquire(blocking=False):
            return
        try:
            if self.closed or self.link.failure is not None:
                return
            self.link.tick(time.monotonic())
            self._drain()
            self._flush()
        except Broken:
            self._shut()
        finally:
            self.lock.release()

    def _drain(self) -> None:
        """Take what the socket holds without waiting for more."""
        self.endpoint.settimeout(0.0)
        try:
            data = b"."
            while data:
                data = self.endpoint.recv(READ_SIZE)
                self.link.receive(data)
        except (ssl.SSLWantReadError, BlockingIOError):
            return
        except OSError as problem:
            self.link.fail(MQRC_CONNECTION_BROKEN, str(problem))
        finally:
            self.endpoint.settimeout(self._timeout)

    def _write(self, data: bytes) -> None:
        self._unrenewed += len(data)
        try:
            self.endpoint.sendall(data)
        except OSError as problem:
            self.link.fail(MQRC_CONNECTION_BROKEN, str(problem))
            self.link.check()

    def _flush(self) -> None:
        data = self.link.take_output()
        if data:
            self._write(data)

    def _read(self, deadline: float | None) -> bool:
        """Bring the link what the socket has next; False when the time ran out first."""
        while True:
            if deadline is not None and not self._readable(deadline):
                return False
            try:
                data = self.endpoint.recv(READ_SIZE)
            except (BlockingIOError, TimeoutError):
                now = time.monotonic()
                self.link.tick(now)
                self._flush()
                if self.link.failure is not None:
                    return True
                continue
            except OSError as problem:
                self.link.fail(MQRC_CONNECTION_BROKEN, str(problem))
                return True
            self._unrenewed += len(data)
            self.link.receive(data)
            self._flush()
            return True

    def _readable(self, deadline: float) -> bool:
        """Wait for the socket when the time that is left is less than a breath."""
        left = deadline - time.monotonic()
        if left >= BREATH or (isinstance(self.endpoint, ssl.SSLSocket) and self.endpoint.pending()):
            return True
        ready, _, _ = select.select([self.endpoint], [], [], max(left, 0.0))
        return bool(ready)

    def _shut(self) -> None:
        if not self.closed:
            self.closed = True
            self.endpoint.close()

    def close(self) -> None:
        """Close the socket."""
        with self.lock:
            self._shut()


class _Keeper:
    """The one thread that looks after idle connections."""

    def __init__(self) -> None:
        self._drivers: weakref.WeakSet[SocketDriver] = weakref.WeakSet()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def keep(self, driver: SocketDriver) -> None:
        """Look after this connection from now on."""
        with self._lock:
            self._drivers.add(driver)
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, name="kew-client-keeper", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        while True:
            time.sleep(BREATH)
            with self._lock:
                drivers = [driver for driver in self._drivers if not driver.closed]
                if not drivers:
                    self._thread = None
                    return
            for driver in drivers:
                driver.idle()


_KEEPER: Final = _Keeper()


def connect(
    queue_manager: str = "",
    connection_name: str = "localhost(1414)",
    channel: str = "SYSTEM.DEF.SVRCONN",
    user: str | None = None,
    password: str | None = None,
    application: str = "",
    *,
    tls: ssl.SSLContext | None = None,
    peer_name: str = "",
    key_reset: int = 0,
    header_compression: tuple[int, ...] = (),
    message_compression: tuple[int, ...] = (),
    heartbeat: int = 300,
    max_message: int = 104857600,
    conversations: int = 1,
    options: int = 0,
    timeout: float = HANDSHAKE_SECONDS,
) -> "Connection":
    """Connect to a queue manager, trying the addresses of the connection name in turn.

    The secret keys of TLS are renewed after `key_reset` bytes, sent and received; 0 for never. With MQCNO_RECONNECT or
    MQCNO_RECONNECT_Q_MGR among the options a connection that breaks is made anew.
    """
    return connect_by(
        Reach(
            queue_manager,
            connection_name,
            channel,
            user,
            password,
            application,
            tls,
            peer_name,
            key_reset,
            header_compression,
            message_compression,
            heartbeat,
            max_message,
            conversations,
            options,
            timeout,
        )
    )


def connect_by(reach: Reach, timeout: float = RECONNECT_SECONDS) -> "Connection":
    """Connect as `reach` says; attempts to reconnect are given up after a time."""
    return _keep_up(partial(_reached, reach), reach, timeout)


def connect_by_table(location: str, reach: Reach, timeout: float = RECONNECT_SECONDS) -> "Connection":
    """Connect by a client channel definition table (CCDT) at a path or address, which says what `reach` does not.

    The queue manager may be `*GROUP`, or `*` for any; those of a group are tried in an order that their weights say.
    """
    return _keep_up(partial(_reached_by_table, location, reach), reach, timeout)


def _keep_up(make: "Callable[[], Connection]", reach: Reach, timeout: float) -> "Connection":
    connection = make()
    if reach.reconnects:
        connection.reconnect_by(make, Recovery(reach.options, timeout))
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
    endpoint = socket.create_connection((host, port), reach.timeout)
    try:
        endpoint.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if reach.tls is not None:
            try:
                secure = reach.tls.wrap_socket(endpoint, server_hostname=host)
            except OSError as problem:  # also where the other side hangs up in the middle
                raise MQError(MQRC_SSL_INITIALIZATION_ERROR, host=host, port=port, why=str(problem)) from problem
            endpoint = secure
            reach.check_certificate(secure)
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
    data: str = "",
    max_message: int = 104857600,
    options: int = 0,
    timeout: float = HANDSHAKE_SECONDS,
) -> "Connection":
    """Connect to a queue manager on this machine (standard bindings); `data` is where queue managers live.

    The user is the one who runs this process: the system tells the queue manager. With MQCNO_ISOLATED_BINDING the
    connection has an agent in a process of its own.
    """
    link = Link("", queue_manager, 1, 0, max_message)
    reach = isolated_endpoint if options & MQCNO_ISOLATED_BINDING else local_endpoint
    return _connected(link, reach(queue_manager, data, timeout), queue_manager, None, None, application, options)


def _connected(
    link: Link,
    endpoint: socket.socket,
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
    _KEEPER.keep(driver)
    return Connection(driver, verbs)


class Connection:
    """A connection to a queue manager."""

    def __init__(self, driver: SocketDriver, verbs: Verbs) -> None:
        self.driver = driver
        self.verbs = verbs
        self._recovery: Recovery | None = None
        self._make: Callable[[], Connection] | None = None  # another connection, when this one breaks
        self._queues: weakref.WeakSet[Queue] = weakref.WeakSet()  # to be opened again then
        self._restoring = threading.Lock()
        self._ended = threading.Event()

    # Breaking and coming back.

    def reconnect_by(self, make: "Callable[[], Connection]", recovery: Recovery) -> None:
        """From now on make the connection anew when it breaks."""
        if recovery.same_manager:
            recovery.recognise(self.driver.run(identify(self.verbs)))
        self._make, self._recovery = make, recovery

    def do(self, make: Callable[[Verbs], Operation[T]], doubtful: bool = False, unit: bool = False) -> T:
        """Run a verb; one that meets a break is done again, unless its outcome is doubtful or its unit is gone."""
        recovery = self._recovery
        if recovery is None:
            return self.driver.run(make(self.verbs))
        while True:
            driver = self.driver
            try:
                if driver.closed:
                    raise Broken(MQRC_CONNECTION_BROKEN)
                result = driver.run(make(self.verbs))
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
        queues = [queue for queue in self._queues if not queue.opened.closed]
        before = [(queue.asked, queue.opened) for queue in queues]
        try:
            opened = fresh.driver.run(open_again(fresh.verbs, recovery, before))
        except MQError:
            fresh.driver.close()
            raise
        for queue, again in zip(queues, opened, strict=True):
            queue.opened = again
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

    @property
    def quiescing(self) -> bool:
        """Whether the queue manager has said that it is about to end."""
        return self.verbs.link.quiescing

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
        asked = copy.copy(target)
        opened = self.do(lambda verbs: verbs.open(copy.copy(asked), options))
        if read_ahead:
            opened.window = READ_AHEAD_WINDOW
        queue = Queue(self, opened)
        if self._recovery is not None:
            queue.asked = to_open_again(asked, opened.target)
            self._queues.add(queue)
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
        doubtful = in_doubt(descriptor.persistence, options.options)
        unit = options.options & MQPMO_SYNCPOINT != 0
        self.do(lambda verbs: verbs.put1(target, descriptor, options, data), doubtful, unit)
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
        opened = queue.opened if queue is not None else None
        where, subscription, _answer = self.do(lambda verbs: verbs.subscribe(descriptor, opened))
        return Subscription(self, subscription, queue if queue is not None else Queue(self, where))

    def inquire(self, selectors: list[int]) -> dict[int, int | str]:
        """Attributes of the queue manager."""
        with self.open_object(requests.queue_manager_object(), MQOO_INQUIRE) as queue_manager:
            return queue_manager.inquire(selectors)

    def status(self, status_type: int = 0) -> StatusReport:
        """What became of asynchronous puts since the last call."""
        return self.do(lambda verbs: verbs.status(status_type))

    def commit(self) -> None:
        """Make what was done under syncpoint final."""
        recovery = self._recovery
        if recovery is None or not recovery.unit or self.driver.closed:
            self.do(lambda verbs: verbs.commit())
            return
        recovery.unit = False  # whatever becomes of it, it is over
        self.do(lambda verbs: verbs.commit(), doubtful=True)

    def back_out(self) -> None:
        """Undo what was done under syncpoint."""
        if self._recovery is not None:
            self._recovery.unit = False  # a connection that broke has done it already
        self.do(lambda verbs: verbs.back_out())

    def disconnect(self) -> None:
        """End the connection; what was done under syncpoint is committed."""
        self._ended.set()
        if not self.driver.closed:
            self.driver.run(self.verbs.disconnect())
            self.driver.close()


class Queue:
    """An open queue or topic."""

    def __init__(self, connection: Connection, opened: Opened) -> None:
        self.connection = connection
        self.opened = opened
        self.asked = opened.target  # by what it is opened again, where that is done

    def __enter__(self) -> "Queue":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.connection.verbs.link.ready:
            self.close()

    @property
    def name(self) -> str:
        """The queue's name; of a dynamic queue the one it was given."""
        return self.opened.name

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
        doubtful = in_doubt(descriptor.persistence, options.options)
        unit = options.options & MQPMO_SYNCPOINT != 0
        self.connection.do(lambda verbs: verbs.put(self.opened, descriptor, options, data), doubtful, unit)
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
        unit = options.options & IN_UNIT != 0
        return self.connection.do(lambda verbs: verbs.get(self.opened, descriptor, options, max_length), unit=unit)

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


class Subscription:
    """A subscription and the queue its publications arrive on."""

    def __init__(self, connection: Connection, opened: Opened, queue: Queue) -> None:
        self.connection = connection
        self.opened = opened
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
