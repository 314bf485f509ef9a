"""Programs that ask for reconnection, and whose connections are cut."""

import threading
from typing import Any

import pytest
from tests.support.network import NAME, Reachable, eventually

from kew import ibmmq, pymqi
from kew.ibmmq import CBD, CMQC, CNO, CTLO, GMO, MD, PMO


def connected(place: Reachable, options: int = CMQC.MQCNO_RECONNECT, face: Any = ibmmq) -> Any:
    if face is pymqi:
        manager = pymqi.QueueManager(None)
        cd = pymqi.CD(ChannelName=b"DEV.APP.SVRCONN", ConnectionName=place.address.encode(), ChannelType=6)
        cd.TransportType = pymqi.CMQC.MQXPT_TCP
        manager.connect_with_options(NAME, user="app", password="password", cd=cd, opts=options)
        return manager
    return ibmmq.connect(NAME, "DEV.APP.SVRCONN", place.address, "app", "password", cno=CNO(Options=options))


def cut(manager: Any) -> None:
    """Break the socket under a connection, without the program's knowledge."""
    manager._verbs._connection.driver.endpoint.shutdown(2)


@pytest.mark.parametrize("options", [CMQC.MQCNO_RECONNECT, CMQC.MQCNO_RECONNECT_Q_MGR])
def test_a_program_does_not_notice(place: Reachable, options: int) -> None:
    manager = connected(place, options)
    queue = ibmmq.Queue(manager, "DEV.QUEUE.1", CMQC.MQOO_OUTPUT | CMQC.MQOO_INPUT_SHARED | CMQC.MQOO_INQUIRE)
    for number in range(4):
        cut(manager)
        queue.put(str(number), MD(Persistence=CMQC.MQPER_NOT_PERSISTENT))
    cut(manager)
    assert manager.inquire(CMQC.MQCA_Q_MGR_NAME).strip() == b"QM1"
    assert queue.inquire(CMQC.MQIA_CURRENT_Q_DEPTH) == 4
    cut(manager)
    assert [queue.get() for _ in range(4)] == [b"0", b"1", b"2", b"3"]
    manager.disconnect()


def test_a_unit_of_work_is_gone(place: Reachable) -> None:
    manager = connected(place)
    queue = ibmmq.Queue(manager, "DEV.QUEUE.1", CMQC.MQOO_OUTPUT | CMQC.MQOO_INPUT_SHARED)
    queue.put(b"lost", MD(), PMO(Options=CMQC.MQPMO_SYNCPOINT))
    cut(manager)
    with pytest.raises(ibmmq.MQMIError) as failure:
        queue.put(b"lost too", MD(), PMO(Options=CMQC.MQPMO_SYNCPOINT))
    assert failure.value.reason == CMQC.MQRC_BACKED_OUT
    queue.put(b"kept", MD(), PMO(Options=CMQC.MQPMO_SYNCPOINT))
    manager.commit()
    assert queue.get() == b"kept"
    with pytest.raises(ibmmq.MQMIError):
        queue.get()
    manager.disconnect()


def test_a_get_that_waits_goes_on_waiting(place: Reachable) -> None:
    manager, other = connected(place), connected(place)
    queue = ibmmq.Queue(manager, "DEV.QUEUE.2", CMQC.MQOO_INPUT_SHARED)
    got: list[bytes] = []
    wait = GMO(Options=CMQC.MQGMO_WAIT, WaitInterval=20_000)
    thread = threading.Thread(target=lambda: got.append(queue.get(None, MD(), wait)))
    thread.start()
    store = place.manager.host.queues.by_name["DEV.QUEUE.2"]
    assert eventually(lambda: store.waiters.count == 1)
    cut(manager)
    other.put1("DEV.QUEUE.2", b"after all")
    thread.join(20)
    assert got == [b"after all"]
    manager.disconnect()
    other.disconnect()


