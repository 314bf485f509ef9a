"""Reading ahead and asynchronous puts over real sockets, as MQOPEN, MQGET, MQPUT and MQCLOSE of MQ have them."""

import asyncio
from collections.abc import Iterator

import pytest
from tests.support.network import CHANNEL, NAME, Reachable, eventually, reachable

from kew import client
from kew.client import aio, requests
from kew.codes.errors import MQError, NoMessage
from kew.codes.options import (
    MQCO_NONE,
    MQCO_QUIESCE,
    MQGMO_BROWSE_FIRST,
    MQGMO_BROWSE_MSG_UNDER_CURSOR,
    MQGMO_BROWSE_NEXT,
    MQGMO_CONVERT,
    MQOO_BROWSE,
    MQOO_INPUT_SHARED,
    MQOO_INQUIRE,
    MQOO_NO_READ_AHEAD,
    MQOO_OUTPUT,
    MQOO_READ_AHEAD,
    MQPER_PERSISTENT,
    MQPMO_NEW_CORREL_ID,
    MQPMO_NEW_MSG_ID,
    MQPMO_SYNC_RESPONSE,
    MQSO_CREATE,
    MQSO_NON_DURABLE,
    MQSO_READ_AHEAD,
)
from kew.codes.reasons import (
    MQRC_HOBJ_QUIESCED,
    MQRC_HOBJ_QUIESCED_NO_MSGS,
    MQRC_NOT_OPEN_FOR_OUTPUT,
    MQRC_OPTIONS_CHANGED,
    MQRC_OPTIONS_ERROR,
    MQRC_READ_AHEAD_MSGS,
    MQRC_TRUNCATED_MSG_ACCEPTED,
    MQRC_TRUNCATED_MSG_FAILED,
)
from kew.formats.mqmd import MessageDescriptor

QUEUE = "DEV.QUEUE.1"
MANY = 10


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reachable]:
    with reachable(tmp_path_factory.mktemp("qm")) as running:
        yield running


@pytest.fixture
def site(place: Reachable) -> Iterator[Reachable]:
    yield place
    for queue in (QUEUE, "DEV.QUEUE.2"):
        place.mqsc(f"ALTER QLOCAL({queue}) DEFREADA(NO) DEFPRESP(SYNC)")
        place.mqsc(f"CLEAR QLOCAL({queue})")


@pytest.fixture
def connection(site: Reachable) -> Iterator[client.Connection]:
    with site.connect(10) as connected:
        yield connected


def fill(site: Reachable, count: int = MANY, correlation_id: bytes = b"") -> None:
    with site.connect() as connection, connection.open(QUEUE, MQOO_OUTPUT) as queue:
        for number in range(count):
            queue.put(b"%d" % number, MessageDescriptor(correlation_id=correlation_id))


def reason(problem: "pytest.ExceptionInfo[MQError]") -> int:
    return problem.value.reason


@pytest.mark.parametrize(
    ("conversations", "defined", "options", "left"),
    [
        (10, "NO", 0, MANY - 1),
        (10, "NO", MQOO_READ_AHEAD, 0),
        (10, "YES", 0, 0),
        (10, "YES", MQOO_NO_READ_AHEAD, MANY - 1),
        (10, "DISABLED", MQOO_READ_AHEAD, MANY - 1),
        (10, "YES", MQOO_BROWSE, MANY - 1),
        (0, "YES", MQOO_READ_AHEAD, MANY - 1),
    ],
)
def test_what_is_read_ahead_by_option_and_definition(
    site: Reachable, conversations: int, defined: str, options: int, left: int
) -> None:
    site.mqsc(f"ALTER QLOCAL({QUEUE}) DEFREADA({defined})")
    fill(site)
    with site.connect(conversations) as connection, connection.open(QUEUE, MQOO_INPUT_SHARED | options) as queue:
        assert queue.get().data == b"0"
        assert site.depth(QUEUE) == left
        shown = site.mqsc(f"DISPLAY CONN(*) TYPE(HANDLE) READA OPENOPTS WHERE(OBJNAME EQ {QUEUE})")
        assert ("READA(YES)" if left == 0 else "READA(NO)") in shown
        assert ("MQOO_READ_AHEAD" in shown) == (options == MQOO_READ_AHEAD)
        assert [queue.get().data for _ in range(MANY - 1)] == [b"%d" % number for number in range(1, MANY)]
        with pytest.raises(NoMessage):
            queue.get()


