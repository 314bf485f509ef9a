"""The parts of a running queue manager that commands work with."""

import time
from collections.abc import Callable, Mapping

from kew.mqi.engine import Engine
from kew.objects.administration import ObjectAdministration
from kew.queues.administration import QueueAdministration
from kew.security.doorkeeper import Gate
from kew.storage.buffers.pool import BufferPool
from kew.storage.recovery.checkpoint import Checkpointer


class Paths:
    """Where the queue manager's files are, for displays."""

    def __init__(self, data: str, log_copies: tuple[str, ...], archive: str) -> None:
        self.data = data
        self.log_copies = log_copies
        self.archive = archive


class Context:
    """What `qmgr/assemble.py` gives to the commands."""

    def __init__(
        self,
        engine: Engine,
        queues: QueueAdministration,
        objects: ObjectAdministration,
        pools: Mapping[int, BufferPool],
        lost: Mapping[int, str],
        checkpointer: Checkpointer,
        paths: Paths,
        heed: Callable[[], None],
        gate: Gate,
        refresh_users: Callable[[], None],
    ) -> None:
        self.name = engine.name
        self.engine = engine
        self.queues = queues
        self.objects = objects
        self.pools = pools
        self.lost = lost  # page sets that could not be used
        self.checkpointer = checkpointer
        self.paths = paths
        self.heed = heed  # brings the engine into line with the attributes of the queue manager
        self.gate = gate
        self.refresh_users = refresh_users  # looks up users, their groups and authorities anew
        self.stop: Callable[[bool], None] | None = None  # ends the process that serves; at once if told so
        self.started = time.time()
        self.statistics_reset: dict[str, float] = {}  # when RESET QSTATS last cleared the counts of a queue
