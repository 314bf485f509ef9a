"""START, STOP, ALTER and DISPLAY TRACE, which change and show the registry that the collectors of data read."""

from typing import Final

from kew.accounting.traces import CLASSES, DEFAULT_CLASSES, KIND_NAMES, Trace, TraceError
from kew.commands.actions.context import Context
from kew.commands.actions.outcome import Outcome, Refusal, Shown
from kew.commands.mqsc import messages
from kew.commands.mqsc.parser import Command
from kew.objects.schema import object_type
from kew.objects.schema.system_status import TRACE_DESTINATION, TRACE_TYPE
from kew.objects.schema.values import Value

NOT_ACTIVE: Final = "CSQW137I"
ALL_CLASSES: Final = 0
ALL_MANAGERS: Final = -1
EVERYBODY: Final = "*"
_HEADING: Final = "TNO TYPE    CLASS           DEST  USERID    RMID"


def _numbers(command: Command, keyword: str) -> tuple[int, ...]:
    value = command.options.get(keyword, ())
    return tuple([one for one in value if isinstance(one, int)]) if isinstance(value, tuple) else ()


def _texts(command: Command, keyword: str) -> tuple[str, ...]:
    value = command.options.get(keyword, ())
    return tuple([one for one in value if isinstance(one, str)]) if isinstance(value, tuple) else ()


def _kind(command: Command) -> int:
    """Give the type of trace in a command, 0 for any."""
    kind = TRACE_TYPE.read(command.name) if command.name and command.name != "*" else 0
    assert isinstance(kind, int)
    return kind


def _classes(command: Command, kind: int) -> tuple[int, ...]:
    given = _numbers(command, "CLASS")
    return CLASSES[kind] if ALL_CLASSES in given else given


def _order(command: Command) -> Trace:
    kind = _kind(command) or TRACE_TYPE.words["GLOBAL"]
    users = [one for one in _texts(command, "USERID") if one != EVERYBODY]
    managers = [one for one in _numbers(command, "RMID") if one != ALL_MANAGERS]
    return Trace(
        kind,
        _classes(command, kind) or DEFAULT_CLASSES[kind],
        _numbers(command, "DEST"),
        users,
        managers,
        str(command.options.get("COMMENT", "")),
    )


def start(context: Context, command: Command) -> Outcome:
    """Carry out START TRACE."""
    if command.name == "*":
        raise Refusal(messages.FAILED, "TRACE(*) is for DISPLAY and STOP; START needs GLOBAL, STAT, ACCTG or CHINIT")
    order = _order(command)
    try:
        trace = context.traces.start(order)
    except TraceError as error:
        raise Refusal(messages.FAILED, f"{error}.") from error
    name = KIND_NAMES[trace.kind]
    outcome = Outcome(command.spec.done)
    if trace is order:
        outcome.lines.append(f"CSQW130I: '{name}' trace started, assigned trace number {trace.number:02d}")
    else:
        outcome.lines.append(f"CSQW135I: '{name}' trace already active, trace number {trace.number:02d}")
    return outcome


def _chosen(context: Context, command: Command) -> list[Trace]:
    """Give the traces that a command selects: those that were started with every parameter of the command."""
    kind = _kind(command)
    if not kind and "CLASS" in command.options:
        raise Refusal(messages.FAILED, "CLASS needs the kind of trace: GLOBAL, STAT, ACCTG or CHINIT")
    numbers = _numbers(command, "TNO")
    classes = set(_numbers(command, "CLASS"))
    destinations = set(_numbers(command, "DEST"))
    users = set(_texts(command, "USERID")) - {EVERYBODY}
    managers = set(_numbers(command, "RMID")) - {ALL_MANAGERS}
    return [
        trace
        for trace in context.traces.running()
        if (not kind or trace.kind == kind)
        and (not numbers or trace.number in numbers)
        and (not classes or ALL_CLASSES in classes or classes == set(trace.classes))
        and (not destinations or destinations == set(trace.destinations))
        and (not users or users == set(trace.users))
        and (not managers or managers == set(trace.managers))
    ]


def stop(context: Context, command: Command) -> Outcome:
    """Carry out STOP TRACE."""
    found = _chosen(context, command)
    if not found:
        raise Refusal(NOT_ACTIVE)
    context.traces.stop([trace.number for trace in found])
    outcome = Outcome(command.spec.done)
    numbers = ",".join([f"{trace.number:02d}" for trace in found])
    outcome.lines.append(f"CSQW131I: Stop trace successful for trace number(s) {numbers}")
    outcome.lines += [f"{messages.ADVICE}: The trace table is in {path}." for path in context.operations.trace_files()]
    return outcome


def alter(context: Context, command: Command) -> Outcome:
    """Carry out ALTER TRACE."""
    kind = _kind(command)
    (number,) = _numbers(command, "TNO")[:1]
    if len(_numbers(command, "TNO")) > 1:
        raise Refusal(messages.FAILED, "TNO names one trace in ALTER TRACE")
    if not any(trace.number == number and kind in (0, trace.kind) for trace in context.traces.running()):
        raise Refusal(NOT_ACTIVE)
    try:
        context.traces.alter(number, _classes(command, kind), str(command.options.get("COMMENT", "")))
    except TraceError as error:
        raise Refusal(messages.FAILED, f"{error}.") from error
    outcome = Outcome(command.spec.done)
    outcome.lines.append(f"CSQW132I: Alter trace successful for trace number {number:02d}")
    return outcome


def _values(trace: Trace) -> dict[str, Value | None]:
    return {
        "TYPE": trace.kind,
        "CLASS": trace.classes,
        "DEST": trace.destinations,
        "USERID": trace.users,
        "RMID": trace.managers,
        "COMMENT": trace.comment,
    }


def _line(trace: Trace) -> str:
    classes = ",".join([f"{one:02d}" for one in trace.classes])
    destinations = TRACE_DESTINATION.format(trace.destinations)
    users = ",".join(trace.users) or EVERYBODY
    managers = ",".join([str(one) for one in trace.managers]) or EVERYBODY
    return f"{trace.number:02d}  {KIND_NAMES[trace.kind]:<7} {classes:<15} {destinations:<5} {users:<9} {managers}"


def display(context: Context, command: Command) -> Outcome:
    """Carry out DISPLAY TRACE."""
    found = _chosen(context, command)
    if not found:
        raise Refusal(NOT_ACTIVE)
    outcome = Outcome(command.spec.done)
    kind = object_type("TRACE")
    outcome.shown = [Shown(kind, str(trace.number), _values(trace)) for trace in found]
    outcome.report = [f"{kind.message_id}: {kind.title}", _HEADING, *[_line(trace) for trace in found]]
    outcome.report.append("End of trace report")
    return outcome
