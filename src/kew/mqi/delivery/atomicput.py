"""Puts of several messages, or of one message of several pages, that take effect together or not at all.

The segments of one message, or a message and its trigger message, are put in one unit of work: the program's, or one of
their own. After a crash all of them are there or none.
"""

from collections.abc import Callable

from kew.codes.errors import MQError
from kew.mqi.connections.connection import Connection
from kew.mqi.connections.logicalorder import Logical
from kew.mqi.delivery.delivery import QueueDelivery
from kew.mqi.delivery.longput import LongPut
from kew.mqi.engine import Engine
from kew.storage.log import NO_ADDRESS, LogAddress
from kew.storage.recovery.attempt import Attempt
from kew.storage.unit import Unit


class AtomicPut(LongPut):
    """A put of several messages in one unit of work: all are stored, or none is."""

    def __init__(
        self,
        engine: Engine,
        deliveries: list[QueueDelivery],
        unit: Unit | None,
        logical: Logical | None,
        then: Callable[[], None] | None = None,
    ) -> None:
        super().__init__(Attempt(engine.units, unit))
        assert self.attempt is not None
        for delivery in deliveries:
            delivery.unit = self.attempt.unit
        self.deliveries = deliveries
        self.logical = logical  # moves on in its group when all messages are stored
        self._then = then  # called when all messages are stored
        self._place = 0

    def advance(self, connection: Connection) -> bool:
        """Take further steps of the deliveries; says whether all messages are stored."""
        while self._place < len(self.deliveries):
            try:
                if not self.deliveries[self._place].step():
                    return False
            except MQError as error:
                assert self.attempt is not None
                self.attempt.fail(error)
            self._place += 1
        if self.logical is not None:
            self.logical.was_put()
            self.logical = None
        if self._then is not None:
            self._then()
        return True

    def let_go(self, connection: Connection) -> None:
        """Abandon the delivery that is between two steps."""
        if self._place < len(self.deliveries):
            self.deliveries[self._place].abandon()


class NonpersistentPut(LongPut):
    """A put of a non-persistent message of several pages out of syncpoint."""

    def __init__(self, delivery: QueueDelivery, logical: Logical | None) -> None:
        super().__init__(None)
        self.delivery = delivery
        self.logical = logical

    def advance(self, connection: Connection) -> bool:
        """Store more pages of the message; says whether the message is complete."""
        return self.delivery.step()

    def end(self, engine: Engine) -> LogAddress:
        """Serve the gets that wait for the message."""
        if self.logical is not None:
            self.logical.was_put()
        self.delivery.announce()
        return NO_ADDRESS

    def let_go(self, connection: Connection) -> None:
        """Give back the pages that the message has taken."""
        self.delivery.abandon()
