"""XA: the calls of an external transaction manager. They have no API header.

u4 length, always big-endian   i4 return value   i4 flags   i4 resource manager
start, end, prepare, commit, rollback, forget, complete: XID = i4 format, u1 gtrid, u1 bqual, bytes, zeros to 4
open, close: u1 length, text
recover: i4 count; the reply then has as many XIDs

The length of a call covers its segment; the length of a recover may also count the room for the XIDs asked for, as it
does in IBM's clients from 9.4 on.
"""

from struct import Struct
from typing import Final

from kew.channels.protocol.dialect import Dialect, need, pair, read_i4
from kew.channels.protocol.errors import ProtocolError
from kew.channels.protocol.events import Event
from kew.channels.protocol.segments import FORM_MULTIPLEXED, HEADER_SIZES, REPLY, XA_CLOSE, XA_OPEN, XA_RECOVER
from kew.channels.protocol.status import LENGTH_ERROR

TMJOIN: Final = 0x200000
TMENDRSCAN: Final = 0x800000
TMSTARTRSCAN: Final = 0x1000000
TMSUSPEND: Final = 0x2000000
TMSUCCESS: Final = 0x4000000
TMRESUME: Final = 0x8000000
TMFAIL: Final = 0x20000000
TMONEPHASE: Final = 0x40000000

XA_OK: Final = 0
XA_RDONLY: Final = 3
XA_RBROLLBACK: Final = 100
XAER_RMERR: Final = -3
XAER_NOTA: Final = -4
XAER_INVAL: Final = -5
XAER_PROTO: Final = -6
XAER_RMFAIL: Final = -7
XAER_DUPID: Final = -8
XAER_OUTSIDE: Final = -9

MAX_XIDS: Final = 1024
MAX_XID_PART: Final = 64
XID_ROOM: Final = 136  # bytes of the longest XID
NULL_XID: Final = -1  # format of a null XID

_LENGTH: Final = Struct(">I")
_HEAD: Final = pair("iii")
_XID: Final = pair("iBB")
_COUNT: Final = pair("i")


class Xid:
    """The name of a global transaction and of one branch of it."""

    def __init__(self, format_id: int, global_id: bytes, branch: bytes) -> None:
        self.format_id = format_id
        self.global_id = global_id
        self.branch = branch

    @property
    def is_valid(self) -> bool:
        """Say whether the XID can name a branch."""
        return self.format_id != NULL_XID and max(len(self.global_id), len(self.branch)) <= MAX_XID_PART

    def encode(self, dialect: Dialect) -> bytes:
        """Encode the XID, padded with zeros to a multiple of 4."""
        out: bytes = _XID[dialect.order].pack(self.format_id, len(self.global_id), len(self.branch))
        out += self.global_id + self.branch
        return out + bytes(-len(out) & 3)


class XaCall(Event):
    """An XA call or its reply; its kind decides which fields count."""

    def __init__(self, kind: int) -> None:
        super().__init__(kind)
        self.return_value: int = XA_OK
        self.xa_flags: int = 0
        self.resource_manager: int = 0
        self.info: bytes = b""
        self.count: int = 0
        self.xids: list[Xid] = []

    def encode(self, dialect: Dialect) -> bytes:
        """Encode the head, then the fields of the kind of call."""
        body: bytes = _HEAD[dialect.order].pack(self.return_value, self.xa_flags, self.resource_manager)
        base = self.kind & ~REPLY
        if base in (XA_OPEN, XA_CLOSE):
            body += bytes((len(self.info),)) + dialect.text_out(self.info)
        elif base == XA_RECOVER:
            body += _COUNT[dialect.order].pack(self.count)
        for xid in self.xids:
            body += xid.encode(dialect)
        return _LENGTH.pack(len(body) + 4) + body


def xa_reply(call: XaCall, return_value: int) -> XaCall:
    """Make the reply to an XA call, with everything else copied."""
    reply = XaCall(call.kind + REPLY)
    reply.conversation_id = call.conversation_id
    reply.request_id = call.request_id
    reply.epoch = call.epoch
    reply.dialect = call.dialect
    reply.return_value = return_value
    reply.xa_flags = call.xa_flags
    reply.resource_manager = call.resource_manager
    reply.info = call.info
    reply.xids = call.xids
    return reply


def recover_reply(call: XaCall, xids: list[Xid]) -> XaCall:
    """Make the reply to xa_recover, with the branches in doubt."""
    reply = xa_reply(call, len(xids))
    reply.count = len(xids)
    reply.xids = xids
    return reply


def decode_xa(kind: int, data: bytes, offset: int, end: int, dialect: Dialect) -> XaCall:
    """Read an XA call or reply."""
    need(offset, 16, end, "an XA call")
    length: int = _LENGTH.unpack_from(data, offset)[0]
    longest = end - offset + HEADER_SIZES[FORM_MULTIPLEXED]
    if kind == XA_RECOVER:
        longest += MAX_XIDS * XID_ROOM
    if length < 16 or length > longest:
        raise ProtocolError(offset, f"an XA length of 16 to {longest}", length, LENGTH_ERROR)
    call = XaCall(kind)
    call.return_value, call.xa_flags, call.resource_manager = _HEAD[dialect.order].unpack_from(data, offset + 4)
    offset += 16
    base = kind & ~REPLY
    if base in (XA_OPEN, XA_CLOSE):
        if offset < end:
            size = data[offset]
            need(offset + 1, size, end, "the XA open string")
            call.info = dialect.text_in(data[offset + 1 : offset + 1 + size])
        return call
    if base == XA_RECOVER:
        call.count = read_i4(data, offset, end, dialect, "the number of XIDs")
        if call.count < 0 or call.count > MAX_XIDS:
            raise ProtocolError(offset, f"0 to {MAX_XIDS} XIDs", call.count)
        offset += 4
        if kind != XA_RECOVER:
            for _ in range(call.count):
                xid, offset = _decode_xid(data, offset, end, dialect)
                call.xids.append(xid)
        return call
    if offset < end:
        xid, _ = _decode_xid(data, offset, end, dialect)
        call.xids.append(xid)
    return call


def _decode_xid(data: bytes, offset: int, end: int, dialect: Dialect) -> tuple[Xid, int]:
    need(offset, 6, end, "an XID")
    format_id, global_length, branch_length = _XID[dialect.order].unpack_from(data, offset)
    start = offset + 6
    size = (6 + global_length + branch_length + 3) & ~3
    need(offset, 6 + global_length + branch_length, end, "an XID")
    xid = Xid(
        format_id,
        data[start : start + global_length],
        data[start + global_length : start + global_length + branch_length],
    )
    return xid, min(offset + size, end)
