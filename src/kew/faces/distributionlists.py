"""Distribution lists for a program that hosts the queue manager in its own process."""

from typing import Any

from kew.channels.protocol.dialect import CLIENT_DIALECT
from kew.channels.protocol.distribution import decode_put_fields, encode_put_fields
from kew.channels.protocol.options import put_record_size
from kew.codes.errors import MQError
from kew.codes.options import MQPMO_ASYNC_RESPONSE
from kew.codes.reasons import MQRC_MULTIPLE_REASONS, MQRC_RECS_PRESENT_ERROR
from kew.faces.records import names_of, object_records, put_records, respond, return_put_records
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.connections.handles import Handle
from kew.mqi.local.connection import LocalConnection
from kew.mqi.objects.distribution import DistributionList, Member


class LocalLists:
    """Distribution lists made from the records of a program's structures; their outcome is written back."""

    def __init__(self, connection: LocalConnection) -> None:
        self._connection = connection

    def open(self, od: Any, options: int, alternate_user: str) -> int:
        """MQOPEN of a list; a destination that could not be opened is an error, as any warning is in these packages."""
        destined = _list_of(od)
        try:
            handle = self._connection.open_list(destined, options, alternate_user)
        finally:
            _tell_opened(od, destined)
        told = destined.outcome()
        if told is not None:
            raise told
        return handle.number

    def set_records(self, handle: Handle, pmo: Any) -> None:
        """Set the put message records of a distribution list; a handle that is not a list takes none."""
        if isinstance(handle.outlet, DistributionList):
            _set_records(handle.outlet, pmo)
        elif pmo.Version >= 2 and pmo.RecsPresent:
            raise MQError(MQRC_RECS_PRESENT_ERROR, records=pmo.RecsPresent)

    def tell(self, handle: Handle, pmo: Any) -> None:
        """Write the outcome of a put to a list back to the program."""
        if isinstance(handle.outlet, DistributionList):
            _tell_put(pmo, handle.outlet)

    def put1(
        self,
        od: Any,
        descriptor: MessageDescriptor,
        pmo: Any,
        data: bytes,
        context: Handle | None,
        alternate_user: str,
    ) -> None:
        """MQPUT1 to a list."""
        destined = _list_of(od)
        _set_records(destined, pmo)
        options = pmo.Options & ~MQPMO_ASYNC_RESPONSE
        try:
            self._connection.put1_list(destined, descriptor, data, options, context, alternate_user)
        finally:
            _tell_opened(od, destined)
            _tell_put(pmo, destined)


def _list_of(od: Any) -> DistributionList:
    return DistributionList([Member(queue, manager) for queue, manager in names_of(object_records(od))])


def _set_records(destined: DistributionList, pmo: Any) -> None:
    raw = put_records(pmo)
    size = put_record_size(pmo.PutMsgRecFields)
    records = []
    for at in range(0, len(raw), size) if size else ():
        records.append(decode_put_fields(raw, at, pmo.PutMsgRecFields, CLIENT_DIALECT))
    destined.give(pmo.PutMsgRecFields, records)


def _tell_opened(od: Any, destined: DistributionList) -> None:
    od.KnownDestCount, od.UnknownDestCount = destined.known, destined.unknown
    od.InvalidDestCount = destined.invalid
    _respond(od, destined)


def _tell_put(pmo: Any, destined: DistributionList) -> None:
    pmo.KnownDestCount, pmo.UnknownDestCount = destined.known, destined.unknown
    pmo.InvalidDestCount = destined.invalid
    if destined.records:
        written = [encode_put_fields(record, destined.fields, CLIENT_DIALECT) for record in destined.records]
        return_put_records(pmo, b"".join(written))
    _respond(pmo, destined)


def _respond(structure: Any, destined: DistributionList) -> None:
    if destined.reason == MQRC_MULTIPLE_REASONS:
        respond(structure, [(member.completion, member.reason) for member in destined.members])
