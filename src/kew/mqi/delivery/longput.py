"""A put in several steps: each holds the engine lock, and between two steps other verbs have it."""

from abc import abstractmethod

from kew.codes.errors import MQError
from kew.mqi.connections.connection import Connection, backed_out
from kew.mqi.engine import Engine
from kew.storage.log import NO_ADDRESS, LogAddress
from kew.storage.recovery.attempt import Attempt


class LongPut:
    """A put between two of its steps.

    A caller that does not continue the put calls `abandon`. Steps and `abandon` may stall.
    """

    def __init__(self, attempt: Attempt | None) -> None:
        self.attempt = attempt  # in a unit of work; None where each part of it is put for itself

    def step(self, connection: Connection) -> tuple[bool, LogAddress]:
        """Take a step; says whether the put is done and, if so, the log address to wait for."""
        attempt = self.attempt
        if attempt is not None:
            attempt.check()
            if attempt.unit.forced_out:
                raise backed_out(attempt.unit)
        if not self.advance(connection):
            return False, NO_ADDRESS
        return True, self.end(connection.engine)

    def abandon(self, connection: Connection) -> None:
        """Abandon the put, unless its unit is decided; nothing of it remains. May be called twice."""
        self.let_go(connection)
        if self.attempt is not None:
            self.attempt.give_up()

    @abstractmethod
    def advance(self, connection: Connection) -> bool:
        """Take the next step of the put; says whether everything is put."""

    def end(self, engine: Engine) -> LogAddress:
        """Commit the messages that were put; gives the log address to wait for."""
        return NO_ADDRESS if self.attempt is None else self.attempt.commit()

    @abstractmethod
    def let_go(self, connection: Connection) -> None:
        """Abandon the delivery that is between two steps."""

    def absorb(self, error: MQError) -> bool:
        """Say whether the put continues in spite of the error of a step."""
        return False

    def is_for_many(self) -> bool:
        """Say whether the put may have many destinations; if not, it is one message with its follow-up messages."""
        return False
