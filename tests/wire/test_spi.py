"""SPI PUT, GET and SUBSCRIBE: the calls of the second door do what the plain ones do, and share subscriptions."""

from collections.abc import Iterator
from threading import Thread
from time import time

import pytest
from tests.support.network import Reachable, eventually, reachable

from kew import client
from kew.channels.protocol import spi
from kew.channels.protocol.descriptor import from_canonical, to_canonical
from kew.channels.protocol.dialect import Dialect, padded
from kew.channels.protocol.options import GetOptions, PutOptions
from kew.channels.protocol.structures import ObjectDescriptor
from kew.channels.protocol.subscription import SubscriptionDescriptor
from kew.codes.errors import MQError, NoMessage
from kew.codes.options import (
    MQGMO_SYNCPOINT,
    MQGMO_WAIT,
    MQOO_INPUT_SHARED,
    MQOO_OUTPUT,
    MQOO_PASS_ALL_CONTEXT,
    MQOO_SET_IDENTITY_CONTEXT,
    MQPMO_ASYNC_RESPONSE,
    MQPMO_PASS_ALL_CONTEXT,
    MQPMO_SET_IDENTITY_CONTEXT,
    MQSO_ALTER,
    MQSO_ANY_USERID,
    MQSO_CREATE,
    MQSO_DURABLE,
    MQSO_MANAGED,
    MQSO_RESUME,
)
from kew.codes.reasons import (
    MQRC_FUNCTION_NOT_SUPPORTED,
    MQRC_HOBJ_ERROR,
    MQRC_MSG_ID_ERROR,
    MQRC_SUB_JOIN_NOT_ALTERABLE,
    MQRC_SUBSCRIPTION_IN_USE,
    MQRC_UNKNOWN_OBJECT_NAME,
)
from kew.formats.mqmd import MessageDescriptor, decode_stored, encode
from kew.mqi.connections.connection import Connection
from kew.mqi.engine import Clock

QUEUE = "DEV.QUEUE.1"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reachable]:
    with reachable(tmp_path_factory.mktemp("qm")) as running:
        yield running


@pytest.fixture(params=[0, 1, 10])
def connection(site: Reachable, request: pytest.FixtureRequest) -> Iterator[client.Connection]:
    with site.connect(request.param) as connected:
        yield connected
    site.mqsc(f"CLEAR QLOCAL({QUEUE})")


def dialect_of(connection: client.Connection) -> Dialect:
    return connection.verbs.link.session.dialect


def word(number: int, dialect: Dialect) -> bytes:
    return number.to_bytes(4, "little" if dialect.order else "big")


def structure(eye: bytes, body: bytes, dialect: Dialect) -> bytes:
    return eye + word(1, dialect) + word(12 + len(body), dialect) + body


def put_call(connection: client.Connection, handle: int, data: bytes, options: int, queue: str = "") -> spi.SpiCall:
    dialect = dialect_of(connection)
    call = spi.SpiCall(spi.PUT)
    call.handle = handle
    descriptor = from_canonical(encode(MessageDescriptor(correlation_id=b"c" * 24)), dialect, 2)
    call.in_out = structure(b"SPPU", b"", dialect) + descriptor + PutOptions().encode(dialect)
    if queue:
        target = ObjectDescriptor()
        target.object_name = padded(queue, 48)
        call.in_out += target.encode(dialect)
    call.structure = structure(b"SPPI", word(options, dialect) + word(len(data), dialect) + data, dialect)
    return call


def get_call(connection: client.Connection, handle: int, options: int, wait: int, room: int = 1000) -> spi.SpiCall:
    dialect = dialect_of(connection)
    call = spi.SpiCall(spi.GET)
    call.handle = handle
    asked = GetOptions()
    asked.options = options
    asked.wait_interval = wait
    descriptor = from_canonical(encode(MessageDescriptor()), dialect, 2)
    call.in_out = structure(b"SPGU", b"", dialect) + descriptor + asked.encode(dialect)
    call.structure = structure(b"SPGI", b"".join([word(each, dialect) for each in (1, 0, room)]), dialect)
    return call