def test_a_program_on_the_machine_does_not_read_ahead_unless_it_says_so_itself(site: Reachable) -> None:
    site.mqsc(f"ALTER QLOCAL({QUEUE}) DEFREADA(YES)")
    fill(site)
    with site.connect_local() as connection:
        with connection.open(QUEUE, MQOO_INPUT_SHARED | MQOO_READ_AHEAD) as queue:
            queue.get()
            assert site.depth(QUEUE) == MANY - 1
        with connection.open(QUEUE, MQOO_INPUT_SHARED, read_ahead=True) as queue:
            queue.get()
            assert site.depth(QUEUE) == 0


def test_a_handle_that_gets_in_units_of_work_may_get_out_of_them_too(
    site: Reachable, connection: client.Connection
) -> None:
    fill(site)
    with connection.open(QUEUE, MQOO_INPUT_SHARED | MQOO_READ_AHEAD) as queue:
        assert queue.get(syncpoint=True).data == b"0"
        connection.back_out()
        assert site.depth(QUEUE) == MANY
        assert queue.get().data == b"0"
        assert site.depth(QUEUE) == MANY - 1
    with connection.open(QUEUE, MQOO_INPUT_SHARED | MQOO_READ_AHEAD) as queue:
        assert queue.get().data == b"1"
        with pytest.raises(MQError) as refused:
            queue.get(syncpoint=True)
        assert reason(refused) == MQRC_OPTIONS_ERROR
        assert queue.get().data == b"2"


def test_options_that_exclude_each_other(connection: client.Connection) -> None:
    with pytest.raises(MQError) as refused:
        connection.open(QUEUE, MQOO_INPUT_SHARED | MQOO_READ_AHEAD | MQOO_NO_READ_AHEAD)
    assert reason(refused) == MQRC_OPTIONS_ERROR


def test_ids_may_change_and_other_options_may_not(site: Reachable, connection: client.Connection) -> None:
    for colour in (b"red", b"blue"):
        fill(site, 3, colour)
    with connection.open(QUEUE, MQOO_INPUT_SHARED | MQOO_READ_AHEAD) as queue:
        assert queue.get(correlation_id=b"red").data == b"0"
        assert site.depth(QUEUE) == 3  # what it was not asked for is still there
        assert [queue.get(30, correlation_id=b"blue").data for _ in range(2)] == [b"0", b"1"]
        assert site.depth(QUEUE) == 0
        with pytest.raises(NoMessage):
            queue.get(correlation_id=b"green")
        with pytest.raises(MQError) as changed:
            queue.get(truncate=True)
        assert reason(changed) == MQRC_OPTIONS_CHANGED
        rest = [queue.get(30) for _ in range(3)]
        assert [(each.data, each.descriptor.correlation_id.rstrip(b"\0")) for each in rest] == [
            (b"1", b"red"),
            (b"2", b"red"),
            (b"2", b"blue"),
        ]
        with pytest.raises(NoMessage):
            queue.get()


