"""Gets by message, correlation and group id: the right message, in order, from queues of any depth, indexed or not."""

from random import Random

import pytest
from tests.support.hosting import Notes, create, lasting, opened, passing, queue_of, small
from tests.support.simdisk import SimDisk

from kew.codes.errors import NoMessage
from kew.codes.options import (
    MQGMO_SYNCPOINT,
    MQMF_MSG_IN_GROUP,
    MQMO_MATCH_CORREL_ID,
    MQMO_MATCH_GROUP_ID,
    MQMO_MATCH_MSG_ID,
    MQPMO_SYNCPOINT,
)
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.connections.handles import Handle
from kew.mqi.local.connection import LocalConnection
from kew.qmgr.assemble import Host
from kew.queues.match import Match
from kew.queues.private import MOST_DIRECTORIES
from kew.queues.queue import UNINDEXED_GETS
from kew.storage.pages.directory import ENTRIES
from kew.storage.stall import GiveWay

INDEXES = {"none": 0, "message id": 1, "correlation id": 2, "group id": 5}


def name(number: int) -> bytes:
    return b"%024d" % number


def find(connection: LocalConnection, queue: Handle, options: int, **ids: bytes) -> bytes:
    """Get the text of the next message that has some ids."""
    wanted = MessageDescriptor(**ids)  # type: ignore[arg-type]
    return connection.get(queue, match_options=options, wanted=wanted).data


@pytest.mark.parametrize("index", INDEXES.values(), ids=INDEXES)
def test_each_kind_of_id_finds_its_message_in_order_of_arrival(index: int) -> None:
    connection, queue = queue_of(create(SimDisk(), small()), INDXTYPE=index)
    for number in range(300):
        descriptor = (lasting if number % 2 else passing)(name(number), name(number % 7))
        descriptor.group_id = name(number % 11)
        descriptor.message_flags = MQMF_MSG_IN_GROUP
        connection.put(queue, descriptor, b"%d" % number)
    assert find(connection, queue, MQMO_MATCH_MSG_ID, message_id=name(250)) == b"250"
    assert find(connection, queue, MQMO_MATCH_CORREL_ID, correlation_id=name(3)) == b"3"
    assert find(connection, queue, MQMO_MATCH_CORREL_ID, correlation_id=name(3)) == b"10"
    assert find(connection, queue, MQMO_MATCH_GROUP_ID, group_id=name(3)) == b"14"
    both = MQMO_MATCH_CORREL_ID | MQMO_MATCH_GROUP_ID
    assert find(connection, queue, both, correlation_id=name(5), group_id=name(0)) == b"33"
    with pytest.raises(NoMessage):
        find(connection, queue, MQMO_MATCH_MSG_ID, message_id=name(250))
    every = MQMO_MATCH_MSG_ID | MQMO_MATCH_CORREL_ID | MQMO_MATCH_GROUP_ID
    with pytest.raises(NoMessage):
        find(connection, queue, every, message_id=name(20), correlation_id=name(6), group_id=name(8))
    assert find(connection, queue, every, message_id=name(20), correlation_id=name(6), group_id=name(9)) == b"20"
    assert connection.get(queue).data == b"0"


def test_no_id_matches_every_message() -> None:
    connection, queue = queue_of(create(SimDisk(), small()))
    connection.put(queue, passing(name(1)), b"one")
    assert find(connection, queue, MQMO_MATCH_MSG_ID | MQMO_MATCH_CORREL_ID, message_id=bytes(24)) == b"one"


@pytest.mark.parametrize("index", INDEXES.values(), ids=INDEXES)
def test_higher_priority_comes_first_then_arrival(index: int) -> None:
    connection, queue = queue_of(create(SimDisk(), small()), INDXTYPE=index)
    for number, priority in enumerate((2, 5, 5, 9, 0, 9)):
        descriptor = (lasting if number % 2 else passing)(name(number), name(7), priority)
        descriptor.group_id = name(7)
        descriptor.message_flags = MQMF_MSG_IN_GROUP
        connection.put(queue, descriptor, b"%d" % number)
    order = [find(connection, queue, MQMO_MATCH_CORREL_ID, correlation_id=name(7)) for _ in range(6)]
    assert order == [b"3", b"5", b"1", b"2", b"0", b"4"]


