"""A put that takes several steps: under the engine lock between two stalls, free for others in between."""

from abc import abstractmethod

from kew.codes.errors import MQError
from kew.codes.reasons import MQRC_Q_DELETED
from kew.mqi.connect import Connection, backed_out
from kew.mqi.logical import Logical
from kew.queues.queue import Queue
from kew.queues.store import Storing
from kew.storage.log import NO_ADDRESS, LogAddress
from kew.storage.message import StoreFull
from kew.storage.recovery.attempt import Attempt
from kew.storage.unit import Unit


class LongPut:
    """A put between two of its steps. Whoever gives it up in between calls `abandon`; both may stall."""

    @abstractmethod
    def step(self, connection: Connection) -> tuple[bool, LogAddress]:
        """Go on; says whether it is done and, if so, the log address to wait for."""

    @abstractmethod
    def abandon(self, connection: Connection) -> None:
        """Give it up, unless it is decided; nothing of it remains. Does no harm twice."""

    def absorb(self, error: MQError) -> bool:
        """Say whether it goes on in spite of an error that a step met."""
        return False

    def is_for_many(self) -> bool:
        """Say whether it puts copies for any number of destinations, and not one message with what follows from it."""
        return False


class PagedPut(LongPut):
    """The put of a message of more than one page."""

    def __init__(self, queue: Queue, storing: Storing, length: int, unit: Unit | None, attempt: Attempt | None) -> None:
        self.queue = queue
        self.storing = storing
        self.length = length
        self.unit = unit
        self.attempt = attempt  # in a unit that exists for this put alone
        self.logical: Logical | None = None  # goes on in its group when the message is stored

    def step(self, connection: Connection) -> tuple[bool, LogAddress]:
        """Store another part of the message."""
        engine = connection.engine
        storing, queue, unit = self.storing, self.queue, self.unit
        if storing.item is None:
            if unit is not None and unit.forced_out:
                raise backed_out(unit)
            if queue.deleted:  # since the step before
                self.abandon(connection)
                raise MQError(MQRC_Q_DELETED, queue=queue.name)
            try:
                if not storing.step():
                    return False, NO_ADDRESS
            except StoreFull as full:
                self.abandon(connection)
                raise engine.shortages.store_full(queue.name, full) from full
            queue.stored(self.length, unit)
            if queue.monitor is not None:
                queue.monitor.put(engine.clock.now())
            if self.logical is not None:
                self.logical.was_put()
        address = NO_ADDRESS
        if self.attempt is not None:
            address = self.attempt.commit()
        elif unit is None and queue.waiters.count:
            engine.queues.item_available(queue, storing.result())
        return True, address

    def abandon(self, connection: Connection) -> None:
        """Give the pages back that it has taken."""
        unit = self.unit
        if unit is not None and unit.forced_out:
            return  # given up with its unit
        if self.attempt is None:
            self.storing.abandon()
        else:
            self.attempt.give_up()
