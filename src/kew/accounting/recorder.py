"""Records statistics and accounting: reads the counters when an interval ends and makes SMF records of them.

A worker of the queue manager calls `look` at the ends of intervals and when a program has ended. The active traces
decide which records are made. When a trace is started or stopped, `heed` switches the counting of verbs on or off,
gives connections accounts and queues statistics, and makes the records of the stopped trace. No verb waits for a
record: the accounts of ended programs are kept in a list of at most MOST_ENDED, and records go to `SmfFiles`, which
never waits for the disk.
"""

import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Protocol

from librt.threading import Lock

from kew.accounting import statistics as stats
from kew.accounting import tasks
from kew.accounting.account import Account
from kew.accounting.calls import CallCounters
from kew.accounting.intervals import CollectionTimes
from kew.accounting.program import Program
from kew.accounting.smffiles import SmfFiles
from kew.accounting.tasks import Task
from kew.accounting.traces import ACCOUNTING, CHANNELS, GLOBAL, KIND_NAMES, STATISTICS, Traces
from kew.accounting.tracetable import TraceTable
from kew.codes.attributes import MQMON_NONE, MQMON_OFF
from kew.formats.smf import Sequences, Stamp, build_records
from kew.formats.smf.layouts.structure import Value, Values
from kew.objects.catalogue import AttributeValue, Catalogue, Change
from kew.queues.queue import Queue, oldest_put
from kew.queues.registry import QueueRegistry
from kew.queues.statistics import QueueStatistics
from kew.storage.buffers.pool import BufferPool
from kew.storage.log import Log
from kew.storage.pages.pageset import PageSet
from kew.storage.stall import Damaged, Stall
from kew.topics.space import TopicSpace

MOST_ENDED: Final = 10000  # accounts of programs that have ended and are not recorded yet
QUEUES_A_HOLD: Final = 50  # queues read under one hold of the engine lock
LONGEST_SLEEP: Final = 60.0
POSITION_RELEASE: Final = 90301  # from this version on a queue's record has the age of its oldest message
WORK_RELEASE: Final = 90303  # from this version on a queue's record has the operations on the queue
COMMAND_SERVER: Final = b"kew command server"


class PageSets(Protocol):
    """The part of the message store that is recorded."""

    @property
    def page_sets(self) -> Mapping[int, PageSet]:
        """Give the page sets in use, by number."""


class RecordedEngine(Protocol):
    """The counters of an engine, and the switches of counting."""

    name: str
    lock: Lock
    log: Log
    queues: QueueRegistry
    catalogue: Catalogue
    calls: CallCounters
    topics: TopicSpace
    connections: dict[int, Program]
    trace: TraceTable | None
    channel_trace: TraceTable | None

    @property
    def store(self) -> PageSets:
        """Give the store of messages."""

    def measure(self, metered: bool, detailed: bool) -> None:
        """Switch counting on or off: of verbs, programs and queues."""

    def trace_calls(self, table: TraceTable | None) -> None:
        """Note the steps of calls in a table; None stops that."""

    def trace_channels(self, table: TraceTable | None) -> None:
        """Note the steps of channels in a table; None stops that."""


class Channels(Protocol):
    """The channels as the recorder sees them, for class 4."""

    def set_level(self, level: int) -> None:
        """Apply STATCHL of the queue manager."""

    def set_recording(self, recorded: bool) -> None:
        """Start or stop to keep the final state of instances that end."""

    def initiator(self, now: float) -> Mapping[str, Sequence[Values]]:
        """Give the structures of a record of subtype 231."""

    def channels(self, now: float) -> Sequence[Values]:
        """Give the structures of records of subtype 10, one for each instance of a channel."""


