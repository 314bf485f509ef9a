"""Ways to a queue manager, tried one after the other: which failure ends it, and which is told when none was the last.

The loops themselves are those of the blocking and of the asyncio client; what they decide is decided here.
"""

from collections.abc import Iterator
from typing import Final

from kew.client.reach import PASSING, Reach, unreachable
from kew.client.table import channels_to, load_table
from kew.codes.errors import MQError
from kew.codes.reasons import MQRC_HOST_NOT_AVAILABLE, MQRC_Q_MGR_NAME_ERROR, MQRC_SSL_INITIALIZATION_ERROR

AT_ANOTHER_ADDRESS: Final = PASSING | {MQRC_SSL_INITIALIZATION_ERROR}
BY_ANOTHER_CHANNEL: Final = PASSING | {MQRC_Q_MGR_NAME_ERROR}


class Failures:
    """What has gone wrong so far."""

    def __init__(self, passing: frozenset[int]) -> None:
        self._passing = passing  # reasons that may be over at the next attempt
        self._last = MQError(MQRC_HOST_NOT_AVAILABLE)

    def note(self, failure: MQError) -> None:
        """Take note of a failure; raise it where another attempt would not help."""
        if failure.reason not in self._passing:
            raise failure
        self._last = failure

    def note_at(self, host: str, port: int, problem: MQError | OSError) -> None:
        """Take note of an address that did not do."""
        if isinstance(problem, MQError):
            self.note(problem)
        else:
            self._last = unreachable(host, port, problem)

    def last(self) -> MQError:
        """Give what to raise when there is nothing left to try."""
        return self._last


def ways(location: str, reach: Reach) -> Iterator[Reach]:
    """The ways that a client channel definition table has to a queue manager, in the order in which they are tried."""
    for channel in channels_to(load_table(location), reach.queue_manager):
        yield channel.reach(reach)
