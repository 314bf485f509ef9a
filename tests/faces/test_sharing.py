"""Threads that share a connection: as MQCNO_HANDLE_SHARE_* say, whichever way the connection goes."""

import threading
from collections.abc import Callable
from typing import Any

import pytest
from tests.support.network import CHANNEL, NAME, Reachable, eventually
from tests.support.programs import Site, elsewhere

from kew import ibmmq, pymqi
from kew.client import connect_local
from kew.codes.errors import MQError
from kew.codes.options import MQCNO_HANDLE_SHARE_NO_BLOCK, MQCNO_HANDLE_SHARE_NONE, MQOO_INPUT_SHARED, MQOO_OUTPUT
from kew.ibmmq import CBD, CMQC, CTLO, GMO, MD


def connected(site: Site, options: int) -> Any:
    """Connect with options of MQCNO, the way the site goes."""
    manager = site.face.QueueManager(None)
    if site.way in ("shared", "alone"):
        cd = site.face.CD(
            ChannelName=CHANNEL.encode(),
            ConnectionName=site.place.address.encode(),
            SharingConversations=10 if site.way == "shared" else 0,
        )
        manager.connect_with_options(NAME, cd=cd, user="app", password="password", opts=options)
    elif site.way == "socket":
        with elsewhere(site.place):
            manager.connect_with_options(NAME, opts=options)
    else:
        manager.connect_with_options(NAME, opts=options)
    site.managers.append(manager)
    return manager


def elsewhere_done(call: Callable[[], object]) -> object:
    """What a call gives, or the reason of its failure, in another thread."""
    outcome: list[object] = []

    def run() -> None:
        try:
            outcome.append(call())
        except (ibmmq.MQMIError, pymqi.MQMIError) as error:
            outcome.append(error.reason)
        except MQError as error:
            outcome.append(error.reason)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join(20)
    return outcome[0]


def waiting(place: Reachable, name: str = "DEV.QUEUE.1") -> bool:
    return place.manager.host.queues.by_name[name].waiters.count > 0


def test_a_call_is_refused_while_another_is_in_progress(site: Site) -> None:
    manager = connected(site, CMQC.MQCNO_HANDLE_SHARE_NO_BLOCK)
    queue, dropped = site.queue(manager=manager), site.queue("DEV.QUEUE.2", manager=manager)
    got: list[bytes] = []
    gmo = site.face.GMO(Options=CMQC.MQGMO_WAIT, WaitInterval=20_000)
    thread = threading.Thread(target=lambda: got.append(queue.get(None, site.face.MD(), gmo)))
    thread.start()
    assert eventually(lambda: waiting(site.place))
    del dropped  # what is closed on the program's behalf is not waited for either
    for call in (
        lambda: queue.put(b"x"),
        lambda: manager.put1("DEV.QUEUE.2", b"x"),
        lambda: site.queue("DEV.QUEUE.2", manager=manager),
        manager.commit,
        manager.backout,
        manager.disconnect,
    ):
        with pytest.raises(site.face.MQMIError) as failure:
            call()
        assert (failure.value.comp, failure.value.reason) == (CMQC.MQCC_FAILED, CMQC.MQRC_CALL_IN_PROGRESS)
    connected(site, CMQC.MQCNO_HANDLE_SHARE_NO_BLOCK).put1("DEV.QUEUE.1", b"at last")
    thread.join(20)
    assert got == [b"at last"]
    assert elsewhere_done(lambda: queue.put(b"y")) is None
    assert queue.get() == b"y"


def test_a_call_waits_for_another(site: Site) -> None:
    manager = connected(site, CMQC.MQCNO_HANDLE_SHARE_BLOCK)
    queue = site.queue(manager=manager)
    done: list[str] = []

    def get() -> None:
        queue.get(None, site.face.MD(), site.face.GMO(Options=CMQC.MQGMO_WAIT, WaitInterval=20_000))
        done.append("get")

    def put() -> None:
        queue.put(b"second")
        done.append("put")

    getter, putter = threading.Thread(target=get), threading.Thread(target=put)
    getter.start()
    assert eventually(lambda: waiting(site.place))
    putter.start()
    connected(site, CMQC.MQCNO_HANDLE_SHARE_BLOCK).put1("DEV.QUEUE.1", b"first")
    getter.join(20)
    putter.join(20)
    assert sorted(done) == ["get", "put"]
    assert queue.get() == b"second"


def test_a_handle_that_is_not_shared_is_for_its_thread(site: Site) -> None:
    manager = site.face.QueueManager(NAME)  # MQCONN
    site.managers.append(manager)
    queue = site.queue(manager=manager)
    for call in (
        lambda: queue.put(b"x"),
        queue.get,
        lambda: manager.put1("DEV.QUEUE.1", b"x"),
        manager.commit,
        manager.disconnect,
        queue.close,
    ):
        assert elsewhere_done(call) == CMQC.MQRC_HCONN_ERROR
    queue.put(b"x")
    assert queue.get() == b"x"


def test_pymqi_does_not_share_unless_asked(place: Reachable, way: str) -> None:
    site = Site(place, pymqi, way)
    manager = connected(site, CMQC.MQCNO_NONE)
    assert elsewhere_done(manager.commit) == CMQC.MQRC_HCONN_ERROR
    manager.commit()
    site.end()


