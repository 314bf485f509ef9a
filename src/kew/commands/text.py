"""MQSC commands as messages of text, answered as a z/OS command server answers them.

The first reply says how many there are and what became of the command:

    CSQN205I   COUNT=       3, RETURN=00000000, REASON=00000000

Each line that the command shows is a message of its own, and so is its last word.
"""

from typing import Final

from kew.accounting.caller import Caller
from kew.commands.actions.context import Context
from kew.commands.actions.dispatch import perform
from kew.commands.mqsc.errors import MQSCError
from kew.commands.mqsc.lexer import CommandReader
from kew.commands.mqsc.parser import parse
from kew.mqi.engine import wait_for_log

FAILED: Final = (12, 8)  # return and reason codes of a command that was refused
NO_COMMAND: Final = "CSQN905I: a message must have one command"


def answer_text(context: Context, text: str, caller: Caller) -> tuple[bool, list[str]]:
    """Carry out the command of a message; gives whether it was, and the texts of the replies."""
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
