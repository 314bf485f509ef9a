"""Names (xids) of prepared units of work, and the formats that parts of the queue manager use.

    0 i4 format   4 u1 length of the global id   5 u1 length of the branch id   6 global id, then branch id

A transaction manager names its branches; a part of the queue manager (a message channel) that prepares units names them
itself, in a format of its own. Only that part ends such a unit: it finds its units after a restart by their format, and
has its own data in the two ids.
"""

from struct import Struct
from typing import Final

LONGEST_PART: Final = 64  # bytes of a global id or a branch id
CHANNEL_BATCH: Final = 0x4B455743  # format of the batches of sending message channels, 'KEWC'

# Format -> the owner of these units, and the command that decides them.
OWNERS: Final = {CHANNEL_BATCH: ("a message channel", "RESOLVE CHANNEL")}

_HEAD: Final = Struct(">iBB")


def pack(format_id: int, global_id: bytes, branch: bytes) -> bytes:
    """Make an xid from its parts."""
    if len(global_id) > LONGEST_PART or len(branch) > LONGEST_PART:
        raise ValueError(f"the ids of a unit of work have at most {LONGEST_PART} bytes")
    return _HEAD.pack(format_id, len(global_id), len(branch)) + global_id + branch


def unpack(name: bytes) -> tuple[int, bytes, bytes] | None:
    """Give format, global id and branch id of an xid; None if it was not made by `pack`."""
    if len(name) < _HEAD.size:
        return None
    format_id, first, second = _HEAD.unpack_from(name, 0)
    if len(name) != _HEAD.size + first + second:
        return None
    return format_id, name[_HEAD.size : _HEAD.size + first], name[_HEAD.size + first :]


def owner_format(name: bytes) -> int:
    """Give the format of an xid that belongs to a part of the queue manager; 0 for one of a transaction manager."""
    parts = unpack(name)
    return parts[0] if parts is not None and parts[0] in OWNERS else 0
