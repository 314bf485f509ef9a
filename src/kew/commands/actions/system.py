"""DISPLAY QMSTATUS, LOG and USAGE: the queue manager, its log, its page sets and buffer pools."""

import os
import shutil
import socket
import time
from collections.abc import Iterator
from typing import Final

from kew import version
from kew.codes import attributes as a
from kew.commands.actions import chinit
from kew.commands.actions.context import Context
from kew.commands.actions.display import finish
from kew.commands.actions.outcome import Outcome, Shown
from kew.commands.mqsc.parser import Command
from kew.mqi.engine import QUIESCING
from kew.objects.schema import LIVE, object_type
from kew.objects.schema.values import Value
from kew.storage.buffers.pool import redo_address_of
from kew.storage.log import Log
from kew.storage.pages.pageset import EXPAND_NONE, EXPAND_SYSTEM, EXPAND_USER, PageSet
from kew.storage.pages.spacemap import CATALOG, FREE, ITEM, RELEASING, VOLATILE

Values = dict[str, Value | None]
MEGABYTE: Final = 1 << 20
INSTALLATION: Final = os.path.dirname(os.path.abspath(version.__file__))
_EXPANSIONS: Final = {
    EXPAND_NONE: a.MQUSAGE_EXPAND_NONE,
    EXPAND_USER: a.MQUSAGE_EXPAND_USER,
    EXPAND_SYSTEM: a.MQUSAGE_EXPAND_SYSTEM,
}


def _address(value: int) -> str:
    return f"{value:016X}"


def _space(path: str) -> tuple[int, int]:
    """Give the size of a file system in megabytes, and its used part in percent."""
    usage = shutil.disk_usage(path) if os.path.isdir(path) else None
    if usage is None or not usage.total:
        return 0, 0
    return usage.total // MEGABYTE, min(100, usage.used * 100 // usage.total)


def _linear(log: Log) -> Values:
    """Give the status attributes of a linear log: extents for media recovery, to be archived, and reusable."""
    if not log.settings.linear:
        return {}
    extent = log.settings.extent_bytes
    values: Values = {
        "ARCHLOG": log.file_of(log.oldest_unarchived()) if log.full_extents() else "",
        "ARCHSZ": log.full_extents() * extent // MEGABYTE,
        "REUSESZ": log.reusable_extents() * extent // MEGABYTE,
    }
    if log.media_needed:
        values["MEDIALOG"] = log.file_of(log.media_needed)
        values["MEDIASZ"] = (log.next_address - log.media_needed) // MEGABYTE
    return values


