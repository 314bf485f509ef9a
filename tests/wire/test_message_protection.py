"""Clients protect messages: the queue manager sees neither what is in them nor a key."""

import asyncio
import contextlib
import itertools
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.support.network import CHANNEL, NAME, Reachable, eventually, reachable
from tests.support.protection import authority, dn, person, write_keystore

import kew.ibmmq as ibmmq
from kew import client
from kew.client import ConnectSettings, aio, requests
from kew.client.consume import Wanted, consume
from kew.client.link import Link
from kew.codes.errors import MQError, NoMessage
from kew.codes.options import (
    MQGMO_CONVERT,
    MQOO_BROWSE,
    MQOO_INPUT_SHARED,
    MQOO_OUTPUT,
)
from kew.codes.reasons import (
    MQRC_NOT_AUTHORIZED,
    MQRC_SECURITY_ERROR,
    MQRC_TRUNCATED_MSG_ACCEPTED,
    MQRC_TRUNCATED_MSG_FAILED,
)
from kew.formats import mqdlh, mqrfh2
from kew.formats.mqmd import MessageDescriptor
from kew.formats.mqrfh2 import RulesHeader
from kew.protection import header

ERRORS = "SYSTEM.PROTECTION.ERROR.QUEUE"
BODY = b"four thousand to bob, and not a word to anybody"
OPEN = MQOO_INPUT_SHARED | MQOO_BROWSE | MQOO_OUTPUT
NUMBERS = itertools.count()
OWN_LINK = ConnectSettings.link


def foreign_link(settings: ConnectSettings) -> Link:
    """The link of a client that does not say that it is Kew's."""
    link = OWN_LINK(settings)
    assert link.session.offer is not None
    link.session.offer.trace_id = 0
    return link


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reachable]:
    with reachable(tmp_path_factory.mktemp("qm")) as running:
        yield running


