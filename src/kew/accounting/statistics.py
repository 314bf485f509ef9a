"""The counters of each resource manager as the fields of its SMF statistics.

Counters only grow, so the work of an interval is the difference between two readings; the layouts mark the fields that
are differences (`delta`). Gauges and peaks are taken as they are. Times of files and of the log are in seconds and
become TOD units, 4,096 to the microsecond.
"""

import os
import resource
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from kew.accounting.calls import CallCounters
from kew.codes.attributes import MQMON_NONE, MQMON_ON, MQMON_Q_MGR
from kew.formats.smf.encoding import microseconds_to_tod
from kew.formats.smf.layouts.structure import BY_NAME as STRUCTURES
from kew.formats.smf.layouts.structure import Structure, Value, Values
from kew.queues.queue import Queue, QueueCounters
from kew.queues.statistics import NOTHING_PUT, QueueStatistics
from kew.storage.buffers.pool import BufferPool
from kew.storage.log import Log
from kew.storage.log.counters import CopyCounters, IoCounters
from kew.storage.page import PAGE_SIZE
from kew.storage.pages.pageset import EXPAND_NONE, EXPAND_USER, PageSet
from kew.storage.pages.spacemap import CATALOG, FREE, ITEM, RELEASING, VOLATILE
from kew.topics.space import SubscriptionCounts

MEGABYTE: Final = 1 << 20
_EXPANSION: Final = {EXPAND_USER: 1, EXPAND_NONE: 3}  # otherwise 2, SYSTEM
_OFFLINE: Final = 2
_ABOVE_THE_BAR: Final = 0x80000000
_UNCOMMITTED: Final = 0x20000000
_LARGEST_WORD: Final = (1 << 31) - 1
_GROWING: Final = ("QJSTCP1N", "QJSTCP2N")  # gauges of the interval that are counted from the start here
_RANGES: Final = {
    "u8": (0, 0xFF),
    "u16": (0, 0xFFFF),
    "u32": (0, 0xFFFFFFFF),
    "u64": (0, 0xFFFFFFFFFFFFFFFF),
    "stck": (0, 0xFFFFFFFFFFFFFFFF),
    "todd": (0, 0xFFFFFFFFFFFFFFFF),
    "i16": (-0x8000, 0x7FFF),
    "i32": (-0x80000000, 0x7FFFFFFF),
    "i64": (-0x8000000000000000, 0x7FFFFFFFFFFFFFFF),
}
_FIXED_LENGTH: Final = 0x80 | 0x08  # pool flags: fixed length, 64-bit


def duration(seconds: float) -> int:
    """Give a time in seconds in TOD units."""
    return int(seconds * 1e6 * 4096)


def moment(seconds: float) -> int:
    """Give a moment in seconds since 1970 as a TOD clock; 0 for never."""
    return microseconds_to_tod(int(seconds * 1e6)) if seconds > 0 else 0


def since(structure: str, now: Values, before: Values | None) -> dict[str, Value]:
    """Give the differences between two readings of a structure."""
    return _since(STRUCTURES[structure], now, before or {})


def _since(layout: Structure, now: Values, before: Values) -> dict[str, Value]:
    found: dict[str, Value] = {}
    for name, value in now.items():
        field = layout.field[name]
        earlier = before.get(name)
        grows = field.kind == "delta" or name in _GROWING
        if grows and isinstance(value, int) and isinstance(earlier, int):
            found[name] = max(0, value - earlier)
        elif field.inner is not None and isinstance(value, list):
            old = earlier if isinstance(earlier, list) else [{}] * len(value)
            found[name] = [_since(field.inner, one, two) for one, two in zip(value, old, strict=True)]
        elif field.kind == "delta" and field.count and isinstance(value, list) and isinstance(earlier, list):
            found[name] = [max(0, one - two) for one, two in zip(value, earlier, strict=True)]
        else:
            found[name] = value
    return found


def fitting(structure: str, values: Values) -> dict[str, Value]:
    """Give the values of a structure, with numbers out of range cut to the range of their fields."""
    layout = STRUCTURES[structure]
    found: dict[str, Value] = {}
    for name, value in values.items():
        field = layout.field[name]
        low, high = _RANGES.get(field.type, (0, 0))
        found[name] = min(max(value, low), high) if isinstance(value, int) and high else value
    return found


# -- subtype 1 --------------------------------------------------------------------------------------------------------


def _io(counters: IoCounters) -> dict[str, Value]:
    return {
        "QJSTIOCOUNT": counters.requests,
        "QJSTIOCI": counters.pages,
        "QJSTIOTOTIO": duration(counters.seconds),
        "QJSTIOTOTSUS": duration(counters.suspended),
        "QJSTIOMAXIO": duration(counters.longest),
        "QJSTIOMAXIOT": moment(counters.longest_when),
        "QJSTIOMAXIOL": _name(counters.longest_file),
        "QJSTIOMAXSUS": duration(counters.longest_suspended),
        "QJSTIOMAXSUST": moment(counters.longest_suspended_when),
        "QJSTIOMAXSUSL": _name(counters.longest_suspended_file),
    }


