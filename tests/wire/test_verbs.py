"""The verbs over real sockets: by the network with and without shared conversations, and on this machine."""

from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread

import pytest
from tests.support.network import CHANNEL, Reachable, eventually, reachable
from tests.support.threads import Background, until

from kew import client
from kew.channels.protocol import mqapi
from kew.client import requests
from kew.client.link import Operation, Step
from kew.client.received import Received
from kew.codes.attributes import (
    MQCA_Q_DESC,
    MQCA_Q_MGR_NAME,
    MQCA_Q_NAME,
    MQIA_CURRENT_Q_DEPTH,
    MQIA_INHIBIT_GET,
    MQIA_PLATFORM,
)
from kew.codes.errors import MQError, NoMessage
from kew.codes.options import (
    MQCO_DELETE,
    MQGMO_BROWSE_FIRST,
    MQGMO_LOCK,
    MQGMO_MSG_UNDER_CURSOR,
    MQMT_REQUEST,
    MQOO_BROWSE,
    MQOO_INPUT_EXCLUSIVE,
    MQOO_INPUT_SHARED,
    MQOO_INQUIRE,
    MQOO_OUTPUT,
    MQOO_SET,
    MQPER_PERSISTENT,
)
from kew.codes.reasons import (
    MQRC_CHAR_ATTRS_TOO_SHORT,
    MQRC_GET_INHIBITED,
    MQRC_HOBJ_ERROR,
    MQRC_INT_ATTR_COUNT_TOO_SMALL,
    MQRC_NOT_AUTHORIZED,
    MQRC_NOT_OPEN_FOR_OUTPUT,
    MQRC_OBJECT_IN_USE,
    MQRC_OPTIONS_ERROR,
    MQRC_Q_DELETED,
    MQRC_Q_MGR_NAME_ERROR,
    MQRC_SELECTOR_ERROR,
    MQRC_TRUNCATED_MSG_ACCEPTED,
    MQRC_TRUNCATED_MSG_FAILED,
    MQRC_UNKNOWN_CHANNEL_NAME,
    MQRC_UNKNOWN_OBJECT_NAME,
    MQRC_UNKNOWN_REMOTE_Q_MGR,
)
from kew.formats.mqmd import MessageDescriptor

QUEUE = "DEV.QUEUE.1"
ALL = MQOO_OUTPUT | MQOO_INPUT_SHARED | MQOO_BROWSE | MQOO_INQUIRE


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reachable]:
    with reachable(tmp_path_factory.mktemp("qm")) as running:
        yield running


@pytest.fixture(params=["unshared", "one", "ten", "local"])
def connection(site: Reachable, request: pytest.FixtureRequest) -> Iterator[client.Connection]:
    conversations = {"unshared": 0, "one": 1, "ten": 10}
    kind: str = request.param
    with site.connect_local() if kind == "local" else site.connect(conversations[kind]) as connected:
        yield connected
    site.mqsc(f"CLEAR QLOCAL({QUEUE})")


def reason(problem: "pytest.ExceptionInfo[MQError]") -> int:
    return problem.value.reason


def test_put_and_get(connection: client.Connection) -> None:
    with connection.open(QUEUE, ALL) as queue:
        put = queue.put(b"hello", MessageDescriptor(correlation_id=b"c" * 24))
        got = queue.get()
        assert got.data == b"hello"
        assert got.descriptor.message_id == put.message_id
        assert put.message_id.startswith(b"AMQ QM1")
        assert got.descriptor.correlation_id == b"c" * 24
        assert got.descriptor.put_application_name.rstrip() == b"tests"
        assert got.resolved_queue == QUEUE
        with pytest.raises(NoMessage):
            queue.get()
        with pytest.raises(NoMessage):
            queue.get(0.05)