class People:
    """Who connects, with which keystore, and how."""

    def __init__(self, site: Reachable, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.site = site
        self._folder = folder
        self._monkeypatch = monkeypatch
        self._conversations = 10
        self._connected: list[client.Connection] = []
        self.local = False

    def go_by(self, way: int | None) -> None:
        """Connect with so many conversations, or on this machine."""
        self.local = way is None
        self._conversations = way or 0

    def become(self, name: str) -> None:
        everybody = [person(each) for each in ("alice", "bob", "carol")]
        conf = write_keystore(self._folder / name, person(name), *everybody)
        self._monkeypatch.setenv("MQS_KEYSTORE_CONF", str(conf))

    def connect(self) -> client.Connection:
        connection = self.site.connect_local() if self.local else self.site.connect(self._conversations)
        self._connected.append(connection)
        return connection

    def leave(self) -> None:
        """Disconnect everybody."""
        for connection in self._connected:
            with contextlib.suppress(MQError):
                connection.back_out()
            connection.disconnect()

    def open(self, name: str, queue: str) -> client.Queue:
        """A queue that somebody has opened, by a connection of its own."""
        self.become(name)
        return self.connect().open(queue, OPEN)

    def raw(self, queue: str) -> client.Queue:
        """A queue open for messages as they are stored."""
        self._monkeypatch.setenv("AMQ_DISABLE_CLIENT_AMS", "TRUE")
        opened = self.connect().open(queue, OPEN)
        self._monkeypatch.delenv("AMQ_DISABLE_CLIENT_AMS")
        return opened

    def queue(self, policy: str) -> str:
        """A new queue with a policy."""
        name = f"Q{next(NUMBERS)}"
        assert "created" in self.site.mqsc(f"DEFINE QLOCAL({name})")
        if policy:
            assert "AMQ9087I" in self.site.mqsc(f"SET POLICY({name}) {policy}")
        return name


@pytest.fixture(params=[0, 1, 10, None], ids=["plain", "one", "shared", "local"])
def people(
    site: Reachable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Iterator[People]:
    made = People(site, tmp_path, monkeypatch)
    made.go_by(request.param)
    yield made
    made.leave()
    site.mqsc(f"CLEAR QLOCAL({ERRORS})")


SIGNED = f"SIGNALG(SHA256) SIGNER('{dn('alice')}')"
SECRET = f"SIGNALG(SHA256) ENCALG(AES256) RECIP('{dn('bob')}') RECIP('{dn('carol')}')"
FAST = f"ENCALG(AES256) RECIP('{dn('bob')}') KEYREUSE(32)"


def text(data: bytes = BODY) -> MessageDescriptor:
    return MessageDescriptor(format=b"MQSTR   ", ccsid=1208)


def refused(call: Callable[[], object]) -> MQError:
    with pytest.raises(MQError) as error:
        call()
    assert error.value.reason == MQRC_SECURITY_ERROR
    return error.value


@pytest.mark.parametrize("policy", [SIGNED, SECRET, FAST], ids=["signed", "secret", "fast"])
@pytest.mark.parametrize("asynchronous", [False, True])
def test_a_message_goes_from_alice_to_bob(people: People, policy: str, asynchronous: bool) -> None:
    queue = people.queue(policy)
    source = people.open("alice", queue)
    put = source.put(BODY, text(), asynchronous=asynchronous)
    assert put.format == b"MQSTR   "
    assert put.put_application_name.rstrip() == b"tests"
    raw = people.raw(queue).get(5.0, options=requests.browse_options(True, 5.0))
    assert raw.descriptor.format == header.FORMAT
    assert (BODY in raw.data) == (policy == SIGNED)
    got = people.open("bob", queue).get(5.0)
    assert (got.data, got.descriptor.format, got.descriptor.ccsid, got.full_length) == (
        BODY,
        b"MQSTR   ",
        1208,
        len(BODY),
    )
    assert got.descriptor.message_id == put.message_id
    assert people.site.depth(queue) == 0


def test_put1_asks_for_the_policy(people: People) -> None:
    queue = people.queue(FAST)
    people.become("alice")
    connection = people.connect()
    assert connection.verbs.has_policies
    connection.put1(queue, BODY, text())
    assert BODY not in people.raw(queue).get(options=requests.browse_options(True, 0)).data
    assert people.open("bob", queue).get().data == BODY


def test_put1_after_the_first_policy_was_set(people: People) -> None:
    queue = people.queue("")
    people.become("alice")
    connection = people.connect()
    connection.verbs.has_policies = False  # as if there had been none when it connected
    people.site.mqsc(f"SET POLICY({queue}) {FAST}")
    connection.put1(queue, BODY, text())
    assert BODY not in people.raw(queue).get(options=requests.browse_options(True, 0)).data
    assert people.open("bob", queue).get().data == BODY


def test_without_a_keystore_the_open_fails(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MQS_KEYSTORE_CONF", "/nowhere/keystore.conf")
    connection = people.connect()
    error = refused(lambda: connection.open(people.queue(FAST), MQOO_OUTPUT))
    assert "/nowhere/keystore.conf" in str(error)
    plain = connection.open(people.queue(""), OPEN)
    plain.put(BODY)
    assert plain.get().data == BODY


def test_with_protection_disabled_only_protected_messages_are_put(people: People) -> None:
    queue = people.queue(FAST)
    raw = people.raw(queue)
    refused(lambda: raw.put(BODY))
    people.open("alice", queue).put(BODY)
    moved = raw.get()
    raw.put(moved.data, moved.descriptor)
    assert people.open("bob", queue).get().data == BODY


@pytest.mark.parametrize("syncpoint", [False, True])
def test_what_cannot_be_read_goes_to_the_error_queue(people: People, syncpoint: bool) -> None:
    queue = people.queue(FAST)
    put = people.open("alice", queue).put(BODY, text())
    people.open("alice", queue).put(b"second", text())
    carol = people.open("carol", queue)
    refused(lambda: carol.get(options=requests.browse_options(True, 0)))
    assert people.site.depth(queue) == 2
    error = refused(lambda: carol.get(syncpoint=syncpoint))
    assert "not one of the recipients" in str(error)
    if syncpoint:
        carol.connection.commit()
    assert (people.site.depth(queue), people.site.depth(ERRORS)) == (1, 1)
    dead = people.raw(ERRORS).get()
    head = mqdlh.decode(dead.data)
    assert (head.reason, head.destination_queue.rstrip()) == (MQRC_SECURITY_ERROR, queue.encode())
    assert (head.format, dead.descriptor.format) == (header.FORMAT, b"MQDEAD  ")
    assert dead.descriptor.message_id == put.message_id
    assert header.find(head.format, dead.data[mqdlh.LENGTH :]) == 0


def test_a_bad_message_goes_back_where_the_error_queue_takes_nothing(people: People) -> None:
    queue = people.queue(FAST)
    people.open("alice", queue).put(BODY, text())
    carol = people.open("carol", queue)
    people.site.mqsc(f"ALTER QLOCAL({ERRORS}) PUT(DISABLED)")
    try:
        assert ERRORS in str(refused(carol.get))
    finally:
        people.site.mqsc(f"ALTER QLOCAL({ERRORS}) PUT(ENABLED)")
    assert people.open("bob", queue).get().data == BODY


def test_who_may_not_put_to_the_error_queue_may_not_get(people: People) -> None:
    if people.local:
        return  # the owner of the queue manager may do everything
    queue = people.queue(FAST)
    people.site.mqsc(f"SET AUTHREC PROFILE({ERRORS}) OBJTYPE(QUEUE) PRINCIPAL('app') AUTHADD(INQ)")
    try:
        people.become("bob")
        with pytest.raises(MQError) as error:
            people.connect().open(queue, MQOO_INPUT_SHARED)
        assert error.value.reason == MQRC_NOT_AUTHORIZED
        people.connect().open(queue, MQOO_OUTPUT).put(BODY)
    finally:
        people.site.mqsc(f"DELETE AUTHREC PROFILE({ERRORS}) OBJTYPE(QUEUE) PRINCIPAL('app')")


def test_a_message_that_nobody_protected(people: People) -> None:
    queue = people.queue("")
    plain = people.open("alice", queue)
    for _ in range(2):
        plain.put(BODY)
    people.site.mqsc(f"SET POLICY({queue}) {SIGNED} TOLERATE")
    assert people.open("bob", queue).get().data == BODY
    people.site.mqsc(f"SET POLICY({queue}) {SIGNED}")
    refused(people.open("bob", queue).get)
    assert people.site.depth(ERRORS) == 1


def test_a_buffer_counts_for_the_message_and_not_for_what_is_stored(people: People) -> None:
    queue = people.queue(SECRET)
    people.open("alice", queue).put(BODY)
    bob = people.open("bob", queue)
    short = bob.get(max_length=10)
    assert (short.reason, short.data, short.full_length) == (MQRC_TRUNCATED_MSG_FAILED, b"", len(BODY))
    assert people.site.depth(queue) == 1
    assert bob.get(max_length=len(BODY)).data == BODY
    people.open("alice", queue).put(BODY)
    cut = bob.get(max_length=10, truncate=True)
    assert (cut.reason, cut.data, cut.full_length) == (MQRC_TRUNCATED_MSG_ACCEPTED, BODY[:10], len(BODY))
    assert people.site.depth(queue) == 0


def test_a_browse(people: People) -> None:
    queue = people.queue(SECRET)
    source = people.open("alice", queue)
    for each in (b"one", b"two", b"three"):
        source.put(each)
    bob = people.open("bob", queue)
    assert [each.data for each in bob.browse()] == [b"one", b"two", b"three"]
    options = requests.browse_options(True, 0)
    assert bob.get(options=options, max_length=3).data == b"one"
    assert people.site.depth(queue) == 3


def test_conversion_comes_after_decryption(people: People) -> None:
    queue = people.queue(SECRET)
    people.open("alice", queue).put("grün".encode(), text())
    bob = people.open("bob", queue)
    options = requests.get_options(0, False, False, MQGMO_CONVERT)
    got = bob.get(options=options, descriptor=MessageDescriptor(ccsid=819, encoding=273))
    assert (got.data, got.descriptor.ccsid, got.reason) == ("grün".encode("latin-1"), 819, 0)


def test_properties_stay_readable_for_selection(people: People) -> None:
    queue = people.queue(SECRET)
    source = people.open("alice", queue)
    for colour in ("red", "blue"):
        folder = f"<usr><colour>{colour}</colour></usr>"
        head = mqrfh2.encode(RulesHeader(546, 1208, b"MQSTR   ", folders=[folder]))
        source.put(head + colour.encode(), MessageDescriptor(format=b"MQHRF2  ", ccsid=1208, encoding=546))
    people.become("bob")
    blue = people.connect().open(queue, MQOO_INPUT_SHARED, selector="colour = 'blue'")
    got = blue.get()
    assert mqrfh2.decode(got.data).folders == ["<usr><colour>blue</colour></usr>"]
    assert got.data.endswith(b"blue")
    with pytest.raises(NoMessage):
        blue.get()


def test_units_of_work_and_waiting(people: People) -> None:
    queue = people.queue(FAST)
    source, sink = people.open("alice", queue), people.open("bob", queue)
    source.put(BODY, syncpoint=True)
    with pytest.raises(NoMessage):
        sink.get(0.05)
    source.connection.commit()
    assert sink.get(10.0, syncpoint=True).data == BODY
    sink.connection.back_out()
    assert sink.get(10.0, syncpoint=True).data == BODY
    sink.connection.commit()
    assert people.site.depth(queue) == 0


@pytest.mark.parametrize("size", [0, 70_000, 3_000_000])
def test_messages_of_any_length(people: People, size: int) -> None:
    queue, body = people.queue(SECRET), os.urandom(size)
    people.open("alice", queue).put(body)
    assert people.open("bob", queue).get(max_length=size).data == body


def test_ten_messages_with_one_key(people: People) -> None:
    queue = people.queue(FAST)
    source, sink = people.open("alice", queue), people.open("bob", queue)
    for number in range(10):
        source.put(b"%d" % number)
        assert sink.get().data == b"%d" % number
    sent, got = source.connection.protection_counters, sink.connection.protection_counters
    assert sent is not None
    assert got is not None
    assert (sent.asymmetric, got.asymmetric) == (1, 1)
    assert (sent.protected, got.unprotected) == (10, 10)


def test_read_ahead_is_off_for_protected_messages(people: People) -> None:
    queue = people.queue(FAST)
    people.site.mqsc(f"ALTER QLOCAL({queue}) DEFREADA(YES)")
    source = people.open("alice", queue)
    for number in range(5):
        source.put(b"%d" % number)
    sink = people.open("bob", queue)
    assert [sink.get().data for _ in range(5)] == [b"0", b"1", b"2", b"3", b"4"]


def test_consumers_of_a_connection(people: People) -> None:
    if people.connect().verbs.link.session.multiplexed is False:
        return
    one, two = people.queue(FAST), people.queue(SECRET)
    people.open("alice", one).put(b"one")
    people.open("alice", two).put(b"two")
    people.become("bob")
    connection = people.connect()
    options = requests.get_options(0, False, False)
    wanted = [
        Wanted(connection.open(each, MQOO_INPUT_SHARED).opened, MessageDescriptor(), options, -1) for each in (one, two)
    ]
    found = [connection.driver.run(consume(connection.verbs, wanted, lambda: False)) for _ in range(2)]
    assert sorted(each[1].data for each in found if each is not None) == [b"one", b"two"]


def test_asyncio(site: Reachable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    people = People(site, tmp_path, monkeypatch)
    queue = people.queue(SECRET)
    people.become("alice")

    async def work() -> bytes:
        async with await aio.connect(NAME, site.address, CHANNEL, "app", "password") as alice:
            source = await alice.open(queue, MQOO_OUTPUT)
            await source.put(BODY)
        people.become("bob")
        async with await aio.connect(NAME, site.address, CHANNEL, "app", "password") as bob:
            sink = await bob.open(queue, MQOO_INPUT_SHARED)
            got = await sink.get(5.0)
            return got.data

    assert asyncio.run(work()) == BODY


def test_the_face_of_ibmmq(site: Reachable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    people = People(site, tmp_path, monkeypatch)
    queue = people.queue(SECRET)
    people.become("alice")
    manager = ibmmq.connect(NAME, CHANNEL, site.address, "app", "password")
    source = ibmmq.Queue(manager, queue)
    handle = ibmmq.MessageHandle(manager)
    handle.properties.set("colour", "red")
    pmo = ibmmq.PMO()
    pmo.OriginalMsgHandle = handle.msg_handle
    source.put(BODY, ibmmq.MD(Format=ibmmq.CMQC.MQFMT_STRING), pmo)
    source.close()
    manager.disconnect()
    people.become("bob")
    manager = ibmmq.connect(NAME, CHANNEL, site.address, "app", "password")
    md, gmo = ibmmq.MD(), ibmmq.GMO()
    handle = ibmmq.MessageHandle(manager)
    gmo.Options = ibmmq.CMQC.MQGMO_PROPERTIES_IN_HANDLE
    gmo.MsgHandle = handle.msg_handle
    assert ibmmq.Queue(manager, queue).get(None, md, gmo) == BODY
    assert md.Format == ibmmq.CMQC.MQFMT_STRING
    assert handle.properties.get("colour") == "red"
    manager.disconnect()


class TestStrangers:
    """Clients that are not Kew's are told of no policy, and cannot leave messages without protection."""

    @pytest.fixture
    def stranger(self, site: Reachable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[People]:
        people = People(site, tmp_path, monkeypatch)
        monkeypatch.setattr(ConnectSettings, "link", foreign_link)
        yield people
        people.leave()
        site.mqsc(f"CLEAR QLOCAL({ERRORS})")

    def test_they_get_what_is_stored(self, stranger: People, monkeypatch: pytest.MonkeyPatch) -> None:
        queue = stranger.queue(FAST)
        with monkeypatch.context() as usual:
            usual.setattr(ConnectSettings, "link", OWN_LINK)
            stranger.open("alice", queue).put(BODY)
        opened = stranger.connect().open(queue, OPEN)
        assert opened.opened.protection is None
        refused(lambda: opened.put(BODY))
        refused(lambda: opened.connection.put1(queue, BODY))
        got = opened.get()
        assert header.find(got.descriptor.format, got.data) == 0
        opened.put(got.data, got.descriptor)
        opened.connection.put1(queue, got.data, got.descriptor)
        assert stranger.site.depth(queue) == 2


class TestInterception:
    """A channel protects for programs whose clients cannot, with a keystore of the queue manager."""

    @pytest.fixture
    def intercepting(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[People]:
        own = person("bob")
        everybody = "".join([person(each).certificate_pem for each in ("alice", "carol")])
        (tmp_path / "app.pem").write_text(own.pem + everybody + authority().certificate_pem)
        conf = tmp_path / "keystore.conf"
        conf.write_text(f"cms.keystore = {tmp_path / 'app.pem'}\ncms.certificate.channel.{CHANNEL} = bob\n")
        monkeypatch.setenv("MQS_KEYSTORE_CONF", str(conf))
        with reachable(tmp_path / "qm") as site:
            people = People(site, tmp_path, monkeypatch)
            monkeypatch.setattr(ConnectSettings, "link", foreign_link)
            yield people
            people.leave()

    def test_the_agent_protects(self, intercepting: People, monkeypatch: pytest.MonkeyPatch) -> None:
        people = intercepting
        queue = people.queue(FAST)
        opened = people.connect().open(queue, OPEN)
        assert opened.opened.protection is None
        opened.put(BODY, text())
        opened.connection.put1(queue, b"second", text())
        with monkeypatch.context() as usual:
            usual.setattr(ConnectSettings, "link", OWN_LINK)
            raw = people.raw(queue)
            for stored in raw.browse():
                assert header.find(stored.descriptor.format, stored.data) == 0
                assert BODY not in stored.data
            people.open("alice", queue).put(b"of alice")
        got = opened.get(5.0)
        assert (got.data, got.descriptor.format) == (BODY, b"MQSTR   ")
        assert [opened.get(5.0).data for _ in range(2)] == [b"second", b"of alice"]

    def test_what_the_agent_cannot_read_is_set_aside(
        self, intercepting: People, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        people = intercepting
        queue = people.queue(f"ENCALG(AES256) RECIP('{dn('carol')}')")
        opened = people.connect().open(queue, OPEN)
        opened.put(BODY)
        refused(lambda: opened.get(5.0))
        assert (people.site.depth(queue), people.site.depth(ERRORS)) == (0, 1)

    def test_another_channel_does_not_protect(self, intercepting: People) -> None:
        people = intercepting
        people.site.define_channel("OTHER.SVRCONN", "")
        queue = people.queue(FAST)
        with people.site.connect(channel="OTHER.SVRCONN") as connection:
            opened = connection.open(queue, MQOO_OUTPUT)
            refused(lambda: opened.put(BODY))


def test_a_keystore_of_a_channel_that_is_broken_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    conf = tmp_path / "keystore.conf"
    conf.write_text(f"cms.keystore = /nowhere/app\ncms.certificate.channel.{CHANNEL} = app\n")
    monkeypatch.setenv("MQS_KEYSTORE_CONF", str(conf))
    monkeypatch.setattr(ConnectSettings, "link", foreign_link)
    with reachable(tmp_path / "qm") as site, site.connect() as connection:
        site.mqsc("DEFINE QLOCAL(Q1)")
        site.mqsc(f"SET POLICY(Q1) {FAST}")
        refused(lambda: connection.open("Q1", MQOO_OUTPUT))
        logs = [each for each in (tmp_path / "qm").rglob("*") if each.is_file()]
        assert eventually(lambda: any(b"AMQ9063E" in each.read_bytes() for each in logs))
