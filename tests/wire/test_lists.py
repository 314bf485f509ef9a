"""Distribution lists over real sockets: by the network with and without shared conversations, and on this machine."""

from collections.abc import Iterator

import pytest
from tests.support.network import Reachable, reachable

from kew import client
from kew.channels.protocol.dialect import CLIENT_DIALECT
from kew.channels.protocol.distribution import responses_of, set_destinations
from kew.channels.protocol.options import PutOptions
from kew.channels.protocol.structures import ObjectDescriptor
from kew.client import requests
from kew.client.distributionlists import open_list
from kew.codes.completion import MQCC_FAILED, MQCC_WARNING
from kew.codes.errors import MQError, NoMessage
from kew.codes.options import (
    MQOO_INPUT_SHARED,
    MQOO_OUTPUT,
    MQOT_TOPIC,
    MQPER_PERSISTENT,
    MQPMRF_CORREL_ID,
    MQPMRF_FEEDBACK,
    MQPMRF_MSG_ID,
)
from kew.codes.reasons import (
    MQRC_MULTIPLE_REASONS,
    MQRC_OBJECT_NAME_ERROR,
    MQRC_OBJECT_Q_MGR_NAME_ERROR,
    MQRC_OBJECT_RECORDS_ERROR,
    MQRC_OPEN_FAILED,
    MQRC_PUT_INHIBITED,
    MQRC_RECS_PRESENT_ERROR,
    MQRC_UNKNOWN_OBJECT_NAME,
)
from kew.formats.mqmd import MessageDescriptor
from kew.formats.mqpmr import PutRecord

QUEUES = ["DEV.QUEUE.1", "DEV.QUEUE.2", "DEV.QUEUE.3"]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reachable]:
    with reachable(tmp_path_factory.mktemp("qm")) as running:
        yield running


@pytest.fixture(params=["unshared", "ten", "local"])
def connection(site: Reachable, request: pytest.FixtureRequest) -> Iterator[client.Connection]:
    conversations = {"unshared": 0, "ten": 10}
    kind: str = request.param
    with site.connect_local() if kind == "local" else site.connect(conversations[kind]) as connected:
        yield connected
    for queue in QUEUES:
        site.mqsc(f"ALTER QLOCAL({queue}) PUT(ENABLED)")
        site.mqsc(f"CLEAR QLOCAL({queue})")


def taken(connection: client.Connection, name: str) -> client.Received:
    with connection.open(name, MQOO_INPUT_SHARED) as queue:
        return queue.get()


def test_a_message_goes_to_all_with_the_records_of_each(connection: client.Connection) -> None:
    records = [PutRecord() for _ in QUEUES[:2]]
    records[0].message_id, records[0].correlation_id = b"first".ljust(24, b"\0"), b"c1".ljust(24, b"\0")
    records[0].feedback, records[1].feedback = 11, 12
    opened = open_list(connection, QUEUES, MQOO_OUTPUT)
    assert opened.answers == [(0, 0)] * 3
    assert (opened.opened.target.known, opened.opened.target.invalid) == (3, 0)
    fields = MQPMRF_MSG_ID | MQPMRF_CORREL_ID | MQPMRF_FEEDBACK
    options = opened.put_to_all(b"to all", MessageDescriptor(feedback=13), fields=fields, records=records)
    assert (options.known, options.unknown, options.invalid) == (3, 0, 0)
    got = [taken(connection, name) for name in QUEUES]
    assert [each.data for each in got] == [b"to all"] * 3
    assert [each.descriptor.feedback for each in got] == [11, 12, 0]  # records were sent for all three
    assert got[0].descriptor.correlation_id == b"c1".ljust(24, b"\0")
    assert [each.descriptor.message_id for each in got[:2]] == [record.message_id for record in records]
    assert got[0].descriptor.message_id == b"first".ljust(24, b"\0")
    opened.close()


def test_what_cannot_be_opened_is_told_for_each(connection: client.Connection) -> None:
    opened = open_list(connection, ["DEV.QUEUE.1", "NO.SUCH", "DEV.QUEUE.2"], MQOO_OUTPUT)
    assert opened.answers == [(0, 0), (MQCC_FAILED, MQRC_UNKNOWN_OBJECT_NAME), (0, 0)]
    with pytest.raises(MQError) as warned:
        opened.put_to_all(b"to two", MessageDescriptor(persistence=MQPER_PERSISTENT))
    assert (warned.value.completion, warned.value.reason) == (MQCC_WARNING, MQRC_MULTIPLE_REASONS)
    assert opened.answers == [(0, 0), (MQCC_FAILED, MQRC_OPEN_FAILED), (0, 0)]
    assert taken(connection, "DEV.QUEUE.1").data == taken(connection, "DEV.QUEUE.2").data == b"to two"
    opened.close()
    with pytest.raises(MQError) as refused:
        open_list(connection, ["NO.SUCH", "NONE.EITHER"], MQOO_OUTPUT)
    assert refused.value.reason == MQRC_UNKNOWN_OBJECT_NAME
    assert refused.value.facts["answers"] == [(MQCC_FAILED, MQRC_UNKNOWN_OBJECT_NAME)] * 2
    with pytest.raises(MQError) as mixed:
        open_list(connection, ["NO.SUCH", "SYSTEM.DEFAULT.MODEL.QUEUE"], MQOO_OUTPUT)
    assert (mixed.value.completion, mixed.value.reason) == (MQCC_FAILED, MQRC_MULTIPLE_REASONS)


