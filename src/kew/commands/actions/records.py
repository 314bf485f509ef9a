"""SET and DELETE of records: channel authentication, authority and message protection."""

from typing import Final

from kew.codes.attributes import MQAUTH_NONE, MQMLP_TOLERATE_UNPROTECTED_NO
from kew.codes.options import MQACT_ADD, MQACT_REMOVE, MQACT_REMOVEALL, MQACT_REPLACE, MQOT_Q_MGR
from kew.commands.actions.context import Context
from kew.commands.actions.guard import check_rules
from kew.commands.actions.outcome import NOT_FOUND, Outcome, Refusal
from kew.commands.actions.security import NO_RECORD
from kew.commands.mqsc import messages
from kew.commands.mqsc.parser import Command
from kew.formats.distinguishedname import BadName
from kew.objects.administration import key_of
from kew.objects.catalogue import Record
from kew.objects.definition import Definition
from kew.objects.schema import object_type
from kew.objects.schema.security import MQZAET_GROUP, MQZAET_PRINCIPAL, OBJECT_TYPE
from kew.objects.schema.values import BadValue, Value
from kew.protection.names import is_same, read_name
from kew.security import rights
from kew.security.addresses import BadAddress
from kew.security.authority import CLASS, SELF
from kew.security.channelrules import check_record
from kew.security.profiles import BadProfile, Profile
from kew.storage.log import NO_ADDRESS, LogAddress

LISTS: Final = {"BLOCKUSER": "USERLIST", "BLOCKADDR": "ADDRLIST"}


def _remove(context: Context, command: Command, records: list[Record]) -> Outcome:
    if not records:
        if command.options.get("IGNSTATE"):
            return Outcome(command.spec.done)
        raise Refusal(NO_RECORD if command.target == "CHLAUTH" else NOT_FOUND, "", command.name)
    return Outcome(command.spec.done, context.objects.remove(records, command.caller))


def set_channel_record(context: Context, command: Command) -> Outcome:
    """Carry out SET CHLAUTH."""
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
        listed = LISTS.get(kind.name)
        if listed is not None:
            return _set_list(context, command, definition, old, action, listed)
        if action == MQACT_REMOVE:
            return _remove(context, command, [old] if old is not None else [])
        _check_usable(definition)
        return Outcome(command.spec.done, context.objects.place(definition, action == MQACT_REPLACE, by=command.caller))


def _check_usable(definition: Definition) -> None:
    check_rules(definition)
    try:
        check_record(definition.kind.name, dict(definition.values))
    except (BadAddress, BadName) as bad:
        raise Refusal(messages.FAILED, str(bad)) from bad


def _set_list(
    context: Context, command: Command, definition: Definition, old: Record | None, action: Value, keyword: str
) -> Outcome:
    """Carry out SET CHLAUTH of a list of addresses or users, by ACTION; an empty list deletes the record."""
    given = definition.texts(keyword)
    there = old.values[keyword] if old is not None else ()
    before = [str(each) for each in there] if isinstance(there, tuple) else []
    if action == MQACT_REPLACE:
        members = list(given)
    elif action == MQACT_REMOVE:
        if old is None or not set(given) <= set(before):
            raise Refusal(NO_RECORD, "", command.name)
        members = [each for each in before if each not in given]
    else:
        members = [*before, *given]
    if not members and (old is not None or action != MQACT_ADD):
        return _remove(context, command, [old] if old is not None else [])
    kept = old.values if old is not None else {}
    members = list(dict.fromkeys(members))
    values: dict[str, Value] = {**kept, **command.attributes, keyword: tuple(members)}
    try:
        changed = Definition(definition.kind, command.name, values)
    except BadValue as bad:
        raise Refusal(messages.FAILED, f"{keyword}: {bad}") from bad
    _check_usable(changed)
    return Outcome(command.spec.done, context.objects.place(changed, replace=True, by=command.caller))


def set_policy(context: Context, command: Command) -> Outcome:
    """Carry out SET POLICY: REPLACE replaces the whole policy, ADD and REMOVE change its signers and recipients."""
    kind = command.kind
    assert kind is not None
    action = command.options.get("ACTION", MQACT_REPLACE)
    if command.options.get("ENFORCE") and command.attributes.get("TOLERATE"):
        raise Refusal(messages.FAILED, "ENFORCE and TOLERATE exclude each other")
    with context.objects.lock:
        _check_protectable(context, command.name)
        old = context.objects.find("POLICY", command.name)
        values: dict[str, Value] = dict(command.attributes)
        if action != MQACT_REPLACE:
            if old is None and action == MQACT_REMOVE:
                raise Refusal(NOT_FOUND, "", command.name)
            values = {**(old.values if old is not None else {}), **values}
            for keyword in ("SIGNER", "RECIP"):
                given = _names(command.attributes.get(keyword, ()))
                values[keyword] = _changed(keyword, _names(old.values[keyword] if old else ()), given, action)
            if command.options.get("ENFORCE"):
                values["TOLERATE"] = MQMLP_TOLERATE_UNPROTECTED_NO
        try:
            definition = Definition(kind, command.name, values)
        except BadValue as bad:
            raise Refusal(messages.FAILED, str(bad)) from bad
        check_rules(definition)
        return Outcome(command.spec.done, context.objects.place(definition, replace=True, by=command.caller))


