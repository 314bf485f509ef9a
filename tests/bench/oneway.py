"""One program that puts and one that gets, over TCP: asynchronous puts, reading ahead, persistent ones in units of 50.

The putter stays at most a thousand messages ahead, so that what is measured is the way through and not a pile.
"""

import subprocess
import sys
import time
from collections.abc import Iterator

from kew.client import Queue
from kew.codes.attributes import MQIA_CURRENT_Q_DEPTH
from kew.codes.options import MQOO_INPUT_SHARED, MQOO_INQUIRE, MQOO_OUTPUT
from kew.formats.mqmd import MessageDescriptor
from kew.perf.processes import cpu_seconds
from tests.bench.wire import BODY, Row, connect, serving

QUEUE = "DEV.QUEUE.1"
UNIT = 50
MOST_AHEAD = 1000
KINDS = {0: ("np", 37_000), 1: (f"persistent in units of {UNIT}", 14_000)}


def put(port: int, persistence: int) -> None:
    """Put until it is ended."""
    unit = persistence == 1
    with connect(port) as connection:
        queue = connection.open(QUEUE, MQOO_OUTPUT | MQOO_INQUIRE)
        while True:
            for _ in range(UNIT):
                queue.put(BODY, MessageDescriptor(persistence=persistence), syncpoint=unit, asynchronous=True)
            if unit:
                connection.commit()
            while _depth(queue) > MOST_AHEAD:
                time.sleep(0.001)


def _depth(queue: Queue) -> int:
    depth = queue.inquire([MQIA_CURRENT_Q_DEPTH])[MQIA_CURRENT_Q_DEPTH]
    assert isinstance(depth, int)
    return depth


def get(port: int, persistence: int, seconds: float, server: int) -> None:
    """Get for some seconds; prints messages a second and what one costs the queue manager in microseconds."""
    unit = persistence == 1
    with connect(port) as connection:
        queue = connection.open(QUEUE, MQOO_INPUT_SHARED, read_ahead=True)

        def some(until: float) -> int:
            count = 0
            while time.perf_counter() < until:
                for _ in range(UNIT):
                    queue.get(30.0, syncpoint=unit)
                if unit:
                    connection.commit()
                count += UNIT
            return count

        some(time.perf_counter() + 1.0)
        begun, used = time.perf_counter(), cpu_seconds(server)
        count = some(begun + seconds)
        took, used = time.perf_counter() - begun, cpu_seconds(server) - used
    print(count / took, used / count * 1e6, flush=True)


def one_way(quick: bool) -> Iterator[Row]:
    """Messages a second from one program to another."""
    with serving() as (_root, port, server):
        for persistence, (kind, target) in KINDS.items():
            rate, cost = _measure(port, server, persistence, 2.0 if quick else 6.0)
            yield f"{kind} 2 KB one way over TCP", rate, "msg/s", f">= {target:,}", rate >= target
            yield "  queue manager's CPU a message", cost, "us", "", None


def _measure(port: int, server: int, persistence: int, seconds: float) -> tuple[float, float]:
    module = [sys.executable, "-m", "tests.bench.oneway"]
    with subprocess.Popen([*module, "put", str(port), str(persistence)]) as putter:
        try:
            arguments = ["get", str(port), str(persistence), str(seconds), str(server)]
            said = subprocess.run([*module, *arguments], capture_output=True, text=True, check=True).stdout
        finally:
            putter.terminate()
    rate, cost = said.split()
    return float(rate), float(cost)


def main() -> None:
    """The processes of the programs."""
    if sys.argv[1] == "put":
        put(int(sys.argv[2]), int(sys.argv[3]))
    else:
        get(int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4]), int(sys.argv[5]))


if __name__ == "__main__":
    main()
