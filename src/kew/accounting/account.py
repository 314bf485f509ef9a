"""The cost of one program's calls: counts, elapsed and processor time by verb, for the task and each of its queues.

A connection has an account only while an accounting trace runs; otherwise a verb tests one attribute and no more. An
account covers one interval: when the interval ends, the connection gets a new account, and the old account becomes
records of type 116.

How a call is measured:

    edge:    begin                                                              forced, end
    engine:         enter --- leave          or   enter --- pause (a stall) --- enter --- leave

A verb does not wait between `enter` and `leave`. From `pause` to `enter` it waits for a page, in `forced` for the log;
the rest of the time from `begin` to `end` is processor time. The wait for the engine lock, from `begin` to the first
`enter`, is measured in one call of SAMPLE and counted SAMPLE times, since reading clocks is the largest cost here. A
call that comes by the network has no `begin`: no thread waits for its end, and its elapsed time is its time in the
engine and its waits for pages.
"""

import time
from typing import Final

from kew.storage.buffers.pool import PoolCounters
from kew.storage.log import Log

MOST_QUEUES: Final = 1000  # of one program in one interval that are recorded
SAMPLE: Final = 16  # a power of two of calls, of which one tells how long the engine lock takes
LOCK_WAIT: Final = 20e-6  # longest time to take the free engine lock, in seconds
NONE_YET: Final = -1
NO_HANDLE: Final = -1  # 0 is that of an MQPUT1
_now: Final = time.perf_counter  # as a float: a clock that gives whole numbers costs an allocation each time


class VerbTimes:
    """One verb: number of calls and their time, in seconds."""

    def __init__(self) -> None:
        self.calls = 0
        self.elapsed = 0.0
        self.processor = 0.0
        self.log_writes = 0
        self.forces = 0  # waits for the log
        self.force_time = 0.0
        self.page_waits = 0
        self.page_time = 0.0
        self.suspends = 0  # waits for the engine lock
        self.suspend_time = 0.0


TOPIC_NUMBER: Final = 0  # in place of a queue's number, for an open topic


class QueueAccount:
    """The work of a program on one queue."""

    def __init__(self, opened_name: str, name: str, number: int) -> None:
        self.opened_name = opened_name
        self.name = name
        self.number = number  # of the queue
        self.opened = 0.0
        self.closed = 0.0
        self.recorded = True
        self.handles = 0
        self.total_handles = 0
        self.open = VerbTimes()
        self.close = VerbTimes()
        self.get = VerbTimes()
        self.put = VerbTimes()
        self.put1 = VerbTimes()
        self.inquire = VerbTimes()
        self.set = VerbTimes()
        self.browses_any = 0
        self.browses_specific = 0
        self.gets_any = 0
        self.gets_specific = 0
        self.gets_failed = 0
        self.put_bytes = 0
        self.got_bytes = 0
        self.valid_puts = 0
        self.valid_gets = 0
        self.destructive_gets = 0
        self.largest_got = 0
        self.smallest_got = NONE_YET
        self.largest_put = 0
        self.smallest_put = NONE_YET
        self.longest_stay = 0.0  # seconds a message that was got had been on the queue
        self.shortest_stay = -1.0
        self.total_stay = 0.0
        self.persistent_got = 0
        self.persistent_put = 0
        self.persistent_put1 = 0
        self.passed = 0  # messages that gets passed while they looked for others
        self.expired = 0  # messages that gets met whose time was past
        self.selections = 0  # opens with a selection string
        self.longest_selection = 0
        self.deepest = 0
        self.direct_puts = 0  # to a getter that waited
        self.direct_put1s = 0
        self.streamed = 0
        self.published = 0  # copies that subscriptions were given


class Sizes:
    """Messages by their length in bytes."""

    def __init__(self) -> None:
        self.below_100 = 0
        self.below_1000 = 0
        self.below_10000 = 0
        self.longer = 0

    def count(self, length: int) -> None:
        """Count a message."""
        if length < 100:
            self.below_100 += 1
        elif length < 1000:
            self.below_1000 += 1
        elif length < 10000:
            self.below_10000 += 1
        else:
            self.longer += 1

    def counts(self) -> list[int]:
        """Give the counts, the shortest first."""
        return [self.below_100, self.below_1000, self.below_10000, self.longer]

    def copy(self) -> "Sizes":
        """Give a copy of the counts, for the next interval to continue."""
        other = Sizes()
        other.below_100, other.below_1000 = self.below_100, self.below_1000
        other.below_10000, other.longer = self.below_10000, self.longer
        return other


class TaskTotals:
    """The work of a program in earlier intervals, for the record of its end (class 1)."""

    def __init__(self) -> None:
        self.processor = 0.0
        self.elapsed = 0.0
        self.calls = 0
        self.commits = 0
        self.backouts = 0
        self.lock_waits = 0
        self.lock_time = 0.0


