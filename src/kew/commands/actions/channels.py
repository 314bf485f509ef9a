"""START and STOP of channels and listeners, and DISPLAY of their status; `messagechannels.py` has the rest."""

import os
from typing import Final

from kew.channels.control import ChannelBusy, ChannelControl, ChannelState, ListenerState
from kew.codes import attributes as a
from kew.codes.channels import MQCHT_SVRCONN, MQSECPROT_NONE, MQXPT_TCP
from kew.codes.options import MQOT_CURRENT_CHANNEL, MQOT_SAVED_CHANNEL
from kew.codes.reasons import MQRCCF_CHANNEL_INITIATOR_ERROR
from kew.commands.actions import chinit, messagechannels
from kew.commands.actions.context import Context
from kew.commands.actions.display import finish
from kew.commands.actions.messagechannels import moment
from kew.commands.actions.outcome import NOT_FOUND, Outcome, Refusal, Shown
from kew.commands.mqsc import messages
from kew.commands.mqsc.parser import Command
from kew.commands.mqsc.where import matches
from kew.objects.catalogue import Record
from kew.objects.schema import object_type
from kew.objects.schema.channels import CHANNEL_TYPES
from kew.objects.schema.values import NOT_AVAILABLE, Value

NO_CHANNEL: Final = "AMQ8227E"
NO_STATUS: Final = "AMQ8420I"
NOT_ACTIVE: Final = "AMQ9533W"
IN_USE: Final = "AMQ9514E"
LISTENS_ALREADY: Final = "AMQ8730I"
NOT_LISTENING: Final = "AMQ8731I"
DEFAULT_LISTENER: Final = "SYSTEM.DEFAULT.LISTENER.TCP"


Values = dict[str, Value | None]


def _control(context: Context) -> ChannelControl:
    if context.channels is None:
        raise Refusal(messages.NOT_YET, "this queue manager serves no other processes")
    if context.initiator is not None and not context.initiator.running:
        raise Refusal(chinit.NOT_ACTIVE, "START CHINIT starts it.", reason=MQRCCF_CHANNEL_INITIATOR_ERROR)
    return context.channels


# -- listeners --------------------------------------------------------------------------------------------------------


def _listener(context: Context, command: Command) -> Record:
    name = command.name or DEFAULT_LISTENER
    record = context.objects.find("LISTENER", name)
    if record is None:
        raise Refusal(NOT_FOUND, "", name)
    return record


def start_listener(context: Context, command: Command) -> Outcome:
    """Carry out START LISTENER."""
    control = _control(context)
    record = _listener(context, command)
    if record.name in [each.name for each in control.listener_states()]:
        return _already(command, Refusal(LISTENS_ALREADY))
    address, port = command.options.get("IPADDR"), command.options.get("PORT")
    try:
        control.start_listener(record, str(address) if address else None, port if isinstance(port, int) else None)
    except OSError as problem:
        raise Refusal(messages.FAILED, f"the port cannot be listened on: {problem.strerror}.") from problem
    return Outcome(command.spec.done)


def stop_listener(context: Context, command: Command) -> Outcome:
    """Carry out STOP LISTENER; connections made through the listener stay."""
    record = _listener(context, command)
    if not _control(context).stop_listener(record.name):
        return _already(command, Refusal(NOT_LISTENING))
    return Outcome(command.spec.done)


def _already(command: Command, refusal: Refusal) -> Outcome:
    """Raise the refusal of a command whose effect is there already; with IGNSTATE the command succeeds."""
    if not command.options.get("IGNSTATE"):
        raise refusal
    return Outcome(command.spec.done)


def display_listeners(context: Context, command: Command) -> Outcome:
    """Carry out DISPLAY LSSTATUS."""
    kind = object_type("LSSTATUS")
    states = context.channels.listener_states() if context.channels is not None else []
    found = [
        Shown(kind, state.name, _listening(context, state))
        for state in sorted(states, key=_listener_name)
        if matches(command.name, state.name)
    ]
    return finish(command, found)


