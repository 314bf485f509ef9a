"""Who may publish and subscribe where, and when subscriptions end by themselves."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.authorities import grant
from tests.support.hosting import lasting

from kew.codes.errors import MQError
from kew.codes.options import (
    MQCO_REMOVE_SUB,
    MQOO_ALTERNATE_USER_AUTHORITY,
    MQOO_INPUT_SHARED,
    MQOO_OUTPUT,
    MQOT_Q,
    MQOT_Q_MGR,
    MQOT_TOPIC,
    MQSO_ALTER,
    MQSO_ALTERNATE_USER_AUTHORITY,
    MQSO_ANY_USERID,
    MQSO_CREATE,
    MQSO_DURABLE,
    MQSO_FIXED_USERID,
    MQSO_MANAGED,
    MQSO_RESUME,
    MQSO_SET_IDENTITY_CONTEXT,
)
from kew.codes.reasons import MQRC_IDENTITY_MISMATCH, MQRC_NOT_AUTHORIZED
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.local import LocalConnection
from kew.mqi.subscribe import SubscriptionRequest
from kew.mqi.unsubscribe import end_expired
from kew.objects.definition import Definition
from kew.qmgr import manager
from kew.qmgr.manager import QueueManager

MANAGED = MQSO_CREATE | MQSO_MANAGED


@pytest.fixture
def running(tmp_path: Path) -> Iterator[QueueManager]:
    manager.create("QM1", data=str(tmp_path))
    with manager.start("QM1", str(tmp_path)) as started:
        started.host.objects.place(Definition.of("TOPIC", "A", {"TOPICSTR": "a"}))
        started.host.objects.place(Definition.of("TOPIC", "AB", {"TOPICSTR": "a/b"}))
        started.host.administration.define("QLOCAL", "Q1", {})
        for user in ("alice", "bob"):
            grant(started.host, user, MQOT_Q_MGR, "SELF", "CONNECT")
        yield started


def program(running: QueueManager, user: str) -> LocalConnection:
    return running.connect("test", user)


def reason_of(connection: LocalConnection, request: SubscriptionRequest) -> int:
    with pytest.raises(MQError) as refused:
        connection.subscribe(request)
    return refused.value.reason


def test_a_right_on_any_object_on_the_way_to_the_root_is_enough(running: QueueManager) -> None:
    alice = program(running, "alice")
    with pytest.raises(MQError) as refused:
        alice.open_topic("", "a/b/c", MQOO_OUTPUT)
    assert refused.value.reason == MQRC_NOT_AUTHORIZED
    grant(running.host, "alice", MQOT_TOPIC, "A", "PUB")
    alice.close(alice.open_topic("", "a/b/c", MQOO_OUTPUT))
    with pytest.raises(MQError):
        alice.open_topic("", "x", MQOO_OUTPUT)
    assert reason_of(alice, SubscriptionRequest(MANAGED, "a/b/c")) == MQRC_NOT_AUTHORIZED
    grant(running.host, "alice", MQOT_TOPIC, "SYSTEM.BASE.TOPIC", "SUB")
    made = alice.subscribe(SubscriptionRequest(MANAGED, "a/b/c"))
    alice.publish("", "a/b/c", MessageDescriptor(), b"x")
    got = alice.get(made.queue)
    assert (got.data, got.descriptor.user_identifier) == (b"x", b"alice       ")


def test_an_alias_of_a_topic_takes_a_right_on_both(running: QueueManager) -> None:
    from kew.commands.actions.script import Script

    list(Script(running.host.commands).run(["DEFINE QALIAS(ALIAS) TARGET(A) TARGTYPE(TOPIC)"]))
    alice = program(running, "alice")
    for _ in range(2):
        with pytest.raises(MQError) as refused:
            alice.open("ALIAS", MQOO_OUTPUT)
        assert refused.value.reason == MQRC_NOT_AUTHORIZED
        grant(running.host, "alice", MQOT_TOPIC, "A", "PUB")
    grant(running.host, "alice", MQOT_Q, "ALIAS", "PUT")
    alice.close(alice.open("ALIAS", MQOO_OUTPUT))


def test_who_provides_a_queue_must_be_allowed_to_put_to_it(running: QueueManager) -> None:
    grant(running.host, "alice", MQOT_TOPIC, "A", "SUB")
    grant(running.host, "alice", MQOT_Q, "Q1", "GET")
    alice = program(running, "alice")
    queue = alice.open("Q1", MQOO_INPUT_SHARED)
    with pytest.raises(MQError) as refused:
        alice.subscribe(SubscriptionRequest(MQSO_CREATE, "a"), queue)
    assert refused.value.reason == MQRC_NOT_AUTHORIZED
    grant(running.host, "alice", MQOT_Q, "Q1", "GET,PUT")
    alice.subscribe(SubscriptionRequest(MQSO_CREATE, "a"), queue)


def test_another_user_and_another_identity_take_rights_of_their_own(running: QueueManager) -> None:
    grant(running.host, "alice", MQOT_TOPIC, "A", "SUB,PUB")
    alice = program(running, "alice")
    identity = SubscriptionRequest(MANAGED | MQSO_SET_IDENTITY_CONTEXT, "a")
    assert reason_of(alice, identity) == MQRC_NOT_AUTHORIZED
    other = SubscriptionRequest(MANAGED | MQSO_ALTERNATE_USER_AUTHORITY, "a")
    other.alternate_user = "bob"
    assert reason_of(alice, other) == MQRC_NOT_AUTHORIZED
    grant(running.host, "alice", MQOT_Q_MGR, "SELF", "CONNECT,ALTUSR")
    assert reason_of(alice, other) == MQRC_NOT_AUTHORIZED
    with pytest.raises(MQError):
        alice.open_topic("", "a", MQOO_OUTPUT | MQOO_ALTERNATE_USER_AUTHORITY, "bob")
    grant(running.host, "bob", MQOT_TOPIC, "A", "SUB,PUB")
    assert alice.subscribe(other).subscription.user == "bob"
    alice.open_topic("", "a", MQOO_OUTPUT | MQOO_ALTERNATE_USER_AUTHORITY, "bob")
    grant(running.host, "alice", MQOT_Q_MGR, "SELF", "CONNECT")
    assert reason_of(alice, other) == MQRC_NOT_AUTHORIZED
    with pytest.raises(MQError):
        alice.open_topic("", "a", MQOO_OUTPUT | MQOO_ALTERNATE_USER_AUTHORITY, "bob")


@pytest.mark.parametrize("user_option", [MQSO_FIXED_USERID, MQSO_ANY_USERID])
def test_who_may_take_a_subscription_up_again(running: QueueManager, user_option: int) -> None:
    grant(running.host, "alice", MQOT_TOPIC, "A", "SUB")
    grant(running.host, "bob", MQOT_TOPIC, "A", "SUB")
    alice, bob = program(running, "alice"), program(running, "bob")
    made = alice.subscribe(SubscriptionRequest(MANAGED | MQSO_DURABLE | user_option, "a", name="S"))
    alice.close(made.handle)
    resume = SubscriptionRequest(MQSO_RESUME, name="S")
    assert reason_of(bob, resume) == MQRC_NOT_AUTHORIZED
    grant(running.host, "bob", MQOT_TOPIC, "A", "SUB,RESUME")
    if user_option == MQSO_FIXED_USERID:
        assert reason_of(bob, resume) == MQRC_IDENTITY_MISMATCH
        return
    bob.close(bob.subscribe(resume).handle)
    alter = SubscriptionRequest(MQSO_ALTER | MQSO_MANAGED | MQSO_DURABLE, name="S")
    again = bob.subscribe(alter)
    assert again.subscription.user == "bob"
    bob.close(again.handle, MQCO_REMOVE_SUB)


def test_a_subscription_ends_when_its_time_is_past(running: QueueManager) -> None:
    host = running.host
    owner = running.connect("test")
    request = SubscriptionRequest(MANAGED | MQSO_DURABLE, "a", name="S")
    request.expiry = 1
    made = owner.subscribe(request)
    made.subscription.expires -= 1000
    owner.publish("", "a", lasting(), b"too late")
    end_expired(host.engine, host.administration)
    assert "S" in host.engine.topics.by_name  # a program has it open
    owner.close(made.handle)
    owner.close(made.queue)
    end_expired(host.engine, host.administration)
    assert "S" not in host.engine.topics.by_name
    assert made.subscription.destination not in host.queues.by_name
    assert ("SUB", "S") not in host.catalogue.records


def test_a_program_that_dies_leaves_its_durable_subscriptions_alone(running: QueueManager) -> None:
    first = running.connect("test")
    lasts = first.subscribe(SubscriptionRequest(MANAGED | MQSO_DURABLE, "a", name="LASTS"))
    first.subscribe(SubscriptionRequest(MANAGED, "a", name="ENDS"))
    topics = running.host.engine.topics
    first.abandon()
    assert set(topics.by_name) == {"LASTS"}
    assert not lasts.subscription.owner
    assert list(topics.managed) == [lasts.subscription.destination]
    assert [name for name in running.host.queues.by_name if name.startswith("SYSTEM.MANAGED")] == list(topics.managed)
