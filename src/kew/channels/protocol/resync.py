"""RESYNC_DATA, and the verdict of a sending end on the batch in doubt.

IBM's body of RESYNC_DATA is not public. The following body is Kew's, used only between two Kews, before any message:

     0 i4 length, 48 + 16 n    4 i4 version, 1    8 i4 flags: 1 in doubt, 2 new record, 4 number was reset
    12 i4 n, batches in doubt, 0 to 8
    16 i4 number of the last message of the last batch committed    20 b8 that batch's LUWID
    28 b8 epoch of this end's record: random, made with the record
    36 b8 epoch of the partner's record as this end remembers it, zero if none
    44 i4 0
    48 n times: i4 number of the batch's last message, b8 LUWID, i4 number of messages; oldest first

Each end keeps, durably and together with the messages, the number of the last message of the last batch and that
batch's LUWID. The sending end alone decides, and the LUWID decides whether a batch has arrived: sequence numbers can be
reset by operators, an LUWID is never used twice. The epoch tells whether a record is still the same one: a receiving
end whose record was lost cannot say whether a batch has arrived, so the sending end stays in doubt.
"""

from typing import Final

from kew.channels.protocol.dialect import Dialect, need, pair
from kew.channels.protocol.errors import ProtocolError
from kew.channels.protocol.events import Event
from kew.channels.protocol.segments import NO_UNIT, RESYNC_DATA
from kew.channels.protocol.status import INVALID_DATA

NO_EPOCH: Final = bytes(8)
MOST_IN_DOUBT: Final = 8

# Why a channel cannot go on after it has resynchronised.
SETTLED: Final = 0  # it can
NUMBERS_DIFFER: Final = 1
RECORD_REPLACED: Final = 2
UNKNOWN_BATCH: Final = 3
UNKNOWN_PARTNER: Final = 4

_VERSION: Final = 1
_IN_DOUBT: Final = 1
_NEW: Final = 2
_RESET: Final = 4
_HEAD_SIZE: Final = 48
_BATCH_SIZE: Final = 16
_HEAD: Final = pair("iiiii8s8s8si")
_BATCH: Final = pair("i8si")


class Batch:
    """A batch: the number of its last message, its LUWID, and how many messages the batch has in the unit of work."""

    def __init__(self, number: int, luwid: bytes, count: int = 0) -> None:
        self.number = number
        self.luwid = luwid
        self.count = count

    def same(self, other: "Batch") -> bool:
        """Say whether both are the same batch, by LUWID and number."""
        return self.luwid == other.luwid and self.number == other.number

    def __repr__(self) -> str:
        return f"Batch({self.number}, {self.luwid.hex()}, {self.count})"


NO_BATCH: Final = Batch(0, NO_UNIT)


class Kept:
    """The synchronisation record of one end as the protocol needs it."""

    def __init__(
        self,
        epoch: bytes,
        last: Batch = NO_BATCH,
        partner: bytes = NO_EPOCH,
        doubtful: tuple[Batch, ...] = (),
        new: bool = False,
        reset: bool = False,
    ) -> None:
        self.epoch = epoch
        self.last = last  # committed
        self.partner = partner  # the epoch of the partner's record
        self.doubtful = doubtful  # prepared and not settled, oldest first; empty at a receiving end
        self.new = new
        self.reset = reset


class Resync(Event):
    """RESYNC_DATA: the contents of one end's synchronisation record."""

    def __init__(self, kept: Kept) -> None:
        super().__init__(RESYNC_DATA)
        self.kept = kept

    def encode(self, dialect: Dialect) -> bytes:
        """Encode the body."""
        kept = self.kept
        order = dialect.order
        count = len(kept.doubtful)
        flags = (_IN_DOUBT if count else 0) | (_NEW if kept.new else 0) | (_RESET if kept.reset else 0)
        parts = [
            _HEAD[order].pack(
                _HEAD_SIZE + _BATCH_SIZE * count,
                _VERSION,
                flags,
                count,
                kept.last.number,
                kept.last.luwid,
                kept.epoch,
                kept.partner,
                0,
            )
        ]
        parts += [_BATCH[order].pack(batch.number, batch.luwid, batch.count) for batch in kept.doubtful]
        return b"".join(parts)


