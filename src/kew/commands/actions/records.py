"""SET and DELETE of records: channel authentication, authority and message protection."""

from kew.codes.attributes import MQAUTH_NONE
from kew.codes.options import MQACT_ADD, MQACT_REMOVE, MQACT_REMOVEALL, MQACT_REPLACE
from kew.commands.actions.context import Context
from kew.commands.actions.guard import check_rules
from kew.commands.actions.outcome import NOT_FOUND, Outcome, Refusal
from kew.commands.mqsc import messages
from kew.commands.mqsc.parser import Command
from kew.objects.administration import key_of
from kew.objects.catalogue import Record
from kew.objects.definition import Definition
from kew.objects.schema import object_type
from kew.objects.schema.security import MQZAET_GROUP, MQZAET_PRINCIPAL
from kew.objects.values import Value
from kew.storage.log import NO_ADDRESS, LogAddress


def _remove(context: Context, command: Command, records: list[Record]) -> Outcome:
    if not records:
        if command.options.get("IGNSTATE"):
            return Outcome(command.spec.done)
        raise Refusal(NOT_FOUND, "", command.name)
    return Outcome(command.spec.done, context.objects.remove(records))


def set_channel_record(context: Context, command: Command) -> Outcome:
    """SET CHLAUTH."""
    kind = command.kind
    assert kind is not None
    action = command.options.get("ACTION", MQACT_ADD)
    with context.objects.lock:
        if action == MQACT_REMOVEALL:
            alike = [
                record
                for record in context.objects.catalogue.of_family("CHLAUTH")
                if record.name == command.name and record.kind == kind.name
            ]
            return _remove(context, command, alike)
        definition = Definition(kind, command.name, command.attributes)
        old = context.objects.catalogue.records.get(key_of(definition))
        if action == MQACT_REMOVE:
            return _remove(context, command, [old] if old is not None else [])
        check_rules(definition)
        return Outcome(command.spec.done, context.objects.place(definition, replace=action == MQACT_REPLACE))


def set_policy(context: Context, command: Command) -> Outcome:
    """SET POLICY."""
    action = command.options.get("ACTION", MQACT_REPLACE)
    kind = object_type("POLICY")
    with context.objects.lock:
        if action == MQACT_REMOVE:
            return delete_policy(context, command)
        definition = Definition(kind, command.name, command.attributes)
        check_rules(definition)
        return Outcome(command.spec.done, context.objects.place(definition, replace=action == MQACT_REPLACE))


def delete_policy(context: Context, command: Command) -> Outcome:
    """DELETE POLICY."""
    found = context.objects.find("POLICY", command.name)
    return _remove(context, command, [found] if found is not None else [])


def _entities(command: Command) -> list[tuple[str, int]]:
    found: list[tuple[str, int]] = []
    for keyword, kind in (("PRINCIPAL", MQZAET_PRINCIPAL), ("GROUP", MQZAET_GROUP)):
        names = command.options.get(keyword, ())
        if isinstance(names, tuple):
            found.extend([(str(name), kind) for name in names])
    return found


def _authority(command: Command, entity: str, entity_type: int) -> Definition:
    values: dict[str, Value] = {
        "ENTITY": entity,
        "ENTTYPE": entity_type,
        "OBJTYPE": command.options["OBJTYPE"],
        "AUTHLIST": (MQAUTH_NONE,),
    }
    return Definition(object_type("AUTHREC"), command.name, values)


def _numbers(value: Value) -> list[int]:
    return [each for each in value if isinstance(each, int)] if isinstance(value, tuple) else []


def set_authority(context: Context, command: Command) -> Outcome:
    """SET AUTHREC: gives and takes authority; what was given before stays."""
    given = _numbers(command.options.get("AUTHADD", ()))
    taken = set(_numbers(command.options.get("AUTHRMV", ())))
    address: LogAddress = NO_ADDRESS
    kind = object_type("AUTHREC")
    with context.objects.lock:
        for entity, entity_type in _entities(command):
            definition = _authority(command, entity, entity_type)
            old = context.objects.catalogue.records.get(key_of(definition))
            before = _numbers(old.values["AUTHLIST"]) if old is not None else []
            left = [each for each in dict.fromkeys([*before, *given]) if each not in taken and each != MQAUTH_NONE]
            authorities: Value = tuple(left) or (MQAUTH_NONE,)
            kind["AUTHLIST"].check(authorities)
            definition.values["AUTHLIST"] = authorities
            check_rules(definition)
            address = context.objects.place(definition, replace=True)
    return Outcome(command.spec.done, address)


def delete_authority(context: Context, command: Command) -> Outcome:
    """DELETE AUTHREC."""
    with context.objects.lock:
        found = [
            context.objects.catalogue.records.get(key_of(_authority(command, entity, entity_type)))
            for entity, entity_type in _entities(command)
        ]
        return _remove(context, command, [record for record in found if record is not None])


__all__ = ["delete_authority", "delete_policy", "messages", "set_authority", "set_channel_record", "set_policy"]
