"""Units of work: MQCMIT, MQBACK, MQBEGIN, and the calls of a transaction manager (start, end, prepare, commit, ...)."""

from typing import Final

from kew.codes.completion import MQCC_WARNING
from kew.codes.errors import MQError
from kew.codes.reasons import (
    MQRC_ENVIRONMENT_ERROR,
    MQRC_NO_EXTERNAL_PARTICIPANTS,
    MQRC_RESOURCE_PROBLEM,
    MQRC_UOW_ENLISTMENT_ERROR,
    MQRC_UOW_IN_PROGRESS,
    MQRC_UOW_NOT_AVAILABLE,
)
from kew.mqi.connections import metering
from kew.mqi.connections.connection import Connection, backed_out
from kew.mqi.engine import Engine
from kew.mqi.gets.reservations import release_all
from kew.storage.log import NO_ADDRESS, LogAddress
from kew.storage.stall import Stall
from kew.storage.unit import BEGIN, IN_COMMIT, IN_DOUBT, IN_FLIGHT, Unit
from kew.storage.xid import OWNERS, owner_format

# Branches that one user may have begun and not prepared: each is looked at when another begins.
MOST_BRANCHES: Final = 10_000


def begin(connection: Connection) -> int:
    """MQBEGIN: start a unit of work, if the connection has none; gives the reason of MQ's warning.

    The queue manager coordinates no other resource managers: only messages take part in the unit.
    """
    connection.check()
    _refuse_in_branch(connection)
    if connection.unit is not None:
        raise MQError(MQRC_UOW_IN_PROGRESS)
    connection.unit_for_work()
    return MQRC_NO_EXTERNAL_PARTICIPANTS


def _refuse_in_branch(connection: Connection) -> None:
    if connection.xid:
        raise MQError(MQRC_ENVIRONMENT_ERROR, why="a transaction manager begins and ends this unit")


def commit(connection: Connection) -> LogAddress:
    """MQCMIT; gives the log address to wait for. May stall, and is then called again."""
    if not connection.engine.metered:
        return _commit(connection)
    messages = 0 if connection.unit is None else len(connection.unit.operations)
    metering.enter(connection, None)
    try:
        address = _commit(connection)
    except Stall:
        metering.pause(connection)
        raise
    metering.committed(connection, messages)
    metering.trace(connection, "MQCMIT", "", f"exit, {messages} messages, log to {address:X}")
    return address


def _commit(connection: Connection) -> LogAddress:
    connection.check()
    unit = connection.unit
    if unit is None:
        return NO_ADDRESS
    _refuse_in_branch(connection)
    if unit.spoiled and not unit.forced_out:
        connection.engine.units.backout(unit)
    if unit.spoiled or unit.forced_out:
        if connection.reserves:
            release_all(connection)
        connection.unit = None
        raise backed_out(unit, MQCC_WARNING)
    address = connection.engine.units.commit(unit)
    connection.unit = None
    return address


def spoil(connection: Connection) -> None:
    """Note that an asynchronous put in the unit of work has failed: the unit can only be backed out."""
    unit = connection.unit
    if unit is None:
        unit = connection.unit_for_work()
    unit.spoiled = True


def backout(connection: Connection) -> None:
    """MQBACK. May stall, and is then called again."""
    if not connection.engine.metered:
        _back_out(connection)
        return
    messages = 0 if connection.unit is None else len(connection.unit.operations)
    metering.enter(connection, None)
    try:
        _back_out(connection)
    except Stall:
        metering.pause(connection)
        raise
    metering.backed_out(connection, messages)
    metering.trace(connection, "MQBACK", "", f"exit, {messages} messages")


def _back_out(connection: Connection) -> None:
    connection.check()
    unit = connection.unit
    if unit is not None:
        _refuse_in_branch(connection)
        if not unit.forced_out:  # else the unit is backed out already, as the program requests
            connection.engine.units.backout(unit)
        connection.unit = None
    if connection.reserves:
        release_all(connection)


