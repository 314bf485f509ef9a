"""The records of distribution lists, read and written where a program's structures point to them.

A program gives the addresses of arrays that it has made with ctypes, as it does for IBM's library, and finds there the
outcome of each destination. They are read and written in place, as C would; offsets, which are counted from a structure
that Python makes anew for each call, point to nothing.

    ObjectRecPtr    MQOR    48 ObjectName, 48 ObjectQMgrName
    ResponseRecPtr  MQRR    i4 CompCode, i4 Reason
    PutMsgRecPtr    MQPMR   what PutMsgRecFields names of 24 MsgId, 24 CorrelId, 24 GroupId, i4 Feedback, 32 token
"""

import ctypes
import struct
from typing import Any, Final

from kew.channels.protocol.options import put_record_size
from kew.codes.errors import MQError
from kew.codes.options import MQOT_Q
from kew.codes.reasons import (
    MQRC_OBJECT_NAME_ERROR,
    MQRC_OBJECT_Q_MGR_NAME_ERROR,
    MQRC_OBJECT_RECORDS_ERROR,
    MQRC_PUT_MSG_RECORDS_ERROR,
    MQRC_RECS_PRESENT_ERROR,
    MQRC_RESPONSE_RECORDS_ERROR,
)
from kew.faces.descriptors import name_field
from kew.mqi.objects.distribution import MAX_DESTINATIONS

OBJECT_RECORD: Final = 96
_NAME: Final = 48
_RESPONSE: Final = struct.Struct("=ii")


def is_list(od: Any) -> bool:
    """Say whether a descriptor names a distribution list, or tries to."""
    return bool(od.Version >= 2 and od.RecsPresent)


def object_records(od: Any) -> bytes:
    """Give the object records of a list, one after the other."""
    count: int = od.RecsPresent
    if not 0 < count <= MAX_DESTINATIONS or od.ObjectType != MQOT_Q:
        raise MQError(MQRC_RECS_PRESENT_ERROR, records=count)
    if name_field(od.ObjectName, _NAME).strip():
        raise MQError(MQRC_OBJECT_NAME_ERROR, name=od.ObjectName)
    if name_field(od.ObjectQMgrName, _NAME).strip():
        raise MQError(MQRC_OBJECT_Q_MGR_NAME_ERROR, queue_manager=od.ObjectQMgrName)
    if not od.ObjectRecPtr or od.ObjectRecOffset:
        raise MQError(MQRC_OBJECT_RECORDS_ERROR, offset=od.ObjectRecOffset)
    if od.ResponseRecOffset:
        raise MQError(MQRC_RESPONSE_RECORDS_ERROR, offset=od.ResponseRecOffset)
    return ctypes.string_at(od.ObjectRecPtr, count * OBJECT_RECORD)


def names_of(records: bytes) -> list[tuple[str, str]]:
    """Give the queues of object records, with their queue managers."""
    found = []
    for at in range(0, len(records), OBJECT_RECORD):
        queue, manager = records[at : at + _NAME], records[at + _NAME : at + OBJECT_RECORD]
        found.append((_text(queue), _text(manager)))
    return found


def _text(field: bytes) -> str:
    return field.partition(b"\0")[0].decode("latin-1").rstrip()


def put_records(pmo: Any) -> bytes:
    """Give the put message records of a put, one after the other; empty if there are none."""
    if pmo.Version < 2 or not pmo.RecsPresent:
        return b""
    if not 0 < pmo.RecsPresent <= MAX_DESTINATIONS:
        raise MQError(MQRC_RECS_PRESENT_ERROR, records=pmo.RecsPresent)
    if pmo.PutMsgRecOffset or (pmo.PutMsgRecFields and not pmo.PutMsgRecPtr):
        raise MQError(MQRC_PUT_MSG_RECORDS_ERROR, offset=pmo.PutMsgRecOffset)
    if pmo.ResponseRecOffset:
        raise MQError(MQRC_RESPONSE_RECORDS_ERROR, offset=pmo.ResponseRecOffset)
    if not pmo.PutMsgRecPtr:
        return b""
    return ctypes.string_at(pmo.PutMsgRecPtr, pmo.RecsPresent * put_record_size(pmo.PutMsgRecFields))


def return_put_records(pmo: Any, records: bytes) -> None:
    """Write put message records back, with the ids that were used."""
    if records:
        ctypes.memmove(pmo.PutMsgRecPtr, records, len(records))


def respond(structure: Any, answers: list[tuple[int, int]]) -> None:
    """Write the outcome of each destination to the response records of an MQOD or MQPMO, as far as there is room."""
    if structure.Version >= 2 and structure.ResponseRecPtr:
        written = b"".join([_RESPONSE.pack(*answer) for answer in answers[: structure.RecsPresent]])
        ctypes.memmove(structure.ResponseRecPtr, written, len(written))
