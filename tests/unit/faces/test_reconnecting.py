"""Reconnection: when it is tried again, what is given up, what the program is told."""

from collections.abc import Callable
from typing import Any

import pytest

from kew.client.recovery import DELAYS
from kew.codes.errors import BackedOut, Broken, MQError
from kew.codes.reasons import (
    MQRC_CALL_INTERRUPTED,
    MQRC_HOBJ_ERROR,
    MQRC_HOST_NOT_AVAILABLE,
    MQRC_NOT_AUTHORIZED,
    MQRC_RECONNECT_FAILED,
    MQRC_RECONNECT_QMID_MISMATCH,
    MQRC_RECONNECT_TIMED_OUT,
    MQRC_UNKNOWN_OBJECT_NAME,
)
from kew.faces.reconnecting import ReconnectingVerbs
from kew.faces.verbs import Message
from kew.ibmmq import CMQC, GMO, MD, OD, PMO

UNDER_SYNCPOINT = PMO(Options=CMQC.MQPMO_SYNCPOINT)
PASSING = MD(Persistence=CMQC.MQPER_NOT_PERSISTENT)


class FakeConnection:
    """Verbs that note what they are asked, and break when they are told to."""

    def __init__(self, site: "FakeSite", identity: bytes) -> None:
        self.site = site
        self.identity = identity
        self.opened: dict[int, Any] = {}
        self.calls: list[tuple[Any, ...]] = []
        self.breaks_at = ""
        self.known_broken = False

    def _note(self, *call: Any) -> None:
        self.calls.append(call)
        if self.breaks_at == call[0]:
            raise Broken(why="cut")

    def broken(self) -> bool:
        return self.known_broken

    def open(self, od: Any, options: int) -> int:
        self._note("open", od.ObjectName, options)
        if od.ObjectName in self.site.missing:
            raise MQError(MQRC_UNKNOWN_OBJECT_NAME)
        if od.ObjectName == b"MODEL":
            od.ObjectName = od.DynamicQName.replace(b"*", b"1").ljust(48)
        self.site.next_handle += 10
        self.opened[self.site.next_handle] = od.ObjectName
        return self.site.next_handle

    def close(self, handle: int, options: int) -> None:
        self._note("close", handle)
        del self.opened[handle]

    def inquire(self, handle: int, selectors: Any) -> dict[int, Any]:
        self._note("inquire", handle)
        return dict.fromkeys(selectors, self.identity)

    def put(self, handle: int, md: Any, pmo: Any, data: bytes) -> None:
        assert handle in self.opened
        self._note("put", data)

    def get(self, handle: int, md: Any, gmo: Any, length: int) -> Message:
        assert handle in self.opened
        self._note("get")
        return Message(b"got", 3, 0)

    def commit(self) -> None:
        self._note("commit")

    def back_out(self) -> None:
        self._note("back_out")

    def disconnect(self) -> None:
        self._note("disconnect")


class FakeSite:
    """Gives out connections, or the failures that were prepared."""

    def __init__(self) -> None:
        self.next_handle = 0
        self.missing: set[bytes] = set()
        self.failures: list[int] = []
        self.connections: list[FakeConnection] = []
        self.delays: list[float] = []
        self.identity = b"QM1_1"

    def connect(self) -> Any:
        if self.failures:
            raise MQError(self.failures.pop(0))
        self.connections.append(FakeConnection(self, self.identity))
        return self.connections[-1]

    def wait(self, seconds: float) -> bool:
        self.delays.append(seconds)
        return False

    def verbs(self, same_manager: bool = False, timeout: float = 60.0) -> ReconnectingVerbs:
        return ReconnectingVerbs(self.connect, OD(), same_manager, timeout, self.wait)

    @property
    def last(self) -> FakeConnection:
        return self.connections[-1]


@pytest.fixture
def site() -> FakeSite:
    return FakeSite()


def reason_of(call: Callable[[], object]) -> int:
    with pytest.raises(MQError) as failure:
        call()
    return failure.value.reason