def release(connection: Connection) -> None:
    """Back out the unit of work of a program that is gone; a unit in doubt stays, and one in commit is finished."""
    if connection.unit is not None:
        _resolve(connection.engine, connection.unit)
    connection.unit = None
    connection.xid = b""
    while connection.suspended:
        xid = next(iter(connection.suspended))
        _resolve(connection.engine, connection.suspended[xid])
        del connection.suspended[xid]


def release_ended(connection: Connection) -> None:
    """Back out the branches that a dead program has ended, unless they were prepared or resumed.

    A transaction manager would not find them again: it recovers only branches in doubt.
    """
    engine = connection.engine
    if not connection.has_ended:
        return
    for unit in list(engine.units.active.values()):
        if unit.ended_by == connection.number and not unit.held and unit.state <= IN_FLIGHT:
            engine.units.backout(unit)


def _resolve(engine: Engine, unit: Unit) -> None:
    if unit.state == IN_DOUBT or unit.id not in engine.units.active:
        return
    if unit.state == IN_COMMIT:
        engine.units.commit(unit)
    else:
        engine.units.backout(unit)


# -- a transaction manager's calls ------------------------------------------------------------------------------------


def start_branch(connection: Connection, xid: bytes) -> None:
    """Begin a branch of a global transaction on a connection."""
    connection.check()
    if connection.unit is not None:
        raise MQError(MQRC_UOW_IN_PROGRESS)
    _refuse_owned(xid)
    unprepared = 0
    for other in connection.engine.units.active.values():
        if other.xid == xid:
            raise MQError(MQRC_UOW_ENLISTMENT_ERROR, xid=xid.hex())
        if other.xid and other.begun_by == connection.principal and other.state <= IN_FLIGHT:
            unprepared += 1
    if unprepared >= MOST_BRANCHES:
        raise MQError(MQRC_RESOURCE_PROBLEM, user=connection.principal, most=MOST_BRANCHES)
    unit = connection.unit_for_work()
    unit.xid = xid
    unit.begun_by = connection.principal
    unit.held = 1
    connection.xid = xid


def join_branch(connection: Connection, xid: bytes) -> None:
    """Join a branch that another connection, or this one, has begun."""
    connection.check()
    if connection.unit is not None:
        raise MQError(MQRC_UOW_IN_PROGRESS)
    unit = _branch(connection.engine, xid)
    if unit.state > IN_FLIGHT:
        raise MQError(MQRC_UOW_IN_PROGRESS, xid=xid.hex(), why="it is prepared already")
    unit.held += 1
    connection.unit = unit
    connection.xid = xid


def suspend_branch(connection: Connection, xid: bytes) -> None:
    """Suspend the branch that a connection works in, to be resumed later."""
    connection.check()
    unit = connection.unit
    if unit is None or connection.xid != xid:
        raise _not_here(connection.engine, xid)
    connection.suspended[xid] = unit
    connection.unit = None
    connection.xid = b""


def resume_branch(connection: Connection, xid: bytes) -> None:
    """Resume a branch that was suspended on a connection."""
    connection.check()
    if connection.unit is not None or xid not in connection.suspended:
        raise _not_here(connection.engine, xid)
    connection.unit = connection.suspended.pop(xid)
    connection.xid = xid


def end_branch(connection: Connection, xid: bytes, failed: bool = False) -> None:
    """Detach a branch, to be resolved by its xid; a branch with failed work can only be backed out."""
    connection.check()
    unit = connection.suspended.pop(xid, None)
    if unit is None:
        unit = connection.unit
        if unit is None or connection.xid != xid:
            raise _not_here(connection.engine, xid)
        connection.unit = None
        connection.xid = b""
    unit.held -= 1
    unit.ended_by = connection.number
    connection.has_ended = True
    if failed:
        unit.spoiled = True


def _not_here(engine: Engine, xid: bytes) -> MQError:
    if find_branch(engine, xid) is None:
        return MQError(MQRC_UOW_NOT_AVAILABLE, xid=xid.hex())
    return MQError(MQRC_UOW_IN_PROGRESS, xid=xid.hex(), why="this connection does not work in it")


def check_ended(engine: Engine, xid: bytes) -> Unit:
    """Give a branch that is to be resolved; a branch that a connection still works in is refused."""
    unit = _branch(engine, xid)
    if unit.held:
        raise MQError(MQRC_UOW_IN_PROGRESS, xid=xid.hex(), why="it has not been ended everywhere")
    return unit