def test_a_long_message_in_syncpoint(connection: client.Connection) -> None:
    opened = open_list(connection, QUEUES, MQOO_OUTPUT)
    data = bytes(range(256)) * 200
    opened.put_to_all(data, MessageDescriptor(persistence=MQPER_PERSISTENT), syncpoint=True)
    connection.back_out()
    with pytest.raises(NoMessage):
        taken(connection, "DEV.QUEUE.1")
    opened.put_to_all(data, MessageDescriptor(persistence=MQPER_PERSISTENT), syncpoint=True)
    connection.commit()
    assert [taken(connection, name).data for name in QUEUES] == [data] * 3


def test_all_destinations_refuse_for_one_reason(site: Reachable, connection: client.Connection) -> None:
    opened = open_list(connection, QUEUES, MQOO_OUTPUT)
    for queue in QUEUES:
        site.mqsc(f"ALTER QLOCAL({queue}) PUT(DISABLED)")
    with pytest.raises(MQError) as refused:
        opened.put_to_all(b"x")
    assert (refused.value.completion, refused.value.reason) == (MQCC_FAILED, MQRC_PUT_INHIBITED)
    assert opened.answers == [(MQCC_FAILED, MQRC_PUT_INHIBITED)] * 3


def test_a_put_that_nobody_answers_reports_what_failed(site: Reachable, connection: client.Connection) -> None:
    opened = open_list(connection, QUEUES, MQOO_OUTPUT)
    opened.put(b"fine", asynchronous=True)
    assert connection.status().put_successes == 1
    site.mqsc(f"ALTER QLOCAL({QUEUES[1]}) PUT(DISABLED)")
    opened.put(b"not all", asynchronous=True)
    report = connection.status()
    assert (report.put_successes, report.put_warnings, report.put_failures) == (0, 1, 0)
    assert (report.completion, report.reason) == (MQCC_WARNING, MQRC_MULTIPLE_REASONS)
    assert taken(connection, QUEUES[0]).data == b"fine"


def test_put1_to_a_list(connection: client.Connection) -> None:
    target = ObjectDescriptor()
    set_destinations(target, [("DEV.QUEUE.1", ""), ("NO.SUCH", ""), ("DEV.QUEUE.2", "")], CLIENT_DIALECT)
    options = requests.put_options(False, False)
    with pytest.raises(MQError) as warned:
        connection.do(lambda verbs: verbs.put1(target, MessageDescriptor(), options, b"once"))
    assert (warned.value.completion, warned.value.reason) == (MQCC_WARNING, MQRC_MULTIPLE_REASONS)
    answers = responses_of(target, CLIENT_DIALECT).answers
    assert answers == [(0, 0), (MQCC_FAILED, MQRC_UNKNOWN_OBJECT_NAME), (0, 0)]
    assert (options.known, options.invalid) == (2, 1)
    assert taken(connection, "DEV.QUEUE.1").data == taken(connection, "DEV.QUEUE.2").data == b"once"


def refusal(connection: client.Connection, target: ObjectDescriptor) -> int:
    with pytest.raises(MQError) as refused:
        connection.do(lambda verbs: verbs.open(target, MQOO_OUTPUT))
    return refused.value.reason


def test_lists_that_are_none(connection: client.Connection) -> None:
    named = requests.queue_object("DEV.QUEUE.1")
    set_destinations(named, [("DEV.QUEUE.2", "")], CLIENT_DIALECT)
    assert refusal(connection, named) == MQRC_OBJECT_NAME_ERROR
    elsewhere = requests.queue_object("", "QM2")
    set_destinations(elsewhere, [("DEV.QUEUE.2", "")], CLIENT_DIALECT)
    assert refusal(connection, elsewhere) == MQRC_OBJECT_Q_MGR_NAME_ERROR
    topic = ObjectDescriptor()
    set_destinations(topic, [("DEV.QUEUE.2", "")], CLIENT_DIALECT)
    topic.object_type = MQOT_TOPIC
    assert refusal(connection, topic) == MQRC_RECS_PRESENT_ERROR
    negative = ObjectDescriptor()
    negative.version, negative.records_present = 2, -1
    assert refusal(connection, negative) == MQRC_RECS_PRESENT_ERROR
    missing = ObjectDescriptor()
    missing.version, missing.records_present = 2, 3
    assert refusal(connection, missing) == MQRC_OBJECT_RECORDS_ERROR


def test_records_are_for_lists_only(connection: client.Connection) -> None:
    for count in (-1, 2):
        options = PutOptions()
        options.records_present = count
        if count > 0:
            options.response_offset = options.size
            options.extra = bytes(8 * count)
        with connection.open("DEV.QUEUE.1", MQOO_OUTPUT) as queue, pytest.raises(MQError) as refused:
            queue.put(b"x", options=options)
        assert refused.value.reason == MQRC_RECS_PRESENT_ERROR
        with pytest.raises(MQError) as once:
            connection.put1("DEV.QUEUE.1", b"x", options=options)
        assert once.value.reason == MQRC_RECS_PRESENT_ERROR


def test_a_connection_that_goes_leaves_nothing_open(site: Reachable) -> None:
    with site.connect() as connection:
        opened = open_list(connection, QUEUES, MQOO_OUTPUT)
        assert opened.answers == [(0, 0)] * 3
        assert site.manager.host.queues.by_name["DEV.QUEUE.1"].output_handles == 1
    assert site.manager.host.queues.by_name["DEV.QUEUE.1"].output_handles == 0