def test_handles_stay_and_objects_are_opened_again(site: FakeSite) -> None:
    verbs = site.verbs()
    first, second = verbs.open(OD(ObjectName="Q1"), 16), verbs.open(OD(ObjectName="Q2"), 1)
    verbs.close(first, 0)
    site.last.breaks_at = "put"
    verbs.put(second, PASSING, PMO(), b"again")
    assert [call[0] for call in site.last.calls] == ["open", "put"]
    assert site.last.calls[0][1:] == (b"Q2", 1)
    assert reason_of(lambda: verbs.put(first, PASSING, PMO(), b"x")) == MQRC_HOBJ_ERROR
    assert verbs.get(second, MD(), GMO(), -1).data == b"got"


def test_dynamic_queues_get_their_names_again(site: FakeSite) -> None:
    verbs = site.verbs()
    od = OD(ObjectName="MODEL", DynamicQName="REPLY.*")
    verbs.open(od, 1)
    assert od.ObjectName.rstrip() == b"REPLY.1"
    site.last.known_broken = True
    verbs.back_out()
    assert list(site.last.opened.values()) == [b"REPLY.1".ljust(48)]


def test_units_of_work_are_lost(site: FakeSite) -> None:
    verbs = site.verbs()
    handle = verbs.open(OD(ObjectName="Q1"), 16)
    verbs.put(handle, MD(), UNDER_SYNCPOINT, b"one")
    site.last.breaks_at = "put"
    with pytest.raises(BackedOut):
        verbs.put(handle, MD(), UNDER_SYNCPOINT, b"two")
    assert len(site.connections) == 2
    verbs.put(handle, MD(), UNDER_SYNCPOINT, b"one")
    site.last.known_broken = True
    with pytest.raises(BackedOut):
        verbs.commit()
    verbs.commit()
    verbs.get(handle, MD(), GMO(Options=CMQC.MQGMO_SYNCPOINT), -1)
    site.last.breaks_at = "commit"
    assert reason_of(verbs.commit) == MQRC_CALL_INTERRUPTED
    verbs.commit()
    verbs.put(handle, MD(), UNDER_SYNCPOINT, b"x")
    site.last.breaks_at = "back_out"
    verbs.back_out()


def test_persistent_puts_that_were_under_way_are_in_doubt(site: FakeSite) -> None:
    verbs = site.verbs()
    handle = verbs.open(OD(ObjectName="Q1"), 16)
    site.last.breaks_at = "put"
    assert reason_of(lambda: verbs.put(handle, MD(Persistence=1), PMO(), b"x")) == MQRC_CALL_INTERRUPTED
    site.last.known_broken = True  # it is known before anything is sent
    verbs.put(handle, MD(Persistence=1), PMO(), b"y")
    assert site.last.calls[-1] == ("put", b"y")


def test_how_long_it_is_tried(site: FakeSite) -> None:
    verbs = site.verbs()
    site.failures = [MQRC_HOST_NOT_AVAILABLE] * 8
    site.last.known_broken = True
    verbs.commit()
    assert len(site.delays) == 9
    for delay, least in zip(site.delays, [*DELAYS, 25.0, 25.0], strict=True):
        assert least <= delay <= least * 1.25


def test_when_it_is_given_up(site: FakeSite) -> None:
    verbs = site.verbs(timeout=0.0)
    site.failures = [MQRC_HOST_NOT_AVAILABLE] * 3
    site.last.known_broken = True
    assert reason_of(verbs.commit) == MQRC_RECONNECT_TIMED_OUT
    site.failures = [MQRC_NOT_AUTHORIZED]
    assert reason_of(verbs.commit) == MQRC_RECONNECT_FAILED
    assert verbs.open(OD(ObjectName="Q1"), 16)  # an outage that has passed is over
    site.missing = {b"Q1"}
    site.last.known_broken = True
    assert reason_of(verbs.commit) == MQRC_RECONNECT_FAILED


def test_another_queue_manager(site: FakeSite) -> None:
    verbs = site.verbs(same_manager=True)
    site.last.known_broken = True
    verbs.commit()
    site.identity = b"QM1_2"
    site.last.known_broken = True
    assert reason_of(verbs.commit) == MQRC_RECONNECT_QMID_MISMATCH


def test_the_end(site: FakeSite) -> None:
    verbs = site.verbs()
    verbs.disconnect()
    assert site.last.calls == [("disconnect",)]
    site.last.known_broken = True
    with pytest.raises(Broken):
        verbs.commit()
    assert len(site.connections) == 1
