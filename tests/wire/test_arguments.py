"""Arguments that no queue manager could be told of are refused with MQ's reasons, and the connection goes on."""

from collections.abc import Callable, Iterator

import pytest
from tests.support.network import CHANNEL, NAME, Reachable, reachable

from kew import client
from kew.channels.protocol.options import GetOptions, PutOptions
from kew.client.blocking import Connection, Queue
from kew.client.connectsettings import ConnectKeywords
from kew.codes import reasons as r
from kew.codes.errors import MQError
from kew.codes.options import MQOO_INPUT_SHARED, MQOO_INQUIRE, MQOO_OUTPUT, MQOO_SET
from kew.formats.mqmd import MessageDescriptor

QUEUE = "DEV.QUEUE.1"
HUGE = 1 << 31


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reachable]:
    with reachable(tmp_path_factory.mktemp("qm")) as running:
        yield running


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        (ConnectKeywords(conversations=-1), r.MQRC_CD_ERROR),
        (ConnectKeywords(conversations=HUGE), r.MQRC_CD_ERROR),
        (ConnectKeywords(heartbeat=-1), r.MQRC_CD_ERROR),
        (ConnectKeywords(heartbeat=1 << 40), r.MQRC_CD_ERROR),
        (ConnectKeywords(max_message=-1), r.MQRC_CD_ERROR),
        (ConnectKeywords(timeout=-1.0), r.MQRC_CD_ERROR),
        (ConnectKeywords(timeout=float("nan")), r.MQRC_CD_ERROR),
        (ConnectKeywords(key_reset=-1), r.MQRC_CD_ERROR),
        (ConnectKeywords(message_compression=(300,)), r.MQRC_CD_ERROR),
        (ConnectKeywords(header_compression=(-1,)), r.MQRC_CD_ERROR),
        (ConnectKeywords(options=HUGE), r.MQRC_OPTIONS_ERROR),
    ],
)
def test_of_a_connection(site: Reachable, more: ConnectKeywords, reason: int) -> None:
    with pytest.raises(MQError) as refused:
        client.connect(NAME, site.address, CHANNEL, "app", "password", **more)
    assert refused.value.reason == reason


@pytest.mark.parametrize("host", ["x" * 300, "a..b"])
def test_names_that_no_host_can_have(host: str) -> None:
    with pytest.raises(MQError) as refused:
        client.connect(NAME, f"{host}(1414)", CHANNEL)
    assert refused.value.reason == r.MQRC_HOST_NOT_AVAILABLE


@pytest.mark.parametrize(("user", "password"), [("\ud800", "password"), ("app", "\ud800")])
def test_texts_that_are_none(site: Reachable, user: str, password: str) -> None:
    with pytest.raises(MQError) as refused:
        site.connect(user=user, password=password)
    assert refused.value.reason == r.MQRC_CSP_ERROR


def put_options(options: int) -> PutOptions:
    made = PutOptions()
    made.options = options
    return made


def get_options(options: int, wait: int) -> GetOptions:
    made = GetOptions()
    made.options, made.wait_interval = options, wait
    return made


def options_of(options: int, known: int) -> PutOptions:
    made = put_options(options)
    made.known = known
    return made


CALLS: list[tuple[Callable[[Connection, Queue], object], int]] = [
    (lambda c, q: c.open(QUEUE, HUGE), r.MQRC_OPTIONS_ERROR),
    (lambda c, q: c.open(QUEUE, -HUGE - 1), r.MQRC_OPTIONS_ERROR),
    (lambda c, q: c.open(QUEUE, MQOO_OUTPUT, selector="\ud800"), r.MQRC_SELECTION_STRING_ERROR),
    (lambda c, q: c.open_topic("\ud800", MQOO_OUTPUT), r.MQRC_TOPIC_STRING_ERROR),
    (lambda c, q: c.subscribe("\ud800"), r.MQRC_TOPIC_STRING_ERROR),
    (lambda c, q: c.inquire([HUGE]), r.MQRC_SELECTOR_ERROR),
    (lambda c, q: q.inquire(list(range(1, 300))), r.MQRC_SELECTOR_LIMIT_EXCEEDED),
    (lambda c, q: q.set({HUGE: 1}), r.MQRC_SELECTOR_ERROR),
    (lambda c, q: q.set({20: HUGE}), r.MQRC_INT_ATTRS_ARRAY_ERROR),
    (lambda c, q: q.close(HUGE), r.MQRC_OPTIONS_ERROR),
    (lambda c, q: q.put(b"", options=put_options(HUGE)), r.MQRC_OPTIONS_ERROR),
    (lambda c, q: q.put(b"", options=options_of(0, HUGE)), r.MQRC_PMO_ERROR),
    (lambda c, q: c.put1(QUEUE, b"", options=put_options(HUGE)), r.MQRC_OPTIONS_ERROR),
    (lambda c, q: q.put("text"), r.MQRC_BUFFER_ERROR),  # type: ignore[arg-type]
    (lambda c, q: q.put(b"", MessageDescriptor(priority=HUGE)), r.MQRC_MD_ERROR),
    (lambda c, q: q.put(b"", MessageDescriptor(message_id=bytes(25))), r.MQRC_MD_ERROR),
    (lambda c, q: c.put1(QUEUE, b"", MessageDescriptor(expiry=-HUGE - 1)), r.MQRC_MD_ERROR),
    (lambda c, q: q.get(1e12), r.MQRC_WAIT_INTERVAL_ERROR),
    (lambda c, q: q.get(float("inf")), r.MQRC_WAIT_INTERVAL_ERROR),
    (lambda c, q: q.get(options=get_options(HUGE, 0)), r.MQRC_OPTIONS_ERROR),
    (lambda c, q: q.get(options=get_options(1, HUGE)), r.MQRC_WAIT_INTERVAL_ERROR),
    (lambda c, q: q.get(max_length=HUGE), r.MQRC_BUFFER_LENGTH_ERROR),
    (lambda c, q: q.get(message_id=bytes(25)), r.MQRC_MD_ERROR),
]


@pytest.mark.parametrize("conversations", [0, 1])
def test_of_verbs(site: Reachable, conversations: int) -> None:
    site.mqsc(f"CLEAR QLOCAL({QUEUE})")
    with site.connect(conversations) as connection:
        queue = connection.open(QUEUE, MQOO_OUTPUT | MQOO_INPUT_SHARED | MQOO_INQUIRE | MQOO_SET)
        for number, (call, reason) in enumerate(CALLS):
            with pytest.raises(MQError) as refused:
                call(connection, queue)
            assert refused.value.reason == reason, number
            queue.put(str(number).encode())
            assert queue.get(30).data == str(number).encode()
