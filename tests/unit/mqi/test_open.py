"""MQOPEN and MQCLOSE: who may have a queue open, aliases, and queues made from models."""

from collections.abc import Callable

import pytest
from tests.support.hosting import EVERYTHING, after_power_loss, create, lasting, opened, passing, small
from tests.support.simdisk import SimDisk
from tests.support.threads import Background, until

from kew.codes.attributes import MQIA_CURRENT_Q_DEPTH, MQIA_INHIBIT_PUT, MQQDT_PERMANENT_DYNAMIC
from kew.codes.errors import MQError, NoMessage
from kew.codes.options import (
    MQCO_DELETE,
    MQCO_DELETE_PURGE,
    MQGMO_BROWSE_FIRST,
    MQGMO_BROWSE_NEXT,
    MQGMO_LOCK,
    MQGMO_SYNCPOINT,
    MQGMO_WAIT,
    MQOO_BROWSE,
    MQOO_INPUT_AS_Q_DEF,
    MQOO_INPUT_EXCLUSIVE,
    MQOO_INPUT_SHARED,
    MQOO_INQUIRE,
    MQOO_OUTPUT,
    MQOO_SAVE_ALL_CONTEXT,
    MQOO_SET,
    MQPMO_SYNCPOINT,
    MQWI_UNLIMITED,
)
from kew.codes.reasons import (
    MQRC_ALIAS_BASE_Q_TYPE_ERROR,
    MQRC_DYNAMIC_Q_NAME_ERROR,
    MQRC_HCONN_ERROR,
    MQRC_HOBJ_ERROR,
    MQRC_OBJECT_ALREADY_EXISTS,
    MQRC_OBJECT_IN_USE,
    MQRC_OPTION_NOT_VALID_FOR_TYPE,
    MQRC_OPTIONS_ERROR,
    MQRC_PERSISTENT_NOT_ALLOWED,
    MQRC_PUT_INHIBITED,
    MQRC_Q_DELETED,
    MQRC_Q_NOT_EMPTY,
    MQRC_UNKNOWN_ALIAS_BASE_Q,
    MQRC_UNKNOWN_OBJECT_NAME,
)
from kew.mqi.delivery.longput import LongPut
from kew.mqi.local.connection import LocalConnection
from kew.mqi.puts.put import put
from kew.mqi.puts.request import PutRequest
from kew.qmgr.assemble import Host


def refused(connection: LocalConnection, name: str, options: int, dynamic: str = "") -> int:
    """Give the reason for which an open is refused."""
    with pytest.raises(MQError) as error:
        connection.open(name, options, dynamic)
    return error.value.reason


def with_queue(**values: int) -> Host:
    host = create(SimDisk(), small())
    host.administration.define("QLOCAL", "Q1", {**values})
    return host


# -- handles -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second", "reason"),
    [
        (MQOO_INPUT_SHARED, MQOO_INPUT_SHARED, 0),
        (MQOO_INPUT_SHARED, MQOO_INPUT_EXCLUSIVE, MQRC_OBJECT_IN_USE),
        (MQOO_INPUT_EXCLUSIVE, MQOO_INPUT_SHARED, MQRC_OBJECT_IN_USE),
        (MQOO_INPUT_EXCLUSIVE, MQOO_INPUT_EXCLUSIVE, MQRC_OBJECT_IN_USE),
        (MQOO_INPUT_EXCLUSIVE, MQOO_OUTPUT, 0),
        (MQOO_INPUT_EXCLUSIVE, MQOO_BROWSE, 0),
        (MQOO_OUTPUT, MQOO_INPUT_EXCLUSIVE, 0),
        (MQOO_BROWSE, MQOO_INPUT_EXCLUSIVE, 0),
    ],
)
def test_exclusive_and_shared_input(first: int, second: int, reason: int) -> None:
    host = create(SimDisk(), small())
    host.administration.define("QLOCAL", "Q1", {})
    one, two = host.connect(), host.connect()
    handle = one.open("Q1", first)
    if reason:
        assert refused(two, "Q1", second) == reason
        one.close(handle)
    two.open("Q1", second)


