"""The queued publish/subscribe interface: a thread for the control queue, and one for each stream.

Each thread works as a program does: it gets a command, carries it out, replies and commits.

1. A persistent command is got in a unit of work, in which publications and the reply are put: a crash leaves all of it
   or nothing, and the command is there again. Registrations are on disk before that, and may be repeated.
   With PSSYNCPT(YES), or with settings that keep undeliverable messages, every command is got in a unit of work.
2. A publication that cannot be delivered is backed out and retried, PSRTYCNT times; a non-persistent one that is to
   be kept (PSNPMSG(KEEP)) is retried until it is delivered. After the last retry the publication is refused, and a
   persistent one goes to the dead-letter
   queue.
3. An MQMT_REQUEST always gets replies, an MQMT_DATAGRAM as its MQRO_PAN and MQRO_NAN say. A persistent reply that
   cannot be put goes to the dead-letter queue; for a non-persistent one PSNPRES decides.
4. An invalid command goes to the dead-letter queue if it is persistent, and is dropped if not.
5. PSMODE(ENABLED) starts the threads, any other value ends them. SYSTEM.QPUBSUB.QUEUE.NAMELIST names the streams.
"""

import threading
from typing import Final

from kew.codes import attributes as a
from kew.codes.completion import MQCC_FAILED, MQCC_OK
from kew.codes.errors import BackedOut, Broken, MQError
from kew.codes.messages import Notices
from kew.codes.options import (
    MQENC_NATIVE,
    MQGMO_SYNCPOINT,
    MQGMO_SYNCPOINT_IF_PERSISTENT,
    MQMT_DATAGRAM,
    MQMT_REQUEST,
    MQPER_PERSISTENT,
    MQPMO_NO_SYNCPOINT,
    MQPMO_PASS_IDENTITY_CONTEXT,
    MQPMO_SYNCPOINT,
    MQRO_DISCARD_MSG,
)
from kew.codes.reasons import (
    MQRC_FORMAT_ERROR,
    MQRC_MSG_TYPE_ERROR,
    MQRC_UNEXPECTED_ERROR,
    MQRCCF_INCORRECT_Q,
    reason_name,
)
from kew.commands.queued import words
from kew.commands.queued.publishing import UNDELIVERED, Publisher
from kew.commands.queued.registering import Registrar
from kew.commands.queued.request import Request, form_of, read_request, said_in
from kew.commands.queued.response import Answer, completion_of, refused, write_response
from kew.commands.queued.streams import CONTROL_QUEUE, stream_queues, topic_stream_of
from kew.commands.queueserver import Connect, QueueServer, wants_reply
from kew.formats import charset
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.connections.handles import Handle
from kew.mqi.engine import Engine
from kew.mqi.gets.request import Got
from kew.mqi.local.connection import LocalConnection
from kew.mqi.messages.reply import reply_to

APPLICATION: Final = "kew queued pub/sub"
NAMELIST: Final = "SYSTEM.QPUBSUB.QUEUE.NAMELIST"
PAUSE: Final = 1.0  # seconds before what could not be delivered is tried again
_KEEPING: Final = (a.MQUNDELIVERED_SAFE, a.MQUNDELIVERED_KEEP)


class _Settings:
    """The attributes of the queue manager for the interface."""

    def __init__(self, engine: Engine) -> None:
        record = engine.catalogue.records.get(("QMGR", engine.name))
        values = {} if record is None else record.values
        self.enabled = values.get("PSMODE", a.MQPSM_ENABLED) == a.MQPSM_ENABLED
        retries = values.get("PSRTYCNT", 5)
        self.retries = retries if isinstance(retries, int) else 5
        self.all_in_unit = values.get("PSSYNCPT") == a.MQSYNCPOINT_YES
        self.keeps_messages = values.get("PSNPMSG") == a.MQUNDELIVERED_KEEP
        self.responses = values.get("PSNPRES", a.MQUNDELIVERED_NORMAL)


