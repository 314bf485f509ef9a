"""The command server: gets commands from the command queues, carries them out, and puts the replies.

Each queue is served by a thread of its own, which works as a program does: it gets, and puts to the reply-to queue.

1. A persistent request is got in a unit of work that is committed when its replies are on their queue: after a crash
   in between the request is carried out again. One that is backed out too often goes to the dead-letter queue.
2. The effect of a command is on disk before its reply is put.
3. An MQMT_REQUEST always gets replies, an MQMT_DATAGRAM as its MQRO_PAN and MQRO_NAN say.
4. A reply that cannot be put goes to the dead-letter queue, unless the request has MQRO_DISCARD_MSG. So does a message
   without a valid command. If that fails too, a message tells the operator, and the server continues.

SYSTEM.ADMIN.COMMAND.QUEUE takes PCF and gives standard replies, as MQ on Linux does. SYSTEM.COMMAND.INPUT works as on
z/OS: PCF that asks for extended replies gets them, and text is MQSC. The first reply to text gives the number of
replies and the command's return code; each line that the command shows is a message of its own, and so is the last:

    CSQN205I   COUNT=       3, RETURN=00000000, REASON=00000000
"""

from collections.abc import Iterable
from typing import Final

from kew.codes.attributes import MQEVO_MSG
from kew.codes.errors import Broken, MQError
from kew.codes.messages import Notices
from kew.codes.options import (
    MQENC_NATIVE,
    MQENC_NORMAL,
    MQFMT_ADMIN,
    MQFMT_STRING,
    MQGMO_SYNCPOINT_IF_PERSISTENT,
    MQMT_DATAGRAM,
    MQMT_REQUEST,
    MQPMO_NO_SYNCPOINT,
    MQPMO_PASS_IDENTITY_CONTEXT,
    MQRO_DISCARD_MSG,
)
from kew.codes.reasons import (
    MQRC_BACKOUT_THRESHOLD_REACHED,
    MQRC_FORMAT_ERROR,
    MQRC_MSG_TYPE_ERROR,
    MQRC_UNEXPECTED_ERROR,
)
from kew.commands.actions.context import Context
from kew.commands.actions.dispatch import perform
from kew.commands.mqsc.errors import MQSCError
from kew.commands.mqsc.lexer import CommandReader
from kew.commands.mqsc.parser import parse
from kew.commands.pcf.answer import PCFCommands
from kew.commands.queueserver import Connect, QueueServer, wants_reply
from kew.formats import charset
from kew.formats.binary import BIG, FormatError
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.connections.handles import Handle
from kew.mqi.engine import wait_for_log
from kew.mqi.gets.request import Got
from kew.mqi.local.connection import LocalConnection
from kew.mqi.messages.reply import reply_to
from kew.objects.caller import Caller

ADMIN_QUEUE: Final = "SYSTEM.ADMIN.COMMAND.QUEUE"
TEXT_QUEUE: Final = "SYSTEM.COMMAND.INPUT"
APPLICATION: Final = "kew command server"
MOST_BACKOUTS: Final = 3


class CommandServer:
    """The threads that serve the command queues."""

    def __init__(self, context: Context, connect: Connect, notices: Notices) -> None:
        self._context = context
        self._connect = connect
        self._notices = notices
        self._attendants: list[CommandQueueServer] = []

    @property
    def running(self) -> bool:
        """Say whether the command queues are served."""
        return any(attendant.serving for attendant in self._attendants)

    def start(self) -> None:
        """Start a thread for each command queue that is not served yet."""
        served = [attendant for attendant in self._attendants if attendant.serving]
        names = [attendant.queue for attendant in served]
        new = [
            CommandQueueServer(self._context, self._connect, self._notices, queue)
            for queue in (ADMIN_QUEUE, TEXT_QUEUE)
            if queue not in names
        ]
        self._attendants = [*served, *new]
        for attendant in new:
            attendant.start()

    def stop(self) -> None:
        """Stop serving; replies to current commands are still put."""
        for attendant in self._attendants:
            attendant.stop()


