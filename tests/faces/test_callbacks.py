"""Callbacks: functions that are called with messages, in process, by a socket and over TCP."""

import re
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from tests.support.network import NAME, Reachable, eventually
from tests.support.programs import Site

from kew import ibmmq
from kew.ibmmq import CBD, CMQC, CTLO, GMO, MD, PMO


class Listener:
    """A program's function that notes how it was called."""

    def __init__(self) -> None:
        self.calls: list[dict[str, Any]] = []

    def __call__(self, **call: Any) -> None:
        self.calls.append(call)

    @property
    def messages(self) -> list[bytes]:
        return [call["msg"] for call in self.calls if call["msg"] is not None]

    @property
    def types(self) -> list[int]:
        return [call["cbc"].CallType for call in self.calls]


@pytest.fixture(params=["process", "socket", "shared"])
def site(request: pytest.FixtureRequest, place: Reachable) -> Iterator[Site]:
    site = Site(place, ibmmq, request.param)
    yield site
    site.end()
    for name in ("DEV.QUEUE.1", "DEV.QUEUE.2"):
        place.mqsc(f"CLEAR QLOCAL({name})")


def refused(call: Any) -> int:
    with pytest.raises(ibmmq.MQMIError) as failure:
        call()
    reason: int = failure.value.reason
    return reason


def test_messages_come_while_it_is_started(site: Site) -> None:
    manager, listener = site.connect(), Listener()
    queue = site.queue(manager=manager)
    queue.cb(
        operation=CMQC.MQOP_REGISTER, cbd=CBD(CallbackFunction=listener, CallbackArea={"a": 1}), gmo=GMO(), md=MD()
    )
    other = site.connect()
    other.put1("DEV.QUEUE.1", b"before")
    assert listener.calls == []
    manager.ctl(CMQC.MQOP_START, CTLO(ConnectionArea=["connection"]))
    other.put1("DEV.QUEUE.1", "after", MD(CorrelId=b"c" * 24))
    assert eventually(lambda: len(listener.messages) == 2)
    assert listener.messages == [b"before", b"after"]
    last = listener.calls[-1]
    assert (last["queue_manager"], last["queue"]) == (manager, queue)
    assert (last["md"].CorrelId, last["md"].Format) == (b"c" * 24, b"MQSTR   ")
    context = last["cbc"]
    assert (context.CallType, context.CompCode, context.Reason) == (CMQC.MQCBCT_MSG_REMOVED, 0, 0)
    assert (context.CallbackArea, context.ConnectionArea) == ({"a": 1}, ["connection"])
    assert (context.Hobj, context.DataLength) == (queue.get_handle(), 5)
    manager.ctl(CMQC.MQOP_STOP, CTLO())
    other.put1("DEV.QUEUE.1", b"stopped")
    assert queue.get() == b"stopped"
    assert len(listener.calls) == 2


def test_the_connection_belongs_to_the_callbacks(site: Site) -> None:
    manager, listener = site.connect(), Listener()
    queue = site.queue(manager=manager)
    assert refused(lambda: manager.ctl(CMQC.MQOP_START, CTLO())) == CMQC.MQRC_NO_CALLBACKS_ACTIVE
    queue.cb(cbd=CBD(CallbackFunction=listener))
    manager.ctl(CMQC.MQOP_START, CTLO())
    assert refused(lambda: queue.put(b"x")) == CMQC.MQRC_HCONN_ASYNC_ACTIVE
    assert refused(manager.commit) == CMQC.MQRC_HCONN_ASYNC_ACTIVE
    assert refused(lambda: queue.cb(operation=CMQC.MQOP_DEREGISTER)) == CMQC.MQRC_HCONN_ASYNC_ACTIVE
    assert refused(lambda: manager.ctl(CMQC.MQOP_START, CTLO())) == CMQC.MQRC_HCONN_ASYNC_ACTIVE
    manager.ctl(CMQC.MQOP_SUSPEND, CTLO())
    queue.put(b"now")
    assert listener.calls == []
    manager.ctl(CMQC.MQOP_RESUME, CTLO())
    assert eventually(lambda: listener.messages == [b"now"])
    manager.disconnect()
    assert not any(thread.name == "kew-callbacks" for thread in threading.enumerate())


