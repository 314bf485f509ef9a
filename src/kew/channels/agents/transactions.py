"""XA over a channel: a transaction manager in the client's program begins, ends and resolves branches.

A branch is known by its XID: format, lengths and bytes, packed into one string, which DISPLAY shows too. Once a branch
is ended on a connection, any connection may prepare and resolve it; a prepared branch survives the end of its
connection and a restart.
"""

from functools import partial
from typing import Final

from kew.channels.agents.callqueue import CallQueue
from kew.channels.protocol.segments import (
    FORM_MULTIPLEXED,
    HEADER_SIZES,
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
    TMENDRSCAN,
    TMFAIL,
    TMJOIN,
    TMONEPHASE,
    TMRESUME,
    TMSTARTRSCAN,
    TMSUSPEND,
    XA_OK,
    XA_RBROLLBACK,
    XA_RDONLY,
    XAER_DUPID,
    XAER_INVAL,
    XAER_NOTA,
    XAER_OUTSIDE,
    XAER_PROTO,
    XAER_RMERR,
    XAER_RMFAIL,
    XID_ROOM,
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
from kew.mqi.local.connection import LocalConnection
from kew.mqi.transactions import units
from kew.storage import xid as names
from kew.storage.unit import BEGIN

_ANSWER: Final = HEADER_SIZES[FORM_MULTIPLEXED] + 20 + 3  # length of a reply without XIDs, and its padding
_VALUES: Final = {
    MQRC_BACKED_OUT: XA_RBROLLBACK,
    MQRC_UOW_NOT_AVAILABLE: XAER_NOTA,
    MQRC_UOW_ENLISTMENT_ERROR: XAER_DUPID,
    MQRC_UOW_IN_PROGRESS: XAER_PROTO,
    MQRC_CONNECTION_BROKEN: XAER_RMFAIL,
    MQRC_HCONN_ERROR: XAER_RMFAIL,
}


def packed(xid: Xid) -> bytes:
    """Pack an XID as the engine keeps it."""
    return names.pack(xid.format_id, xid.global_id, xid.branch)


def unpacked(data: bytes) -> Xid | None:
    """Unpack an XID of the engine; None for an XID that did not arrive over a channel."""
    parts = names.unpack(data)
    return None if parts is None else Xid(*parts)


def fitting(segment: int) -> int:
    """Give the number of XIDs that certainly fit the one segment of a reply; the scan continues with the rest."""
    return (segment - _ANSWER) // XID_ROOM


class Transactions:
    """The XA calls of one conversation."""

    def __init__(self, call_queue: CallQueue, local: LocalConnection) -> None:
        self._call_queue = call_queue
        self._local = local
        self._scan: list[Xid] | None = None  # branches in doubt that a scan has not yet given

    def perform(self, call: XaCall) -> None:
        """Carry out one XA call, in a worker: most of them wait for the log."""
        kind = call.kind
        if kind in (XA_OPEN, XA_CLOSE):
            self._call_queue.say(xa_reply(call, XA_OK))
        elif kind == XA_RECOVER:
            self._recover(call)
        elif not call.xids or not call.xids[0].is_valid or call.xids[0].format_id in names.OWNERS:
            self._call_queue.say(xa_reply(call, XAER_INVAL))
        else:
            branch = Branch(self._local, call, packed(call.xids[0]))
            self._call_queue.slowly(branch.work, partial(self._done, branch))

    def _recover(self, call: XaCall) -> None:
        """Answer xa_recover with the next branches in doubt; a scan begins and ends as the flags say."""
        if call.xa_flags & TMSTARTRSCAN:
            found = [unpacked(xid) for xid in self._local.recover()]
            self._scan = [xid for xid in found if xid is not None]
        if self._scan is None:
            self._call_queue.say(xa_reply(call, XAER_INVAL))
            return
        most = min(call.count or MAX_XIDS, MAX_XIDS, fitting(self._call_queue.session.max_segment))
        told, self._scan = self._scan[:most], self._scan[most:]
        if call.xa_flags & TMENDRSCAN:
            self._scan = None
        self._call_queue.say(recover_reply(call, told))

    def _done(self, branch: "Branch", reason: int) -> None:
        value = _VALUES.get(reason, XAER_RMERR) if reason else branch.value
        self._call_queue.say(xa_reply(branch.call, value))


class Branch:
    """An XA call for one branch."""

    def __init__(self, local: LocalConnection, call: XaCall, xid: bytes) -> None:
        self.call = call
        self.value = XA_OK
        self._local = local
        self._xid = xid

    def work(self) -> None:
        """Carry out the call."""
        local, kind, run = self._local, self.call.kind, self._local.engine.run
        if kind == XA_START:
            run(self._start)
        elif kind == XA_END:
            run(self._end)
        elif kind == XA_PREPARE:
            if run(self._nothing_done):
                self.value = XA_RDONLY
            local.prepare(self._xid)
        elif kind == XA_COMMIT:
            run(partial(units.check_prepared, local.engine, self._xid, not self.call.xa_flags & TMONEPHASE))
            local.commit_branch(self._xid)
        elif kind == XA_ROLLBACK:
            run(partial(units.check_ended, local.engine, self._xid))
            local.back_out_branch(self._xid)
        elif kind == XA_FORGET:
            run(self._forget)
        else:
            self.value = XAER_INVAL

    def _start(self) -> None:
        connection, flags = self._local.connection, self.call.xa_flags
        if connection.unit is not None and not connection.xid:
            self.value = XAER_OUTSIDE  # the program has work outside a branch
        elif flags & TMRESUME:
            units.resume_branch(connection, self._xid)
        elif flags & TMJOIN:
            units.join_branch(connection, self._xid)
        else:
            units.start_branch(connection, self._xid)

    def _end(self) -> None:
        connection, flags = self._local.connection, self.call.xa_flags
        if flags & TMSUSPEND:
            units.suspend_branch(connection, self._xid)
        else:
            units.end_branch(connection, self._xid, flags & TMFAIL != 0)

    def _nothing_done(self) -> bool:
        unit = units.check_ended(self._local.engine, self._xid)
        return unit.state == BEGIN and not unit.spoiled

    def _forget(self) -> None:
        """Refuse xa_forget: the queue manager never completes a branch heuristically, so there is none to forget."""
        known = units.find_branch(self._local.engine, self._xid) is not None
        raise MQError(MQRC_UOW_IN_PROGRESS if known else MQRC_UOW_NOT_AVAILABLE, xid=self._xid.hex())