def test_input_as_the_queue_says() -> None:
    host = create(SimDisk(), small())
    host.administration.define("QLOCAL", "SHARED", {"DEFSOPT": 2})
    host.administration.define("QLOCAL", "EXCLUSIVE", {"DEFSOPT": 4})
    host.administration.define("QLOCAL", "NOSHARE", {"SHARE": 0})
    one, two = host.connect(), host.connect()
    for name in ("SHARED", "EXCLUSIVE", "NOSHARE"):
        one.open(name, MQOO_INPUT_AS_Q_DEF)
    two.open("SHARED", MQOO_INPUT_AS_Q_DEF)
    assert refused(two, "EXCLUSIVE", MQOO_INPUT_SHARED) == MQRC_OBJECT_IN_USE
    assert refused(two, "NOSHARE", MQOO_INPUT_SHARED) == MQRC_OBJECT_IN_USE


def test_a_program_that_dies_gives_its_exclusive_handle_back() -> None:
    host = create(SimDisk(), small())
    host.administration.define("QLOCAL", "Q1", {})
    one, two = host.connect(), host.connect()
    one.open("Q1", MQOO_INPUT_EXCLUSIVE)
    one.abandon()
    two.open("Q1", MQOO_INPUT_EXCLUSIVE)


@pytest.mark.parametrize(
    "options",
    [0, 1 << 30, MQOO_INPUT_SHARED | MQOO_INPUT_EXCLUSIVE, MQOO_INPUT_AS_Q_DEF | MQOO_INPUT_SHARED],
    ids=["none", "unknown", "shared and exclusive", "as defined and shared"],
)
def test_options_that_make_no_sense(options: int) -> None:
    assert refused(with_queue().connect(), "Q1", options) == MQRC_OPTIONS_ERROR


def test_context_can_be_saved_where_messages_are_got_only() -> None:
    host = with_queue()
    assert refused(host.connect(), "Q1", MQOO_OUTPUT | MQOO_SAVE_ALL_CONTEXT) == MQRC_OPTIONS_ERROR


def test_a_name_that_is_not_there() -> None:
    assert refused(with_queue().connect(), "NOWHERE", MQOO_OUTPUT) == MQRC_UNKNOWN_OBJECT_NAME


def test_blanks_at_the_end_of_a_name_do_not_count() -> None:
    host = with_queue()
    connection = host.connect()
    assert connection.open("Q1".ljust(48), MQOO_OUTPUT).name == "Q1"


def test_a_closed_handle_is_of_no_use() -> None:
    host = with_queue()
    connection, queue = opened(host, options=EVERYTHING | MQOO_SET)
    connection.close(queue)
    verbs: list[Callable[[], object]] = [
        lambda: connection.put(queue, passing(), b"x"),
        lambda: connection.get(queue),
        lambda: connection.get(queue, MQGMO_BROWSE_FIRST),
        lambda: connection.inquire(queue, [MQIA_CURRENT_Q_DEPTH]),
        lambda: connection.set(queue, {MQIA_INHIBIT_PUT: 1}),
        lambda: connection.close(queue),
    ]
    for verb in verbs:
        with pytest.raises(MQError) as error:
            verb()
        assert error.value.reason == MQRC_HOBJ_ERROR


def test_a_handle_of_any_kind_keeps_the_queue_from_being_deleted_and_cleared() -> None:
    host = create(SimDisk(), small())
    host.administration.define("QLOCAL", "Q1", {})
    for options in (MQOO_OUTPUT, MQOO_INPUT_SHARED, MQOO_BROWSE, MQOO_INQUIRE, MQOO_SET):
        connection, queue = opened(host, options=options)
        calls: list[Callable[[str], object]] = [host.administration.delete, host.administration.clear]
        for call in calls:
            with pytest.raises(MQError) as error:
                call("Q1")
            assert error.value.reason == MQRC_OBJECT_IN_USE
        connection.close(queue)
    host.administration.delete("Q1")


