"""Drives a link over a blocking socket.

A driver is used by one thread at a time; a lock makes others wait. While no verb runs, the keeper (one thread for all
connections of the process) sends heartbeats and answers them, so that an idle connection stays alive.
"""

import os
import select
import socket
import struct
import threading
import time
import weakref
from contextlib import suppress
from typing import Final, TypeVar

from kew.channels.protocol.options import GetOptions, PutOptions
from kew.client.connectsettings import SHORTEST_RENEWAL
from kew.client.link import Link, Operation
from kew.client.openobject import OpenObject
from kew.client.readahead import ONE_MESSAGE
from kew.client.received import Received
from kew.client.securesocket import NOT_YET, SecureSocket
from kew.client.verbs import Verbs
from kew.codes.errors import Broken
from kew.codes.reasons import MQRC_CONNECTION_BROKEN, MQRC_HCONN_ERROR
from kew.formats.mqmd import MessageDescriptor

READ_SIZE: Final = 65536
BREATH: Final = 1.0  # seconds between two checks of the time while waiting

T = TypeVar("T")


class SocketDriver:
    """Moves bytes between a blocking socket and a link, and runs verbs to their end."""

    def __init__(self, link: Link, endpoint: socket.socket | SecureSocket) -> None:
        self.link = link
        self.endpoint = endpoint
        self.lock = threading.Lock()
        self.closed: bool = False
        self._resting: bool = False  # the verb waits for the socket: no work is half done
        self.key_reset = 0  # bytes after which the keys of TLS are renewed; 0 for never
        self._unrenewed = 0  # bytes since the last renewal
        # The kernel's own time limit costs no second system call, which a Python timeout does.
        endpoint.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("ll", int(BREATH), 0))
        endpoint.settimeout(None)

    def run(self, operation: Operation[T]) -> T:
        """Run a verb to its end: send its bytes and feed it the replies."""
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
            except BaseException as problem:
                self._break_off(operation, problem)
                raise

    def _break_off(self, operation: Operation[T], problem: BaseException) -> None:
        """Leave a verb in the middle, as Ctrl-C does; the connection survives if its state is known."""
        operation.close()
        if not self._resting and not isinstance(problem, Exception):
            self.link.fail(MQRC_CONNECTION_BROKEN, "a call was broken off")
        self._resting = False
        with suppress(Broken):
            self._flush()  # perhaps the withdrawal of a get
        if self.link.failure is not None:
            self._shut()

    def put(
        self, verbs: Verbs, opened: OpenObject, descriptor: MessageDescriptor, options: PutOptions, data: bytes
    ) -> None:
        """Put a message (MQPUT); an asynchronous put takes a short path."""
        with self.lock:
            try:
                said = verbs.put_at_once(opened, descriptor, options, data)
                if said:
                    self._write(said)
                    if self.key_reset:
                        self._renew_keys()
                    return
            except Broken:
                self._shut()
                raise
        self.run(verbs.put(opened, descriptor, options, data))

    def get(
        self, verbs: Verbs, opened: OpenObject, descriptor: MessageDescriptor, options: GetOptions, max_length: int
    ) -> Received:
        """Get a message (MQGET); a get whose message has been received takes a short path."""
        if opened.window > ONE_MESSAGE:
            with self.lock:
                received = verbs.deliveries.at_hand(opened, descriptor, options, max_length)
            if received is not None:
                return received
        return self.run(verbs.get(opened, descriptor, options, max_length))

    def _renew_keys(self) -> None:
        """Renew the keys of TLS if it is time, between two verbs."""
        endpoint = self.endpoint
        if self._unrenewed < max(self.key_reset, SHORTEST_RENEWAL) or not isinstance(endpoint, SecureSocket):
            return
        try:
            self._unrenewed = 0
            endpoint.renew_keys()
        except NOT_YET:
            return  # the next verb reads on
        except OSError as problem:
            self.link.fail(MQRC_CONNECTION_BROKEN, str(problem))

    def idle(self) -> None:
        """Serve the socket while no verb runs: heartbeats and unsolicited notifications."""
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
        """Read the bytes the socket holds without waiting for more."""
        self.endpoint.settimeout(0.0)
        try:
            data = b"."
            while data:
                data = self.endpoint.recv(READ_SIZE)
                self.link.receive(data)
        except NOT_YET:
            return
        except OSError as problem:
            self.link.fail(MQRC_CONNECTION_BROKEN, str(problem))
        finally:
            self.endpoint.settimeout(None)

    def _write(self, data: bytes) -> None:
        self._unrenewed += len(data)
        try:
            self.endpoint.sendall(data)
        except OSError as problem:
            self.link.fail(MQRC_CONNECTION_BROKEN, str(problem))
            self.link.check()
        except BaseException:  # Ctrl-C, and how much was sent is unknown
            self.link.fail(MQRC_CONNECTION_BROKEN, "a call was broken off")
            self._shut()
            raise

    def _flush(self) -> None:
        data = self.link.take_output()
        if data:
            self._write(data)

    def _read(self, deadline: float | None) -> bool:
        """Read the next bytes into the link; False when the time ran out first."""
        while True:
            self._resting = True
            if deadline is not None and not self._readable(deadline):
                self._resting = False
                return False
            try:
                data = self.endpoint.recv(READ_SIZE)
                self._resting = False
            except NOT_YET:
                self._resting = False
                now = time.monotonic()
                self.link.tick(now)
                self._flush()
                if self.link.failure is not None:
                    return True
                continue
            except OSError as problem:
                self._resting = False
                self.link.fail(MQRC_CONNECTION_BROKEN, str(problem))
                return True
            self._unrenewed += len(data)
            self.link.receive(data)
            self._flush()
            return True

    def _readable(self, deadline: float) -> bool:
        """Wait for the socket when the remaining time is too short for the kernel's time limit."""
        left = deadline - time.monotonic()
        if left >= BREATH or (isinstance(self.endpoint, SecureSocket) and self.endpoint.pending()):
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

    def disown(self) -> None:
        """Give the connection up in a forked process: it is the parent's, and nothing is sent on it here."""
        self.lock = threading.Lock()  # a thread that the child does not have may hold the old lock
        self.link.fail(MQRC_HCONN_ERROR, "the connection belongs to the process that has made it")
        self._shut()


class Keeper:
    """The one thread that serves idle connections."""

    def __init__(self) -> None:
        self._drivers: weakref.WeakSet[SocketDriver] = weakref.WeakSet()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        os.register_at_fork(
            before=self._lock.acquire, after_in_parent=self._lock.release, after_in_child=self._begin_in_child
        )

    def _begin_in_child(self) -> None:
        self._thread = None
        for driver in list(self._drivers):
            driver.disown()
        self._drivers.clear()
        self._lock.release()

    def keep(self, driver: SocketDriver) -> None:
        """Serve this connection from now on."""
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


KEEPER: Final = Keeper()
