"""What recording costs: the same non-persistent puts and gets with nothing recorded, with statistics, with accounting.

The ways take turns of a few milliseconds in one process, so that what else the machine does hits them alike.
"""

import time
from collections.abc import Iterator
from statistics import median

from kew.accounting.traces import ACCOUNTING, STATISTICS, Trace
from kew.formats.mqmd import MessageDescriptor
from tests.bench.host import opened, running

BODY = b"\x5a" * 2048
WAYS: dict[str, tuple[tuple[int, tuple[int, ...]], ...]] = {
    "nothing": (),
    "statistics 1 and 5": ((STATISTICS, (1, 5)),),
    "accounting 3": ((ACCOUNTING, (3,)),),
}
PAIRS = 500  # in a turn


def costs(turns: int) -> dict[str, float]:
    """Give the microseconds of CPU of a put and get for each way, the median of its turns."""
    with running() as host:
        host.host.recorder.set_levels(1, 1, 0)
        context = host.host.commands
        context.times.change(1, 1, time.time())
        connection, queue = opened(host)
        found: dict[str, list[float]] = {name: [] for name in WAYS}
        for turn in range(turns + 1):
            for name, orders in WAYS.items():
                started = [context.traces.start(Trace(kind, classes)) for kind, classes in orders]
                begun = time.thread_time()
                for _ in range(PAIRS):
                    connection.put(queue, MessageDescriptor(persistence=0), BODY)
                    connection.get(queue)
                if turn:
                    found[name].append((time.thread_time() - begun) / PAIRS * 1e6)
                context.traces.stop([trace.number for trace in started])
        connection.disconnect()
    return {name: median(each) for name, each in found.items()}


def recording(quick: bool) -> Iterator[tuple[str, float, str, str, bool | None]]:
    """The cost of recording, in percent of the same work without it."""
    found = costs(60 if quick else 300)
    plain = found["nothing"]
    yield "np 2 KB put+get, nothing recorded", plain, "us CPU", "", None
    for name, limit in (("statistics 1 and 5", 1.0), ("accounting 3", 10.0)):
        more = (found[name] / plain - 1) * 100
        yield f"with {name} recorded, one second", more, "% more", f"<= {limit:g}", more <= limit
