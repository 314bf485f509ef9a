"""What copies by publish/subscribe cost the putters, relative to no duplicate, and what many subscriptions cost.

App1 puts to an alias of a topic; the queue that App2 drains and each queue of duplicates that App3 drains has a
subscription. The programs are those of the case `streams`.
"""

import time
from collections.abc import Iterator

from kew.codes.options import MQOO_OUTPUT
from kew.commands.actions.script import Counts
from kew.formats.mqmd import MessageDescriptor
from kew.qmgr.control.client import ControlClient
from kew.topics.subscription import Subscription
from tests.bench.host import running
from tests.bench.streams import KINDS, PUTTERS, Rate, rate, relative
from tests.bench.wire import BODY, Row, serving

DUPLICATES = (0, 1, 6)
TARGETS = {(1, 1): 0.60, (1, 6): 0.25, (0, 6): 0.25}
MANY = 100_000


def topics(quick: bool) -> Iterator[Row]:
    """Duplicates by publish/subscribe over TCP; then a topic among very many, in process."""
    with serving() as (root, port, server), ControlClient(root) as control:
        yield from _compare(control, port, server, 3.0 if quick else 6.0)
    yield from _among_many(2000 if quick else 10000)


def _compare(control: ControlClient, port: int, server: int, seconds: float) -> Iterator[Row]:
    def say(command: str) -> None:
        list(control.run(command, Counts()))

    for place in range(PUTTERS):
        say(f"DEFINE TOPIC(DEV.T.{place}) TOPICSTR('dev/bench/{place}')")
        say(f"DEFINE QALIAS(DEV.ALIAS.{place}) TARGET(DEV.T.{place}) TARGTYPE(TOPIC)")
        say(f"DEFINE QLOCAL(DEV.APP.{place}) MAXDEPTH(999999)")
        say(f"DEFINE SUB(APP.{place}) TOPICSTR('dev/bench/{place}') DEST(DEV.APP.{place})")
    rates: dict[tuple[int, int], Rate] = {}
    for before, duplicates in zip((0, *DUPLICATES), DUPLICATES, strict=False):
        for number in range(before, duplicates):
            for place in range(PUTTERS):
                queue = f"DEV.COPY{number}.{place}"
                say(f"DEFINE QLOCAL({queue}) MAXDEPTH(999999)")
                say(f"DEFINE SUB({queue}) TOPICSTR('dev/bench/{place}') DEST({queue})")
        for persistence in (1, 0):
            drained = ["DEV.APP", *[f"DEV.COPY{number}" for number in range(duplicates)]]
            prefix = "DEV.ALIAS" if duplicates else "DEV.APP"
            figures = rate(port, server, drained, prefix, persistence, seconds)
            rates[persistence, duplicates] = figures
            what = f"{KINDS[persistence]} 2 KB over TCP, {PUTTERS} putters, duplicates by topic: {duplicates}"
            yield what, figures[0], "puts/s", "", None
            if duplicates:
                yield from relative(figures, rates[persistence, 0], TARGETS.get((persistence, duplicates)))


def _among_many(times: int) -> Iterator[Row]:
    with running() as host:
        connection = host.connect("bench")
        space = host.host.engine.topics

        def costs() -> tuple[float, float]:
            begun = time.process_time()
            for number in range(times):
                connection.close(connection.open_topic("", f"price/{number % 100}/{number}", MQOO_OUTPUT))
            opening = (time.process_time() - begun) / times * 1e6
            begun = time.process_time()
            for number in range(times):
                connection.publish("", f"price/{number % 100}/{number}", MessageDescriptor(), BODY)
            return opening, (time.process_time() - begun) / times * 1e6

        costs()
        opening, publishing = costs()
        yield "open and close of a topic, no subscriptions", opening, "us CPU", "", None
        for number in range(MANY):
            found = Subscription(number.to_bytes(24, "big"), "", f"price/{number % 100}/{number}")
            found.on_request = True  # it is found and gets nothing
            space.add(found)
        opening_many, publishing_many = costs()
        yield (
            f"  with {MANY:,} subscriptions, relative",
            opening_many / opening,
            "x",
            "<= 1.3",
            opening_many / opening < 1.3,
        )
        yield "publishing on topics in turn, nobody gets it", publishing, "us CPU", "", None
        ratio = publishing_many / publishing
        yield f"  with {MANY:,} subscriptions, one of which is found, relative", ratio, "x", "<= 2", ratio <= 2
