"""Read-ahead in units of work: what was sent ahead belongs to a unit only once its program has had it."""

import random
from collections.abc import Iterator

import pytest
from tests.support.network import Reachable, eventually, reachable

from kew import client
from kew.client import Connection, Queue
from kew.codes.attributes import MQIA_CURRENT_Q_DEPTH
from kew.codes.errors import BackedOut, MQError, NoMessage
from kew.codes.options import (
    MQFB_COD,
    MQOO_INPUT_SHARED,
    MQOO_INQUIRE,
    MQOO_OUTPUT,
    MQPER_PERSISTENT,
    MQRO_COD,
)
from kew.codes.reasons import (
    MQRC_SYNCPOINT_LIMIT_REACHED,
    MQRC_TRUNCATED_MSG_FAILED,
)
from kew.formats.mqmd import MessageDescriptor

QUEUE = "DEV.QUEUE.1"
REPORTS = "DEV.QUEUE.2"
COUNT = 60


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reachable]:
    with reachable(tmp_path_factory.mktemp("qm")) as running:
        yield running


@pytest.fixture(params=["one", "ten", "local"])
def connection(site: Reachable, request: pytest.FixtureRequest) -> Iterator[Connection]:
    kind: str = request.param
    with site.connect_local() if kind == "local" else site.connect({"one": 1, "ten": 10}[kind]) as connected:
        yield connected
    eventually(lambda: site.manager.host.queues.by_name[QUEUE].handles == 0)
    site.mqsc(f"CLEAR QLOCAL({QUEUE})")
    site.mqsc(f"CLEAR QLOCAL({REPORTS})")


@pytest.fixture
def other(site: Reachable) -> Iterator[Connection]:
    with site.connect() as connected:
        yield connected


def fill(connection: Connection, count: int = COUNT, size: int = 0) -> list[bytes]:
    bodies = [b"%d " % number + bytes(size) for number in range(count)]
    with connection.open(QUEUE, MQOO_OUTPUT) as queue:
        for number, body in enumerate(bodies):
            queue.put(body, MessageDescriptor(persistence=MQPER_PERSISTENT if number % 3 else 0))
    return bodies


def ahead(connection: Connection) -> Queue:
    return connection.open(QUEUE, MQOO_INPUT_SHARED | MQOO_INQUIRE, read_ahead=True)


def some(queue: Queue, count: int) -> list[bytes]:
    return [queue.get(30, syncpoint=True).data for _turn in range(count)]


def drain(connection: Connection) -> list[tuple[bytes, int]]:
    """What any program could get now, and how often it was backed out."""
    left: list[tuple[bytes, int]] = []
    with connection.open(QUEUE, MQOO_INPUT_SHARED) as queue:
        while True:
            try:
                got = queue.get()
            except NoMessage:
                return left
            left.append((got.data, got.descriptor.backout_count))


def test_they_come_in_order_and_each_commit_ends_what_was_had(
    site: Reachable, connection: Connection, other: Connection
) -> None:
    bodies = fill(other)
    queue = ahead(connection)
    for start in range(0, 42, 7):
        assert some(queue, 7) == bodies[start : start + 7]
        connection.commit()
    assert connection.verbs.inbox.messages[queue.opened.handle], "nothing was sent ahead"
    assert drain(other) == [], "another program got what is on its way to this one"
    uncommitted = f"UNCOM({COUNT - 42})"
    assert uncommitted in site.mqsc(f"DISPLAY QSTATUS({QUEUE}) UNCOM")
    queue.close()
    assert "UNCOM(0)" in site.mqsc(f"DISPLAY QSTATUS({QUEUE}) UNCOM")
    assert drain(other) == [(body, 0) for body in bodies[42:]]


def test_a_close_in_the_middle_of_a_unit_keeps_what_was_had_in_it(connection: Connection, other: Connection) -> None:
    bodies = fill(other)
    queue = ahead(connection)
    some(queue, 5)
    queue.close()
    assert drain(other) == [(body, 0) for body in bodies[5:]]
    connection.back_out()
    assert drain(other) == [(body, 1) for body in bodies[:5]]


def test_after_a_backout_all_come_again_in_their_order(connection: Connection, other: Connection) -> None:
    bodies = fill(other)
    queue = ahead(connection)
    assert some(queue, 4) == bodies[:4]
    connection.commit()
    assert some(queue, 10) == bodies[4:14]
    connection.back_out()
    again = [queue.get(30, syncpoint=True) for _turn in range(COUNT - 4)]
    assert [got.data for got in again] == bodies[4:]
    assert [got.descriptor.backout_count for got in again] == [1] * 10 + [0] * (COUNT - 14)
    connection.commit()
    assert drain(other) == []


