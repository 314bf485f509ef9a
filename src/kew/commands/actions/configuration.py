"""REFRESH QMGR TYPE(CONFIGEV): makes a configuration event of each definition in its current state."""

import time
from typing import Final

from kew.codes import options as o
from kew.commands.actions.context import Context
from kew.commands.actions.outcome import Outcome, Refusal
from kew.commands.mqsc import messages
from kew.commands.mqsc.parser import Command
from kew.commands.mqsc.where import matches
from kew.objects.catalogue import Record
from kew.objects.definition import DATE_FORMAT, TIME_FORMAT
from kew.objects.schema import object_type

_MINUTE: Final = 60
_NOT_ASKED_FOR: Final = frozenset({"AUTHREC", "CHLAUTH", "PSID", "BUFFPOOL"})


def refresh_configuration(context: Context, command: Command) -> Outcome:
    """Make configuration events of all objects, or of those selected by type, name or time of the last change."""
    events = context.engine.events
    if not events.configuration:
        raise Refusal(messages.FAILED, "configuration events are off; ALTER QMGR CONFIGEV(ENABLED) switches them on")
    wanted = command.options.get("OBJECT", o.MQOT_ALL)
    names = str(command.options.get("NAME", "*"))
    minutes = command.options.get("INCLINT", 0)
    since = _stamp(time.time() - minutes * _MINUTE) if isinstance(minutes, int) and minutes else ""
    with context.objects.lock:
        found = [
            record
            for record in context.engine.catalogue.records.values()
            if _is_of(record, wanted) and matches(names, record.name) and _changed(record) >= since
        ]
    events.refreshed(sorted(found, key=_place), command.caller)
    return Outcome(command.spec.done)


def _is_of(record: Record, wanted: object) -> bool:
    if wanted == o.MQOT_ALL:
        return record.family not in _NOT_ASKED_FOR
    if wanted == o.MQOT_Q:
        return record.family == "QUEUE"
    return object_type(record.kind).pcf_type == wanted


def _changed(record: Record) -> str:
    """Give the time of the last change in a form that sorts; blank if it is not known."""
    return " ".join([str(record.values.get(keyword, "")) for keyword in ("ALTDATE", "ALTTIME")]).strip()


def _stamp(when: float) -> str:
    return time.strftime(f"{DATE_FORMAT} {TIME_FORMAT}", time.localtime(when))


def _place(record: Record) -> tuple[str, str]:
    return record.kind, record.name
