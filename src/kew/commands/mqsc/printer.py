"""The printer of replies: DISPLAY in two columns as in runmqsc, objects as commands, counts, JSON.

An item is KEYWORD(value). Each of the two columns is three blanks and 37 characters; an item that is longer has a line
of its own, and so does a list of names, one name a line.
"""

import json
from collections.abc import Collection, Iterable, Mapping
from typing import Final

from kew.commands.mqsc.lexer import LINE_LIMIT
from kew.commands.mqsc.parser import Command
from kew.objects.definition import Definition
from kew.objects.schema import AttributeSpec, ObjectType
from kew.objects.schema.texts import quoted
from kew.objects.schema.values import Flag, ListOf, Value
from kew.objects.secrets import HIDDEN, SECRETS

COLUMN: Final = 37
INDENT: Final = "   "
WIDEST: Final = LINE_LIMIT - 256  # where a printed command is split, well below the limit of a line
WHOLE: Final = frozenset({"THREAD", "PSID", "BUFFPOOL"})  # shown in full though the name is generic
CLUSTER_ONLY: Final = "CLUSINFO"  # attributes shown only when they are asked for

Shown = Mapping[str, Value | None]


def columns(items: Iterable[str]) -> list[str]:
    """Return items laid out in two columns."""
    lines: list[str] = []
    left = ""
    for item in items:
        if len(item) > COLUMN or "\n" in item:
            if left:
                lines.append(INDENT + left)
            left = ""
            lines.extend([INDENT + part for part in item.split("\n")])
        elif left:
            lines.append(f"{INDENT}{left:<{COLUMN}}{INDENT}{item}")
            left = ""
        else:
            left = item
    if left:
        lines.append(INDENT + left)
    return lines


def wanted(command: Command, kind: ObjectType) -> list[AttributeSpec]:
    """Return the attributes that a DISPLAY command shows, in their order."""
    asked = set(command.requested)
    if command.where is not None:
        asked.add(command.where.spec.keyword)
    asked.update(command.selectors)
    if command.flag("ALL"):
        return list(kind.attributes)
    brief = (command.generic and kind.name not in WHOLE) or kind.name == "CHSTATUS"
    if not command.requested and not brief:
        return [spec for spec in kind.attributes if spec.group != CLUSTER_ONLY or spec.keyword in asked]
    asked.update(kind.always)
    return [spec for spec in kind.attributes if spec.keyword in asked or (spec.group and spec.group in asked)]


def _item(spec: AttributeSpec, value: Value | None) -> str:
    if value is None:
        return "" if isinstance(spec.kind, Flag) else f"{spec.keyword}( )"
    if isinstance(value, str):
        if value and spec.keyword in SECRETS:
            return f"{spec.keyword}({HIDDEN})"
    elif isinstance(value, tuple) and len(value) > 1 and isinstance(spec.kind, ListOf) and spec.kind.of_texts:
        return f"{spec.keyword}(" + ("\n" + " " * len(spec.keyword) + ",").join([str(one) for one in value]) + ")"
    return spec.show(value)


def details(
    kind: ObjectType, name: str, values: Shown, specs: Iterable[AttributeSpec], title: tuple[str, str] | None = None
) -> list[str]:
    """Return one object as DISPLAY shows it: a numbered title, by default that of its type, then its items."""
    message_id, words = title or (kind.message_id, kind.title)
    items: list[str] = []
    label = f"{kind.type_keyword}({kind.type_label})" if kind.type_keyword else ""
    if kind.name_spec is not None:
        items.append(f"{kind.name_spec.keyword}({name or ' '})")
    if label and not kind.type_after:
        items.append(label)
    for spec in specs:
        item = _item(spec, values.get(spec.keyword))
        if item:
            items.append(item)
        if label and spec.keyword == kind.type_after:
            items.append(label)
    return [f"{message_id}: {words}", *columns(items)]


def report(kind: ObjectType, initial: Shown, changed: Shown) -> list[str]:
    """Return parameters as DISPLAY SYSTEM, LOG and ARCHIVE show them: values at the start, and values set since."""
    lines = [
        f"{kind.message_id}: {kind.title} ...",
        " Parameter   Initial value               SET value",
        " ----------- --------------------------- ---------------------------",
    ]
    for spec in kind.attributes:
        first = initial.get(spec.keyword)
        then = changed.get(spec.keyword)
        if first is None and then is None:
            continue
        old = spec.format(first).strip() if first is not None else ""
        new = spec.format(then).strip() if then is not None else ""
        lines.append(f" {spec.keyword:<11} {old:<27} {new}".rstrip())
    lines.append(f" End of {kind.name} report")
    return lines


