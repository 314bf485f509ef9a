"""PING, RESET and RESOLVE of message channels, and their status for DISPLAY CHSTATUS."""

import os
import time
from typing import Final

from kew.channels.control import ChannelBusy, ChannelControl, MessageChannelState
from kew.codes import attributes as a
from kew.codes.channels import (
    MQNPMS_FAST,
    MQNPMS_NORMAL,
    MQSECPROT_NONE,
    MQSECPROT_TLSV12,
    MQSECPROT_TLSV13,
)
from kew.codes.options import MQOT_CURRENT_CHANNEL, MQOT_SAVED_CHANNEL
from kew.codes.reasons import MQRCCF_CHANNEL_IN_USE, MQRCCF_CHANNEL_INDOUBT, MQRCCF_CHANNEL_TYPE_ERROR
from kew.commands.actions.context import Context
from kew.commands.actions.outcome import Outcome, Refusal, Shown
from kew.commands.mqsc import messages
from kew.commands.mqsc.parser import Command
from kew.commands.mqsc.where import matches
from kew.objects.catalogue import Record
from kew.objects.schema import object_type
from kew.objects.schema.values import NOT_AVAILABLE, Value

NO_CHANNEL: Final = "AMQ8227E"
NOT_FOR_PING: Final = "AMQ9512E"
IN_USE: Final = "AMQ9514E"
IN_DOUBT: Final = "AMQ9507E"
PING_LENGTH: Final = 64
CALLING: Final = ("SDR", "SVR", "CLUSSDR")
CLIENT_TYPES: Final = ("SVRCONN", "CLNTCONN")
SECURITY: Final = {"TLSv1.2": MQSECPROT_TLSV12, "TLSv1.3": MQSECPROT_TLSV13}

Values = dict[str, Value | None]


def moment(when: float) -> tuple[str, str]:
    """Give a time as date and time of day, as status shows it; blank for 0."""
    if not when:
        return "", ""
    parts = time.localtime(when)
    return time.strftime("%Y-%m-%d", parts), time.strftime("%H.%M.%S", parts)


def _message_channel(context: Context, command: Command) -> tuple[ChannelControl, Record]:
    if context.channels is None:
        raise Refusal(messages.NOT_YET, "this queue manager serves no other processes")
    record = context.objects.find("CHANNEL", command.name)
    if record is None:
        raise Refusal(NO_CHANNEL, "", command.name)
    if record.kind in CLIENT_TYPES:
        why = f"it is of type {record.kind}, and only message channels have sequence numbers and partners."
        raise Refusal(messages.FAILED, why, record.name, MQRCCF_CHANNEL_TYPE_ERROR)
    return context.channels, record


def ping(context: Context, command: Command) -> Outcome:
    """Carry out PING CHANNEL: connect to the partner, have the partner return some bytes, and disconnect."""
    control, record = _message_channel(context, command)
    if record.kind not in CALLING or not record.values.get("CONNAME"):
        raise Refusal(NOT_FOR_PING, "", record.name, MQRCCF_CHANNEL_TYPE_ERROR)
    length = command.options.get("DATALEN", PING_LENGTH)
    data = bytes(index & 0xFF for index in range(length if isinstance(length, int) else PING_LENGTH))
    try:
        control.ping_channel(record, data)
    except ChannelBusy as busy:
        raise Refusal(busy.message, busy.why, record.name, busy.reason) from busy
    return Outcome(command.spec.done)


def reset(context: Context, command: Command) -> Outcome:
    """Carry out RESET CHANNEL: set the next sequence number, which a sender gives its partner at the next start."""
    control, record = _message_channel(context, command)
    number = command.options.get("SEQNUM", 1)
    try:
        control.reset_channel(record, number if isinstance(number, int) else 1)
    except ChannelBusy as busy:
        raise Refusal(busy.message, busy.why, record.name, busy.reason) from busy
    return Outcome(command.spec.done, context.engine.log.next_address)


def resolve(context: Context, command: Command) -> Outcome:
    """Carry out RESOLVE CHANNEL: commit or back out a batch that is in doubt."""
    control, record = _message_channel(context, command)
    if record.kind not in CALLING:
        raise Refusal(messages.FAILED, f"a channel of type {record.kind} is never in doubt.", record.name)
    try:
        control.resolve_channel(record, command.options["ACTION"] == a.MQIDO_COMMIT)
    except ChannelBusy as busy:
        raise Refusal(busy.message, busy.why, record.name, busy.reason) from busy
    return Outcome(command.spec.done, context.engine.log.next_address)


def check_idle(control: ChannelControl, record: Record) -> None:
    """Refuse the deletion of a message channel that is running, or has a batch in doubt."""
    if any(state.name == record.name for state in control.message_channel_states()):
        raise Refusal(IN_USE, f"STOP CHANNEL('{record.name}') first.", record.name, MQRCCF_CHANNEL_IN_USE)
    if control.channel_in_doubt(record.name):
        why = f"a batch is in doubt: START CHANNEL('{record.name}') or RESOLVE CHANNEL settles it."
        raise Refusal(IN_DOUBT, why, record.name, MQRCCF_CHANNEL_INDOUBT)


# -- status -----------------------------------------------------------------------------------------------------------


