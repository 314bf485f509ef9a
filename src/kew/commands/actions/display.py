"""DISPLAY of objects: their definitions, with some of their current state."""

from collections.abc import Iterator
from typing import Final

from kew.accounting.performance import PerformanceWatch
from kew.codes.attributes import (
    MQQSGD_COPY,
    MQQSGD_GROUP,
    MQQSGD_SHARED,
    MQQT_CLUSTER,
    MQTOPT_CLUSTER,
)
from kew.commands.actions.alter import EXPANSIONS
from kew.commands.actions.context import Context
from kew.commands.actions.find import chosen, family_of, named
from kew.commands.actions.outcome import NOT_FOUND, Outcome, Refusal, Shown
from kew.commands.mqsc.parser import Command
from kew.commands.mqsc.where import matches
from kew.objects.catalogue import Record
from kew.objects.schema import object_type
from kew.objects.schema.values import Value
from kew.version import VRMF

_ELSEWHERE: Final = (MQQSGD_SHARED, MQQSGD_COPY, MQQSGD_GROUP)  # dispositions that no object here has
_EXPAND_NAMES: Final = {inner: shown for shown, inner in EXPANSIONS.items()}


def shown_of(context: Context, record: Record) -> Shown:
    """Give an object with its stored values and, for a local queue, its current ones."""
    kind = object_type(record.kind)
    if record.kind not in ("QLOCAL", "NAMELIST"):
        return Shown(kind, record.name, record.values)
    values: dict[str, Value | None] = dict(record.values)
    if record.kind == "NAMELIST":
        names = record.values["NAMES"]
        values["NAMCOUNT"] = len(names) if isinstance(names, tuple) else 0
        return Shown(kind, record.name, values)
    queue = context.engine.queues.by_name.get(record.name)
    if queue is not None:
        values["CURDEPTH"] = queue.depth
        values["IPPROCS"] = queue.input_handles
        values["OPPROCS"] = queue.output_handles
        values["PSID"] = queue.store.page_set.id
        if isinstance(queue.watch, PerformanceWatch):
            values.update(queue.watch.shown())
    return Shown(kind, record.name, values)


def finish(command: Command, candidates: list[Shown], nothing: str = NOT_FOUND) -> Outcome:
    """Give the objects to show; refuse the command with the message `nothing` if there are none."""
    outcome = Outcome()
    outcome.shown = chosen(command, candidates)
    if not outcome.shown:
        raise Refusal(nothing, "", command.name or command.target)
    return outcome


def display(context: Context, command: Command) -> Outcome:
    """Carry out DISPLAY of objects of any family."""
    family = command.spec.family
    assert family is not None
    if command.options.get("QSGDISP") in _ELSEWHERE or _only_cluster(command):
        raise Refusal(NOT_FOUND, "", command.name)
    name = command.name
    records = family_of(context, family.name) if command.generic or not name else named(context, family.name, name)
    found = [
        shown_of(context, record)
        for record in records
        if (not name or matches(name, record.name)) and (command.kind is None or record.kind == command.kind.name)
    ]
    return finish(command, found)


def _only_cluster(command: Command) -> bool:
    asked = command.options.get("TYPE")
    if command.target in ("QCLUSTER", "TCLUSTER"):
        return True
    if command.target == "QUEUE":
        return asked == MQQT_CLUSTER
    return command.target == "TOPIC" and asked == MQTOPT_CLUSTER


def display_manager(context: Context, command: Command) -> Outcome:
    """Carry out DISPLAY QMGR."""
    record = context.objects.find("QMGR", context.name)
    if record is None:
        raise Refusal(NOT_FOUND, "", context.name)
    kind = object_type("QMGR")
    values: dict[str, Value | None] = {**record.values, **context.operations.configured}
    for spec in kind.attributes:
        if not spec.stored:
            values[spec.keyword] = spec.default
    values["VERSION"] = VRMF
    return finish(command, [Shown(kind, context.name, values)])


def _page_sets(context: Context) -> Iterator[Shown]:
    kind = object_type("PSID")
    for number, page_set in sorted(context.engine.store.page_sets.items()):
        values: dict[str, Value | None] = {
            "BUFFPOOL": page_set.pool.id,
            "EXPAND": _EXPAND_NAMES[page_set.expand],
            "DSN": page_set.path[-255:],
            "PAGES": page_set.created_pages,
        }
        yield Shown(kind, str(number), values)


def _pools(context: Context) -> Iterator[Shown]:
    kind = object_type("BUFFPOOL")
    for number, pool in sorted(context.pools.items()):
        yield Shown(kind, str(number), {**kind.defaults, "BUFFERS": pool.size})


def display_configured(context: Context, command: Command) -> Outcome:
    """Carry out DISPLAY PSID and BUFFPOOL: show the page sets and buffer pools that are in use."""
    everything = _page_sets(context) if command.target == "PSID" else _pools(context)
    return finish(command, [one for one in everything if matches(command.name, one.name)])


def names_of(context: Context, family: str, beginning: str, most: int) -> list[str]:
    """Give names of objects with a given beginning, for completion."""
    found = {record.name for record in family_of(context, family) if record.name.startswith(beginning)}
    return sorted(found)[:most]