@pytest.mark.parametrize("size", [0, 1, 3300, 3800, 40_000, 1_000_000])
def test_messages_of_any_length(connection: client.Connection, size: int) -> None:
    data = bytes([number % 251 for number in range(min(size, 1000))]) * max(1, size // 1000)
    with connection.open(QUEUE, ALL) as queue:
        for persistence in (0, MQPER_PERSISTENT):
            queue.put(data, MessageDescriptor(persistence=persistence))
            assert [message.data for message in queue.browse()] == [data]
            assert queue.get().data == data


def test_units_of_work(site: Reachable, connection: client.Connection) -> None:
    with connection.open(QUEUE, ALL) as queue:
        queue.put(b"1", syncpoint=True)
        with pytest.raises(NoMessage):
            queue.get()
        connection.back_out()
        assert site.depth(QUEUE) == 0
        for persistence in (0, MQPER_PERSISTENT):
            queue.put(b"2", MessageDescriptor(persistence=persistence), syncpoint=True)
            connection.commit()
            assert queue.get(syncpoint=True).descriptor.backout_count == 0
            connection.back_out()
            assert queue.get(syncpoint=True).descriptor.backout_count == 1
            connection.commit()
        assert site.depth(QUEUE) == 0


def test_disconnecting_commits(site: Reachable) -> None:
    with site.connect() as connection:
        connection.open(QUEUE, ALL).put(b"left", syncpoint=True)
    with site.connect() as connection, connection.open(QUEUE, ALL) as queue:
        assert queue.get().data == b"left"


def test_a_get_waits_and_is_served(site: Reachable, connection: client.Connection) -> None:
    waiters = site.manager.host.queues.by_name[QUEUE].waiters
    with site.connect() as other, connection.open(QUEUE, ALL) as queue, other.open(QUEUE, MQOO_OUTPUT) as far:
        for persistence in (0, MQPER_PERSISTENT):
            for syncpoint in (False, True):
                got: list[bytes] = []
                thread = Thread(target=lambda box=got, unit=syncpoint: box.append(queue.get(20, syncpoint=unit).data))
                thread.start()
                assert eventually(lambda: waiters.count == 1)
                far.put(b"at last", MessageDescriptor(persistence=persistence))
                thread.join()
                assert got == [b"at last"]
                connection.commit()
                assert waiters.count == 0


def test_request_and_reply_by_correlation_id(site: Reachable, connection: client.Connection) -> None:
    with site.connect() as server, connection.open(QUEUE, ALL) as far_queue:
        replies = connection.open("SYSTEM.DEFAULT.MODEL.QUEUE", MQOO_INPUT_EXCLUSIVE)
        descriptor = MessageDescriptor(message_type=MQMT_REQUEST, reply_to_queue=replies.name.encode())
        asked = far_queue.put(b"question", descriptor)
        with server.open(QUEUE, ALL) as far:
            request = far.get(30)
            answer = MessageDescriptor(correlation_id=request.descriptor.message_id)
            server.put1(request.descriptor.reply_to_queue.decode().rstrip(), b"other")
            server.put1(request.descriptor.reply_to_queue.decode().rstrip(), b"answer", answer)
        assert replies.get(5, correlation_id=asked.message_id).data == b"answer"
        replies.close()


def test_browsing_under_the_cursor(connection: client.Connection) -> None:
    with connection.open(QUEUE, ALL) as queue:
        for text in (b"a", b"b", b"c"):
            queue.put(text)
        assert [message.data for message in queue.browse()] == [b"a", b"b", b"c"]
        options = requests.get_options(0, False, False, MQGMO_BROWSE_FIRST | MQGMO_LOCK)
        assert queue.get(options=options).data == b"a"
        options = requests.get_options(0, False, False, MQGMO_MSG_UNDER_CURSOR)
        assert queue.get(options=options).data == b"a"
        assert [queue.get().data, queue.get().data] == [b"b", b"c"]


def test_a_message_that_is_too_long_for_the_buffer(connection: client.Connection) -> None:
    with connection.open(QUEUE, ALL) as queue:
        queue.put(b"0123456789")
        cut = queue.get(max_length=4)
        assert (cut.reason, cut.full_length) == (MQRC_TRUNCATED_MSG_FAILED, 10)
        taken = queue.get(max_length=4, truncate=True)
        assert (taken.data, taken.reason, taken.full_length) == (b"0123", MQRC_TRUNCATED_MSG_ACCEPTED, 10)
        with pytest.raises(NoMessage):
            queue.get()


def test_inquire_and_set(site: Reachable, connection: client.Connection) -> None:
    assert connection.inquire([MQCA_Q_MGR_NAME, MQIA_PLATFORM]) == {MQCA_Q_MGR_NAME: "QM1", MQIA_PLATFORM: 3}
    with connection.open(QUEUE, ALL | MQOO_SET) as queue:
        queue.put(b"x")
        assert queue.inquire([MQIA_CURRENT_Q_DEPTH, MQCA_Q_NAME]) == {MQIA_CURRENT_Q_DEPTH: 1, MQCA_Q_NAME: QUEUE}
        queue.set({MQIA_INHIBIT_GET: 1})
        with pytest.raises(MQError) as problem:
            queue.get()
        assert reason(problem) == MQRC_GET_INHIBITED
        queue.set({MQIA_INHIBIT_GET: 0})
        assert queue.get().data == b"x"
        with pytest.raises(MQError) as problem:
            queue.inquire([9999])
        assert reason(problem) == MQRC_SELECTOR_ERROR


def test_inquire_with_too_little_room(connection: client.Connection) -> None:
    with connection.open(QUEUE, ALL) as queue:
        for selectors, integers, characters, warning, found in (
            ([MQIA_CURRENT_Q_DEPTH, MQIA_INHIBIT_GET], 1, 0, MQRC_INT_ATTR_COUNT_TOO_SMALL, ([0], b"")),
            ([MQCA_Q_NAME, MQCA_Q_DESC], 0, 60, MQRC_CHAR_ATTRS_TOO_SHORT, ([], QUEUE.encode().ljust(60))),
        ):
            call = mqapi.inquire(queue.opened.handle, selectors, integers, characters)
            reply = connection.driver.run(connection.verbs._call(call))
            assert isinstance(reply, mqapi.Attributes)
            assert (reply.completion, reply.reason) == (1, warning)
            assert (reply.integers, reply.characters) == found


def test_a_name_that_stands_for_any_queue_manager(site: Reachable) -> None:
    with client.connect("*GROUP", site.address, CHANNEL, "app", "password") as connection:
        assert connection.inquire([MQCA_Q_MGR_NAME]) == {MQCA_Q_MGR_NAME: "QM1"}
    with pytest.raises(MQError) as problem:
        client.connect("GROUP", site.address, CHANNEL, "app", "password")
    assert reason(problem) == MQRC_Q_MGR_NAME_ERROR


def test_inhibiting_get_ends_those_who_wait(site: Reachable, connection: client.Connection) -> None:
    with connection.open(QUEUE, ALL) as queue:
        found: list[int] = []

        def wait() -> None:
            try:
                queue.get(30)
            except MQError as error:
                found.append(error.reason)

        thread = Thread(target=wait)
        thread.start()
        assert eventually(lambda: site.manager.host.queues.by_name[QUEUE].waiters.count == 1)
        site.mqsc(f"ALTER QLOCAL({QUEUE}) GET(DISABLED)")
        thread.join()
        site.mqsc(f"ALTER QLOCAL({QUEUE}) GET(ENABLED)")
        assert found == [MQRC_GET_INHIBITED]


def test_asynchronous_puts_and_their_status(connection: client.Connection) -> None:
    with connection.open(QUEUE, ALL) as queue, connection.open(QUEUE, MQOO_INQUIRE) as wrong:
        for number in range(10):
            queue.put(b"%d" % number, asynchronous=True)
        wrong.put(b"x", asynchronous=True)
        report = connection.status()
        assert (report.put_successes, report.put_failures, report.reason) == (10, 1, MQRC_NOT_OPEN_FOR_OUTPUT)
        assert connection.status().put_successes == 0
        assert [queue.get().data for _turn in range(10)] == [b"%d" % number for number in range(10)]


def test_reading_ahead_keeps_order(connection: client.Connection) -> None:
    with connection.open(QUEUE, MQOO_OUTPUT) as out:
        for number in range(300):
            out.put(b"%d" % number, MessageDescriptor(persistence=number % 3 == 0), asynchronous=True)
        with connection.open(QUEUE, MQOO_INPUT_SHARED, read_ahead=True) as queue:
            assert [queue.get(30).data for _turn in range(300)] == [b"%d" % number for number in range(300)]


def test_messages_that_come_as_the_time_runs_out_are_read_ahead_as_ever(site: Reachable) -> None:
    with site.connect() as connection, site.connect() as other:
        queue = connection.open(QUEUE, MQOO_INPUT_SHARED, read_ahead=True)
        verbs = connection.verbs

        def overdue() -> Operation[Received]:
            get = verbs.get(queue.opened, MessageDescriptor(), requests.get_options(60.0, False, False))
            step = next(get)
            yield Step(step.data, False)
            for number in range(3):
                other.put1(QUEUE, b"%d" % number)
            came = False  # as if nothing had come in time
            while True:
                try:
                    step = get.send(came)
                except StopIteration as done:
                    received: Received = done.value
                    return received
                came = yield step

        assert connection.driver.run(overdue()).data == b"0"
        assert [queue.get(30).data for _turn in range(2)] == [b"1", b"2"]
        queue.close()


def test_dynamic_queues_come_and_go(site: Reachable, connection: client.Connection) -> None:
    queue = connection.open("SYSTEM.DEFAULT.MODEL.QUEUE", ALL, dynamic_name="MINE.*")
    assert queue.name.startswith("MINE.")
    queue.put(b"x")
    assert queue.get().data == b"x"
    queue.close()
    assert queue.name not in site.manager.host.queues.by_name


def test_a_permanent_dynamic_queue_is_deleted_for_all_who_have_it_open(
    site: Reachable, connection: client.Connection
) -> None:
    site.mqsc("DEFINE QMODEL(DEV.PERMANENT) DEFTYPE(PERMDYN) DEFSOPT(SHARED) SHARE REPLACE")
    site.mqsc("SET AUTHREC PROFILE(DEV.PERMANENT) OBJTYPE(QUEUE) PRINCIPAL('app') AUTHADD(ALLMQI,DSP)")
    queue = connection.open("DEV.PERMANENT", MQOO_OUTPUT, dynamic_name="DEV.LASTS.*")
    found = site.manager.host.queues.by_name[queue.name]
    with site.connect() as other, other.open(queue.name, ALL) as far:
        call = Background(lambda: far.get(60))
        until(lambda: found.waiters.count == 1)
        queue.close(MQCO_DELETE)
        for attempt in (call.result, far.get, lambda: far.put(b"x"), lambda: far.inquire([MQIA_CURRENT_Q_DEPTH])):
            with pytest.raises(MQError) as problem:
                attempt()
            assert reason(problem) == MQRC_Q_DELETED
    assert found.id not in site.manager.host.queues.by_id


def test_refusals_have_mqs_reasons(site: Reachable, connection: client.Connection) -> None:
    cases: list[tuple[Callable[[], object], int]] = [
        (lambda: connection.open("NO.SUCH.QUEUE", MQOO_OUTPUT), MQRC_UNKNOWN_OBJECT_NAME),
        (lambda: connection.open(QUEUE, MQOO_OUTPUT, queue_manager="ELSEWHERE"), MQRC_UNKNOWN_REMOTE_Q_MGR),
        (lambda: connection.open(QUEUE, MQOO_INPUT_SHARED | MQOO_INPUT_EXCLUSIVE), MQRC_OPTIONS_ERROR),
        (lambda: connection.put1("NO.SUCH.QUEUE", b"x"), MQRC_UNKNOWN_OBJECT_NAME),
    ]
    for attempt, expected in cases:
        with pytest.raises(MQError) as problem:
            attempt()
        assert reason(problem) == expected
    with connection.open(QUEUE, MQOO_INPUT_EXCLUSIVE) as held:
        with pytest.raises(MQError) as problem, site.connect() as other:
            other.open(QUEUE, MQOO_INPUT_SHARED)
        assert reason(problem) == MQRC_OBJECT_IN_USE
        with pytest.raises(MQError) as problem:
            held.put(b"x")
        assert reason(problem) == MQRC_NOT_OPEN_FOR_OUTPUT
        with pytest.raises(MQError):
            held.close(MQCO_DELETE)
    held.opened.closed = False
    gone: list[Callable[[], object]] = [held.get, lambda: held.get(1), lambda: held.put(b"x"), held.close]
    for attempt in gone:
        with pytest.raises(MQError) as problem:
            attempt()
        assert reason(problem) == MQRC_HOBJ_ERROR


def test_who_may_not_come_in(site: Reachable, tmp_path: Path) -> None:
    for channel, user, password, expected in (
        (CHANNEL, "app", "wrong", MQRC_NOT_AUTHORIZED),
        (CHANNEL, "nobody", "password", MQRC_NOT_AUTHORIZED),
        ("NO.SUCH.CHANNEL", "app", "password", MQRC_UNKNOWN_CHANNEL_NAME),
    ):
        with pytest.raises(MQError) as problem:
            site.connect(1, channel, user, password)
        assert reason(problem) == expected
    with pytest.raises(MQError) as problem:
        client.connect("OTHER", site.address, "DEV.APP.SVRCONN", "app", "password")
    assert reason(problem) == MQRC_Q_MGR_NAME_ERROR
    with pytest.raises(MQError) as problem:
        client.connect_local("OTHER", data=str(tmp_path))
    assert reason(problem) == MQRC_Q_MGR_NAME_ERROR
