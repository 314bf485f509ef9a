"""The synchronisation record of one end of a message channel: one persistent message on SYSTEM.CHANNEL.SYNCQ.

Integers are little-endian. The names behind the record say whose it is, for people and for RESET CHANNEL.

     0 "KSYN"      4 u2 version, 1      6 u2 kind: 1 sending end, 2 receiving end
     8 u8 serial: grows with each record of this end
    16 b8 epoch, random, made with the first record    24 b8 epoch of the partner's record
    32 i4 number of the last message committed          36 b8 LUWID of its batch
    44 b8 newest LUWID used                             52 i4 pending RESET CHANNEL SEQNUM, 0 if none
    56 i4 number of batches committed, modulo 2^31      60 u4 CRC-32 of all before it
    64 c20 channel    84 c48 transmission queue, or QMID of the partner    132 c48 queue manager of the partner

A record is put in the unit of work of the batch that it describes, so that both are kept or neither is. It replaces the
record before it, which is removed only when the new one is on disk: of several records of one end the one with the
highest serial counts. The MsgId of the message is the key of the record (channel, transmission queue or partner) as a
digest, the CorrelId its serial.
"""

from hashlib import sha256
from struct import Struct
from typing import Final

from kew.channels.protocol.resync import NO_BATCH, NO_EPOCH, Batch, Kept
from kew.channels.protocol.segments import NO_UNIT
from kew.storage.checksum import crc32

SENDING: Final = 1
RECEIVING: Final = 2
RECORD_SIZE: Final = 64

_EYE: Final = b"KSYN"
_VERSION: Final = 1
_NAMES: Final = (20, 48, 48)
_BODY: Final = Struct("<4sHHQ8s8si8s8sii")
_CRC: Final = Struct("<I")
_COUNT: Final = (1 << 31) - 1


class RecordError(Exception):
    """A synchronisation record cannot be read: it is damaged, or of another version of Kew."""


class SyncRecord:
    """The synchronisation record of one end of a channel. It is immutable: `after` and `changed` make the next one."""

    def __init__(
        self,
        kind: int,
        serial: int,
        epoch: bytes,
        partner: bytes = NO_EPOCH,
        last: Batch = NO_BATCH,
        newest: bytes = NO_UNIT,
        reset: int = 0,
        batches: int = 0,
    ) -> None:
        self.kind = kind
        self.serial = serial
        self.epoch = epoch
        self.partner = partner
        self.last = last
        self.newest = newest
        self.reset = reset
        self.batches = batches

    def after(self, batch: Batch) -> "SyncRecord":
        """Make the record that is committed with this batch; a batch of fast messages only keeps the number."""
        return SyncRecord(
            self.kind,
            self.serial + 1,
            self.epoch,
            self.partner,
            Batch(batch.number, batch.luwid),
            max(self.newest, batch.luwid),
            0,
            self.batches + 1 & _COUNT,
        )

    def changed(
        self,
        partner: bytes | None = None,
        number: int | None = None,
        newest: bytes | None = None,
        reset: int | None = None,
    ) -> "SyncRecord":
        """Make the next record, with another partner's epoch, last number, newest LUWID or pending reset."""
        return SyncRecord(
            self.kind,
            self.serial + 1,
            self.epoch,
            self.partner if partner is None else partner,
            self.last if number is None else Batch(number, self.last.luwid),
            self.newest if newest is None else newest,
            self.reset if reset is None else reset,
            self.batches,
        )

    def kept(self, doubtful: tuple[Batch, ...] = ()) -> Kept:
        """Give the record in the form of the protocol."""
        return Kept(self.epoch, self.last, self.partner, doubtful, self.batches == 0, self.reset != 0)

    def encode(self) -> bytes:
        """Encode the body of the record's message."""
        body = _BODY.pack(
            _EYE,
            _VERSION,
            self.kind,
            self.serial,
            self.epoch,
            self.partner,
            self.last.number,
            self.last.luwid,
            self.newest,
            self.reset,
            self.batches,
        )
        return body + _CRC.pack(crc32(body))


def decode_record(data: bytes) -> SyncRecord:
    """Read the body of a record's message."""
    if len(data) != RECORD_SIZE or data[:4] != _EYE:
        raise RecordError(f"a synchronisation record has {RECORD_SIZE} bytes and begins with {_EYE!r}")
    if _CRC.unpack_from(data, RECORD_SIZE - 4)[0] != crc32(data[: RECORD_SIZE - 4]):
        raise RecordError("the checksum of a synchronisation record is wrong")
    _, version, kind, serial, epoch, partner, number, luwid, newest, reset, batches = _BODY.unpack_from(data)
    if version != _VERSION or kind not in (SENDING, RECEIVING):
        raise RecordError(f"a synchronisation record has version {_VERSION}, not {version}")
    return SyncRecord(kind, serial, epoch, partner, Batch(number, luwid), newest, reset, batches)


class RecordOwner:
    """One end of one channel: `other` is its transmission queue, or the QMID of the partner of a receiving end."""

    def __init__(self, kind: int, channel: str, other: str, partner: str = "") -> None:
        self.kind = kind
        self.channel = channel
        self.other = other
        self.partner = partner  # the name of the queue manager there
        self.key = sha256(f"{kind}\0{channel}\0{other}".encode()).digest()[:24]

    def encode(self) -> bytes:
        """Give the bytes of the names behind a record."""
        names = (self.channel, self.other, self.partner)
        return b"".join([text.encode()[:width].ljust(width) for text, width in zip(names, _NAMES, strict=True)])


def decode_owner(kind: int, data: bytes) -> RecordOwner:
    """Read the names behind a record; a record without them belongs to a channel without a name."""
    found: list[str] = []
    at = RECORD_SIZE
    for width in _NAMES:
        found.append(data[at : at + width].rstrip(b" \0").decode("utf-8", "replace"))
        at += width
    return RecordOwner(kind, found[0], found[1], found[2])


def first_luwid(now: int, newest: bytes) -> bytes:
    """Make the first LUWID of a channel that starts: the time in seconds, and 1; it is always above the newest one.

    LUWIDs are compared as bytes, so both words are big-endian.
    """
    luwid = (now & 0xFFFFFFFF).to_bytes(4, "big") + b"\0\0\0\1"
    return luwid if luwid > newest else next_luwid(newest)


def next_luwid(luwid: bytes) -> bytes:
    """Give the LUWID of the batch after this one."""
    return (int.from_bytes(luwid, "big") + 1).to_bytes(8, "big")
