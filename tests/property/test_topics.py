"""Topics and subscriptions beside a model that is a list: in process through restarts and crashes, and over TCP.

The model keeps for each subscription what it must have got, in order, and for each topic what is retained. Patterns are
matched by trying every way, and topic objects are looked up level by level: nothing is taken from the engine.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test
from tests.support.audit import check_space
from tests.support.hosting import create, small, start
from tests.support.network import Reachable, reachable
from tests.support.simdisk import SimDisk

from kew.channels.protocol.options import PutOptions
from kew.client.blocking import Queue, Subscription
from kew.codes import attributes as a
from kew.codes.errors import MQError, NoMessage
from kew.codes.options import (
    MQCO_REMOVE_SUB,
    MQOO_OUTPUT,
    MQPMO_RETAIN,
    MQPMO_SYNCPOINT,
    MQSO_CREATE,
    MQSO_DURABLE,
    MQSO_MANAGED,
    MQSO_NEW_PUBLICATIONS_ONLY,
    MQSO_RESUME,
    MQSO_WILDCARD_CHAR,
)
from kew.codes.reasons import MQRC_PUT_INHIBITED, MQRC_SUB_INHIBITED
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.connections.handles import Handle
from kew.mqi.local.connection import LocalConnection
from kew.mqi.subscribing.subscribe import SubscriptionRequest
from kew.objects.definition import Definition
from kew.qmgr.assemble import Host
from kew.topics.retained import QUEUE as RETAINED

LEVELS = ("a", "b", "")
topics = st.lists(st.sampled_from(LEVELS), min_size=1, max_size=3).map("/".join).filter(bool)
by_level = st.lists(st.sampled_from((*LEVELS, "+", "#")), min_size=1, max_size=3).map("/".join).filter(bool)
by_character = st.text("ab/*?", min_size=1, max_size=5)
sizes = st.sampled_from((5, 5, 5, 4000, 30_000))
flags = st.booleans()
OBJECTS = ("a", "a/b", "b")


def fits(pattern: list[str], levels: list[str]) -> bool:
    """Say whether levels fit a pattern, by trying every way."""
    if not pattern:
        return not levels
    if pattern[0] == "#":
        return any(fits(pattern[1:], levels[count:]) for count in range(len(levels) + 1))
    return bool(levels) and pattern[0] in ("+", levels[0]) and fits(pattern[1:], levels[1:])


class Wish:
    """A subscription of the model."""

    def __init__(self, name: str, pattern: str, character: bool, durable: bool) -> None:
        self.name = name
        self.pattern = pattern
        self.character = character
        self.durable = durable
        self.expected: list[tuple[bool, bytes]] = []  # persistent, data

    def wants(self, topic: str) -> bool:
        if self.character:
            text = "".join([".*" if each == "*" else "." if each == "?" else re.escape(each) for each in self.pattern])
            return re.fullmatch(text, topic, re.DOTALL) is not None
        return fits(self.pattern.split("/"), topic.split("/"))

    def spells(self, topic: str) -> bool:
        """Say whether the pattern names a point of the tree and all above it."""
        if self.character:
            plain = re.split(r"[*?]", self.pattern)[0]
            return plain == self.pattern or plain.startswith(topic + "/")
        return not {"+", "#"} & set(self.pattern.split("/")[: len(topic.split("/"))])

    @property
    def wildcard(self) -> bool:
        if self.character:
            return bool(set(self.pattern) & set("*?"))
        return bool({"+", "#"} & set(self.pattern.split("/")))


class Point:
    """A topic object of the model."""

    def __init__(self) -> None:
        self.publish: bool | None = None  # None: as above
        self.subscribe: bool | None = None
        self.block = False


class Broker:
    """What the machine drives: one program with its subscriptions."""

    restarts = False

    def subscribe(self, name: str, topic: str, options: int) -> None:
        raise NotImplementedError

    def end(self, name: str) -> None:
        raise NotImplementedError

    def publish(self, topic: str, data: bytes, persistent: bool, options: int) -> None:
        raise NotImplementedError

    def get(self, name: str) -> bytes:
        raise NotImplementedError

    def commit(self) -> None:
        raise NotImplementedError

    def backout(self) -> None:
        raise NotImplementedError

    def alter(self, name: str, topic: str, point: Point) -> None:
        raise NotImplementedError

    def restart(self, crash: bool) -> None:
        raise NotImplementedError

    def close(self) -> None:
        raise NotImplementedError


class Machine(RuleBasedStateMachine):
    """Publishes and subscribes at random."""

    broker: Broker

    def make(self) -> Broker:
        raise NotImplementedError

    @initialize()
    def begin(self) -> None:
        self.broker = self.make()
        self.wishes: dict[str, Wish] = {}
        self.retained: dict[str, tuple[bool, bytes]] = {}
        self.points: dict[str, Point] = {topic: Point() for topic in OBJECTS}
        self.unit: list[tuple[str, bool, bool, bytes]] = []
        self.waiting: list[list[str]] = []  # for each of them, who will get it
        self.serial = 0
        for topic in OBJECTS:
            self.broker.alter(f"T.{topic.replace('/', '.')}", topic, self.points[topic])

    def above(self, topic: str) -> list[Point]:
        levels = topic.split("/")
        prefixes = ["/".join(levels[:count]) for count in range(len(levels), 0, -1)]
        return [self.points[prefix] for prefix in prefixes if prefix in self.points]

    def allowed(self, topic: str, publish: bool) -> bool:
        for point in self.above(topic):
            said = point.publish if publish else point.subscribe
            if said is not None:
                return said
        return True

    def sees(self, wish: Wish, topic: str) -> bool:
        if not wish.wants(topic):
            return False
        levels = topic.split("/")
        for count in range(1, len(levels) + 1):
            prefix = "/".join(levels[:count])
            point = self.points.get(prefix)
            if point is not None and point.block and wish.wildcard and not wish.spells(prefix):
                return False
        return True

    @rule(pattern=by_level, durable=flags, new_only=flags)
    def subscribe_by_level(self, pattern: str, durable: bool, new_only: bool) -> None:
        self.subscribe(pattern, False, durable, new_only)

    @rule(pattern=by_character, durable=flags, new_only=flags)
    def subscribe_by_character(self, pattern: str, durable: bool, new_only: bool) -> None:
        self.subscribe(pattern, True, durable, new_only)

    def subscribe(self, pattern: str, character: bool, durable: bool, new_only: bool) -> None:
        self.serial += 1
        wish = Wish(f"S{self.serial}", pattern, character, durable)
        options = MQSO_CREATE | MQSO_MANAGED
        options |= MQSO_WILDCARD_CHAR if character else 0
        options |= MQSO_DURABLE if durable else 0
        options |= MQSO_NEW_PUBLICATIONS_ONLY if new_only else 0
        try:
            self.broker.subscribe(wish.name, pattern, options)
        except MQError as error:
            assert error.reason == MQRC_SUB_INHIBITED
            assert not self.allowed(pattern, publish=False)
            return
        assert self.allowed(pattern, publish=False)
        self.wishes[wish.name] = wish
        if not new_only:
            kept = [self.retained[topic] for topic in self.retained if self.sees(wish, topic)]
            got = [self.broker.get(wish.name) for _ in kept]
            assert sorted(got) == sorted([data for _persistent, data in kept])

    @precondition(lambda self: self.wishes)
    @rule(data=st.data())
    def end(self, data: st.DataObject) -> None:
        name = data.draw(st.sampled_from(sorted(self.wishes)))
        if not self.unit:  # whose messages may be on its queue
            self.broker.end(name)
            del self.wishes[name]

    @rule(topic=topics, retain=flags, persistent=flags, unit=flags, size=sizes)
    def publish(self, topic: str, retain: bool, persistent: bool, unit: bool, size: int) -> None:
        self.serial += 1
        data = b"%d" % self.serial
        data = data.ljust(size, b".")
        options = (MQPMO_RETAIN if retain else 0) | (MQPMO_SYNCPOINT if unit else 0)
        try:
            self.broker.publish(topic, data, persistent, options)
        except MQError as error:
            assert error.reason == MQRC_PUT_INHIBITED
            assert not self.allowed(topic, publish=True)
            return
        assert self.allowed(topic, publish=True)
        wanted = [wish.name for wish in self.wishes.values() if self.sees(wish, topic)]
        if unit:
            self.unit.append((topic, retain, persistent, data))
            self.waiting.append(wanted)
        else:
            self.published(topic, retain, persistent, data, wanted)

    def published(self, topic: str, retain: bool, persistent: bool, data: bytes, wanted: list[str]) -> None:
        for name in wanted:
            self.wishes[name].expected.append((persistent, data))
        if retain:
            self.retained[topic] = (persistent, data)

    @rule()
    def commit(self) -> None:
        self.broker.commit()
        for (topic, retain, persistent, data), wanted in zip(self.unit, self.waiting, strict=True):
            self.published(topic, False, persistent, data, wanted)
            if retain and int(data.rstrip(b".")) > int(self.retained.get(topic, (False, b"0"))[1].rstrip(b".")):
                self.retained[topic] = (persistent, data)  # unless something newer was retained meanwhile
        self.unit.clear()
        self.waiting.clear()

    @rule()
    def backout(self) -> None:
        self.broker.backout()
        self.unit.clear()
        self.waiting.clear()

    @precondition(lambda self: self.wishes)
    @rule(data=st.data())
    def take(self, data: st.DataObject) -> None:
        wish = self.wishes[data.draw(st.sampled_from(sorted(self.wishes)))]
        got: list[bytes] = []
        while True:
            try:
                got.append(self.broker.get(wish.name))
            except NoMessage:
                break
        assert sorted(got) == sorted([each for _persistent, each in wish.expected])
        wish.expected.clear()

    @rule(topic=st.sampled_from(OBJECTS), publish=st.none() | flags, subscribe=st.none() | flags, block=flags)
    def alter(self, topic: str, publish: bool | None, subscribe: bool | None, block: bool) -> None:
        point = self.points[topic]
        point.publish, point.subscribe, point.block = publish, subscribe, block
        self.broker.alter(f"T.{topic.replace('/', '.')}", topic, point)

    @precondition(lambda self: self.broker.restarts)
    @rule(crash=flags)
    def restart(self, crash: bool) -> None:
        self.unit.clear()
        self.waiting.clear()
        self.wishes = {wish.name: wish for wish in self.wishes.values() if wish.durable}
        for wish in self.wishes.values():
            wish.expected = [each for each in wish.expected if each[0]]
        self.retained = {topic: each for topic, each in self.retained.items() if each[0]}
        self.broker.restart(crash)
        for name in self.wishes:
            self.broker.subscribe(name, "", MQSO_RESUME)

    def teardown(self) -> None:
        if hasattr(self, "broker"):
            self.broker.close()


# -- in process -------------------------------------------------------------------------------------------------------


class InProcess(Broker):
    """A queue manager on a simulated disk."""

    restarts = True

    def __init__(self) -> None:
        self.disk = SimDisk()
        self.settings = small(pool=100, pages=2000)
        self.host: Host = create(self.disk, self.settings)
        self.connect()
        define = self.host.administration.define
        deep = {"MAXDEPTH": 999_999_999}
        define("QLOCAL", RETAINED, deep)
        define("QMODEL", "SYSTEM.DURABLE.MODEL.QUEUE", {**deep, "DEFTYPE": a.MQQDT_PERMANENT_DYNAMIC})
        define("QMODEL", "SYSTEM.NDURABLE.MODEL.QUEUE", {**deep, "DEFTYPE": a.MQQDT_TEMPORARY_DYNAMIC})

    def connect(self) -> None:
        self.program: LocalConnection = self.host.connect()
        self.subscriptions: dict[str, Handle] = {}
        self.queues: dict[str, Handle] = {}

    def subscribe(self, name: str, topic: str, options: int) -> None:
        made = self.program.subscribe(SubscriptionRequest(options, topic, name=name))
        self.subscriptions[name], self.queues[name] = made.handle, made.queue

    def end(self, name: str) -> None:
        self.program.close(self.subscriptions.pop(name), MQCO_REMOVE_SUB)
        self.program.close(self.queues.pop(name))

    def publish(self, topic: str, data: bytes, persistent: bool, options: int) -> None:
        self.program.publish("", topic, MessageDescriptor(persistence=int(persistent)), data, options)

    def get(self, name: str) -> bytes:
        return self.program.get(self.queues[name]).data

    def commit(self) -> None:
        self.program.commit()

    def backout(self) -> None:
        self.program.backout()

    def alter(self, name: str, topic: str, point: Point) -> None:
        definition = Definition.of("TOPIC", name, {"TOPICSTR": topic, **spelled(point)})
        self.host.catalogue.wait(self.host.objects.place(definition, replace=True))

    def restart(self, crash: bool) -> None:
        if crash:
            self.host.crash()
            self.disk = self.disk.crash(keep="none")
        else:
            self.host.stop()
        self.host = start(self.disk, self.settings)
        self.connect()

    def close(self) -> None:
        self.restart(crash=True)  # after which there are only persistent messages
        check_space(self.host)
        self.host.crash()


def spelled(point: Point) -> dict[str, str]:
    """Give what a topic object says, as MQSC has it."""
    words = {None: "ASPARENT", True: "ENABLED", False: "DISABLED"}
    return {
        "PUB": words[point.publish],
        "SUB": words[point.subscribe],
        "WILDCARD": "BLOCK" if point.block else "PASSTHRU",
    }


class MachineInProcess(Machine):
    def make(self) -> Broker:
        return InProcess()


def test_topics_in_process() -> None:
    run_state_machine_as_test(
        MachineInProcess,
        settings=settings(
            max_examples=40, stateful_step_count=40, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )


# -- over TCP ---------------------------------------------------------------------------------------------------------


class OverTcp(Broker):
    """A client of a queue manager that serves all examples."""

    def __init__(self, place: Reachable) -> None:
        self.place = place
        self.connection = place.connect()
        self.subscriptions: dict[str, Subscription] = {}
        self.topics: dict[str, Queue] = {}

    def subscribe(self, name: str, topic: str, options: int) -> None:
        self.subscriptions[name] = self.connection.subscribe(topic, name=name, options=options & ~MQSO_MANAGED)

    def end(self, name: str) -> None:
        subscription = self.subscriptions.pop(name)
        self.connection.driver.run(self.connection.verbs.close(subscription.opened, MQCO_REMOVE_SUB))
        subscription.queue.close()

    def publish(self, topic: str, data: bytes, persistent: bool, options: int) -> None:
        handle = self.topics.get(topic)
        if handle is None:
            handle = self.topics[topic] = self.connection.open_topic(topic, MQOO_OUTPUT)
        put = PutOptions()
        put.options = options
        handle.put(data, MessageDescriptor(persistence=int(persistent)), options=put)

    def get(self, name: str) -> bytes:
        return self.subscriptions[name].get().data

    def commit(self) -> None:
        self.connection.commit()

    def backout(self) -> None:
        self.connection.back_out()

    def alter(self, name: str, topic: str, point: Point) -> None:
        said = " ".join([f"{keyword}({word})" for keyword, word in spelled(point).items()])
        answer = self.place.mqsc(f"DEFINE TOPIC({name}) TOPICSTR('{topic}') REPLACE {said}")
        assert "AMQ8690I" in answer, answer

    def close(self) -> None:
        self.connection.back_out()
        for name in list(self.subscriptions):
            self.end(name)
        for topic in self.topics:
            self.place.mqsc(f"CLEAR TOPICSTR('{topic}') CLRTYPE(RETAINED)")
        self.connection.disconnect()


@contextmanager
def served(path: Path) -> Iterator[Reachable]:
    with reachable(path) as place:
        place.mqsc("SET AUTHREC PROFILE('**') OBJTYPE(TOPIC) PRINCIPAL('app') AUTHADD(PUB,SUB,RESUME)")
        yield place


def test_topics_over_tcp(tmp_path: Path) -> None:
    with served(tmp_path) as place:

        class MachineOverTcp(Machine):
            def make(self) -> Broker:
                return OverTcp(place)

        run_state_machine_as_test(
            MachineOverTcp,
            settings=settings(
                max_examples=15, stateful_step_count=30, deadline=None, suppress_health_check=list(HealthCheck)
            ),
        )