def perform(connection: client.Connection, call: spi.SpiCall) -> spi.SpiCall:
    reply = connection.driver.run(connection.verbs._call(call))
    assert isinstance(reply, spi.SpiCall)
    return reply


def data_of(reply: spi.SpiCall) -> bytes:
    return reply.structure[20:]


def test_put_and_get(site: Reachable, connection: client.Connection) -> None:
    queue = connection.open(QUEUE, MQOO_OUTPUT | MQOO_INPUT_SHARED)
    reply = perform(connection, put_call(connection, queue.opened.handle, b"by the second door", 0))
    assert reply.structure[:4] == b"SPPO"
    completed = decode_stored(to_canonical(reply.in_out[12:376], dialect_of(connection)), 0)
    assert completed.message_id.startswith(b"AMQ QM1")
    got = perform(connection, get_call(connection, queue.opened.handle, 0, 0))
    assert got.structure[:4] == b"SPGO"
    assert data_of(got) == b"by the second door"
    assert decode_stored(to_canonical(got.in_out[12:376], dialect_of(connection)), 0).correlation_id == b"c" * 24
    with pytest.raises(NoMessage):
        perform(connection, get_call(connection, queue.opened.handle, 0, 0))
    perform(connection, put_call(connection, -1, b"one", 0, QUEUE))
    assert queue.get().data == b"one"
    queue.put(b"long" * 50_000)
    assert data_of(perform(connection, get_call(connection, queue.opened.handle, 0, 0, 1 << 20))) == b"long" * 50_000


def test_a_put_is_answered_whatever_it_says(connection: client.Connection) -> None:
    """IBM's JMS waits, though it asks for an asynchronous response, if the put has a delay."""
    queue = connection.open(QUEUE, MQOO_OUTPUT | MQOO_INPUT_SHARED)
    for handle, name in ((queue.opened.handle, ""), (-1, QUEUE)):
        call = put_call(connection, handle, b"answered", 0, name)
        asynchronous = PutOptions()
        asynchronous.options = MQPMO_ASYNC_RESPONSE
        plain = PutOptions().encode(dialect_of(connection))
        call.in_out = call.in_out.replace(plain, asynchronous.encode(dialect_of(connection)))
        assert perform(connection, call).structure[:4] == b"SPPO"
        assert queue.get().data == b"answered"


def delayed(call: spi.SpiCall, delay: int, data: bytes, dialect: Dialect) -> spi.SpiCall:
    """A put as IBM's JMS sends it for a delay: all is counted in the first structure, and the second is filled up."""
    call.in_out = structure(b"SPPU", call.in_out[12:], dialect)
    words = [word(each, dialect) for each in (0, len(data), 0, delay >> 32, delay & 0xFFFFFFFF)]
    second = structure(b"SPPI", b"".join(words) + data, dialect)
    call.structure = b"SPPI" + word(3, dialect) + second[8:] + bytes(-len(data) & 3)
    return call