# -- aliases -----------------------------------------------------------------------------------------------------------


def test_an_alias_leads_to_its_queue_with_defaults_of_its_own() -> None:
    host = with_queue(DEFPRTY=3, DEFPSIST=0)
    host.administration.define("QALIAS", "A1", {"TARGET": "Q1", "DEFPRTY": 7, "DEFPSIST": 1})
    connection, alias = opened(host, "A1")
    assert (alias.name, alias.opened_name) == ("Q1", "A1")
    descriptor = passing()
    descriptor.persistence = 2
    connection.put(alias, descriptor, b"x")
    got = connection.get(alias)
    assert (got.descriptor.priority, got.descriptor.persistence) == (7, 1)


def test_an_alias_may_be_inhibited_while_its_queue_is_not() -> None:
    host = with_queue()
    host.administration.define("QALIAS", "A1", {"TARGET": "Q1", "PUT": 1})
    connection, alias = opened(host, "A1")
    with pytest.raises(MQError) as error:
        connection.put(alias, passing(), b"x")
    assert error.value.reason == MQRC_PUT_INHIBITED
    connection.put(connection.open("Q1", MQOO_OUTPUT), passing(), b"x")
    assert connection.get(alias).data == b"x"


def test_an_alias_that_leads_nowhere_or_to_another_alias() -> None:
    host = with_queue()
    host.administration.define("QALIAS", "A1", {"TARGET": "NOWHERE"})
    host.administration.define("QALIAS", "A2", {"TARGET": "A1"})
    host.administration.define("QMODEL", "M1", {})
    host.administration.define("QALIAS", "A3", {"TARGET": "M1"})
    connection = host.connect()
    assert refused(connection, "A1", MQOO_OUTPUT) == MQRC_UNKNOWN_ALIAS_BASE_Q
    assert refused(connection, "A2", MQOO_OUTPUT) == MQRC_ALIAS_BASE_Q_TYPE_ERROR
    assert refused(connection, "A3", MQOO_OUTPUT) == MQRC_ALIAS_BASE_Q_TYPE_ERROR


# -- models ------------------------------------------------------------------------------------------------------------


# A model queue makes queues that are not shared unless it says so.
SHARED = {"SHARE": 1, "DEFSOPT": MQOO_INPUT_SHARED}


def with_models() -> Host:
    host = create(SimDisk(), small())
    host.administration.define("QMODEL", "TEMPORARY", SHARED)
    host.administration.define("QMODEL", "PERMANENT", {**SHARED, "DEFTYPE": MQQDT_PERMANENT_DYNAMIC})
    return host


def test_names_of_dynamic_queues() -> None:
    connection = with_models().connect()
    assert connection.open("TEMPORARY", EVERYTHING).name.startswith("AMQ.")
    first = connection.open("TEMPORARY", EVERYTHING, "MINE.*").name
    second = connection.open("TEMPORARY", EVERYTHING, "MINE.*").name
    assert first.startswith("MINE.")
    assert second.startswith("MINE.")
    assert first != second
    assert connection.open("TEMPORARY", EVERYTHING, "JUST.THIS").name == "JUST.THIS"
    assert refused(connection, "TEMPORARY", EVERYTHING, "JUST.THIS") == MQRC_OBJECT_ALREADY_EXISTS
    assert len(connection.open("TEMPORARY", EVERYTHING, "A" * 32 + "*").name) == 48
    assert refused(connection, "TEMPORARY", EVERYTHING, "A" * 33 + "*") == MQRC_DYNAMIC_Q_NAME_ERROR


@pytest.mark.parametrize("name", ["*FIRST", "NOT VALID", "A" * 49, "A*B*"])
def test_a_name_that_no_queue_may_have(name: str) -> None:
    host = with_models()
    assert refused(host.connect(), "TEMPORARY", EVERYTHING, name) == MQRC_DYNAMIC_Q_NAME_ERROR


