"""The second phase of a queue manager: the engine, which carries verbs out, and the administration of its objects."""

import threading
from dataclasses import dataclass
from functools import partial

from kew.accounting.events import Events
from kew.mqi.engine import Engine
from kew.mqi.publishing.topicstream import Publishing
from kew.objects.administration import ObjectAdministration
from kew.objects.catalogue import Catalogue
from kew.qmgr.listeners import Listeners
from kew.qmgr.securityevents import SecurityEvents
from kew.qmgr.storageparts import StorageParts
from kew.qmgr.workers import eventwriter
from kew.queues.administration import QueueAdministration
from kew.queues.registry import QueueRegistry
from kew.security.admissioncontrol import AdmissionControl
from kew.security.authority import Authority
from kew.security.identity import Directory, UserFile, process_user
from kew.storage.recovery.checkpoint import Checkpointer
from kew.storage.recovery.media import Imager
from kew.storage.recovery.units import Units


@dataclass(frozen=True)
class EngineParts:
    """The parts that verbs and commands use, and the bells of the workers that the third phase makes."""

    units: Units
    queues: QueueRegistry
    catalogue: Catalogue
    directory: Directory
    authority: Authority
    gate: AdmissionControl
    events: Events
    security_events: SecurityEvents
    engine: Engine
    administration: QueueAdministration
    objects: ObjectAdministration
    checkpointer: Checkpointer
    imager: Imager
    event_bell: threading.Event
    trigger_bell: threading.Event


def assemble_engine(name: str, storage: StorageParts, listeners: Listeners) -> EngineParts:
    """Make the engine of a queue manager on its storage."""
    log, lock, store, notices = storage.log, storage.lock, storage.store, storage.notices
    event_bell, trigger_bell = threading.Event(), threading.Event()
    queues = QueueRegistry(store, listeners.expired, listeners.unindexed, listeners.process_of, trigger_bell.set)
    units = Units(store, queues)
    catalogue = Catalogue(units, log, listeners.definitions_changed)
    events = Events(name, event_bell.set, eventwriter.APPLICATION.encode())
    security_events = SecurityEvents(events)
    directory = Directory(UserFile(storage.disk, storage.places.users, log.owner))
    authority = Authority(catalogue, directory, process_user(), notices, security_events)
    gate = AdmissionControl(name, catalogue, authority, directory, notices, security_events.blocked)
    engine = Engine(
        name, lock, log, store, units, queues, catalogue, notices, authority, events, listeners, Publishing()
    )
    log.watch_files(partial(events.log_moved, storage.places.log.copy1))
    settings = storage.settings
    return EngineParts(
        units,
        queues,
        catalogue,
        directory,
        authority,
        gate,
        events,
        security_events,
        engine,
        QueueAdministration(engine.run, store, queues, catalogue, listeners.watch_of, settings.storage_classes),
        ObjectAdministration(engine.run, catalogue),
        Checkpointer(
            lock,
            log,
            store,
            units,
            storage.writer,
            listeners.forced_backout,
            listeners.oldest_image,
            settings.system.log_load,
        ),
        Imager(lock, log, store, engine.run),
        event_bell,
        trigger_bell,
    )
