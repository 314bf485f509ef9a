"""DISPLAY QSTATUS, CONN and THREAD: queues in use, connections and units of work as they are now."""

import time
from functools import partial
from typing import Final

from kew.codes import attributes as a
from kew.codes.errors import MQError
from kew.codes.options import (
    MQAT_QMGR,
    MQAT_USER,
    MQOO_INPUT_EXCLUSIVE,
    MQOT_Q,
    MQOT_TOPIC,
)
from kew.commands.actions.context import Context
from kew.commands.actions.display import finish
from kew.commands.actions.guard import connection_name, connections, handles, queues_named
from kew.commands.actions.outcome import Outcome, Refusal, Shown
from kew.commands.mqsc.parser import Command
from kew.commands.mqsc.where import matches
from kew.mqi.connections.connection import Connection
from kew.mqi.connections.handles import Handle
from kew.mqi.publishing.publish import TopicOutlet
from kew.objects.schema import object_type
from kew.objects.schema.values import NOT_AVAILABLE, Value
from kew.queues.queue import Queue, oldest_put
from kew.storage.unit import IN_DOUBT, Unit

Values = dict[str, Value | None]
NO_STATUS: Final = "AMQ8565E"
LONGEST_STAY: Final = 999999999
# Values of TYPE in DISPLAY THREAD.
ACTIVE: Final = 0
INDOUBT: Final = 1
REGIONS: Final = 2
ANY: Final = 9


def display_queue_status(context: Context, command: Command) -> Outcome:
    """Carry out DISPLAY QSTATUS, of queues or of the handles that are open."""
    kind = command.kind
    assert kind is not None
    queues = queues_named(context, command.name)
    if kind.name == "QSTATUS":
        return finish(command, [Shown(kind, queue.name, _queue(context, queue)) for queue in queues], NO_STATUS)
    names = {queue.name for queue in queues}
    with context.engine.lock:
        opened = [each for each in handles(context) if each[1].name in names]
        waiting = _waiting(context)
    found: list[Shown] = []
    for connection, handle in opened:
        active = (connection.number, handle.name) in waiting and (handle.input or handle.browse)
        found.append(Shown(kind, handle.name, _handle(connection, handle, active)))
    return finish(command, sorted(found, key=_by_name), NO_STATUS)


def _by_name(shown: Shown) -> str:
    return shown.name


def _queue(context: Context, queue: Queue) -> Values:
    with context.engine.lock:
        depth, uncommitted = queue.depth, queue.uncommitted
        inputs, outputs = queue.input_handles, queue.output_handles
    return {
        "CURDEPTH": depth,
        "IPPROCS": inputs,
        "OPPROCS": outputs,
        "UNCOM": uncommitted,
        "MEDIALOG": "",
        "QSGDISP": a.MQQSGD_Q_MGR,
        **_monitored(context, queue),
    }


def _monitored(context: Context, queue: Queue) -> Values:
    """Give the online monitoring data of a queue; blank where monitoring is off."""
    monitor = queue.monitor
    if monitor is None:
        return {
            "MONQ": a.MQMON_OFF,
            "LPUTDATE": "",
            "LPUTTIME": "",
            "LGETDATE": "",
            "LGETTIME": "",
            "MSGAGE": NOT_AVAILABLE,
            "QTIME": (NOT_AVAILABLE, NOT_AVAILABLE),
        }
    with context.engine.lock:
        put, got = _stamp(monitor.last_put), _stamp(monitor.last_get)
        stays = min(LONGEST_STAY, int(monitor.short_stay)), min(LONGEST_STAY, int(monitor.long_stay))
    return {
        "MONQ": monitor.level,
        "LPUTDATE": put[0],
        "LPUTTIME": put[1],
        "LGETDATE": got[0],
        "LGETTIME": got[1],
        "MSGAGE": _age(context, queue),
        "QTIME": stays,
    }


def _stamp(moment: float) -> tuple[str, str]:
    if not moment:
        return "", ""
    parts = time.localtime(moment)
    return time.strftime("%Y-%m-%d", parts), time.strftime("%H.%M.%S", parts)


def _age(context: Context, queue: Queue) -> int:
    """Give the age in seconds of the oldest available message, 0 if there is none."""
    try:
        put = context.engine.run(partial(oldest_put, queue))
    except MQError:  # its page cannot be read: the next get reports that
        return NOT_AVAILABLE
    return min(LONGEST_STAY, max(0, int(time.time() - put))) if put else 0


_STARTED: Final = (a.MQAS_STARTED, a.MQAS_START_WAIT)


def _yes(answer: bool) -> int:
    return a.MQQSO_YES if answer else a.MQQSO_NO


def _program(connection: Connection) -> Values:
    return {
        "APPLTAG": connection.application.decode(errors="replace").rstrip(),
        "APPLTYPE": MQAT_QMGR if connection.own else MQAT_USER,
        "PID": connection.process,
        "USERID": connection.user.decode(errors="replace").rstrip(),
        "CHANNEL": connection.channel,
        "CONNAME": connection.conname,
        "ASTATE": connection.consumption,
    }


def _consumption(connection: Connection, handle: Handle) -> int:
    """Give the state of asynchronous consumption of a handle: active once its connection was started."""
    active = handle.consumption == a.MQAS_INACTIVE and connection.consumption in _STARTED
    return a.MQAS_ACTIVE if active else handle.consumption