def test_units_of_work_in_callbacks(site: Site) -> None:
    """Of two queues, whose messages come under syncpoint, one is seen and committed at a time."""
    manager = site.connect()
    first, second = site.queue(manager=manager), site.queue("DEV.QUEUE.2", manager=manager)
    seen: list[tuple[bytes, int]] = []

    def reply(**call: Any) -> None:
        other = "DEV.QUEUE.2" if call["queue"] is first else "DEV.QUEUE.1"
        seen.append((call["msg"], site.place.depth(other)))
        call["queue_manager"].put1("DEV.QUEUE.3", call["msg"].upper(), MD(), PMO(Options=CMQC.MQPMO_SYNCPOINT))
        call["queue_manager"].commit()

    for queue in (first, second):
        queue.cb(cbd=CBD(CallbackFunction=reply), gmo=GMO(Options=CMQC.MQGMO_SYNCPOINT))
    feeder = site.connect()
    for name in ("DEV.QUEUE.1", "DEV.QUEUE.2"):
        feeder.put1(name, name.encode())
    manager.ctl(CMQC.MQOP_START, CTLO())
    assert eventually(lambda: len(seen) == 2)
    manager.ctl(CMQC.MQOP_STOP, CTLO())
    # While the first was handled the message of the other queue was still there, and nobody had it.
    assert [left for _, left in seen] == [1, 0]
    answers = site.queue("DEV.QUEUE.3")
    assert sorted([answers.get(), answers.get()]) == [b"DEV.QUEUE.1", b"DEV.QUEUE.2"]


def test_calls_that_bring_no_message(site: Site) -> None:
    manager, listener = site.connect(), Listener()
    queue = site.queue(manager=manager)
    options = CMQC.MQCBDO_REGISTER_CALL | CMQC.MQCBDO_START_CALL | CMQC.MQCBDO_STOP_CALL | CMQC.MQCBDO_DEREGISTER_CALL
    gmo = GMO(Options=CMQC.MQGMO_WAIT, WaitInterval=50)
    queue.cb(cbd=CBD(CallbackFunction=listener, Options=options), gmo=gmo)
    manager.ctl(CMQC.MQOP_START, CTLO())
    assert eventually(lambda: len(listener.calls) >= 3)
    manager.ctl(CMQC.MQOP_STOP, CTLO())
    queue.cb(operation=CMQC.MQOP_DEREGISTER)
    assert listener.types[:2] == [CMQC.MQCBCT_REGISTER_CALL, CMQC.MQCBCT_START_CALL]
    assert listener.types[-2:] == [CMQC.MQCBCT_STOP_CALL, CMQC.MQCBCT_DEREGISTER_CALL]
    waited = listener.calls[2]["cbc"]
    assert (waited.CallType, waited.Reason) == (CMQC.MQCBCT_EVENT_CALL, CMQC.MQRC_NO_MSG_AVAILABLE)
    assert refused(lambda: queue.cb(operation=CMQC.MQOP_DEREGISTER)) == CMQC.MQRC_CALLBACK_NOT_REGISTERED


def test_start_and_wait(site: Site) -> None:
    manager = site.connect()
    queue = site.queue(manager=manager)
    seen: list[bytes] = []

    def stop_at_two(**call: Any) -> None:
        seen.append(call["msg"])
        if len(seen) == 2:
            call["queue_manager"].ctl(CMQC.MQOP_STOP, CTLO())

    queue.cb(cbd=CBD(CallbackFunction=stop_at_two))
    for text in (b"1", b"2", b"3"):
        queue.put(text)
    manager.ctl(CMQC.MQOP_START_WAIT, CTLO())
    assert seen[:2] == [b"1", b"2"]
    left = [] if seen[2:] else [queue.get()]
    assert seen[2:] + left == [b"3"]


