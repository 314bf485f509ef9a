"""What a verb tries in a unit of work: all of it is kept or none, also where undoing has to wait for a page."""

import pytest
from tests.support.hosting import create, lasting, opened, passing, queue_of, small
from tests.support.simdisk import SimDisk
from tests.support.stores import private

from kew.codes.errors import MQError
from kew.codes.options import MQPMO_SYNCPOINT
from kew.codes.reasons import MQRC_Q_DELETED, MQRC_Q_FULL
from kew.mqi.connections.connection import Connection
from kew.mqi.delivery.atomicput import AtomicPut
from kew.mqi.delivery.delivery import QueueDelivery
from kew.qmgr.assemble import Host
from kew.queues.match import Match
from kew.queues.store import Storing
from kew.storage.log import NO_ADDRESS, LogAddress
from kew.storage.message import MessageRef
from kew.storage.pages import records
from kew.storage.pages.chain import ChainKeeper
from kew.storage.recovery.attempt import Attempt
from kew.storage.recovery.units import Observer
from kew.storage.stall import Stall
from kew.storage.unit import BACKED_OUT, COMMITTED, IN_BACKOUT, IN_COMMIT, IN_FLIGHT


class Wait(Stall):
    """A stall that needs no I/O."""

    def resolve(self) -> None:
        pass


class Stalling(ChainKeeper):
    """A keeper for which an item may go only at the second attempt, as where its page must be read first."""

    def __init__(self, host: Host) -> None:
        self.stalls = 1
        private(host.queues.by_name["Q1"]).chain(0, False).keeper = self

    def became_available(self, item: MessageRef) -> None:
        pass

    def removing(self, item: MessageRef) -> None:
        if self.stalls:
            self.stalls -= 1
            raise Wait("once more")


def with_queue() -> Host:
    host = create(SimDisk(), small())
    queue_of(host)
    return host


def put(host: Host, attempt: Attempt, persistent: bool = True) -> None:
    queue = host.queues.by_name["Q1"]
    descriptor = lasting(priority=0) if persistent else passing(priority=0)
    descriptor.pad()
    with host.lock:
        assert QueueDelivery(host.engine, queue, descriptor, b"x", attempt.unit).step()


def depth(host: Host) -> int:
    return host.queues.by_name["Q1"].depth


def kinds(host: Host, start: int) -> list[str]:
    host.log.force(host.log.next_address)
    return [records.KIND_NAMES[record.kind] for record in host.log.read(LogAddress(start))]


def test_a_unit_of_its_own_ends_with_the_attempt() -> None:
    host = with_queue()
    attempt = Attempt(host.units, None)
    put(host, attempt)
    assert attempt.commit() == host.log.next_address
    assert attempt.unit.state == COMMITTED
    assert not host.units.active
    attempt = Attempt(host.units, None)
    put(host, attempt)
    attempt.give_up()
    assert attempt.unit.state == BACKED_OUT
    assert not host.units.active
    assert depth(host) == 1


@pytest.mark.parametrize("end", ["commit", "give_up"])
def test_a_unit_of_its_own_that_did_nothing_leaves_nothing(end: str) -> None:
    host = with_queue()
    start = host.log.next_address
    attempt = Attempt(host.units, None)
    if end == "commit":
        assert attempt.commit() == NO_ADDRESS
    else:
        attempt.give_up()
        attempt.give_up()
    assert not host.units.active
    assert host.log.next_address == start


def test_the_programs_unit_goes_on_without_what_was_tried() -> None:
    host = with_queue()
    connection, queue = opened(host)
    connection.put(queue, lasting(), b"kept", MQPMO_SYNCPOINT)
    unit = connection.connection.unit
    attempt = Attempt(host.units, unit)
    put(host, attempt)
    put(host, attempt, persistent=False)
    attempt.give_up()
    attempt.give_up()
    assert unit is not None
    assert (unit.state, len(unit.operations)) == (IN_FLIGHT, 1)
    assert attempt.commit() == NO_ADDRESS
    assert unit.state == IN_FLIGHT
    connection.commit()
    assert connection.get(queue).data == b"kept"
    assert depth(host) == 0


@pytest.mark.parametrize("own", [True, False])
def test_undoing_that_stalls_goes_on_where_it_stopped(own: bool) -> None:
    host = with_queue()
    unit = None if own else host.units.begin()
    attempt = Attempt(host.units, unit)
    for _ in range(3):
        put(host, attempt)
    start = host.log.next_address
    Stalling(host)
    with pytest.raises(Wait):
        attempt.give_up()
    assert attempt.unit.state == (IN_BACKOUT if own else IN_FLIGHT)
    attempt.give_up()
    undone = ["REMOVE", "REMOVE", "REMOVE"]
    assert kinds(host, start) == (["BACKOUT", *undone, "END"] if own else undone)
    assert depth(host) == 0


