"""Remote queues over real sockets: by the network with and without shared conversations, and on this machine."""

from collections.abc import Iterator

import pytest
from tests.support.network import NAME, Reachable, reachable

from kew import client
from kew.channels.protocol.dialect import name
from kew.channels.protocol.options import PutOptions
from kew.client import requests
from kew.client.distributionlists import open_list
from kew.codes.attributes import MQCA_REMOTE_Q_NAME, MQIA_INHIBIT_PUT, MQIA_Q_TYPE, MQQT_REMOTE
from kew.codes.errors import MQError
from kew.codes.options import (
    MQOO_BROWSE,
    MQOO_INPUT_SHARED,
    MQOO_INQUIRE,
    MQOO_OUTPUT,
    MQOO_RESOLVE_LOCAL_Q,
    MQOO_SET,
    MQPMO_RESOLVE_LOCAL_Q,
)
from kew.codes.reasons import (
    MQRC_OPTION_NOT_VALID_FOR_TYPE,
    MQRC_PUT_INHIBITED,
    MQRC_REMOTE_Q_NAME_ERROR,
    MQRC_UNKNOWN_REMOTE_Q_MGR,
    MQRC_UNKNOWN_XMIT_Q,
)
from kew.formats import mqxqh
from kew.formats.mqmd import MessageDescriptor

FAR = "QM2"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reachable]:
    with reachable(tmp_path_factory.mktemp("qm")) as running:
        running.mqsc(f"DEFINE QLOCAL({FAR}) USAGE(XMITQ)")
        running.mqsc(f"DEFINE QREMOTE(R) RNAME(Q) RQMNAME({FAR})")
        running.mqsc("DEFINE QREMOTE(WRONG) RNAME(Q) RQMNAME(QM3) XMITQ(NO.SUCH)")
        running.mqsc(f"DEFINE QREMOTE(HERE) RNAME(' ') RQMNAME({NAME})")
        yield running


@pytest.fixture(params=["unshared", "ten", "local"])
def connection(site: Reachable, request: pytest.FixtureRequest) -> Iterator[client.Connection]:
    conversations = {"unshared": 0, "ten": 10}
    kind: str = request.param
    with site.connect_local() if kind == "local" else site.connect(conversations[kind]) as connected:
        yield connected


def sent(connection: client.Connection) -> tuple[str, str, MessageDescriptor, bytes]:
    """Take what waits to be sent: where it goes, its descriptor and its data."""
    with connection.open(FAR, MQOO_INPUT_SHARED) as queue:
        data = queue.get().data
    header = mqxqh.decode(data)
    return name(header.remote_queue), name(header.remote_queue_manager), header.descriptor, data[mqxqh.LENGTH :]


@pytest.mark.parametrize(("queue", "manager"), [("R", ""), ("Q", FAR), ("R", NAME), ("R", "HERE")])
def test_puts_by_either_name(connection: client.Connection, queue: str, manager: str) -> None:
    with connection.open(queue, MQOO_OUTPUT, queue_manager=manager) as opened:
        put = opened.put(b"hello", MessageDescriptor(format=b"MQSTR   "))
    where, far, inner, data = sent(connection)
    assert (where, far, data) == ("Q", FAR, b"hello")
    assert (inner.message_id, inner.format) == (put.message_id, b"MQSTR   ")
    connection.put1(queue, b"once", queue_manager=manager)
    assert sent(connection)[3] == b"once"


def test_long_messages_and_units_of_work(site: Reachable, connection: client.Connection) -> None:
    long = bytes(range(256)) * 400
    with connection.open("R", MQOO_OUTPUT) as queue:
        queue.put(long, MessageDescriptor(persistence=1))
        assert sent(connection)[3] == long
        queue.put(long, syncpoint=True)
        connection.back_out()
        assert site.depth(FAR) == 0
    connection.put1("R", long)
    assert sent(connection)[3] == long