@pytest.mark.parametrize("model", ["TEMPORARY", "PERMANENT"])
def test_an_open_that_is_refused_makes_no_queue(model: str) -> None:
    host = with_models()
    connection = host.connect()
    assert refused(connection, model, 0) == MQRC_OPTIONS_ERROR
    connection.disconnect()
    assert refused(connection, model, EVERYTHING) == MQRC_HCONN_ERROR
    assert not host.queues.by_name


def test_a_temporary_queue_goes_with_the_handle_that_made_it() -> None:
    host = with_models()
    connection = host.connect()
    free = host.store.page_sets[1].space.free
    queue = connection.open("TEMPORARY", EVERYTHING, "TEMP")
    for number in range(100):
        connection.put(queue, passing(), b"%d" % number)
    connection.put(queue, passing(), bytes(50_000))
    other = connection.open("TEMP", EVERYTHING)
    connection.close(other)
    assert connection.get(queue).data == b"0", "another handle may be closed"
    connection.close(queue)
    assert refused(connection, "TEMP", EVERYTHING) == MQRC_UNKNOWN_OBJECT_NAME
    assert host.store.page_sets[1].space.free == free
    connection.open("TEMPORARY", EVERYTHING, "TEMP")


def test_a_temporary_queue_goes_with_the_connection() -> None:
    host = with_models()
    connection = host.connect()
    connection.open("TEMPORARY", EVERYTHING, "TEMP")
    connection.disconnect()
    assert not host.queues.by_name


def test_a_temporary_queue_takes_no_persistent_messages_and_is_gone_after_a_restart() -> None:
    disk, settings = SimDisk(), small()
    host = create(disk, settings)
    host.administration.define("QMODEL", "TEMPORARY", SHARED)
    connection = host.connect()
    queue = connection.open("TEMPORARY", EVERYTHING, "TEMP")
    with pytest.raises(MQError) as error:
        connection.put(queue, lasting(), b"x")
    assert error.value.reason == MQRC_PERSISTENT_NOT_ALLOWED
    connection.put(queue, passing(), b"x")
    assert not after_power_loss(disk, settings).queues.by_name


def test_who_has_a_temporary_queue_open_is_told_that_it_is_deleted() -> None:
    host = with_models()
    maker, user = host.connect(), host.connect()
    free = host.store.page_sets[1].space.free
    made = maker.open("TEMPORARY", EVERYTHING, "TEMP")
    used = user.open("TEMP", EVERYTHING)
    user.put(used, passing(), b"x")
    user.put(used, passing(), b"y", MQPMO_SYNCPOINT)
    maker.close(made)
    verbs: list[Callable[[], object]] = [lambda: user.put(used, passing(), b"z"), lambda: user.get(used)]
    for verb in verbs:
        with pytest.raises(MQError) as error:
            verb()
        assert error.value.reason == MQRC_Q_DELETED
    assert refused(maker, "TEMP", EVERYTHING) == MQRC_UNKNOWN_OBJECT_NAME
    again = maker.open("TEMPORARY", EVERYTHING, "TEMP")
    with pytest.raises(NoMessage):
        maker.get(again)
    user.close(used)
    assert list(host.queues.by_name) == ["TEMP"]
    user.commit()
    maker.close(again)
    assert host.store.page_sets[1].space.free == free
    assert not host.queues.by_id


def test_a_get_that_waits_on_a_temporary_queue_is_told_that_it_is_deleted() -> None:
    host = with_models()
    maker, user = host.connect(), host.connect()
    made = maker.open("TEMPORARY", EVERYTHING, "TEMP")
    used = user.open("TEMP", EVERYTHING)
    inner = used.queue
    assert inner is not None
    call = Background(lambda: user.get(used, MQGMO_WAIT, MQWI_UNLIMITED))
    until(lambda: inner.waiters.count == 1)
    maker.close(made)
    with pytest.raises(MQError) as error:
        call.result()
    assert error.value.reason == MQRC_Q_DELETED