def test_what_is_decided_is_not_given_up() -> None:
    host = with_queue()
    connection, queue = opened(host)
    connection.put(queue, lasting(), b"x")
    attempt = Attempt(host.units, None)
    item = host.queues.by_name["Q1"].find(Match())
    assert item is not None
    host.queues.by_name["Q1"].take(item, attempt.unit)
    Stalling(host)
    with pytest.raises(Wait):
        attempt.commit()
    assert attempt.unit.state == IN_COMMIT
    attempt.give_up()
    assert attempt.unit.state == IN_COMMIT
    assert attempt.commit() != NO_ADDRESS
    assert attempt.unit.state == COMMITTED


def test_a_failure_is_raised_again_after_a_stall() -> None:
    host = with_queue()
    attempt = Attempt(host.units, None)
    put(host, attempt)
    attempt.check()
    Stalling(host)
    failure = MQError(MQRC_Q_FULL)
    with pytest.raises(Wait):
        attempt.fail(failure)
    for _ in range(2):
        with pytest.raises(MQError) as told:
            attempt.check()
        assert told.value is failure
    assert depth(host) == 0


def test_whoever_forces_a_unit_out_undoes_it() -> None:
    host = with_queue()
    attempt = Attempt(host.units, None)
    put(host, attempt)
    attempt.unit.forced_out = True
    attempt.give_up()
    assert attempt.unit.state == IN_FLIGHT
    host.units.backout(attempt.unit)
    attempt.give_up()
    assert depth(host) == 0


def test_pages_of_a_message_that_was_not_completed_are_given_back() -> None:
    host = with_queue()
    queue = host.queues.by_name["Q1"]
    page_set = host.store.page_sets[1]
    free = page_set.space.available()
    attempt = Attempt(host.units, None)
    storing = queue.storing(passing(priority=0), b"", bytes(40000), False, 0, attempt.unit)
    assert isinstance(storing, Storing)
    assert not storing.step()
    assert page_set.space.available() < free
    attempt.give_up()
    assert page_set.space.available() == free
    assert attempt.unit.state == BACKED_OUT


def test_a_put_of_several_that_has_failed_is_not_tried_again_after_a_stall() -> None:
    host = with_queue()
    program: Connection = host.connect().connection
    descriptor = lasting(priority=0)
    descriptor.pad()
    queue_of(host, "Q2")
    other = host.queues.by_name["Q2"]
    first, second = [
        QueueDelivery(host.engine, queue, descriptor, b"x", None) for queue in (host.queues.by_name["Q1"], other)
    ]
    whole = AtomicPut(host.engine, [first, second], None, None)
    Stalling(host)
    other.deleted = True
    with host.lock, pytest.raises(Wait):
        whole.step(program)
    other.deleted = False  # the put to it would succeed now
    with host.lock, pytest.raises(MQError) as told:
        whole.step(program)
    assert told.value.reason == MQRC_Q_DELETED
    assert depth(host) == 0
    assert other.depth == 0
    assert not host.units.active


class Noting:
    """An observer that notes when it is told that a unit has ended, and what had been undone or kept by then."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self.behind: Observer = host.queues
        self.depths: list[int] = []

    def put_committed(self, item: MessageRef) -> None:
        self.behind.put_committed(item)

    def get_committed(self, item: MessageRef) -> None:
        self.behind.get_committed(item)

    def put_undone(self, item: MessageRef) -> None:
        self.behind.put_undone(item)

    def get_undone(self, item: MessageRef) -> None:
        self.behind.get_undone(item)

    def unit_ended(self) -> None:
        self.depths.append(depth(self.host))
        self.behind.unit_ended()


@pytest.mark.parametrize(("end", "left"), [("commit", 1), ("give_up", 0)])
def test_the_end_of_a_unit_is_told_once_and_last(end: str, left: int) -> None:
    host = with_queue()
    noting = Noting(host)
    host.units.pages.observer = noting
    attempt = Attempt(host.units, None)
    put(host, attempt)
    assert not noting.depths
    if end == "commit":
        attempt.commit()
    else:
        attempt.give_up()
    attempt.give_up()
    assert noting.depths == [left]