def _listener_name(state: ListenerState) -> str:
    return state.name


def _listening(context: Context, state: ListenerState) -> Values:
    record = context.objects.find("LISTENER", state.name)
    date, clock = moment(state.started)
    return {
        "STATUS": a.MQSVC_STATUS_RUNNING,
        "PID": os.getpid(),
        "STARTDA": date,
        "STARTTI": clock,
        "DESCR": str(record.values["DESCR"]) if record is not None else "",
        "TRPTYPE": MQXPT_TCP,
        "CONTROL": record.values["CONTROL"] if record is not None else a.MQSVC_CONTROL_MANUAL,
        "IPADDR": state.address,
        "PORT": state.port,
        "BACKLOG": state.backlog,
    }


# -- channels ---------------------------------------------------------------------------------------------------------


def _channel(context: Context, command: Command) -> Record:
    record = context.objects.find("CHANNEL", command.name)
    if record is None:
        raise Refusal(NO_CHANNEL, "", command.name)
    if record.kind == "CLNTCONN":
        raise Refusal(messages.FAILED, "a CLNTCONN channel runs in clients: START the SVRCONN channel of its name.")
    why = not_started(record.kind)
    if why:
        raise Refusal(messages.NOT_YET, why)
    return record


def not_started(kind: str) -> str:
    """Give the reason why channels of a type cannot be started; blank if they can."""
    return "there are no AMQP channels" if kind == "AMQP" else ""


def start_channel(context: Context, command: Command) -> Outcome:
    """Carry out START CHANNEL: allow the use of a stopped channel again, and start a sending channel."""
    record = _channel(context, command)
    try:
        _control(context).start_channel(record)
    except ChannelBusy as busy:
        if busy.message == IN_USE and command.options.get("IGNSTATE"):
            return Outcome(command.spec.done)
        raise Refusal(busy.message, busy.why, record.name, busy.reason) from busy
    return Outcome(command.spec.done)


def stop_channel(context: Context, command: Command) -> Outcome:
    """Carry out STOP CHANNEL: refuse new connections of the channel, and quiesce or break the existing ones."""
    deleted = _runs_on(context, command.name)
    if not deleted:
        _channel(context, command)
    name = command.name
    address = str(command.options.get("CONNAME", ""))
    partner = str(command.options.get("QMNAME", ""))
    one = address or partner
    inactive = command.options.get("STATUS", a.MQCHS_INACTIVE if one else a.MQCHS_STOPPED) == a.MQCHS_INACTIVE
    force = command.options.get("MODE", a.MQMODE_QUIESCE) != a.MQMODE_QUIESCE
    if one and not inactive:
        raise Refusal(messages.FAILED, "CONNAME and QMNAME go with STATUS(INACTIVE) only.")
    ended = _control(context).stop_channel(name, address, partner, force, not inactive and not deleted)
    if not ended and inactive:
        return _already(command, Refusal(NOT_ACTIVE, "", name))
    return Outcome(command.spec.done)


def _runs_on(context: Context, name: str) -> bool:
    """Say whether a channel has connections, which may outlive its definition."""
    if context.channels is None or context.objects.find("CHANNEL", name) is not None:
        return False
    return any(state.name == name for state in context.channels.channel_states())


def display_channels(context: Context, command: Command) -> Outcome:
    """Carry out DISPLAY CHSTATUS: show running instances, and stopped channels."""
    kind = object_type("CHSTATUS")
    control = context.channels
    found: list[Shown] = []
    if control is not None:
        saved = command.options.get("CURRENT") == MQOT_SAVED_CHANNEL
        found = messagechannels.states(context, command, control, saved)
    if control is not None and command.options.get("CURRENT") != MQOT_SAVED_CHANNEL:
        address = command.options.get("CONNAME", "") or command.options.get("XMITQ", "")
        for state in sorted(control.channel_states(), key=_instance):
            if matches(command.name, state.name) and address in ("", state.address):
                found.append(Shown(kind, state.name, _running(context, state)))
        for name in control.stopped_channels():
            if matches(command.name, name) and not address and name not in [each.name for each in found]:
                found.append(Shown(kind, name, _stopped(context, name)))
    return finish(command, found, NO_STATUS)