def test_a_put_for_later(site: Reachable, connection: client.Connection) -> None:
    queue = connection.open(QUEUE, MQOO_OUTPUT | MQOO_INPUT_SHARED)
    dialect, handle = dialect_of(connection), queue.opened.handle
    reply = perform(connection, delayed(put_call(connection, handle, b"", 0), 200_000, b"second", dialect))
    assert reply.structure[:4] == b"SPPO"
    perform(connection, delayed(put_call(connection, -1, b"", 0, QUEUE), 100_000, b"first", dialect))
    perform(connection, delayed(put_call(connection, handle, b"", 0), 5 << 32, b"in months", dialect))
    queue.put(b"now")
    assert queue.get().data == b"now"
    assert (site.depth(QUEUE), site.depth("SYSTEM.DDELAY.LOCAL.QUEUE")) == (0, 3)
    engine = site.manager.host.engine
    real, engine.clock = engine.clock, Clock(lambda: time() + 1000)
    engine.listener.delayed()
    assert [queue.get(wait=60).data for _ in range(2)] == [b"first", b"second"]
    engine.clock = real
    assert eventually(lambda: site.depth("SYSTEM.DDELAY.LOCAL.QUEUE") == 1)
    # Whoever delivers may not have committed yet, and then the queue is in use.
    assert eventually(lambda: "AMQ8022I" in site.mqsc("CLEAR QLOCAL(SYSTEM.DDELAY.LOCAL.QUEUE)"))
    with pytest.raises(MQError) as gone:
        perform(connection, delayed(put_call(connection, 77, b"", 0), 300, b"x", dialect))
    assert gone.value.reason == MQRC_HOBJ_ERROR


def activate_call(connection: client.Connection, message_id: bytes, mode: int) -> spi.SpiCall:
    dialect = dialect_of(connection)
    call = spi.SpiCall(spi.ACTIVATE)
    call.in_out = structure(b"SPAU", b"", dialect)
    inside = word(mode, dialect) + padded(QUEUE, 48) + padded("", 48) + message_id
    call.structure = structure(b"SPAI", inside, dialect)
    return call


def connections(site: Reachable) -> list[Connection]:
    return [each for each in site.manager.host.engine.connections.values() if isinstance(each, Connection)]


def held_id(reply: spi.SpiCall) -> bytes:
    """The id of a message that is held, from the descriptor in the reply."""
    return reply.in_out[12 + 48 : 12 + 72]


def test_a_message_that_is_held_for_the_end_of_the_program(site: Reachable) -> None:
    with site.connect() as leaving:
        queue = leaving.open(QUEUE, MQOO_OUTPUT)
        call = put_call(leaving, queue.opened.handle, b"farewell", spi.DEFERRED)
        reply = perform(leaving, call)
        assert held_id(reply).startswith(b"AMQ QM1")
        queue.close()
        assert site.depth(QUEUE) == 0
    assert eventually(lambda: site.depth(QUEUE) == 1)
    with site.connect() as other:
        got = other.open(QUEUE, MQOO_INPUT_SHARED).get()
        assert got.data == b"farewell"
        assert got.descriptor.message_id == held_id(reply)
        assert got.descriptor.user_identifier.strip() == b"app"


@pytest.mark.parametrize("end", ["dies", "is stopped"])
def test_a_held_message_of_a_program_that_dies_or_is_stopped(site: Reachable, end: str) -> None:
    doomed = site.connect()
    queue = doomed.open(QUEUE, MQOO_OUTPUT)
    perform(doomed, put_call(doomed, queue.opened.handle, b"x", spi.DEFERRED))
    if end == "is stopped":
        (found,) = [each for each in connections(site) if each.held]
        assert "AMQ8457I" in site.mqsc(f"STOP CONN({found.number:016X})")
    doomed.driver.close()
    assert eventually(lambda: site.depth(QUEUE) == 1)
    site.mqsc(f"CLEAR QLOCAL({QUEUE})")


def test_held_messages_are_activated_or_dropped(site: Reachable, connection: client.Connection) -> None:
    queue = connection.open(QUEUE, MQOO_OUTPUT | MQOO_INPUT_SHARED)
    now, never = [
        held_id(perform(connection, put_call(connection, queue.opened.handle, text, spi.DEFERRED)))
        for text in (b"now", b"never")
    ]
    assert perform(connection, activate_call(connection, now, spi.ENABLE)).structure[:4] == b"SPAO"
    assert queue.get().data == b"now"
    perform(connection, activate_call(connection, never, spi.DISABLE))
    assert not [each for each in connections(site) if each.held]
    assert site.depth(QUEUE) == 0


