"""Request and reply over TCP: what a round trip of four verbs costs the queue manager, in its own process.

The programs run in a process of their own, so that the CPU time of the queue manager's process is the broker's alone.
"""

import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from kew import client
from kew.codes.errors import MQError, NoMessage
from kew.codes.options import MQOO_INPUT_SHARED, MQOO_OUTPUT
from kew.commands.actions.script import Counts
from kew.formats.mqmd import MessageDescriptor
from kew.perf.ports import free_port
from kew.perf.processes import cpu_seconds
from kew.qmgr.control.client import ControlClient
from kew.storage.directories import directory_of
from kew.version import is_compiled
from tests.bench.native.floor import exchange_cost

Row = tuple[str, float, str, str, bool | None]

NAME = "BENCH"
REQUESTS = "DEV.QUEUE.1"
REPLIES = "DEV.QUEUE.2"
BODY = b"\x5a" * 2048
RESPONDERS = 4


def connect(port: int) -> client.Connection:
    """Connect as developers do."""
    return client.connect(NAME, f"127.0.0.1({port})", "DEV.APP.SVRCONN", "app", "password", "bench")


def respond(port: int, begin: threading.Barrier, ending: threading.Event, persistence: int) -> None:
    """Answer requests until it is over."""
    with connect(port) as connection:
        requests, replies = connection.open(REQUESTS, MQOO_INPUT_SHARED), connection.open(REPLIES, MQOO_OUTPUT)
        begin.wait()
        while not ending.is_set():
            try:
                got = requests.get(0.2)
            except NoMessage:
                continue
            answer = MessageDescriptor(persistence=persistence, correlation_id=got.descriptor.message_id)
            replies.put(BODY, answer)


def request(port: int, begin: threading.Barrier, ending: threading.Event, persistence: int, counts: list[int]) -> None:
    """Ask and wait for the answer, again and again; the number of round trips is appended."""
    done = 0
    with connect(port) as connection:
        requests, replies = connection.open(REQUESTS, MQOO_OUTPUT), connection.open(REPLIES, MQOO_INPUT_SHARED)
        begin.wait()
        while not ending.is_set():
            asked = requests.put(BODY, MessageDescriptor(persistence=persistence))
            replies.get(10, correlation_id=asked.message_id)
            done += 1
    counts.append(done)


def load(port: int, process: int, seconds: float, requesters: int, persistence: int) -> tuple[float, float]:
    """Run the programs for a while, in this process, once all are connected: a password costs more than a round trip.

    Gives the CPU microseconds that a round trip costs the queue manager's process, and round trips a second.
    """
    asking, answering = threading.Event(), threading.Event()
    begin = threading.Barrier(requesters + RESPONDERS + 1)
    counts: list[int] = []
    respondents = (port, begin, answering, persistence)
    responders = [threading.Thread(target=respond, args=respondents) for _ in range(RESPONDERS)]
    asked = (port, begin, asking, persistence, counts)
    askers = [threading.Thread(target=request, args=asked) for _ in range(requesters)]
    for thread in (*responders, *askers):
        thread.start()
    begin.wait()
    before, begun = cpu_seconds(process), time.perf_counter()
    time.sleep(seconds)
    asking.set()
    for thread in askers:
        thread.join()
    used, took = cpu_seconds(process) - before, time.perf_counter() - begun
    answering.set()
    for thread in responders:
        thread.join()
    trips = sum(counts)
    return used / trips * 1e6, trips / took


def _measure(port: int, process: int, seconds: float, requesters: int, persistence: int) -> tuple[float, float]:
    """Give the CPU microseconds a round trip costs, and round trips a second."""
    arguments = [str(port), str(process), str(seconds), str(requesters), str(persistence)]
    output = subprocess.run(
        [sys.executable, "-m", "tests.bench.wire", *arguments], capture_output=True, text=True, check=True
    ).stdout
    cost, rate = output.split()
    return float(cost), float(rate)


@contextmanager
def serving() -> Iterator[tuple[str, int, int]]:
    """A developer's queue manager in a process of its own: gives its directory, its port and its process."""
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="kew-bench-", dir=".") as where:
        data = os.path.abspath(where)
        command = [sys.executable, "-m", "kew.cli", "start", NAME, "--dev", "--port", str(port), "--foreground"]
        environment = {**os.environ, "KEW_DATA": data}
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            server.stdout.readline()
            try:
                yield directory_of(data, NAME), port, server.pid
            finally:
                server.terminate()


def wire(quick: bool) -> Iterator[Row]:
    """Request and reply by 16 requesters and by one, non-persistent and persistent."""
    seconds = 3.0 if quick else 8.0
    with serving() as (root, port, server):
        with ControlClient(root) as control:
            list(control.run(f"ALTER QLOCAL({REPLIES}) INDXTYPE(CORRELID)", Counts()))
        here = "compiled" if is_compiled() else "interpreted"
        cost, rate = _measure(port, server, seconds, 16, 0)
        met = cost <= 95 if is_compiled() else None
        yield f"np 2 KB request/reply over TCP, 16 requesters, {here}", cost, "us CPU", "<= 95", met
        yield "  round trips", rate, "/s", "", None
        floor = exchange_cost(16 + RESPONDERS, seconds)
        if floor is not None:
            yield "  four exchanges with a bare C echo", 4 * floor, "us CPU", "", None
            yield "  of those", cost / (4 * floor), "x", "", None
        cost, rate = _measure(port, server, seconds, 16, 1)
        yield "persistent 2 KB request/reply over TCP, 16 requesters", cost, "us CPU", "", None
        yield "  round trips", rate, "/s", "", None
        cost, rate = _measure(port, server, seconds, 1, 1)
        yield "persistent 2 KB request/reply over TCP, 1 requester", cost, "us CPU", "", None
        yield "  round trips", rate, "/s", "", None


def main() -> None:
    """The process of the programs: port, process of the queue manager, seconds, requesters, persistence."""
    port, process, seconds, requesters, persistence = sys.argv[1:]
    try:
        print(*load(int(port), int(process), float(seconds), int(requesters), int(persistence)))
    except MQError as problem:
        raise SystemExit(str(problem)) from problem


if __name__ == "__main__":
    main()