def _instance(state: ChannelState) -> tuple[str, str, float]:
    return state.name, state.address, state.started


def _stopped(context: Context, name: str) -> Values:
    record = context.objects.find("CHANNEL", name)
    values = record.values if record is not None else {}
    return {
        "CHLTYPE": CHANNEL_TYPES[record.kind] if record is not None else MQCHT_SVRCONN,
        "CONNAME": str(values.get("CONNAME", "")),
        "CURRENT": MQOT_CURRENT_CHANNEL,
        "RQMNAME": "",
        "STATUS": a.MQCHS_STOPPED,
        "SUBSTATE": a.MQCHSSTATE_OTHER,
        "XMITQ": str(values.get("XMITQ", "")),
        "QMNAME": context.name,
        "STOPREQ": a.MQCHSR_STOP_REQUESTED,
        "MCASTAT": a.MQMCAS_STOPPED,
    }


def _running(context: Context, state: ChannelState) -> Values:
    began, began_at = moment(state.started)
    last, last_at = moment(state.last_call)
    renewed, renewed_at = moment(state.renewed)
    return {
        "CHLTYPE": MQCHT_SVRCONN,
        "BUFSRCVD": state.reads,
        "BUFSSENT": state.writes,
        "BYTSRCVD": state.bytes_received,
        "BYTSSENT": state.bytes_sent,
        "CHSTADA": began,
        "CHSTATI": began_at,
        "COMPHDR": (state.header_compression, state.header_compression),
        "COMPMSG": (state.message_compression, state.message_compression),
        "COMPRATE": state.saved if state.saved[0] >= 0 else (NOT_AVAILABLE, NOT_AVAILABLE),
        "COMPTIME": (NOT_AVAILABLE, NOT_AVAILABLE),
        "CONNAME": state.address,
        "CURRENT": MQOT_CURRENT_CHANNEL,
        "EXITTIME": (NOT_AVAILABLE, NOT_AVAILABLE),
        "HBINT": state.heartbeat,
        "JOBNAME": f"{os.getpid():08X}",
        "KAINT": state.keep_alive,
        "LOCLADDR": state.local_address,
        "LSTMSGDA": last,
        "LSTMSGTI": last_at,
        "MAXMSGL": state.max_message,
        "MCASTAT": a.MQMCAS_RUNNING,
        "MCAUSER": state.user,
        "MONCHL": messagechannels.level_of(context, state.name, "MONCHL"),
        "MSGS": state.calls,
        "QMNAME": context.name,
        "RAPPLTAG": state.application,
        "RQMNAME": "",
        "SECPROT": messagechannels.SECURITY.get(state.security, MQSECPROT_NONE),
        "SSLCERTI": state.issuer,
        "SSLCIPH": state.cipher,
        "SSLPEER": state.peer,
        "SSLKEYDA": renewed,
        "SSLKEYTI": renewed_at,
        "SSLRKEYS": state.renewals,
        "STATCHL": messagechannels.level_of(context, state.name, "STATCHL"),
        "STATUS": _status(state),
        "STOPREQ": a.MQCHSR_STOP_REQUESTED if state.stopping else a.MQCHSR_STOP_NOT_REQUESTED,
        "SUBSTATE": a.MQCHSSTATE_IN_MQGET if state.getting else a.MQCHSSTATE_RECEIVING,
        "XMITQ": "",
        "CURSHCNV": state.conversations,
        "MAXSHCNV": state.max_conversations,
        "RPRODUCT": state.product[:4],
        "RVERSION": state.product[4:],
    }


def _status(state: ChannelState) -> int:
    if state.stopping:
        return a.MQCHS_STOPPING
    return a.MQCHS_BINDING if state.binding else a.MQCHS_RUNNING