def display_manager_status(context: Context, command: Command) -> Outcome:
    """Carry out DISPLAY QMSTATUS."""
    engine = context.engine
    settings = engine.log.settings
    began = time.localtime(context.started)
    data_size, data_used = _space(context.paths.data)
    log_size, log_used = _space(context.paths.log_copies[0])
    capacity = settings.extent_bytes * settings.primary
    needed = engine.log.next_address - engine.log.needed
    values: Values = {
        "STATUS": a.MQQMSTA_QUIESCING if engine.state == QUIESCING else a.MQQMSTA_RUNNING,
        "AUTOCLUS": a.MQAUTOCLUS_TYPE_NONE,
        "CHINIT": chinit.status(context),
        "CMDSERV": _command_server(context),
        "CHKPTCNT": engine.log.counters.checkpoints,
        "CHKPTOPS": context.checkpointer.records_since(),
        "CHKPTSZ": max(0, engine.log.next_address - context.checkpointer.last) // MEGABYTE,
        "CONNS": len(engine.connections),
        "CURRLOG": engine.log.file_of(engine.log.next_address),
        "DATFSSZ": data_size,
        "DATFSUSE": data_used,
        "DATPATH": context.paths.data,
        "DISKLSN": _address(engine.log.on_disk),
        "HOSTNAME": socket.gethostname(),
        "INSTNAME": "Kew",
        "INSTPATH": INSTALLATION,
        "LOGEXTSZ": settings.extent_bytes // 1024,
        "LOGFSSZ": log_size,
        "LOGFSUSE": log_used,
        "LOGINUSE": min(999, needed * 100 // capacity),
        "LOGPATH": context.paths.log_copies[0],
        "LOGPRIM": settings.primary,
        "LOGSEC": settings.secondary,
        "LOGSTRL": _address(engine.log.oldest_address),
        "LOGTYPE": a.MQLOGTYPE_LINEAR if settings.linear else a.MQLOGTYPE_CIRCULAR,
        "QMFSENC": a.MQFSENC_UNKNOWN,
        "QMFSSZ": data_size,
        "QMFSUSE": data_used,
        "RECLOG": engine.log.file_of(engine.log.needed),
        "RECSZ": needed // MEGABYTE,
        **_linear(engine.log),
        "STANDBY": a.MQSTDBY_NOT_PERMITTED,
        "STARTDA": time.strftime("%Y-%m-%d", began),
        "STARTTI": time.strftime("%H.%M.%S", began),
    }
    return finish(command, [Shown(object_type("QMSTATUS"), context.name, values)])


def _command_server(context: Context) -> int:
    server = context.command_server
    return a.MQSVC_STATUS_RUNNING if server is not None and server.running else a.MQSVC_STATUS_STOPPED


def display_command_server(context: Context, command: Command) -> Outcome:
    """Carry out DISPLAY CMDSERV."""
    return finish(command, [Shown(object_type("CMDSERV"), "", {"STATUS": _command_server(context)})])


def display_log(context: Context, command: Command) -> Outcome:
    """Carry out DISPLAY LOG: show each copy of the log, and its use."""
    log = context.engine.log
    settings = log.settings
    kind = object_type("LOG")
    used = log.next_address - log.needed
    capacity = settings.extent_bytes * (settings.primary + settings.secondary)
    copies: list[Shown] = []
    for place, path in enumerate(context.paths.log_copies):
        values: Values = {
            "COPY": place + 1,
            "LOGRBA": _address(log.next_address),
            "DSNAME": os.path.join(path, log.file_of(log.next_address)),
            "USED": min(100, used * 100 // capacity),
            "FULLLOGS": log.full_extents(),
            "TOTLOGS": settings.primary,
            "OFFLOAD": a.MQSYSP_STATUS_COPYING_LOG if log.full_extents() else a.MQSYSP_STATUS_AVAILABLE,
            "WRTHRSH": log.write_threshold,
            "SUSPEND": 0,
        }
        copies.append(Shown(kind, "", values))
    outcome = finish(command, copies)
    for one in outcome.shown:  # parameters without effect are left out
        one.specs = [spec for spec in one.specs if spec.role == LIVE or spec.keyword in one.values]
    return outcome


def _page_set(page_set: PageSet, newest: int) -> Values:
    states = page_set.space.states
    return {
        "BUFFPOOL": page_set.pool.id,
        "TOTAL": page_set.space.pages,
        "UNUSED": states.count(FREE) + states.count(RELEASING),
        "PERSIST": states.count(ITEM) + states.count(CATALOG),
        "NONPERS": states.count(VOLATILE),
        "EXPAND": _EXPANSIONS[page_set.expand],
        "EXPCOUNT": page_set.expansions,
        "STATUS": a.MQUSAGE_PS_AVAILABLE,
        "ENCRYPT": 0,
        "RBA": _address(page_set.recover_from or redo_address_of(page_set.pool, page_set.id, newest)),
    }


def _page_sets(context: Context, only: Value) -> Iterator[Shown]:
    kind = object_type("USAGE")
    for number in sorted({*context.engine.store.page_sets, *context.lost}):
        if only not in (-1, number):
            continue
        page_set = context.engine.store.page_sets.get(number)
        lost: Values = {"STATUS": a.MQUSAGE_PS_OFFLINE}
        newest = context.engine.log.next_address
        yield Shown(kind, str(number), lost if page_set is None else _page_set(page_set, newest))


def _pools(context: Context) -> Iterator[Shown]:
    kind = object_type("USAGEBUFFER")
    for number, pool in sorted(context.pools.items()):
        free = max(0, pool.size - pool.in_use())
        values: Values = {
            "BUFFERS": pool.size,
            "FREE": free,
            "FREEPCT": free * 100 // pool.size,
            "LOCATION": a.MQBPLOCATION_ABOVE,
            "PAGECLAS": a.MQPAGECLAS_4KB,
        }
        yield Shown(kind, str(number), values)


def _data_sets(context: Context) -> Iterator[Shown]:
    kind = object_type("USAGEDATASET")
    log = context.engine.log
    oldest = context.engine.units.oldest_address(log.next_address)
    for what, address in ((a.MQUSAGE_DS_OLDEST_ACTIVE_UOW, oldest), (a.MQUSAGE_DS_OLDEST_PS_RECOVERY, log.needed)):
        file = os.path.join(context.paths.log_copies[0], log.file_of(address))
        yield Shown(kind, "", {"DSTYPE": what, "RBA": _address(address), "DSNAME": file})


def display_usage(context: Context, command: Command) -> Outcome:
    """Carry out DISPLAY USAGE: show page sets, buffer pools and the part of the log that is needed."""
    only = command.options.get("PSID", -1)
    kind = command.kind.name if command.kind is not None else ""
    found: list[Shown] = []
    with context.engine.lock:
        if kind in ("", "USAGE"):
            found.extend(_page_sets(context, only))
        if kind in ("", "USAGEBUFFER") and "PSID" not in command.options:
            found.extend(_pools(context))
        if kind in ("", "USAGEDATASET") and "PSID" not in command.options:
            found.extend(_data_sets(context))
    return finish(command, found)