def test_callbacks_go_on(place: Reachable) -> None:
    manager, other = connected(place), connected(place)
    queue = ibmmq.Queue(manager, "DEV.QUEUE.3", CMQC.MQOO_INPUT_SHARED)
    got: list[bytes] = []
    queue.cb(cbd=CBD(CallbackFunction=lambda **call: got.append(call["msg"])))
    manager.ctl(CMQC.MQOP_START, CTLO())
    other.put1("DEV.QUEUE.3", b"1")
    assert eventually(lambda: got == [b"1"])
    manager._callbacks._verbs._connection.driver.endpoint.shutdown(2)

    def goes_on() -> bool:  # what is given to a connection that has just gone is lost: it was got without syncpoint
        other.put1("DEV.QUEUE.3", b"2")
        return b"2" in got

    went_on = eventually(goes_on, 60)
    manager.disconnect()
    other.disconnect()
    assert went_on


def subscribed(face: Any, manager: Any, topic: str, queue: Any = None, options: int = 0, name: str = "") -> Any:
    sd = face.SD(Options=options or CMQC.MQSO_CREATE | (0 if queue else CMQC.MQSO_MANAGED))
    sd.set_vs("ObjectString", topic.encode())
    sd.set_vs("SelectionString", b"Root.MQMD.MsgType = 8")
    sd.set_vs("SubName", name.encode())
    subscription = face.Subscription(manager)
    subscription.sub(sub_desc=sd, sub_queue=queue)
    return subscription


def publish(manager: Any, topic: str, data: bytes) -> None:
    ibmmq.Topic(manager, topic_string=topic).pub(data, MD(Persistence=CMQC.MQPER_NOT_PERSISTENT))


def test_subscriptions_are_made_again(place: Reachable, face: Any) -> None:
    manager, other = connected(place, face=face), connected(place)
    queue = face.Queue(manager, "DEV.QUEUE.1", CMQC.MQOO_INPUT_SHARED)
    closed = face.Queue(manager, "DEV.QUEUE.2", CMQC.MQOO_INPUT_SHARED)
    managed, into = subscribed(face, manager, "dev/a"), subscribed(face, manager, "dev/b", queue)
    beyond, over = subscribed(face, manager, "dev/c", closed), subscribed(face, manager, "dev/d")
    closed.close()
    over.close()
    publish(other, "dev/a", b"lost with the queue")
    wait = face.GMO(Options=CMQC.MQGMO_WAIT, WaitInterval=30_000)
    for turn in (b"1", b"2"):
        cut(manager)
        manager.inquire(CMQC.MQCA_Q_MGR_NAME)
        assert eventually(lambda: place.clients() == 2)  # the old connection is over, with its subscriptions
        for topic in ("dev/a", "dev/b", "dev/c"):
            publish(other, topic, topic.encode() + turn)
        assert managed.get(None, face.MD(), wait) == b"dev/a" + turn
        assert into.get(None, face.MD(), wait) == b"dev/b" + turn
        assert place.depth("DEV.QUEUE.2") == int(turn)
        with pytest.raises(face.MQMIError) as gone:
            over.get()
        assert gone.value.reason == CMQC.MQRC_HOBJ_ERROR
    for subscription in (managed, into, beyond):
        subscription.close()
    cut(manager)
    manager.inquire(CMQC.MQCA_Q_MGR_NAME)
    publish(other, "dev/b", b"nobody listens")
    assert place.depth("DEV.QUEUE.1") == 0
    manager.disconnect()
    other.disconnect()
    place.mqsc("CLEAR QLOCAL(DEV.QUEUE.2)")


