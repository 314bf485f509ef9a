"""Who may publish and subscribe where, who shares a subscription, and when subscriptions end by themselves."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.authorities import grant
from tests.support.hosting import lasting

from kew.codes.errors import MQError
from kew.codes.options import (
    MQCO_REMOVE_SUB,
    MQGMO_NO_SYNCPOINT,
    MQOO_ALTERNATE_USER_AUTHORITY,
    MQOO_CO_OP,
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
from kew.codes.reasons import (
    MQRC_IDENTITY_MISMATCH,
    MQRC_NO_MSG_AVAILABLE,
    MQRC_NO_SUBSCRIPTION,
    MQRC_NOT_AUTHORIZED,
    MQRC_SUB_JOIN_NOT_ALTERABLE,
    MQRC_SUBSCRIPTION_IN_USE,
)
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.local.connection import LocalConnection
from kew.mqi.subscribing.subscribe import Subscribed, SubscriptionRequest
from kew.mqi.subscribing.unsubscribe import end_expired
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


@pytest.mark.parametrize("user_option", [0, MQSO_FIXED_USERID, MQSO_ANY_USERID])
def test_who_may_take_a_subscription_up_again(running: QueueManager, user_option: int) -> None:
    grant(running.host, "alice", MQOT_TOPIC, "A", "SUB")
    grant(running.host, "bob", MQOT_TOPIC, "A", "SUB")
    alice, bob = program(running, "alice"), program(running, "bob")
    made = alice.subscribe(SubscriptionRequest(MANAGED | MQSO_DURABLE | user_option, "a", name="S"))
    alice.close(made.handle)
    resume = SubscriptionRequest(MQSO_RESUME, name="S")
    assert reason_of(bob, resume) == MQRC_NOT_AUTHORIZED
    grant(running.host, "bob", MQOT_TOPIC, "A", "SUB,RESUME")
    if user_option != MQSO_ANY_USERID:
        assert reason_of(bob, resume) == MQRC_IDENTITY_MISMATCH
        return
    grant(running.host, "bob", MQOT_TOPIC, "A", "RESUME")
    assert reason_of(bob, resume) == MQRC_NOT_AUTHORIZED  # it would be his
    grant(running.host, "bob", MQOT_TOPIC, "A", "SUB,RESUME")
    bob.close(bob.subscribe(resume).handle)
    assert running.host.catalogue.records["SUB", "S"].values["SUBUSER"] == "bob"
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
    assert not lasts.subscription.owners
    assert list(topics.managed) == [lasts.subscription.destination]
    assert [name for name in running.host.queues.by_name if name.startswith("SYSTEM.MANAGED")] == list(topics.managed)


def shared(options: int = MANAGED | MQSO_ALTER | MQSO_ANY_USERID) -> SubscriptionRequest:
    request = SubscriptionRequest(options, "a", name="S")
    request.joins = request.shared = True
    return request


def taken(connection: LocalConnection, made: Subscribed) -> list[bytes]:
    found = []
    while True:
        try:
            found.append(connection.get(made.queue, MQGMO_NO_SYNCPOINT).data)
        except MQError as error:
            assert error.reason == MQRC_NO_MSG_AVAILABLE
            return found


def test_a_shared_subscription_lasts_as_long_as_one_has_it(running: QueueManager) -> None:
    first, second, publisher = (running.connect(name) for name in ("first", "second", "publisher"))
    one, other, third = first.subscribe(shared()), second.subscribe(shared()), second.subscribe(shared())
    topics = running.host.engine.topics
    assert one.subscription is other.subscription is third.subscription
    publisher.publish("", "a", MessageDescriptor(), b"1")
    publisher.publish("", "a", MessageDescriptor(), b"2")
    assert taken(first, one) + taken(second, other) == [b"1", b"2"]
    first.abandon()
    second.close(other.handle)
    publisher.publish("", "a", MessageDescriptor(), b"3")
    assert taken(second, third) == [b"3"]
    second.close(third.handle)
    assert "S" not in topics.by_name


def test_a_shared_subscription_is_removed_by_the_last_only(running: QueueManager) -> None:
    first, second = running.connect("first"), running.connect("second")
    durable = MANAGED | MQSO_ALTER | MQSO_ANY_USERID | MQSO_DURABLE
    one, other = first.subscribe(shared(durable)), second.subscribe(shared(durable))
    with pytest.raises(MQError) as refused:
        first.close(one.handle, MQCO_REMOVE_SUB)
    assert refused.value.reason == MQRC_SUBSCRIPTION_IN_USE
    second.close(other.handle)
    first.close(one.handle, MQCO_REMOVE_SUB)
    assert "S" not in running.host.engine.topics.by_name


def test_what_is_shared_is_not_taken_up_otherwise(tmp_path: Path) -> None:
    durable = MANAGED | MQSO_ALTER | MQSO_ANY_USERID | MQSO_DURABLE
    manager.create("QM1", data=str(tmp_path))
    with manager.start("QM1", str(tmp_path)) as before:
        before.connect("test").subscribe(shared(durable))
        alone = SubscriptionRequest(durable, "a", name="ALONE")
        before.connect("test").subscribe(alone)
    with manager.start("QM1", str(tmp_path)) as running:  # it is of the subscription, not of who has it open
        program = running.connect("test")
        assert reason_of(program, SubscriptionRequest(durable, "a", name="S")) == MQRC_SUB_JOIN_NOT_ALTERABLE
        assert reason_of(program, SubscriptionRequest(MQSO_RESUME, name="S")) == MQRC_SUB_JOIN_NOT_ALTERABLE
        alone.joins = alone.shared = True
        assert reason_of(program, alone) == MQRC_SUB_JOIN_NOT_ALTERABLE
        whatever = SubscriptionRequest(MQSO_RESUME, name="S")
        whatever.shared = None
        program.close(program.subscribe(whatever).handle, MQCO_REMOVE_SUB)


def test_clones_share_while_all_say_so(running: QueueManager) -> None:
    first, second = running.connect("first"), running.connect("second")
    clone = SubscriptionRequest(MANAGED | MQSO_ALTER | MQSO_ANY_USERID | MQSO_DURABLE, "a", name="S")
    clone.joins = True
    alone = SubscriptionRequest(clone.options, "a", name="S")
    one = first.subscribe(clone)
    assert reason_of(second, alone) == MQRC_SUBSCRIPTION_IN_USE
    other = second.subscribe(clone)
    first.close(one.handle)
    second.close(other.handle)
    first.subscribe(alone)
    assert reason_of(second, clone) == MQRC_SUBSCRIPTION_IN_USE


def test_another_of_the_same_user_assists_with_what_came(running: QueueManager) -> None:
    grant(running.host, "alice", MQOT_TOPIC, "A", "SUB,PUB")
    grant(running.host, "bob", MQOT_TOPIC, "A", "SUB,PUB")
    alice, helper, bob = program(running, "alice"), program(running, "alice"), program(running, "bob")
    made = alice.subscribe(SubscriptionRequest(MANAGED, "a"))
    asked = SubscriptionRequest(MQSO_RESUME | MQSO_MANAGED)
    asked.assisted = made.subscription.id
    asked.open_options = MQOO_CO_OP
    assert reason_of(bob, asked) == MQRC_IDENTITY_MISMATCH
    grant(running.host, "alice", MQOT_TOPIC, "A", "PUB")
    assert reason_of(helper, asked) == MQRC_NOT_AUTHORIZED
    grant(running.host, "alice", MQOT_TOPIC, "A", "SUB,PUB")
    assisting = helper.subscribe(asked)
    assert assisting.queue.options & MQOO_CO_OP
    alice.publish("", "a", MessageDescriptor(), b"1")
    assert taken(helper, assisting) == [b"1"]
    with pytest.raises(MQError) as refused:
        helper.close(assisting.handle, MQCO_REMOVE_SUB)
    assert refused.value.reason == MQRC_SUBSCRIPTION_IN_USE
    helper.close(assisting.handle)
    helper.close(assisting.queue)
    alice.publish("", "a", MessageDescriptor(), b"2")
    assert taken(alice, made) == [b"2"]  # who assists does not end it
    alice.close(made.handle)
    assert reason_of(helper, asked) == MQRC_NO_SUBSCRIPTION
