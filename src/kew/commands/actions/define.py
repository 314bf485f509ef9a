"""DEFINE: creates an object from given attributes and, for the others, the defaults of its type or a LIKE object."""

from collections.abc import Callable
from functools import partial
from typing import Final

from kew.codes.attributes import MQCFOFFLD_NONE, MQQDT_PREDEFINED
from kew.commands.actions.channels import not_started
from kew.commands.actions.context import Context
from kew.commands.actions.find import CHANNEL, QUEUE, named, pattern_of
from kew.commands.actions.guard import (
    ClassChange,
    check_effective,
    check_page_set,
    check_rules,
    check_topic_string,
    check_use,
)
from kew.commands.actions.outcome import NOT_FOUND, Outcome, Refusal
from kew.commands.actions.streams import check_stream
from kew.commands.mqsc import messages
from kew.commands.mqsc.parser import Command
from kew.objects.catalogue import UNOPPOSED
from kew.objects.definition import Definition
from kew.objects.rules import PATTERN_CHANNELS
from kew.objects.schema import ObjectType, object_type
from kew.objects.schema.values import Value

OFFLOADS: Final = 5  # the CFLEVEL from which on large messages can be offloaded
IN_CONFIGURATION: Final = "page sets and buffer pools are made by stanzas of qm.ini when the queue manager starts"


def kind_of(context: Context, command: Command) -> ObjectType:
    """Give the type of the object to create: the one that the command names, else that of the object in LIKE."""
    if command.kind is not None:
        return command.kind
    family = command.spec.family
    assert family is not None
    like = str(command.options["LIKE"])
    found = named(context, family.name, like)
    if not found:
        raise Refusal(NOT_FOUND, "", like)
    kind = object_type(found[0].kind)
    for keyword in command.attributes:
        if keyword not in kind:
            raise Refusal(messages.FAILED, f"{kind.type_label} {like} has no attribute {keyword}")
    return kind


def described(context: Context, command: Command, kind: ObjectType) -> Definition:
    """Give the complete object that a DEFINE describes."""
    like = command.options.get("LIKE", "")
    if like:
        found = [record for record in named(context, kind.family, str(like)) if record.kind == kind.name]
        if not found:
            raise Refusal(NOT_FOUND, "", str(like))
        base: dict[str, Value] = found[0].values
    else:
        pattern = pattern_of(context, kind.name, kind.family)
        base = pattern.values if pattern is not None else kind.defaults
    definition = Definition(kind, command.name, command.attributes)
    definition.values = {**base, **command.attributes}  # the base was checked when it was made
    if kind.name == "QLOCAL":
        definition.values["DEFTYPE"] = MQQDT_PREDEFINED
    if kind.name == "CFSTRUCT" and "OFFLOAD" not in command.attributes and definition.integer("CFLEVEL") < OFFLOADS:
        definition.values["OFFLOAD"] = MQCFOFFLD_NONE
    return definition


def define(context: Context, command: Command) -> Outcome:
    """Carry out DEFINE of an object of any type."""
    kind = kind_of(context, command)
    if kind.family in ("PSID", "BUFFPOOL"):
        raise Refusal(messages.NOT_YET, IN_CONFIGURATION)
    check_effective(kind, command.attributes)
    replace = command.flag("REPLACE")
    with context.objects.lock:
        definition = described(context, command, kind)
        check_rules(definition)
        if kind.family == QUEUE:
            check_stream(context, command, definition)
            guard = _guard(context, command, definition) if replace else None
            address = context.queues.place(kind.name, command.name, definition.values, replace, guard, command.caller)
            return Outcome(command.spec.done, address)
        check_topic_string(context, definition)
        decision = UNOPPOSED
        if kind.family == "STGCLASS":
            check_page_set(context, definition)
            decision = ClassChange(context, definition)
        outcome = Outcome(command.spec.done, context.objects.place(definition, replace, decision, command.caller))
        why = not_started(kind.name) if kind.family == CHANNEL else ""
        if why and not command.name.startswith(PATTERN_CHANNELS):
            outcome.lines.append(f"{messages.ADVICE}: the channel is defined and cannot be started: {why}.")
        return outcome


def _guard(context: Context, command: Command, definition: Definition) -> Callable[[], None] | None:
    """Give the guard of the change that a DEFINE with REPLACE makes to a queue; None if there is no queue yet."""
    for record in named(context, QUEUE, command.name):
        if record.kind == definition.kind.name:
            return partial(check_use, context, record, definition.values, command.flag("FORCE"))
    return None