def test_units_of_work(site: Reachable, connection: client.Connection) -> None:
    queue = connection.open(QUEUE, MQOO_OUTPUT | MQOO_INPUT_SHARED)
    perform(connection, put_call(connection, queue.opened.handle, b"never", spi.IN_SYNCPOINT))
    connection.back_out()
    assert site.depth(QUEUE) == 0
    queue.put(b"x")
    assert data_of(perform(connection, get_call(connection, queue.opened.handle, MQGMO_SYNCPOINT, 0))) == b"x"
    connection.back_out()
    assert site.depth(QUEUE) == 1


def test_a_get_waits(site: Reachable, connection: client.Connection) -> None:
    queue = connection.open(QUEUE, MQOO_OUTPUT | MQOO_INPUT_SHARED)
    found: list[bytes] = []
    call = get_call(connection, queue.opened.handle, MQGMO_WAIT, 20_000)
    getter = Thread(target=lambda: found.append(data_of(perform(connection, call))))
    getter.start()
    assert eventually(lambda: site.manager.host.queues.by_name[QUEUE].waiters.count == 1)
    with site.connect() as other:
        other.put1(QUEUE, b"at last")
    getter.join()
    assert found == [b"at last"]


def put_as(
    connection: client.Connection, queue: client.Queue, descriptor: MessageDescriptor, options: int, context: int = 0
) -> None:
    asked = PutOptions()
    asked.options = options
    asked.context = context
    connection.driver.run(connection.verbs.put(queue.opened, descriptor, asked, b"moved"))


def test_what_is_got_can_be_passed_on_with_its_context(site: Reachable, connection: client.Connection) -> None:
    site.mqsc("SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('app') AUTHADD(SETID)")
    source = connection.open("DEV.QUEUE.2", MQOO_OUTPUT | MQOO_SET_IDENTITY_CONTEXT)
    put_as(connection, source, MessageDescriptor(application_identity_data=b"whose it is"), MQPMO_SET_IDENTITY_CONTEXT)
    target = ObjectDescriptor()
    target.object_name = padded("DEV.QUEUE.2", 48)
    call = spi.open_call(target, MQOO_INPUT_SHARED, dialect_of(connection))
    saving = spi.read_open(call, dialect_of(connection))
    saving.options.lpi_options |= spi.SAVES_CONTEXT  # as IBM's JMS opens a queue whose messages it may have to move
    call.structure = saving.encode(b"SPOI", dialect_of(connection))
    handle = perform(connection, call).handle
    assert data_of(perform(connection, get_call(connection, handle, 0, 0))) == b"moved"
    queue = connection.open(QUEUE, MQOO_OUTPUT | MQOO_INPUT_SHARED | MQOO_PASS_ALL_CONTEXT)
    put_as(connection, queue, MessageDescriptor(), MQPMO_PASS_ALL_CONTEXT, handle)
    assert queue.get().descriptor.application_identity_data.startswith(b"whose it is")


def test_what_does_not_fit(connection: client.Connection) -> None:
    for call, reason in (
        (put_call(connection, 77, b"x", 0), MQRC_HOBJ_ERROR),
        (get_call(connection, 77, 0, 0), MQRC_HOBJ_ERROR),
        (put_call(connection, -1, b"x", 0, "NO.SUCH"), MQRC_UNKNOWN_OBJECT_NAME),
        (put_call(connection, 77, b"x", spi.DEFERRED), MQRC_HOBJ_ERROR),
        (put_call(connection, -1, b"x", spi.DEFERRED, QUEUE), MQRC_FUNCTION_NOT_SUPPORTED),
        (activate_call(connection, bytes(24), spi.ENABLE), MQRC_MSG_ID_ERROR),
        (activate_call(connection, bytes(24), spi.DISABLE), MQRC_MSG_ID_ERROR),
    ):
        with pytest.raises(MQError) as problem:
            perform(connection, call)
        assert problem.value.reason == reason


