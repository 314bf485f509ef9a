"""MQOPEN, MQINQ and MQCLOSE of objects without messages: the queue manager, namelists and processes."""

from collections.abc import Iterable
from typing import Final

from kew.codes import attributes as a
from kew.codes.errors import MQError
from kew.codes.options import (
    MQCO_NONE,
    MQOO_ALTERNATE_USER_AUTHORITY,
    MQOO_FAIL_IF_QUIESCING,
    MQOO_INQUIRE,
    MQOO_RESOLVE_NAMES,
    MQOT_NAMELIST,
    MQOT_PROCESS,
    MQOT_Q_MGR,
)
from kew.codes.reasons import (
    MQRC_NOT_OPEN_FOR_INQUIRE,
    MQRC_OBJECT_TYPE_ERROR,
    MQRC_OPTION_NOT_VALID_FOR_TYPE,
    MQRC_SELECTOR_ERROR,
    MQRC_UNKNOWN_OBJECT_NAME,
)
from kew.mqi.connections.connection import Connection
from kew.mqi.connections.handles import Handle
from kew.mqi.engine import Engine
from kew.objects.catalogue import AttributeValue, Record
from kew.objects.schema import object_type
from kew.security.authority import SELF
from kew.security.openauthority import authorise_open
from kew.version import VRMF

MANAGER: Final = "QMGR"
NAMELIST: Final = "NAMELIST"
PROCESS: Final = "PROCESS"
KINDS: Final = (MANAGER, NAMELIST, PROCESS)

_TYPES: Final = {MANAGER: MQOT_Q_MGR, NAMELIST: MQOT_NAMELIST, PROCESS: MQOT_PROCESS}

_OPTIONS: Final = MQOO_INQUIRE | MQOO_RESOLVE_NAMES | MQOO_ALTERNATE_USER_AUTHORITY | MQOO_FAIL_IF_QUIESCING


def find(engine: Engine, kind: str, name: str) -> Record:
    """Give the definition of an object that can be opened only for MQINQ."""
    if kind not in KINDS:
        raise MQError(MQRC_OBJECT_TYPE_ERROR, kind=kind)
    name = name.rstrip()
    if kind == MANAGER:
        if name not in ("", engine.name):
            raise MQError(MQRC_UNKNOWN_OBJECT_NAME, name=name)
        record = engine.catalogue.records.get((MANAGER, engine.name))
        return record if record is not None else Record(MANAGER, MANAGER, engine.name, 0, {})
    record = engine.catalogue.records.get((kind, name))
    if record is None:
        raise MQError(MQRC_UNKNOWN_OBJECT_NAME, name=name)
    return record


def open_definition(connection: Connection, record: Record, options: int, alternate_user: str = "") -> Handle:
    """MQOPEN of an object without messages; the request was checked."""
    connection.check()
    if options & ~_OPTIONS:
        raise MQError(MQRC_OPTION_NOT_VALID_FOR_TYPE, name=record.name, options=options)
    authority = connection.engine.authority
    name = SELF if record.kind == MANAGER else record.name
    authorise_open(authority, connection.principal, alternate_user, _TYPES[record.kind], name, options)
    handle = Handle(0, record.name, options, None)
    handle.inquire = options & MQOO_INQUIRE != 0
    handle.definition = record
    return connection.add_handle(handle)


def inquire_definition(handle: Handle, record: Record, selectors: Iterable[int]) -> dict[int, AttributeValue]:
    """MQINQ of an object without messages."""
    if not handle.inquire:
        raise handle.refusal(MQRC_NOT_OPEN_FOR_INQUIRE)
    return {selector: _value(record, selector) for selector in selectors}


def _value(record: Record, selector: int) -> AttributeValue:
    kind = object_type(record.kind)
    if kind.name_spec is not None and selector == kind.name_spec.pcf:
        return record.name
    if record.kind == NAMELIST and selector == a.MQIA_NAME_COUNT:
        names = record.values.get("NAMES", ())
        return len(names) if isinstance(names, tuple) else 0
    spec = kind.by_pcf.get(selector)
    if spec is None:
        raise MQError(MQRC_SELECTOR_ERROR, selector=selector)
    if record.kind == MANAGER and selector == a.MQCA_VERSION:
        return VRMF
    return record.values.get(spec.keyword, spec.default)


def close_definition(connection: Connection, handle: Handle, options: int) -> None:
    """MQCLOSE of an object without messages."""
    if options != MQCO_NONE:
        raise MQError(MQRC_OPTION_NOT_VALID_FOR_TYPE, name=handle.name, options=options)
    handle.close()
    handle.definition = None
    del connection.handles[handle.number]
