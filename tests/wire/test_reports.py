"""Reports for clients: confirmations of what was put and got over sockets, by the network and on this machine."""

from collections.abc import Iterator
from threading import Thread

import pytest
from tests.support.network import Reachable, reachable

from kew import client
from kew.client.requests import get_options
from kew.codes.errors import NoMessage
from kew.codes.options import (
    MQFB_COA,
    MQFB_COD,
    MQMT_REPORT,
    MQOO_INPUT_SHARED,
    MQOO_OUTPUT,
    MQPER_PERSISTENT,
    MQRO_COA,
    MQRO_COD_WITH_DATA,
    MQRO_COD_WITH_FULL_DATA,
    MQRO_PASS_CORREL_ID,
)
from kew.formats.mqmd import MessageDescriptor

QUEUE, REPORTS = "DEV.QUEUE.1", "DEV.QUEUE.2"
BOTH_WAYS = MQOO_OUTPUT | MQOO_INPUT_SHARED


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reachable]:
    with reachable(tmp_path_factory.mktemp("qm")) as running:
        yield running


@pytest.fixture(params=["network", "local"])
def connection(site: Reachable, request: pytest.FixtureRequest) -> Iterator[client.Connection]:
    with site.connect_local() if request.param == "local" else site.connect() as connected:
        yield connected


def asked(report: int, persistence: int = 0) -> MessageDescriptor:
    return MessageDescriptor(
        report=report, persistence=persistence, reply_to_queue=REPORTS.encode(), correlation_id=b"c" * 24
    )


@pytest.mark.parametrize("size", [10, 50_000])
@pytest.mark.parametrize("persistence", [0, MQPER_PERSISTENT])
def test_arrival_and_delivery(connection: client.Connection, persistence: int, size: int) -> None:
    queue, reports = (
        connection.open(QUEUE, MQOO_OUTPUT | MQOO_INPUT_SHARED),
        connection.open(REPORTS, MQOO_INPUT_SHARED),
    )
    put = queue.put(b"\x5a" * size, asked(MQRO_COA | MQRO_COD_WITH_FULL_DATA, persistence))
    arrival = reports.get(30)
    assert (arrival.descriptor.feedback, arrival.descriptor.message_type) == (MQFB_COA, MQMT_REPORT)
    assert arrival.descriptor.correlation_id == put.message_id
    assert queue.get(30).data == b"\x5a" * size
    delivery = reports.get(30)
    assert delivery.descriptor.feedback == MQFB_COD
    assert delivery.data == b"\x5a" * size


def test_delivery_to_one_who_waits_and_in_syncpoint(site: Reachable, connection: client.Connection) -> None:
    queue, reports = (
        connection.open(QUEUE, MQOO_OUTPUT | MQOO_INPUT_SHARED),
        connection.open(REPORTS, MQOO_INPUT_SHARED),
    )
    got: list[bytes] = []

    def wait() -> None:
        with site.connect() as other:
            got.append(other.open(QUEUE, MQOO_INPUT_SHARED).get(30).data)

    waiter = Thread(target=wait)
    waiter.start()
    queue.put(b"x" * 200, asked(MQRO_COD_WITH_DATA | MQRO_PASS_CORREL_ID))
    report = reports.get(30)
    waiter.join()
    assert got == [b"x" * 200]
    assert (report.data, report.descriptor.correlation_id) == (b"x" * 100, b"c" * 24)
    queue.put(b"again", asked(MQRO_COD_WITH_DATA, MQPER_PERSISTENT))
    queue.get(options=get_options(5, True, False))
    with pytest.raises(NoMessage):
        reports.get()
    connection.back_out()
    with pytest.raises(NoMessage):
        reports.get()
    queue.get(options=get_options(5, True, False))
    connection.commit()
    assert reports.get(30).data == b"again"