JMS = MQSO_CREATE | MQSO_ALTER | MQSO_MANAGED | MQSO_DURABLE | MQSO_ANY_USERID
ALONE = 0x40000000
CLONED = 0x40000010
SHARED = 0x40000050


def subscribe_call(
    connection: client.Connection, how: int, options: int = JMS, name: bytes = b"JMS:QM1::S", assisted: bytes = b""
) -> spi.SpiCall:
    """A subscription as IBM's JMS asks for one, `how` being the word that says whether it is shared."""
    dialect = dialect_of(connection)
    call = spi.SpiCall(spi.SUBSCRIBE)
    call.in_out = structure(b"SPBU", b"", dialect)
    local = b"LSD " + word(1, dialect) + word(how, dialect) + bytes(20) + assisted
    asked = SubscriptionDescriptor()
    asked.options = options
    asked.set_strings(b"dev/shared" if options & MQSO_CREATE else b"", name, b"", b"")
    call.structure = structure(b"SPBI", word(0, dialect) + local.ljust(196, b"\0") + asked.encode(dialect), dialect)
    return call


def reason_of(connection: client.Connection, call: spi.SpiCall) -> int:
    with pytest.raises(MQError) as problem:
        perform(connection, call)
    return problem.value.reason


def test_a_shared_subscription(site: Reachable, connection: client.Connection) -> None:
    with site.connect() as other:
        first = perform(connection, subscribe_call(connection, SHARED))
        assert first.structure[:4] == b"SPBO"
        assert perform(other, subscribe_call(other, SHARED)).handle > 0
        assert reason_of(other, subscribe_call(other, ALONE)) == MQRC_SUB_JOIN_NOT_ALTERABLE
        assert reason_of(other, subscribe_call(other, CLONED)) == MQRC_SUB_JOIN_NOT_ALTERABLE
        remove = subscribe_call(other, 0, MQSO_RESUME | MQSO_DURABLE | MQSO_MANAGED | MQSO_ANY_USERID)
        assert reason_of(other, remove) == MQRC_SUBSCRIPTION_IN_USE
    assert "AMQ8148E" in site.mqsc("DELETE SUB('JMS:QM1::S')")  # one of the two still has it
    connection.disconnect()
    assert eventually(lambda: not site.manager.host.engine.topics.by_name["JMS:QM1::S"].owners)
    assert "deleted" in site.mqsc("DELETE SUB('JMS:QM1::S')")


def test_clones_of_a_subscription(site: Reachable, connection: client.Connection) -> None:
    with site.connect() as other:
        perform(connection, subscribe_call(connection, CLONED))
        perform(other, subscribe_call(other, CLONED))
        assert reason_of(other, subscribe_call(other, ALONE)) == MQRC_SUBSCRIPTION_IN_USE
    connection.disconnect()
    assert eventually(lambda: not site.manager.host.engine.topics.by_name["JMS:QM1::S"].owners)
    with site.connect() as other:
        perform(other, subscribe_call(other, ALONE))
    assert eventually(lambda: "deleted" in site.mqsc("DELETE SUB('JMS:QM1::S')"))


def test_a_session_assists_a_connection_consumer(site: Reachable, connection: client.Connection) -> None:
    once = MQSO_CREATE | MQSO_MANAGED
    reply = perform(connection, subscribe_call(connection, 0, once, b""))
    identifier, queue = reply.structure[48:72], reply.structure[128:176]
    assert queue.startswith(b"SYSTEM.MANAGED.NDURABLE.")
    with site.connect() as other:
        call = subscribe_call(other, 0x20000, MQSO_RESUME | MQSO_MANAGED, b"", identifier)
        assisting = perform(other, call)
        assert assisting.structure[128:176] == queue
        with connection.open_topic("dev/shared", MQOO_OUTPUT) as topic:
            topic.put(b"news")
        assert data_of(perform(other, get_call(other, assisting.handle, 0, 0))) == b"news"
