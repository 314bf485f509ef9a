"""The context of commands: the parts of a running queue manager that they use."""

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
    """The parameters of one kind: their values at the start, and the values set since."""

    def __init__(
        self, kind: ObjectType, initial: Mapping[str, Value], apply: Callable[[Mapping[str, Value]], None]
    ) -> None:
        self.kind = kind
        self.initial = dict(initial)  # parameters that have an effect; the others are left out
        self.changed: dict[str, Value] = {}
        self.apply = apply  # applies the values to the parts of the queue manager

    def value(self, keyword: str) -> Value:
        """Give the current value of a parameter."""
        return self.changed.get(keyword, self.initial[keyword])

    def set(self, values: Mapping[str, Value], from_start: bool) -> None:
        """Set some parameters; with `from_start` all others return to their values at the start."""
        self.changed = {**({} if from_start else self.changed), **values}
        self.apply({**self.initial, **self.changed})


class Paths:
    """The paths of the queue manager's files, for displays."""

    def __init__(self, data: str, log_copies: tuple[str, ...], archive: str) -> None:
        self.data = data
        self.log_copies = log_copies
        self.archive = archive


class Service(Protocol):
    """A part of the queue manager that commands start, stop and display."""

    @property
    def running(self) -> bool:
        """Say whether the service is running."""

    def start(self) -> None:
        """Start the service."""

    def stop(self) -> None:
        """Stop the service, after its current work."""


class ServiceError(Exception):
    """The error of a service that cannot be started or stopped, with the reason."""

    def __init__(self, why: str, already: bool = False) -> None:
        super().__init__(why)
        self.already = already  # the service is already in the requested state


class RunningService:
    """The running program of a SERVICE object of type SERVER."""

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
    """The operations of the queue manager as a whole, and the parts that are made after the context, or never."""

    @property
    def command_server(self) -> Service | None:
        """Give the command server."""

    @property
    def services(self) -> Services | None:
        """Give the programs of SERVICE objects; None in a queue manager within a program."""

    @property
    def channels(self) -> ChannelControl | None:
        """Give the channels; None in a queue manager within a program."""

    @property
    def initiator(self) -> Initiator | None:
        """Give the channel initiator; None in a queue manager within a program."""

    @property
    def configured(self) -> Mapping[str, Value]:
        """Give the attributes of the queue manager that qm.ini sets, or that never change."""

    def apply_definition(self) -> None:
        """Apply the attributes of the queue manager to the engine."""

    def refresh_users(self) -> None:
        """Read users, their groups and authorities again."""

    def cut_statistics(self) -> None:
        """Cut statistics records now."""

    def record_image(self, number: int) -> int:
        """Write a media image of a page set; gives the number of its pages."""

    def trace_files(self) -> list[str]:
        """Give the files to which trace tables were written since the last call."""

    def end_process(self, immediate: bool, grace: float | None) -> float | None:
        """End the queue manager's process, at once or after a grace period.

        Gives the seconds of the grace period, or None in a queue manager within a program, which ends its own process.
        """


class Context:
    """The context of commands, built by `qmgr/assemble.py`."""

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
        self.parameters = parameters  # by the target of SET: SYSTEM, LOG, ARCHIVE
        self.operations = operations
        self.started = time.time()
        self.first_half = b"AMQC" + self.name.encode()[:12].ljust(12)  # of every connection's identifier

    @property
    def command_server(self) -> Service | None:
        """Give the command server."""
        return self.operations.command_server

    @property
    def services(self) -> Services | None:
        """Give the programs of SERVICE objects; None in a queue manager within a program."""
        return self.operations.services

    @property
    def channels(self) -> ChannelControl | None:
        """Give the channels; None in a queue manager within a program."""
        return self.operations.channels

    @property
    def initiator(self) -> Initiator | None:
        """Give the channel initiator; None in a queue manager within a program."""
        return self.operations.initiator