def _folded(item: str) -> list[str]:
    """Split an item that is too long for a line, so that no line begins with an asterisk, as comments do."""
    lines: list[str] = []
    rest = item
    while len(rest) > WIDEST:
        if rest[WIDEST] == "*":
            lines.append(rest[:WIDEST] + "+")
            rest = " " + rest[WIDEST:]
        else:
            lines.append(rest[:WIDEST] + "-")
            rest = rest[WIDEST:]
    return [*lines, rest]


def _command(first: str, items: Iterable[str]) -> list[str]:
    lines: list[str] = []
    for part in (first, *items):
        folded = _folded((INDENT if lines else "") + part)
        lines.extend(folded[:-1])
        lines.append(folded[-1] + " +")
    lines[-1] = lines[-1][:-2]
    return lines


def _set(definition: Definition) -> list[str]:
    kind = definition.kind
    if kind.name == "AUTHREC":
        entity = "PRINCIPAL" if definition["ENTTYPE"] == kind["ENTTYPE"].kind.read("PRINCIPAL") else "GROUP"
        return _command(
            f"SET AUTHREC PROFILE({quoted(definition.name)})",
            [
                f"{entity}({quoted(definition.text('ENTITY'))})",
                kind["OBJTYPE"].define(definition["OBJTYPE"]),
                f"AUTHADD({kind['AUTHLIST'].kind.define(definition['AUTHLIST'])})",
            ],
        )
    items = [spec.define(definition[spec.keyword]) for spec in kind.attributes if spec.definable]
    if kind.type_keyword:
        items.insert(0, f"{kind.type_keyword}({kind.type_label})")
    return _command(f"SET {kind.family}({quoted(definition.name)})", [*items, "ACTION(REPLACE)"])


def define(definition: Definition, replace: bool = True, without: Collection[str] = ()) -> list[str]:
    """Return the command, in lines, that creates an object again, except for the attributes in `without`."""
    kind = definition.kind
    if kind.family in ("CHLAUTH", "AUTHREC", "POLICY"):
        return _set(definition)
    specs = [spec for spec in kind.attributes if spec.definable and spec.keyword not in without]
    items = [spec.define(definition[spec.keyword]) for spec in specs]
    if kind.name == "QMGR":
        return _command("ALTER QMGR", items)
    target = kind.name if kind.family == "QUEUE" else kind.family
    if target in ("CHANNEL", "AUTHINFO"):
        items.insert(0, f"{kind.type_keyword}({kind.type_label})")
    if replace:
        items.append("REPLACE")
    return _command(f"DEFINE {target}({quoted(definition.name)})", items)


def plain(kind: ObjectType, name: str, values: Shown, specs: Iterable[AttributeSpec]) -> dict[str, object]:
    """Return one object for JSON: keywords with numbers as numbers, other values as MQSC spells them."""
    shown: dict[str, object] = {}
    if kind.name_spec is not None:
        shown[kind.name_spec.keyword] = name
    if kind.type_keyword:
        shown[kind.type_keyword] = kind.type_label
    for spec in specs:
        value = values.get(spec.keyword)
        if spec.keyword in SECRETS and value:
            shown[spec.keyword] = HIDDEN
        else:
            shown[spec.keyword] = None if value is None else spec.kind.to_json(value)
    return shown


def to_json(kind: ObjectType, name: str, values: Shown, specs: Iterable[AttributeSpec]) -> str:
    """Return one object as a line of JSON."""
    return json.dumps(plain(kind, name, values, specs), ensure_ascii=False)


def echo(line: str, number: int = 0) -> str:
    """Return an input line as it is repeated before its reply; only the first line of a command has a number."""
    return f"{number:6d} : {line}" if number else f"       : {line}"


def summary(read: int, syntax_errors: int, failed: int) -> list[str]:
    """Return the lines with counts that runmqsc prints at the end."""
    first = "One MQSC command read." if read == 1 else f"{read or 'No'} MQSC commands read."
    second = (
        "One command has a syntax error."
        if syntax_errors == 1
        else f"{syntax_errors or 'No'} commands have a syntax error."
    )
    if failed == 0:
        third = "All valid MQSC commands were processed."
    elif failed == 1:
        third = "One valid MQSC command could not be processed."
    else:
        third = f"{failed} valid MQSC commands could not be processed."
    return [first, second, third]
