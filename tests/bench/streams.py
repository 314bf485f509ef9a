"""What copies cost the putters: the rate of App1 with streaming queues relative to no duplicate, as the report has it.

Every putter has a queue of its own. App2 drains the queues and App3 the copies, reading ahead, so that nothing builds
up. With publish/subscribe App1 puts to an alias of a topic, and both queues are those of subscriptions. All programs
come by TCP; App1, App2, App3 and the queue manager are processes of their own.

In the report the programs run on other machines, which never were the bottleneck. Here they share the machine, and each
copy has its getter, so the rate is also that of the getters; what the queue manager's process spends on a put is not.
"""

import asyncio
import contextlib
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

from kew.client import aio
from kew.codes.errors import NoMessage
from kew.codes.options import MQOO_INPUT_SHARED, MQOO_OUTPUT
from kew.commands.actions.script import Counts
from kew.formats.mqmd import MessageDescriptor
from kew.perf.processes import cpu_seconds
from kew.qmgr.control.client import ControlClient
from tests.bench.wire import BODY, NAME, Row, connect, serving

Rate = tuple[float, float]  # puts a second, and what one costs the queue manager in microseconds

PUTTERS = 8
ROUNDS = 2
WAIT = 2.0  # seconds of a get: a shorter one asks the clock and the socket each time
PUBSUB = "publish/subscribe"
WAYS = ("none", "BESTEF", "MUSTDUP", PUBSUB)
TARGETS = {(1, "BESTEF"): 0.70, (1, "MUSTDUP"): 0.65, (1, PUBSUB): 0.60, (0, "BESTEF"): 0.70}
KINDS = {0: "np", 1: "persistent"}


def put(port: int, server: int, seconds: float, persistence: int, prefix: str) -> None:
    """App1: put as fast as it goes; prints puts a second and the queue manager's CPU microseconds for each."""
    begin, ending = threading.Barrier(PUTTERS + 1), threading.Event()
    counts = [0] * PUTTERS

    def work(place: int) -> None:
        with connect(port) as connection:
            queue = connection.open(f"{prefix}.{place}", MQOO_OUTPUT)
            begin.wait()
            while not ending.is_set():
                queue.put(BODY, MessageDescriptor(persistence=persistence))
                counts[place] += 1

    threads = [threading.Thread(target=work, args=(place,)) for place in range(PUTTERS)]
    for thread in threads:
        thread.start()
    begin.wait()
    begun, used = time.perf_counter(), cpu_seconds(server)
    time.sleep(seconds)
    done, took, used = sum(counts), time.perf_counter() - begun, cpu_seconds(server) - used
    print(done / took, used / max(done, 1) * 1e6, flush=True)
    ending.set()
    for thread in threads:
        thread.join()


async def drain(port: int, prefix: str) -> list["asyncio.Task[None]"]:
    """Connect getters for the queues of a prefix, all on one socket, and set them going."""
    first = await aio.connect(NAME, f"127.0.0.1({port})", "DEV.APP.SVRCONN", "app", "password", "bench")
    sharing = [first, *[await first.share("app", "password", "bench") for _ in range(1, PUTTERS)]]

    async def work(connection: aio.AsyncConnection, place: int) -> None:
        queue = await connection.open(f"{prefix}.{place}", MQOO_INPUT_SHARED, read_ahead=True)
        try:
            while True:
                with contextlib.suppress(NoMessage):
                    await queue.get(WAIT)
        finally:
            await connection.disconnect()

    return [asyncio.create_task(work(connection, place)) for place, connection in enumerate(sharing)]


async def get(port: int, prefixes: list[str]) -> None:
    """App2 or App3: get until the input ends; says when all are connected.

    One event loop does it. Threads hand each other the interpreter's lock at each message, which costs more than the
    message does: the getters would be what is measured.
    """
    tasks = [task for prefix in prefixes for task in await drain(port, prefix)]
    print("ready", flush=True)
    await asyncio.to_thread(sys.stdin.read)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def getters(port: int, prefixes: list[str]) -> subprocess.Popen[str]:
    """Start a process of programs that drain queues."""
    command = [sys.executable, "-m", "tests.bench.streams", "get", str(port), *prefixes]
    started = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert started.stdout is not None
    started.stdout.readline()
    return started


