"""What the queue manager costs and carries when its programs are not Python: C programs on the wire, 2 KB.

The targets are RabbitMQ's with C clients, on the two cores where they were measured: half of its CPU a round trip, and
its rates. Its clients were sent requests ahead, waited for no answer to what was not persistent, and settled together
what was at hand: what MQ's do with DEFREADA(YES) and DEFPRESP(ASYNC), here "asynchronous". The others work on one
request at a time and have each call answered.
"""

import tempfile
from collections.abc import Iterator
from itertools import product

from kew.perf.processes import cpu_seconds
from kew.version import is_compiled
from tests.bench.native.building import built
from tests.bench.native.floor import echoing
from tests.bench.native.host import Host, hosting
from tests.bench.native.programs import REPLIES, Figures, echoer, getter, measured, putter, requester, responder

Row = tuple[str, float, str, str, bool | None]

PROGRAMS = 16
RESPONDERS = (2, PROGRAMS)
WAYS = (False, True)
MOST_CPU = {0: 95.0, 1: 315.0}  # microseconds a round trip
MOST_SYNCS = 0.4  # a round trip
LEAST_TRIPS = {1: 936.0, PROGRAMS: 2223.0}  # a second, persistent, by requesters
LEAST_MESSAGES = {0: 37_000.0, 1: 14_000.0}  # a second, one way
KINDS = {0: "np", 1: "persistent"}


def native(quick: bool) -> Iterator[Row]:
    """Request and reply, and one way, by programs in C."""
    seconds = 2.0 if quick else 6.0
    with tempfile.TemporaryDirectory(prefix="kew-bench-") as folder:
        executable = built("programs", folder)
        if executable is None:
            return
        with echoing() as echo:
            assert echo is not None
            port, process = echo
            programs = [echoer(port) for _ in range(PROGRAMS)]
            figures = measured(executable, programs, seconds, lambda: (cpu_seconds(process), 0))
            yield f"four exchanges with a bare C echo, {PROGRAMS} C programs", 4 * figures.cost, "us CPU", "", None
        with hosting(f"ALTER QLOCAL({REPLIES}) INDXTYPE(CORRELID)") as host:
            for persistence, responders, asynchronous in product(KINDS, RESPONDERS, WAYS):
                yield from _round_trips(executable, host, persistence, PROGRAMS, responders, asynchronous, seconds)
            for asynchronous in WAYS:
                yield from _round_trips(executable, host, 1, 1, 1, asynchronous, seconds)
            for persistence, kind in KINDS.items():
                pair = [getter(host.port, persistence), putter(host.port, persistence)]
                figures = measured(executable, pair, seconds, host.sample)
                yield f"{kind} 2 KB one way, C programs{', units of 50' * persistence}", *_cost(figures, None)
                yield "  messages", *_rate(figures, LEAST_MESSAGES[persistence])


def _round_trips(
    executable: str, host: Host, persistence: int, requesters: int, responders: int, asynchronous: bool, seconds: float
) -> Iterator[Row]:
    unconfirmed = asynchronous and not persistence  # who puts a persistent request wants to know that it is safe
    programs = [responder(host.port, persistence, asynchronous) for _ in range(responders)]
    programs += [requester(host.port, persistence, unconfirmed) for _ in range(requesters)]
    figures = measured(executable, programs, seconds, host.sample)
    who = f"{requesters} C requester{'s' * (requesters > 1)}, {responders} responder{'s' * (responders > 1)}"
    who += ", asynchronous" * asynchronous
    most = MOST_CPU[persistence] if requesters == PROGRAMS else None
    yield f"{KINDS[persistence]} 2 KB request/reply, {who}", *_cost(figures, most)
    yield "  round trips", *_rate(figures, LEAST_TRIPS[requesters] if persistence else None)
    if persistence:
        met = figures.syncs < MOST_SYNCS if requesters == PROGRAMS else None
        yield "  syncs a round trip", figures.syncs, "", "" if met is None else f"< {MOST_SYNCS}", met


def _cost(figures: Figures, most: float | None) -> tuple[float, str, str, bool | None]:
    met = figures.cost <= most if most is not None and is_compiled() else None
    return figures.cost, "us CPU", "" if most is None else f"<= {most:g}", met


def _rate(figures: Figures, least: float | None) -> tuple[float, str, str, bool | None]:
    met = figures.rate >= least if least is not None and is_compiled() else None
    return figures.rate, "/s", "" if least is None else f">= {least:,.0f}", met
