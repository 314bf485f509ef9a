"""The server thread of a queue: it gets each message, handles it, and commits."""

import threading
from abc import abstractmethod
from collections.abc import Callable
from typing import Final

from kew.codes.errors import BackedOut, Broken, MQError
from kew.codes.messages import Notices
from kew.codes.options import (
    MQGMO_FAIL_IF_QUIESCING,
    MQGMO_WAIT,
    MQMT_REQUEST,
    MQOO_ALTERNATE_USER_AUTHORITY,
    MQOO_FAIL_IF_QUIESCING,
    MQOO_INPUT_SHARED,
    MQOO_OUTPUT,
    MQOO_PASS_ALL_CONTEXT,
    MQOO_PASS_IDENTITY_CONTEXT,
    MQOO_SAVE_ALL_CONTEXT,
    MQPMO_PASS_ALL_CONTEXT,
    MQRO_NAN,
    MQRO_PAN,
    MQWI_UNLIMITED,
)
from kew.codes.reasons import MQRC_CONNECTION_STOPPING, MQRC_MISSING_REPLY_TO_Q, reason_name
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.connections.handles import Handle
from kew.mqi.delivery.deadletter import dead_letter_queue, letter
from kew.mqi.engine import Engine
from kew.mqi.gets.request import Got
from kew.mqi.local.connection import LocalConnection
from kew.mqi.local.waiter import LocalWaiter

INTERRUPT_INTERVAL: Final = 0.05  # seconds between two attempts to interrupt a get

Connect = Callable[[str], LocalConnection]


class QueueServer:
    """The server of one queue."""

    def __init__(self, engine: Engine, connect: Connect, notices: Notices, queue: str, application: str) -> None:
        self.queue = queue
        self.engine = engine
        self.application = application
        self.notices = notices
        self.stopping = threading.Event()
        self._connect = connect
        self._handle: Handle | None = None
        self._thread = threading.Thread(target=self._run, name=f"kew-commands-{queue}", daemon=True)

    @property
    def serving(self) -> bool:
        """Say whether the queue is served."""
        return self._thread.is_alive() and not self.stopping.is_set()

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """End the thread, and wait for its end; a call from the thread itself lets it end after the current reply."""
        self.stopping.set()
        if self._thread is threading.current_thread():
            return
        while self._thread.is_alive():
            self._interrupt()
            self._thread.join(INTERRUPT_INTERVAL)

    def _interrupt(self) -> None:
        """Interrupt the get that waits for the next message."""
        handle = self._handle
        with self.engine.lock:
            queue = handle.queue if handle is not None else None
            if queue is None:
                return
            for waiter in queue.waiters.all():
                if isinstance(waiter, LocalWaiter) and waiter.request.handle is handle:
                    queue.waiters.remove(waiter)
                    waiter.fail(MQRC_CONNECTION_STOPPING)

    # -- the thread ---------------------------------------------------------------------------------------------------

    def _run(self) -> None:
        try:
            self._serve()
        except Broken:
            return  # other messages report it to the operator
        except MQError as error:
            if not self.stopping.is_set():
                self.tell_ended(error)

    def _serve(self) -> None:
        connection = self._connect(self.application)
        connection.connection.serve_queue_manager()
        try:
            self.prepare(connection)
            options = MQOO_INPUT_SHARED | MQOO_SAVE_ALL_CONTEXT | MQOO_FAIL_IF_QUIESCING
            handle = connection.open(self.queue, options)
            self._handle = handle
            while not self.stopping.is_set():
                get = MQGMO_WAIT | MQGMO_FAIL_IF_QUIESCING | self.syncpoint()
                got = connection.get(handle, get, MQWI_UNLIMITED)
                try:
                    self.attend(connection, handle, got)
                    if connection.connection.has_work():
                        connection.commit()
                except BackedOut:
                    continue  # the request is back on its queue
        finally:
            connection.abandon()

    def prepare(self, connection: LocalConnection) -> None:
        """Prepare the connection before it is used."""

    @abstractmethod
    def syncpoint(self) -> int:
        """Give the syncpoint option of the get."""

    @abstractmethod
    def attend(self, connection: LocalConnection, handle: Handle, got: Got) -> None:
        """Handle one message and reply."""

    @abstractmethod
    def tell_ended(self, error: MQError) -> None:
        """Report to the operator that the queue is no longer served."""

    # -- what is put --------------------------------------------------------------------------------------------------

    def open_reply_queue(self, connection: LocalConnection, request: MessageDescriptor) -> Handle:
        """Open the reply-to queue of a request, under the authority of the user who sent it.

        Without this check a user could put to any queue through the server.
        """
        name = request.reply_to_queue.rstrip(b" \0").decode(errors="replace")
        manager = request.reply_to_queue_manager.rstrip(b" \0").decode(errors="replace")
        if not name:
            raise MQError(MQRC_MISSING_REPLY_TO_Q)
        asker = request.user_identifier.rstrip(b" \0").decode(errors="replace")
        options = MQOO_OUTPUT | MQOO_PASS_IDENTITY_CONTEXT | MQOO_ALTERNATE_USER_AUTHORITY
        return connection.open(name, options, alternate_user=asker, manager=manager)

    def bury(
        self,
        connection: LocalConnection,
        handle: Handle,
        descriptor: MessageDescriptor,
        data: bytes,
        reason: int,
        destination: bytes,
        syncpoint: int,
    ) -> bool:
        """Put a message on the dead-letter queue; says whether that succeeded."""
        engine = self.engine
        name = dead_letter_queue(engine)
        shown = destination.rstrip(b" \0").decode(errors="replace")
        dead, data = letter(engine, descriptor, data, shown, engine.name, reason, self.application)
        dead.report = 0
        try:
            if not name:
                raise MQError(reason)
            target = connection.open(name, MQOO_OUTPUT | MQOO_PASS_ALL_CONTEXT)
            try:
                connection.put(target, dead, data, syncpoint | MQPMO_PASS_ALL_CONTEXT, handle)
            finally:
                connection.close(target)
        except Broken:
            raise
        except MQError as error:
            self.notices.tell("CSQN913W", (reason,), (shown, reason_name(reason), error.name))
            return False
        self.notices.tell("CSQN912W", (reason,), (shown, reason_name(reason), name))
        return True


def wants_reply(request: MessageDescriptor, ok: bool) -> bool:
    """Say whether the sender of a command wants a reply."""
    if request.message_type == MQMT_REQUEST:
        return True
    return bool(request.report & (MQRO_PAN if ok else MQRO_NAN))
