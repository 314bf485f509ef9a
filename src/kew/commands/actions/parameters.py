"""SET and DISPLAY of SYSTEM, LOG and ARCHIVE: parameters that are in force until the queue manager ends."""

import time
from typing import Final

from kew.codes.attributes import MQSYSP_TYPE_INITIAL, MQSYSP_TYPE_SET
from kew.commands.actions.context import Context
from kew.commands.actions.display import finish
from kew.commands.actions.guard import check_effective
from kew.commands.actions.outcome import Outcome, Shown
from kew.commands.mqsc import messages, printer
from kew.commands.mqsc.parser import Command
from kew.objects.schema import object_type
from kew.objects.schema.values import Value

UNTIL_END: Final = "It holds until the queue manager ends; qm.ini says how it starts."
_TYPE: Final = "PARMTYPE"


def set_parameters(context: Context, command: Command) -> Outcome:
    """Carry out SET SYSTEM, SET LOG and SET ARCHIVE."""
    parameters = context.parameters[command.target]
    check_effective(parameters.kind, command.attributes)
    with context.objects.lock:
        wanted = {keyword: value for keyword, value in command.attributes.items() if keyword in parameters.initial}
        parameters.set(wanted, command.flag("DEFAULT"))
        outcome = Outcome(command.spec.done)
        outcome.lines = [f"CSQJ337I: {command.target} parameters set", *_waiting(context, command.target)]
    outcome.lines.append(f"{messages.ADVICE}: {UNTIL_END}")
    return outcome


def _waiting(context: Context, target: str) -> list[str]:
    """Give a remark on each new STATIME or ACCTIME that takes effect when the interval ends, with that time."""
    if target != "SYSTEM":
        return []
    times = context.times
    times.look(time.time())
    kind = object_type("SYSTEM")
    lines: list[str] = []
    for keyword, interval in (("STATIME", times.statistics), ("ACCTIME", times.accounting)):
        if interval.wanted != interval.setting:
            spec = kind[keyword]
            end = times.accounting_end() if keyword == "ACCTIME" else times.statistics.end()
            when = time.strftime("%H.%M.%S", time.localtime(end))
            now = f"{spec.show(interval.setting)} is in force until the interval ends at {when}"
            lines.append(f"{messages.ADVICE}: {now}, then {spec.show(interval.wanted)}.")
    return lines


def display_parameters(context: Context, command: Command) -> Outcome:
    """Carry out DISPLAY SYSTEM and ARCHIVE: show each parameter's value at the start and the value set since."""
    parameters = context.parameters[command.target]
    kind = parameters.kind
    with context.objects.lock:
        initial: dict[str, Value | None] = {**parameters.initial, _TYPE: MQSYSP_TYPE_INITIAL}
        changed: dict[str, Value | None] = {**parameters.changed, _TYPE: MQSYSP_TYPE_SET}
    states = [Shown(kind, "", initial)]
    if parameters.changed:
        states.append(Shown(kind, "", changed))
    outcome = finish(command, states)
    asked = {spec.keyword for one in outcome.shown for spec in one.specs if spec.keyword != _TYPE}
    for one in outcome.shown:
        one.specs = [spec for spec in one.specs if spec.keyword in one.values]
    outcome.report = printer.report(
        kind,
        {keyword: value for keyword, value in initial.items() if keyword in asked},
        {keyword: value for keyword, value in changed.items() if keyword in asked},
    )
    outcome.lines = _waiting(context, command.target)
    return outcome
