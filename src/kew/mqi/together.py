"""A put of messages that belong together: the segments of one message, or one message and its trigger message.

All are put in one unit of work, the program's or one of their own, so that after a crash all are there or none.
"""

from collections.abc import Callable

from kew.codes.errors import MQError
from kew.mqi.connect import Connection, backed_out
from kew.mqi.delivery import Delivery
from kew.mqi.engine import Engine
from kew.mqi.logical import Logical
from kew.mqi.longput import LongPut
from kew.storage.log import NO_ADDRESS, LogAddress
from kew.storage.recovery.attempt import Attempt
from kew.storage.unit import Unit


class TogetherPut(LongPut):
    """Deliveries that are all done, or none is."""

    def __init__(
        self,
        engine: Engine,
        deliveries: list[Delivery],
        unit: Unit | None,
        logical: Logical | None,
        then: Callable[[], None] | None = None,
    ) -> None:
        self.attempt = Attempt(engine.units, unit)
        for delivery in deliveries:
            delivery.unit = self.attempt.unit
        self.deliveries = deliveries
        self.logical = logical  # goes on in its group when all is stored
        self._then = then  # told when all is stored
        self._place = 0

    def step(self, connection: Connection) -> tuple[bool, LogAddress]:
        """Go on with the next of them; at the end commit."""
        attempt = self.attempt
        attempt.check()
        if attempt.unit.forced_out:
            raise backed_out(attempt.unit)
        while self._place < len(self.deliveries):
            try:
                if not self.deliveries[self._place].step():
                    return False, NO_ADDRESS
            except MQError as error:
                attempt.fail(error)
            self._place += 1
        if self.logical is not None:
            self.logical.was_put()
            self.logical = None
        if self._then is not None:
            self._then()
        return True, attempt.commit()

    def abandon(self, connection: Connection) -> None:
        """Give it up, unless it is decided."""
        if self.attempt.unit.forced_out:
            return  # given up with its unit
        if self._place < len(self.deliveries):
            self.deliveries[self._place].abandon()
            self.attempt.give_up()