def test_messages_too_long_for_the_program(site: Reachable, connection: client.Connection) -> None:
    with connection.open(QUEUE, MQOO_OUTPUT) as out:
        for length in (100, 10, 100, 10):
            out.put(b"x" * length)
    with connection.open(QUEUE, MQOO_INPUT_SHARED | MQOO_READ_AHEAD) as queue:
        cut = queue.get(max_length=50)
        assert (len(cut.data), cut.full_length, cut.reason) == (50, 100, MQRC_TRUNCATED_MSG_FAILED)
        assert len(queue.get(max_length=100).data) == 100
        assert len(queue.get(max_length=50).data) == 10
    assert site.depth(QUEUE) == 0  # what was read ahead and not got is gone, as in MQ
    with connection.open(QUEUE, MQOO_OUTPUT) as out:
        out.put(b"x" * 100)
        out.put(b"y" * 10)
    with connection.open(QUEUE, MQOO_INPUT_SHARED | MQOO_READ_AHEAD) as queue:
        cut = queue.get(max_length=50, truncate=True)
        assert (len(cut.data), cut.full_length, cut.reason) == (50, 100, MQRC_TRUNCATED_MSG_ACCEPTED)
        assert queue.get(max_length=50, truncate=True).data == b"y" * 10


@pytest.mark.parametrize("wait", [0.0, 30.0])
def test_a_browse_reads_ahead_and_begins_anew(site: Reachable, connection: client.Connection, wait: float) -> None:
    fill(site)
    with connection.open(QUEUE, MQOO_BROWSE | MQOO_READ_AHEAD) as queue:

        def look(option: int) -> bytes:
            return queue.get(options=requests.get_options(wait, False, False, option)).data

        for _turn in range(2):
            assert look(MQGMO_BROWSE_FIRST) == b"0"
            assert look(MQGMO_BROWSE_NEXT) == b"1"
            assert queue.connection.verbs.deliveries.has_ahead(queue.opened)
            assert look(MQGMO_BROWSE_MSG_UNDER_CURSOR) == b"1"
            assert look(MQGMO_BROWSE_NEXT) == b"2"
        assert [look(MQGMO_BROWSE_NEXT) for _ in range(MANY - 3)] == [b"%d" % number for number in range(3, MANY)]
        with pytest.raises(MQError) as changed:
            queue.get()
        assert reason(changed) == MQRC_OPTIONS_CHANGED
    assert site.depth(QUEUE) == MANY


@pytest.mark.parametrize("wait", [0.0, 30.0])
def test_closing_when_what_was_read_ahead_is_got(site: Reachable, connection: client.Connection, wait: float) -> None:
    fill(site, 3, b"red")
    queue = connection.open(QUEUE, MQOO_INPUT_SHARED | MQOO_READ_AHEAD)
    assert queue.get(wait).data == b"0"
    with pytest.raises(MQError) as left:
        queue.close(MQCO_QUIESCE)
    assert (left.value.completion, reason(left)) == (1, MQRC_READ_AHEAD_MSGS)
    fill(site, 1)
    assert queue.get(wait).data == b"1"
    with pytest.raises(MQError) as others:
        queue.get(wait, correlation_id=b"blue")
    assert reason(others) == MQRC_HOBJ_QUIESCED
    with pytest.raises(MQError):
        queue.close(MQCO_QUIESCE)
    assert queue.get(wait).data == b"2"
    with pytest.raises(MQError) as empty:
        queue.get(wait)
    assert reason(empty) == MQRC_HOBJ_QUIESCED_NO_MSGS
    queue.close(MQCO_QUIESCE)
    assert queue.opened.closed
    assert site.depth(QUEUE) == 1  # it came after the handle was quiesced


def test_what_is_left_to_get_is_converted_as_before(site: Reachable, connection: client.Connection) -> None:
    fill(site, 3)
    queue = connection.open(QUEUE, MQOO_INPUT_SHARED | MQOO_READ_AHEAD)
    options = requests.get_options(30.0, False, False, MQGMO_CONVERT)
    latin = MessageDescriptor(ccsid=819)
    assert queue.get(options=options, descriptor=latin).data == b"0"
    with pytest.raises(MQError):
        queue.close(MQCO_QUIESCE)
    assert [queue.get(options=options, descriptor=latin).data for _ in range(2)] == [b"1", b"2"]
    queue.close(MQCO_QUIESCE)


