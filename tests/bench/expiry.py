"""What it costs to throw messages away whose time is past: in buffers, and from pages that had to be written."""

import time
from collections.abc import Iterator

from kew.codes.options import MQPMO_SYNCPOINT
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.engine import Clock
from kew.queues.expiry import scan
from tests.bench.host import opened, running
from tests.bench.wire import Row

SEED = 250_000  # messages a second of processor time, in buffers, that the report on z/OS 9.3 gives
SIZE = 1024
UNIT = 500  # messages that are put in one unit of work


def _rate(messages: int, pool: int, persistence: int) -> float:
    """Give the messages that are expired in a second of processor time."""
    with running(pool=pool) as host:
        connection, queue = opened(host)
        for number in range(messages):
            connection.put(
                queue, MessageDescriptor(persistence=persistence, expiry=36_000), bytes(SIZE), MQPMO_SYNCPOINT
            )
            if number % UNIT == UNIT - 1:
                connection.commit()
        connection.commit()
        engine = host.host.engine
        engine.clock = Clock(lambda: time.time() + 7200)
        begun = time.process_time()
        scan(engine.run, host.host.queues, int(engine.clock.now() * 1000))
        spent = time.process_time() - begun
        assert queue.queue is not None
        assert queue.queue.depth == 0
        connection.disconnect()
    return messages / spent


def expiry(quick: bool) -> Iterator[Row]:
    """Messages that the scan throws away in a second of processor time."""
    messages = 20_000 if quick else 100_000
    in_buffers = _rate(messages, messages + messages // 4, 0)
    yield "expired, np, in buffers", in_buffers, "/CPU s", f">= {SEED:,}", in_buffers >= SEED
    yield "  the seed's ratio to it is 1", in_buffers / SEED, "x", "", None
    on_disk = _rate(messages, 2000, 0)
    yield "expired, np, on a page set", on_disk, "/CPU s", "", None
    yield "  in buffers / on a page set (seed 1.75)", in_buffers / on_disk, "x", "", None
    yield "expired, persistent, in buffers", _rate(messages, messages + messages // 4, 1), "/CPU s", "", None
