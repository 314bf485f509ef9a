"""A put that takes several steps: under the engine lock between two stalls, free for others in between."""

from abc import abstractmethod

from kew.codes.errors import MQError
from kew.mqi.connections.connection import Connection, backed_out
from kew.mqi.engine import Engine
from kew.storage.log import NO_ADDRESS, LogAddress
from kew.storage.recovery.attempt import Attempt


class LongPut:
    """A put between two of its steps. Whoever gives it up in between calls `abandon`; both may stall."""

    def __init__(self, attempt: Attempt | None) -> None:
        self.attempt = attempt  # in a unit of work; None where each part of it is put for itself

    def step(self, connection: Connection) -> tuple[bool, LogAddress]:
        """Go on; says whether it is done and, if so, the log address to wait for."""
        attempt = self.attempt
        if attempt is not None:
            attempt.check()
            if attempt.unit.forced_out:
                raise backed_out(attempt.unit)
        if not self.advance(connection):
            return False, NO_ADDRESS
        return True, self.end(connection.engine)

    def abandon(self, connection: Connection) -> None:
        """Give it up, unless it is decided; nothing of it remains. Does no harm twice."""
        self.let_go(connection)
        if self.attempt is not None:
            self.attempt.give_up()

    @abstractmethod
    def advance(self, connection: Connection) -> bool:
        """Put some more of it; says whether all is put."""

    def end(self, engine: Engine) -> LogAddress:
        """Keep what was put; gives the log address to wait for."""
        return NO_ADDRESS if self.attempt is None else self.attempt.commit()

    @abstractmethod
    def let_go(self, connection: Connection) -> None:
        """Give up what is between two steps."""

    def absorb(self, error: MQError) -> bool:
        """Say whether it goes on in spite of an error that a step met."""
        return False

    def is_for_many(self) -> bool:
        """Say whether it puts copies for any number of destinations, and not one message with what follows from it."""
        return False
