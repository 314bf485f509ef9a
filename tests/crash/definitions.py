"""Definitions under power loss: at every disk operation a change of them is there as a whole or not at all."""

from collections.abc import Callable
from random import Random

from tests.support.hosting import after_power_loss, create, small
from tests.support.simdisk import Keep, SimDisk

from kew.objects import defaults
from kew.objects.catalogue import Key
from kew.objects.definition import Definition
from kew.objects.schema.values import Value
from kew.qmgr.assemble import Host
from kew.qmgr.pagesets import PageSetSettings

SETTINGS = small(catalogue=PageSetSettings(pages=512, pool=0))
KEEPS: tuple[tuple[Keep, int], ...] = (("none", 0), ("all", 0), ("random", 1))
Seen = dict[Key, tuple[str, dict[str, Value]]]
Change = Callable[[Host], None]


def furnish(host: Host) -> None:
    """Make the objects of a new queue manager."""
    host.install(defaults.system_objects())


def define(host: Host) -> None:
    """Define a queue."""
    host.administration.define("QLOCAL", "NEW", {"MAXDEPTH": 5})


def replace(host: Host) -> None:
    """Replace a queue."""
    host.administration.define("QLOCAL", "OLD", {"MAXDEPTH": 5}, replace=True)


def alter(host: Host) -> None:
    """Alter a queue."""
    host.administration.alter("OLD", {"DESCR": "x" * 60})


def delete(host: Host) -> None:
    """Delete a queue."""
    host.administration.delete("OLD")


def define_other(host: Host) -> None:
    """Define an object that is no queue and takes several pages."""
    names = tuple([f"{number:048d}" for number in range(200)])
    host.log.force(host.objects.place(Definition.of("NAMELIST", "NAMES").altered({"NAMES": names})))


CHANGES: tuple[Change, ...] = (furnish, define, replace, alter, delete, define_other)


def seen(host: Host) -> Seen:
    """Give all definitions, without the times that differ from run to run."""
    moving = ("ALTDATE", "ALTTIME", "CRDATE", "CRTIME")
    return {
        key: (record.kind, {word: value for word, value in record.values.items() if word not in moving})
        for key, record in host.catalogue.records.items()
    }


def beginning() -> tuple[SimDisk, Host]:
    """Give a queue manager that has one queue."""
    disk = SimDisk()
    host = create(disk, SETTINGS)
    host.administration.define("QLOCAL", "OLD", {"MAXDEPTH": 9})
    return disk, host


def check(change: Change) -> int:
    """Lose the power at every disk operation of a change; gives the number of restarts that were checked."""
    disk, host = beginning()
    before = seen(host)
    first = disk.operations
    change(host)
    after = seen(host)
    operations = disk.operations - first
    restarts = 0
    for stop in range(1, operations + 2):
        for keep, seed in KEEPS:
            disk, host = beginning()
            disk.stop_after(stop)
            told = True
            try:
                change(host)
            except BaseException:
                if not disk.lost:
                    raise
                told = False  # whatever the engine made of the loss
            restarted = after_power_loss(disk, SETTINGS, keep, seed + Random(stop).randrange(1000))
            found = seen(restarted)
            if found != after and (told or found != before):
                raise AssertionError(f"{change.__name__}, stopped at {stop}, {keep}: neither before nor after")
            queues = {record.name for record in restarted.catalogue.of_family("QUEUE") if record.kind == "QLOCAL"}
            if set(restarted.queues.by_name) != queues:
                raise AssertionError(f"{change.__name__}, stopped at {stop}, {keep}: queues and definitions differ")
            restarts += 1
    return restarts
