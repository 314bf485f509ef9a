"""Runs conformance scripts: MQSC commands, what programs do meanwhile, and the replies expected.

    # text                 a rule, or a comment
    > COMMAND              a command; lines that begin with '+ ' go on with it
    ! put Q 3              a program puts messages on Q; also: open Q, close, prepare Q (a unit in doubt),
                           commit, topic T S (opens a topic and subscribes to it)
                           in a command {conn} stands for the connection of the program that has something open
    anything else          a line of the reply, in which <> stands for any text; ... stands for any lines

Every script has a queue manager of its own. A reply must be expected in full, but for its blank lines.
"""

import re
from pathlib import Path

from kew.codes.options import MQOO_INPUT_SHARED, MQOO_OUTPUT, MQPMO_SYNCPOINT, MQSO_CREATE, MQSO_MANAGED
from kew.commands.actions.script import Script
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.local.connection import LocalConnection
from kew.mqi.subscribing.subscribe import SubscriptionRequest
from kew.qmgr.manager import QueueManager


class Programs:
    """What programs do while commands are carried out."""

    def __init__(self, running: QueueManager) -> None:
        self.running = running
        self.connection: LocalConnection | None = None

    def filled(self, command: str) -> str:
        """Give a command with the name of the connection in it."""
        number = self.connection.connection.number if self.connection is not None else 0
        return command.replace("{conn}", f"{number:016X}")

    def do(self, words: list[str]) -> None:
        """Carry out one line."""
        verb, *rest = words
        if verb == "close":
            assert self.connection is not None
            self.connection.disconnect()
            self.connection = None
            return
        connection = self.running.connect("conformance")
        if verb == "open":
            self.connection = connection
            connection.open(rest[0], MQOO_OUTPUT | MQOO_INPUT_SHARED)
            return
        if verb == "topic":
            self.connection = connection
            connection.open_topic("", rest[0], MQOO_OUTPUT)
            connection.subscribe(SubscriptionRequest(MQSO_CREATE | MQSO_MANAGED, rest[0], name=rest[1]))
            return
        queue = connection.open(rest[0], MQOO_OUTPUT)
        if verb == "prepare":
            xid = rest[1].encode()
            connection.start_branch(xid)
            connection.put(queue, MessageDescriptor(persistence=1), b"in doubt", MQPMO_SYNCPOINT)
            connection.end_branch()
            connection.prepare(xid)
        else:
            assert verb == "put", verb
            for _ in range(int(rest[1])):
                connection.put(queue, MessageDescriptor(persistence=1), b"message")
        connection.disconnect()


def answer(running: QueueManager, source: list[str]) -> list[str]:
    """Carry commands out; gives the lines of the reply that are not blank."""
    lines = [line.rstrip() for batch in Script(running.host.commands).run(source) for line in batch]
    return [line for line in lines if line]


def _pattern(expected: list[str]) -> str:
    parts = []
    for line in expected:
        if line == "...":
            parts.append(r"(?:[^\n]*\n)*?")
        else:
            parts.append(".*".join([re.escape(piece) for piece in line.split("<>")]) + r"\n")
    return "".join(parts) + r"\Z"


def run(path: Path, running: QueueManager) -> int:
    """Run a script; gives the number of commands, raises AssertionError at the first reply that is not as expected."""
    programs = Programs(running)
    lines = path.read_text(encoding="utf-8").splitlines()
    commands = 0
    place = 0
    while place < len(lines):
        line = lines[place]
        place += 1
        if line.startswith("!"):
            programs.do(line[1:].split())
            continue
        if not line.startswith("> "):
            assert not line.strip() or line.startswith("#"), f"{path.name}:{place}: {line!r} belongs to no command"
            continue
        first = place
        source = [line[2:]]
        while place < len(lines) and lines[place].startswith("+ "):
            source.append(lines[place][2:])
            place += 1
        expected: list[str] = []
        while place < len(lines) and lines[place].strip() and lines[place][0] not in ">!#":
            expected.append(lines[place])
            place += 1
        reply = answer(running, [programs.filled(each) for each in source])
        text = "".join([said + "\n" for said in reply])
        assert re.match(_pattern(expected), text), f"{path.name}:{first}: {line}\n{text}"
        commands += 1
    return commands
