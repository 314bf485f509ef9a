"""The third phase of a queue manager: background workers, the recorder, and the command server."""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from kew.accounting.intervals import CollectionTimes
from kew.accounting.recorder import Recorder
from kew.accounting.smffiles import SmfFiles
from kew.accounting.tracetable import TraceTable
from kew.codes.errors import Broken
from kew.commands.actions.context import Context, Operations, Paths
from kew.commands.queued.interface import QueuedInterface
from kew.commands.server import CommandServer
from kew.mqi.delivery.expiryreports import ExpiryReporter
from kew.mqi.local.connection import LocalConnection
from kew.mqi.subscribing.unsubscribe import end_expired
from kew.qmgr.engineparts import EngineParts
from kew.qmgr.parameters import SystemParameters, initial_traces
from kew.qmgr.storageparts import StorageParts
from kew.qmgr.workers.delays import DelayProcessor
from kew.qmgr.workers.eventwriter import EventWriter
from kew.qmgr.workers.recording import RecordingWorker
from kew.qmgr.workers.triggerwriter import TriggerWriter
from kew.queues.expiry import ExpiryScanner


class ServiceOwner(Operations, Protocol):
    """The methods of the queue manager that its services call."""

    def connect(self, application: str = "kew", user: str = "") -> LocalConnection:
        """Connect a program in this process."""

    def connect_own(self, application: str) -> LocalConnection:
        """Connect a part of the queue manager itself."""

    def keep_table(self, kind: str, table: TraceTable) -> None:
        """Keep the table of a trace that was stopped."""


@dataclass(frozen=True)
class ServiceParts:
    """The background workers, each in a thread of its own, and the parts that carry out commands."""

    event_writer: EventWriter
    trigger_writer: TriggerWriter
    delays: DelayProcessor
    expired: ExpiryReporter
    expiry: ExpiryScanner
    recorder: Recorder
    recording: RecordingWorker
    parameters: SystemParameters
    commands: Context
    command_server: CommandServer
    queued: QueuedInterface


def assemble_services(
    storage: StorageParts,
    parts: EngineParts,
    owner: ServiceOwner,
    exclude: Callable[[Iterable[str]], None] | None = None,
) -> ServiceParts:
    """Make the services of a queue manager; none of them runs yet."""
    engine, notices, places = parts.engine, storage.notices, storage.places
    settings, lost = storage.settings, storage.page_set_files.lost
    system = settings.system
    traces = initial_traces(system)
    times = CollectionTimes(system.statistics_time, system.accounting_time, time.time())
    smf = SmfFiles(storage.disk, places.smf, settings.smf, notices)
    recorder = Recorder(engine, storage.pools, lost, traces, times, smf, owner.keep_table)
    if traces.running():
        recorder.heed()
    parameters = SystemParameters(
        storage.log, places.log.archive, parts.checkpointer, times, system, time.time, recorder.wake, exclude
    )
    copies = (places.log.copy1, places.log.copy2) if settings.log.dual else (places.log.copy1,)
    commands = Context(
        engine,
        parts.administration,
        parts.objects,
        storage.pools,
        lost,
        parts.checkpointer,
        Paths(places.root, copies, places.log.archive),
        parts.gate,
        times,
        traces,
        parameters.kinds,
        owner,
    )

    def milliseconds() -> int:
        with storage.lock:
            return int(engine.clock.now() * 1000)

    return ServiceParts(
        EventWriter(parts.events, owner.connect_own, notices, parts.event_bell),
        TriggerWriter(parts.queues.triggers, parts.administration, owner.connect_own, notices, parts.trigger_bell),
        DelayProcessor(engine, owner.connect_own, notices),
        ExpiryReporter(engine),
        ExpiryScanner(
            engine.run, parts.queues, milliseconds, Broken, partial(end_expired, engine, parts.administration)
        ),
        recorder,
        RecordingWorker(recorder),
        parameters,
        commands,
        CommandServer(commands, owner.connect, notices),
        QueuedInterface(engine, owner.connect, notices),
    )