@pytest.mark.parametrize("index", [0, 2], ids=["none", "correlation id"])
def test_messages_of_others_are_passed_over_and_come_back(index: int) -> None:
    host = create(SimDisk(), small())
    connection, queue = queue_of(host, INDXTYPE=index)
    other, others_queue = opened(host)
    for number in range(4):
        connection.put(queue, lasting(name(number), name(7)), b"%d" % number)
    other.put(others_queue, lasting(name(8), name(7)), b"uncommitted", MQPMO_SYNCPOINT)
    assert other.get(others_queue, MQGMO_SYNCPOINT).data == b"0"
    assert find(connection, queue, MQMO_MATCH_CORREL_ID, correlation_id=name(7)) == b"1"
    other.backout()
    assert find(connection, queue, MQMO_MATCH_CORREL_ID, correlation_id=name(7)) == b"0"
    assert find(connection, queue, MQMO_MATCH_CORREL_ID, correlation_id=name(7)) == b"2"
    assert find(connection, queue, MQMO_MATCH_CORREL_ID, correlation_id=name(7)) == b"3"
    with pytest.raises(NoMessage):
        find(connection, queue, MQMO_MATCH_CORREL_ID, correlation_id=name(7))


@pytest.mark.parametrize("persistent", [True, False], ids=["persistent", "not persistent"])
def test_a_queue_with_more_directories_than_frames_is_searched_to_its_end(persistent: bool) -> None:
    connection, queue = queue_of(create(SimDisk(), small(pool=30, pages=8000, log_pages=512)))
    make = lasting if persistent else passing
    for number in range(84 * 40):
        connection.put(queue, make(name(number)), b"%d" % number)
    for number in (84 * 40 - 1, 84 * 20, 0):
        assert find(connection, queue, MQMO_MATCH_MSG_ID, message_id=name(number)) == b"%d" % number
        with pytest.raises(NoMessage):
            find(connection, queue, MQMO_MATCH_MSG_ID, message_id=name(number))


def test_many_messages_with_the_same_id_in_a_small_pool() -> None:
    connection, queue = queue_of(create(SimDisk(), small(pool=30, pages=8000)), INDXTYPE=2)
    for number in range(84 * 40):
        connection.put(queue, passing(name(number), name(7), number % 2), b"%d" % number)
    assert find(connection, queue, MQMO_MATCH_CORREL_ID, correlation_id=name(7)) == b"1"
    assert find(connection, queue, MQMO_MATCH_CORREL_ID, correlation_id=name(7)) == b"3"


@pytest.mark.pages
def test_a_message_that_arrives_at_the_end_during_a_search_is_found() -> None:
    host = create(SimDisk(), small(pool=30, pages=8000))
    connection, queue = queue_of(host)
    other, others_queue = opened(host)
    for number in range(84 * 40 - 5):
        connection.put(queue, passing(name(number)), b"%d" % number)
    disk = host.disk
    assert isinstance(disk, SimDisk)
    reads = 0

    def arrive(operation: str, _path: str, _length: int) -> None:
        nonlocal reads
        reads += operation == "read"
        if reads == 20:
            reads += 1
            other.put(others_queue, passing(name(99999)), b"late")

    disk.delay = arrive
    assert find(connection, queue, MQMO_MATCH_MSG_ID, message_id=name(99999)) == b"late"
    assert reads > 20


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("index", INDEXES.values(), ids=INDEXES)
def test_any_sequence_of_puts_and_gets_agrees_with_a_list(index: int, seed: int) -> None:
    random = Random(seed)
    connection, queue = queue_of(create(SimDisk(), small(pool=80, pages=4000)), INDXTYPE=index)
    model: list[tuple[int, int, int, bytes]] = []  # priority, message, correlation, text
    for step in range(400):
        if random.random() < 0.6 or not model:
            message, correlation, priority = random.randrange(30), random.randrange(5), random.randrange(3)
            descriptor = (lasting if random.random() < 0.5 else passing)(name(message), name(correlation), priority)
            descriptor.group_id = name(correlation)
            descriptor.message_flags = MQMF_MSG_IN_GROUP
            size = random.choice((0, 10, 5000))
            text = b"%d" % step + bytes(size)
            connection.put(queue, descriptor, text)
            model.append((priority, message, correlation, text))
            continue
        options, ids = 0, {}
        message, correlation = random.randrange(30), random.randrange(5)
        if random.random() < 0.5:
            options |= MQMO_MATCH_MSG_ID
            ids["message_id"] = name(message)
        if random.random() < 0.5:
            options |= MQMO_MATCH_CORREL_ID
            ids["correlation_id"] = name(correlation)
        if random.random() < 0.3:
            options |= MQMO_MATCH_GROUP_ID
            ids["group_id"] = name(correlation)
        fitting = [
            each
            for each in model
            if (not options & MQMO_MATCH_MSG_ID or each[1] == message)
            and (not options & (MQMO_MATCH_CORREL_ID | MQMO_MATCH_GROUP_ID) or each[2] == correlation)
        ]
        if not fitting:
            with pytest.raises(NoMessage):
                find(connection, queue, options, **ids)
            continue
        expected = max(fitting, key=lambda each: each[0])
        assert find(connection, queue, options, **ids) == expected[3]
        model.remove(expected)


