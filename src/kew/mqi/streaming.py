"""Streaming queues: a copy of each message put to a queue goes to another one.

The copy is the message but for what would make the queue manager send reports (those options are taken out) and for its
expiry (unlimited, or the cap of the queue it goes to). A copy is not copied again.

    STRMQOS(BESTEF)     the message is put whatever becomes of its copy
    STRMQOS(MUSTDUP)    both are put or neither is: they are in one unit of work, the program's or one of their own

What a crash leaves: with MUSTDUP both or neither, since the unit is whole or undone. With BESTEF and out of syncpoint
perhaps the message without its copy, of neither of which the program had been told.
"""

from typing import Final

from kew.codes.errors import BackedOut, Broken, MQError
from kew.codes.options import (
    MQEI_UNLIMITED,
    MQRO_ACTIVITY,
    MQRO_COA_WITH_FULL_DATA,
    MQRO_COD_WITH_FULL_DATA,
    MQRO_EXCEPTION_WITH_FULL_DATA,
    MQRO_EXPIRATION_WITH_FULL_DATA,
)
from kew.codes.reasons import MQRC_NONE, MQRC_SYNCPOINT_LIMIT_REACHED, reason_name
from kew.formats import mqmde, mqxqh
from kew.formats.mqmd import LENGTH, MessageDescriptor
from kew.mqi.connect import Connection, backed_out
from kew.mqi.delivery import Delivery, cap_expiry, refusal
from kew.mqi.destination import addressed, find
from kew.mqi.engine import Engine
from kew.mqi.handles import Handle
from kew.mqi.longput import LongPut
from kew.queues.private import NO_CAP, PrivateQueue
from kew.queues.stream import Stream
from kew.storage.log import NO_ADDRESS, LogAddress
from kew.storage.pages.blob import SINGLE_PAGE
from kew.storage.stall import Stall
from kew.storage.unit import BEGIN, IN_BACKOUT, IN_FLIGHT, Unit

# Reports that the queue manager makes; those that programs make (PAN, NAN) stay.
GENERATING: Final = (
    MQRO_EXCEPTION_WITH_FULL_DATA
    | MQRO_EXPIRATION_WITH_FULL_DATA
    | MQRO_COA_WITH_FULL_DATA
    | MQRO_COD_WITH_FULL_DATA
    | MQRO_ACTIVITY
)
HEADERS: Final = mqxqh.LENGTH + mqmde.LENGTH  # by which a copy may be longer


def put_both(
    connection: Connection,
    handle: Handle,
    queue: PrivateQueue,
    stream: Stream,
    descriptor: MessageDescriptor,
    data: bytes,
    unit: Unit | None,
) -> LogAddress | LongPut:
    """Put a message, which was checked and completed, and its copy.

    Gives the log address to wait for, or a put that is to be continued. Stalls only with nothing changed.
    """
    engine = connection.engine
    original = Delivery(engine, queue, descriptor, data, unit)
    short = LENGTH + len(data) <= SINGLE_PAGE
    own = unit is None and (stream.must or (original.persistent and LENGTH + HEADERS + len(data) > SINGLE_PAGE))
    if own:
        unit = engine.units.begin()
        original.unit = unit
    both = StreamedPut(handle, stream, original, unit, own)
    if not short:
        return both
    try:
        original.step()
    except (Stall, MQError):
        if own and unit is not None:
            engine.units.forget(unit)
        raise
    try:
        done, address = both.step(connection)
    except Stall:
        done = False
    return address if done else both  # the message is there and not put again: its copy goes on


