"""Programs that ask for reconnection, and whose connections are cut."""

import threading
from typing import Any

import pytest
from tests.support.network import NAME, Reachable, eventually

from kew import ibmmq
from kew.ibmmq import CBD, CMQC, CNO, CTLO, GMO, MD, PMO


def connected(place: Reachable, options: int = CMQC.MQCNO_RECONNECT) -> Any:
    return ibmmq.connect(NAME, "DEV.APP.SVRCONN", place.address, "app", "password", cno=CNO(Options=options))


def cut(manager: Any) -> None:
    """Break the socket under a connection, without the program's knowledge."""
    manager._verbs._inner._connection.driver.endpoint.shutdown(2)


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
    manager._callbacks._verbs._inner._connection.driver.endpoint.shutdown(2)

    def goes_on() -> bool:  # what is given to a connection that has just gone is lost: it was got without syncpoint
        other.put1("DEV.QUEUE.3", b"2")
        return b"2" in got

    went_on = eventually(goes_on, 60)
    manager.disconnect()
    other.disconnect()
    assert went_on


def test_without_asking_there_is_none(place: Reachable) -> None:
    for options in (CMQC.MQCNO_NONE, CMQC.MQCNO_RECONNECT | CMQC.MQCNO_RECONNECT_DISABLED):
        manager = connected(place, options)
        manager._verbs._connection.driver.endpoint.shutdown(2)
        with pytest.raises(ibmmq.MQMIError) as failure:
            manager.commit()
        assert failure.value.reason == CMQC.MQRC_CONNECTION_BROKEN