def check_prepared(engine: Engine, xid: bytes, prepared: bool) -> None:
    """Refuse the commit of a branch in two phases (`prepared`) if it is not prepared, or in one phase if it is."""
    if prepared != (check_ended(engine, xid).state == IN_DOUBT):
        why = "it is not prepared" if prepared else "it is prepared"
        raise MQError(MQRC_UOW_IN_PROGRESS, xid=xid.hex(), why=why)


def find_branch(engine: Engine, xid: bytes) -> Unit | None:
    """Give the unit of a transaction manager's branch; units that parts of the queue manager own are not found."""
    if owner_format(xid):
        return None
    for unit in engine.units.active.values():
        if unit.xid == xid:
            return unit
    return None


def _branch(engine: Engine, xid: bytes) -> Unit:
    unit = find_branch(engine, xid)
    if unit is None:
        raise MQError(MQRC_UOW_NOT_AVAILABLE, xid=xid.hex())
    return unit


def _refuse_owned(xid: bytes) -> None:
    """Refuse an xid in a format that parts of the queue manager use for their own units."""
    format_id = owner_format(xid)
    if format_id:
        whose = OWNERS[format_id][0]
        raise MQError(MQRC_UOW_ENLISTMENT_ERROR, xid=xid.hex(), why=f"format {format_id:#x} names units of {whose}")


def _refuse_spoiled(engine: Engine, unit: Unit) -> None:
    if unit.spoiled:
        engine.units.backout(unit)
        raise backed_out(unit)


def prepare(engine: Engine, xid: bytes) -> LogAddress:
    """Prepare a branch: gives the log address to wait for before the vote, 0 if there was nothing to do."""
    unit = _branch(engine, xid)
    _refuse_spoiled(engine, unit)
    if unit.state == BEGIN:  # it has nothing to vote on, and is gone
        return engine.units.commit(unit)
    if unit.state != IN_FLIGHT:
        raise MQError(MQRC_UOW_IN_PROGRESS, xid=xid.hex(), why="it is prepared already")
    return engine.units.prepare(unit, xid)


def commit_branch(engine: Engine, xid: bytes) -> LogAddress:
    """Commit a branch, prepared or not; gives the log address to wait for."""
    unit = _branch(engine, xid)
    _refuse_spoiled(engine, unit)
    messages = len(unit.operations)
    address = engine.units.commit(unit)
    if engine.metered:
        engine.calls.unlocked += messages
    return address


def back_out_branch(engine: Engine, xid: bytes) -> None:
    """Undo a branch, prepared or not."""
    unit = _branch(engine, xid)
    messages = len(unit.operations)
    engine.units.backout(unit)
    if engine.metered:
        engine.calls.unlocked += messages


def recover(engine: Engine) -> list[bytes]:
    """Give the xids of the branches in doubt that a transaction manager may resolve."""
    return [unit.xid for unit in engine.units.in_doubt() if not owner_format(unit.xid)]


# -- units that parts of the queue manager prepare ---------------------------------------------------------------------


def prepare_own(connection: Connection, name: bytes) -> tuple[Unit, LogAddress]:
    """Prepare the unit of a part of the queue manager, under a name in the format of that part.

    Gives the unit and the log address that must be on disk before anything relies on the unit. The connection is free
    for its next unit. From now on only the owner ends the unit, by `Units.commit` or `Units.backout`; after a restart
    the owner finds it in `Units.prepared`.
    """
    connection.check()
    if not owner_format(name):
        raise ValueError(f"{name.hex()} is not the name of a unit of a part of the queue manager")
    unit = connection.unit
    if unit is None or unit.state == BEGIN:
        raise MQError(MQRC_UOW_NOT_AVAILABLE, xid=name.hex(), why="there is nothing to prepare")
    _refuse_in_branch(connection)
    if unit.spoiled or unit.forced_out:
        if not unit.forced_out:
            connection.engine.units.backout(unit)
        connection.unit = None
        raise backed_out(unit)
    address = connection.engine.units.prepare(unit, name)
    connection.unit = None
    return unit, address
