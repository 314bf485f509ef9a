"""Gets by selection string: 1,500 red, green and blue messages, with an index by property and without."""

import time
from collections.abc import Iterator

from kew.codes.attributes import MQIT_CORREL_ID
from kew.codes.options import MQMO_MATCH_CORREL_ID, MQOO_INPUT_SHARED, MQOO_OUTPUT
from kew.formats.mqmd import MessageDescriptor
from kew.formats.properties import RFH2_FORMAT
from kew.mqi.connections.handles import Handle
from kew.mqi.local.connection import LocalConnection
from kew.qmgr.manager import QueueManager
from tests.bench.host import QUEUE, running
from tests.support.properties import header, user

MESSAGES = 1500
COLOURS = ("red", "green", "blue")
BODY = b"x" * 64
Row = tuple[str, float, str, str, bool | None]


def _fill(connection: LocalConnection, queue: Handle) -> None:
    for number in range(MESSAGES):
        colour = COLOURS[number % len(COLOURS)]
        descriptor = MessageDescriptor(
            persistence=0, format=RFH2_FORMAT, correlation_id=colour.encode().ljust(24, b"\0")
        )
        connection.put(queue, descriptor, header(user(colour=colour)) + BODY)


def _drain(host: QueueManager, custom: str, index: int, by_selector: bool) -> float:
    """Fill the queue, get all green messages, and give the microseconds of CPU of such a get."""
    host.host.administration.alter(QUEUE, {"CUSTOM": custom, "INDXTYPE": index})
    connection = host.connect("bench")
    _fill(connection, connection.open(QUEUE, MQOO_OUTPUT))
    queue = connection.open(QUEUE, MQOO_INPUT_SHARED, selection="colour = 'green'" if by_selector else "")
    wanted = MessageDescriptor(correlation_id=b"green".ljust(24, b"\0"))
    match = 0 if by_selector else MQMO_MATCH_CORREL_ID
    connection.get(queue, 0, 0, match, wanted)  # which builds an index by property
    gets = MESSAGES // len(COLOURS) - 1
    begun = time.process_time()
    for _ in range(gets):
        connection.get(queue, 0, 0, match, wanted)
    spent = time.process_time() - begun
    connection.disconnect()
    host.host.administration.clear(QUEUE)
    return spent / gets * 1e6


def selector(quick: bool) -> Iterator[Row]:
    """The four ways to find the green ones among red, green and blue messages, each the best of some runs."""
    repeats = 2 if quick else 5
    with running() as host:
        plain = min([_drain(host, "", 0, False) for _ in range(repeats)])
        by_id = min([_drain(host, "", MQIT_CORREL_ID, False) for _ in range(repeats)])
        scanned = min([_drain(host, "", 0, True) for _ in range(2)])
        looked_up = min([_drain(host, "PROPINDX(colour)", 0, True) for _ in range(repeats)])
    yield f"get by correlation id, {MESSAGES:,} messages in 3 colours, no index", plain, "us CPU", "", None
    yield "get by correlation id, indexed", by_id, "us CPU", "", None
    yield "get by selection string, no index", scanned, "us CPU", "", None
    yield "get by selection string, indexed by property", looked_up, "us CPU", "", None
    yield "  selection / correlation id, no index", scanned / plain, "x", "<= 6", scanned / plain <= 6
    ratio = looked_up / by_id
    yield "  indexed selection / indexed correlation id", ratio, "x", "<= 2", ratio <= 2
    yield "  selection without index / with index", scanned / looked_up, "x", "", None