def stop(drains: list[subprocess.Popen[str]]) -> None:
    """End them."""
    for drain in drains:
        assert drain.stdin is not None
        drain.stdin.close()
    for drain in drains:
        drain.wait()
        assert drain.stdout is not None
        drain.stdout.close()


def rate(port: int, server: int, drained: list[str], prefix: str, persistence: int, seconds: float) -> Rate:
    """Give App1's puts a second and what one costs the queue manager, with these queues drained."""
    drains = [getters(port, each) for each in (drained[:1], drained[1:]) if each]
    arguments = [str(port), str(server), str(seconds), str(persistence), prefix]
    command = [sys.executable, "-m", "tests.bench.streams", "put", *arguments]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    stop(drains)
    return float(said[0]), float(said[1])


def _rate(port: int, server: int, way: str, persistence: int, seconds: float) -> Rate:
    drained = ["DEV.APP"] if way == "none" else ["DEV.APP", "DEV.COPY"]
    return rate(port, server, drained, "DEV.PUB" if way == PUBSUB else "DEV.APP", persistence, seconds)


def streams(quick: bool) -> Iterator[Row]:
    """App1 with one duplicate by a streaming queue, relative to none."""
    with serving() as (root, port, server), ControlClient(root) as control:
        yield from _compare(control, port, server, 1.5 if quick else 3.0)


def relative(figures: Rate, alone: Rate, target: float | None) -> Iterator[Row]:
    """Compare with puts that are not duplicated, by the rate and by what they cost the queue manager."""
    ratio = figures[0] / alone[0]
    aim, met = (f">= {target}", ratio >= target) if target is not None else ("", None)
    yield "  relative to no duplicate", ratio, "x", aim, met
    yield "  queue manager's CPU a put", figures[1], "us", "", None
    yield "  the same of its CPU alone", alone[1] / figures[1], "x", "", None


def _compare(control: ControlClient, port: int, server: int, seconds: float) -> Iterator[Row]:
    for place in range(PUTTERS):
        for name in ("APP", "COPY"):
            list(control.run(f"DEFINE QLOCAL(DEV.{name}.{place}) MAXDEPTH(999999)", Counts()))
            list(control.run(f"DEFINE SUB({name}.{place}) TOPICSTR('dev/{place}') DEST(DEV.{name}.{place})", Counts()))
        list(control.run(f"DEFINE TOPIC(DEV.T.{place}) TOPICSTR('dev/{place}')", Counts()))
        list(control.run(f"DEFINE QALIAS(DEV.PUB.{place}) TARGET(DEV.T.{place}) TARGTYPE(TOPIC)", Counts()))
    for persistence in (1, 0):
        rates = dict.fromkeys(WAYS, (0.0, 0.0))
        for _ in range(ROUNDS):  # by turns, and the best of each: the machine is not ours alone
            for way in WAYS:
                for place in range(PUTTERS):
                    streams = way in ("BESTEF", "MUSTDUP")
                    stream = f"STREAMQ(DEV.COPY.{place}) STRMQOS({way})" if streams else "STREAMQ(' ')"
                    list(control.run(f"ALTER QLOCAL(DEV.APP.{place}) {stream}", Counts()))
                rates[way] = max(rates[way], _rate(port, server, way, persistence, seconds))
        for way in WAYS:
            what = f"{KINDS[persistence]} 2 KB over TCP, {PUTTERS} putters, duplicate: {way}"
            yield what, rates[way][0], "puts/s", "", None
            if way != "none":
                yield from relative(rates[way], rates["none"], TARGETS.get((persistence, way)))
        faster = rates["BESTEF"][0] / rates[PUBSUB][0]
        yield f"{KINDS[persistence]}: BESTEF relative to publish/subscribe", faster, "x", "> 1", faster > 1


def main() -> None:
    """The processes of the programs."""
    if sys.argv[1] == "put":
        put(int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4]), int(sys.argv[5]), sys.argv[6])
    else:
        asyncio.run(get(int(sys.argv[2]), sys.argv[3:]))


if __name__ == "__main__":
    main()
