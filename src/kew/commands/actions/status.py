"""DISPLAY QSTATUS, CONN and THREAD: queues in use, connections and units of work as they are now."""

import time
from typing import Final

from kew.codes import attributes as a
from kew.codes.options import (
    MQAT_USER,
    MQCNO_SHARED_BINDING,
    MQOO_INPUT_EXCLUSIVE,
    MQOT_Q,
)
from kew.commands.actions.context import Context
from kew.commands.actions.display import finish
from kew.commands.actions.guard import connection_name, connections, handles_of
from kew.commands.actions.outcome import Outcome, Refusal, Shown
from kew.commands.mqsc.parser import Command
from kew.commands.mqsc.where import matches
from kew.mqi.connect import Connection
from kew.mqi.handles import Handle
from kew.objects.schema import object_type
from kew.objects.values import NOT_AVAILABLE, Value
from kew.queues.private import PrivateQueue
from kew.storage.unit import IN_DOUBT, Unit

Values = dict[str, Value | None]
NO_STATUS: Final = "AMQ8565E"
# Values of TYPE in DISPLAY THREAD.
ACTIVE: Final = 0
INDOUBT: Final = 1
REGIONS: Final = 2
ANY: Final = 9


def display_queue_status(context: Context, command: Command) -> Outcome:
    """DISPLAY QSTATUS, of queues or of the handles that are open."""
    kind = command.kind
    assert kind is not None
    found: list[Shown] = []
    with context.engine.lock:
        for name in sorted(context.engine.queues.by_name):
            if not matches(command.name, name):
                continue
            if kind.name == "QSTATUS":
                found.append(Shown(kind, name, _queue(context.engine.queues.by_name[name])))
                continue
            for connection, handle in handles_of(context, name):
                found.append(Shown(kind, name, _handle(connection, handle)))
    return finish(command, found, NO_STATUS)


def _queue(queue: PrivateQueue) -> Values:
    return {
        "CURDEPTH": queue.depth,
        "IPPROCS": queue.input_handles,
        "OPPROCS": queue.output_handles,
        "UNCOM": queue.uncommitted,
        "QSGDISP": a.MQQSGD_Q_MGR,
        "MONQ": a.MQMON_OFF,
        "MSGAGE": NOT_AVAILABLE,
        "QTIME": (NOT_AVAILABLE, NOT_AVAILABLE),
    }


def _yes(answer: bool) -> int:
    return a.MQQSO_YES if answer else a.MQQSO_NO


def _program(connection: Connection) -> Values:
    return {
        "APPLTAG": connection.application.decode(errors="replace").rstrip(),
        "APPLTYPE": MQAT_USER,
        "PID": connection.process,
        "USERID": connection.user.decode(errors="replace").rstrip(),
        "ASTATE": a.MQAS_NONE,
    }


def _handle(connection: Connection, handle: Handle) -> Values:
    sharing = a.MQQSO_EXCLUSIVE if handle.options & MQOO_INPUT_EXCLUSIVE else a.MQQSO_SHARED
    return {
        **_program(connection),
        **_work(connection.unit),
        "BROWSE": _yes(handle.browse),
        "INPUT": sharing if handle.input else a.MQQSO_NO,
        "INQUIRE": _yes(handle.inquire),
        "OUTPUT": _yes(handle.output),
        "SET": _yes(handle.set),
        "HSTATE": a.MQHSTATE_INACTIVE,
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
    """DISPLAY CONN: connections, what they have open, or both."""
    kind = command.kind
    half = context.first_half
    wanted_half = command.options.get("EXTCONN", half)
    found: list[Shown] = []
    with context.engine.lock:
        for connection in connections(context):
            name = connection_name(connection)
            if wanted_half != half or (command.name and not matches(command.name.upper(), name)):
                continue
            if kind is None or kind.name == "CONN":
                values: Values = {**_program(connection), **_work(connection.unit), "EXTCONN": half}
                values["CONNOPTS"] = MQCNO_SHARED_BINDING
                found.append(Shown(object_type("CONN"), name, values))
            if kind is None or kind.name == "CONNHANDLE":
                for handle in connection.handles.values():
                    found.append(Shown(object_type("CONNHANDLE"), name, _open(handle, half)))
    return finish(command, found)


def _open(handle: Handle, first_half: bytes) -> Values:
    return {
        "EXTCONN": first_half,
        "OBJNAME": handle.opened_name,
        "OBJTYPE": MQOT_Q,
        "ASTATE": a.MQAS_NONE,
        "HSTATE": a.MQHSTATE_INACTIVE,
        "OPENOPTS": handle.options,
        "QSGDISP": a.MQQSGD_Q_MGR,
        "READA": a.MQREADA_NO,
    }


def display_threads(context: Context, command: Command) -> Outcome:
    """DISPLAY THREAD: connections, and units of work in doubt."""
    asked = command.options.get("TYPE", ACTIVE)
    kind = object_type("THREAD")
    found: list[Shown] = []
    with context.engine.lock:
        owned = {connection.unit.id for connection in connections(context) if connection.unit is not None}
        if asked in (ACTIVE, ANY):
            for connection in connections(context):
                values = {**_program(connection), **_work(connection.unit), "TYPE": ACTIVE, "ASID": None}
                values["URID"] = f"0.{connection.unit.id}" if connection.unit is not None else ""
                found.append(Shown(kind, str(values["APPLTAG"]), values))
        if asked in (INDOUBT, ANY):
            for unit in context.engine.units.in_doubt():
                if unit.id not in owned:
                    found.append(Shown(kind, context.name[:28], _in_doubt(unit)))
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