def _name(path: str) -> str:
    """Give the last eight characters of a log file's name, which differ between the files."""
    return os.path.basename(path).partition(".")[0].upper()[-8:]


def log_statistics(log: Log) -> dict[str, Value]:
    """Give QJST: the work of the log manager."""
    counters = log.counters
    copies: Sequence[CopyCounters] = counters.copies
    squares = sum([copy.square_microseconds for copy in copies])
    return {
        "QJSTWRW": counters.write_requests_wait,
        "QJSTWRNW": counters.write_requests_nowait,
        "QJSTWRF": counters.write_requests_force,
        "QJSTWTB": counters.buffer_waits,
        "QJSTRBUF": counters.reads_buffer,
        "QJSTRACT": counters.reads_active,
        "QJSTRARH": counters.reads_archive,
        "QJSTBSDS": counters.bootstrap_accesses,
        "QJSTBFFL": counters.pages_created,
        "QJSTBFWR": counters.buffer_writes,
        "QJSTALR": counters.archive_reads,
        "QJSTALW": counters.archive_writes,
        "QJSTCIOF": counters.pages_offloaded,
        "QJSTLLCP": counters.checkpoints,
        "QJSTLSUS": counters.suspends,
        "QJSTLOGW": counters.io_requests,
        "QJSTCIWR": counters.pages_written,
        "QJSTSERW": counters.pages_rewritten,
        "QJSTTHRW": counters.threshold_writes,
        "QJSTIO": [_io(one) for copy in copies for one in (copy.one_page, copy.many_pages)],
        "QJSTIOSQU": [squares >> 64, squares & 0xFFFFFFFFFFFFFFFF],
        "QJSTCP1N": copies[0].new_files,
        "QJSTCP2N": copies[1].new_files,
    }


def log_idle(interval: int, busy: float) -> int:
    """Give QJSTSLPTU: the microseconds of an interval in which no copy of the log was being written.

    A write is counted when it is done, so the result is 0 for an interval shorter than a write.
    """
    return max(0, interval - int(max(0.0, busy) * 1e6))


# -- subtype 2 --------------------------------------------------------------------------------------------------------


def message_statistics(calls: CallCounters) -> dict[str, Value]:
    """Give QMST: the work of the message manager."""
    return {
        "QMSTOPEN": calls.opens,
        "QMSTCLOS": calls.closes,
        "QMSTGET": calls.gets,
        "QMSTPUT": calls.puts,
        "QMSTPUT1": calls.put1s,
        "QMSTINQ": calls.inquiries,
        "QMSTSET": calls.sets,
        "QMSTCALH": calls.handles_left,
        "QMSTSPP": calls.persistent,
        "QMSTSNP": calls.messages() - calls.persistent,
        "QMSTPBP": calls.persistent_bytes,
        "QMSTNBP": calls.bytes - calls.persistent_bytes,
        "QMSTSUB": calls.subscribed,
        "QMSTSUBR": calls.requested,
        "QMSTPUBS": calls.published,
    }


def topic_statistics(calls: CallCounters, counts: SubscriptionCounts) -> dict[str, Value]:
    """Give QTST: the work of the topic manager. Programs make all publications; peaks under way are not kept."""
    return {
        "QTSTSTOT": calls.subscribed,
        "QTSTSDUR": calls.subscribed_durably,
        "QTSTSHIG": counts.most[:],
        "QTSTSLOW": counts.fewest[:],
        "QTSTSEXP": calls.expired_subscriptions,
        "QTSTTMSG": calls.published,
        "QTSTSPHW": calls.most_reached,
        "QTSTPTOT": [calls.publications, 0, 0],
        "QTSTPNOS": calls.unheard,
        "QTSTETHW": duration(calls.longest_publishing),
        "QTSTETTO": duration(calls.publishing_time),
    }


def data_statistics(calls: CallCounters) -> dict[str, Value]:
    """Give QIST: the work of the data manager."""
    return {
        "QISTMGET": calls.got,
        "QISTMPUT": calls.messages(),
        "QISTMBLR": calls.browsed,
        "QISTDCRE": calls.created,
        "QISTDPUT": calls.changed,
        "QISTDDEL": calls.deleted,
        "QISTGETD": calls.gets_with_read,
        "QISTGETB": max(0, calls.got - calls.gets_with_read),
    }


def lock_statistics(calls: CallCounters) -> dict[str, Value]:
    """Give QLST: the messages that units of work have locked and unlocked."""
    return {"QLSTGETL": calls.locked, "QLSTRELL": calls.unlocked}


