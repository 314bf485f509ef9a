"""Making the index of a queue that has messages: in any pool, while work goes on, and at restart."""

from random import Random

import pytest
from tests.support.hosting import after_power_loss, create, lasting, opened, passing, queue_of, small
from tests.support.simdisk import SimDisk
from tests.support.stores import private

from kew.codes.errors import NoMessage
from kew.codes.options import MQGMO_SYNCPOINT, MQMO_MATCH_CORREL_ID, MQPMO_SYNCPOINT
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.connections.handles import Handle
from kew.mqi.local.connection import LocalConnection
from kew.qmgr.assemble import Host
from kew.storage.stall import Stall


def name(number: int) -> bytes:
    return b"%024d" % number


def all_of(connection: LocalConnection, queue: Handle, correlation: int) -> list[bytes]:
    """Get every message with a correlation id."""
    found = []
    wanted = MessageDescriptor(correlation_id=name(correlation))
    while True:
        try:
            found.append(connection.get(queue, match_options=MQMO_MATCH_CORREL_ID, wanted=wanted).data)
        except NoMessage:
            return found


@pytest.mark.pages
def test_an_index_of_more_directories_than_the_pool_has_frames() -> None:
    host = create(SimDisk(), small(pool=30, pages=8000))
    connection, queue = queue_of(host)
    for number in range(84 * 40):
        connection.put(queue, passing(name(number), name(number % 1000)), b"%d" % number)
    host.administration.alter("Q1", {"INDXTYPE": 2})
    assert all_of(connection, queue, 17) == [b"17", b"1017", b"2017", b"3017"]
    index = private(host.queues.by_name["Q1"]).indexes.by_id
    assert index is not None
    assert index.size == 84 * 40 - 4


def test_restart_makes_the_index_of_more_directories_than_the_pool_has_frames() -> None:
    disk = SimDisk()
    settings = small(pool=30, pages=8000, log_pages=512)
    connection, queue = queue_of(create(disk, settings), INDXTYPE=2)
    for number in range(84 * 40):
        connection.put(queue, lasting(name(number), name(number % 1000)), b"%d" % number)
    connection, queue = opened(after_power_loss(disk, settings))
    assert all_of(connection, queue, 17) == [b"17", b"1017", b"2017", b"3017"]


def test_messages_of_both_kinds_and_all_priorities_come_in_order() -> None:
    host = create(SimDisk(), small())
    connection, queue = queue_of(host)
    for number in range(200):
        descriptor = (lasting if number % 3 else passing)(name(number), name(7), number % 2)
        connection.put(queue, descriptor, b"%d" % number)
    host.administration.alter("Q1", {"INDXTYPE": 2})
    expected = [*range(1, 200, 2), *range(0, 200, 2)]
    assert all_of(connection, queue, 7) == [b"%d" % number for number in expected]


@pytest.mark.pages
def test_an_index_is_taken_away_and_changed() -> None:
    host = create(SimDisk(), small())
    connection, queue = queue_of(host, INDXTYPE=1)
    for number in range(10):
        connection.put(queue, passing(name(number), name(number % 2)), b"%d" % number)
    host.administration.alter("Q1", {"INDXTYPE": 0})
    assert private(host.queues.by_name["Q1"]).indexes.by_id is None
    host.administration.alter("Q1", {"INDXTYPE": 2})
    assert all_of(connection, queue, 1) == [b"1", b"3", b"5", b"7", b"9"]


@pytest.mark.pages
def test_messages_of_units_are_in_the_index_whatever_becomes_of_them() -> None:
    host = create(SimDisk(), small())
    connection, queue = queue_of(host)
    other, others_queue = opened(host)
    for number in range(4):
        connection.put(queue, lasting(name(number), name(7)), b"%d" % number)
    other.get(others_queue, MQGMO_SYNCPOINT)
    other.put(others_queue, lasting(name(8), name(7)), b"new", MQPMO_SYNCPOINT)
    host.administration.alter("Q1", {"INDXTYPE": 2})
    assert all_of(connection, queue, 7) == [b"1", b"2", b"3"]
    other.backout()
    assert all_of(connection, queue, 7) == [b"0"]
    index = private(host.queues.by_name["Q1"]).indexes.by_id
    assert index is not None
    assert index.size == 0


def step(host: Host, index_type: int) -> bool:
    """Do one hold of the lock of a change of the index; say whether it is done."""
    try:
        with host.lock:
            host.queues.by_name["Q1"].set_index(index_type, "")
        return True
    except Stall as stall:
        waiting = stall
    waiting.resolve()
    return False


@pytest.mark.pages
@pytest.mark.parametrize("seed", range(6))
def test_work_that_goes_on_during_the_build_is_in_the_index(seed: int) -> None:
    random = Random(seed)
    host = create(SimDisk(), small(pool=40, pages=8000, log_pages=512))
    connection, queue = queue_of(host)
    other, others_queue = opened(host)
    model: list[tuple[int, int, bytes]] = []
    count = 0

    def put() -> None:
        nonlocal count
        correlation, priority = random.randrange(100), random.randrange(2)
        text = b"%d" % count
        make = lasting if random.random() < 0.5 else passing
        connection.put(queue, make(name(count), name(correlation), priority), text)
        model.append((priority, correlation, text))
        count += 1

    for _ in range(84 * 14):
        put()
    while not step(host, 2):
        for _ in range(random.randrange(12)):
            choice = random.random()
            if choice < 0.35:
                put()
            elif choice < 0.9 and model:
                next_one = max(model, key=lambda each: each[0])
                assert connection.get(queue).data == next_one[2]
                model.remove(next_one)
            else:
                other.put(others_queue, lasting(), b"never", MQPMO_SYNCPOINT)
                other.get(others_queue, MQGMO_SYNCPOINT)
                other.backout()
    host.writer.flush()
    for correlation in range(100):
        fitting = [each for each in model if each[1] == correlation]
        fitting.sort(key=lambda each: -each[0])
        assert all_of(connection, queue, correlation) == [text for _, _, text in fitting]
    index = private(host.queues.by_name["Q1"]).indexes.by_id
    assert index is not None
    assert index.size == 0
    assert queue.queue is not None
    assert queue.queue.depth == 0


@pytest.mark.pages
def test_another_index_may_be_asked_for_before_the_first_is_made() -> None:
    host = create(SimDisk(), small(pool=40, pages=8000))
    connection, queue = queue_of(host)
    for number in range(84 * 50):
        connection.put(queue, passing(name(number), name(number % 1000)), b"%d" % number)
    assert not step(host, 1)
    while not step(host, 2):
        pass
    assert all_of(connection, queue, 3) == [b"3", b"1003", b"2003", b"3003", b"4003"]
