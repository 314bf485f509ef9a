"""The measurements of the engine. Each gives rows of (what, figure, unit, target, met)."""

import os
import random
import select
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from kew.codes.attributes import MQIT_CORREL_ID
from kew.codes.options import MQMO_MATCH_CORREL_ID, MQPMO_SYNCPOINT
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.puts import put as put_verb
from kew.mqi.puts.request import PutRequest
from kew.mqi.transactions import units as unit_verbs
from kew.qmgr import manager
from kew.qmgr.manager import QueueManager
from kew.storage.log import LogAddress
from kew.storage.stall import Stall
from kew.version import is_compiled
from tests.bench.connections import connections
from tests.bench.expiry import expiry
from tests.bench.faces import added
from tests.bench.host import NAME, QUEUE, configuration, opened, running
from tests.bench.instructions import instructions
from tests.bench.mqsc import definitions
from tests.bench.native.cases import native
from tests.bench.oneway import one_way
from tests.bench.protection import protection
from tests.bench.recording import recording
from tests.bench.selector import selector
from tests.bench.streams import streams
from tests.bench.topics import topics
from tests.bench.wire import wire
from tests.support.stores import private

Row = tuple[str, float, str, str, bool | None]

BODY = b"\x5a" * 2048
POOL = 131072  # frames that hold what is put while commits are measured: it is the log that is measured
ROOT = Path(__file__).parents[2]


