"""What accounting says of a task beyond its puts and gets: searches, waits, branches, subscriptions."""

import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from tests.unit.accounting.test_recorder import EVERYTHING, World, number, values

from kew.accounting.statistics import duration
from kew.codes.errors import MQError, NoMessage
from kew.codes.options import MQMO_MATCH_CORREL_ID, MQOO_INPUT_SHARED, MQPMO_SYNCPOINT, MQSO_CREATE, MQSO_MANAGED
from kew.formats.mqmd import MessageDescriptor
from kew.formats.smf.layouts.structure import Value
from kew.mqi.engine import Clock
from kew.mqi.subscribing.subscribe import SubscriptionRequest
from kew.qmgr import manager
from kew.qmgr.config import Configuration, SMFConfiguration

HELD = 0.005  # seconds


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    manager.create("QM1", Configuration(smf=SMFConfiguration(level="9.4.0", system="TEST")), str(tmp_path))
    with manager.start("QM1", str(tmp_path)) as host:
        made = World(host, Path(host.places.smf))
        made.run("ALTER QMGR STRSTPEV(DISABLED) ACCTQ(ON)", "DEFINE QLOCAL(Q1)", "START TRACE(ACCTG) CLASS(1,3)")
        yield made


def id_of(place: int) -> bytes:
    return b"%024d" % place


def ago(seconds: float) -> float:
    return time.time() - seconds


def queues(world: World, name: str = "Q1") -> list[dict[str, Value]]:
    return [each for each in values(world.smf, 116, 1, "WQ") if each["OBJNAME"] == name]


@pytest.mark.parametrize(("index", "passed"), [("NONE", 9 + 8), ("CORRELID", 0)])
def test_messages_that_a_search_passes_are_counted(world: World, index: str, passed: int) -> None:
    world.run(f"ALTER QLOCAL(Q1) INDXTYPE({index})")
    connection = world.host.connect("searcher")
    queue = connection.open("Q1", EVERYTHING)
    for place in range(10):
        connection.put(queue, MessageDescriptor(correlation_id=id_of(place)), b"x")
    for place in (9, 8):
        connection.get(queue, wanted=MessageDescriptor(correlation_id=id_of(place)), match_options=MQMO_MATCH_CORREL_ID)
    connection.get(queue)
    connection.disconnect()
    world.host.stop()
    (found,) = queues(world)
    assert (found["GETSMSG"], found["GETS"], found["GETA"]) == (passed, 2, 1)


def test_a_selector_is_counted_with_what_it_passes(world: World) -> None:
    connection = world.host.connect("selector")
    queue = connection.open("Q1", EVERYTHING)
    for place in range(10):
        connection.put(queue, MessageDescriptor(priority=place), b"x")
    chosen = connection.open("Q1", MQOO_INPUT_SHARED, selection="Root.MQMD.Priority = 3")
    assert connection.get(chosen).descriptor.priority == 3
    connection.disconnect()
    world.host.stop()
    (found,) = queues(world)
    assert (found["GETSMSG"], found["SELCOUNT"], found["SELMAXLN"]) == (6, 1, len("Root.MQMD.Priority = 3"))


def test_messages_whose_time_is_past_are_counted_for_who_meets_them(world: World) -> None:
    connection = world.host.connect("late")
    queue = connection.open("Q1", EVERYTHING)
    for _ in range(4):
        connection.put(queue, MessageDescriptor(expiry=1), b"x")
    world.host.host.engine.clock = Clock(lambda: time.time() + 3600)
    with pytest.raises(NoMessage):
        connection.get(queue)
    connection.disconnect()
    world.host.stop()
    (found,) = queues(world)
    assert (found["GETEXMSG"], found["GETERR"]) == (4, 1)


def test_the_time_that_messages_were_on_the_queue_is_told(world: World) -> None:
    connection = world.host.connect("slow")
    queue = connection.open("Q1", EVERYTHING)
    for seconds in (100, 50):
        world.host.host.engine.clock = Clock(partial(ago, seconds))
        connection.put(queue, MessageDescriptor(), b"x")
    for _ in range(2):
        connection.get(queue)
    connection.disconnect()
    world.host.stop()
    (found,) = queues(world)
    assert number(found, "MAXLATNT") >= duration(99)
    assert duration(49) <= number(found, "MINLATNT") <= number(found, "MAXLATNT")
    assert number(found, "TOTLATNT") == pytest.approx(number(found, "MAXLATNT") + number(found, "MINLATNT"), rel=1e-6)
    for verb in ("OPEN", "PUT", "GET"):
        assert number(found, f"{verb}ET") >= number(found, f"{verb}CT") > 0