# -- subtypes 5 and 7: storage ----------------------------------------------------------------------------------------


def storage_pools(pools: Iterable[BufferPool], log_pages: int, before: Mapping[str, int]) -> list[dict[str, Value]]:
    """Give QSPH: the buffer pools and the log buffer."""
    sizes = {f"BUFFER POOL {pool.id}": len(pool.frames) * PAGE_SIZE for pool in pools}
    sizes["LOG BUFFER"] = log_pages * PAGE_SIZE
    return [
        {
            "QSPHNAME": name,
            "QSPHSTOR": min(size, _LARGEST_WORD),
            "QSPHOSTOR": min(before.get(name, 0), _LARGEST_WORD),
            "QSPHXSTOR": max(0, min(size - before.get(name, 0), _LARGEST_WORD)),
            "QSPHBSIZE": PAGE_SIZE,
            "QSPHCOUNT": 1,
            "QSPHFLAGS": _FIXED_LENGTH,
        }
        for name, size in sizes.items()
    ]


def region_statistics(pools: Iterable[BufferPool]) -> dict[str, Value]:
    """Give QSRS: the storage of the process, which is all above the bar."""
    with open("/proc/self/statm", encoding="ascii") as file:
        virtual, resident = [int(word) * PAGE_SIZE for word in file.read().split()[:2]]
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    highest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return {
        "QSRSPHBLF": min(sum([len(pool.frames) for pool in pools]) * PAGE_SIZE, _LARGEST_WORD),
        "QSRSMEMLIM": 0 if limit == resource.RLIM_INFINITY else limit // MEGABYTE,
        "QSRSABYTES": virtual,
        "QSRSGBYTES": highest,
        "QSRSFMCT": min(resident // PAGE_SIZE, _LARGEST_WORD),
        "QSRSAVAL64": os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"),
    }


# -- subtypes 201 and 215: page sets and buffer pools -----------------------------------------------------------------


def page_set_statistics(page_set: PageSet) -> dict[str, Value]:
    """Give QIS1 of a page set in use."""
    states = page_set.space.states
    counters = page_set.counters
    return {
        "QIS1PSNO": page_set.id,
        "QIS1BPNO": page_set.pool.id,
        "QIS1TOPG": page_set.space.pages,
        "QIS1UNPG": states.count(FREE) + states.count(RELEASING),
        "QIS1PPG": states.count(ITEM) + states.count(CATALOG),
        "QIS1NPPG": states.count(VOLATILE),
        "QIS1FULL": counters.full,
        "QIS1PCHI": page_set.space.start,
        "QIS1DWPN": counters.writes,
        "QIS1DWPP": counters.pages_written,
        "QIS1DWPT": duration(counters.write_seconds),
        "QIS1GETN": counters.reads,
        "QIS1GETP": counters.pages_read,
        "QIS1GETT": duration(counters.read_seconds),
        "QIS1EXPN": page_set.expansions & 0xFFFF,
        "QIS1STRN": 1,
        "QIS1EXPM": _EXPANSION.get(page_set.expand, 2),
        "QIS1STAT": 0,
    }


def lost_page_set(number: int) -> dict[str, Value]:
    """Give QIS1 of a page set that could not be used."""
    return {"QIS1PSNO": number, "QIS1STAT": _OFFLINE}


def pool_statistics(pool: BufferPool) -> dict[str, Value]:
    """Give QPST of a buffer pool; its lowest mark begins anew."""
    counters = pool.counters
    free = max(0, pool.size - pool.in_use())
    lowest = min(counters.lowest_free, free)
    counters.lowest_free = free
    return {
        "QPSTPOOL": pool.id,
        "QPSTNBUF": pool.size,
        "QPSTCBSL": max(0, lowest),
        "QPSTCBS": free,
        "QPSTGETP": counters.hits + counters.read_requests,
        "QPSTGETN": counters.new_pages,
        "QPSTRIO": counters.reads,
        "QPSTSTW": counters.pages_set_dirty,
        "QPSTTPW": counters.pages_written,
        "QPSTWIO": counters.write_requests,
        "QPSTIMW": counters.synchronous_writes,
        "QPSTDWT": counters.deferred_threshold,
        "QPSTDMC": counters.synchronous_threshold,
        "QPSTSTL": counters.steals,
        "QPSTSOS": counters.no_frames,
        "QPSTFLAG": _ABOVE_THE_BAR,
    }


# -- subtype 216: queues ----------------------------------------------------------------------------------------------


def recorded(of_queue: object, of_manager: int) -> bool:
    """Say whether a queue is recorded, by its STATQ or ACCTQ and that of the queue manager."""
    if of_manager == MQMON_NONE:
        return False
    return (of_manager if of_queue == MQMON_Q_MGR else of_queue) == MQMON_ON


class QueueReading:
    """A queue's counters when they were last read; RESET QSTATS begins new ones, and the old must not be lost."""

    def __init__(self, counters: QueueCounters) -> None:
        self.counters = counters
        self.expired = counters.expired

    def read(self, counters: QueueCounters) -> int:
        """Give the number of messages that have expired since the last time."""
        expired = counters.expired - self.expired
        if counters is not self.counters:
            expired = self.counters.expired - self.expired + counters.expired
        self.counters, self.expired = counters, counters.expired
        return expired


def queue_position(queue: Queue, now: float, oldest: float) -> dict[str, Value]:
    """Give QQST of the state of a queue, which is the whole structure up to 9.3.2."""
    monitor = queue.monitor
    values: dict[str, Value] = {
        "QQSTQNAM": queue.name,
        "QQSTFLAG": _UNCOMMITTED if queue.uncommitted else 0,
        "QQSTPSID": queue.store.page_set.id,
        "QQSTBPID": queue.store.page_set.pool.id,
        "QQSTDPTH": queue.depth,
        "QQSTOPCT": queue.output_handles,
        "QQSTIPCT": queue.input_handles,
        "QQSTMAGE": max(0, int(now - oldest)) if oldest else 0,
    }
    if monitor is not None:
        values["QQSTQTST"] = max(0, int(monitor.short_stay))
        values["QQSTQTLT"] = max(0, int(monitor.long_stay))
        values["QQSTLPUT"] = moment(monitor.last_put)
        values["QQSTLGET"] = moment(monitor.last_get)
    return values


def queue_work(done: QueueStatistics, expired: int) -> dict[str, Value]:
    """Give QQST of the operations on a queue in an interval, which it has from 9.3.3 on."""
    all_puts = done.puts + done.put1s
    return {
        "QQSTDPHI": done.highest_depth,
        "QQSTDPLO": done.lowest_depth,
        "QQSTPUTS": done.puts,
        "QQSTPUT1": done.put1s,
        "QQSTNPPT": done.puts - done.persistent_puts,
        "QQSTPPT": done.persistent_puts,
        "QQSTNPP1": done.put1s - done.persistent_put1s,
        "QQSTPP1": done.persistent_put1s,
        "QQSTPUTB": done.put_bytes,
        "QQSTPT1B": done.put1_bytes,
        "QQSTNPPB": done.put_bytes - done.persistent_bytes,
        "QQSTPPB": done.persistent_bytes,
        "QQSTNP1B": done.put1_bytes - done.persistent_put1_bytes,
        "QQSTP1B": done.persistent_put1_bytes,
        "QQSTFLPT": done.failed_puts,
        "QQSTFLP1": done.failed_put1s,
        "QQSTFPTC": done.direct,
        "QQSTFPTB": done.direct_bytes,
        "QQSTSTRM": done.streamed,
        "QQSTMSMI": max(0, done.smallest) if done.smallest != NOTHING_PUT else 0,
        "QQSTMSMA": done.largest,
        "QQSTMSAV": (done.put_bytes + done.put1_bytes) // all_puts if all_puts else 0,
        "QQSTGETS": done.gets,
        "QQSTNPDG": done.gets - done.persistent_gets,
        "QQSTPDG": done.persistent_gets,
        "QQSTGETB": done.got_bytes,
        "QQSTNPDB": done.got_bytes - done.persistent_got_bytes,
        "QQSTPDB": done.persistent_got_bytes,
        "QQSTBRWS": done.browses,
        "QQSTNPBR": done.browses - done.persistent_browses,
        "QQSTPBR": done.persistent_browses,
        "QQSTBRWB": done.browsed_bytes,
        "QQSTNPBB": done.browsed_bytes - done.persistent_browsed_bytes,
        "QQSTPBB": done.persistent_browsed_bytes,
        "QQSTFLGT": done.failed_gets,
        "QQSTNMAG": done.empty_gets,
        "QQSTTMFG": done.truncated_gets,
        "QQSTFLBR": done.failed_browses,
        "QQSTNMAB": done.empty_browses,
        "QQSTTMFB": done.truncated_browses,
        "QQSTFLGW": done.unserved_gets,
        "QQSTRDGW": done.redriven_gets,
        "QQSTFLBW": done.unserved_browses,
        "QQSTRDBW": done.redriven_browses,
        "QQSTIPHI": done.highest_inputs,
        "QQSTIPLO": done.lowest_inputs,
        "QQSTOPHI": done.highest_outputs,
        "QQSTOPLO": done.lowest_outputs,
        "QQSTOPEN": done.opens,
        "QQSTCLOS": done.closes,
        "QQSTINQR": done.inquiries,
        "QQSTSET": done.sets,
        "QQSTEXPR": expired,
        "QQSTRBPT": done.puts_undone,
        "QQSTRBGT": done.gets_undone,
    }
