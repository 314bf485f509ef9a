"""Batches in doubt: prepared units of work, named after their channel and batch.

The global id is the key of the channel's record, the branch id `b8 LUWID | i4 number of the last message | i4 messages
in the unit`, big-endian. Only the sending end of the channel, or RESOLVE CHANNEL, ends these units.
"""

from struct import Struct
from typing import Final

from kew.channels.protocol.resync import Batch
from kew.mqi.engine import Engine
from kew.storage import xid
from kew.storage.unit import Unit

_BRANCH: Final = Struct(">8sii")


def name_of(key: bytes, batch: Batch) -> bytes:
    """Give the name of a batch's unit of work."""
    return xid.pack(xid.CHANNEL_BATCH, key, _BRANCH.pack(batch.luwid, batch.number, batch.count))


def batch_of(unit: Unit) -> Batch:
    """Give the batch of a unit of work."""
    parts = xid.unpack(unit.xid)
    assert parts is not None
    luwid, number, count = _BRANCH.unpack(parts[2])
    return Batch(number, luwid, count)


def units_in_doubt(engine: Engine, key: bytes) -> list[Unit]:
    """Give the prepared units of a channel, oldest batch first. Under the engine lock."""
    found = [unit for unit in engine.units.prepared(xid.CHANNEL_BATCH) if _key_of(unit) == key]
    return sorted(found, key=_luwid)


def _key_of(unit: Unit) -> bytes:
    parts = xid.unpack(unit.xid)
    return parts[1] if parts is not None else b""


def _luwid(unit: Unit) -> bytes:
    return batch_of(unit).luwid