def pair_cost(pairs: int = 30000, repeats: int = 5) -> float:
    """Give the microseconds of CPU of a non-persistent put and get of 2 KB, the best of some runs."""
    with running() as host:
        connection, queue = opened(host)
        best = float("inf")
        for repeat in range(repeats + 1):
            begun = time.process_time()
            for _ in range(pairs if repeat else pairs // 10):
                connection.put(queue, MessageDescriptor(persistence=0), BODY)
                connection.get(queue)
            if repeat:
                best = min(best, (time.process_time() - begun) / pairs * 1e6)
        connection.disconnect()
    return best


def non_persistent(quick: bool) -> Iterator[Row]:
    """Put and get through kew.mqi in the process of the queue manager, compiled and interpreted."""
    compiled = pair_cost(10000 if quick else 30000)
    here = "compiled" if is_compiled() else "interpreted"
    yield f"np 2 KB put+get, fastpath, {here}", compiled, "us CPU", "<= 12", compiled <= 12 if is_compiled() else None
    if is_compiled():
        script = f"from tests.bench.cases import pair_cost; print(pair_cost({10000 if quick else 30000}))"
        environment = {**os.environ, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"}
        output = subprocess.run(
            [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True
        ).stdout
        interpreted = float(output)
        yield "np 2 KB put+get, fastpath, interpreted", interpreted, "us CPU", "", None
        yield "interpreted / compiled", interpreted / compiled, "x", ">= 1.5", interpreted / compiled >= 1.5


def _committers(host: QueueManager, count: int, seconds: float) -> tuple[float, float, float]:
    """Give commits a second, syncs a commit and CPU microseconds a commit."""
    done = [0] * count
    ending = threading.Event()

    def work(place: int) -> None:
        connection, queue = opened(host)
        while not ending.is_set():
            connection.put(queue, MessageDescriptor(persistence=1), BODY, MQPMO_SYNCPOINT)
            connection.commit()
            done[place] += 1
        connection.disconnect()

    threads = [threading.Thread(target=work, args=(place,)) for place in range(count)]
    counters = host.host.log.counters.copies[0]
    for thread in threads:
        thread.start()
    time.sleep(0.3)  # let them all get going
    before, syncs, begun, cpu = sum(done), counters.syncs, time.perf_counter(), time.process_time()
    time.sleep(seconds)
    commits = sum(done) - before
    elapsed = time.perf_counter() - begun
    spent = time.process_time() - cpu
    made = counters.syncs - syncs
    ending.set()
    for thread in threads:
        thread.join()
    return commits / elapsed, made / commits, spent / commits * 1e6


def _committers_of_one_edge(host: QueueManager, count: int, seconds: float) -> tuple[float, float, float]:
    """The same for many connections that one thread serves, as a channel process does: nobody blocks for a commit."""
    engine, log = host.host.engine, host.host.log
    woken = threading.Event()
    log.on_durable.append(lambda _durable: woken.set())
    committers = [opened(host) for _ in range(count)]
    counters = log.counters.copies[0]

    # As an agent does: each verb under the lock, and a descriptor that is a copy, as one that is read from a socket.
    template = MessageDescriptor(persistence=1)
    events = select.epoll()

    programs = [(connection.connection, queue) for connection, queue in committers]
    lock = engine.lock

    def commit(place: int) -> int:
        program, queue = programs[place]
        descriptor = template.copy()
        try:
            with lock:
                put_verb.put(PutRequest(program, queue, descriptor, BODY, MQPMO_SYNCPOINT))
        except Stall:
            engine.run(lambda: put_verb.put(PutRequest(program, queue, descriptor, BODY, MQPMO_SYNCPOINT)))
        try:
            with lock:
                return unit_verbs.commit(program)
        except Stall:
            return engine.run(lambda: unit_verbs.commit(program))

    def run(until: float) -> int:
        done = 0
        ready = deque(range(count))
        waiting: deque[tuple[int, int]] = deque()
        while time.perf_counter() < until:
            while ready:
                place = ready.popleft()
                waiting.append((commit(place), place))
            events.poll(0)  # nothing is there to do: the loop writes the log itself unless the writer is about it
            woken.clear()
            if not log.force_or_request(LogAddress(waiting[-1][0])) and waiting[0][0] > log.durable:
                woken.wait()
            while waiting and waiting[0][0] <= log.durable:
                ready.append(waiting.popleft()[1])
                done += 1
        log.force(LogAddress(max([address for address, _place in waiting], default=0)))
        return done

    run(time.perf_counter() + 1.0)
    syncs, begun, cpu = counters.syncs, time.perf_counter(), time.process_time()
    commits = run(begun + seconds)
    elapsed = time.perf_counter() - begun
    spent = time.process_time() - cpu
    log.on_durable.pop()
    events.close()
    for connection, _queue in committers:
        connection.disconnect()
    return commits / elapsed, (counters.syncs - syncs) / commits, spent / commits * 1e6


def _bare_append(seconds: float) -> float:
    """Give the appends of 4 KB with fdatasync a second that the file system can do."""
    handle, path = tempfile.mkstemp(prefix="kew-bench-", dir=".")
    page = os.urandom(4096)
    count = 0
    begun = time.perf_counter()
    try:
        while time.perf_counter() - begun < seconds:
            os.write(handle, page)
            os.fdatasync(handle)
            count += 1
    finally:
        os.close(handle)
        os.unlink(path)
    return count / (time.perf_counter() - begun)


def persistent(quick: bool) -> Iterator[Row]:
    """Commits of one persistent 2 KB put, by one committer and by many, beside a bare loop of append and fdatasync."""
    seconds = 1.0 if quick else 3.0
    rounds = 1 if quick else 5
    bare: list[float] = []
    one: list[tuple[float, float, float]] = []
    many: list[tuple[float, float, float]] = []
    threads: list[tuple[float, float, float]] = []
    with running(POOL, log_files=16) as host:
        clear = partial(host.host.administration.clear, QUEUE)
        _committers_of_one_edge(host, 64, 2 * seconds)  # so that the frames and the log's files are in memory
        clear()
        for _ in range(rounds):  # side by side, so that a slow spell of the disk hits all of them
            bare.append(_bare_append(seconds))
            one.append(_committers(host, 1, seconds))
            clear()
            many.append(_committers_of_one_edge(host, 64, seconds))
            clear()
            threads.append(_committers(host, 64, seconds))
            clear()
    bare_rate = sorted(bare)[len(bare) // 2]
    single = sorted(one)[len(one) // 2]
    group = sorted(many)[len(many) // 2]
    threaded = sorted(threads)[len(threads) // 2]
    yield "bare append of 4 KB + fdatasync", bare_rate, "/s", "", None
    yield "persistent 2 KB put+commit, 1 committer", single[0], "/s", "", None
    yield "  / bare append", single[0] / bare_rate, "x", ">= 0.7", single[0] / bare_rate >= 0.7
    yield "persistent 2 KB put+commit, 64 committers, one edge", group[0], "/s", "", None
    yield "  / 1 committer", group[0] / single[0], "x", ">= 8", group[0] / single[0] >= 8
    yield "  syncs a commit", group[1], "", "< 0.1", group[1] < 0.1
    yield "  CPU a commit", group[2], "us CPU", "", None
    yield "the same, 64 threads that block", threaded[0], "/s", "", None
    yield "  / 1 committer", threaded[0] / single[0], "x", "", None
    yield "  syncs a commit", threaded[1], "", "< 0.1", threaded[1] < 0.1


def _correlation_gets(host: QueueManager, depth: int, gets: int) -> float:
    """Fill the queue to a depth and give the microseconds of CPU of a get by correlation id."""
    connection, queue = opened(host)
    body = b"x" * 64
    ids = [number.to_bytes(24, "big") for number in range(1, depth + 1)]
    for identifier in ids:
        connection.put(queue, MessageDescriptor(persistence=0, correlation_id=identifier), body)
    wanted = random.Random(1).sample(ids, gets)
    begun = time.process_time()
    for identifier in wanted:
        got = connection.get(queue, 0, 0, MQMO_MATCH_CORREL_ID, MessageDescriptor(correlation_id=identifier))
        connection.put(queue, got.descriptor, body)
    cost = (time.process_time() - begun) / gets * 1e6
    connection.disconnect()
    return cost


def indexed(quick: bool) -> Iterator[Row]:
    """Get (and put back) by correlation id on an indexed queue, shallow and deep."""
    deep = 100_000 if quick else 1_000_000
    # The pool is so large that no page has to be written meanwhile: that is measured elsewhere.
    with running(pool=deep * 5 // 4 + 2000, index=MQIT_CORREL_ID) as host:
        shallow_cost = _correlation_gets(host, 1000, 900)
        shallow_cost = min(shallow_cost, *(_correlation_gets_again(host, 20000) for _ in range(3)))
        host.host.administration.clear("BENCH.Q")
        _correlation_gets(host, deep, 1000)
        deep_cost = min(_correlation_gets_again(host, 20000) for _ in range(3))
        index = private(host.host.queues.by_name["BENCH.Q"]).indexes.by_id
        memory = index.memory() / index.size if index is not None else 0.0
    ratio = deep_cost / shallow_cost
    yield "get+put by correlation id, depth 1,000", shallow_cost, "us CPU", "", None
    yield f"get+put by correlation id, depth {deep:,}", deep_cost, "us CPU", "", None
    yield "  deep / shallow", ratio, "x", "0.8 - 1.2", ratio <= 1.2
    yield "  index memory", memory, "bytes/msg", "<= 136", memory <= 136


def _correlation_gets_again(host: QueueManager, gets: int) -> float:
    connection, queue = opened(host)
    assert queue.queue is not None
    depth = queue.queue.depth
    chooser = random.Random(2)
    wanted = [chooser.randint(1, depth).to_bytes(24, "big") for _ in range(gets)]
    body = b"x" * 64
    begun = time.process_time()
    for identifier in wanted:
        got = connection.get(queue, 0, 0, MQMO_MATCH_CORREL_ID, MessageDescriptor(correlation_id=identifier))
        connection.put(queue, got.descriptor, body)
    cost = (time.process_time() - begun) / gets * 1e6
    connection.disconnect()
    return cost


_FILL = """
import os, sys
from kew.qmgr import manager
from kew.codes.options import MQPMO_SYNCPOINT
from kew.formats.mqmd import MessageDescriptor
from kew.mqi import put as put_verb
from kew.mqi import units as unit_verbs
from kew.mqi.connections.handles import Handle
from kew.mqi.local.connection import LocalConnection
from tests.bench.host import NAME, QUEUE, configuration, opened
data, count = sys.argv[1], int(sys.argv[2])
manager.create(NAME, configuration(pool=32768, log_files=16), data)
host = manager.start(NAME, data)
host.host.administration.define("QLOCAL", QUEUE, {"MAXDEPTH": 999999999})
connection, queue = opened(host)
body = b"x" * 1024
for number in range(count):
    connection.put(queue, MessageDescriptor(persistence=1), body, MQPMO_SYNCPOINT)
    if number % 1000 == 999:
        connection.commit()
connection.commit()
print("filled", flush=True)
sys.stdin.read()
"""


def restart(quick: bool) -> Iterator[Row]:
    """Restart after kill -9 with many persistent messages on a queue."""
    count = 100_000 if quick else 1_000_000
    with tempfile.TemporaryDirectory(prefix="kew-bench-", dir=".") as data:
        child = subprocess.Popen(
            [sys.executable, "-c", _FILL, data, str(count)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )
        assert child.stdout is not None
        begun = time.perf_counter()
        child.stdout.readline()
        filled = count / (time.perf_counter() - begun)
        child.send_signal(signal.SIGKILL)
        child.wait()
        begun = time.perf_counter()
        host = manager.start(NAME, data)
        seconds = time.perf_counter() - begun
        report = host.host.report
        depth = host.host.queues.by_name["BENCH.Q"].depth
        host.stop()
    assert depth == count, f"{depth} of {count} messages are there"
    yield f"fill, {count:,} persistent 1 KB in units of 1,000", filled, "msg/s", "", None
    yield f"restart after kill -9, {count:,} persistent 1 KB", seconds, "s", "<= 5", seconds <= 5
    yield "  log read at restart", report.bytes_read / 1e6, "MB", "", None
    yield "  log read at restart", report.megabytes_a_second(), "MB/s", "", None


_DEEP = """
import resource, sys, time
from tests.bench.host import opened, running
from kew.formats.mqmd import MessageDescriptor
from kew.mqi import put as put_verb
from kew.mqi import units as unit_verbs
from kew.mqi.connections.handles import Handle
from kew.mqi.local.connection import LocalConnection
size, count = int(sys.argv[1]), int(sys.argv[2])
with running(pool=65536) as host:
    connection, queue = opened(host)
    body = b"x" * size
    begun = time.perf_counter()
    for number in range(count):
        connection.put(queue, MessageDescriptor(persistence=0), body)
    seconds = time.perf_counter() - begun
    for number in range(1000):
        assert len(connection.get(queue).data) == size
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, size * count / 1e6 / seconds)
    import os
    os._exit(0)
"""


def deep(quick: bool) -> Iterator[Row]:
    """Memory while non-persistent messages many times larger than the buffer pool pile up."""
    size, total = 20000, (1 if quick else 10) * 10**9
    with tempfile.TemporaryDirectory(prefix="kew-bench-", dir=".") as where:
        output = subprocess.run(
            [sys.executable, "-c", _DEEP, str(size), str(total // size)],
            env={**os.environ, "PYTHONPATH": os.pathsep.join([os.path.abspath(each) for each in sys.path])},
            cwd=where,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
    memory, rate = (float(part) for part in output.split())
    yield f"deep np fill of {total / 1e9:g} GB, 256 MB pool: RSS", memory, "MB", "< 600", memory < 600
    yield "  rate", rate, "MB/s", "", None


CASES: dict[str, Callable[[bool], Iterator[Row]]] = {
    "np": non_persistent,
    "faces": added,
    "persistent": persistent,
    "indexed": indexed,
    "selector": selector,
    "restart": restart,
    "deep": deep,
    "expiry": expiry,
    "mqsc": definitions,
    "smf": recording,
    "wire": wire,
    "oneway": one_way,
    "native": native,
    "topics": topics,
    "streams": streams,
    "connections": connections,
    "protection": protection,
    "instructions": instructions,
}

__all__ = ["CASES", "Row", "configuration"]