def test_a_function_that_fails_does_not_end_it(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[Any] = []
    monkeypatch.setattr("sys.excepthook", lambda *failure: told.append(failure[1]))
    manager = site.connect()
    queue = site.queue(manager=manager)
    seen: list[bytes] = []

    def fail(**call: Any) -> None:
        seen.append(call["msg"])
        raise ValueError(call["msg"])

    queue.cb(cbd=CBD(CallbackFunction=fail))
    manager.ctl(CMQC.MQOP_START, CTLO())
    other = site.connect()
    other.put1("DEV.QUEUE.1", b"1")
    other.put1("DEV.QUEUE.1", b"2")
    assert eventually(lambda: seen == [b"1", b"2"])
    manager.ctl(CMQC.MQOP_STOP, CTLO())
    assert [type(each) for each in told] == [ValueError, ValueError]


def test_browsing_and_suspended_functions(site: Site) -> None:
    manager, browser, idle = site.connect(), Listener(), Listener()
    queue, second = site.queue(manager=manager), site.queue("DEV.QUEUE.2", manager=manager)
    queue.cb(cbd=CBD(CallbackFunction=browser), gmo=GMO(Options=CMQC.MQGMO_BROWSE_NEXT))
    second.cb(cbd=CBD(CallbackFunction=idle))
    second.cb(operation=CMQC.MQOP_SUSPEND)
    for name in ("DEV.QUEUE.1", "DEV.QUEUE.2"):
        manager.put1(name, b"left")
    manager.ctl(CMQC.MQOP_START, CTLO())
    assert eventually(lambda: browser.types == [CMQC.MQCBCT_MSG_NOT_REMOVED])
    manager.ctl(CMQC.MQOP_STOP, CTLO())
    assert idle.calls == []
    assert queue.get() == b"left"


def test_wrong_use(site: Site) -> None:
    manager = site.connect()
    queue = site.queue(manager=manager)
    assert refused(lambda: queue.cb(cbd=CBD())) == CMQC.MQRC_CALLBACK_ROUTINE_ERROR
    assert refused(lambda: queue.cb(cbd=CBD(CallbackType=9, CallbackFunction=print))) == CMQC.MQRC_CALLBACK_TYPE_ERROR
    assert refused(lambda: queue.cb(operation=0, cbd=CBD(CallbackFunction=print))) == CMQC.MQRC_OPERATION_ERROR
    assert refused(lambda: manager.ctl(99, CTLO())) == CMQC.MQRC_OPERATION_ERROR
    closed = ibmmq.Queue(manager, "DEV.QUEUE.1")
    assert refused(lambda: closed.cb(cbd=CBD(CallbackFunction=print))) == CMQC.MQRC_HOBJ_ERROR
    for wrong in ({"cbd": 1}, {"md": 1}, {"gmo": 1}, {"otel_options": 1}):
        with pytest.raises(TypeError, match="must be an instance of"):
            queue.cb(**wrong)
    with pytest.raises(TypeError, match="ctlo must be an instance of CTLO"):
        manager.ctl(CMQC.MQOP_START, 1)


def test_a_broken_connection_is_told(place: Reachable) -> None:
    site = Site(place, ibmmq, "shared")
    manager, consumer, events = site.connect(), Listener(), Listener()
    queue = site.queue(manager=manager)
    queue.cb(cbd=CBD(CallbackFunction=consumer))
    manager.cb(cbd=CBD(CallbackType=CMQC.MQCBT_EVENT_HANDLER, CallbackFunction=events))
    manager.ctl(CMQC.MQOP_START, CTLO())
    manager._callbacks._verbs._connection.driver.endpoint.shutdown(2)
    assert eventually(lambda: bool(events.calls) and bool(consumer.calls))
    assert events.calls[0]["cbc"].Reason == CMQC.MQRC_CONNECTION_BROKEN
    assert events.calls[0]["queue"] is None
    assert consumer.calls[0]["cbc"].CallType == CMQC.MQCBCT_EVENT_CALL


def test_a_channel_without_sharing_has_no_callbacks(place: Reachable) -> None:
    site = Site(place, ibmmq, "alone")
    manager, listener = site.connect(), Listener()
    site.queue(manager=manager).cb(cbd=CBD(CallbackFunction=listener))
    manager.ctl(CMQC.MQOP_START_WAIT, CTLO())
    assert listener.calls[0]["cbc"].Reason == CMQC.MQRC_ENVIRONMENT_ERROR
    site.end()


def test_nothing_is_lost_or_seen_twice_between_starts_and_stops(site: Site) -> None:
    manager = site.connect()
    queues = [site.queue(name, manager=manager) for name in ("DEV.QUEUE.1", "DEV.QUEUE.2")]
    seen: list[bytes] = []
    for queue in queues:
        queue.cb(cbd=CBD(CallbackFunction=lambda **call: seen.append(call["msg"])))
    count = 300

    def feed() -> None:
        feeder = ibmmq.QueueManager(NAME)
        for number in range(count):
            feeder.put1("DEV.QUEUE.1" if number % 2 else "DEV.QUEUE.2", str(number))

    thread = threading.Thread(target=feed)
    thread.start()
    while thread.is_alive():
        manager.ctl(CMQC.MQOP_START, CTLO())
        manager.ctl(CMQC.MQOP_STOP, CTLO())
        for queue in queues:  # gets in between must not be told an answer that was meant for the callbacks
            try:
                seen.append(queue.get())
            except ibmmq.MQMIError as error:
                assert error.reason == CMQC.MQRC_NO_MSG_AVAILABLE
    thread.join()
    manager.ctl(CMQC.MQOP_START, CTLO())
    assert eventually(lambda: len(seen) >= count)
    manager.ctl(CMQC.MQOP_STOP, CTLO())
    assert sorted(map(int, seen)) == list(range(count))


def test_properties_go_into_the_handle_of_a_callback(site: Site) -> None:
    manager, listener = site.connect(), Listener()
    queue = site.queue(manager=manager)
    sent, handle = ibmmq.MessageHandle(), ibmmq.MessageHandle()
    sent.properties["colour"] = "red"
    gmo = GMO(Version=CMQC.MQGMO_VERSION_4, MsgHandle=handle.get_handle())
    queue.cb(operation=CMQC.MQOP_REGISTER, cbd=CBD(CallbackFunction=listener), gmo=gmo, md=MD())
    site.connect().put1(
        "DEV.QUEUE.1", b"body", MD(), PMO(Version=CMQC.MQPMO_VERSION_3, OriginalMsgHandle=sent.get_handle())
    )
    manager.ctl(CMQC.MQOP_START, CTLO())
    assert eventually(lambda: listener.messages == [b"body"])
    manager.ctl(CMQC.MQOP_STOP, CTLO())
    assert handle.properties["colour"] == "red"
    lacking = GMO(Options=CMQC.MQGMO_PROPERTIES_IN_HANDLE)
    call = {"operation": CMQC.MQOP_REGISTER, "cbd": CBD(CallbackFunction=listener), "gmo": lacking, "md": MD()}
    assert refused(lambda: queue.cb(**call)) == CMQC.MQRC_HMSG_ERROR


def test_one_queue_whose_gets_are_inhibited_holds_up_nobody_else(site: Site) -> None:
    manager, held, going, events = site.connect(), Listener(), Listener(), Listener()
    first, second = site.queue(manager=manager), site.queue("DEV.QUEUE.2", manager=manager)
    manager.cb(cbd=CBD(CallbackType=CMQC.MQCBT_EVENT_HANDLER, CallbackFunction=events))
    first.cb(cbd=CBD(CallbackFunction=held))
    second.cb(cbd=CBD(CallbackFunction=going))
    site.place.mqsc("ALTER QLOCAL(DEV.QUEUE.1) GET(DISABLED)")
    try:
        manager.ctl(CMQC.MQOP_START, CTLO())
        assert eventually(lambda: [call["cbc"].Reason for call in held.calls] == [CMQC.MQRC_GET_INHIBITED])
        assert held.calls[0]["cbc"].State == CMQC.MQCS_SUSPENDED_TEMPORARY
        feeder = site.connect()
        feeder.put1("DEV.QUEUE.2", b"goes on")
        feeder.put1("DEV.QUEUE.1", b"waits")
        assert eventually(lambda: going.messages == [b"goes on"])
        assert held.messages == []
    finally:
        site.place.mqsc("ALTER QLOCAL(DEV.QUEUE.1) GET(ENABLED)")
    assert eventually(lambda: held.messages == [b"waits"])
    manager.ctl(CMQC.MQOP_STOP, CTLO())
    assert [call["cbc"].Reason for call in held.calls] == [CMQC.MQRC_GET_INHIBITED, CMQC.MQRC_GET_ENABLED, 0]
    assert events.calls == []


def test_what_is_stopped_is_not_resumed(site: Site) -> None:
    manager = site.connect()
    site.queue(manager=manager).cb(cbd=CBD(CallbackFunction=Listener()))
    for operation in (CMQC.MQOP_RESUME, CMQC.MQOP_SUSPEND):
        assert refused(lambda operation=operation: manager.ctl(operation, CTLO())) == CMQC.MQRC_OPERATION_NOT_ALLOWED
    manager.ctl(CMQC.MQOP_START, CTLO())
    manager.ctl(CMQC.MQOP_SUSPEND, CTLO())
    assert refused(lambda: manager.ctl(CMQC.MQOP_START, CTLO())) == CMQC.MQRC_OPERATION_NOT_ALLOWED
    manager.ctl(CMQC.MQOP_STOP, CTLO())


def test_status_of_what_there_is(site: Site) -> None:
    manager = site.connect()
    queue = site.queue(manager=manager)
    queue.put(b"x", MD(), PMO(Options=CMQC.MQPMO_ASYNC_RESPONSE))
    assert refused(lambda: manager.stat(99)) == CMQC.MQRC_STAT_TYPE_ERROR
    assert manager.stat(CMQC.MQSTAT_TYPE_RECONNECTION).PutSuccessCount == 0
    assert manager.stat(CMQC.MQSTAT_TYPE_ASYNC_ERROR).PutSuccessCount == 1
    assert queue.get() == b"x"


def test_a_queue_that_is_closed_has_its_function_deregistered(site: Site) -> None:
    """The others go on, whether it is closed by its own function or before the start."""
    manager, listener, other = site.connect(), Listener(), site.connect()
    first, second = site.queue("DEV.QUEUE.1", manager=manager), site.queue("DEV.QUEUE.2", manager=manager)

    def close(**call: Any) -> None:
        listener(**call)
        if call["msg"] is not None:
            call["queue"].close()

    first.cb(cbd=CBD(CallbackFunction=close, Options=CMQC.MQCBDO_DEREGISTER_CALL))
    second.cb(cbd=CBD(CallbackFunction=listener))
    manager.ctl(CMQC.MQOP_START, CTLO())
    other.put1("DEV.QUEUE.1", b"close")
    assert eventually(lambda: len(listener.calls) == 2)
    other.put1("DEV.QUEUE.2", b"still")
    assert eventually(lambda: len(listener.calls) == 3)
    assert listener.types == [CMQC.MQCBCT_MSG_REMOVED, CMQC.MQCBCT_DEREGISTER_CALL, CMQC.MQCBCT_MSG_REMOVED]
    manager.ctl(CMQC.MQOP_STOP, CTLO())
    second.close()
    assert refused(lambda: manager.ctl(CMQC.MQOP_START, CTLO())) == CMQC.MQRC_NO_CALLBACKS_ACTIVE


def test_a_function_that_disconnects(site: Site) -> None:
    manager, listener, other = site.connect(), Listener(), site.connect()

    def leave(**call: Any) -> None:
        manager.disconnect()
        listener(**call)

    site.queue(manager=manager).cb(cbd=CBD(CallbackFunction=leave))
    manager.ctl(CMQC.MQOP_START, CTLO())
    other.put1("DEV.QUEUE.1", b"leave")
    assert eventually(lambda: listener.messages == [b"leave"])
    assert eventually(lambda: not any(each.name == "kew-callbacks" for each in threading.enumerate()))
    with pytest.raises(ibmmq.PYIFError, match="not connected"):
        manager.disconnect()


def shown(place: Reachable) -> tuple[str, str, str]:
    """What DISPLAY says of the one connection that has the queue open, of its handle, and of the queue's."""
    handle = place.mqsc("DISPLAY CONN(*) TYPE(HANDLE) ASTATE WHERE(OBJNAME EQ DEV.QUEUE.1)")
    (number,) = re.findall(r" CONN\((\w+)\)", handle)
    answers = (
        place.mqsc(f"DISPLAY CONN({number}) TYPE(CONN) ASTATE"),
        handle,
        place.mqsc("DISPLAY QSTATUS(DEV.QUEUE.1) TYPE(HANDLE) ASTATE"),
    )
    connection, of_handle, of_queue = [state for answer in answers for state in re.findall(r"ASTATE\((\w+)\)", answer)]
    return connection, of_handle, of_queue


def test_the_state_of_consumption_is_shown(site: Site) -> None:
    manager = site.connect()
    queue = site.queue("DEV.QUEUE.1", CMQC.MQOO_INPUT_SHARED, manager)

    def states(connection: str, handle: str) -> bool:
        return eventually(lambda: shown(site.place) == (connection, handle, handle))

    assert states("NONE", "NONE")
    queue.cb(operation=CMQC.MQOP_REGISTER, cbd=CBD(CallbackFunction=Listener()), gmo=GMO(), md=MD())
    assert states("NONE", "INACTIVE")
    manager.ctl(CMQC.MQOP_START, CTLO())
    assert states("STARTED", "ACTIVE")
    manager.ctl(CMQC.MQOP_SUSPEND, CTLO())
    assert states("SUSPENDED", "INACTIVE")
    manager.ctl(CMQC.MQOP_RESUME, CTLO())
    assert states("STARTED", "ACTIVE")
    manager.ctl(CMQC.MQOP_STOP, CTLO())
    assert states("STOPPED", "INACTIVE")
    queue.cb(operation=CMQC.MQOP_SUSPEND)
    assert states("STOPPED", "SUSPENDED")
    queue.cb(operation=CMQC.MQOP_DEREGISTER)
    assert states("STOPPED", "NONE")
