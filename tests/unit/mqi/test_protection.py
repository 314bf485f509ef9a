"""Programs in the process of the queue manager: their messages are protected as policies say."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.protection import dn, person, write_keystore

from kew.codes.errors import MQError, NoMessage
from kew.codes.options import (
    MQGMO_ACCEPT_TRUNCATED_MSG,
    MQGMO_BROWSE_FIRST,
    MQGMO_BROWSE_NEXT,
    MQGMO_CONVERT,
    MQGMO_SYNCPOINT,
    MQGMO_WAIT,
    MQOO_BROWSE,
    MQOO_INPUT_SHARED,
    MQOO_OUTPUT,
    MQPMO_SYNCPOINT,
)
from kew.codes.reasons import (
    MQRC_MSG_TOO_BIG_FOR_Q,
    MQRC_SECURITY_ERROR,
    MQRC_TRUNCATED_MSG_ACCEPTED,
    MQRC_TRUNCATED_MSG_FAILED,
)
from kew.formats import mqdlh
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.gets.request import Got
from kew.mqi.local.connection import LocalConnection
from kew.mqi.objects.distribution import DistributionList, Member
from kew.protection import header
from kew.qmgr import manager
from kew.qmgr.config import Configuration, LogConfiguration
from kew.qmgr.manager import QueueManager

ERRORS = "SYSTEM.PROTECTION.ERROR.QUEUE"
BODY = b"four thousand to bob, and not a word to anybody"
OPEN = MQOO_INPUT_SHARED | MQOO_BROWSE | MQOO_OUTPUT


class World:
    """A queue manager with protected queues, and people with keystores."""

    def __init__(self, running: QueueManager, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.running = running
        self.folder = folder
        self.monkeypatch = monkeypatch

    def become(self, name: str) -> LocalConnection:
        """A connection of a program of somebody, who knows everybody."""
        everybody = [person(each) for each in ("alice", "bob", "carol")]
        conf = write_keystore(self.folder / name, person(name), *everybody)
        self.monkeypatch.setenv("MQS_KEYSTORE_CONF", str(conf))
        return self.running.connect(name)

    def unprotecting(self) -> LocalConnection:
        """A connection of a program that does not protect."""
        self.monkeypatch.setenv("AMQ_DISABLE_CLIENT_AMS", "TRUE")
        connection = self.running.connect("raw")
        self.monkeypatch.delenv("AMQ_DISABLE_CLIENT_AMS")
        return connection


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    data = str(tmp_path / "data")
    manager.create("QM1", Configuration(log=LogConfiguration(file_pages=256)), data)
    with manager.start("QM1", data) as running:
        running.mqsc("DEFINE QLOCAL(SIGNED)", f"SET POLICY(SIGNED) SIGNALG(SHA256) SIGNER('{dn('alice')}')")
        running.mqsc("DEFINE QLOCAL(SECRET)")
        running.mqsc(f"SET POLICY(SECRET) SIGNALG(SHA256) ENCALG(AES256) RECIP('{dn('bob')}') RECIP('{dn('carol')}')")
        running.mqsc("DEFINE QLOCAL(FAST)", f"SET POLICY(FAST) ENCALG(AES256) RECIP('{dn('bob')}') KEYREUSE(32)")
        running.mqsc("DEFINE QLOCAL(PLAIN)")
        yield World(running, tmp_path, monkeypatch)


def put(connection: LocalConnection, queue: str, body: bytes = BODY, options: int = 0) -> MessageDescriptor:
    descriptor = MessageDescriptor(format=b"MQSTR   ", ccsid=1208)
    handle = connection.open(queue, MQOO_OUTPUT)
    connection.put(handle, descriptor, body, options)
    connection.close(handle)
    return descriptor


def get(connection: LocalConnection, queue: str, options: int = 0, room: int = -1) -> Got:
    handle = connection.open(queue, MQOO_INPUT_SHARED | MQOO_BROWSE)
    try:
        return connection.get(handle, options, buffer_length=room)
    finally:
        connection.close(handle)


def depth(world: World, queue: str) -> int:
    return world.running.host.engine.queues.by_name[queue].depth


def refused(connection: LocalConnection, queue: str, options: int = 0) -> MQError:
    with pytest.raises(MQError) as error:
        get(connection, queue, options)
    assert error.value.reason == MQRC_SECURITY_ERROR
    return error.value


@pytest.mark.parametrize("queue", ["SIGNED", "SECRET", "FAST"])
def test_a_message_goes_from_alice_to_bob(world: World, queue: str) -> None:
    told = put(world.become("alice"), queue)
    assert told.format == b"MQSTR   "
    raw = get(world.unprotecting(), queue, MQGMO_BROWSE_FIRST)
    assert raw.descriptor.format == header.FORMAT
    assert (BODY in raw.data) == (queue == "SIGNED")
    got = get(world.become("bob"), queue)
    assert (got.data, got.descriptor.format, got.descriptor.ccsid, got.length) == (BODY, b"MQSTR   ", 1208, len(BODY))
    assert depth(world, queue) == 0


def test_put1_is_protected_too(world: World) -> None:
    world.become("alice").put1("FAST", MessageDescriptor(), BODY)
    assert BODY not in get(world.unprotecting(), "FAST", MQGMO_BROWSE_FIRST).data
    assert get(world.become("bob"), "FAST").data == BODY


def test_a_queue_without_a_policy_needs_no_keystore(world: World) -> None:
    world.monkeypatch.setenv("MQS_KEYSTORE_CONF", "/nowhere/keystore.conf")
    connection = world.running.connect("anybody")
    put(connection, "PLAIN")
    assert get(connection, "PLAIN").data == BODY
    with pytest.raises(MQError) as error:
        put(connection, "SECRET")
    assert error.value.reason == MQRC_SECURITY_ERROR
    assert "/nowhere/keystore.conf" in str(error.value)
    assert not connection.connection.handles


def test_who_is_no_recipient_gets_2063_and_the_message_is_set_aside(world: World) -> None:
    put(world.become("alice"), "FAST")
    put(world.become("alice"), "FAST", b"second")
    stored = get(world.unprotecting(), "FAST", MQGMO_BROWSE_FIRST).data
    carol = world.become("carol")
    refused(carol, "FAST", MQGMO_SYNCPOINT)
    assert (depth(world, "FAST"), depth(world, ERRORS)) == (1, 1)
    carol.backout()
    assert (depth(world, "FAST"), depth(world, ERRORS)) == (1, 1)  # whatever becomes of the unit of work
    dead = get(world.unprotecting(), ERRORS)
    head = mqdlh.decode(dead.data)
    assert dead.descriptor.format == b"MQDEAD  "
    assert (head.reason, head.destination_queue.rstrip(), head.format) == (MQRC_SECURITY_ERROR, b"FAST", header.FORMAT)
    assert dead.data[mqdlh.LENGTH :] == stored
    assert get(world.become("bob"), "FAST").data == b"second"


def test_a_waiting_get_sets_aside_and_is_told(world: World) -> None:
    put(world.become("alice"), "FAST")
    carol = world.become("carol")
    handle = carol.open("FAST", MQOO_INPUT_SHARED)
    with pytest.raises(MQError) as error:
        carol.get(handle, MQGMO_WAIT, 5000)
    assert error.value.reason == MQRC_SECURITY_ERROR
    with pytest.raises(NoMessage):
        carol.get(handle)


def test_a_browse_leaves_it_and_goes_on_behind_it(world: World) -> None:
    alice, carol = world.become("alice"), world.become("carol")
    put(alice, "SIGNED", b"first")
    put(carol, "SIGNED", b"of carol, who is no signer")
    put(alice, "SIGNED", b"third")
    bob = world.become("bob")
    handle = bob.open("SIGNED", MQOO_BROWSE)
    assert bob.get(handle, MQGMO_BROWSE_FIRST).data == b"first"
    with pytest.raises(MQError) as error:
        bob.get(handle, MQGMO_BROWSE_NEXT)
    assert error.value.reason == MQRC_SECURITY_ERROR
    assert bob.get(handle, MQGMO_BROWSE_NEXT).data == b"third"
    assert (depth(world, "SIGNED"), depth(world, ERRORS)) == (3, 0)


def test_where_the_error_queue_takes_nothing_the_message_stays(world: World) -> None:
    put(world.become("alice"), "FAST")
    world.running.mqsc(f"ALTER QLOCAL({ERRORS}) PUT(DISABLED)")
    error = refused(world.become("carol"), "FAST")
    assert ERRORS in str(error)
    assert (depth(world, "FAST"), depth(world, ERRORS)) == (1, 0)
    world.running.mqsc(f"ALTER QLOCAL({ERRORS}) PUT(ENABLED)")
    assert get(world.become("bob"), "FAST").data == BODY


def test_the_error_queue_may_be_an_alias(world: World) -> None:
    world.running.mqsc(f"DELETE QLOCAL({ERRORS})", "DEFINE QLOCAL(BAD)", f"DEFINE QALIAS({ERRORS}) TARGET(BAD)")
    put(world.become("alice"), "FAST")
    refused(world.become("carol"), "FAST")
    assert depth(world, "BAD") == 1


def test_unprotected_messages_are_refused_or_tolerated(world: World) -> None:
    world.running.mqsc("DEFINE QLOCAL(LATE)")
    put(world.become("alice"), "LATE", b"early one")
    put(world.become("alice"), "LATE", b"early two")
    world.running.mqsc("SET POLICY(LATE) SIGNALG(SHA256) TOLERATE")
    bob = world.become("bob")
    assert get(bob, "LATE").data == b"early one"
    world.running.mqsc("SET POLICY(LATE) SIGNALG(SHA256)")
    refused(bob, "LATE")
    assert depth(world, ERRORS) == 1


def test_who_does_not_protect_puts_only_what_is_protected(world: World) -> None:
    raw = world.unprotecting()
    with pytest.raises(MQError) as error:
        put(raw, "FAST")
    assert error.value.reason == MQRC_SECURITY_ERROR
    put(world.become("alice"), "FAST")
    moved = get(raw, "FAST")
    handle = raw.open("FAST", MQOO_OUTPUT)
    raw.put(handle, moved.descriptor, moved.data)
    assert get(world.become("bob"), "FAST").data == BODY


def test_a_get_with_a_small_buffer(world: World) -> None:
    put(world.become("alice"), "SECRET")
    bob = world.become("bob")
    failed = get(bob, "SECRET", 0, 10)
    assert (failed.reason, failed.data, failed.length) == (MQRC_TRUNCATED_MSG_FAILED, BODY[:10], len(BODY))
    assert get(bob, "SECRET", 0, len(BODY)).data == BODY  # as long as the message, not as what is stored
    put(world.become("alice"), "SECRET")
    cut = get(bob, "SECRET", MQGMO_ACCEPT_TRUNCATED_MSG, 10)
    assert (cut.reason, cut.data, cut.length) == (MQRC_TRUNCATED_MSG_ACCEPTED, BODY[:10], len(BODY))
    assert depth(world, "SECRET") == 0


def test_conversion_comes_after_decryption(world: World) -> None:
    put(world.become("alice"), "SECRET", "grün".encode())
    bob = world.become("bob")
    handle = bob.open("SECRET", MQOO_INPUT_SHARED)
    got = bob.get(handle, MQGMO_CONVERT, wanted=MessageDescriptor(ccsid=819, encoding=273))
    assert (got.data, got.descriptor.ccsid, got.reason) == ("grün".encode("latin-1"), 819, 0)


def test_a_message_that_protection_makes_too_long(world: World) -> None:
    world.running.mqsc("ALTER QLOCAL(SECRET) MAXMSGL(1000)")
    alice = world.become("alice")
    with pytest.raises(MQError) as error:
        put(alice, "SECRET", bytes(900))
    assert error.value.reason == MQRC_MSG_TOO_BIG_FOR_Q
    assert depth(world, "SECRET") == 0


@pytest.mark.parametrize("size", [100_000, 2_000_000])
def test_long_messages(world: World, size: int) -> None:
    body = os.urandom(size)
    put(world.become("alice"), "SECRET", body)
    assert get(world.become("bob"), "SECRET").data == body
    put(world.become("alice"), "FAST", body)
    refused(world.become("carol"), "FAST")
    assert (depth(world, "FAST"), depth(world, ERRORS)) == (0, 1)


def test_units_of_work(world: World) -> None:
    alice, bob = world.become("alice"), world.become("bob")
    put(alice, "FAST", options=MQPMO_SYNCPOINT)
    with pytest.raises(NoMessage):
        get(bob, "FAST")
    alice.commit()
    assert get(bob, "FAST", MQGMO_SYNCPOINT).data == BODY
    bob.backout()
    again = get(bob, "FAST", MQGMO_SYNCPOINT)
    assert (again.data, again.descriptor.backout_count) == (BODY, 1)
    bob.commit()
    assert depth(world, "FAST") == 0


def test_an_alias_has_its_own_policy_or_that_of_its_target(world: World) -> None:
    world.running.mqsc("DEFINE QALIAS(WAY) TARGET(FAST)", "DEFINE QALIAS(OWN) TARGET(PLAIN)")
    world.running.mqsc(f"SET POLICY(OWN) ENCALG(AES128) RECIP('{dn('bob')}')")
    alice, bob = world.become("alice"), world.become("bob")
    put(alice, "WAY")
    assert get(bob, "FAST").data == BODY
    put(alice, "OWN")
    assert BODY not in get(bob, "PLAIN", MQGMO_BROWSE_FIRST).data
    assert get(bob, "OWN").data == BODY


def test_a_remote_queue_is_protected_on_its_transmission_queue(world: World) -> None:
    world.running.mqsc("DEFINE QLOCAL(QM2) USAGE(XMITQ)", "DEFINE QREMOTE(AWAY) RNAME(FAST) RQMNAME(QM2)")
    world.running.mqsc(f"SET POLICY(AWAY) ENCALG(AES256) RECIP('{dn('bob')}')")
    put(world.become("alice"), "AWAY")
    stored = get(world.unprotecting(), "QM2")
    assert BODY not in stored.data
    assert header.FORMAT in stored.data  # said by the descriptor in the MQXQH


def test_an_alias_of_a_topic_protects_publications(world: World) -> None:
    world.running.mqsc("DEFINE TOPIC(NEWS) TOPICSTR('news')", "DEFINE QALIAS(PRESS) TARGET(NEWS) TARGTYPE(TOPIC)")
    world.running.mqsc("DEFINE SUB(S1) TOPICSTR('news') DEST(FAST)")
    world.running.mqsc(f"SET POLICY(PRESS) ENCALG(AES256) RECIP('{dn('bob')}')")
    put(world.become("alice"), "PRESS")
    assert get(world.become("bob"), "FAST").data == BODY


def test_copies_of_a_stream_stay_protected(world: World) -> None:
    world.running.mqsc("DEFINE QLOCAL(COPY)", "ALTER QLOCAL(FAST) STREAMQ(COPY)")
    put(world.become("alice"), "FAST")
    copy = get(world.unprotecting(), "COPY")
    assert copy.descriptor.format == header.FORMAT
    assert BODY not in copy.data
    assert get(world.become("bob"), "FAST").data == BODY


def test_each_destination_of_a_list_has_its_own_policy(world: World) -> None:
    alice = world.become("alice")
    members = [Member("FAST"), Member("PLAIN"), Member("SIGNED")]
    handle = alice.open_list(DistributionList(members), MQOO_OUTPUT)
    alice.put(handle, MessageDescriptor(format=b"MQSTR   "), BODY)
    bob = world.become("bob")
    assert [get(bob, each).data for each in ("FAST", "PLAIN", "SIGNED")] == [BODY] * 3
    put(alice, "FAST")
    assert BODY not in get(world.unprotecting(), "FAST").data


def test_a_recipient_that_the_keystore_does_not_know_refuses_the_put(world: World) -> None:
    world.running.mqsc("DEFINE QLOCAL(NOBODY)", "SET POLICY(NOBODY) ENCALG(AES256) RECIP('CN=nobody')")
    with pytest.raises(MQError) as error:
        put(world.become("alice"), "NOBODY")
    assert error.value.reason == MQRC_SECURITY_ERROR
    assert "CN=nobody" in str(error.value)


def test_key_reuse_is_seen_in_the_counters(world: World) -> None:
    from kew.protection.protector import TOTAL

    alice, bob = world.become("alice"), world.become("bob")
    before = TOTAL.wrapped, TOTAL.unwrapped
    source, sink = alice.open("FAST", MQOO_OUTPUT), bob.open("FAST", MQOO_INPUT_SHARED)
    for _ in range(10):
        alice.put(source, MessageDescriptor(), BODY)
    for _ in range(10):
        assert bob.get(sink).data == BODY
    assert (TOTAL.wrapped - before[0], TOTAL.unwrapped - before[1]) == (1, 1)


def test_policies_survive_a_restart_and_are_dumped(world: World, tmp_path: Path) -> None:
    from kew.commands.actions.definitionscript import written

    lines = ["\n".join(each) for each in written(world.running.host.commands, False)]
    policies = [each for each in lines if each.startswith("SET POLICY")]
    world.running.mqsc("DELETE POLICY(SECRET)", "DELETE POLICY(FAST)", "DELETE POLICY(SIGNED)")
    world.running.mqsc(*policies)
    world.running.stop()
    with manager.start("QM1", str(tmp_path / "data")) as again:
        records = {each.name: each.values for each in again.host.catalogue.of_family("POLICY")}
        assert set(records) == {"SIGNED", "SECRET", "FAST"}
        assert records["SECRET"]["RECIP"] == (dn("bob"), dn("carol"))
        assert records["FAST"]["KEYREUSE"] == 32