def test_a_temporary_queue_is_deleted_once() -> None:
    host = with_models()
    maker, user = host.connect(), host.connect()
    maker.open("TEMPORARY", EVERYTHING, "TEMP")
    used = user.open("TEMP", EVERYTHING).queue
    assert used is not None
    host.administration.retire(used)
    again = maker.open("TEMPORARY", EVERYTHING, "TEMP").queue
    host.administration.retire(used)
    assert host.queues.by_name["TEMP"] is again


def test_a_temporary_queue_can_be_inhibited() -> None:
    host = with_models()
    connection = host.connect()
    queue = connection.open("TEMPORARY", EVERYTHING | MQOO_SET, "TEMP")
    connection.set(queue, {MQIA_INHIBIT_PUT: 1})
    with pytest.raises(MQError) as error:
        connection.put(queue, passing(), b"x")
    assert error.value.reason == MQRC_PUT_INHIBITED
    connection.set(queue, {MQIA_INHIBIT_PUT: 0})
    connection.put(queue, passing(), b"x")


def test_a_queue_cannot_be_defined_over_a_temporary_one() -> None:
    host = with_models()
    connection = host.connect()
    connection.open("TEMPORARY", EVERYTHING, "TEMP")
    with pytest.raises(MQError) as error:
        host.administration.define("QLOCAL", "TEMP", {})
    assert error.value.reason == MQRC_OBJECT_ALREADY_EXISTS


def test_a_permanent_dynamic_queue_stays_until_it_is_deleted() -> None:
    disk, settings = SimDisk(), small()
    host = create(disk, settings)
    host.administration.define("QMODEL", "PERMANENT", {"DEFTYPE": MQQDT_PERMANENT_DYNAMIC, "MAXDEPTH": 77})
    connection = host.connect()
    queue = connection.open("PERMANENT", EVERYTHING, "PERM")
    connection.put(queue, lasting(), b"x")
    connection.disconnect()
    host = after_power_loss(disk, settings)
    connection, queue = opened(host, "PERM")
    assert queue.queue is not None
    assert queue.queue.max_depth == 77
    with pytest.raises(MQError) as error:
        connection.close(queue, MQCO_DELETE)
    assert error.value.reason == MQRC_Q_NOT_EMPTY
    assert connection.get(queue).data == b"x", "a close that is refused leaves the handle open"
    connection.close(queue, MQCO_DELETE)
    assert refused(connection, "PERM", EVERYTHING) == MQRC_UNKNOWN_OBJECT_NAME
    assert isinstance(host.disk, SimDisk)
    assert "PERM" not in after_power_loss(host.disk, settings).queues.by_name


def given_back(host: Host, free: int) -> bool:
    host.log.force(host.log.next_address)
    host.store.page_sets[1].space.release(host.log.durable)
    return host.store.page_sets[1].space.free == free


def test_a_permanent_dynamic_queue_is_purged_though_another_has_it_open() -> None:
    host = with_models()
    connection, other = host.connect(), host.connect()
    free = host.store.page_sets[1].space.free
    queue = connection.open("PERMANENT", EVERYTHING, "PERM")
    for _ in range(100):
        connection.put(queue, lasting(), b"x")
    connection.put(queue, passing(), bytes(9000))
    others_queue = other.open("PERM", MQOO_BROWSE | MQOO_INPUT_SHARED)
    other.get(others_queue, MQGMO_BROWSE_FIRST | MQGMO_LOCK)
    other.get(others_queue, MQGMO_SYNCPOINT)
    with pytest.raises(MQError) as error:
        connection.close(queue, MQCO_DELETE_PURGE)
    assert error.value.reason == MQRC_Q_NOT_EMPTY, "there is uncommitted work"
    other.backout()
    connection.close(queue, MQCO_DELETE_PURGE)
    assert "PERM" not in host.queues.by_name
    assert not given_back(host, free), "another may have it locked"
    with pytest.raises(MQError) as error:
        other.get(others_queue, MQGMO_BROWSE_NEXT)
    assert error.value.reason == MQRC_Q_DELETED
    other.disconnect()
    assert given_back(host, free)