def test_closing_at_once_leaves_what_was_read_ahead(site: Reachable, connection: client.Connection) -> None:
    fill(site)
    queue = connection.open(QUEUE, MQOO_INPUT_SHARED | MQOO_READ_AHEAD)
    queue.get()
    queue.close(MQCO_NONE)
    assert site.depth(QUEUE) == 0
    with connection.open(QUEUE, MQOO_INPUT_SHARED | MQOO_READ_AHEAD) as empty:
        with pytest.raises(NoMessage):
            empty.get()
        empty.close(MQCO_QUIESCE)


def test_a_subscription_reads_ahead_as_it_asks_to(connection: client.Connection) -> None:
    plain = MQSO_CREATE | MQSO_NON_DURABLE
    with connection.open_topic("dev/news", MQOO_OUTPUT) as topic:
        for options, held in ((plain, False), (plain | MQSO_READ_AHEAD, True)):
            subscription = connection.subscribe("dev/news", options=options)
            for number in range(3):
                topic.put(b"%d" % number)
            assert subscription.get().data == b"0"
            assert connection.verbs.deliveries.has_ahead(subscription.queue.opened) == held
            assert [subscription.get().data for _ in range(2)] == [b"1", b"2"]
            subscription.close()


def test_asyncio_has_the_same(site: Reachable) -> None:
    async def program() -> None:
        connection = await aio.connect(NAME, site.address, CHANNEL, "app", "password", "tests")
        queue = await connection.open(QUEUE, MQOO_INPUT_SHARED | MQOO_READ_AHEAD)
        assert (await queue.get()).data == b"0"
        with pytest.raises(MQError) as left:
            await queue.close(MQCO_QUIESCE)
        assert reason(left) == MQRC_READ_AHEAD_MSGS
        await connection.disconnect()

    fill(site)
    asyncio.run(program())
    assert site.depth(QUEUE) == 0


def test_puts_are_not_waited_for_where_the_queue_says_so(site: Reachable, connection: client.Connection) -> None:
    site.mqsc(f"ALTER QLOCAL({QUEUE}) DEFPRESP(ASYNC)")
    with connection.open(QUEUE, MQOO_OUTPUT | MQOO_INPUT_SHARED) as queue:
        options = requests.put_options(False, False, MQPMO_NEW_MSG_ID | MQPMO_NEW_CORREL_ID)
        before = options.options
        sent = [queue.put(b"%d" % number, options=options) for number in range(3)]
        assert options.options == before
        assert sent[0].put_application_name.rstrip() == b"tests"
        assert sent[0].put_date.strip() == b""  # of what the queue manager says later nothing is known
        got = [queue.get(30).descriptor for _ in range(3)]
        assert [(each.message_id, each.correlation_id) for each in got] == [
            (each.message_id, each.correlation_id) for each in sent
        ]
        assert len({each.message_id for each in sent} | {each.correlation_id for each in sent}) == 6
        assert [each.put_application_type for each in got] == [each.put_application_type for each in sent]
        waited_for = queue.put(b"x", options=requests.put_options(False, False, MQPMO_SYNC_RESPONSE))
        assert waited_for.put_date.strip()
    with connection.open(QUEUE, MQOO_INQUIRE) as wrong:
        wrong.put(b"x")
    report = connection.status()
    assert (report.put_successes, report.put_failures, report.reason) == (3, 1, MQRC_NOT_OPEN_FOR_OUTPUT)


def test_ids_that_clients_make_are_never_the_same(site: Reachable) -> None:
    with site.connect() as one, site.connect() as other:
        first, second = one.open(QUEUE, MQOO_OUTPUT), other.open(QUEUE, MQOO_OUTPUT)
        ids = [queue.put(b"x", asynchronous=True).message_id for queue in (first, second, first, second)]
        ids += [first.put(b"x").message_id, one.put1(QUEUE, b"x").message_id]
    assert len(set(ids)) == 6
    assert {each[:7] for each in ids} == {b"AMQ QM1"}


