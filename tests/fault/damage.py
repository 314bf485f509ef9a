"""Looks at a queue manager whose files were damaged: what it shows must be right, and what it does not show be told."""

import posixpath

from tests.support.audit import browse
from tests.support.engines import open_engine
from tests.support.model import Model, compare
from tests.support.simdisk import SimDisk
from tests.support.world import NAME, PLACES, Told

from kew.codes.errors import MQError
from kew.codes.reasons import MQRC_OBJECT_DAMAGED
from kew.qmgr.assemble import Host
from kew.qmgr.storageparts import EngineSettings
from kew.storage.log import LogError
from kew.storage.stall import Damaged

HARMLESS = "harmless"
TOLD = "told"  # it works, and has told of what it repaired or left out
QUEUE_DAMAGED = "queue damaged"
PAGE_SET_LOST = "page set lost"
REFUSED = "refused"

_REPAIRS = {"CSQJ901W", "CSQJ902W", "CSQJ903W", "CSQJ904W", "CSQJ912W"}


class Verdict:
    """What a restart on damaged files came to, and what is wrong with that."""

    def __init__(self, kind: str, problem: str = "") -> None:
        self.kind = kind
        self.problem = problem


def started(disk: SimDisk, settings: EngineSettings) -> tuple[Host, Told]:
    """Restart, and keep what the operator is told."""
    told = Told()
    return open_engine(disk, NAME, PLACES, settings, told, threads=False), told


def judge(disk: SimDisk, settings: EngineSettings, model: Model, path: str) -> Verdict:
    """Restart on a disk on which one file was damaged, and hold what it shows and tells against the model."""
    try:
        host, told = started(disk, settings)
    except LogError as damage:
        named = posixpath.dirname(path) in str(damage)
        return Verdict(REFUSED, "" if named else f"refused without naming {path}: {damage}")
    except Damaged as damage:
        return Verdict(REFUSED, "" if damage.path == path else f"refused without naming {path}: {damage}")
    if "CSQJ912W" in told.ids():
        return Verdict(TOLD, "" if (path,) in told.comments("CSQJ912W") else f"another header was mended than {path}")
    if "/archive/" in path and host.log.verify_archive(int(posixpath.basename(path)[1:-4])):
        return Verdict(HARMLESS, f"{path} passes for what was written")
    if host.lost:
        return _lost(host, disk, settings, model, path, told)
    damaged, problem = look(host, model)
    if problem and "CSQJ901W" in told.ids() and "/log/" in path:
        # The end of a log that was not closed: a page that nobody can tell from one that was being written.
        return Verdict(TOLD)
    if damaged:
        if "AMQ7472E" not in told.ids():
            problem = problem or f"{damaged} are damaged and the operator was not told"
        return Verdict(QUEUE_DAMAGED, problem)
    return Verdict(TOLD if told.ids() & _REPAIRS else HARMLESS, problem)


def _lost(host: Host, disk: SimDisk, settings: EngineSettings, model: Model, path: str, told: Told) -> Verdict:
    problem = ""
    for number in host.lost:
        home = PLACES.page_set(number)
        if path not in (home, PLACES.double_write):  # where a torn page would have come from
            problem = f"page set {number} was left out and {path} was damaged"
        if disk.exists(home) or not disk.exists(home + ".damaged"):
            problem = f"{home} was not kept aside"
    if not {"CSQP901E", "CSQP902W"} <= told.ids():
        problem = "the operator was not told of the page set"
    gone = {name for name, queue in _homes(settings, model).items() if queue in host.lost}
    damaged, wrong = look(host, model)
    if damaged != gone:
        problem = problem or f"queues {sorted(damaged)} are damaged, expected {sorted(gone)}"
    host.crash()
    again, _ = started(disk.crash(keep="none"), settings)
    if again.lost.keys() != host.lost.keys():
        problem = problem or f"the second restart misses page sets {sorted(again.lost)}"
    return Verdict(PAGE_SET_LOST, problem or wrong)


def _homes(settings: EngineSettings, model: Model) -> dict[str, int]:
    default, grows = settings.storage_classes["DEFAULT"], settings.storage_classes["GROWS"]
    return {name: grows if name == "Q2" else default for name in model.certain.queues}


def look(host: Host, model: Model) -> tuple[set[str], str]:
    """Give the queues that say they are damaged, and what is wrong with the others."""
    state = model.certain
    damaged: set[str] = set()
    connection = host.connect("examiner")
    problem = ""
    for name in state.queues:
        try:
            found = browse(connection, name)
        except MQError as error:
            if error.reason != MQRC_OBJECT_DAMAGED:
                raise
            damaged.add(name)
            continue
        problem = problem or compare(found, state.visible(name), state.backouts)
    known = {name for name in host.queues.by_name if name in state.queues}
    if known | damaged != state.queues.keys():
        problem = problem or f"queues {sorted(known)} instead of {sorted(state.queues)}"
    if not host.lost and set(connection.recover()) != state.in_doubt.keys():
        problem = problem or f"units in doubt {connection.recover()}"
    return damaged, problem
