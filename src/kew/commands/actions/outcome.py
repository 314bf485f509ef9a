"""Outcomes of commands: results, refusals and their texts."""

import json
from collections.abc import Iterable, Mapping
from typing import Final

from kew.codes.errors import MQError
from kew.codes.reasons import (
    MQRC_NONE,
    MQRC_NOT_AUTHORIZED,
    MQRC_OBJECT_ALREADY_EXISTS,
    MQRC_OBJECT_DAMAGED,
    MQRC_OBJECT_IN_USE,
    MQRC_Q_NOT_EMPTY,
    MQRC_UNKNOWN_OBJECT_NAME,
)
from kew.commands.mqsc import messages, printer
from kew.commands.mqsc.parser import Command
from kew.objects.schema import AttributeSpec, ObjectType
from kew.objects.schema.values import Value
from kew.storage.log import NO_ADDRESS, LogAddress

NOT_FOUND: Final = "AMQ8147E"
IN_USE: Final = "AMQ8148E"
_NUMBERS: Final = {
    MQRC_UNKNOWN_OBJECT_NAME: NOT_FOUND,
    MQRC_OBJECT_IN_USE: IN_USE,
    MQRC_OBJECT_DAMAGED: "AMQ8149S",
    MQRC_OBJECT_ALREADY_EXISTS: "AMQ8150E",
    MQRC_Q_NOT_EMPTY: "AMQ8143E",
    MQRC_NOT_AUTHORIZED: "AMQ8135E",
}


class Refusal(Exception):
    """The refusal of a valid command that cannot be carried out: the message number, and a sentence with the reason."""

    def __init__(self, message_id: str, detail: str = "", name: str = "", reason: int = MQRC_NONE) -> None:
        super().__init__(f"{message_id}: {detail or name}")
        self.message_id = message_id
        self.detail = detail
        self.name = name
        self.reason = reason  # PCF reason code if the message number has none of its own


def refusal_of(error: MQError, name: str) -> Refusal:
    """Give the refusal for a command whose verb failed with an MQError."""
    number = _NUMBERS.get(error.reason)
    if number is not None:
        return Refusal(number, "", str(error.facts.get("name", name)), error.reason)
    return Refusal(messages.FAILED, str(error), reason=error.reason)


class Shown:
    """One object or status entry that DISPLAY shows."""

    def __init__(self, kind: ObjectType, name: str, values: Mapping[str, Value | None]) -> None:
        self.kind = kind
        self.name = name
        self.values = values
        self.specs: Iterable[AttributeSpec] = kind.attributes
        self.title = (kind.message_id, kind.title)  # as text


class Outcome:
    """The result of one command: its message and the objects it shows."""

    def __init__(self, message_id: str = "", address: LogAddress = NO_ADDRESS) -> None:
        self.message_id = message_id
        self.address = address  # the log must be on disk up to here before the reply
        self.shown: list[Shown] = []
        self.report: list[str] = []  # the text of a DISPLAY that has a form of its own
        self.lines: list[str] = []  # said besides


class Reply:
    """The reply to one command, as text or as one line of JSON."""

    def __init__(self, text: str, ok: bool, syntax: bool = False) -> None:
        self.text = text  # of the command
        self.ok = ok
        self.syntax = syntax  # whether the command could not even be read
        self.message_id = ""
        self.message = ""
        self.detail = ""
        self.reason = MQRC_NONE
        self.shown: list[Shown] = []
        self.report: list[str] = []
        self.extra: list[str] = []
        self.address: LogAddress = NO_ADDRESS

    def lines(self) -> list[str]:
        """Return the reply in runmqsc's form."""
        found = self.report[:]
        for one in self.shown if not found else ():
            found.extend(printer.details(one.kind, one.name, one.values, one.specs, one.title))
        found.extend(self.extra)
        if self.message:
            found.append(self.message)
        if self.detail:
            found.append(f"{messages.ADVICE}: {self.detail}")
        return found

    def json(self) -> str:
        """Return the reply as one line of JSON."""
        objects = [printer.plain(one.kind, one.name, one.values, one.specs) for one in self.shown]
        answer: dict[str, object] = {"command": self.text, "ok": self.ok, "message": self.message_id}
        answer["text"] = [*self.extra, *[said for said in (self.message, self.detail) if said]]
        answer["objects"] = objects
        return json.dumps(answer, ensure_ascii=False)


def done(command: Command, outcome: Outcome) -> Reply:
    """Return the reply to a command that was carried out."""
    reply = Reply(command.text, True)
    reply.shown = outcome.shown
    reply.report = outcome.report
    reply.extra = outcome.lines
    reply.message_id = outcome.message_id
    reply.address = outcome.address
    if outcome.message_id:
        reply.message = messages.text_of(outcome.message_id, command.spec.title, command.name)
    return reply


def refused(command: Command, refusal: Refusal) -> Reply:
    """Return the reply to a command that was refused."""
    reply = Reply(command.text, False)
    reply.message_id = refusal.message_id
    reply.message = messages.text_of(refusal.message_id, command.spec.title, refusal.name or command.name)
    reply.detail = refusal.detail
    reply.reason = refusal.reason
    return reply