def decode_resync(data: bytes, offset: int, end: int, dialect: Dialect) -> Resync:
    """Read RESYNC_DATA; a body that is not Kew's is refused, since its meaning is not public."""
    need(offset, _HEAD_SIZE, end, "RESYNC_DATA")
    order = dialect.order
    length, version, flags, count, number, luwid, epoch, partner, _ = _HEAD[order].unpack_from(data, offset)
    if version != _VERSION:
        raise ProtocolError(offset + 4, f"version {_VERSION} of RESYNC_DATA", version, INVALID_DATA)
    if not 0 <= count <= MOST_IN_DOUBT:
        raise ProtocolError(offset + 12, f"0 to {MOST_IN_DOUBT} batches in doubt", count, INVALID_DATA)
    if length != _HEAD_SIZE + _BATCH_SIZE * count or length != end - offset:
        raise ProtocolError(offset, f"{_HEAD_SIZE + _BATCH_SIZE * count} bytes of RESYNC_DATA", length, INVALID_DATA)
    if (flags & _IN_DOUBT != 0) != (count > 0):
        raise ProtocolError(offset + 8, "a flag of doubt that fits the batches", flags, INVALID_DATA)
    if number < 0:
        raise ProtocolError(offset + 16, "a sequence number of 0 or more", number, INVALID_DATA)
    if epoch == NO_EPOCH:
        raise ProtocolError(offset + 28, "the epoch of a record", epoch, INVALID_DATA)
    doubtful: list[Batch] = []
    at = offset + _HEAD_SIZE
    for _ in range(count):
        last, unit, messages = _BATCH[order].unpack_from(data, at)
        if last < 0 or messages < 0 or unit == NO_UNIT:
            raise ProtocolError(at, "a batch with a number, an LUWID and a count", (last, messages), INVALID_DATA)
        doubtful.append(Batch(last, unit, messages))
        at += _BATCH_SIZE
    last_batch = Batch(number, luwid)
    return Resync(Kept(epoch, last_batch, partner, tuple(doubtful), flags & _NEW != 0, flags & _RESET != 0))


class Verdict:
    """The verdict of a sending end: commit the first `arrived` batches in doubt and, if `settled`, back out the others.

    A cause other than SETTLED ends the channel. If `settled` is not true nothing is committed or backed out, and the
    batches stay in doubt until RESOLVE CHANNEL. `expected` is the number of the last message that the receiving end
    has.
    """

    def __init__(self, cause: int, settled: bool, arrived: int, expected: int) -> None:
        self.cause = cause
        self.settled = settled
        self.arrived = arrived
        self.expected = expected


def decide(own: Kept, theirs: Kept, numbers_matter: bool) -> Verdict:
    """Compare the records of both ends, as the sending end does.

    Without `numbers_matter`, sequence numbers may differ: on a cluster channel, with IgnoreSeqNumberMismatch, or before
    a reset is sent.
    """
    number = theirs.last.number
    arrived = 0
    last = own.last
    if own.doubtful:
        if theirs.epoch != own.partner:
            return Verdict(RECORD_REPLACED, False, 0, number)
        luwid = theirs.last.luwid
        for index, batch in enumerate(own.doubtful):
            if batch.luwid == luwid:
                arrived = index + 1
                last = batch
        if not arrived and luwid != own.last.luwid:
            return Verdict(UNKNOWN_BATCH, False, 0, number)
    if numbers_matter and number != last.number:
        return Verdict(NUMBERS_DIFFER, True, arrived, number)
    return Verdict(SETTLED, True, arrived, number)