def test_a_queue_that_is_often_read_by_an_id_it_has_no_index_for_is_reported_once() -> None:
    notes = Notes()
    connection, queue = queue_of(create(SimDisk(), small(), notes))
    for number in range(UNINDEXED_GETS + 20):
        connection.put(queue, passing(name(number)), b"%d" % number)
    last = UNINDEXED_GETS + 19
    for number in range(UNINDEXED_GETS - 1):
        find(connection, queue, MQMO_MATCH_MSG_ID, message_id=name(last - number))
    assert not notes.about("CSQI004I")
    find(connection, queue, MQMO_MATCH_MSG_ID, message_id=name(10))
    assert notes.about("CSQI004I") == [((UNINDEXED_GETS,), ("Q1", "MSGID", ""))]
    find(connection, queue, MQMO_MATCH_MSG_ID, message_id=name(9))
    assert len(notes.about("CSQI004I")) == 1


def test_a_queue_read_in_order_or_by_its_index_is_not_reported() -> None:
    notes = Notes()
    host = create(SimDisk(), small(), notes)
    connection, queue = queue_of(host)
    for number in range(2 * UNINDEXED_GETS):
        connection.put(queue, passing(name(number)), b"%d" % number)
        assert find(connection, queue, MQMO_MATCH_MSG_ID, message_id=name(number)) == b"%d" % number
    connection, queue = queue_of(host, "Q2", INDXTYPE=1)
    for number in range(2 * UNINDEXED_GETS):
        connection.put(queue, passing(name(number)), b"%d" % number)
    for number in reversed(range(2 * UNINDEXED_GETS)):
        find(connection, queue, MQMO_MATCH_MSG_ID, message_id=name(number))
    assert not notes.about("CSQI004I")


@pytest.mark.parametrize(("option", "word"), [(MQMO_MATCH_CORREL_ID, "CORRELID"), (MQMO_MATCH_GROUP_ID, "GROUPID")])
def test_the_report_names_the_index_that_would_help(option: int, word: str) -> None:
    notes = Notes()
    connection, queue = queue_of(create(SimDisk(), small(), notes))
    for number in range(UNINDEXED_GETS + 1):
        descriptor = passing(name(number), name(number))
        descriptor.group_id = name(number)
        descriptor.message_flags = MQMF_MSG_IN_GROUP
        connection.put(queue, descriptor, b"")
    for number in range(UNINDEXED_GETS):
        wanted = name(UNINDEXED_GETS - number)
        find(connection, queue, option, correlation_id=wanted, group_id=wanted)
    assert [texts[1] for _numbers, texts in notes.about("CSQI004I")] == [word]


def parts_of(host: Host, match: Match) -> int:
    """Find a message of the queue; gives how often the search has given way."""
    queue = host.queues.by_name["Q1"]
    ways = 0
    while True:
        try:
            with host.lock:
                assert queue.find(match) is not None
            return ways
        except GiveWay:
            ways += 1


@pytest.mark.pages
@pytest.mark.parametrize("persistent", [True, False], ids=["persistent", "not persistent"])
def test_a_search_by_id_gives_way_after_some_directories(persistent: bool) -> None:
    host = create(SimDisk(), small(pool=20_000, pages=20_000, log_pages=2048))
    connection, queue = queue_of(host)
    make = lasting if persistent else passing
    count = ENTRIES * (3 * MOST_DIRECTORIES + 1)
    for number in range(count):
        connection.put(queue, make(name(number)), b"")
    assert parts_of(host, Match(name(count - 1))) == 3
    assert parts_of(host, Match(name(ENTRIES * MOST_DIRECTORIES - 1))) == 0
    assert parts_of(host, Match(name(ENTRIES * MOST_DIRECTORIES))) == 1
