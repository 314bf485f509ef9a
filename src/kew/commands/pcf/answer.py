"""Carries out PCF commands: from the bytes of a request to the bytes of its replies, which are made one by one."""

from collections.abc import Iterator
from typing import Final

from kew.codes import attributes as a
from kew.codes import commands as c
from kew.codes import reasons as r
from kew.commands.actions.context import Context
from kew.commands.actions.dispatch import perform
from kew.commands.actions.outcome import Reply
from kew.commands.mqsc import printer
from kew.commands.mqsc.errors import MQSCError
from kew.commands.mqsc.lexer import CommandReader
from kew.commands.mqsc.parser import Command, parse
from kew.commands.pcf.refusal import PCFRefusal, reason_of, unknown
from kew.commands.pcf.replies import Parameters, Replies, names_of, parameters_of
from kew.commands.pcf.request import Request, check_header
from kew.commands.pcf.tables import NAMES
from kew.formats import charset, pcf
from kew.formats.binary import LITTLE, FormatError
from kew.mqi.engine import wait_for_log
from kew.objects.caller import Caller

UNREADABLE: Final = 0  # the command of a reply to a message whose header could not be read


class Answer:
    """The outcome of a command, and its replies."""

    def __init__(self, ok: bool, order: str, messages: Iterator[pcf.PCFMessage]) -> None:
        self.ok = ok
        self.order = order  # byte order of the request, in which it is answered
        self._messages = messages

    def replies(self) -> Iterator[bytes]:
        """Give the replies, one after the other."""
        for message in self._messages:
            yield pcf.encode(message, self.order)


class PCFCommands:
    """The executor of PCF commands for a queue manager."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def answer(self, data: bytes, ccsid: int, caller: Caller, extended_id: bytes = b"") -> Answer:
        """Carry a command out; its changes are on disk when the method returns.

        Replies are extended (MQCFT_XR_*) if the request asks for them and `extended_id` is given.
        """
        try:
            order = pcf.message_order(data)
            message = pcf.decode(data)
        except pcf.PCFError as error:
            command, version, order = _header_of(data)
            return Answer(False, order, self._replies(command, version).failed(error.reason, []))
        header = message.header
        extended = extended_id if header.type == c.MQCFT_COMMAND_XR else b""
        replies = Replies(header.command, header.version, self._context.name, extended)
        try:
            check_header(header)
            if header.command == c.MQCMD_ESCAPE:
                return self._escape(message, ccsid, caller, order, extended)
            return self._perform(message, ccsid, caller, order, replies)
        except PCFRefusal as refusal:
            return Answer(False, order, replies.failed(refusal.reason, refusal.parameters()))

    def _replies(self, command: int, version: int) -> Replies:
        return Replies(command, version, self._context.name)

    def _perform(self, message: pcf.PCFMessage, ccsid: int, caller: Caller, order: str, replies: Replies) -> Answer:
        names = NAMES.get(message.header.command)
        if names is not None:
            message.header.command = names[0]
        command = Request(self._context, message, ccsid).command()
        reply = self._carry_out(command, caller)
        family = _family(command)
        if names is not None and (reply.ok or reason_of(reply, family) in _NOTHING):
            return Answer(True, order, replies.data([names_of(reply.shown, names[1], names[2])]))
        if not reply.ok:
            return Answer(False, order, replies.failed(reason_of(reply, family), []))
        return Answer(True, order, replies.data([parameters_of(shown) for shown in reply.shown]))

    def _carry_out(self, command: Command, caller: Caller) -> Reply:
        reply = perform(self._context, command, caller)
        if reply.address:
            wait_for_log(self._context.engine, reply.address)
        return reply

    def _escape(self, message: pcf.PCFMessage, ccsid: int, caller: Caller, order: str, extended: bytes) -> Answer:
        """Carry out the MQSC text of an Escape command; the replies are texts."""
        text = _escaped(message, ccsid)
        reader = CommandReader()
        sources = [source for line in text.split("\n") for source in reader.feed(line)] + reader.end()
        if len(sources) != 1:
            raise PCFRefusal(r.MQRCCF_PARM_SYNTAX_ERROR, a.MQCACF_ESCAPE_TEXT)
        version = message.header.version
        try:
            command = parse(sources[0])
        except MQSCError as error:
            replies = Replies(c.MQCMD_ESCAPE, version, self._context.name, extended)
            said = _texts([error.lines()])
            return Answer(False, order, replies.failed(r.MQRCCF_PARM_SYNTAX_ERROR, said[0], said))
        reply = self._carry_out(command, caller)
        replies = Replies(command.spec.pcf, version, self._context.name, extended)
        said = _texts(_parts(reply))
        if reply.ok:
            return Answer(True, order, replies.data(said))
        return Answer(False, order, replies.failed(reason_of(reply, _family(command)), said[0], said))


_NOTHING: Final = (r.MQRC_UNKNOWN_OBJECT_NAME, r.MQRCCF_CHANNEL_NOT_FOUND)


def _family(command: Command) -> str:
    return command.spec.family.name if command.spec.family is not None else ""


def _header_of(data: bytes) -> tuple[int, int, str]:
    """Give the command, version and byte order of an unreadable message, with defaults for missing header fields."""
    try:
        order = pcf.message_order(data)
    except pcf.PCFError:
        return UNREADABLE, 1, LITTLE
    fields = [int.from_bytes(data[place : place + 4], "little" if order == LITTLE else "big") for place in (12, 8)]
    return fields[0] & 0x7FFFFFFF, fields[1] if fields[1] in (1, 2, 3) else 1, order


def _escaped(message: pcf.PCFMessage, ccsid: int) -> str:
    kind = text = None
    for parameter in message.parameters:
        if parameter.parameter == a.MQIACF_ESCAPE_TYPE and isinstance(parameter, pcf.Integer) and kind is None:
            kind = parameter
        elif parameter.parameter == a.MQCACF_ESCAPE_TEXT and isinstance(parameter, pcf.String) and text is None:
            text = parameter
        else:
            raise unknown(parameter)
    if kind is None or text is None:
        raise PCFRefusal(r.MQRCCF_PARM_COUNT_TOO_SMALL, a.MQIACF_ESCAPE_TYPE if kind is None else a.MQCACF_ESCAPE_TEXT)
    if kind.value != a.MQET_MQSC:
        raise PCFRefusal(r.MQRCCF_ESCAPE_TYPE_ERROR, a.MQIACF_ESCAPE_TYPE)
    try:
        return text.text(ccsid if ccsid > 0 else charset.UTF_8)
    except FormatError as error:
        raise PCFRefusal(r.MQRCCF_CCSID_ERROR, a.MQCACF_ESCAPE_TEXT) from error


def _parts(reply: Reply) -> list[list[str]]:
    """Give the texts of a reply to an Escape command: one for each object, and one for the other lines."""
    parts = [printer.details(one.kind, one.name, one.values, one.specs, one.title) for one in reply.shown]
    shown = sum([len(part) for part in parts])
    rest = reply.lines()[shown:]
    return [*parts, rest] if rest or not parts else parts


def _texts(parts: list[list[str]]) -> list[Parameters]:
    return [
        [
            pcf.Integer(a.MQIACF_ESCAPE_TYPE, a.MQET_MQSC),
            pcf.String(a.MQCACF_ESCAPE_TEXT, "\n".join(part).encode(), charset.UTF_8),
        ]
        for part in parts
    ]