def test_durable_subscriptions_need_the_same_queue_manager(place: Reachable, face: Any) -> None:
    durable = CMQC.MQSO_CREATE | CMQC.MQSO_DURABLE | CMQC.MQSO_MANAGED
    manager, other = connected(place, face=face), connected(place)
    with pytest.raises(face.MQMIError) as refused:
        subscribed(face, manager, "dev/a", None, durable, "KEPT")
    assert refused.value.reason == CMQC.MQRC_RECONNECT_Q_MGR_REQD
    manager.disconnect()
    manager = connected(place, CMQC.MQCNO_RECONNECT_Q_MGR, face)
    subscription = subscribed(face, manager, "dev/a", None, durable, "KEPT")
    for turn in (b"1", b"2"):
        publish(other, "dev/a", turn)
        cut(manager)
        assert subscription.get() == turn
    subscription.close(CMQC.MQCO_REMOVE_SUB, True)
    manager.disconnect()
    other.disconnect()


def test_callbacks_of_a_managed_queue_go_on(place: Reachable) -> None:
    manager, other = connected(place), connected(place)
    ibmmq.Queue(manager, "DEV.QUEUE.1", CMQC.MQOO_INPUT_SHARED).close()  # handles are other numbers below than above
    inhibited = ibmmq.Queue(manager, "DEV.QUEUE.2", CMQC.MQOO_INPUT_SHARED)
    subscription = subscribed(ibmmq, manager, "dev/a")
    got: list[bytes] = []
    told: list[int] = []
    inhibited.cb(cbd=CBD(CallbackFunction=lambda **call: told.append(call["cbc"].Reason)))
    subscription.sub_queue.cb(cbd=CBD(CallbackFunction=lambda **call: got.append(call["msg"])))
    manager.ctl(CMQC.MQOP_START, CTLO())
    publish(other, "dev/a", b"1")
    assert eventually(lambda: got == [b"1"])
    manager._callbacks._verbs._connection.driver.endpoint.shutdown(2)

    def goes_on() -> bool:
        publish(other, "dev/a", b"2")
        return b"2" in got

    went_on = eventually(goes_on, 60)
    place.mqsc("ALTER QLOCAL(DEV.QUEUE.2) GET(DISABLED)")
    held_up = eventually(lambda: told == [CMQC.MQRC_GET_INHIBITED])
    publish(other, "dev/a", b"3")
    others_go_on = eventually(lambda: b"3" in got, 10)
    place.mqsc("ALTER QLOCAL(DEV.QUEUE.2) GET(ENABLED)")
    manager.disconnect()
    other.disconnect()
    assert went_on
    assert held_up
    assert others_go_on


def test_what_the_lost_connection_still_has_is_waited_for(place: Reachable) -> None:
    manager, other = connected(place), connected(place)
    ibmmq.Queue(manager, "DEV.QUEUE.1", CMQC.MQOO_INPUT_EXCLUSIVE)
    first = ibmmq.Queue(manager, "DEV.QUEUE.3", CMQC.MQOO_INPUT_EXCLUSIVE)
    attempts: list[float] = []
    held: list[Any] = []

    def wait(delay: float) -> bool:
        if attempts:
            held.pop().close()
        else:
            assert eventually(lambda: place.clients() == 1)
            held.append(ibmmq.Queue(other, "DEV.QUEUE.3", CMQC.MQOO_INPUT_EXCLUSIVE))
        attempts.append(delay)
        return False

    manager._verbs._connection.pause = wait
    cut(manager)
    other.put1("DEV.QUEUE.3", b"at last")
    assert first.get() == b"at last"
    assert len(attempts) == 2
    manager.disconnect()
    other.disconnect()


def test_without_asking_there_is_none(place: Reachable) -> None:
    for options in (CMQC.MQCNO_NONE, CMQC.MQCNO_RECONNECT | CMQC.MQCNO_RECONNECT_DISABLED):
        manager = connected(place, options)
        manager._verbs._connection.driver.endpoint.shutdown(2)
        with pytest.raises(ibmmq.MQMIError) as failure:
            manager.commit()
        assert failure.value.reason == CMQC.MQRC_CONNECTION_BROKEN
