"""A program's connection to the queue manager, with its open handles and its unit of work.

The methods here and the verbs run under the engine lock and never wait. Waiting is left to the edges:
`local/connection.py` for programs in this process, channel agents for clients.
"""

import os
from collections.abc import Callable
from typing import Final

from kew.accounting.program import Program
from kew.codes.attributes import MQAS_INACTIVE, MQAS_NONE, MQRQ_CONN_NOT_AUTHORIZED
from kew.codes.completion import MQCC_FAILED
from kew.codes.errors import BackedOut, Broken, MQError
from kew.codes.options import MQACTT_UNIX_NUMERIC_ID, MQCNO_FASTPATH_BINDING, MQOT_Q_MGR
from kew.codes.reasons import (
    MQRC_CONNECTION_BROKEN,
    MQRC_CONNECTION_QUIESCING,
    MQRC_HANDLE_NOT_AVAILABLE,
    MQRC_HCONN_ERROR,
    MQRC_HOBJ_ERROR,
    MQRC_Q_MGR_QUIESCING,
    MQRC_Q_MGR_STOPPING,
    MQRC_SYNCPOINT_LIMIT_REACHED,
    MQRC_UOW_NOT_AVAILABLE,
)
from kew.mqi.connections.handles import DeferredMessage, Handle
from kew.mqi.engine import BROKEN, QUIESCING, STOPPING, Engine
from kew.mqi.messages.transform import Protection
from kew.security.authority import SELF
from kew.security.rights import CONNECT
from kew.storage.unit import IN_FLIGHT, Unit

APPLICATION_TYPE: Final = 6  # MQAT_UNIX


def accounting_token(user_number: int) -> bytes:
    """Make the token of a UNIX user: the length of the number, its digits, and the kind of token in the last byte."""
    digits = str(user_number).encode()
    return (bytes([len(digits)]) + digits).ljust(31, b"\0") + MQACTT_UNIX_NUMERIC_ID


_NUMERIC_ID: Final = accounting_token(os.getuid())


def backed_out(unit: Unit, completion: int = MQCC_FAILED) -> BackedOut:
    """Give the error for a program whose unit of work the queue manager has backed out; a warning at MQCMIT."""
    why = "the unit held the oldest log records when the log was full"
    if unit.spoiled:
        why = "a put in it that was not answered has failed; MQSTAT tells why"
    told = BackedOut(unit=unit.id, why=why)
    told.completion = completion
    return told


def _identifier(user: str) -> bytes:
    """Give a user as a UserIdentifier; blank for a name that is too long, since a cut name may be another user's."""
    name = user.encode()
    return name.ljust(12) if len(name) <= 12 else b"UNKNOWN     "


def _last_part(application: str) -> bytes:
    """Give the name of a program as a PutApplName: the end of a long path, without cutting a character."""
    end = application.encode(errors="replace")[-28:]
    return end.decode(errors="ignore").encode().ljust(28)


