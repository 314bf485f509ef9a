"""Finds the objects that a command names, and the objects that a DISPLAY shows."""

from collections.abc import Iterable
from typing import Final

from kew.codes.attributes import MQCHTAB_CLNTCONN
from kew.commands.actions.context import Context
from kew.commands.actions.outcome import NOT_FOUND, Refusal, Shown
from kew.commands.mqsc.parser import Command
from kew.commands.mqsc.printer import wanted
from kew.commands.mqsc.where import matches
from kew.objects.catalogue import Record
from kew.objects.schema import AttributeSpec
from kew.objects.schema.values import Value

QUEUE: Final = "QUEUE"
CHANNEL: Final = "CHANNEL"

# The object whose attributes a DEFINE starts from.
PATTERNS: Final = {
    "QLOCAL": "SYSTEM.DEFAULT.LOCAL.QUEUE",
    "QALIAS": "SYSTEM.DEFAULT.ALIAS.QUEUE",
    "QREMOTE": "SYSTEM.DEFAULT.REMOTE.QUEUE",
    "QMODEL": "SYSTEM.DEFAULT.MODEL.QUEUE",
    "SDR": "SYSTEM.DEF.SENDER",
    "SVR": "SYSTEM.DEF.SERVER",
    "RCVR": "SYSTEM.DEF.RECEIVER",
    "RQSTR": "SYSTEM.DEF.REQUESTER",
    "CLNTCONN": "SYSTEM.DEF.CLNTCONN",
    "SVRCONN": "SYSTEM.DEF.SVRCONN",
    "CLUSSDR": "SYSTEM.DEF.CLUSSDR",
    "CLUSRCVR": "SYSTEM.DEF.CLUSRCVR",
    "AMQP": "SYSTEM.DEF.AMQP",
    "TOPIC": "SYSTEM.DEFAULT.TOPIC",
    "SUB": "SYSTEM.DEFAULT.SUB",
    "LISTENER": "SYSTEM.DEFAULT.LISTENER.TCP",
    "PROCESS": "SYSTEM.DEFAULT.PROCESS",
    "NAMELIST": "SYSTEM.DEFAULT.NAMELIST",
    "SERVICE": "SYSTEM.DEFAULT.SERVICE",
    "COMMINFO": "SYSTEM.DEFAULT.COMMINFO.MULTICAST",
    "IDPWOS": "SYSTEM.DEFAULT.AUTHINFO.IDPWOS",
    "IDPWLDAP": "SYSTEM.DEFAULT.AUTHINFO.IDPWLDAP",
    "CRLLDAP": "SYSTEM.DEFAULT.AUTHINFO.CRLLDAP",
    "OCSP": "SYSTEM.DEFAULT.AUTHINFO.OCSP",
    "STGCLASS": "SYSTEMST",
}


def pattern_of(context: Context, kind: str, family: str) -> Record | None:
    """Give the default object of a type, such as SYSTEM.DEFAULT.LOCAL.QUEUE; None if that was deleted."""
    name = PATTERNS.get(kind, "")
    found = [record for record in named(context, family, name) if record.kind == kind] if name else []
    return found[0] if found else None


def named(context: Context, family: str, name: str) -> list[Record]:
    """Give the objects of a family with exactly this name."""
    records = context.objects.catalogue.records
    if family == QUEUE:
        queue = records.get((QUEUE, name)) or context.queues.temporary.get(name)
        return [queue] if queue is not None else []
    if family == CHANNEL:
        both = [records.get((CHANNEL, name)), records.get((CHANNEL, f"{name}\0CLNTCONN"))]
        return [record for record in both if record is not None]
    found = records.get((family, name))
    if found is not None:
        return [found]
    return [record for record in context.objects.catalogue.of_family(family) if record.name == name]


def existing(context: Context, command: Command) -> Record:
    """Give the object of a command; it must exist and be of the type that the command names."""
    family = command.spec.family
    assert family is not None
    table = command.options.get("CHLTABLE")
    for record in named(context, family.name, command.name):
        if table is not None and (record.kind == "CLNTCONN") is not (table == MQCHTAB_CLNTCONN):
            continue
        if command.kind is None or record.kind == command.kind.name:
            return record
    raise Refusal(NOT_FOUND, "", command.name)


def family_of(context: Context, family: str) -> list[Record]:
    """Give all objects of a family, by name."""
    found = context.objects.catalogue.of_family(family)
    if family == QUEUE and context.queues.temporary:
        found = sorted([*found, *context.queues.temporary.values()], key=_by_name)
    return found


def _by_name(record: Record) -> str:
    return record.name


def _selected(value: Value | None, wish: Value) -> bool:
    if isinstance(value, str) and isinstance(wish, str):
        return matches(wish, value)
    return value == wish


def chosen(command: Command, candidates: Iterable[Shown]) -> list[Shown]:
    """Give the objects that a DISPLAY selects by WHERE and by attribute values, each with the attributes to show."""
    where = command.where
    name_spec = command.spec.name_spec
    by_name = where is not None and name_spec is not None and where.spec.keyword == name_spec.keyword
    specs: dict[str, list[AttributeSpec]] = {}
    found: list[Shown] = []
    for one in candidates:
        if where is not None:
            known = where.spec.keyword in one.kind
            value: Value | None = one.name if by_name and not known else one.values.get(where.spec.keyword)
            if not where.accepts(value):
                continue
        if not all(_selected(one.values.get(keyword), wish) for keyword, wish in command.selectors.items()):
            continue
        if one.kind.name not in specs:
            specs[one.kind.name] = wanted(command, one.kind)
        one.specs = specs[one.kind.name]
        found.append(one)
    return found