def test_an_id_that_the_program_gives_is_kept(connection: client.Connection) -> None:
    with connection.open(QUEUE, MQOO_OUTPUT | MQOO_INPUT_SHARED) as queue:
        sent = queue.put(b"x", MessageDescriptor(message_id=b"mine".ljust(24, b"\0")), asynchronous=True)
        assert sent.message_id == b"mine".ljust(24, b"\0")
        assert queue.get(30).descriptor.message_id == sent.message_id


def test_a_topic_says_whether_publications_are_waited_for(site: Reachable, connection: client.Connection) -> None:
    assert "AMQ8690I" in site.mqsc("DEFINE TOPIC(LATE) TOPICSTR('dev/late') DEFPRESP(ASYNC) REPLACE")
    subscription = connection.subscribe("dev/late/one")
    with connection.open_topic("dev/late/one", MQOO_OUTPUT) as topic:
        topic.put(b"x")
    assert connection.status().put_successes == 1
    assert subscription.get(30).data == b"x"
    subscription.close()


def test_a_program_that_dies_takes_no_persistent_message_along(site: Reachable) -> None:
    with site.connect() as other, other.open(QUEUE, MQOO_OUTPUT) as out:
        for number in range(10):
            out.put(b"%d" % number, MessageDescriptor(persistence=MQPER_PERSISTENT))
    connection = site.connect()
    queue = connection.open(QUEUE, MQOO_INPUT_SHARED | MQOO_READ_AHEAD)
    assert [queue.get(30).data for _turn in range(3)] == [b"0", b"1", b"2"]
    connection.driver.close()
    assert eventually(lambda: not site.clients())
    assert site.depth(QUEUE) == 7
    site.mqsc(f"CLEAR QLOCAL({QUEUE})")


def test_persistent_messages_among_others_come_in_order_and_are_not_kept_waiting(
    site: Reachable, connection: client.Connection
) -> None:
    queue = connection.open(QUEUE, MQOO_INPUT_SHARED | MQOO_READ_AHEAD)
    with site.connect() as other, other.open(QUEUE, MQOO_OUTPUT) as out:
        for turn in range(3):
            with pytest.raises(NoMessage):
                queue.get(0.01)
            for number in range(20):
                out.put(b"%d" % number, MessageDescriptor(persistence=number // (turn + 1) % 2))
            assert [queue.get(30).data for _turn in range(20)] == [b"%d" % number for number in range(20)]
    queue.close()


def test_word_for_one_handle_is_heeded_while_another_gets(site: Reachable, connection: client.Connection) -> None:
    other = "DEV.QUEUE.2"
    first = connection.open(QUEUE, MQOO_INPUT_SHARED | MQOO_READ_AHEAD)
    second = connection.open(other, MQOO_INPUT_SHARED | MQOO_READ_AHEAD)
    with site.connect() as putter:
        for number in range(3):
            putter.put1(other, b"%d" % number, MessageDescriptor(persistence=MQPER_PERSISTENT))
        assert second.get(30).data == b"0"  # and no more is sent, of which there is word now
        for _turn in range(3):
            with pytest.raises(NoMessage):
                first.get(0.05)  # reads the word for the other
        assert [second.get(30).data for _turn in range(2)] == [b"1", b"2"]
    first.close()
    second.close()


@pytest.mark.parametrize("wait", [30.0, 0.0])
def test_a_persistent_message_that_is_asked_for_by_its_id_comes_past_others(
    site: Reachable, connection: client.Connection, wait: float
) -> None:
    queue = connection.open(QUEUE, MQOO_INPUT_SHARED | MQOO_READ_AHEAD)
    with site.connect() as putter:
        for number in range(5):
            putter.put1(QUEUE, b"%d" % number)
        wanted = [putter.put1(QUEUE, b"wanted", MessageDescriptor(persistence=MQPER_PERSISTENT)) for _ in range(2)]
    assert queue.get(30).data == b"0"  # and four are here
    for each in wanted:
        assert queue.get(wait, message_id=each.message_id).data == b"wanted"
    assert [queue.get(30).data for _turn in range(4)] == [b"%d" % number for number in range(1, 5)]
    queue.close()
