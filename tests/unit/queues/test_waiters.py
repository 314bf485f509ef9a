"""The list of waiting gets: who is a candidate for a message, and in which order."""

from tests.support.hosting import create, lasting, queue_of, small
from tests.support.simdisk import SimDisk

from kew.mqi.gets.request import GetRequest
from kew.mqi.local.waiter import LocalWaiter
from kew.queues.match import Match
from kew.queues.waiters import WaitList

A, B, C = (letter * 24 for letter in (b"a", b"b", b"c"))


class Waiters:
    """Makes waiters and names them by what they want."""

    def __init__(self) -> None:
        connection, self.handle = queue_of(create(SimDisk(), small()))
        self.connection = connection.connection
        self.list = WaitList()
        self.names: dict[int, str] = {}

    def add(self, name: str, match: Match | None = None) -> LocalWaiter:
        waiter = LocalWaiter(GetRequest(self.connection, self.handle, 0, match, -1))
        self.names[id(waiter)] = name
        self.list.add(waiter)
        return waiter

    def candidates(self, message_id: bytes, correlation_id: bytes) -> list[str]:
        return [self.names[id(waiter)] for waiter in self.list.candidates(message_id, correlation_id)]


def test_those_who_take_anything_are_in_order() -> None:
    waiters = Waiters()
    for name in ("first", "second", "third"):
        waiters.add(name)
    assert waiters.candidates(A, B) == ["first", "second", "third"]
    assert waiters.list.count == 3


def test_those_who_ask_for_an_id_are_found_by_it_and_go_first() -> None:
    waiters = Waiters()
    waiters.add("any")
    waiters.add("message a", Match(message_id=A))
    waiters.add("correlation b", Match(correlation_id=B))
    waiters.add("correlation c", Match(correlation_id=C))
    waiters.add("message a, correlation b", Match(message_id=A, correlation_id=B))
    assert waiters.candidates(A, B) == ["correlation b", "message a, correlation b", "message a", "any"]
    assert waiters.candidates(C, C) == ["correlation c", "any"]
    assert waiters.candidates(bytes(24), bytes(24)) == ["any"]


def test_who_asks_for_a_group_is_asked_about_every_message() -> None:
    waiters = Waiters()
    waiters.add("group", Match(group_id=A))
    assert waiters.candidates(B, C) == ["group"]


def test_a_waiter_leaves_once() -> None:
    waiters = Waiters()
    some = [waiters.add("any"), waiters.add("id", Match(message_id=A)), waiters.add("id too", Match(message_id=A))]
    for left, waiter in zip((2, 1, 0), some, strict=True):
        assert waiters.list.remove(waiter)
        assert not waiters.list.remove(waiter)
        assert waiters.list.count == left
    assert waiters.candidates(A, A) == []
    assert waiters.list.all() == []


def test_all_are_given() -> None:
    waiters = Waiters()
    some = [waiters.add("any"), waiters.add("id", Match(message_id=A)), waiters.add("another", Match(message_id=B))]
    assert {id(waiter) for waiter in waiters.list.all()} == {id(waiter) for waiter in some}


def test_candidates_may_be_removed_while_they_are_gone_through() -> None:
    waiters = Waiters()
    for _ in range(5):
        waiters.add("any")
    for waiter in waiters.list.candidates(A, B):
        assert waiters.list.remove(waiter)
    assert waiters.list.count == 0


def test_where_a_message_cannot_be_read_at_once_everybody_who_waits_looks_while_there_is_one() -> None:
    host = create(SimDisk(), small())
    connection, handle = queue_of(host)
    queue = host.queues.by_name["Q1"]
    for text in (b"first", b"second"):
        connection.put(handle, lasting(), text)
    wanted = [Match(correlation_id=A), None, None, None]
    waiters = [LocalWaiter(GetRequest(connection.connection, handle, 0, match, -1)) for match in wanted]
    with host.lock:
        for waiter in waiters:
            queue.waiters.add(waiter)
        host.queues.serve_all(queue)
    assert [None if waiter.got is None else waiter.got.data for waiter in waiters] == [None, b"first", b"second", None]
    assert queue.waiters.count == 2