def states(context: Context, command: Command, control: ChannelControl, saved: bool) -> list[Shown]:
    """Give the current or the saved status entries of message channels."""
    kind = object_type("CHSTATUS")
    found = control.saved_channel_states() if saved else control.message_channel_states()
    address, queue = str(command.options.get("CONNAME", "")), str(command.options.get("XMITQ", ""))
    return [
        Shown(kind, state.name, _values(context, state))
        for state in sorted(found, key=_order)
        if matches(command.name, state.name)
        and address in ("", state.address, state.address.partition("(")[0])
        and queue in ("", state.transmission_queue)
    ]


def _order(state: MessageChannelState) -> tuple[str, str, float]:
    return state.name, state.address, state.started


def _values(context: Context, state: MessageChannelState) -> Values:
    common: Values = {
        "CHLTYPE": state.kind,
        "CONNAME": state.address,
        "CURRENT": MQOT_SAVED_CHANNEL if state.saved else MQOT_CURRENT_CHANNEL,
        "RQMNAME": state.partner,
        "STATUS": state.status,
        "SUBSTATE": state.substate,
        "XMITQ": state.transmission_queue,
        "CURLUWID": state.luwid.hex().upper(),
        "CURMSGS": state.messages_in_batch,
        "CURSEQNO": state.sequence,
        "INDOUBT": a.MQCHIDS_INDOUBT if state.in_doubt else a.MQCHIDS_NOT_INDOUBT,
        "LSTLUWID": state.last_luwid.hex().upper(),
        "LSTSEQNO": state.last_sequence,
        "STOPREQ": a.MQCHSR_STOP_REQUESTED if state.stopping else a.MQCHSR_STOP_NOT_REQUESTED,
        "QMNAME": context.name,
    }
    if state.saved:
        return common
    running = state.status not in (a.MQCHS_RETRYING, a.MQCHS_STOPPED, a.MQCHS_INACTIVE)
    return common | _running(state, running)


def _pair(times: tuple[int, int]) -> tuple[int, int]:
    """Give the short-term and long-term averages for a status entry: NOT_AVAILABLE if nothing was measured."""
    return times if times[0] >= 0 else (NOT_AVAILABLE, NOT_AVAILABLE)


def level_of(context: Context, name: str, keyword: str) -> int:
    """Give the monitoring or statistics level of a channel, from the channel's attribute and the queue manager's."""
    own = context.objects.find("QMGR", context.name)
    whole = own.values.get(keyword, a.MQMON_OFF) if own is not None else a.MQMON_OFF
    record = context.objects.find("CHANNEL", name)
    value = record.values.get(keyword, a.MQMON_Q_MGR) if record is not None else a.MQMON_Q_MGR
    chosen = whole if value == a.MQMON_Q_MGR else value
    return chosen if isinstance(chosen, int) and a.MQMON_NONE not in (whole, chosen) else a.MQMON_OFF


def _running(state: MessageChannelState, running: bool) -> Values:
    began, began_at = moment(state.started)
    last, last_at = moment(state.last_message)
    renewed, renewed_at = moment(state.renewed)
    _, _, port = state.address.rpartition("(")
    return {
        "BATCHES": state.batches,
        "BATCHSZ": state.batch_size,
        "BUFSRCVD": state.reads,
        "BUFSSENT": state.writes,
        "BYTSRCVD": state.bytes_received,
        "BYTSSENT": state.bytes_sent,
        "CHSTADA": began,
        "CHSTATI": began_at,
        "COMPHDR": (state.header_compression, state.header_compression),
        "COMPMSG": (state.message_compression, state.message_compression),
        "COMPRATE": state.saved_bytes if state.saved_bytes[0] >= 0 else (NOT_AVAILABLE, NOT_AVAILABLE),
        "COMPTIME": (NOT_AVAILABLE, NOT_AVAILABLE),
        "EXITTIME": (NOT_AVAILABLE, NOT_AVAILABLE),
        "HBINT": state.heartbeat,
        "JOBNAME": f"{os.getpid():08X}",
        "KAINT": state.keep_alive,
        "LOCLADDR": state.local_address,
        "LONGRTS": state.long_retries,
        "LSTMSGDA": last,
        "LSTMSGTI": last_at,
        "MAXMSGL": state.max_message,
        "MCASTAT": a.MQMCAS_RUNNING if running else a.MQMCAS_STOPPED,
        "MCAUSER": state.user,
        "MONCHL": state.monitoring,
        "MSGS": state.messages,
        "NETTIME": _pair(state.network_time),
        "NPMSPEED": MQNPMS_FAST if state.fast else MQNPMS_NORMAL,
        "PORT": int(port.rstrip(")")) if port.rstrip(")").isdigit() else 0,
        "RAPPLTAG": "",
        "RPRODUCT": state.product[:4],
        "RVERSION": state.product[4:],
        "SECPROT": SECURITY.get(state.security, MQSECPROT_NONE),
        "SHORTRTS": state.short_retries,
        "SSLCERTI": state.issuer,
        "SSLCIPH": state.cipher,
        "SSLKEYDA": renewed,
        "SSLKEYTI": renewed_at,
        "SSLPEER": state.peer,
        "SSLRKEYS": state.renewals,
        "STATCHL": state.statistics,
        "XBATCHSZ": (state.average_batch, state.average_batch) if state.batches else (NOT_AVAILABLE, NOT_AVAILABLE),
        "XQMSGSA": state.waiting,
        "XQTIME": _pair(state.queue_time),
    }