def _check_protectable(context: Context, name: str) -> None:
    """Refuse a policy for a topic, or for a queue of the queue manager's own: its messages would not be protected."""
    is_queue = context.objects.find("QUEUE", name) is not None
    if not is_queue and context.objects.find("TOPIC", name) is not None:
        raise Refusal(messages.FAILED, f"{name} is a topic; a policy is about a queue, or an alias of a topic")
    if name.startswith("SYSTEM.") and not name.startswith("SYSTEM.DEFAULT."):
        raise Refusal(messages.FAILED, f"{name} is a queue of the queue manager's own, which cannot be protected")


def _names(value: Value) -> list[str]:
    return [str(each) for each in value] if isinstance(value, tuple) else []


def _changed(keyword: str, before: list[str], given: list[str], action: Value) -> tuple[str, ...]:
    """Give a list of distinguished names with some added or removed; two spellings of a name are the same name."""
    kept = list(before)
    for name in given:
        same = [each for each in kept if is_same(read_name(each), read_name(name))]
        if action == MQACT_ADD and not same:
            kept.append(name)
        elif action == MQACT_REMOVE:
            if not same:
                raise Refusal(messages.FAILED, f"{keyword}: {name} is not in the policy")
            kept = [each for each in kept if each not in same]
    return tuple(kept)


def delete_policy(context: Context, command: Command) -> Outcome:
    """Carry out DELETE POLICY."""
    found = context.objects.find("POLICY", command.name)
    return _remove(context, command, [found] if found is not None else [])


def _entities(command: Command) -> list[tuple[str, int]]:
    found: list[tuple[str, int]] = []
    for keyword, kind in (("PRINCIPAL", MQZAET_PRINCIPAL), ("GROUP", MQZAET_GROUP)):
        names = command.options.get(keyword, ())
        if isinstance(names, tuple):
            found.extend([(str(name), kind) for name in names])
    return found


def _about(command: Command) -> int:
    """Give the object type of the authority record that a command names."""
    wanted = command.options["OBJTYPE"]
    if not isinstance(wanted, int) or wanted not in OBJECT_TYPE.names:
        raise Refusal(messages.FAILED, "OBJTYPE says which type of object; ALL is only for DISPLAY")
    return wanted


def profile_of(command: Command, about: int) -> str:
    """Give the profile that a command names, in its stored form."""
    if about == MQOT_Q_MGR:
        return SELF
    if command.name.lower() == CLASS:
        return CLASS
    try:
        return Profile(command.name).text
    except BadProfile as bad:
        raise Refusal(messages.FAILED, f"{bad}") from bad


def _authority(command: Command, about: int, entity: str, entity_type: int) -> Definition:
    values: dict[str, Value] = {
        "ENTITY": entity,
        "ENTTYPE": entity_type,
        "OBJTYPE": about,
        "AUTHLIST": (MQAUTH_NONE,),
    }
    return Definition(object_type("AUTHREC"), profile_of(command, about), values)


def _bits(value: Value, about: int) -> int:
    return rights.expand([each for each in value if isinstance(each, int)], about) if isinstance(value, tuple) else 0


def _check_applicable(about: int, profile: str, given: int) -> None:
    possible = rights.CREATE if profile == CLASS else rights.applicable(about)
    if given & ~possible:
        what = "@class" if profile == CLASS else f"OBJTYPE({OBJECT_TYPE.names[about]})"
        raise Refusal(messages.FAILED, f"{what} has no authority {rights.words(given & ~possible)}")


def set_authority(context: Context, command: Command) -> Outcome:
    """Carry out SET AUTHREC: add and remove the given authorities; all others stay."""
    about = _about(command)
    given = _bits(command.options.get("AUTHADD", ()), about)
    taken = _bits(command.options.get("AUTHRMV", ()), about)
    _check_applicable(about, profile_of(command, about), given)
    address: LogAddress = NO_ADDRESS
    with context.objects.lock:
        for entity, entity_type in _entities(command):
            definition = _authority(command, about, entity, entity_type)
            old = context.objects.catalogue.records.get(key_of(definition))
            before = _bits(old.values["AUTHLIST"], about) if old is not None else 0
            definition.values["AUTHLIST"] = rights.numbers((before | given) & ~taken)
            check_rules(definition)
            address = context.objects.place(definition, replace=True)
    return Outcome(command.spec.done, address)


def delete_authority(context: Context, command: Command) -> Outcome:
    """Carry out DELETE AUTHREC."""
    about = _about(command)
    with context.objects.lock:
        found = [
            context.objects.catalogue.records.get(key_of(_authority(command, about, entity, entity_type)))
            for entity, entity_type in _entities(command)
        ]
        return _remove(context, command, [record for record in found if record is not None])
