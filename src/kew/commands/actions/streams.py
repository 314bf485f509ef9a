"""Checks of STREAMQ: which queues the attribute may name, and which queues may have it."""

from typing import Final

from kew.codes import attributes as a
from kew.codes.reasons import (
    MQRCCF_STREAMQ_CONFLICT,
    MQRCCF_STREAMQ_DEST_CONFLICT,
    MQRCCF_STREAMQ_DEST_NOT_SUPP,
    MQRCCF_STREAMQ_NOT_SUPPORTED,
)
from kew.commands.actions.context import Context
from kew.commands.actions.find import QUEUE, named
from kew.commands.actions.outcome import Refusal
from kew.commands.mqsc import messages
from kew.commands.mqsc.parser import Command
from kew.objects.catalogue import Record
from kew.objects.definition import Definition
from kew.queues.administration import ALIAS, MODEL

PATTERN: Final = "SYSTEM.DEFAULT.LOCAL.QUEUE"
# Queues of the queue manager whose messages may be copied; messages of its other queues are internal.
STREAMING_SYSTEM_QUEUES: Final = frozenset(
    {
        PATTERN,
        "SYSTEM.ADMIN.ACCOUNTING.QUEUE",
        "SYSTEM.ADMIN.ACTIVITY.QUEUE",
        "SYSTEM.ADMIN.CHANNEL.EVENT",
        "SYSTEM.ADMIN.COMMAND.EVENT",
        "SYSTEM.ADMIN.CONFIG.EVENT",
        "SYSTEM.ADMIN.LOGGER.EVENT",
        "SYSTEM.ADMIN.PERFM.EVENT",
        "SYSTEM.ADMIN.PUBSUB.EVENT",
        "SYSTEM.ADMIN.QMGR.EVENT",
        "SYSTEM.ADMIN.STATISTICS.QUEUE",
        "SYSTEM.DEFAULT.MODEL.QUEUE",
        "SYSTEM.JMS.TEMPQ.MODEL",
    }
)


def check_stream(context: Context, command: Command, definition: Definition) -> None:
    """Refuse a STREAMQ if the named queue cannot take the copies, or if copies would be copied again."""
    if "STREAMQ" not in definition.kind:
        return
    name, stream = definition.name, definition.text("STREAMQ")
    if not stream:
        return
    if definition.integer("USAGE") == a.MQUS_TRANSMISSION:
        raise _refused(MQRCCF_STREAMQ_CONFLICT, "the messages of a transmission queue are not copied")
    if definition.integer("QSGDISP") == a.MQQSGD_SHARED:
        raise _refused(MQRCCF_STREAMQ_CONFLICT, "the messages of a shared queue are not copied")
    if command.verb == "ALTER" and "STREAMQ" not in command.attributes:
        return  # it was checked when it came there
    if name.startswith("SYSTEM.") and name not in STREAMING_SYSTEM_QUEUES:
        raise _refused(MQRCCF_STREAMQ_NOT_SUPPORTED, f"{name} is the queue manager's own")
    if definition.kind.name != MODEL and definition.integer("DEFTYPE") != a.MQQDT_PREDEFINED:
        raise _refused(MQRCCF_STREAMQ_NOT_SUPPORTED, "STREAMQ of a dynamic queue is that of its model queue")
    if stream.startswith("SYSTEM.") and stream != PATTERN:
        raise _refused(MQRCCF_STREAMQ_DEST_NOT_SUPP, f"{stream} is the queue manager's own")
    if stream == name:
        raise _refused(MQRCCF_STREAMQ_DEST_CONFLICT, "a queue cannot stream to itself")
    for record in named(context, QUEUE, stream):
        _check_target(context, record)
    for record in context.objects.catalogue.of_family(QUEUE):
        other = str(record.values.get("STREAMQ", ""))
        if other and record.name != name and name in _reached(context, other):
            raise _refused(MQRCCF_STREAMQ_CONFLICT, f"{name} holds the copies of {record.name}, which are not copied")


def _check_target(context: Context, record: Record) -> None:
    if record.kind == MODEL:
        raise _refused(MQRCCF_STREAMQ_DEST_NOT_SUPP, f"{record.name} is a model queue, which holds no messages")
    for name in _reached(context, record.name):
        for queue in named(context, QUEUE, name):
            further = str(queue.values.get("STREAMQ", ""))
            if further:
                raise _refused(MQRCCF_STREAMQ_DEST_CONFLICT, f"{name} has STREAMQ({further}) of its own")


def _reached(context: Context, name: str) -> list[str]:
    """Give a queue's name and, for an alias, that of its target."""
    return [name, *[str(each.values["TARGET"]) for each in named(context, QUEUE, name) if each.kind == ALIAS]]


def _refused(reason: int, why: str) -> Refusal:
    return Refusal(messages.FAILED, f"STREAMQ: {why}.", reason=reason)
