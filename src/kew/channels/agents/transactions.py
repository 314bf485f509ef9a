"""XA over a channel: a transaction manager in the client's program begins, ends and resolves branches.

A branch goes by its XID: format, lengths and bytes, packed into one string, which is also what DISPLAY shows. Once a
branch is ended on a connection, any connection may prepare and resolve it; a prepared one survives everything.
"""

from functools import partial
from struct import Struct
from typing import Final

from kew.channels.agents.dialogue import Dialogue
from kew.channels.protocol.segments import (
    XA_CLOSE,
    XA_COMMIT,
    XA_END,
    XA_FORGET,
    XA_OPEN,
    XA_PREPARE,
    XA_RECOVER,
    XA_ROLLBACK,
    XA_START,
)
from kew.channels.protocol.xa import (
    MAX_XIDS,
    TMJOIN,
    TMRESUME,
    XA_OK,
    XA_RBROLLBACK,
    XA_RDONLY,
    XAER_INVAL,
    XAER_NOTA,
    XAER_PROTO,
    XAER_RMERR,
    XAER_RMFAIL,
    XaCall,
    Xid,
    recover_reply,
    xa_reply,
)
from kew.codes.errors import MQError
from kew.codes.reasons import (
    MQRC_BACKED_OUT,
    MQRC_CONNECTION_BROKEN,
    MQRC_HCONN_ERROR,
    MQRC_UOW_ENLISTMENT_ERROR,
    MQRC_UOW_IN_PROGRESS,
    MQRC_UOW_NOT_AVAILABLE,
)
from kew.mqi import units
from kew.mqi.local import LocalConnection
from kew.storage.unit import BEGIN

XAER_DUPID: Final = -8
_HEAD: Final = Struct(">iBB")
_VALUES: Final = {
    MQRC_BACKED_OUT: XA_RBROLLBACK,
    MQRC_UOW_NOT_AVAILABLE: XAER_NOTA,
    MQRC_UOW_ENLISTMENT_ERROR: XAER_DUPID,
    MQRC_UOW_IN_PROGRESS: XAER_PROTO,
    MQRC_CONNECTION_BROKEN: XAER_RMFAIL,
    MQRC_HCONN_ERROR: XAER_RMFAIL,
}


def packed(xid: Xid) -> bytes:
    """An XID as the engine keeps it."""
    return _HEAD.pack(xid.format_id, len(xid.global_id), len(xid.branch)) + xid.global_id + xid.branch


def unpacked(data: bytes) -> Xid | None:
    """An XID from the engine; None for one that did not come by a channel."""
    if len(data) < _HEAD.size:
        return None
    format_id, first, second = _HEAD.unpack_from(data, 0)
    if len(data) != _HEAD.size + first + second:
        return None
    return Xid(format_id, data[_HEAD.size : _HEAD.size + first], data[_HEAD.size + first :])


class Transactions:
    """The XA calls of one conversation."""

    def __init__(self, dialogue: Dialogue, local: LocalConnection) -> None:
        self._dialogue = dialogue
        self._local = local

    def perform(self, call: XaCall) -> None:
        """Carry out one call, in a worker: most of them wait for the log."""
        kind = call.kind
        if kind in (XA_OPEN, XA_CLOSE, XA_FORGET):
            self._dialogue.say(xa_reply(call, XA_OK))
        elif kind == XA_RECOVER:
            found = [unpacked(xid) for xid in self._local.recover()]
            known = [xid for xid in found if xid is not None]
            self._dialogue.say(recover_reply(call, known[: min(call.count or MAX_XIDS, MAX_XIDS)]))
        elif not call.xids:
            self._dialogue.say(xa_reply(call, XAER_INVAL))
        else:
            branch = Branch(self._local, call, packed(call.xids[0]))
            self._dialogue.slowly(branch.work, partial(self._done, branch))

    def _done(self, branch: "Branch", reason: int) -> None:
        value = _VALUES.get(reason, XAER_RMERR) if reason else branch.value
        self._dialogue.say(xa_reply(branch.call, value))


class Branch:
    """A call about one branch."""

    def __init__(self, local: LocalConnection, call: XaCall, xid: bytes) -> None:
        self.call = call
        self.value = XA_OK
        self._local = local
        self._xid = xid

    def work(self) -> None:
        """Do what was asked."""
        local, kind = self._local, self.call.kind
        if kind == XA_START and self.call.xa_flags & (TMJOIN | TMRESUME):
            local.engine.run(self._join)
        elif kind == XA_START:
            local.start_branch(self._xid)
        elif kind == XA_END:
            local.end_branch()
        elif kind == XA_PREPARE:
            if local.engine.run(self._nothing_done):
                self.value = XA_RDONLY
            local.prepare(self._xid)
        elif kind == XA_COMMIT:
            local.commit_branch(self._xid)
        elif kind == XA_ROLLBACK:
            local.back_out_branch(self._xid)
        else:
            self.value = XAER_INVAL

    def _join(self) -> None:
        connection = self._local.connection
        connection.check()
        if connection.unit is not None:
            raise MQError(MQRC_UOW_IN_PROGRESS)
        unit = units.find_branch(self._local.engine, self._xid)
        if unit is None:
            raise MQError(MQRC_UOW_NOT_AVAILABLE, xid=self._xid.hex())
        connection.unit = unit
        connection.xid = self._xid

    def _nothing_done(self) -> bool:
        unit = units.find_branch(self._local.engine, self._xid)
        return unit is not None and unit.state == BEGIN
