"""SYSTEM.CHANNEL.SYNCQ: where the synchronisation records of one end of a channel are kept and replaced.

A record is put in the unit of work of its batch; the record before it is removed once that unit has ended, without a
wait for the log. A crash in between leaves two records of one key, of which the higher serial counts.
"""

import os
from typing import Final

from kew.channels.mca.record import RECORD_SIZE, RecordError, RecordOwner, SyncRecord, decode_owner, decode_record
from kew.codes.errors import MQError
from kew.codes.options import (
    MQENC_NATIVE,
    MQFMT_NONE,
    MQGMO_BROWSE_FIRST,
    MQGMO_BROWSE_NEXT,
    MQGMO_NO_SYNCPOINT,
    MQGMO_NO_WAIT,
    MQMO_MATCH_CORREL_ID,
    MQMO_MATCH_MSG_ID,
    MQOO_BROWSE,
    MQOO_INPUT_SHARED,
    MQOO_OUTPUT,
    MQPER_PERSISTENT,
    MQPMO_NO_SYNCPOINT,
    MQPMO_SYNCPOINT,
)
from kew.codes.reasons import MQRC_NO_MSG_AVAILABLE
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.connections.handles import Handle
from kew.mqi.gets.request import GetRequest, Got, match_of
from kew.mqi.local.connection import LocalConnection
from kew.mqi.local.gets import get_now
from kew.queues.match import Match
from kew.storage.log import LogAddress
from kew.storage.unit import Unit

QUEUE: Final = "SYSTEM.CHANNEL.SYNCQ"


class SyncQueue:
    """The records of one end of one channel, on the connection of its agent. One thread at a time uses them."""

    def __init__(self, local: LocalConnection, owner: RecordOwner) -> None:
        self.owner = owner
        self._local = local
        self._handle = local.open(QUEUE, MQOO_INPUT_SHARED | MQOO_OUTPUT | MQOO_BROWSE)
        self._kept: list[int] = []  # serials of the messages that are on the queue

    def load(self) -> SyncRecord:
        """Give the newest record; if there is none, a new one, forced to disk."""
        record = self.find()
        if record is None:
            record = SyncRecord(self.owner.kind, 1, os.urandom(8))
            self._local.engine.log.force(self.store(record))
        return record

    def find(self) -> SyncRecord | None:
        """Give the newest record, if there is one. A record that cannot be read counts as lost."""
        newest: SyncRecord | None = None
        self._kept = []
        option = MQGMO_BROWSE_FIRST
        while True:
            got = self._read(option, MessageDescriptor(message_id=self.owner.key), MQMO_MATCH_MSG_ID)
            if got is None:
                return newest
            option = MQGMO_BROWSE_NEXT
            self._kept.append(int.from_bytes(got.descriptor.correlation_id[-8:], "big"))
            try:
                record = decode_record(got.data[:RECORD_SIZE])
            except RecordError as damage:
                self._local.engine.notices.tell("AMQ9517E", (), (QUEUE, str(damage)))
                continue
            if newest is None or record.serial > newest.serial:
                newest = record

    def store(self, record: SyncRecord) -> LogAddress:
        """Store a record that belongs to no batch, in no unit of work; gives the log address to wait for."""
        self._put(record, MQPMO_NO_SYNCPOINT)
        self.committed(record.serial)
        return self._local.engine.log.next_address

    def put_in(self, unit: Unit | None, record: SyncRecord) -> Unit:
        """Put a record in a unit of work, a new one if there is none; gives the unit."""
        connection = self._local.connection
        own = connection.unit
        connection.unit = unit
        try:
            self._put(record, MQPMO_SYNCPOINT)
            found = connection.unit
            assert found is not None
            return found
        finally:
            connection.unit = own

    def committed(self, serial: int) -> None:
        """Remove the replaced record, now that the unit of work is committed."""
        older = [each for each in self._kept if each < serial]
        for each in older:
            self._remove(each)
        self._kept = [each for each in self._kept if each >= serial]

    def undone(self, serial: int) -> None:
        """Note that a record is gone, since its unit of work was backed out."""
        self._kept = [each for each in self._kept if each < serial]

    def remove_all(self) -> None:
        """Remove every record: the channel is deleted."""
        self.find()
        for each in self._kept:
            self._remove(each)
        self._kept = []

    def close(self) -> None:
        """Close the queue."""
        self._local.close(self._handle)

    def _put(self, record: SyncRecord, options: int) -> None:
        descriptor = MessageDescriptor(
            encoding=MQENC_NATIVE,
            format=MQFMT_NONE,
            persistence=MQPER_PERSISTENT,
            message_id=self.owner.key,
            correlation_id=_serial(record.serial),
        )
        self._local.put(self._handle, descriptor, record.encode() + self.owner.encode(), options)
        self._kept.append(record.serial)

    def _remove(self, serial: int) -> None:
        wanted = MessageDescriptor(message_id=self.owner.key, correlation_id=_serial(serial))
        self._read(MQGMO_NO_SYNCPOINT, wanted, MQMO_MATCH_MSG_ID | MQMO_MATCH_CORREL_ID)

    def _read(self, options: int, wanted: MessageDescriptor, match: int) -> Got | None:
        """Browse or get a record without a wait for the log."""
        return _read(self._local, self._handle, options, match_of(match, wanted))


def all_records(local: LocalConnection) -> list[tuple[RecordOwner, SyncRecord]]:
    """Give the newest record of each end of each channel."""
    handle = local.open(QUEUE, MQOO_BROWSE)
    found: dict[bytes, tuple[RecordOwner, SyncRecord]] = {}
    option = MQGMO_BROWSE_FIRST
    try:
        while True:
            got = _read(local, handle, option, None)
            if got is None:
                return list(found.values())
            option = MQGMO_BROWSE_NEXT
            try:
                record = decode_record(got.data[:RECORD_SIZE])
            except RecordError:
                continue
            key = got.descriptor.message_id
            if key not in found or found[key][1].serial < record.serial:
                found[key] = decode_owner(record.kind, got.data), record
    finally:
        local.close(handle)


def _read(local: LocalConnection, handle: Handle, options: int, match: Match | None) -> Got | None:
    try:
        return get_now(GetRequest(local.connection, handle, options | MQGMO_NO_WAIT, match, -1))
    except MQError as error:
        if error.reason == MQRC_NO_MSG_AVAILABLE:
            return None
        raise


def _serial(serial: int) -> bytes:
    return serial.to_bytes(24, "big")
