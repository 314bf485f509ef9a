"""Commands that act on the running queue manager: PING, REFRESH, RESET QSTATS, RESOLVE INDOUBT, STOP."""

import time

from kew.codes.attributes import MQIDO_COMMIT, MQMODE_QUIESCE, MQRT_CONFIGURATION, MQRT_EXPIRY
from kew.commands.actions import unsupported
from kew.commands.actions.configuration import refresh_configuration
from kew.commands.actions.context import Context, Service
from kew.commands.actions.guard import connection_name, connections, queues_named
from kew.commands.actions.outcome import NOT_FOUND, Outcome, Refusal, Shown
from kew.commands.mqsc import messages
from kew.commands.mqsc.parser import Command
from kew.commands.mqsc.where import matches
from kew.mqi.local.connection import LocalConnection
from kew.mqi.transactions import units
from kew.objects.schema import object_type
from kew.objects.schema.values import Value
from kew.queues.expiry import scan_queue
from kew.queues.queue import QueueCounters
from kew.storage.log import NO_ADDRESS, LogAddress
from kew.storage.xid import OWNERS, owner_format


def ping(_context: Context, command: Command) -> Outcome:
    """Carry out PING QMGR; the reply shows that the queue manager works."""
    return Outcome(command.spec.done)


def end(_context: Context, _command: Command) -> Outcome:
    """Carry out END, which ends the input of commands."""
    return Outcome()


def reset_counts(context: Context, command: Command) -> Outcome:
    """Carry out RESET QSTATS: show the counters of queues, and reset them."""
    outcome = Outcome(command.spec.done)
    now = time.time()
    for queue in queues_named(context, command.name):
        with context.engine.lock:
            counters = queue.counters
            queue.counters = QueueCounters()
            queue.counters.highest_depth = queue.counters.lowest_depth = queue.depth
            queue.counters.since = now
        values: dict[str, Value | None] = {
            "HIQDEPTH": counters.highest_depth,
            "MSGSIN": counters.puts,
            "MSGSOUT": counters.gets,
            "RESETINT": int(now - (counters.since or context.started)),
        }
        outcome.shown.append(Shown(object_type("QSTATS"), queue.name, values))
    if not outcome.shown:
        raise Refusal(NOT_FOUND, "", command.name)
    return outcome


def refresh_manager(context: Context, command: Command) -> Outcome:
    """Carry out REFRESH QMGR: remove expired messages now, or make configuration events; refuse TYPE(PROXYSUB)."""
    if command.options["TYPE"] == MQRT_CONFIGURATION:
        return refresh_configuration(context, command)
    if command.options["TYPE"] != MQRT_EXPIRY:
        raise Refusal(messages.NOT_YET, unsupported.RELATIONS)
    for keyword in ("OBJECT", "INCLINT"):
        if keyword in command.options:
            raise Refusal(messages.FAILED, f"{keyword} goes with TYPE(CONFIGEV)")
    names = str(command.options.get("NAME", "*"))
    engine = context.engine
    with engine.lock:
        now = int(engine.clock.now() * 1000)
        queues = [queue for name, queue in engine.queues.by_name.items() if matches(names, name)]
    for queue in queues:
        scan_queue(engine.run, queue, now)
    return Outcome(command.spec.done)


def resolve(context: Context, command: Command) -> Outcome:
    """Carry out RESOLVE INDOUBT: decide units of work in doubt, one by its NID or all of them."""
    engine = context.engine
    commit = command.options["ACTION"] == MQIDO_COMMIT
    wish = str(command.options.get("NID", "")).upper()
    if not wish:
        raise Refusal(
            messages.FAILED, "NID says which unit of work, as DISPLAY THREAD(*) TYPE(INDOUBT) shows; * for all"
        )
    if not matches(command.name, context.name):
        raise Refusal(NOT_FOUND, "", command.name)
    found = [xid for xid in engine.run(lambda: units.recover(engine)) if wish in ("*", xid.hex().upper())]
    if not found:
        _refuse_owned(wish)
        raise Refusal(NOT_FOUND, "no unit of work in doubt has this NID", wish)
    address = NO_ADDRESS
    for xid in found:
        address = max(address, _end_unit(context, xid, commit))
        engine.notices.tell("CSQR901I", (), (xid.hex(), "committed" if commit else "backed out"))
    return Outcome(command.spec.done, address)


def _refuse_owned(wish: str) -> None:
    """Refuse to resolve a unit of work that a part of the queue manager owns; the text names the command that can."""
    try:
        format_id = owner_format(bytes.fromhex(wish))
    except ValueError:
        return
    if format_id:
        whose, decides = OWNERS[format_id]
        raise Refusal(messages.FAILED, f"the unit of work is of {whose}: {decides} decides it")


def _end_unit(context: Context, xid: bytes, commit: bool) -> LogAddress:
    engine = context.engine
    if commit:
        return engine.run(lambda: units.commit_branch(engine, xid))
    engine.run(lambda: units.back_out_branch(engine, xid))
    return engine.log.next_address


def stop_connection(context: Context, command: Command) -> Outcome:
    """Carry out STOP CONN: end a connection and back out its unit of work."""
    if command.options.get("EXTCONN", context.first_half) != context.first_half:
        raise Refusal(NOT_FOUND, "", command.name)
    with context.engine.lock:
        found = [each for each in connections(context) if connection_name(each) == command.name.upper()]
    if not found:
        raise Refusal(NOT_FOUND, "", command.name)
    LocalConnection(context.engine, context.queues, found[0]).break_off()
    return Outcome(command.spec.done)


def stop_manager(context: Context, command: Command) -> Outcome:
    """Carry out STOP QMGR: request the end of the queue manager's process."""
    immediate = command.options.get("MODE", MQMODE_QUIESCE) != MQMODE_QUIESCE
    if context.operations.end_process(immediate, None) is None:
        raise Refusal(messages.FAILED, "the program that hosts the queue manager ends it")
    return Outcome(command.spec.done)


def _command_server(context: Context) -> Service:
    if context.command_server is None:
        raise Refusal(messages.FAILED, "this queue manager was started without a command server")
    return context.command_server


def start_command_server(context: Context, command: Command) -> Outcome:
    """Carry out START CMDSERV."""
    _command_server(context).start()
    return Outcome(command.spec.done)


def stop_command_server(context: Context, command: Command) -> Outcome:
    """Carry out STOP CMDSERV: leave commands that arrive from now on on their queue."""
    _command_server(context).stop()
    return Outcome(command.spec.done)
