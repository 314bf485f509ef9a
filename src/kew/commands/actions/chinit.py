"""START, STOP and DISPLAY of the channel initiator: the listeners and the channels of programs."""

from typing import Final

from kew.channels.control import Initiator, InitiatorState
from kew.codes.attributes import MQSVC_STATUS_RUNNING, MQSVC_STATUS_STOPPED
from kew.codes.reasons import MQRCCF_CHANNEL_INITIATOR_ERROR
from kew.commands.actions.context import Context
from kew.commands.actions.display import finish
from kew.commands.actions.outcome import Outcome, Refusal, Shown
from kew.commands.mqsc import messages
from kew.commands.mqsc.parser import Command
from kew.objects.schema import object_type
from kew.objects.schema.values import Value

ALREADY_ACTIVE: Final = "CSQX902E"
NOT_ACTIVE: Final = "CSQX903E"


def _initiator(context: Context) -> Initiator:
    if context.initiator is None:
        raise Refusal(messages.NOT_YET, "this queue manager serves no other processes")
    return context.initiator


def status(context: Context) -> int:
    """Give the state of the channel initiator, as QMSTATUS shows it."""
    running = context.initiator is not None and context.initiator.running
    return MQSVC_STATUS_RUNNING if running else MQSVC_STATUS_STOPPED


def start(context: Context, command: Command) -> Outcome:
    """Carry out START CHINIT: start the channel initiator and the listeners that start with the queue manager."""
    initiator = _initiator(context)
    if initiator.running:
        raise Refusal(ALREADY_ACTIVE, reason=MQRCCF_CHANNEL_INITIATOR_ERROR)
    try:
        initiator.start()
    except OSError as problem:
        why = f"the port of the queue manager cannot be listened on: {problem.strerror}."
        raise Refusal(messages.FAILED, why, reason=MQRCCF_CHANNEL_INITIATOR_ERROR) from problem
    return Outcome(command.spec.done)


def stop(context: Context, command: Command) -> Outcome:
    """Carry out STOP CHINIT: end listeners and network connections; programs on this machine stay connected."""
    initiator = _initiator(context)
    if not initiator.running:
        raise Refusal(NOT_ACTIVE, reason=MQRCCF_CHANNEL_INITIATOR_ERROR)
    initiator.stop()
    return Outcome(command.spec.done)


def display(context: Context, command: Command) -> Outcome:
    """Carry out DISPLAY CHINIT, in the form of z/OS."""
    if context.initiator is None or not context.initiator.running:
        raise Refusal(NOT_ACTIVE, reason=MQRCCF_CHANNEL_INITIATOR_ERROR)
    state = context.initiator.state()
    outcome = finish(command, [Shown(object_type("CHINIT"), "", _values(state))])
    outcome.report = _report(context, state)
    return outcome


def _values(state: InitiatorState) -> dict[str, Value | None]:
    return {
        "STATUS": MQSVC_STATUS_RUNNING,
        "ADAPSTR": state.workers,
        "ADAPMAX": state.most_workers,
        "DISPSTR": 1,
        "DISPMAX": 1,
        "SSLSTR": 0,
        "SSLMAX": 0,
        "CURCHL": state.current,
        "CURMAX": state.most_current,
        "ACTCHL": state.current,
        "ACTMAX": state.most_active,
        "PAUSED": 0,
        "STARTED": state.current,
        "STOPPED": state.stopped,
        "RETRYING": 0,
    }


def _report(context: Context, state: InitiatorState) -> list[str]:
    lines = [
        "CSQX830I: Channel initiator active",
        f"CSQX831I: {state.workers} adapter subtasks started, {state.most_workers} requested",
        "CSQX832I: 1 dispatchers started, 1 requested",
        "CSQX833I: 0 SSL server subtasks started, 0 requested",
        f"CSQX840I: {state.current} channel connections current, maximum {state.most_current}",
        f"CSQX841I: {state.current} channel connections active, maximum {state.most_active}, including 0 paused",
        f"CSQX842I: 0 channel connections starting, {state.stopped} stopped, 0 retrying",
        f"CSQX836I: Maximum channels - TCP/IP {state.most_current}, LU 6.2 0",
    ]
    listeners = context.channels.listener_states() if context.channels is not None else []
    for one in listeners:
        where = f"for port {one.port} address {one.address or '*'}"
        lines.append(f"CSQX848I: TCP/IP listener INDISP=QMGR started, {where}")
    return lines
