"""The synchronous client against the toy queue manager, at each way of sharing a socket."""

import socket
import threading
from collections.abc import Iterator

import pytest
from tests.support.responder import ToyQueueManager
from tests.support.toyserver import ToyServer

from kew.channels.protocol.delivery import RequestMessages
from kew.channels.protocol.messages import Get
from kew.channels.transport.address import AddressError, parse_addresses
from kew.client import Connection, connect
from kew.codes.attributes import MQCA_CREATION_DATE, MQCA_Q_DESC, MQCA_Q_MGR_NAME, MQIA_CURRENT_Q_DEPTH
from kew.codes.errors import Broken, MQError, NoMessage
from kew.codes.options import MQCO_DELETE, MQOO_BROWSE, MQOO_INPUT_SHARED, MQOO_OUTPUT, MQOO_SET
from kew.codes.reasons import (
    MQRC_CONNECTION_BROKEN,
    MQRC_HCONN_ERROR,
    MQRC_HOBJ_ERROR,
    MQRC_HOST_NOT_AVAILABLE,
    MQRC_NOT_AUTHORIZED,
    MQRC_OPTIONS_CHANGED,
    MQRC_TRUNCATED_MSG_ACCEPTED,
    MQRC_TRUNCATED_MSG_FAILED,
    MQRC_UNKNOWN_CHANNEL_NAME,
    MQRC_UNKNOWN_OBJECT_NAME,
)
from kew.codes.selectors import character_length
from kew.formats.mqmd import MessageDescriptor

ALL = MQOO_INPUT_SHARED | MQOO_OUTPUT | MQOO_BROWSE


@pytest.fixture(params=[0, 1, 10], ids=["sharecnv-0", "sharecnv-1", "sharecnv-10"])
def server(request: pytest.FixtureRequest) -> Iterator[ToyServer]:
    queue_manager = ToyQueueManager("DEV.QUEUE.1", "DEV.QUEUE.2")
    queue_manager.terms.conversations = request.param
    with ToyServer(queue_manager) as running:
        yield running


def client(server: ToyServer) -> Connection:
    return connect("QM1", server.connection_name, "APP.SVRCONN", "app", "passw0rd", "test", conversations=10)


def test_put_and_get(server: ToyServer) -> None:
    with client(server) as connection, connection.open("DEV.QUEUE.1", ALL) as queue:
        assert connection.verbs.connection_id.startswith(b"AMQCQM1 ")
        sent = queue.put(b"hello", MessageDescriptor(format=b"MQSTR", correlation_id=b"mine"))
        assert sent.message_id.startswith(b"AMQ QM1 ")
        assert sent.put_date == b"20260101"
        received = queue.get()
        assert received.data == b"hello"
        assert received.descriptor.message_id == sent.message_id
        assert received.descriptor.format == b"MQSTR   "
        assert received.descriptor.user_identifier.rstrip() == b"app"
        assert received.resolved_queue == "DEV.QUEUE.1"
        with pytest.raises(NoMessage):
            queue.get()