class StreamedPut(LongPut):
    """A put to a queue with a stream: first the message, then its copy."""

    def __init__(self, handle: Handle, stream: Stream, original: Delivery, unit: Unit | None, own_unit: bool) -> None:
        self.handle = handle
        self.stream = stream
        self.original = original
        self.unit = unit
        self.own_unit = own_unit  # the unit exists for this put alone
        self.before = 0 if unit is None else len(unit.operations)  # what the unit had done
        self.copy: Delivery | None = None
        self.settled = False  # what became of the copy is known
        self.failure: MQError | None = None  # for which the message must not be put either

    def step(self, connection: Connection) -> tuple[bool, LogAddress]:
        """Go on: the message, its copy, and what follows."""
        engine, unit = connection.engine, self.unit
        if unit is not None and unit.forced_out:
            raise backed_out(unit)
        if not self.original.done and not self.original.step():
            return False, NO_ADDRESS
        if not self.settled:
            try:
                if not self._copy(connection):
                    return False, NO_ADDRESS
            except MQError as error:
                self._tell(engine, error.reason)
                if self.stream.must:
                    self.failure = error
            self.settled = True
        if self.failure is not None:
            self._undo(engine)
            raise self.failure
        return True, self._end(engine)

    def _copy(self, connection: Connection) -> bool:
        copy = self.copy
        if copy is None:
            copy = self._begin_copy(connection)
            self.copy = copy
        if not copy.step():
            return False
        copy.queue.counters.streamed += 1
        return True

    def _begin_copy(self, connection: Connection) -> Delivery:
        engine, original, unit = connection.engine, self.original, self.unit
        if unit is not None and len(unit.operations) >= engine.max_uncommitted:
            raise MQError(MQRC_SYNCPOINT_LIMIT_REACHED, messages=len(unit.operations))
        destination = find(engine, self.stream.name)
        queue = destination.queue
        descriptor, data = original.descriptor, original.data
        capped = queue.expiry_cap != NO_CAP or destination.expiry_cap != NO_CAP
        if capped or descriptor.report & GENERATING or descriptor.expiry != MQEI_UNLIMITED:
            descriptor = descriptor.copy()
            descriptor.report &= ~GENERATING
            descriptor.expiry = MQEI_UNLIMITED
            cap_expiry(descriptor, queue.expiry_cap)
            cap_expiry(descriptor, destination.expiry_cap)
        if destination.remote_manager:
            descriptor, data = addressed(engine, destination, descriptor, data)
        reason = refusal(engine, queue, len(data), original.persistent)
        if reason != MQRC_NONE:
            raise MQError(reason, queue=queue.name)
        copy = Delivery(engine, queue, descriptor, data, unit)
        if descriptor is original.descriptor:
            copy.prefix = original.prefix
        return copy

    def absorb(self, error: MQError) -> bool:
        """Go on without the copy, if that is what its stream allows; says whether it does."""
        if self.stream.must or self.settled or not self.original.done or isinstance(error, (Broken, BackedOut)):
            return False
        if self.copy is not None:
            self.copy.abandon()
        self._tell(self.original.engine, error.reason)
        self.settled = True
        return True

    def _tell(self, engine: Engine, reason: int) -> None:
        """Tell the operator, once for a handle and a reason."""
        handle = self.handle
        if reason not in handle.stream_failures:
            handle.stream_failures.append(reason)
            names = (self.stream.name, self.original.queue.name, reason_name(reason))
            engine.notices.tell("CSQM587E", (reason,), names)

    def _undo(self, engine: Engine) -> None:
        unit = self.unit
        if unit is None:
            return
        if not self.own_unit:
            engine.units.undo_to(unit, self.before)
        elif unit.state == BEGIN:
            engine.units.forget(unit)
        elif unit.state == IN_FLIGHT or unit.state == IN_BACKOUT:
            engine.units.backout(unit)

    def _end(self, engine: Engine) -> LogAddress:
        unit = self.unit
        if unit is not None:
            if not self.own_unit:
                return NO_ADDRESS
            address = engine.units.commit(unit)
            engine.queues.unit_ended()
            return address
        address = engine.store.latest if self.original.persistent else NO_ADDRESS
        self.original.announce()
        if self.copy is not None and self.copy.done:
            self.copy.announce()
        return address

    def abandon(self, connection: Connection) -> None:
        """Give it up; a message that was put out of syncpoint stays, without its copy."""
        self.original.abandon()
        if self.copy is not None:
            self.copy.abandon()
        if self.unit is None or not self.unit.forced_out:  # else it was given up with its unit
            self._undo(connection.engine)