class Account:
    """The work of a program in an interval; used under the engine lock, `begin` to `end` by the program's thread."""

    def __init__(self, log: Log, started: float, since: float) -> None:
        self.started = started  # when the program connected
        self.since = since  # when the interval began
        self.until = 0.0
        self.ended = False  # the program has disconnected
        self.queues: dict[tuple[str, int], QueueAccount] = {}
        self.left_out = 0  # queues beyond MOST_QUEUES, which are not recorded
        self.commit = VerbTimes()
        self.backout = VerbTimes()
        self.prepare = VerbTimes()
        self.subscribe = VerbTimes()
        self.request = VerbTimes()  # MQSUBRQ
        self.selections = 0  # subscriptions with a selection string
        self.longest_selection = 0
        self.other = VerbTimes()
        self.log_writes = 0
        self.log_bytes = 0
        self.pages = 0
        self.new_pages = 0
        self.lock_waits = 0
        self.lock_time = 0.0
        self.longest_lock = 0.0
        self.put_sizes = Sizes()
        self.got_sizes = Sizes()
        self.totals = TaskTotals()
        self._log = log
        self._buffer = log.buffer
        self._by_handle: dict[int, QueueAccount] = {}
        self.recent_handle = NO_HANDLE  # the one that was asked for last
        self.recent = QueueAccount("", "", 0)
        self._pool: PoolCounters | None = None
        self._current: VerbTimes | None = None
        self._begun = 0.0
        self._entered = 0.0
        self._paused = 0.0
        self._records = 0
        self._bytes = 0
        self._hits = 0
        self._new = 0
        self._spent = 0.0  # processor time of the attempts of this call that stalled
        self._page_waits = 0
        self._page_time = 0.0
        self._lock_wait = 0.0
        self._put_date = b""
        self._put_time = b""
        self._put_seconds = 0.0
        self._calls = 0
        self._idle = False  # the last attempt found nothing
        self._waited = 0.0  # seconds of this call that went to pages, the log and the lock
        self._wall = since - _now()  # what makes a moment of the counter one of the clock

    # -- the edge -----------------------------------------------------------------------------------------------------

    def begin(self) -> None:
        """Begin a call."""
        self._begun = _now()
        self._current = None
        self._waited = 0.0

    def end(self) -> None:
        """End a call, whatever its outcome."""
        current = self._current
        if current is not None and self._begun:
            elapsed = _now() - self._begun
            current.elapsed += elapsed
            current.processor += elapsed - self._waited
        self._begun = 0.0
        self._current = None

    def now(self) -> float:
        """Give the time in seconds, for `forced`."""
        return _now()

    def forced(self, since: float) -> None:
        """Add the time from `since` on, in which the call has waited for the log."""
        current = self._current
        if current is not None:
            waited = _now() - since
            current.forces += 1
            current.force_time += waited
            self._waited += waited

    # -- the engine ---------------------------------------------------------------------------------------------------

    def enter(self, pool: PoolCounters | None) -> None:
        """Begin or resume the verb, which has the engine lock now."""
        self._idle = False
        if self._paused:
            now = _now()
            waited = now - self._paused
            self._page_waits += 1
            self._page_time += waited
            self._waited += waited
            self._paused = 0.0
            self._entered = now
        elif self._begun:
            self._calls += 1
            self._entered = self._begun
            if self._calls & (SAMPLE - 1) == 1:
                self._look_at_lock()
        else:
            self._entered = _now()
        self._records = self._buffer.appended
        self._bytes = self._buffer.next_address
        self._pool = pool
        if pool is not None:
            self._hits = pool.hits
            self._new = pool.new_pages

    def _look_at_lock(self) -> None:
        waited = _now() - self._begun
        if waited > LOCK_WAIT:
            self._lock_wait += waited
            self._waited += waited
            self.lock_waits += SAMPLE
            self.lock_time += waited * SAMPLE
            if waited > self.longest_lock:
                self.longest_lock = waited

    def pause(self) -> None:
        """Stop the clock of a verb that stalls and will be run again."""
        now = _now()
        self._spent += now - self._entered
        self._paused = now

    def idle(self) -> None:
        """Count a get that found no message; the edge decides whether the call waits."""
        self._spent += _now() - self._entered
        self._begun = 0.0  # it may wait for a message now, and that is no time of the call
        self._idle = True

    def leave(self, times: VerbTimes) -> None:
        """End the verb."""
        times.calls += 1
        self._current = times
        self._add(times)

    def step(self) -> None:
        """Add another step of a verb that is already counted."""
        if self._current is not None:
            self._add(self._current)

    def _add(self, times: VerbTimes) -> None:
        if not self._begun:
            spent = self._spent if self._idle else _now() - self._entered + self._spent
            self._idle = False
            times.processor += spent
            times.elapsed += spent + self._page_time
        written = self._buffer
        records = written.appended - self._records
        if records:
            times.log_writes += records
            self.log_writes += records
            self.log_bytes += written.next_address - self._bytes
        pool = self._pool
        if pool is not None:
            self.pages += pool.hits - self._hits
            self.new_pages += pool.new_pages - self._new
        if self._page_waits:
            times.page_waits += self._page_waits
            times.page_time += self._page_time
            self._page_waits = 0
            self._page_time = 0.0
        if self._lock_wait:
            times.suspends += SAMPLE
            times.suspend_time += self._lock_wait * SAMPLE
            self._lock_wait = 0.0
        self._spent = 0.0
        self._paused = 0.0

    # -- queues -------------------------------------------------------------------------------------------------------

    def queue(self, handle: int, opened_name: str, name: str, number: int) -> QueueAccount:
        """Give the account of a handle's queue."""
        if handle == self.recent_handle:
            return self.recent
        found = self._by_handle.get(handle)
        if found is None:
            found = self._find(opened_name, name, number)
            if not handle:
                return found
            self._by_handle[handle] = found
        self.recent_handle, self.recent = handle, found
        return found

    def _find(self, opened_name: str, name: str, number: int) -> QueueAccount:
        key = (opened_name, number)
        found = self.queues.get(key)
        if found is None:
            found = QueueAccount(opened_name, name, number)
            if len(self.queues) < MOST_QUEUES:
                self.queues[key] = found
            else:
                self.left_out += 1
        return found

    def forget_handle(self, handle: int) -> None:
        """Forget a closed handle, whose number may be used again."""
        self._by_handle.pop(handle, None)
        self.recent_handle = NO_HANDLE

    def put(self, queue: QueueAccount, length: int, persistent: bool, single: bool, direct: bool, depth: int) -> None:
        """Count a message that was put."""
        queue.valid_puts += 1
        queue.put_bytes += length
        if length > queue.largest_put:
            queue.largest_put = length
        if length < queue.smallest_put or queue.smallest_put == NONE_YET:
            queue.smallest_put = length
        if depth > queue.deepest:
            queue.deepest = depth
        self.put_sizes.count(length)
        if single:
            if persistent:
                queue.persistent_put1 += 1
            if direct:
                queue.direct_put1s += 1
            self.leave(queue.put1)
        else:
            if persistent:
                queue.persistent_put += 1
            if direct:
                queue.direct_puts += 1
            self.leave(queue.put)

    def got(self, queue: QueueAccount, length: int, persistent: bool, destructive: bool, specific: bool) -> None:
        """Count a message that was got or browsed."""
        queue.valid_gets += 1
        queue.got_bytes += length
        if length > queue.largest_got:
            queue.largest_got = length
        if length < queue.smallest_got or queue.smallest_got == NONE_YET:
            queue.smallest_got = length
        self.got_sizes.count(length)
        if destructive:
            queue.destructive_gets += 1
            if persistent:
                queue.persistent_got += 1
            if specific:
                queue.gets_specific += 1
            else:
                queue.gets_any += 1
        elif specific:
            queue.browses_specific += 1
        else:
            queue.browses_any += 1

    def stayed(self, queue: QueueAccount, seconds: float) -> None:
        """Count the time that a message was on the queue before it was got."""
        queue.total_stay += seconds
        if seconds > queue.longest_stay:
            queue.longest_stay = seconds
        if seconds < queue.shortest_stay or queue.shortest_stay < 0:
            queue.shortest_stay = seconds

    def moment(self) -> float:
        """Give the approximate time at which the current call began, in seconds since 1970."""
        return self._wall + (self._begun or self._entered)

    def put_moment(self, date: bytes, moment: bytes) -> float:
        """Give the seconds since 1970 of a PutDate and PutTime if they are the last remembered, else -1."""
        if moment == self._put_time and date == self._put_date:
            return self._put_seconds
        return -1.0

    def remember_moment(self, date: bytes, moment: bytes, seconds: float) -> None:
        """Remember a PutDate and PutTime, since many messages have the same hundredth of a second."""
        self._put_date = date
        self._put_time = moment
        self._put_seconds = seconds

    def disconnected(self, now: float) -> None:
        """Take note that the program has disconnected."""
        self.until = now
        self.ended = True

    def next(self, now: float) -> "Account":
        """End this account, and give the account of the next interval."""
        self.until = now
        following = Account(self._log, self.started, now)
        following.put_sizes = self.put_sizes.copy()
        following.got_sizes = self.got_sizes.copy()
        following.totals = self.sums()
        return following

    def sums(self) -> TaskTotals:
        """Give the sums of the program from its beginning on."""
        before = self.totals
        sums = TaskTotals()
        sums.processor, sums.elapsed, sums.calls = before.processor, before.elapsed, before.calls
        sums.commits = before.commits + self.commit.calls
        sums.backouts = before.backouts + self.backout.calls
        sums.lock_waits = before.lock_waits + self.lock_waits
        sums.lock_time = before.lock_time + self.lock_time
        for verb in self.verbs():
            sums.processor += verb.processor
            sums.elapsed += verb.elapsed
            sums.calls += verb.calls
        return sums

    def verbs(self) -> list[VerbTimes]:
        """Give every verb of the task and of its queues."""
        found = [self.commit, self.backout, self.prepare, self.subscribe, self.request, self.other]
        for queue in self.queues.values():
            found += [queue.open, queue.close, queue.get, queue.put, queue.put1, queue.inquire, queue.set]
        return found