@pytest.mark.parametrize("size", [0, 1, 32000, 33000, 70000, 1_000_000])
def test_messages_of_any_length(server: ToyServer, size: int) -> None:
    data = bytes(range(251)) * (size // 251) + bytes(size % 251)
    with client(server) as connection, connection.open("DEV.QUEUE.1", ALL) as queue:
        queue.put(data)
        received = queue.get()
        assert received.data == data
        assert received.full_length == size


def test_get_waits(server: ToyServer) -> None:
    with client(server) as getter, client(server) as putter:
        queue = getter.open("DEV.QUEUE.1", MQOO_INPUT_SHARED)
        thread = threading.Thread(target=lambda: putter.put1("DEV.QUEUE.1", b"at last"))
        thread.start()
        assert queue.get(wait=30).data == b"at last"
        thread.join()
        with pytest.raises(NoMessage):
            queue.get(wait=0.05)


def test_request_and_reply_by_correlation(server: ToyServer) -> None:
    with client(server) as connection, connection.open("DEV.QUEUE.1", ALL) as queue:
        ids = [
            queue.put(b"%d" % number, MessageDescriptor(correlation_id=b"%d" % number)).message_id
            for number in range(5)
        ]
        assert queue.get(correlation_id=b"3").data == b"3"
        assert queue.get(message_id=ids[1]).data == b"1"
        assert queue.get().data == b"0"
        with pytest.raises(NoMessage):
            queue.get(correlation_id=b"3")


def test_browse_leaves_messages(server: ToyServer) -> None:
    with client(server) as connection, connection.open("DEV.QUEUE.1", ALL) as queue:
        for number in range(3):
            queue.put(b"%d" % number)
        for _ in range(2):
            assert [received.data for received in queue.browse()] == [b"0", b"1", b"2"]
        assert [queue.get().data for _ in range(3)] == [b"0", b"1", b"2"]


def test_units_of_work(server: ToyServer) -> None:
    with client(server) as connection, client(server) as other:
        queue = connection.open("DEV.QUEUE.1", ALL)
        seen = other.open("DEV.QUEUE.1", MQOO_INPUT_SHARED)
        queue.put(b"one", syncpoint=True)
        with pytest.raises(NoMessage):
            seen.get()
        connection.commit()
        assert queue.get(syncpoint=True).data == b"one"
        with pytest.raises(NoMessage):
            seen.get()
        connection.back_out()
        assert seen.get().descriptor.backout_count == 1


def test_a_failure_inside_with_backs_out(server: ToyServer) -> None:
    def put_and_fail() -> None:
        with client(server) as connection:
            connection.put1("DEV.QUEUE.1", b"never", syncpoint=True)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        put_and_fail()
    with client(server) as connection, pytest.raises(NoMessage):
        connection.open("DEV.QUEUE.1", MQOO_INPUT_SHARED).get()


def test_truncation(server: ToyServer) -> None:
    with client(server) as connection, connection.open("DEV.QUEUE.1", ALL) as queue:
        queue.put(b"0123456789")
        left = queue.get(max_length=4)
        assert (left.data, left.reason, left.full_length) == (b"0123", MQRC_TRUNCATED_MSG_FAILED, 10)
        taken = queue.get(max_length=4, truncate=True)
        assert (taken.data, taken.reason, taken.completion) == (b"0123", MQRC_TRUNCATED_MSG_ACCEPTED, 1)
        with pytest.raises(NoMessage):
            queue.get()


def test_attributes(server: ToyServer) -> None:
    with client(server) as connection:
        values = connection.inquire([31, MQCA_Q_MGR_NAME, 2])
        assert values == {31: 943, MQCA_Q_MGR_NAME: "QM1", 2: 819}
        with connection.open("DEV.QUEUE.1", MQOO_SET) as queue:
            queue.set({MQIA_CURRENT_Q_DEPTH: 7})
            assert queue.inquire([MQIA_CURRENT_Q_DEPTH]) == {MQIA_CURRENT_Q_DEPTH: 7}
    assert (character_length(MQCA_Q_DESC), character_length(MQCA_CREATION_DATE)) == (64, 12)


def test_asynchronous_puts_and_their_status(server: ToyServer) -> None:
    with client(server) as connection:
        queue = connection.open("DEV.QUEUE.1", ALL)
        for number in range(50):
            queue.put(b"%d" % number, asynchronous=True)
        report = connection.status()
        assert (report.put_successes, report.put_failures) == (50, 0)
        queue.opened.handle += 100
        queue.put(b"lost", asynchronous=True)
        report = connection.status()
        assert (report.put_failures, report.reason) == (1, MQRC_HOBJ_ERROR)
    assert len(server.queue_manager.queues["DEV.QUEUE.1"]) == 50


def test_publish_and_subscribe(server: ToyServer) -> None:
    with client(server) as connection:
        subscription = connection.subscribe("Price/Fruit", name="mine")
        topic = connection.open_topic("Price/Fruit", MQOO_OUTPUT)
        topic.put(b"apples 3")
        assert subscription.get().data == b"apples 3"
        assert subscription.request_publications() == 0
        subscription.close()


def test_dynamic_queues_and_put1(server: ToyServer) -> None:
    with client(server) as connection:
        reply_to = connection.open("MODEL", MQOO_INPUT_SHARED)
        assert reply_to.name.startswith("AMQ.")
        connection.put1(reply_to.name, b"reply")
        assert reply_to.get().data == b"reply"
        reply_to.close(MQCO_DELETE)
        reply_to.close()


def test_refusals(server: ToyServer) -> None:
    with pytest.raises(MQError) as refused:
        connect("QM1", server.connection_name, "NO.SUCH", "app", "passw0rd")
    assert refused.value.reason == MQRC_UNKNOWN_CHANNEL_NAME
    with pytest.raises(MQError) as refused:
        connect("QM1", server.connection_name, "APP.SVRCONN", "app", "wrong")
    assert refused.value.reason == MQRC_NOT_AUTHORIZED
    with client(server) as connection:
        with pytest.raises(MQError) as refused:
            connection.open("NO.SUCH", MQOO_OUTPUT)
        assert refused.value.reason == MQRC_UNKNOWN_OBJECT_NAME
        queue = connection.open("DEV.QUEUE.1", MQOO_OUTPUT)
        queue.opened.handle = 99
        with pytest.raises(MQError) as refused:
            queue.put(b"")
        assert refused.value.reason == MQRC_HOBJ_ERROR
        with pytest.raises(MQError) as refused:
            queue.get()
        assert refused.value.reason == MQRC_HOBJ_ERROR
    with pytest.raises(MQError) as refused:
        connection.commit()
    assert refused.value.reason in (MQRC_HCONN_ERROR, MQRC_CONNECTION_BROKEN)


def test_nobody_listens() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with pytest.raises(MQError) as refused:
        connect("QM1", f"127.0.0.1({port})")
    assert refused.value.reason == MQRC_HOST_NOT_AVAILABLE


def test_the_second_address_is_tried(server: ToyServer) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    name = f"127.0.0.1({port}), {server.connection_name}"
    connect("QM1", name, "APP.SVRCONN", "app", "passw0rd").disconnect()


def test_a_connection_that_is_cut(server: ToyServer) -> None:
    connection = client(server)
    queue = connection.open("DEV.QUEUE.1", ALL)
    queue.put(b"in doubt", syncpoint=True)
    server.drop_connections()
    with pytest.raises(Broken) as broken:
        queue.get(wait=30)
    assert broken.value.reason == MQRC_CONNECTION_BROKEN
    with pytest.raises(Broken):
        connection.commit()
    connection.disconnect()
    assert server.queue_manager.queues["DEV.QUEUE.1"] == []


def test_a_get_is_one_segment_each_way(server: ToyServer) -> None:
    with client(server) as connection, connection.open("DEV.QUEUE.1", ALL) as queue:
        for _ in range(3):
            queue.put(b"x")
            queue.get()
    seen = server.responders[0].seen
    requests = [event for event in seen if isinstance(event, RequestMessages | Get)]
    assert len(requests) == 3
    if isinstance(requests[1], RequestMessages):
        assert requests[1].received_bytes == 365
        assert [request.last_index for request in requests if isinstance(request, RequestMessages)] == [0, 1, 2]


def test_read_ahead(server: ToyServer) -> None:
    with client(server) as connection:
        queue = connection.open("DEV.QUEUE.1", MQOO_INPUT_SHARED | MQOO_OUTPUT, read_ahead=True)
        if queue.opened.window > 1:
            queue.opened.window = 20_000
        for number in range(200):
            queue.put(b"%d" % number)
        assert [queue.get(wait=5).data for _ in range(200)] == [b"%d" % number for number in range(200)]
        queue.put(b"one more")
        assert queue.get(wait=5).data == b"one more"
        requests = [event for event in server.responders[0].seen if isinstance(event, RequestMessages | Get)]
        if server.queue_manager.terms.conversations == 0:
            # Without shared conversations there is no read-ahead: each get is a call.
            assert len(requests) == 201
            return
        assert len(requests) < 20
        with pytest.raises(MQError) as changed:
            queue.get(truncate=True)
        assert changed.value.reason == MQRC_OPTIONS_CHANGED


def test_a_quiescing_queue_manager(server: ToyServer) -> None:
    with client(server) as connection:
        server.responders[0].puts_before_quiescing = 0
        connection.open("DEV.QUEUE.1", ALL).put(b"x")
        connection.commit()
        assert connection.quiescing


def test_threads_share_a_connection(server: ToyServer) -> None:
    with client(server) as connection:
        queue = connection.open("DEV.QUEUE.1", ALL)
        threads = [threading.Thread(target=lambda: [queue.put(b"x") for _ in range(50)]) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sum(1 for _ in queue.browse()) == 200


def test_addresses() -> None:
    assert parse_addresses("host") == [("host", 1414)]
    assert parse_addresses("a(1), b.c(65535),[::1](2)") == [("a", 1), ("b.c", 65535), ("::1", 2)]
    for wrong in ("", "a(", "a(x)", "a(0)", "a(70000)", "a b", ","):
        with pytest.raises(AddressError):
            parse_addresses(wrong)
