"""DELETE of objects, and CLEAR QLOCAL."""

from functools import partial
from typing import Final

from kew.codes.options import MQOT_Q, MQOT_TOPIC
from kew.commands.actions.context import Context
from kew.commands.actions.define import IN_CONFIGURATION
from kew.commands.actions.find import QUEUE, existing
from kew.commands.actions.guard import check_closed, unusable_checks, users_of_class
from kew.commands.actions.messagechannels import check_idle
from kew.commands.actions.outcome import IN_USE, NOT_FOUND, Outcome, Refusal
from kew.commands.mqsc import messages
from kew.commands.mqsc.parser import Command
from kew.objects.catalogue import Record

_PROFILES: Final = {QUEUE: MQOT_Q, "TOPIC": MQOT_TOPIC}  # families whose objects have authority records, by OBJTYPE


def delete(context: Context, command: Command) -> Outcome:
    """Carry out DELETE of an object of any type."""
    family = command.spec.family
    assert family is not None
    if family.name in ("PSID", "BUFFPOOL"):
        raise Refusal(messages.NOT_YET, IN_CONFIGURATION)
    with context.objects.lock:
        try:
            record = existing(context, command)
        except Refusal as refusal:
            if refusal.message_id == NOT_FOUND and command.options.get("IGNSTATE"):
                return Outcome(command.spec.done)
            raise
        profiles = _profiles(context, record) if command.options.get("AUTHREC", 1) else []
        if record.family == QUEUE:
            guard = partial(check_closed, context, record) if record.kind != "QLOCAL" else None
            address = context.queues.remove(record.name, command.flag("PURGE"), guard, command.caller)
            return Outcome(command.spec.done, context.objects.remove(profiles, command.caller) if profiles else address)
        if record.family == "STGCLASS":
            users = users_of_class(context, record.name)
            if users:
                raise Refusal(IN_USE, f"queue {users[0]} uses it: ALTER QLOCAL({users[0]}) STGCLASS first", record.name)
        if record.name in _running(context, record.family):
            raise Refusal(IN_USE, f"it is running: STOP {record.family}({record.name}) first", record.name)
        if record.family == "CHANNEL" and context.channels is not None:
            if record.kind != "SVRCONN":
                check_idle(context.channels, record)
            context.channels.forget_channel(record.name)
        outcome = Outcome(command.spec.done, context.objects.remove([record, *profiles], command.caller))
        if context.gate.unusable_checks() == record.name and record.family == "AUTHINFO":
            outcome.lines.extend(unusable_checks(context))
        return outcome


def _running(context: Context, family: str) -> list[str]:
    """Give the running objects of a family, which no command could stop once they are deleted."""
    if family == "LISTENER" and context.channels is not None:
        return [state.name for state in context.channels.listener_states()]
    if family == "SERVICE" and context.services is not None:
        return [service.name for service in context.services.running()]
    return []


def _profiles(context: Context, record: Record) -> list[Record]:
    """Give the authority records of exactly this object, which are deleted with it."""
    wanted = _PROFILES.get(record.family)
    return [
        each
        for each in context.objects.catalogue.of_family("AUTHREC")
        if each.name == record.name and each.values["OBJTYPE"] == wanted
    ]


def clear(context: Context, command: Command) -> Outcome:
    """Carry out CLEAR QLOCAL."""
    record = existing(context, command)
    context.queues.clear(record.name)
    return Outcome(command.spec.done, context.engine.log.next_address)