class QueuedInterface:
    """The threads of the interface, one for each queue that is served."""

    def __init__(self, engine: Engine, connect: Connect, notices: Notices) -> None:
        self._engine = engine
        self._connect = connect
        self._notices = notices
        self._lock = threading.Lock()  # held while threads are started and stopped
        self._begun = False
        self._served: dict[str, Broker] = {}

    @property
    def serving(self) -> list[str]:
        """Give the queues that are served."""
        return [name for name, each in self._served.items() if each.serving]

    def start(self) -> None:
        """Serve the queues, if PSMODE is ENABLED."""
        self._begun = True
        self._settle()

    def stop(self) -> None:
        """Stop serving; replies to current commands are still put."""
        self._begun = False
        self._settle()

    def follow_configuration(self) -> None:
        """Apply a change of PSMODE or of the list of streams.

        The change is made under the lock of the definitions, for which a current command may wait; therefore another
        thread waits for the end of that command.
        """
        if self._begun and sorted(self._wanted()) != sorted(self.serving):
            threading.Thread(target=self._settle, name="kew-queued", daemon=True).start()

    def _wanted(self) -> list[str]:
        if not self._begun or not _Settings(self._engine).enabled:
            return []
        return list(dict.fromkeys([CONTROL_QUEUE, *stream_queues(self._engine)]))

    def _settle(self) -> None:
        with self._lock:
            wanted = self._wanted()
            for name in [name for name, each in self._served.items() if name not in wanted or not each.serving]:
                self._served.pop(name).stop()
            for name in wanted:
                if name not in self._served:
                    self._served[name] = Broker(self._engine, self._connect, self._notices, name)
                    self._served[name].start()


class _Undelivered(Exception):
    """The error of a reply that must not be lost and could be put neither on its queue nor on the dead-letter queue."""


