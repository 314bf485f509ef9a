"""The parts of a running queue manager that commands work with."""

import time
from collections.abc import Callable, Mapping
from typing import Protocol

from kew.accounting.intervals import CollectionTimes
from kew.accounting.traces import Traces
from kew.channels.control import ChannelControl, Initiator
from kew.mqi.engine import Engine
from kew.objects.administration import ObjectAdministration
from kew.objects.catalogue import Record
from kew.objects.schema import ObjectType
from kew.objects.schema.values import Value
from kew.queues.administration import QueueAdministration
from kew.security.admissioncontrol import AdmissionControl
from kew.storage.buffers.pool import BufferPool
from kew.storage.recovery.checkpoint import Checkpointer


class Parameters:
    """The parameters of one kind: as the queue manager started, and as they were set since."""

    def __init__(
        self, kind: ObjectType, initial: Mapping[str, Value], apply: Callable[[Mapping[str, Value]], None]
    ) -> None:
        self.kind = kind
        self.initial = dict(initial)  # only what is in force: a parameter that nothing heeds is not here
        self.changed: dict[str, Value] = {}
        self.apply = apply  # brings the parts into line

    def value(self, keyword: str) -> Value:
        """Give a parameter as it is now."""
        return self.changed.get(keyword, self.initial[keyword])

    def set(self, values: Mapping[str, Value], from_start: bool) -> None:
        """Change some; all others go back to how they started if that is wanted."""
        self.changed = {**({} if from_start else self.changed), **values}
        self.apply({**self.initial, **self.changed})


class Paths:
    """Where the queue manager's files are, for displays."""

    def __init__(self, data: str, log_copies: tuple[str, ...], archive: str) -> None:
        self.data = data
        self.log_copies = log_copies
        self.archive = archive


class Service(Protocol):
    """A part of the queue manager that commands start, stop and look at."""

    @property
    def running(self) -> bool:
        """Whether it does its work."""

    def start(self) -> None:
        """Begin."""

    def stop(self) -> None:
        """End after what is under way."""


class ServiceError(Exception):
    """A service that cannot be started or stopped, and why."""

    def __init__(self, why: str, already: bool = False) -> None:
        super().__init__(why)
        self.already = already  # it is already as it was wanted


class RunningService:
    """A program that runs as a service of type SERVER."""

    def __init__(self, name: str, process: int, started: float, values: Mapping[str, Value]) -> None:
        self.name = name
        self.process = process
        self.started = started
        self.values = values  # of its definition, when it was started


class Services(Protocol):
    """The programs of SERVICE objects."""

    def start(self, record: Record) -> None:
        """Start a service, or raise ServiceError."""

    def stop(self, record: Record) -> None:
        """Stop a service, or raise ServiceError."""

    def running(self) -> list[RunningService]:
        """Give the servers that run, by name."""


class Operations(Protocol):
    """What commands ask of the queue manager as a whole, and its parts that may not be there yet or at all."""

    @property
    def command_server(self) -> Service | None:
        """The command server."""

    @property
    def services(self) -> Services | None:
        """The programs of SERVICE objects; None where no other process is served."""

    @property
    def channels(self) -> ChannelControl | None:
        """The channels; None likewise."""

    @property
    def initiator(self) -> Initiator | None:
        """The channel initiator; None likewise."""

    @property
    def configured(self) -> Mapping[str, Value]:
        """The attributes of the queue manager that qm.ini says, or that are always so."""

    def heed_definition(self) -> None:
        """Bring the engine into line with the attributes of the queue manager."""

    def refresh_users(self) -> None:
        """Look up users, their groups and authorities anew."""

    def cut_statistics(self) -> None:
        """Cut statistics records now."""

    def record_image(self, number: int) -> int:
        """Write a media image of a page set; give its pages."""

    def trace_files(self) -> list[str]:
        """Give the files that trace tables were written to since the last time."""

    def end_process(self, immediate: bool, grace: float | None) -> float | None:
        """End the process that serves, at once or after a grace for programs; give its seconds, None where none can."""


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
        gate: AdmissionControl,
        times: CollectionTimes,
        traces: Traces,
        parameters: Mapping[str, Parameters],
        operations: Operations,
    ) -> None:
        self.name = engine.name
        self.engine = engine
        self.queues = queues
        self.objects = objects
        self.pools = pools
        self.lost = lost  # page sets that could not be used
        self.checkpointer = checkpointer
        self.paths = paths
        self.gate = gate
        self.times = times  # changed under the lock of the objects
        self.traces = traces
        self.parameters = parameters  # by what SET names: SYSTEM, LOG, ARCHIVE
        self.operations = operations
        self.started = time.time()
        self.first_half = b"AMQC" + self.name.encode()[:12].ljust(12)  # of every connection's identifier

    @property
    def command_server(self) -> Service | None:
        """The command server."""
        return self.operations.command_server

    @property
    def services(self) -> Services | None:
        """The programs of SERVICE objects; None where no other process is served."""
        return self.operations.services

    @property
    def channels(self) -> ChannelControl | None:
        """The channels; None where no other process is served."""
        return self.operations.channels

    @property
    def initiator(self) -> Initiator | None:
        """The channel initiator; None where no other process is served."""
        return self.operations.initiator