def test_a_backout_of_nothing_lets_others_have_what_was_sent_ahead(connection: Connection, other: Connection) -> None:
    bodies = fill(other)
    queue = ahead(connection)
    some(queue, 1)
    connection.commit()
    connection.back_out()
    assert drain(other) == [(body, 0) for body in bodies[1:]]


def test_a_temporary_queue_goes_with_a_program_that_dies(site: Reachable, other: Connection) -> None:
    connection = site.connect()
    queue = connection.open("SYSTEM.DEFAULT.MODEL.QUEUE", MQOO_INPUT_SHARED | MQOO_OUTPUT, read_ahead=True)
    for number in range(5):
        other.put1(queue.name, b"%d" % number)
    some(queue, 2)
    connection.driver.close()
    assert eventually(lambda: queue.name not in site.manager.host.queues.by_name)


def test_disconnecting_commits_what_was_had_and_no_more(site: Reachable, other: Connection) -> None:
    bodies = fill(other)
    with site.connect() as connection:
        some(ahead(connection), 3)
    eventually(lambda: site.manager.host.queues.by_name[QUEUE].handles == 0)
    assert drain(other) == [(body, 0) for body in bodies[3:]]


def test_nothing_is_lost_with_a_program_that_dies(site: Reachable, other: Connection) -> None:
    bodies = fill(other)
    connection = site.connect()
    queue = ahead(connection)
    some(queue, 6)
    connection.commit()
    some(queue, 6)
    connection.driver.close()
    eventually(lambda: site.manager.host.queues.by_name[QUEUE].handles == 0)
    assert [data for data, _backouts in drain(other)] == bodies[6:]


def test_what_comes_later_is_sent_to_who_waits(connection: Connection, other: Connection) -> None:
    queue = ahead(connection)
    with pytest.raises(NoMessage):
        queue.get(0.01, syncpoint=True)
    bodies = fill(other, 5)
    assert some(queue, 5) == bodies
    connection.commit()
    assert fill(other, 5) == some(queue, 5)
    connection.commit()
    with pytest.raises(NoMessage):
        queue.get(syncpoint=True)
    assert queue.inquire([MQIA_CURRENT_Q_DEPTH]) == {MQIA_CURRENT_Q_DEPTH: 0}


def test_a_window_that_is_used_up_is_opened_again(connection: Connection, other: Connection) -> None:
    bodies = fill(other, 40, 100_000)
    queue = ahead(connection)
    for start in range(0, 40, 8):
        assert some(queue, 8) == bodies[start : start + 8]
        connection.commit()


@pytest.mark.parametrize("how", ["no syncpoint", "id"])
def test_a_get_of_another_kind_gives_back_what_was_sent_ahead(
    connection: Connection, other: Connection, how: str
) -> None:
    bodies = fill(other)
    wanted = other.put1(QUEUE, b"wanted")
    queue = ahead(connection)
    assert some(queue, 2) == bodies[:2]
    if how == "id":
        assert queue.get(30, message_id=wanted.message_id, syncpoint=True).data == b"wanted"
        rest = bodies[2:]
    else:
        assert queue.get(30).data == bodies[2]
        rest = [*bodies[3:], b"wanted"]
    assert drain(other) == [(body, 0) for body in rest]
    other.put1(QUEUE, b"one more")
    assert queue.get(30, syncpoint=True).data == b"one more"
    connection.back_out()
    left = [*bodies[:2], b"wanted", b"one more"] if how == "id" else [*bodies[:2], b"one more"]
    assert drain(other) == [(body, 1) for body in left]


def test_gets_by_id_are_never_sent_ahead(connection: Connection, other: Connection) -> None:
    bodies = fill(other)
    wanted = other.put1(QUEUE, b"wanted")
    queue = ahead(connection)
    assert queue.get(30, message_id=wanted.message_id, syncpoint=True).data == b"wanted"
    assert drain(other) == [(body, 0) for body in bodies]
    connection.commit()


def test_no_more_is_sent_ahead_than_the_unit_may_have(site: Reachable, connection: Connection) -> None:
    bodies = fill(connection)
    site.mqsc("ALTER QMGR MAXUMSGS(9)")
    try:
        queue = ahead(connection)
        assert some(queue, 9) == bodies[:9]
        with pytest.raises(MQError) as problem:
            queue.get(5.0, syncpoint=True)
        assert problem.value.reason == MQRC_SYNCPOINT_LIMIT_REACHED
        connection.commit()
        for start in range(9, 54, 5):
            assert some(queue, 5) == bodies[start : start + 5]
            connection.commit()
    finally:
        site.mqsc("ALTER QMGR MAXUMSGS(10000)")