class Broker(QueueServer):
    """The server of the control queue, or of the queue of a stream."""

    def __init__(self, engine: Engine, connect: Connect, notices: Notices, queue: str) -> None:
        super().__init__(engine, connect, notices, queue, APPLICATION)

    def syncpoint(self) -> int:
        """Give the syncpoint option of the get."""
        settings = _Settings(self.engine)
        if settings.all_in_unit or settings.keeps_messages or settings.responses in _KEEPING:
            return MQGMO_SYNCPOINT
        return MQGMO_SYNCPOINT_IF_PERSISTENT

    def tell_ended(self, error: MQError) -> None:
        """Report to the operator that the queue is no longer served."""
        self.notices.tell("CSQT901W", (error.reason,), (self.queue, error.name))

    def attend(self, connection: LocalConnection, handle: Handle, got: Got) -> None:
        """Carry out one command and reply."""
        descriptor, settings = got.descriptor, _Settings(self.engine)
        if descriptor.message_type not in (MQMT_REQUEST, MQMT_DATAGRAM):
            self._reject(connection, handle, got, MQRC_MSG_TYPE_ERROR)
        elif not form_of(descriptor):
            self._reject(connection, handle, got, MQRC_FORMAT_ERROR)
        else:
            in_unit = connection.connection.has_work()
            persistent = descriptor.persistence == MQPER_PERSISTENT
            tried = descriptor.backout_count >= settings.retries
            last = not in_unit or (tried and (persistent or not settings.keeps_messages))
            try:
                self._answer(connection, handle, got, in_unit, last)
            except _Undelivered:
                self._later(connection)
            except (BackedOut, Broken):
                raise
            except MQError as error:
                if error.reason not in UNDELIVERED:
                    raise
                self._later(connection)

    def _later(self, connection: LocalConnection) -> None:
        """Back a command out to its queue, and wait until it is tried again."""
        connection.backout()
        self.stopping.wait(PAUSE)

    def _answer(self, connection: LocalConnection, handle: Handle, got: Got, in_unit: bool, last: bool) -> None:
        descriptor = got.descriptor
        try:
            answers = self._carry_out(connection, got, in_unit, last)
        except (BackedOut, Broken):
            raise
        except MQError as error:
            if error.reason in UNDELIVERED:
                raise
            answers = [refused(error)]
        except Exception as bug:  # a fault in one action must not end the interface for all programs
            self.notices.tell("CSQN914E", (), (self.queue, repr(bug)))
            self._reject(connection, handle, got, MQRC_UNEXPECTED_ERROR)
            return
        completion = completion_of(answers)
        lost = [each.reason for each in answers if each.reason in UNDELIVERED]
        if lost and descriptor.persistence == MQPER_PERSISTENT:
            self._reject(connection, handle, got, lost[0])
        if wants_reply(descriptor, completion != MQCC_FAILED):
            said = said_in(descriptor, got.data) if completion != MQCC_OK else ""
            kind, data = write_response(form_of(descriptor), answers, said)
            self._reply(connection, handle, descriptor, kind, data)

    def _carry_out(self, connection: LocalConnection, got: Got, in_unit: bool, last: bool) -> list[Answer]:
        request = read_request(got.descriptor, got.data)
        self._check_queue(request)
        stream = topic_stream_of(self.engine, request, self.queue)
        if request.command in (words.REGISTER, words.DEREGISTER, words.UPDATE):
            registrar = Registrar(connection, request, got.descriptor, stream)
            return {
                words.REGISTER: registrar.register,
                words.DEREGISTER: registrar.deregister,
                words.UPDATE: registrar.update,
            }[request.command]()
        publisher = Publisher(connection, request, got.descriptor, stream, in_unit, last)
        return {
            words.PUBLISH: publisher.publish,
            words.DELETE: publisher.delete,
            words.REGISTER_PUBLISHER: publisher.register,
            words.DEREGISTER_PUBLISHER: publisher.deregister,
        }[request.command]()

    def _check_queue(self, request: Request) -> None:
        """Refuse a command that belongs on another queue; with an MQRFH2 the control queue takes every command."""
        controls = self.queue == CONTROL_QUEUE
        of_stream = request.command in words.OF_STREAMS
        if (not controls and not of_stream) or (controls and of_stream and request.form == 1):
            raise MQError(MQRCCF_INCORRECT_Q, queue=self.queue)

    # -- what is put --------------------------------------------------------------------------------------------------

    def _reply(
        self,
        connection: LocalConnection,
        handle: Handle,
        request: MessageDescriptor,
        kind: bytes,
        data: bytes,
    ) -> None:
        descriptor = reply_to(request)
        descriptor.format, descriptor.encoding, descriptor.ccsid = kind, MQENC_NATIVE, charset.UTF_8
        syncpoint = _syncpoint(connection)
        try:
            target = self.open_reply_queue(connection, request)
            try:
                connection.put(target, descriptor, data, syncpoint | MQPMO_PASS_IDENTITY_CONTEXT, handle)
            finally:
                connection.close(target)
            return
        except (BackedOut, Broken):
            raise
        except MQError as error:
            reason = error.reason
        how = _Settings(self.engine).responses
        if descriptor.persistence == MQPER_PERSISTENT:
            how = a.MQUNDELIVERED_NORMAL
        if request.report & MQRO_DISCARD_MSG or how == a.MQUNDELIVERED_DISCARD:
            return
        if how != a.MQUNDELIVERED_KEEP:
            if self.bury(connection, handle, descriptor, data, reason, request.reply_to_queue, syncpoint):
                return
            if how == a.MQUNDELIVERED_NORMAL:
                return
        raise _Undelivered

    def _reject(self, connection: LocalConnection, handle: Handle, got: Got, reason: int) -> None:
        """Put a command that cannot be carried out on the dead-letter queue, or drop it."""
        if got.descriptor.persistence != MQPER_PERSISTENT:
            self.notices.tell("CSQT902W", (reason,), (self.queue, reason_name(reason)))
            return
        destination, syncpoint = self.queue.encode(), _syncpoint(connection)
        self.bury(connection, handle, got.descriptor.copy(), got.data, reason, destination, syncpoint)


def _syncpoint(connection: LocalConnection) -> int:
    """Give the syncpoint option of a put: in the unit of work in which the command was got, if there is one."""
    return MQPMO_SYNCPOINT if connection.connection.has_work() else MQPMO_NO_SYNCPOINT
