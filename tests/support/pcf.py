"""Programs that give commands as PCF: by a call, or by messages as MQ's own programs send them."""

from collections.abc import Iterator

from tests.support.users import make_administrator

from kew.codes import attributes as a
from kew.codes import commands as c
from kew.codes.options import (
    MQFMT_ADMIN,
    MQGMO_WAIT,
    MQMO_MATCH_CORREL_ID,
    MQMT_REQUEST,
    MQOO_INPUT_EXCLUSIVE,
    MQRO_DISCARD_MSG,
    MQRO_PASS_DISCARD_AND_EXPIRY,
)
from kew.commands.pcf.answer import PCFCommands
from kew.commands.server import ADMIN_QUEUE
from kew.formats import pcf
from kew.formats.binary import LITTLE
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.gets.request import Got
from kew.objects.caller import Caller
from kew.objects.schema.values import Value
from kew.qmgr.manager import QueueManager

WAIT = 10_000


def text(identifier: int, value: str) -> pcf.String:
    """A string parameter."""
    return pcf.String(identifier, value.encode())


def request(
    command: int, *parameters: pcf.Parameter, order: str = LITTLE, kind: int = c.MQCFT_COMMAND, version: int = 3
) -> bytes:
    """The bytes of a command."""
    header = pcf.Header(type=kind, version=version, command=command)
    return pcf.encode(pcf.PCFMessage(header, list(parameters)), order)


def plain(message: pcf.PCFMessage) -> dict[int, Value]:
    """The values of a reply by identifier, without padding."""
    found: dict[int, Value] = {}
    for one in message.parameters:
        match one:
            case pcf.Integer(identifier, number) | pcf.Integer64(identifier, number):
                found[identifier] = number
            case pcf.String():
                found[one.parameter] = one.text()
            case pcf.StringList():
                found[one.parameter] = tuple(one.texts())
            case pcf.IntegerList(identifier, numbers) | pcf.Integer64List(identifier, numbers):
                found[identifier] = tuple(numbers)
            case pcf.ByteString(identifier, data):
                found[identifier] = data
    return found


class Asked:
    """The replies to one command."""

    def __init__(self, replies: Iterator[bytes]) -> None:
        self.data = list(replies)
        self.messages = [pcf.decode(each) for each in self.data]

    @property
    def reason(self) -> int:
        """The reason of the first reply."""
        return self.messages[0].header.reason

    @property
    def at_fault(self) -> int:
        """The parameter that an error reply names."""
        value = plain(self.messages[0]).get(a.MQIACF_PARAMETER_ID, 0)
        assert isinstance(value, int)
        return value

    def objects(self) -> list[dict[int, Value]]:
        """What each reply says."""
        return [plain(message) for message in self.messages]


class Administrator:
    """Gives commands to a running queue manager."""

    def __init__(self, running: QueueManager) -> None:
        self.running = running
        self.commands = PCFCommands(running.host.commands)
        make_administrator(running.host, "tester")

    def ask(
        self, command: int, *parameters: pcf.Parameter, kind: int = c.MQCFT_COMMAND, extended: bytes = b""
    ) -> Asked:
        """Give a command by a call."""
        data = request(command, *parameters, kind=kind)
        return Asked(self.commands.answer(data, 0, Caller(), extended).replies())

    def send(self, data: bytes, queue: str = ADMIN_QUEUE, descriptor: MessageDescriptor | None = None) -> list[Got]:
        """Send a message to the command server and wait for the last reply, as pymqi and ibmmq do."""
        connection = self.running.connect("administrator", "tester")
        replies = connection.open("SYSTEM.DEFAULT.MODEL.QUEUE", MQOO_INPUT_EXCLUSIVE, "PYMQPCF.*")
        sent = descriptor or MessageDescriptor(
            format=MQFMT_ADMIN,
            message_type=MQMT_REQUEST,
            expiry=100,
            report=MQRO_PASS_DISCARD_AND_EXPIRY | MQRO_DISCARD_MSG,
        )
        sent.reply_to_queue = replies.name.encode()
        connection.put1(queue, sent, data)
        found: list[Got] = []
        wanted = MessageDescriptor(correlation_id=sent.message_id)
        while not found or not _last(found):
            found.append(connection.get(replies, MQGMO_WAIT, WAIT, MQMO_MATCH_CORREL_ID, wanted))
        connection.disconnect()
        return found


def _last(found: list[Got]) -> bool:
    last = found[-1]
    if last.descriptor.format == MQFMT_ADMIN:
        return pcf.decode(last.data).header.control == c.MQCFC_LAST
    counted = found[0].data.split(b"COUNT=")[1].split(b",")[0]
    return len(found) == int(counted)
