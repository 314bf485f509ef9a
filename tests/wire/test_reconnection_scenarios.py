"""One list of scenarios of reconnection, for programs of all four kinds."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from tests.support.network import CHANNEL, Reachable, eventually, reachable
from tests.support.reconnecting import PROGRAMS, Wish
from tests.support.server import ServerProcess

from kew import client
from kew.codes.errors import BackedOut, Broken, MQError
from kew.codes.options import MQCNO_NONE, MQOO_OUTPUT
from kew.codes.reasons import (
    MQRC_CALL_INTERRUPTED,
    MQRC_CONNECTION_BROKEN,
    MQRC_RECONNECT_FAILED,
    MQRC_RECONNECT_TIMED_OUT,
)
from kew.security.identity import Secret, User, UserFile

Q1, Q2 = "DEV.QUEUE.1", "DEV.QUEUE.2"
CLOSED = "SET CHLAUTH(OPEN) TYPE(ADDRESSMAP) ADDRESS('*') USERSRC({}) ACTION(REPLACE)"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reachable]:
    with reachable(tmp_path_factory.mktemp("reconnection")) as running:
        running.define_channel("OPEN", "")
        yield running


@pytest.fixture(params=PROGRAMS, ids=lambda kind: kind.__name__.removesuffix("Program").lower())
def kind(request: pytest.FixtureRequest, place: Reachable) -> Iterator[Any]:
    yield request.param
    assert eventually(lambda: place.clients() == 0)
    for name in (Q1, Q2):
        assert "AMQ8022I" in place.mqsc(f"CLEAR QLOCAL({name})")


def publish(place: Reachable, topic: str, data: bytes) -> None:
    with place.connect() as connection, connection.open_topic(topic, MQOO_OUTPUT) as opened:
        opened.put(data)


def fails(call: Any, *arguments: object, **more: object) -> int:
    """The reason with which a call fails."""
    with pytest.raises(MQError) as failure:
        call(*arguments, **more)
    return failure.value.reason


def test_handles_stay_what_they_are(place: Reachable, kind: Any) -> None:
    program = kind(Wish(place.address))
    program.open(Q1)
    program.open(Q2)
    for number in range(3):
        program.cut()
        program.put(Q1, b"%d" % number)
        program.cut()
        program.put1(Q2, b"%d" % number)
    program.cut()
    assert [program.get(name) for name in (Q1, Q2) for _turn in range(3)] == [b"0", b"1", b"2"] * 2
    program.disconnect()


def test_subscriptions_are_made_again(place: Reachable, kind: Any) -> None:
    program = kind(Wish(place.address))
    program.subscribe("dev/a")
    publish(place, "dev/a", b"lost with the queue")
    for turn in (b"1", b"2"):
        program.cut()
        program.back_out()
        assert eventually(lambda: place.clients() == 1)  # the old connection is over, with its subscription
        publish(place, "dev/a", turn)
        assert program.get("dev/a") == turn
    program.disconnect()


def test_units_of_work(place: Reachable, kind: Any) -> None:
    program = kind(Wish(place.address))
    program.open(Q1)
    program.put(Q1, b"lost", syncpoint=True)
    program.cut()
    with pytest.raises(BackedOut):
        program.put(Q1, b"lost too", syncpoint=True)
    program.put(Q1, b"kept", syncpoint=True)
    program.commit()
    assert program.get(Q1, syncpoint=True) == b"kept"
    program.cut()
    with pytest.raises(BackedOut):
        program.get(Q1, syncpoint=True)
    assert program.get(Q1, syncpoint=True) == b"kept"
    program.cut()
    program.back_out()  # which the break has done
    assert program.get(Q1, syncpoint=True) == b"kept"
    program.commit()
    program.put(Q1, b"doubtful", syncpoint=True)
    program.cut()
    # Whether the program knows already of the break, when it commits, is a matter of time.
    assert fails(program.commit) in (MQRC_CALL_INTERRUPTED, BackedOut().reason)
    program.commit()
    program.disconnect()


def test_a_commit_that_was_under_way_is_in_doubt(place: Reachable, kind: Any) -> None:
    program = kind(Wish(place.address))
    program.open(Q1)
    program.put(Q1, b"doubtful", syncpoint=True)
    connection, link = program.connection, program.connection.verbs.link
    program.cut_before_writing()
    assert fails(program.commit) == MQRC_CALL_INTERRUPTED
    assert connection.verbs.link is not link
    program.commit()
    program.disconnect()


def test_a_persistent_put_that_was_under_way_is_in_doubt(place: Reachable, kind: Any) -> None:
    program = kind(Wish(place.address))
    program.open(Q1)
    program.cut_before_writing()
    assert fails(program.put, Q1, b"doubtful", persistent=True) == MQRC_CALL_INTERRUPTED
    program.put(Q1, b"x", persistent=True)
    program.disconnect()


def test_a_listener_that_comes_back(place: Reachable, kind: Any) -> None:
    port = place.network.listen("OTHER", "127.0.0.1", 0)
    program = kind(Wish(f"127.0.0.1({port})"))
    program.open(Q1)
    place.network.stop_listener("OTHER")
    attempts: list[int] = []

    def attempted() -> None:
        attempts.append(1)
        if len(attempts) == 2:
            place.network.listen("OTHER", "127.0.0.1", port)

    program.before_attempts(attempted)
    program.cut()
    program.put(Q1, b"after all")
    assert len(attempts) == 2
    assert program.get(Q1) == b"after all"
    program.disconnect()
    place.network.stop_listener("OTHER")


def test_a_listener_that_does_not(place: Reachable, kind: Any) -> None:
    port = place.network.listen("OTHER", "127.0.0.1", 0)
    program = kind(Wish(f"127.0.0.1({port})", timeout=1.0))
    program.open(Q1)
    place.network.stop_listener("OTHER")
    program.cut()
    assert fails(program.put, Q1, b"x") == MQRC_RECONNECT_TIMED_OUT
    place.network.listen("OTHER", "127.0.0.1", port)
    program.put(Q1, b"an outage that has passed is over")
    program.disconnect()
    place.network.stop_listener("OTHER")


def test_a_password_that_is_no_longer_right(place: Reachable, kind: Any) -> None:
    def change(password: str) -> None:
        host = place.manager.host
        file = UserFile(host.disk, host.places.users, host.log.owner)
        users = file.read()
        users["app"] = User("app", Secret.of(password, cost=1), users["app"].groups)
        file.write(users.values())
        host.refresh_users()

    program = kind(Wish(place.address, CHANNEL, "app", "password"))
    program.open(Q1)
    program.cut()
    program.put(Q1, b"the password is given again")
    change("another")
    program.cut()
    assert fails(program.put, Q1, b"x") == MQRC_RECONNECT_FAILED
    change("password")
    program.put(Q1, b"x")
    program.disconnect()


def test_access_that_was_taken_away(place: Reachable, kind: Any) -> None:
    program = kind(Wish(place.address))
    program.open(Q1)
    place.mqsc(CLOSED.format("NOACCESS"))
    program.cut()
    assert fails(program.put, Q1, b"x") == MQRC_RECONNECT_FAILED
    place.mqsc(CLOSED.format("CHANNEL"))
    program.put(Q1, b"x")
    program.disconnect()


def test_a_program_that_is_broken_off_meanwhile(place: Reachable, kind: Any) -> None:
    port = place.network.listen("OTHER", "127.0.0.1", 0)
    program = kind(Wish(f"127.0.0.1({port})"))
    program.open(Q1)
    place.network.stop_listener("OTHER")
    attempts: list[int] = []

    def attempted() -> None:
        attempts.append(1)
        if len(attempts) == 2:
            program.interrupt()

    program.before_attempts(attempted)
    program.cut()
    with pytest.raises(KeyboardInterrupt):
        program.put(Q1, b"x")
    place.network.listen("OTHER", "127.0.0.1", port)
    program.put(Q1, b"the next call takes it up again")
    assert program.get(Q1) == b"the next call takes it up again"
    assert eventually(lambda: place.clients() == 1)
    program.disconnect()
    place.network.stop_listener("OTHER")


def test_without_the_option(place: Reachable, kind: Any) -> None:
    program = kind(Wish(place.address, options=MQCNO_NONE))
    program.open(Q1)
    program.cut()
    assert fails(program.put, Q1, b"x") == MQRC_CONNECTION_BROKEN
    with suppress(MQError):
        program.commit()
    with suppress(Broken, Exception):
        program.disconnect()


def test_a_queue_manager_that_is_killed(tmp_path: Path, kind: Any) -> None:
    with ServerProcess(tmp_path) as server:
        program = kind(Wish(server.address))
        program.open(Q1)
        program.put(Q1, b"kept", persistent=True)
        program.put(Q1, b"lost", persistent=True, syncpoint=True)
        server.kill()
        server.start()
        with pytest.raises(BackedOut):
            program.get(Q1)
        assert program.get(Q1) == b"kept"
        program.disconnect()


def test_consuming_goes_on(place: Reachable) -> None:
    """The verb below the faces' callbacks, whose tests are in tests/faces/test_reconnecting.py."""
    from tests.support.reconnecting import BOTH, BlockingProgram

    program = BlockingProgram(Wish(place.address))
    connection: client.Connection = program.connection
    queues = [connection.open(name, BOTH) for name in (Q1, Q2)]
    from kew.client.requests import get_options, matching

    wanted = [(queue, matching(b"", b""), get_options(-1.0, False, False), -1) for queue in queues]
    connection.do(*connection.announcing(None, 2))
    for turn in (b"1", b"2"):
        program.cut()
        program.put1(Q2, turn)
        found = connection.do(*connection.consuming(wanted, lambda: False))
        assert found is not None
        assert (found[0], found[1].data) == (1, turn)
    program.disconnect()