def test_two_handles_share_what_the_unit_may_have(site: Reachable, connection: Connection, other: Connection) -> None:
    fill(other, 10)
    for number in range(10):
        other.put1(REPORTS, b"%d" % number)
    site.mqsc("ALTER QMGR MAXUMSGS(8)")
    try:
        first = ahead(connection)
        second = connection.open(REPORTS, MQOO_INPUT_SHARED, read_ahead=True)
        assert [queue.get(30, syncpoint=True).data.strip() for queue in (first, second) for _turn in range(4)] == [
            b"0", b"1", b"2", b"3"
        ] * 2  # fmt: skip
        connection.commit()
    finally:
        site.mqsc("ALTER QMGR MAXUMSGS(10000)")


def test_a_unit_that_cannot_have_what_was_had_is_backed_out(
    site: Reachable, connection: Connection, other: Connection
) -> None:
    bodies = fill(other, 20)
    queue = ahead(connection)
    assert some(queue, 10) == bodies[:10]
    site.mqsc("ALTER QMGR MAXUMSGS(4)")
    try:
        with pytest.raises(BackedOut):
            connection.commit()
    finally:
        site.mqsc("ALTER QMGR MAXUMSGS(10000)")
    assert some(queue, 20) == bodies
    connection.commit()
    queue.close()
    assert drain(other) == []


def test_delivery_is_confirmed_for_what_was_had(connection: Connection, other: Connection) -> None:
    with other.open(QUEUE, MQOO_OUTPUT) as out:
        for number in range(6):
            asking = MessageDescriptor(report=MQRO_COD, reply_to_queue=REPORTS.encode())
            out.put(b"%d" % number, asking)
    queue = ahead(connection)
    assert some(queue, 3) == [b"0", b"1", b"2"]
    connection.back_out()
    with other.open(REPORTS, MQOO_INPUT_SHARED) as reports:
        with pytest.raises(NoMessage):
            reports.get()
        assert some(queue, 2) == [b"0", b"1"]
        connection.commit()
        assert [reports.get(30).descriptor.feedback for _turn in range(2)] == [MQFB_COD] * 2
        with pytest.raises(NoMessage):
            reports.get()


def test_a_message_that_is_too_long_stays(connection: Connection, other: Connection) -> None:
    bodies = fill(other, 5, 300)
    queue = ahead(connection)
    short = queue.get(30, syncpoint=True, max_length=10)
    assert short.reason == MQRC_TRUNCATED_MSG_FAILED
    assert some(queue, 5) == bodies
    connection.commit()


def test_a_server_that_is_not_kew_is_asked_for_one_at_a_time(site: Reachable, other: Connection) -> None:
    bodies = fill(other)
    with site.connect() as connection:
        session = connection.verbs.link.session
        assert session.extended
        session.extended = False
        queue = ahead(connection)
        assert some(queue, 4) == bodies[:4]
        connection.commit()
        assert drain(other) == [(body, 0) for body in bodies[4:]]


@pytest.mark.parametrize("seed", range(3))
def test_many_programs_have_each_message_once(site: Reachable, other: Connection, seed: int) -> None:
    """Programs that get ahead, commit, back out, close and die at random: what was committed is had once, in all."""
    chance = random.Random(seed)
    expected = sorted(fill(other, 120))
    had: list[bytes] = []
    programs: list[tuple[client.Connection, Queue, list[bytes]]] = []
    for _turn in range(200):
        if len(programs) < 3:
            connection = site.connect()
            programs.append((connection, ahead(connection), []))
        place = chance.randrange(len(programs))
        connection, queue, unit = programs[place]
        what = chance.random()
        if what < 0.6:
            try:
                unit.append(queue.get(syncpoint=True).data)
            except NoMessage:
                continue
        elif what < 0.8:
            connection.commit()
            had += unit
            unit.clear()
        elif what < 0.9:
            connection.back_out()
            unit.clear()
        elif what < 0.95:
            queue.close()
            programs[place] = (connection, ahead(connection), unit)
        else:
            connection.driver.close()
            del programs[place]
    for connection, _queue, unit in programs:
        had += unit
        connection.disconnect()
    eventually(lambda: site.manager.host.queues.by_name[QUEUE].handles == 0)
    assert sorted(had + [data for data, _backouts in drain(other)]) == expected