def _handle(connection: Connection, handle: Handle, active: bool) -> Values:
    sharing = a.MQQSO_EXCLUSIVE if handle.options & MQOO_INPUT_EXCLUSIVE else a.MQQSO_SHARED
    return {
        **_program(connection),
        **_work(connection.unit),
        "ASTATE": _consumption(connection, handle),
        "BROWSE": _yes(handle.browse),
        "INPUT": sharing if handle.input else a.MQQSO_NO,
        "INQUIRE": _yes(handle.inquire),
        "OUTPUT": _yes(handle.output),
        "SET": _yes(handle.set),
        "HSTATE": a.MQHSTATE_ACTIVE if active else a.MQHSTATE_INACTIVE,
        "QSGDISP": a.MQQSGD_Q_MGR,
    }


def _work(unit: Unit | None) -> Values:
    if unit is None:
        return {"UOWSTATE": a.MQUOWST_NONE, "URTYPE": a.MQUOWT_Q_MGR}
    began = time.localtime(unit.started)
    return {
        "UOWSTATE": a.MQUOWST_PREPARED if unit.state == IN_DOUBT else a.MQUOWST_ACTIVE,
        "URTYPE": a.MQUOWT_XA if unit.xid else a.MQUOWT_Q_MGR,
        "QMURID": f"0.{unit.id}",
        "EXTURID": unit.xid.hex().upper(),
        "URID": unit.xid.hex().upper(),
        "UOWSTDA": time.strftime("%Y-%m-%d", began) if unit.started else "",
        "UOWSTTI": time.strftime("%H.%M.%S", began) if unit.started else "",
    }


def display_connections(context: Context, command: Command) -> Outcome:
    """Carry out DISPLAY CONN: show connections, their open handles, or both."""
    kind = command.kind
    half = context.first_half
    wanted_half = command.options.get("EXTCONN", half)
    found: list[Shown] = []
    with context.engine.lock:
        everything = [(each, list(each.handles.values())) for each in connections(context)]
        waiting = _waiting(context)
    for connection, opened in everything:
        name = connection_name(connection)
        if wanted_half != half or (command.name and not matches(command.name.upper(), name)):
            continue
        if kind is None or kind.name == "CONN":
            unit = connection.unit
            values: Values = {**_program(connection), **_work(unit), "EXTCONN": half}
            values["CONNOPTS"] = connection.options
            if unit is not None and unit.first_address:
                values["UOWLOG"] = context.engine.log.file_of(unit.first_address)
            found.append(Shown(object_type("CONN"), name, values))
        if kind is None or kind.name == "CONNHANDLE":
            for handle in opened:
                active = (connection.number, handle.name) in waiting and (handle.input or handle.browse)
                found.append(Shown(object_type("CONNHANDLE"), name, _open(connection, handle, half, active)))
    return finish(command, found)


def _waiting(context: Context) -> set[tuple[int, str]]:
    """Give the connection number and queue of each waiting get; called under the engine lock."""
    found: set[tuple[int, str]] = set()
    for queue in context.engine.queues.by_name.values():
        if queue.waiters.count:
            found.update([(waiter.owner, queue.name) for waiter in queue.waiters.all()])
    return found


def _open(connection: Connection, handle: Handle, first_half: bytes, active: bool) -> Values:
    subscription = handle.subscription
    if subscription is not None:
        return {
            **_open_object(connection, handle, first_half, active),
            "OBJNAME": subscription.topic_object,
            "OBJTYPE": MQOT_TOPIC,
            "DEST": subscription.destination,
            "DESTQMGR": subscription.destination_manager,
            "SUBID": subscription.id,
            "SUBNAME": subscription.name,
            "TOPICSTR": subscription.topic,
        }
    if isinstance(handle.outlet, TopicOutlet):
        return {**_open_object(connection, handle, first_half, active), "OBJTYPE": MQOT_TOPIC, "TOPICSTR": handle.name}
    return _open_object(connection, handle, first_half, active)


def _open_object(connection: Connection, handle: Handle, first_half: bytes, active: bool) -> Values:
    return {
        "EXTCONN": first_half,
        "OBJNAME": handle.opened_name,
        "OBJTYPE": MQOT_Q,
        "ASTATE": _consumption(connection, handle),
        "HSTATE": a.MQHSTATE_ACTIVE if active else a.MQHSTATE_INACTIVE,
        "OPENOPTS": handle.options,
        "QSGDISP": a.MQQSGD_Q_MGR,
        "READA": a.MQREADA_YES if handle.reads_ahead else a.MQREADA_NO,
    }


def display_threads(context: Context, command: Command) -> Outcome:
    """Carry out DISPLAY THREAD: show connections, and units of work in doubt."""
    asked = command.options.get("TYPE", ACTIVE)
    kind = object_type("THREAD")
    found: list[Shown] = []
    with context.engine.lock:
        everything = [(connection, connection.unit) for connection in connections(context)]
        in_doubt = context.engine.units.in_doubt()
    if asked in (ACTIVE, ANY):
        for connection, unit in everything:
            values = {**_program(connection), **_work(unit), "TYPE": ACTIVE, "ASID": None}
            values["URID"] = f"0.{unit.id}" if unit is not None else ""
            found.append(Shown(kind, str(values["APPLTAG"]), values))
    if asked in (INDOUBT, ANY):
        owned = {unit.id for _connection, unit in everything if unit is not None}
        found.extend([Shown(kind, context.name[:28], _in_doubt(unit)) for unit in in_doubt if unit.id not in owned])
    if asked == REGIONS:
        raise Refusal("AMQ8147E", "there are no regions on this host", command.name)
    return finish(command, [one for one in found if matches(command.name, one.name)])


def _in_doubt(unit: Unit) -> Values:
    return {
        **_work(unit),
        "TYPE": INDOUBT,
        "URID": f"0.{unit.id}",
        "NID": unit.xid.hex().upper(),
        "UOWSTATE": a.MQUOWST_PREPARED,
    }
