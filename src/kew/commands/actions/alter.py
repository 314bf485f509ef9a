"""ALTER: changes attributes of an object that exists."""

from functools import partial
from typing import Final

from kew.codes.attributes import MQUSAGE_EXPAND_NONE, MQUSAGE_EXPAND_SYSTEM, MQUSAGE_EXPAND_USER
from kew.commands.actions.context import Context
from kew.commands.actions.find import QUEUE, existing
from kew.commands.actions.guard import (
    ClassChange,
    check_effective,
    check_page_set,
    check_rules,
    check_use,
    unusable_checks,
)
from kew.commands.actions.outcome import NOT_FOUND, Outcome, Refusal
from kew.commands.actions.streams import check_stream
from kew.commands.mqsc import messages
from kew.commands.mqsc.parser import Command
from kew.objects.catalogue import UNOPPOSED, Record
from kew.objects.definition import Definition
from kew.objects.schema import object_type
from kew.objects.schema.values import BadValue
from kew.storage.pages.pageset import EXPAND_NONE, EXPAND_SYSTEM, EXPAND_USER

SMALLEST_POOL: Final = 100
EXPANSIONS: Final = {
    MQUSAGE_EXPAND_NONE: EXPAND_NONE,
    MQUSAGE_EXPAND_USER: EXPAND_USER,
    MQUSAGE_EXPAND_SYSTEM: EXPAND_SYSTEM,
}
UNTIL_RESTART: Final = "It holds until the queue manager ends; qm.ini says how it starts."


def _merged(record: Record, command: Command) -> Definition:
    """Give the object with the changes of the command; refuse attributes and values that its type does not have."""
    kind = object_type(record.kind)
    for keyword, value in command.attributes.items():
        if keyword not in kind or not kind[keyword].alterable:
            raise Refusal(messages.FAILED, f"{kind.type_label} {record.name} has no attribute {keyword} to change")
        try:
            kind[keyword].check(value)
        except BadValue as bad:
            raise Refusal(messages.FAILED, f"{keyword}: {bad}") from bad
    check_effective(kind, command.attributes)
    definition = Definition(kind, record.name, command.attributes)
    definition.values = {**record.values, **command.attributes}
    check_rules(definition)
    return definition


def alter(context: Context, command: Command) -> Outcome:
    """Carry out ALTER of an object of any type."""
    with context.objects.lock:
        record = existing(context, command)
        definition = _merged(record, command)
        if record.family == QUEUE:
            check_stream(context, command, definition)
            guard = partial(check_use, context, record, command.attributes, command.flag("FORCE"))
            return Outcome(
                command.spec.done, context.queues.change(record.name, command.attributes, guard, command.caller)
            )
        decision = UNOPPOSED
        if record.family == "STGCLASS":
            check_page_set(context, definition)
            decision = ClassChange(context, definition)
        return Outcome(command.spec.done, context.objects.change(record, command.attributes, decision, command.caller))


def alter_manager(context: Context, command: Command) -> Outcome:
    """Carry out ALTER QMGR."""
    with context.objects.lock:
        record = context.objects.find("QMGR", context.name)
        if record is None:
            raise Refusal(NOT_FOUND, "", context.name)
        _merged(record, command)
        address = context.objects.change(record, command.attributes, by=command.caller)
        context.operations.apply_definition()
        outcome = Outcome(command.spec.done, address)
        if "CONNAUTH" in command.attributes:
            outcome.lines.extend(unusable_checks(context))
    return outcome


def alter_pool(context: Context, command: Command) -> Outcome:
    """Carry out ALTER BUFFPOOL: change the size of a pool while it is in use."""
    pool = context.pools.get(int(command.name))
    if pool is None:
        raise Refusal(NOT_FOUND, "", command.name)
    check_effective(object_type("BUFFPOOL"), command.attributes)
    size = command.attributes.get("BUFFERS")
    outcome = Outcome(command.spec.done)
    if isinstance(size, int):
        if size < SMALLEST_POOL:
            raise Refusal(messages.FAILED, f"BUFFERS({size}): a pool has at least {SMALLEST_POOL}")
        with context.engine.lock:
            pool.resize(size)
        context.engine.notices.tell("CSQP023I", (pool.id, size))
        outcome.lines.append(f"{messages.ADVICE}: {UNTIL_RESTART}")
    return outcome


def alter_page_set(context: Context, command: Command) -> Outcome:
    """Carry out ALTER PSID: change how a page set grows."""
    page_set = context.engine.store.page_sets.get(int(command.name))
    if page_set is None:
        raise Refusal(NOT_FOUND, "", command.name)
    expand = command.attributes.get("EXPAND")
    outcome = Outcome(command.spec.done)
    if isinstance(expand, int):
        with context.engine.lock:
            page_set.expand = EXPANSIONS[expand]
        outcome.lines.append(f"{messages.ADVICE}: {UNTIL_RESTART}")
    return outcome
