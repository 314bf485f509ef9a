"""What kew.ibmmq and kew.pymqi add to a put and a get of kew.mqi, in the process of the queue manager."""

import time
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

from kew import ibmmq, pymqi
from kew.codes.options import MQOO_INPUT_SHARED, MQOO_OUTPUT
from kew.formats.mqmd import MessageDescriptor
from tests.bench.host import NAME, opened, running

Row = tuple[str, float, str, str, bool | None]

BODY = b"\x5a" * 2048
LIMIT = 15


def added(quick: bool) -> Iterator[Row]:
    """Microseconds of CPU of a pair, with the same message; runs of each kind take turns, and the best counts."""
    pairs = 3000 if quick else 10000
    with running() as host:
        connection, queue = opened(host)
        name = queue.name

        def plain() -> None:
            for _ in range(pairs):
                connection.put(queue, MessageDescriptor(persistence=0), BODY)
                connection.get(queue)

        def through(face: ModuleType) -> Callable[[], None]:
            descriptor: Any = face.MD
            target = face.Queue(face.connect(NAME), name, MQOO_OUTPUT | MQOO_INPUT_SHARED)

            def run() -> None:
                for _ in range(pairs):
                    target.put(BODY, descriptor(Persistence=0))
                    target.get(None, descriptor())

            return run

        kinds = {"": plain, "ibmmq": through(ibmmq), "pymqi": through(pymqi)}
        best = dict.fromkeys(kinds, float("inf"))
        for _ in range(6):
            for kind, run in kinds.items():
                begun = time.process_time()
                run()
                best[kind] = min(best[kind], (time.process_time() - begun) / pairs * 1e6)
    for kind in ("ibmmq", "pymqi"):
        more = best[kind] - best[""]
        yield f"kew.{kind} adds to a put+get pair", more, "us CPU", f"<= {LIMIT}", more <= LIMIT
