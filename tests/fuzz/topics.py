"""Topic strings, patterns and what is published on them, at random: refused with a reason of MQ or carried out.

    python -m tests.fuzz.topics [seconds] [seed]

What a pattern matches is compared with a search that tries every way, and a publication reaches exactly the
subscriptions that match. No pattern, however many wildcards it has, takes long.
"""

import sys
import time
from random import Random

from kew.codes import attributes as a
from kew.codes.errors import MQError, NoMessage
from kew.codes.options import MQOO_OUTPUT, MQSO_CREATE, MQSO_MANAGED, MQSO_WILDCARD_CHAR
from kew.codes.reasons import MQRC_TOPIC_STRING_ERROR, MQRC_UNKNOWN_OBJECT_NAME
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.local.connection import LocalConnection
from kew.mqi.subscribing.subscribe import Subscribed, SubscriptionRequest
from tests.support.hosting import create, small
from tests.support.simdisk import SimDisk

PIECES = (
    "a",
    "b",
    "/",
    "/",
    "+",
    "#",
    "*",
    "?",
    "%",
    "\0",
    " ",
    "\u00fc",
    "\U0001f600",
    "<",
    "&",
    "'",
    '"',
    "//",
    "%%",
    "a" * 50,
)
SLOWEST = 2.0  # seconds
TOO_LONG = 10_300


def text(random: Random) -> str:
    """Give a topic string or pattern, mostly of an ordinary length."""
    if random.random() < 0.01:
        return random.choice(PIECES) * (TOO_LONG // 2 + random.randrange(TOO_LONG))
    if random.random() < 0.02:
        return "*a" * random.randrange(200) + "b"
    return "".join([random.choice(PIECES) for _ in range(random.randrange(9))])


def by_level(pattern: list[str], levels: list[str]) -> bool:
    """Say whether a pattern by level fits, by trying every way."""
    if not pattern:
        return not levels
    if pattern[0] == "#":
        return any(by_level(pattern[1:], levels[count:]) for count in range(len(levels) + 1))
    return bool(levels) and pattern[0] in ("+", levels[0]) and by_level(pattern[1:], levels[1:])


def by_character(pattern: str, topic: str) -> bool:
    """Say whether a pattern by character fits, place by place."""
    reached = {0}  # places of the topic up to which the pattern fits so far
    at = 0
    while at < len(pattern):
        character = pattern[at]
        if character == "*":
            reached = set(range(min(reached), len(topic) + 1)) if reached else set()
        else:
            plain = character
            if character == "%":
                at += 1
                plain = pattern[at]
            any_one = character == "?"
            reached = {place + 1 for place in reached if place < len(topic) and (any_one or topic[place] == plain)}
        at += 1
    return len(topic) in reached


class Bench:
    """A queue manager with some subscriptions that come and go."""

    def __init__(self) -> None:
        host = create(SimDisk(), small(pool=400, pages=4000))
        model = {"MAXDEPTH": 999_999_999, "DEFTYPE": a.MQQDT_TEMPORARY_DYNAMIC}
        host.administration.define("QMODEL", "SYSTEM.NDURABLE.MODEL.QUEUE", model)
        self.host = host
        self.program: LocalConnection = host.connect()
        self.subscriptions: list[tuple[str, bool, Subscribed]] = []

    def subscribe(self, pattern: str, character: bool) -> None:
        options = MQSO_CREATE | MQSO_MANAGED | (MQSO_WILDCARD_CHAR if character else 0)
        try:
            made = self.program.subscribe(SubscriptionRequest(options, pattern))
        except MQError as error:
            assert error.reason in (MQRC_TOPIC_STRING_ERROR, MQRC_UNKNOWN_OBJECT_NAME), (pattern[:100], error)
            return
        self.subscriptions.append((pattern, character, made))
        if len(self.subscriptions) > 20:
            _pattern, _character, oldest = self.subscriptions.pop(0)
            self.program.close(oldest.handle)
            self.program.close(oldest.queue)

    def publish(self, topic: str) -> None:
        try:
            handle = self.program.open_topic("", topic, MQOO_OUTPUT)
        except MQError as error:
            assert error.reason in (MQRC_TOPIC_STRING_ERROR, MQRC_UNKNOWN_OBJECT_NAME), (topic[:100], error)
            return
        self.program.put(handle, MessageDescriptor(), b"x")
        self.program.close(handle)
        for pattern, character, made in self.subscriptions:
            if len(pattern) > 300 or len(topic) > 300:
                self.drain(made)
            else:
                wanted = self.wanted(pattern, character, topic)
                assert self.drain(made) == wanted, (pattern, character, topic)

    def wanted(self, pattern: str, character: bool, topic: str) -> bool:
        if not character:
            return by_level(pattern.split("/"), topic.split("/"))
        return by_character(pattern, topic)

    def drain(self, made: Subscribed) -> bool:
        found = 0
        while True:
            try:
                self.program.get(made.queue)
                found += 1
            except NoMessage:
                assert found <= 1
                return found == 1


def run(seconds: float, seed: int) -> int:
    """Subscribe and publish until the time is up; gives the number of rounds."""
    random = Random(seed)
    bench = Bench()
    ending = time.monotonic() + seconds
    rounds = 0
    while time.monotonic() < ending:
        rounds += 1
        begun = time.monotonic()
        if random.random() < 0.3:
            bench.subscribe(text(random), random.random() < 0.5)
        else:
            bench.publish(text(random))
        taken = time.monotonic() - begun
        assert taken < SLOWEST, f"seed {seed}, round {rounds}: {taken:.1f} s"
    bench.host.crash()
    return rounds


def main() -> None:
    """Fuzz for some seconds from a seed."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60.0
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else time.time_ns() % 1_000_000
    print(f"topics: seed {seed}", flush=True)
    print(f"topics: {run(seconds, seed):,} rounds")


if __name__ == "__main__":
    main()
