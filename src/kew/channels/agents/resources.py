"""The parts that all agents of a queue manager share: engine, loop, workers, and replies that wait for the log."""

from collections import deque
from collections.abc import Callable
from time import monotonic
from typing import Final

from kew.channels.agents.acknowledgements import Acknowledgements
from kew.channels.transport.loop import Loop
from kew.channels.transport.memory import MemoryBudget
from kew.channels.transport.workers import Workers
from kew.codes.errors import MQError
from kew.codes.reasons import MQRC_CONNECTION_BROKEN, MQRC_UNEXPECTED_ERROR
from kew.mqi.engine import Engine
from kew.mqi.messages.protecting import Guard
from kew.mqi.messages.transform import Protection
from kew.queues.administration import QueueAdministration
from kew.security.admission import Admission
from kew.security.failures import Failures
from kew.storage.log import LogError

REST: Final = 4.0  # how much longer than a part its pause is, while other sockets have calls

Trouble = Callable[[Exception], None]
Part = Callable[[], None]


class Searches:
    """Searches of deep queues, a part at a time: between two parts the loop serves other sockets.

    A search pauses after a few hundred microseconds and continues in the thread of the loop, not in a worker; each turn
    of the loop runs one part of one search. While other sockets have calls, all searches together pause for a multiple
    of the time of the last part, so that a search delays few calls.
    """

    def __init__(self, later: Callable[[float, Callable[[], None]], object], served: Callable[[], int]) -> None:
        self._later = later  # has the loop call something after so many seconds
        self._served_now = served  # sockets that the loop has served
        self._line: deque[Part] = deque()
        self._scheduled = False
        self._served = 0  # sockets that the loop had served after the last part

    def take(self, part: Part) -> None:
        """Queue the next part of a search behind the parts of other searches. Called by the thread of the loop."""
        self._line.append(part)
        if not self._scheduled:
            self._schedule(0.0)

    def _schedule(self, seconds: float) -> None:
        self._scheduled = True
        self._later(seconds, self._next)

    def _next(self) -> None:
        if not self._line:
            self._scheduled = False
            return
        busy = self._served_now() - self._served > 0
        began = monotonic()
        self._line.popleft()()
        self._served = self._served_now()
        self._schedule((monotonic() - began) * REST if busy else 0.0)


def _nowhere(_channel: str) -> Protection | None:
    return None


class AgentResources:
    """The parts that all agents share; `qmgr/network.py` puts them together."""

    def __init__(
        self,
        engine: Engine,
        administration: QueueAdministration,
        doorkeeper: Admission,
        loop: Loop,
        workers: Workers,
        porters: Workers,
        failures: Failures,
        memory: MemoryBudget,
        trouble: Trouble,
        interception: Callable[[str], Protection | None] = _nowhere,
    ) -> None:
        self.engine = engine
        self.administration = administration
        self.doorkeeper = doorkeeper
        self.loop = loop
        self.workers = workers
        self.porters = (
            # Authentication workers: pending connections wait for each other, and connected programs never for them.
            porters
        )
        self.failures = failures
        self.memory = memory
        self.acknowledgements = Acknowledgements(engine.log, loop)
        self.searches = Searches(loop.later, lambda: loop.served)
        # By channel: protection with a keystore of the queue manager, for programs that cannot protect.
        self.interception = interception
        self._trouble = trouble

    def protection(self, channel: str, extended: bool) -> Protection:
        """Give the message protection for a connection on a channel: its keystore, or a guard where it has none.

        The guard accepts only protected messages: a client of Kew protects its messages itself.
        """
        own = None if extended else self.interception(channel)
        return Guard() if own is None else own

    def outcome(self, job: Callable[[], None]) -> int:
        """Run a job that may wait; gives MQ's reason code, 0 for success. Called by a worker."""
        try:
            job()
        except MQError as error:
            return error.reason
        except LogError:
            return MQRC_CONNECTION_BROKEN
        except Exception as problem:  # a mistake of ours costs one call, not the worker
            self._trouble(problem)
            return MQRC_UNEXPECTED_ERROR
        return 0
