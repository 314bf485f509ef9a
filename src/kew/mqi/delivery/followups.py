"""A put with follow-up messages: the copy for a streaming queue, and the confirmation of arrival (COA).

The message is put first, then its copy, then the report, all in the program's unit of work. If the program has no unit
of work, the put begins one of its own, where message and copy must both be stored or where a crash between two steps
would leave pages behind. Once the message is stored, a put that stalls is continued and never begun again.
"""

from typing import Final

from kew.codes.errors import BackedOut, Broken, MQError
from kew.codes.options import MQFB_COA
from kew.formats import mqdlh, mqmde, mqxqh
from kew.formats.mqmd import LENGTH, MessageDescriptor
from kew.mqi.connections import metering
from kew.mqi.connections.connection import Connection
from kew.mqi.connections.handles import Handle
from kew.mqi.delivery.delivery import DeliverySteps, QueueDelivery
from kew.mqi.delivery.longput import LongPut
from kew.mqi.delivery.reports import ReportDelivery, confirms_arrival, report
from kew.mqi.delivery.streaming import copy_of, tell_of_failure
from kew.mqi.engine import Engine
from kew.queues.queue import Queue
from kew.queues.store import AT_ONCE
from kew.storage.log import NO_ADDRESS, LogAddress
from kew.storage.recovery.attempt import Attempt
from kew.storage.stall import Stall
from kew.storage.unit import Unit

HEADERS: Final = (
    mqxqh.LENGTH + mqmde.LENGTH + mqdlh.LENGTH
)  # the most by which a follow-up message is longer than the message


def put_with_followups(
    connection: Connection,
    handle: Handle,
    queue: Queue,
    descriptor: MessageDescriptor,
    data: bytes,
    unit: Unit | None,
) -> LogAddress | LongPut:
    """Put a message, which was checked and completed, with its follow-up messages.

    Gives the log address to wait for, or a put that is to be continued. Stalls only with nothing changed.
    """
    engine = connection.engine
    descriptor.pad()
    original = QueueDelivery(engine, queue, descriptor, data, unit)
    short = LENGTH + len(data) <= AT_ONCE
    whole = FollowUpPut(handle.stream_failures, original)
    if not short:
        return whole
    try:
        original.step()
    except (Stall, MQError):
        whole.abandon(connection)
        raise
    try:
        done, address = whole.step(connection)
    except Stall:
        done = False
    return address if done else whole  # the message is stored and not put again: the rest goes on


def needs_unit(original: QueueDelivery) -> bool:
    """Say whether a message and its copy must be in one unit of work: the put's own, if the program has none."""
    stream = original.queue.stream
    if stream is not None and stream.must:
        return True
    return original.persistent and LENGTH + HEADERS + len(original.data) > AT_ONCE


def _count(engine: Engine, copy: QueueDelivery) -> None:
    direct = copy.item is None
    metering.copied(engine, copy.queue, len(copy.data), copy.persistent, direct, copy.unit is not None)


class FollowUpPut(LongPut):
    """A put of a message, its stream copy and its COA report, in steps."""

    def __init__(self, told: list[int], original: QueueDelivery) -> None:
        self.told = told  # reasons of failed copies that the operator knows of
        self.original = original
        attempt: Attempt | None = None
        if original.unit is not None or needs_unit(original):
            attempt = Attempt(original.engine.units, original.unit)
            original.unit = attempt.unit
        super().__init__(attempt)
        self.stream = original.queue.stream
        self.copy: DeliverySteps | None = None
        self.settled = self.stream is None  # the copy is put, or will not be
        self.confirms = confirms_arrival(original.queue, original.descriptor)
        self.confirmation: ReportDelivery | None = None

    def advance(self, connection: Connection) -> bool:
        """Take the next step; says whether all messages are put."""
        original = self.original
        if not original.done and not original.step():
            return False
        if not self.settled and not self._settle(connection):
            return False
        if not self.confirms:
            return True
        if self.confirmation is None:
            engine = connection.engine
            self.confirmation = report(engine, original.descriptor, original.data, MQFB_COA, original.unit)
        return self.confirmation.step()

    def _settle(self, connection: Connection) -> bool:
        """Take a step with the copy; says whether the copy is done: put, or given up."""
        stream, copy = self.stream, self.copy
        if stream is None:
            return True
        try:
            if copy is None:
                copy = copy_of(connection, stream, self.original)
                self.copy = copy
            if not copy.step():
                return False
            if isinstance(copy, QueueDelivery):
                copy.queue.counters.streamed += 1
                if connection.engine.metered:
                    _count(connection.engine, copy)
        except MQError as error:
            tell_of_failure(connection.engine, self.told, self.original.queue, stream, error.reason)
            if stream.must and self.attempt is not None:
                self.settled = True
                self.attempt.fail(error)
        self.settled = True
        return True

    def absorb(self, error: MQError) -> bool:
        """Give up a failed copy or report without which the put may succeed; says whether the put continues."""
        if not self.original.done or isinstance(error, (Broken, BackedOut)):
            return False
        engine, stream = self.original.engine, self.stream
        if self.confirmation is not None:
            self.confirmation.abandon()
            self.confirms = False
            return True
        if stream is None or stream.must or self.settled:
            return False
        if self.copy is not None:
            self.copy.abandon()
        tell_of_failure(engine, self.told, self.original.queue, stream, error.reason)
        self.settled = True
        return True

    def end(self, engine: Engine) -> LogAddress:
        """Commit the messages or, out of syncpoint, serve the gets that wait for them."""
        if self.attempt is not None:
            return self.attempt.commit()
        address = engine.latest() if self.original.persistent else NO_ADDRESS
        self.original.announce()
        if self.copy is not None and self.copy.done:
            self.copy.announce()
        return address

    def let_go(self, connection: Connection) -> None:
        """Abandon the message that is between two steps; messages put out of syncpoint stay."""
        self.original.abandon()
        if self.copy is not None:
            self.copy.abandon()
        if self.confirmation is not None:
            self.confirmation.abandon()