def test_ibmmq_shares_unless_asked(place: Reachable, way: str) -> None:
    site = Site(place, ibmmq, way)
    assert elsewhere_done(connected(site, CMQC.MQCNO_NONE).commit) is None
    site.end()


def test_a_handle_is_shared_in_one_way(site: Site) -> None:
    both = CMQC.MQCNO_HANDLE_SHARE_NO_BLOCK | CMQC.MQCNO_HANDLE_SHARE_BLOCK
    with pytest.raises(site.face.MQMIError) as failure:
        connected(site, both)
    assert failure.value.reason == CMQC.MQRC_OPTIONS_ERROR


def test_begin_is_for_handles_that_are_not_shared(place: Reachable) -> None:
    def told(way: str, options: int) -> int:
        site = Site(place, pymqi, way)
        with pytest.raises(pymqi.MQMIError) as failure:
            connected(site, options).begin()
        site.end()
        reason: int = failure.value.reason
        return reason

    for way in ("process", "socket"):
        assert told(way, CMQC.MQCNO_NONE) == CMQC.MQRC_NO_EXTERNAL_PARTICIPANTS
        assert told(way, CMQC.MQCNO_HANDLE_SHARE_BLOCK) == CMQC.MQRC_HCONN_ERROR
        assert told(way, CMQC.MQCNO_HANDLE_SHARE_NO_BLOCK) == CMQC.MQRC_HCONN_ERROR
    assert told("shared", CMQC.MQCNO_HANDLE_SHARE_BLOCK) == CMQC.MQRC_ENVIRONMENT_ERROR


def test_callbacks_have_a_connection_that_is_not_shared(place: Reachable) -> None:
    manager = ibmmq.QueueManager(NAME)
    queue = ibmmq.Queue(manager, "DEV.QUEUE.3", CMQC.MQOO_INPUT_SHARED | CMQC.MQOO_OUTPUT)
    seen: list[bytes] = []

    def listen(**call: Any) -> None:
        if call["msg"] == b"ask":
            call["queue"].put(b"answer")
        seen.append(call["msg"])

    assert elsewhere_done(lambda: queue.cb(cbd=CBD(CallbackFunction=listen))) == CMQC.MQRC_HCONN_ERROR
    queue.put(b"ask")
    queue.cb(cbd=CBD(CallbackFunction=listen))
    manager.ctl(CMQC.MQOP_START, CTLO())
    assert eventually(lambda: seen == [b"ask", b"answer"])
    manager.ctl(CMQC.MQOP_STOP, CTLO())
    queue.put(b"mine again")
    assert queue.get() == b"mine again"
    assert elsewhere_done(queue.get) == CMQC.MQRC_HCONN_ERROR
    manager.disconnect()


def test_a_call_during_reconnection_is_in_progress_too(place: Reachable) -> None:
    """The one that met the break is still under way while the connection is made anew."""
    options = CMQC.MQCNO_HANDLE_SHARE_NO_BLOCK | CMQC.MQCNO_RECONNECT
    site = Site(place, ibmmq, "shared")
    manager = connected(site, options)
    queue = ibmmq.Queue(manager, "DEV.QUEUE.1", CMQC.MQOO_INPUT_SHARED)
    got: list[bytes] = []
    gmo = GMO(Options=CMQC.MQGMO_WAIT, WaitInterval=20_000)
    thread = threading.Thread(target=lambda: got.append(queue.get(None, MD(), gmo)))
    thread.start()
    assert eventually(lambda: waiting(place))
    manager._connection._connection.driver.endpoint.shutdown(2)
    with pytest.raises(ibmmq.MQMIError) as failure:
        manager.commit()
    assert failure.value.reason == CMQC.MQRC_CALL_IN_PROGRESS
    connected(site, options).put1("DEV.QUEUE.1", b"after all")
    thread.join(20)
    assert got == [b"after all"]
    site.end()


def test_the_client_of_kew(place: Reachable) -> None:
    with connect_local(NAME, data=place.data, options=MQCNO_HANDLE_SHARE_NO_BLOCK) as connection:
        queue = connection.open("DEV.QUEUE.1", MQOO_INPUT_SHARED | MQOO_OUTPUT)
        got: list[bytes] = []
        thread = threading.Thread(target=lambda: got.append(queue.get(20.0).data))
        thread.start()
        assert eventually(lambda: waiting(place))
        for call in (lambda: queue.put(b"x"), lambda: queue.get(), connection.commit, connection.disconnect):
            with pytest.raises(MQError) as failure:
                call()
            assert failure.value.reason == CMQC.MQRC_CALL_IN_PROGRESS
        with connect_local(NAME, data=place.data) as other:
            other.put1("DEV.QUEUE.1", b"at last")
        thread.join(20)
        assert got == [b"at last"]
        queue.put(b"y")
        assert queue.get().data == b"y"
    with connect_local(NAME, data=place.data, options=MQCNO_HANDLE_SHARE_NONE) as connection:
        assert elsewhere_done(connection.commit) == CMQC.MQRC_HCONN_ERROR
        connection.commit()
    with pytest.raises(MQError) as failure:
        connect_local(NAME, data=place.data, options=MQCNO_HANDLE_SHARE_NONE | MQCNO_HANDLE_SHARE_NO_BLOCK)
    assert failure.value.reason == CMQC.MQRC_OPTIONS_ERROR