def test_a_task_with_many_queues_goes_on_in_subtype_2(world: World) -> None:
    names = [f"MANY{place:02d}" for place in range(30)]
    world.run(*[f"DEFINE QLOCAL({name})" for name in names])
    connection = world.host.connect("busy")
    for name in names:
        connection.put1(name, MessageDescriptor(), b"x")
    connection.disconnect()
    world.host.stop()
    by_subtype = [[str(each["OBJNAME"]) for each in values(world.smf, 116, subtype, "WQ")] for subtype in (1, 2)]
    assert all(by_subtype)
    assert sorted([name for part in by_subtype for name in part if name.startswith("MANY")]) == names


def test_branches_are_prepared_and_committed(world: World) -> None:
    connection = world.host.connect("manager")
    queue = connection.open("Q1", EVERYTHING)
    for xid, end in ((b"one", connection.commit_branch), (b"two", connection.back_out_branch)):
        connection.start_branch(xid)
        connection.put(queue, MessageDescriptor(persistence=1), b"x", MQPMO_SYNCPOINT)
        connection.end_branch()
        connection.prepare(xid)
        end(xid)
    connection.disconnect()
    world.host.stop()
    (task,) = [each for each in values(world.smf, 116, 1, "WTAS") if each["WTASPRN"]]
    assert (task["WTASPRN"], task["WTASCMN"], task["WTASBAN"]) == (2, 1, 1)
    assert number(task, "WTASPRET") > number(task, "WTASPRCT") > 0
    assert number(task, "WTASJCN") >= 3  # both prepares and the commit wait for the log
    (found,) = queues(world)
    assert found["PUTJCN"] == 0


def test_subscriptions_have_a_place_of_their_own(world: World) -> None:
    connection = world.host.connect("reader")
    request = SubscriptionRequest(MQSO_CREATE | MQSO_MANAGED, "a/b")
    request.selector = "colour = 'red'"
    connection.subscribe(request)
    made = connection.subscribe(SubscriptionRequest(MQSO_CREATE | MQSO_MANAGED, "a/c"))
    with pytest.raises(MQError):  # nothing is retained
        connection.request_publications(made.handle)
    connection.disconnect()
    world.host.stop()
    (task,) = [each for each in values(world.smf, 116, 1, "WTAS") if each["WTASSUN"]]
    assert (task["WTASSUN"], task["WTASSUSC"], task["WTASSUSL"], task["WTASSQN"]) == (2, 1, 14, 1)
    assert number(task, "WTASSUET") >= number(task, "WTASSUCT") > 0


def test_a_wait_for_the_engine_is_a_wait_for_a_latch(world: World) -> None:
    connection = world.host.connect("waiter")
    queue = connection.open("Q1", EVERYTHING)
    for _ in range(15):
        connection.put(queue, MessageDescriptor(), b"x")
    account = connection.connection.account
    assert account is not None
    thread = threading.Thread(target=connection.put, args=(queue, MessageDescriptor(), b"x"))
    with world.host.host.engine.lock:
        thread.start()
        while not account._begun:
            time.sleep(0.001)
        since = time.perf_counter()
        while time.perf_counter() - since < HELD:
            time.sleep(0.001)
    thread.join()
    connection.disconnect()
    world.host.stop()
    (task,) = [each for each in values(world.smf, 116, 1, "WTAS") if number(each, "WTASMLW") >= duration(HELD)]
    waits, times = task["WTASLWN"], task["WTASLWET"]
    assert isinstance(waits, list)
    assert isinstance(times, list)
    assert waits[0] >= 16  # one call of sixteen is looked at, and stands for all of them
    assert times[0] >= 16 * duration(HELD)
    assert not any(waits[1:])
    assert task["WTASMLWN"] == 1
    (found,) = queues(world)
    assert number(found, "PUTSUSN") >= 16
    assert number(found, "PUTSUSET") >= 16 * duration(HELD)
    assert number(found, "PUTET") >= duration(HELD)