def test_a_deleted_queue_does_not_come_back_though_others_had_it_open() -> None:
    host = with_models()
    connection, other = host.connect(), host.connect()
    free = host.store.page_sets[1].space.free
    queue = connection.open("PERMANENT", EVERYTHING, "PERM")
    connection.put(queue, lasting(), bytes(20000))
    number = host.queues.by_name["PERM"].id
    other.open("PERM", EVERYTHING)
    connection.close(queue, MQCO_DELETE_PURGE)
    assert isinstance(host.disk, SimDisk)
    again = after_power_loss(host.disk, small())
    assert "PERM" not in again.queues.by_name
    assert given_back(again, free)
    again.administration.define("QLOCAL", "NEXT", {})
    assert again.queues.by_name["NEXT"].id > number
    assert again.queues.by_name["NEXT"].depth == 0


def test_deleting_a_permanent_dynamic_queue_ends_the_gets_that_wait_on_it() -> None:
    host = with_models()
    connection, other = host.connect(), host.connect()
    queue = connection.open("PERMANENT", EVERYTHING, "PERM")
    others_queue = other.open("PERM", MQOO_INPUT_SHARED)
    call = Background(lambda: other.get(others_queue, MQGMO_WAIT, MQWI_UNLIMITED))
    until(lambda: host.queues.by_name["PERM"].waiters.count == 1)
    connection.close(queue, MQCO_DELETE)
    with pytest.raises(MQError) as error:
        call.result()
    assert error.value.reason == MQRC_Q_DELETED


@pytest.mark.parametrize("make", [lasting, passing])
@pytest.mark.parametrize("options", [0, MQPMO_SYNCPOINT])
def test_a_long_put_ends_when_its_queue_is_deleted_under_it(make: type, options: int) -> None:
    host = with_models()
    connection, other = host.connect(), host.connect()
    free = host.store.page_sets[1].space.free
    queue = connection.open("PERMANENT", EVERYTHING, "PERM")
    others_queue = other.open("PERM", MQOO_OUTPUT)
    half = host.engine.run(lambda: put(PutRequest(other.connection, others_queue, make(), bytes(100000), options)))
    assert isinstance(half, LongPut)
    connection.close(queue, MQCO_DELETE)
    with pytest.raises(MQError) as error:
        other.finish_put(half)
    assert error.value.reason == MQRC_Q_DELETED
    other.commit()
    other.close(others_queue)
    assert given_back(host, free)
    assert host.store.reserved == 0


def test_two_who_delete_a_permanent_dynamic_queue_at_once() -> None:
    host = with_models()
    connection, other = host.connect(), host.connect()
    queue = connection.open("PERMANENT", EVERYTHING, "PERM")
    others_queue = other.open("PERM", EVERYTHING)
    found = others_queue.queue
    assert found is not None
    connection.close(queue, MQCO_DELETE)
    assert host.administration.discard(found, purge=False) > 0, "to be waited for, as by the first"
    other.close(others_queue, MQCO_DELETE)
    assert not host.queues.by_id.get(found.id)


@pytest.mark.parametrize("option", [MQCO_DELETE, MQCO_DELETE_PURGE])
def test_a_predefined_queue_is_not_deleted_by_a_close(option: int) -> None:
    host = with_queue()
    connection, queue = opened(host)
    with pytest.raises(MQError) as error:
        connection.close(queue, option)
    assert error.value.reason == MQRC_OPTION_NOT_VALID_FOR_TYPE
    connection.close(queue)


def test_close_options_that_make_no_sense() -> None:
    host = with_queue()
    connection, queue = opened(host)
    with pytest.raises(MQError) as error:
        connection.close(queue, 999)
    assert error.value.reason == MQRC_OPTIONS_ERROR
