"""The laboratory's control of the queue manager: commands, and the depths of queues."""

from collections.abc import Iterable
from types import TracebackType
from typing import Final

from kew.client import Connection, Queue, connect, connect_local
from kew.codes.attributes import MQCACF_ESCAPE_TEXT, MQET_MQSC, MQIA_CURRENT_Q_DEPTH, MQIACF_ESCAPE_TYPE
from kew.codes.commands import MQCFT_COMMAND, MQCMD_ESCAPE
from kew.codes.errors import NoMessage
from kew.codes.options import MQMT_REQUEST, MQOO_INPUT_SHARED, MQOO_INQUIRE
from kew.commands.actions.script import Counts
from kew.formats import pcf
from kew.formats.mqmd import MessageDescriptor
from kew.perf.target import Target
from kew.qmgr.control.client import ControlClient
from kew.storage.directories import directory_of

APPLICATION: Final = "kew perf"
COMMANDS: Final = "SYSTEM.ADMIN.COMMAND.QUEUE"
MODEL: Final = "SYSTEM.DEFAULT.MODEL.QUEUE"
REPLY_SECONDS: Final = 30.0  # seconds for the reply to a command


class Refused(Exception):
    """The queue manager refused a command that a scenario needs."""


class Control:
    """A connection for commands and inquiries: by sockets on this machine, elsewhere by PCF over TCP."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self._open: dict[str, Queue] = {}
        self._connection: Connection
        if target.data:
            self._connection = connect_local(target.name, APPLICATION, data=target.data)
        else:
            user, password = target.user or None, target.password or None
            self._connection = connect(target.name, target.address, target.channel, user, password, APPLICATION)

    def __enter__(self) -> "Control":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Disconnect."""
        self._connection.disconnect()

    def run(self, commands: Iterable[str]) -> None:
        """Run MQSC commands; the first that fails raises an error."""
        if not self._target.data:
            for command in commands:
                self._escape(command)
            return
        with ControlClient(directory_of(self._target.data, self._target.name)) as control:
            for command in commands:
                counts = Counts()
                lines = [line for answer in control.run(command, counts) for line in answer]
                if counts.failed or counts.syntax_errors:
                    raise Refused(f"{command}: {' '.join(line.strip() for line in lines if line.strip())}")

    def _escape(self, command: str) -> None:
        """Run one command over the network, on any queue manager with a command server."""
        message = pcf.PCFMessage(pcf.Header(MQCFT_COMMAND, command=MQCMD_ESCAPE))
        message.parameters.append(pcf.Integer(MQIACF_ESCAPE_TYPE, MQET_MQSC))
        message.parameters.append(pcf.String(MQCACF_ESCAPE_TEXT, command.encode()))
        replies = self._connection.open(MODEL, MQOO_INPUT_SHARED, dynamic_name="KEW.PERF.*")
        try:
            descriptor = MessageDescriptor(
                message_type=MQMT_REQUEST, format=b"MQADMIN ", reply_to_queue=replies.name.encode().ljust(48)
            )
            self._connection.put1(COMMANDS, pcf.encode(message), descriptor)
            answer = pcf.decode(replies.get(REPLY_SECONDS).data)
        except NoMessage:
            raise Refused(f"{command}: the command server did not answer within {REPLY_SECONDS:g} s") from None
        finally:
            replies.close()
        if answer.header.completion == 2:
            raise Refused(f"{command}: reason {answer.header.reason}")

    def depth(self, queues: Iterable[str]) -> int:
        """Add up the depths of queues."""
        total = 0
        for name in queues:
            if name not in self._open:
                self._open[name] = self._connection.open(name, MQOO_INQUIRE)
            total += int(self._open[name].inquire([MQIA_CURRENT_Q_DEPTH])[MQIA_CURRENT_Q_DEPTH])
        return total

    def forget(self) -> None:
        """Close the queues whose depth was inquired."""
        for queue in self._open.values():
            queue.close()
        self._open.clear()