def test_the_names_that_are_told(connection: client.Connection) -> None:
    for local, names in ((False, ("Q", FAR)), (True, (FAR, NAME))):
        target = requests.queue_object("R")
        target.version = 3
        opening = MQOO_OUTPUT | (MQOO_RESOLVE_LOCAL_Q if local else 0)
        with connection.open_object(target, opening) as queue:
            told = queue.opened.target
            assert (name(told.resolved_queue), name(told.resolved_queue_manager)) == names
            assert (told.known, told.unknown, told.invalid) == (0, 1, 0)
            options = PutOptions()
            options.options = MQPMO_RESOLVE_LOCAL_Q if local else 0
            queue.put(b"x", options=options)
        once = PutOptions()
        once.options = options.options
        connection.put1("R", b"x", options=once)
        for each in (options, once):
            assert (name(each.resolved_queue), name(each.resolved_queue_manager)) == names
            assert (each.known, each.unknown, each.invalid) == (0, 1, 0)
            sent(connection)


def test_the_definition_is_inquired_about_and_set(connection: client.Connection) -> None:
    with connection.open("R", MQOO_INQUIRE | MQOO_SET | MQOO_OUTPUT) as queue:
        assert queue.inquire([MQCA_REMOTE_Q_NAME, MQIA_Q_TYPE]) == {MQCA_REMOTE_Q_NAME: "Q", MQIA_Q_TYPE: MQQT_REMOTE}
        queue.set({MQIA_INHIBIT_PUT: 1})
        with pytest.raises(MQError) as problem:
            queue.put(b"x")
        assert problem.value.reason == MQRC_PUT_INHIBITED
        queue.set({MQIA_INHIBIT_PUT: 0})


def test_a_list_with_members_elsewhere(site: Reachable, connection: client.Connection) -> None:
    opened = open_list(connection, ["DEV.QUEUE.1", "R"], MQOO_OUTPUT)
    told = opened.opened.target
    assert (told.known, told.unknown, told.invalid) == (1, 1, 0)
    options = opened.put_to_all(b"to all")
    assert (options.known, options.unknown, options.invalid) == (1, 1, 0)
    opened.close()
    assert sent(connection)[3] == b"to all"
    assert "AMQ8022I" in site.mqsc("CLEAR QLOCAL(DEV.QUEUE.1)")


def test_puts_that_nobody_answers(site: Reachable, connection: client.Connection) -> None:
    with connection.open("R", MQOO_OUTPUT) as queue:
        for _time in range(3):
            queue.put(b"x", asynchronous=True)
        queue.put(b"last")
    assert site.depth(FAR) == 4
    assert [sent(connection)[3] for _time in range(4)] == [b"x", b"x", b"x", b"last"]


def test_refusals_have_mqs_reasons(connection: client.Connection) -> None:
    for queue, manager, options, reason in (
        ("Q", "NOWHERE", MQOO_OUTPUT, MQRC_UNKNOWN_REMOTE_Q_MGR),
        ("", FAR, MQOO_OUTPUT, MQRC_REMOTE_Q_NAME_ERROR),
        ("HERE", "", MQOO_OUTPUT, MQRC_REMOTE_Q_NAME_ERROR),
        ("WRONG", "", MQOO_OUTPUT, MQRC_UNKNOWN_XMIT_Q),
        ("R", "", MQOO_INPUT_SHARED, MQRC_OPTION_NOT_VALID_FOR_TYPE),
        ("R", "", MQOO_BROWSE, MQRC_OPTION_NOT_VALID_FOR_TYPE),
        ("Q", FAR, MQOO_OUTPUT | MQOO_INQUIRE, MQRC_OPTION_NOT_VALID_FOR_TYPE),
        ("DEV.QUEUE.1", "HERE", MQOO_INQUIRE, MQRC_OPTION_NOT_VALID_FOR_TYPE),
    ):
        with pytest.raises(MQError) as problem:
            connection.open(queue, options, queue_manager=manager)
        assert problem.value.reason == reason, (queue, manager)
        if options == MQOO_OUTPUT:
            with pytest.raises(MQError) as problem:
                connection.put1(queue, b"x", queue_manager=manager)
            assert problem.value.reason == reason, (queue, manager)
