"""The definitions of a queue manager as the MQSC commands that create them again."""

from collections.abc import Iterator
from typing import Final

from kew.codes.attributes import MQDC_MANAGED
from kew.commands.actions.context import Context
from kew.commands.actions.find import family_of
from kew.commands.mqsc.printer import define
from kew.objects import defaults
from kew.objects.catalogue import Record
from kew.objects.definition import Definition
from kew.objects.schema import FAMILIES, object_type
from kew.objects.schema.values import Value
from kew.objects.secrets import SECRETS
from kew.topics.space import MANAGED

# Objects that others name in their definitions come first; rules about objects come after them.
_FIRST: Final = ("QMGR", "STGCLASS", "CFSTRUCT", "NAMELIST", "PROCESS", "AUTHINFO", "COMMINFO")
_LAST: Final = ("SUB", "CHLAUTH", "AUTHREC", "POLICY")


def written(context: Context, everything: bool) -> Iterator[list[str]]:
    """Give the commands, one object at a time; without `everything` unchanged default objects are left out.

    Each command has all attributes of its object. Passwords are never written: a comment says where one is missing.
    """
    usual = {} if everything else {_key(one): _values(one) for one in defaults.system_objects()}
    between = [name for name, family in FAMILIES.items() if not family.types[0].status]
    order = [*_FIRST, *[name for name in between if name not in _FIRST + _LAST], *_LAST]
    for family in order:
        for record in _records(context, family):
            definition = _definition(record)
            if usual.get(_key(definition)) != _values(definition):
                yield _command(definition)


def _records(context: Context, family: str) -> list[Record]:
    if family == "QMGR":
        own = context.objects.find("QMGR", context.name)
        return [own] if own is not None else []
    temporary = context.queues.temporary
    # The queues of managed subscriptions are made with them.
    every = family_of(context, family)
    records = [record for record in every if record.name not in temporary and not record.name.startswith(MANAGED)]
    return sorted(records, key=lambda record: (record.kind, record.name))


def _definition(record: Record) -> Definition:
    definition = Definition(object_type(record.kind), record.name)
    definition.values.update(record.values)
    if record.kind == "SUB" and definition.integer("DESTCLAS") == MQDC_MANAGED:
        definition.values["DEST"] = ""
    return definition


def _key(definition: Definition) -> tuple[str, str]:
    return definition.kind.name, definition.name


def _values(definition: Definition) -> dict[str, Value]:
    return {spec.keyword: definition[spec.keyword] for spec in definition.kind.definable()}


def _command(definition: Definition) -> list[str]:
    kind = definition.kind
    hidden = [spec.keyword for spec in kind.definable() if spec.keyword in SECRETS and definition[spec.keyword]]
    lines = [f"* {keyword} of {kind.name} {definition.name} is not written here." for keyword in hidden]
    return [*lines, *define(definition, without=hidden)]