class CommandQueueServer(QueueServer):
    """The server of one command queue."""

    def __init__(self, context: Context, connect: Connect, notices: Notices, queue: str) -> None:
        super().__init__(context.engine, connect, notices, queue, APPLICATION)
        self._context = context
        self._commands = PCFCommands(context)

    def syncpoint(self) -> int:
        """Give the syncpoint option of the get: persistent requests are carried out in a unit of work."""
        return MQGMO_SYNCPOINT_IF_PERSISTENT

    def tell_ended(self, error: MQError) -> None:
        """Report to the operator that the queue is no longer served."""
        self.notices.tell("CSQN911W", (error.reason,), (self.queue, error.name))

    def attend(self, connection: LocalConnection, handle: Handle, got: Got) -> None:
        """Carry out one request and reply."""
        request = got.descriptor
        if request.backout_count >= MOST_BACKOUTS:
            self._reject(connection, handle, got, MQRC_BACKOUT_THRESHOLD_REACHED)
        elif request.message_type not in (MQMT_REQUEST, MQMT_DATAGRAM):
            self._reject(connection, handle, got, MQRC_MSG_TYPE_ERROR)
        elif request.format.strip() == MQFMT_ADMIN.strip():
            extended = request.message_id if self.queue == TEXT_QUEUE else b""
            try:
                answer = self._commands.answer(got.data, request.ccsid, caller_of(request), extended)
            except MQError:
                raise
            except Exception as bug:  # a fault in one action must not end the server for all programs
                self.notices.tell("CSQN914E", (), (self.queue, repr(bug)))
                self._reject(connection, handle, got, MQRC_UNEXPECTED_ERROR)
                return
            encoding = MQENC_NORMAL if answer.order == BIG else MQENC_NATIVE
            if wants_reply(request, answer.ok):
                self._reply(connection, handle, request, answer.replies(), MQFMT_ADMIN, encoding)
        elif self.queue == TEXT_QUEUE and request.format.strip() == MQFMT_STRING.strip():
            self._attend_text(connection, handle, got)
        else:
            self._reject(connection, handle, got, MQRC_FORMAT_ERROR)

    def _attend_text(self, connection: LocalConnection, handle: Handle, got: Got) -> None:
        request = got.descriptor
        try:
            text = charset.decode(got.data, request.ccsid if request.ccsid > 0 else charset.UTF_8)
        except FormatError:
            self._reject(connection, handle, got, MQRC_FORMAT_ERROR)
            return
        ok, lines = answer_text(self._context, text, caller_of(request))
        if wants_reply(request, ok):
            self._reply(connection, handle, request, [line.encode() for line in lines], MQFMT_STRING, MQENC_NATIVE)

    # -- what is put --------------------------------------------------------------------------------------------------

    def _reply(
        self,
        connection: LocalConnection,
        handle: Handle,
        request: MessageDescriptor,
        replies: Iterable[bytes],
        kind: bytes,
        encoding: int,
    ) -> None:
        """Put the replies to the reply-to queue of the request."""
        try:
            target = self.open_reply_queue(connection, request)
        except Broken:
            raise
        except MQError as error:
            target, why = None, error.reason
        else:
            why = 0
        for data in replies:
            descriptor = reply_to(request)
            descriptor.format, descriptor.encoding, descriptor.ccsid = kind, encoding, charset.UTF_8
            if target is not None:
                try:
                    connection.put(target, descriptor, data, MQPMO_NO_SYNCPOINT | MQPMO_PASS_IDENTITY_CONTEXT, handle)
                    continue
                except Broken:
                    raise
                except MQError as error:
                    why = error.reason
            if request.report & MQRO_DISCARD_MSG or not self.bury(
                connection, handle, descriptor, data, why, request.reply_to_queue, MQPMO_NO_SYNCPOINT
            ):
                break  # the other replies would fail too
        if target is not None:
            connection.close(target)

    def _reject(self, connection: LocalConnection, handle: Handle, got: Got, reason: int) -> None:
        """Put an invalid command on the dead-letter queue."""
        destination = self.queue.encode()
        self.bury(connection, handle, got.descriptor.copy(), got.data, reason, destination, MQPMO_NO_SYNCPOINT)


def caller_of(request: MessageDescriptor) -> Caller:
    """Give the sender of a command, from the context of its message."""
    return Caller(
        request.user_identifier.rstrip(b" \0").decode(errors="replace"),
        MQEVO_MSG,
        request.accounting_token,
        request.application_identity_data.rstrip(b" \0").decode(errors="replace"),
        request.put_application_type,
        request.put_application_name.rstrip(b" \0").decode(errors="replace"),
        request.application_origin_data.rstrip(b" \0").decode(errors="replace"),
    )


FAILED: Final = (12, 8)  # return and reason codes of a command that was refused
NO_COMMAND: Final = "CSQN905I: a message must have one command"


def answer_text(context: Context, text: str, caller: Caller) -> tuple[bool, list[str]]:
    """Carry out the MQSC command of a text message; gives whether it succeeded, and the texts of the replies."""
    reader = CommandReader()
    sources = [source for line in text.split("\n") for source in reader.feed(line)] + reader.end()
    ok = False
    if len(sources) != 1:
        lines = [NO_COMMAND]
    else:
        try:
            reply = perform(context, parse(sources[0]), caller)
        except MQSCError as error:
            lines = error.lines()
        else:
            if reply.address:
                wait_for_log(context.engine, reply.address)
            ok, lines = reply.ok, reply.lines()
    code, reason = (0, 0) if ok else FAILED
    first = f"CSQN205I   COUNT={len(lines) + 1:8d}, RETURN={code:08X}, REASON={reason:08X}"
    return ok, [first, *lines]
