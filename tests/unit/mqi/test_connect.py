"""Connections: what ends them, and what is refused then."""

from collections.abc import Callable

import pytest
from tests.support.hosting import EVERYTHING, after_power_loss, create, lasting, opened, passing, queue_of, small
from tests.support.simdisk import SimDisk

from kew.codes.errors import Broken, MQError
from kew.codes.options import MQGMO_FAIL_IF_QUIESCING, MQOO_FAIL_IF_QUIESCING, MQPMO_FAIL_IF_QUIESCING
from kew.codes.reasons import (
    MQRC_CONNECTION_BROKEN,
    MQRC_HCONN_ERROR,
    MQRC_HOBJ_ERROR,
    MQRC_Q_MGR_QUIESCING,
    MQRC_Q_MGR_STOPPING,
)
from kew.mqi.connections.handles import Handle
from kew.mqi.engine import QUIESCING, STOPPING, Clock, IdGenerator
from kew.mqi.local.connection import LocalConnection


def verbs_of(connection: LocalConnection, queue: Handle) -> dict[str, Callable[[], object]]:
    return {
        "open": lambda: connection.open("Q1", EVERYTHING),
        "put": lambda: connection.put(queue, passing(), b"x"),
        "put1": lambda: connection.put1("Q1", passing(), b"x"),
        "get": lambda: connection.get(queue),
        "inquire": lambda: connection.inquire(queue, []),
        "commit": connection.commit,
        "backout": connection.backout,
        "begin": connection.begin,
        "start branch": lambda: connection.start_branch(b"xid"),
        "end branch": connection.end_branch,
    }


def test_nothing_can_be_done_after_a_disconnect() -> None:
    host = create(SimDisk(), small())
    connection, queue = queue_of(host)
    connection.disconnect()
    for name, verb in {**verbs_of(connection, queue), "disconnect": connection.disconnect}.items():
        with pytest.raises(MQError) as error:
            verb()
        assert error.value.reason in (MQRC_HCONN_ERROR, MQRC_HOBJ_ERROR), name
    assert not host.engine.connections


def test_a_disconnect_closes_every_handle() -> None:
    host = create(SimDisk(), small())
    connection, _queue = queue_of(host)
    for _ in range(5):
        connection.open("Q1", EVERYTHING)
    queue = host.queues.by_name["Q1"]
    assert (queue.handles, queue.input_handles, queue.output_handles) == (6, 6, 6)
    connection.disconnect()
    assert (queue.handles, queue.input_handles, queue.output_handles) == (0, 0, 0)


def test_verbs_that_asked_for_it_fail_while_the_queue_manager_quiesces() -> None:
    host = create(SimDisk(), small())
    connection, queue = queue_of(host)
    host.engine.state = QUIESCING
    connection.put(queue, passing(), b"x")
    for verb in (
        lambda: connection.open("Q1", EVERYTHING | MQOO_FAIL_IF_QUIESCING),
        lambda: connection.put(queue, passing(), b"x", MQPMO_FAIL_IF_QUIESCING),
        lambda: connection.get(queue, MQGMO_FAIL_IF_QUIESCING),
    ):
        with pytest.raises(MQError) as error:
            verb()
        assert error.value.reason == MQRC_Q_MGR_QUIESCING
    assert connection.get(queue).data == b"x"


def test_every_verb_fails_while_the_queue_manager_stops() -> None:
    host = create(SimDisk(), small())
    connection, queue = queue_of(host)
    host.engine.state = STOPPING
    for name, verb in verbs_of(connection, queue).items():
        with pytest.raises(Broken) as error:
            verb()
        assert error.value.reason == MQRC_Q_MGR_STOPPING, name


def test_a_log_that_breaks_breaks_every_connection_and_acknowledges_nothing() -> None:
    disk = SimDisk()
    host = create(disk, small())
    connection, queue = queue_of(host)
    other, others_queue = opened(host)
    disk.fail(1)
    with pytest.raises(Broken) as error:
        connection.put(queue, lasting(), b"never acknowledged")
    assert error.value.reason == MQRC_CONNECTION_BROKEN
    for name, verb in verbs_of(other, others_queue).items():
        with pytest.raises(Broken) as error:
            verb()
        assert error.value.reason == MQRC_CONNECTION_BROKEN, name
    other.disconnect()


def test_connections_have_numbers_of_their_own() -> None:
    host = create(SimDisk(), small())
    numbers = [host.connect().connection.number for _ in range(5)]
    assert len(set(numbers)) == 5
    assert sorted(host.engine.connections) == sorted(numbers)


def test_ids_rise() -> None:
    ids = IdGenerator("A.LONG.QUEUE.MANAGER.NAME", 1, 5)
    made = [ids.next() for _ in range(300)]
    assert made == sorted(made)
    assert len(set(made)) == 300
    assert all(len(each) == 24 and each.startswith(b"AMQ A.LONG.QUEUE") for each in made)
    assert ids.number() > 5 + 300


def test_ids_never_come_again_though_the_clock_is_set_back_between_two_starts() -> None:
    noon = 1_800_000_000_000
    lives = [IdGenerator("QM", life, noon) for life in (1, 2, 3, 0xFEFFF)]
    lives.append(IdGenerator("QM", 1, noon + 3_600_000))  # a log that began anew
    made = [ids.next() for ids in lives for _ in range(1000)]
    made += [ids.reserve() for ids in lives[:4] for _ in range(100)]
    assert len(set(made)) == len(made)


def test_a_restart_has_ids_that_no_life_before_it_had() -> None:
    disk = SimDisk()
    host = create(disk, small())
    earlier = [int.from_bytes(host.engine.ids.next()[16:]) >> 44]
    for _ in range(3):
        host = after_power_loss(disk, small())
        assert isinstance(host.disk, SimDisk)
        disk = host.disk
        earlier.append(int.from_bytes(host.engine.ids.next()[16:]) >> 44)
    assert earlier == sorted(set(earlier))


def test_the_clock_gives_date_and_time_as_messages_carry_them() -> None:
    clock = Clock()
    now = clock.now()
    assert now > 0
    assert len(clock.date) == len(clock.time) == 8
    assert (clock.date + clock.time).isdigit()