class Recorder:
    """Makes SMF records; the methods may be called from any thread."""

    def __init__(
        self,
        engine: RecordedEngine,
        pools: Mapping[int, BufferPool],
        lost: Mapping[int, str],
        traces: Traces,
        times: CollectionTimes,
        files: SmfFiles,
        keep_table: Callable[[str, TraceTable], None],
    ) -> None:
        self.due = threading.Event()  # there may be something to cut
        self._running = False  # between `start` and `stop`
        self.files = files
        self.engine = engine
        self._pools = pools
        self._lost = lost
        self._traces = traces
        self._times = times
        self._release = files.settings.release
        self._sequences = Sequences()
        self._lock = threading.RLock()  # one cut at a time; taken after that of definitions, before the engine lock
        now = time.time()
        self._statistics: frozenset[int] = frozenset()  # classes that are recorded
        self._accounting: frozenset[int] = frozenset()
        self._statistics_seen = times.statistics.begun
        self._accounting_seen = times.accounting.begun
        self._statistics_since = now
        self._channels_since = now
        self._before: dict[tuple[str, int], Values] = {}  # the readings before, by structure and number
        self._log_busy = 0.0  # seconds, at the reading before
        self._storage: dict[str, int] = {}
        self._readings: dict[int, stats.QueueReading] = {}
        self._ended: deque[tuple[Task, Account]] = deque()
        self._queue_statistics = MQMON_OFF  # STATQ and ACCTQ of the queue manager
        self._queue_accounting = MQMON_OFF
        self._keep_table = keep_table  # writes the table of a stopped trace
        self._channels: Channels | None = None  # None without network
        self._channel_level = MQMON_OFF
        traces.on_change.append(self.heed)

    # -- life ---------------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Start recording; traces that start with the queue manager count from its start, restart included."""
        self.files.start()
        self.heed()
        self._running = True

    def stop(self) -> None:
        """Record all collected data, and end."""
        self._running = False
        with self._lock:
            now = time.time()
            if self._statistics:
                self._cut_statistics(self._statistics, now)
            self._record_ended()
        self.files.stop()

    def abandon(self) -> None:
        """End without recording, as a crash would."""
        self._running = False
        self.files.abandon()

    def next_due(self) -> float:
        """Give the seconds until records are due."""
        if not self._statistics and not self._accounting:
            return LONGEST_SLEEP
        end = min(self._times.statistics.end(), self._times.accounting_end())
        return min(max(0.0, end - time.time()) + 0.001, LONGEST_SLEEP)

    def look(self, now: float) -> None:
        """Make the records that are due: intervals that are over, programs that have ended."""
        with self.engine.catalogue.lock:  # the lock under which SET SYSTEM changes the intervals; taken before ours
            self._times.look(now)
            statistics = self._times.statistics.begun
            accounting = self._times.accounting.begun
        with self._lock:
            if statistics != self._statistics_seen:
                self._statistics_seen = statistics
                self._cut_statistics(self._statistics, now)
            self._record_ended()
            if accounting != self._accounting_seen:
                self._accounting_seen = accounting
                self._cut_accounts(now)

    def cut(self) -> None:
        """Record statistics now, for RESET QMGR TYPE(STATISTICS); the current interval continues from here."""
        with self._lock:
            self._record_ended()
            self._cut_statistics(self._statistics, time.time())

    # -- traces -------------------------------------------------------------------------------------------------------

    def heed(self) -> None:
        """Apply the active traces; called when a trace is started or stopped."""
        with self._lock:
            now = time.time()
            wanted = frozenset([one for one in (1, 2, 3, 4, 5) if self._traces.collects(STATISTICS, one)])
            accounts = frozenset([one for one in (1, 3, 4) if self._traces.collects(ACCOUNTING, one)])
            gone = self._statistics - wanted
            if gone:
                self._cut_statistics(gone, now)
            if self._accounting - accounts:
                self._record_ended()
                self._cut_accounts(now)
            came = wanted - self._statistics
            if came and self._running:  # from now on, not from the start of the queue manager
                self._read_all(came)
            if not self._statistics and self._running:
                self._statistics_since = now
            self._statistics, self._accounting = wanted, accounts
            if self._channels is not None:
                self._channels.set_recording(4 in accounts)
            self._heed_tables()
            self._apply(now)
        self.due.set()

    def _heed_tables(self) -> None:
        """Keep the tables of the resident traces; the table of a stopped trace is written to a file."""
        engine = self.engine
        for kind in (GLOBAL, CHANNELS):
            wanted = any(trace.kind == kind for trace in self._traces.running())
            table = engine.trace if kind == GLOBAL else engine.channel_trace
            if wanted == (table is not None):
                continue
            if kind == GLOBAL:
                engine.trace_calls(TraceTable() if wanted else None)
            else:
                engine.trace_channels(TraceTable() if wanted else None)
            if table is not None:
                self._keep_table(KIND_NAMES[kind], table)

    def _apply(self, now: float) -> None:
        engine = self.engine
        accounted = bool(self._accounting & {1, 3})
        with engine.lock:
            for connection in engine.connections.values():
                if not accounted or not self._accounts_user(connection):
                    connection.account_into(None)
                elif connection.account is None:
                    connection.account_into(Account(engine.log, now, now))
            for queue in engine.queues.by_name.values():
                self._follow(queue, queue.definition)
            of_queues = 5 in self._statistics and self._release >= WORK_RELEASE
            detailed = accounted or of_queues or engine.trace is not None
            engine.measure(1 in self._statistics or detailed, detailed)

    def record_channels(self, channels: Channels) -> None:
        """Add the channels to the recorded data."""
        self._channels = channels
        channels.set_level(self._channel_level)
        channels.set_recording(4 in self._accounting)

    def forget_channels(self) -> None:
        """Record the work of channels, before they end."""
        with self._lock:
            now = time.time()
            if 4 in self._statistics:
                self._cut_statistics(frozenset({4}), now)
            if 4 in self._accounting:
                self.files.offer(self._channel_records(now))
            self._channels = None

    def _channel_records(self, now: float) -> list[bytes]:
        channels = () if self._channels is None else self._channels.channels(now)
        stamp = self._stamp(self._channels_since, now)
        self._channels_since = now
        return _build(116, 10, stamp, {"QCST": channels}) if channels else []

    def set_levels(self, queue_statistics: int, queue_accounting: int, channel_statistics: int) -> None:
        """Apply STATQ, ACCTQ and STATCHL of the queue manager."""
        with self._lock:
            self._channel_level = channel_statistics
            if self._channels is not None:
                self._channels.set_level(channel_statistics)
            if (self._queue_statistics, self._queue_accounting) != (queue_statistics, queue_accounting):
                self._queue_statistics = queue_statistics
                self._queue_accounting = queue_accounting
                self._apply(time.time())

    def wake(self) -> None:
        """Check the intervals, which may have changed."""
        self.due.set()

    def follow(self, queue: Queue, values: Mapping[str, AttributeValue]) -> None:
        """Apply the definition of a queue; called under the engine lock."""
        self._follow(queue, values)

    def _follow(self, queue: Queue, values: Mapping[str, AttributeValue]) -> None:
        wanted = 5 in self._statistics and stats.recorded(values.get("STATQ"), self._queue_statistics)
        if not wanted or self._release < WORK_RELEASE:
            queue.statistics = None
        elif queue.statistics is None:
            queue.statistics = _new_statistics(queue)
        if wanted and queue.id not in self._readings:
            self._readings[queue.id] = stats.QueueReading(queue.counters)

    # -- statistics ---------------------------------------------------------------------------------------------------

    def _stamp(self, since: float, now: float) -> Stamp:
        offset = -time.timezone // 60 if not time.localtime(now).tm_isdst else -time.altzone // 60
        return Stamp(
            self.files.settings.system,
            self.engine.name[:4],
            self._release,
            int(min(since, now) * 1e6),  # a clock may be set back
            int(now * 1e6),
            offset,
            sequences=self._sequences,
        )

    def _since(self, structure: str, number: int, now: Values) -> dict[str, Value]:
        difference = stats.since(structure, now, self._before.get((structure, number)))
        self._before[structure, number] = now
        return difference

    def _read_all(self, classes: frozenset[int]) -> None:
        """Read all counters without making records, so that the next records count from now on."""
        if 1 in classes:
            self._resources(0)
            self._forget_peaks()
        if 4 in classes and self._channels is not None:
            self._channels.initiator(time.time())

    def _cut_statistics(self, classes: frozenset[int], now: float) -> None:
        stamp = self._stamp(self._statistics_since, now)
        records: list[bytes] = []
        if 1 in classes:
            for subtype, structures in self._resources(stamp.end - stamp.start).items():
                records += _build(115, subtype, stamp, structures)
            self._forget_peaks()
        if 2 in classes:
            region = stats.region_statistics(self._pools.values())
            records += _build(115, 7, stamp, {"QSRS": [region]})
        if 3 in classes:
            records += _build(115, 5, stamp, {"QSPH": self._storage_pools()})
        if 4 in classes and self._channels is not None:
            records += _build(115, 231, stamp, self._channels.initiator(now))
        if 5 in classes:
            queues = self._queues(now)
            if queues:
                records += _build(115, 216, stamp, {"QQST": queues})
        if classes == self._statistics:
            self._statistics_since = now
        self.files.offer(records)

    def _forget_peaks(self) -> None:
        engine = self.engine
        engine.log.counters.forget_peaks()
        with engine.lock:
            engine.calls.forget_peaks()
            engine.topics.counts.forget_peaks()

    def _resources(self, interval: int) -> dict[int, dict[str, list[dict[str, Value]]]]:
        """Give class 1: the work of each resource manager in the last `interval` microseconds."""
        engine = self.engine
        with engine.lock:
            pools = [stats.pool_statistics(pool) for _, pool in sorted(self._pools.items())]
        page_sets = [stats.page_set_statistics(one) for _, one in sorted(engine.store.page_sets.items())]
        log = self._since("QJST", 0, stats.log_statistics(engine.log))
        busy = engine.log.busy_seconds()
        log["QJSTSLPTU"] = stats.log_idle(interval, busy - self._log_busy)
        self._log_busy = busy
        calls = engine.calls
        return {
            1: {"QSST": [{}], "QJST": [log]},
            2: {
                "QMST": [self._since("QMST", 0, stats.message_statistics(calls))],
                "QIST": [self._since("QIST", 0, stats.data_statistics(calls))],
                "QLST": [self._since("QLST", 0, stats.lock_statistics(calls))],
                "QTST": [self._since("QTST", 0, stats.topic_statistics(calls, engine.topics.counts))],
            },
            201: {
                "QIS1": [
                    *[self._since("QIS1", _number(one["QIS1PSNO"]), one) for one in page_sets],
                    *[stats.lost_page_set(number) for number in sorted(self._lost)],
                ]
            },
            215: {"QPST": [self._since("QPST", _number(one["QPSTPOOL"]), one) for one in pools]},
        }

    def _storage_pools(self) -> list[dict[str, Value]]:
        found = stats.storage_pools(self._pools.values(), self.engine.log.settings.buffer_pages, self._storage)
        self._storage = {str(one["QSPHNAME"]): _number(one["QSPHSTOR"]) for one in found}
        return found

    def _queues(self, now: float) -> list[dict[str, Value]]:
        """Give class 5: the queues with STATQ, and begin their next interval."""
        engine = self.engine
        with engine.lock:
            names = sorted(engine.queues.by_name)
        found: list[dict[str, Value]] = []
        for start in range(0, len(names), QUEUES_A_HOLD):
            with engine.lock:
                for name in names[start : start + QUEUES_A_HOLD]:
                    queue = engine.queues.by_name.get(name)
                    recorded = queue is not None and stats.recorded(
                        queue.definition.get("STATQ"), self._queue_statistics
                    )
                    if queue is not None and recorded:
                        found.append(self._queue(queue, now))
        present = {queue.id for queue in list(engine.queues.by_name.values())}
        for number in [number for number in self._readings if number not in present]:
            del self._readings[number]
        return found

    def _queue(self, queue: Queue, now: float) -> dict[str, Value]:
        oldest = 0.0
        if self._release >= POSITION_RELEASE:
            try:
                oldest = oldest_put(queue)
            except (Stall, Damaged):
                oldest = 0.0  # its page is not in memory, and no page is read for this
        values = stats.queue_position(queue, now, oldest)
        done = queue.statistics
        reading = self._readings.setdefault(queue.id, stats.QueueReading(queue.counters))
        expired = reading.read(queue.counters)
        if done is not None:
            values.update(stats.queue_work(done, expired))
            queue.statistics = _new_statistics(queue)
        return values

    # -- accounting ---------------------------------------------------------------------------------------------------

    def entered(self, connection: Program) -> None:
        """Begin the account of a program that has connected; called under the engine lock."""
        if self._accounting & {1, 3} and self._accounts_user(connection):
            now = time.time()
            connection.account_into(Account(self.engine.log, now, now))

    def _accounts_user(self, connection: Program) -> bool:
        return self._traces.collects_of(ACCOUNTING, connection.principal)

    def left(self, connection: Program) -> None:
        """End the account of a program that has disconnected; called under the engine lock."""
        account = connection.account
        if account is None:
            return
        connection.account_into(None)
        account.disconnected(time.time())
        if len(self._ended) >= MOST_ENDED:
            self.files.lose(1)
        else:
            self._ended.append((_task(connection), account))
        self.due.set()

    def _record_ended(self) -> None:
        records: list[bytes] = []
        while self._ended:
            task, account = self._ended.popleft()
            records += self._records_of(task, account)
        if records:
            self.files.offer(records)

    def _cut_accounts(self, now: float) -> None:
        """Record the accounts of programs that are still connected, and begin new ones."""
        engine = self.engine
        over: list[tuple[Task, Account]] = []
        with engine.lock:
            for connection in engine.connections.values():
                account = connection.account
                if account is not None and 3 in self._accounting:
                    connection.account_into(account.next(now))
                    over.append((_task(connection), account))
        records: list[bytes] = []
        for task, account in over:
            if any(verb.calls for verb in account.verbs()):
                records += self._records_of(task, account)
        if 4 in self._accounting:
            records += self._channel_records(now)
        self.files.offer(records)

    def _records_of(self, task: Task, account: Account) -> list[bytes]:
        """Give the records of a task: class 1 when it ends, class 3 for each interval."""
        stamp = self._stamp(account.since, account.until)
        records: list[bytes] = []
        if 1 in self._accounting and account.ended:
            structures = {"QWAC": [tasks.common_accounting(account)], "QMAC": [tasks.message_accounting(account)]}
            records += _build(116, 0, stamp, structures, correlation=tasks.correlation(task))
        if 3 in self._accounting:
            queues = [
                tasks.queue_accounting(task, account, one, self.engine.queues.by_id.get(one.number))
                for one in account.queues.values()
                if self._accounts_queue(one.number)
            ]
            structures = {
                "WTID": [tasks.identification(task)],
                "WTAS": [tasks.task_accounting(task, account, len(queues))],
                "WQ": queues,
            }
            records += _build(116, 1, stamp, structures)
        return records

    def _accounts_queue(self, number: int) -> bool:
        if self._queue_accounting == MQMON_NONE:
            return False
        queue = self.engine.queues.by_id.get(number)
        wanted = queue.definition.get("ACCTQ") if queue is not None else self._queue_accounting
        return stats.recorded(wanted, self._queue_accounting)

    # -- definitions --------------------------------------------------------------------------------------------------

    def changed(self, changes: Sequence[Change]) -> None:
        """Count definitions that were made, deleted or changed."""
        calls = self.engine.calls
        for before, after in changes:
            if before is None:
                calls.created += 1
            elif after is None:
                calls.deleted += 1
            else:
                calls.changed += 1


def _build(
    kind: int,
    subtype: int,
    stamp: Stamp,
    structures: Mapping[str, Sequence[Values]],
    correlation: Values | None = None,
) -> list[bytes]:
    """Make records; a number too large for its field becomes the field's largest."""
    try:
        return build_records(kind, subtype, stamp, structures, correlation=correlation)
    except ValueError:
        fitting = {name: [stats.fitting(name, one) for one in each] for name, each in structures.items()}
        return build_records(kind, subtype, stamp, fitting, correlation=correlation)


def _new_statistics(queue: Queue) -> QueueStatistics:
    return QueueStatistics(queue.depth, queue.input_handles, queue.output_handles)


def _number(value: Value) -> int:
    assert isinstance(value, int)
    return value


def _task(connection: Program) -> Task:
    if connection.channel:
        kind = tasks.CHANNEL_INITIATOR
    else:
        own = connection.application.startswith(COMMAND_SERVER)
        kind = tasks.COMMAND_SERVER if own else tasks.BATCH
    return Task(
        connection.number,
        kind,
        connection.application.decode("utf-8", "replace").strip(),
        connection.principal,
        connection.channel,
        connection.conname,
        connection.accounting_token,
    )
