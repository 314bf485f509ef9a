"""MQSC scripts: commands are read, carried out and answered in order.

Each change of a script is a unit of work of its own. The changes share syncs of the log: replies are given in batches,
and a batch is given once the log is on disk up to its last change.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from kew.commands.actions.context import Context
from kew.commands.actions.dispatch import perform
from kew.commands.actions.outcome import Reply
from kew.commands.mqsc.errors import MQSCError
from kew.commands.mqsc.lexer import CommandReader, CommandText
from kew.commands.mqsc.parser import parse
from kew.commands.mqsc.printer import echo
from kew.mqi.engine import wait_for_log
from kew.objects.caller import Caller
from kew.storage.log import NO_ADDRESS, LogAddress

BATCH: Final = 256  # commands whose answers wait for one sync
BATCH_LINES: Final = 20000


class Counts:
    """Counts of commands, and of those that failed."""

    def __init__(self) -> None:
        self.read = 0
        self.syntax_errors = 0
        self.failed = 0
        self.ended = False  # by END

    def add(self, reply: Reply) -> None:
        """Count a reply."""
        self.read += 1
        if reply.syntax:
            self.syntax_errors += 1
        elif not reply.ok:
            self.failed += 1


def _unreadable(source: CommandText, error: MQSCError) -> Reply:
    reply = Reply(source.text.strip(), False, syntax=True)
    reply.message_id = error.message_id
    reply.extra = error.lines()
    return reply


class Script:
    """Commands from one source, and their replies as lines of text or of JSON."""

    def __init__(
        self, context: Context, as_json: bool = False, echoes: bool = False, issuer: str | None = None
    ) -> None:
        self.context = context
        self.caller = Caller(issuer)  # user whose authority the commands have; None is the owner
        self.as_json = as_json
        self.echoes = echoes and not as_json  # whether the input is repeated, as runmqsc does
        self.counts = Counts()
        self._address: LogAddress = NO_ADDRESS
        self._commands = 0

    def run(self, lines: Iterable[str]) -> Iterator[list[str]]:
        """Carry the commands out; gives lines of replies, batch by batch."""
        reader = CommandReader()
        pending: list[str] = []
        for line in lines:
            if self.echoes:
                number = 0 if reader.open or not line.strip() or line.startswith("*") else self.counts.read + 1
                pending.append(echo(line, number))
            for source in reader.feed(line):
                self._answer(source, pending)
            if self._commands >= BATCH or len(pending) >= BATCH_LINES:
                yield self._settled(pending)
                pending = []
            if self.counts.ended:
                break
        else:
            for source in reader.end():
                self._answer(source, pending)
        yield self._settled(pending)

    def _answer(self, source: CommandText, pending: list[str]) -> None:
        if self.counts.ended:
            return
        try:
            command = parse(source)
        except MQSCError as error:
            reply = _unreadable(source, error)
        else:
            if command.verb == "END":
                self.counts.ended = True
                return
            reply = perform(self.context, command, self.caller)
        self.counts.add(reply)
        self._commands += 1
        self._address = max(self._address, reply.address)
        if self.as_json:
            pending.append(reply.json())
        else:
            pending.extend(reply.lines())

    def _settled(self, pending: list[str]) -> list[str]:
        if self._address:
            wait_for_log(self.context.engine, self._address)
        self._address = NO_ADDRESS
        self._commands = 0
        return pending