class Connection(Program):
    """One program's connection, with the authority of a user who is allowed to connect."""

    def __init__(self, engine: Engine, application: str, user: str, own: bool = False) -> None:
        engine.authority.authorise(user, MQOT_Q_MGR, SELF, CONNECT, MQRQ_CONN_NOT_AUTHORIZED)
        # A channel puts the token of its program in place of that of a program in this process.
        super().__init__(engine.next_connection, user, _last_part(application), _NUMERIC_ID)
        engine.next_connection += 1
        self.engine = engine
        self.user = _identifier(user)
        self.process = os.getpid()
        self.application_type = APPLICATION_TYPE
        self.options = MQCNO_FASTPATH_BINDING  # of the connect; a program in this process has none to choose from
        self.handles: dict[int, Handle] = {}
        self.held: dict[bytes, DeferredMessage] = {}  # deferred messages, by their ids
        self.reserves = False  # messages have been sent ahead to it, reserved for its unit of work
        self.reserved = 0  # how many of them are reserved, by all handles
        self.unit: Unit | None = None
        self.xid = b""  # of the global transaction branch the unit belongs to
        self.suspended: dict[bytes, Unit] = {}  # branches that may be resumed
        self.quiescing = False  # its channel is to stop when the program has left
        self.has_ended = False  # a branch at least, that may not be prepared yet
        self.own = own  # of a part of the queue manager
        self.consumption = MQAS_NONE  # the state that MQCTL has set last
        self.protection: Protection | None = None  # of messages, where that is done in this process
        self.open = True
        self.stopped = False  # by STOP CONN
        self.on_stopped: Callable[[], None] | None = None  # notifies the edge that serves the program, outside the lock
        self._next_handle = 1

    def protect(self, protection: Protection | None) -> None:
        """Set how this process protects the messages of the program; None if it does not protect them."""
        self.protection = protection

    def serve_queue_manager(self) -> None:
        """Mark the connection as one of the queue manager itself, which stays connected while those of programs end."""
        self.own = True

    def check(self) -> None:
        """Refuse a verb on a connection that has ended."""
        if not self.open or self.stopped:
            raise self.gone()
        if self.engine.state >= STOPPING:
            raise Broken(MQRC_CONNECTION_BROKEN if self.engine.state == BROKEN else MQRC_Q_MGR_STOPPING)

    def gone(self) -> MQError:
        """Give the error for a verb on a connection that was ended, by the program or by STOP CONN."""
        if self.stopped:
            return Broken(MQRC_CONNECTION_BROKEN, why="the connection was stopped by command")
        return MQError(MQRC_HCONN_ERROR)

    def note_consumption(self, number: int, state: int) -> None:
        """Note the state of asynchronous consumption (MQCTL, MQCB) of the connection or of one of its handles."""
        if not MQAS_NONE <= state <= MQAS_INACTIVE:
            return
        if not number:
            self.consumption = state
            return
        handle = self.handles.get(number)
        if handle is not None:
            handle.consumption = state

    def refuse_if_quiescing(self) -> None:
        """Refuse a verb with FAIL_IF_QUIESCING while the queue manager or the connection's channel is quiescing."""
        if self.engine.state == QUIESCING:
            raise MQError(MQRC_Q_MGR_QUIESCING)
        if self.quiescing:
            raise MQError(MQRC_CONNECTION_QUIESCING)

    def unit_for_work(self) -> Unit:
        """Give the unit of work, beginning one if there is none.

        A unit that the queue manager has backed out takes no more work until the program ends it.
        """
        unit = self.unit
        if unit is None:
            unit = self.engine.units.begin()
            self.unit = unit
        elif unit.forced_out:
            raise backed_out(unit)
        elif unit.state > IN_FLIGHT:
            raise MQError(MQRC_UOW_NOT_AVAILABLE, unit=unit.id, why="it is prepared or ended")
        elif len(unit.operations) >= self.engine.max_uncommitted:
            raise MQError(MQRC_SYNCPOINT_LIMIT_REACHED, messages=len(unit.operations))
        return unit

    def add_handle(self, handle: Handle) -> Handle:
        """Number and keep an open handle, unless the connection has as many handles as MAXHANDS allows."""
        if len(self.handles) >= self.engine.max_handles:
            raise MQError(MQRC_HANDLE_NOT_AVAILABLE, handles=len(self.handles))
        handle.number = self._next_handle
        handle.owner = self.number
        self._next_handle += 1
        self.handles[handle.number] = handle
        return handle

    def handle(self, number: int) -> Handle:
        """Give an open handle by its number."""
        handle = self.handles.get(number)
        if handle is None:
            if self.stopped:
                raise self.gone()
            raise MQError(MQRC_HOBJ_ERROR, handle=number)
        return handle

    def has_work(self) -> bool:
        """Say whether a unit of work is in flight."""
        return self.unit is not None and self.unit.state == IN_FLIGHT
