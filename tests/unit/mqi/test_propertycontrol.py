"""What a get without a message handle sees of a message's properties."""

import pytest
from tests.support.hosting import create, opened, queue_of, small
from tests.support.properties import header
from tests.support.simdisk import SimDisk
from tests.support.threads import Background, until

from kew.codes import attributes as a
from kew.codes import options as o
from kew.codes.errors import MQError
from kew.codes.reasons import MQRC_OPTIONS_ERROR, MQRC_PROPERTIES_TOO_BIG, MQRC_TRUNCATED_MSG_FAILED
from kew.formats.charset import UTF_8
from kew.formats.mqmd import MessageDescriptor
from kew.formats.mqrfh2 import RulesHeader, encode
from kew.formats.properties import RFH2_FORMAT
from kew.mqi.local.connection import LocalConnection

USER = "<usr><colour>red</colour></usr>"
OTHER = "<shop content='properties'><till>3</till></shop>"
DATA = "<mine><a>1</a></mine>"


def message(*folders: str) -> bytes:
    return header(*folders) + b"body"


def put(connection: LocalConnection, queue: object, *folders: str) -> None:
    connection.put(queue, MessageDescriptor(format=RFH2_FORMAT, ccsid=819), message(*folders))  # type: ignore[arg-type]


AS_PUT = "as it was put"
GONE = "without properties"
CASES = [
    (a.MQPROP_COMPATIBILITY, 0, (USER,), AS_PUT),
    (a.MQPROP_COMPATIBILITY, 0, (OTHER,), GONE),
    (a.MQPROP_COMPATIBILITY, 0, (OTHER, USER), AS_PUT),
    (a.MQPROP_COMPATIBILITY, 0, (DATA,), AS_PUT),
    (a.MQPROP_COMPATIBILITY, 0, ("<mcd><Msd>jms_text</Msd></mcd>",), AS_PUT),
    (a.MQPROP_NONE, 0, (USER, OTHER), GONE),
    (a.MQPROP_ALL, 0, (OTHER,), AS_PUT),
    (a.MQPROP_FORCE_MQRFH2, 0, (OTHER,), AS_PUT),
    (a.MQPROP_V6COMPAT, 0, (OTHER,), AS_PUT),
    (a.MQPROP_ALL, o.MQGMO_NO_PROPERTIES, (USER,), GONE),
    (a.MQPROP_NONE, o.MQGMO_PROPERTIES_FORCE_MQRFH2, (USER,), AS_PUT),
    (a.MQPROP_NONE, o.MQGMO_PROPERTIES_IN_HANDLE, (USER,), AS_PUT),
    (a.MQPROP_NONE, o.MQGMO_PROPERTIES_COMPATIBILITY, (USER,), AS_PUT),
    (a.MQPROP_ALL, o.MQGMO_PROPERTIES_COMPATIBILITY, (OTHER,), GONE),
]


@pytest.mark.parametrize(("control", "options", "folders", "seen"), CASES)
@pytest.mark.parametrize("waits", [False, True])
def test_options_and_propctl(control: int, options: int, folders: tuple[str, ...], seen: str, waits: bool) -> None:
    host = create(SimDisk(), small())
    connection, queue = queue_of(host, PROPCTL=control)
    if waits:
        other, others = opened(host)
        waiting = Background(lambda: other.get(others, options | o.MQGMO_WAIT, 20000))
        until(lambda: queue.queue is not None and queue.queue.waiters.count == 1)
        put(connection, queue, *folders)
        got = waiting.result()
    else:
        put(connection, queue, *folders)
        got = connection.get(queue, options)
    described = (got.descriptor.format, got.descriptor.ccsid, got.length)
    if seen == AS_PUT:
        assert (got.data, described) == (message(*folders), (RFH2_FORMAT, 819, len(message(*folders))))
    else:
        assert (got.data, described) == (b"body", (b"MQSTR   ", 1208, 4))


def test_folders_that_are_data_stay() -> None:
    connection, queue = queue_of(create(SimDisk(), small()), PROPCTL=a.MQPROP_NONE)
    put(connection, queue, USER, DATA)
    got = connection.get(queue)
    assert (got.data, got.descriptor.format, got.descriptor.ccsid) == (message(DATA), RFH2_FORMAT, 819)


@pytest.mark.parametrize("unsaid", [0, -2])
def test_a_header_that_does_not_say_in_which_character_set_the_data_is(unsaid: int) -> None:
    connection, queue = queue_of(create(SimDisk(), small()), PROPCTL=a.MQPROP_COMPATIBILITY)
    data = encode(RulesHeader(546, unsaid, b"MQSTR   ", 0, UTF_8, [OTHER])) + b"body"
    for ccsid in (819, 437):
        connection.put(queue, MessageDescriptor(format=RFH2_FORMAT, ccsid=ccsid), data)
        got = connection.get(queue)
        assert (got.data, got.descriptor.format, got.descriptor.ccsid) == (b"body", b"MQSTR   ", ccsid)


@pytest.mark.parametrize("size", [0, 5000])
def test_the_length_is_that_of_what_is_given(size: int) -> None:
    connection, queue = queue_of(create(SimDisk(), small()), PROPCTL=a.MQPROP_NONE)
    descriptor = MessageDescriptor(format=RFH2_FORMAT)
    connection.put(queue, descriptor, message(USER) + bytes(size))
    got = connection.get(queue, buffer_length=3)
    assert (got.reason, got.data, got.length) == (MQRC_TRUNCATED_MSG_FAILED, b"bod", 4 + size)
    assert connection.get(queue, buffer_length=4 + size).data == b"body" + bytes(size)


@pytest.mark.parametrize("data", [b"", b"RFH \2\0\0\0", b"no header"])
def test_a_header_that_cannot_be_read_stays(data: bytes) -> None:
    connection, queue = queue_of(create(SimDisk(), small()), PROPCTL=a.MQPROP_NONE)
    connection.put(queue, MessageDescriptor(format=RFH2_FORMAT), data)
    assert connection.get(queue).data == data


def test_an_alias_has_its_own_propctl() -> None:
    host = create(SimDisk(), small())
    connection, queue = queue_of(host, PROPCTL=a.MQPROP_ALL)
    host.administration.define("QALIAS", "A1", {"TARGET": queue.name, "PROPCTL": a.MQPROP_NONE})
    put(connection, queue, USER)
    assert connection.get(connection.open("A1", o.MQOO_INPUT_SHARED)).data == b"body"


def test_options_that_exclude_each_other() -> None:
    connection, queue = queue_of(create(SimDisk(), small()))
    with pytest.raises(MQError) as refused:
        connection.get(queue, o.MQGMO_NO_PROPERTIES | o.MQGMO_PROPERTIES_FORCE_MQRFH2)
    assert refused.value.reason == MQRC_OPTIONS_ERROR


def test_a_limit_on_properties() -> None:
    host = create(SimDisk(), small())
    connection, queue = queue_of(host)
    host.engine.max_properties_length = len("colour") + len("red")
    put(connection, queue, USER, DATA)
    with pytest.raises(MQError) as refused:
        put(connection, queue, USER.replace("red", "rosé"))
    assert refused.value.reason == MQRC_PROPERTIES_TOO_BIG
    assert connection.get(queue).data == message(USER, DATA)
