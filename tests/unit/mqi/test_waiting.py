"""Gets that wait: nobody is forgotten, first come is first served, and everything that frees a message wakes."""

import signal
import threading
import time

import pytest
from tests.support.hosting import create, lasting, opened, passing, queue_of, small
from tests.support.simdisk import SimDisk
from tests.support.threads import Background, until

from kew.codes.errors import MQError, NoMessage
from kew.codes.options import (
    MQGMO_BROWSE_FIRST,
    MQGMO_BROWSE_NEXT,
    MQGMO_LOCK,
    MQGMO_SYNCPOINT,
    MQGMO_UNLOCK,
    MQGMO_WAIT,
    MQMO_MATCH_CORREL_ID,
    MQMO_MATCH_MSG_ID,
    MQPMO_NEW_MSG_ID,
    MQPMO_SYNCPOINT,
    MQWI_UNLIMITED,
)
from kew.codes.reasons import (
    MQRC_GET_INHIBITED,
    MQRC_Q_MGR_STOPPING,
    MQRC_TRUNCATED_MSG_FAILED,
    MQRC_WAIT_INTERVAL_ERROR,
)
from kew.formats.mqmd import MessageDescriptor, encode
from kew.mqi.gets.get import get
from kew.mqi.gets.request import GetRequest, Got
from kew.qmgr.assemble import Host
from kew.storage.stall import Stall


def with_queue(pool: int = 200) -> Host:
    host = create(SimDisk(), small(pool=pool, pages=6000))
    queue_of(host)
    return host


def waiting_get(
    host: Host,
    options: int = 0,
    interval: int = MQWI_UNLIMITED,
    match_options: int = 0,
    wanted: MessageDescriptor | None = None,
    room: int = -1,
) -> Background[Got]:
    """A get that waits in a thread of its own; returns once it does."""
    queue = host.queues.by_name["Q1"]
    before = queue.waiters.count
    connection, handle = opened(host)
    call = Background(lambda: connection.get(handle, options | MQGMO_WAIT, interval, match_options, wanted, room))
    until(lambda: queue.waiters.count > before or not call.running())
    return call


# -- how a wait ends ---------------------------------------------------------------------------------------------------


def test_a_message_that_is_there_is_given_without_waiting() -> None:
    host = with_queue()
    connection, queue = opened(host)
    connection.put(queue, passing(), b"x")
    assert connection.get(queue, MQGMO_WAIT, MQWI_UNLIMITED).data == b"x"


@pytest.mark.parametrize("make", [lasting, passing])
def test_a_put_ends_the_wait(make: type) -> None:
    host = with_queue()
    call = waiting_get(host)
    connection, queue = opened(host)
    connection.put(queue, make(), b"x")
    assert call.result().data == b"x"
    assert host.queues.by_name["Q1"].depth == 0


def test_what_an_earlier_put_has_stored_is_not_taken_for_this_one() -> None:
    host = with_queue()
    connection, queue = opened(host)
    descriptor = passing()
    connection.put(queue, descriptor, b"first")
    assert descriptor.stored == encode(descriptor)
    assert connection.get(queue).data == b"first"
    call = waiting_get(host)
    connection.put(queue, descriptor, b"second", MQPMO_NEW_MSG_ID)  # handed over, and so never stored
    assert call.result().descriptor.message_id == descriptor.message_id
    assert descriptor.stored in (b"", encode(descriptor))


def test_a_long_message_ends_the_wait() -> None:
    host = with_queue(pool=40)
    calls = [waiting_get(host), waiting_get(host)]
    connection, queue = opened(host)
    connection.put(queue, lasting(), b"l" * 200_000)
    connection.put(queue, passing(), b"p" * 200_000)
    assert sorted(call.result().data for call in calls) == [b"l" * 200_000, b"p" * 200_000]


def test_the_wait_ends_after_its_interval_and_not_before() -> None:
    host = with_queue()
    connection, queue = opened(host)
    begun = time.monotonic()
    with pytest.raises(NoMessage):
        connection.get(queue, MQGMO_WAIT, 50)
    assert time.monotonic() - begun >= 0.05
    assert host.queues.by_name["Q1"].waiters.count == 0


def test_an_interval_of_nothing_does_not_wait() -> None:
    host = with_queue()
    connection, queue = opened(host)
    with pytest.raises(NoMessage):
        connection.get(queue, MQGMO_WAIT, 0)


def test_a_negative_interval_is_refused() -> None:
    host = with_queue()
    connection, queue = opened(host)
    with pytest.raises(MQError) as error:
        connection.get(queue, MQGMO_WAIT, -2)
    assert error.value.reason == MQRC_WAIT_INTERVAL_ERROR


def test_a_message_for_somebody_else_does_not_end_the_wait() -> None:
    host = with_queue()
    wanted = MessageDescriptor(correlation_id=b"mine".ljust(24))
    call = waiting_get(host, match_options=MQMO_MATCH_CORREL_ID, wanted=wanted)
    connection, queue = opened(host)
    connection.put(queue, passing(correlation_id=b"yours".ljust(24)), b"other")
    assert call.running()
    connection.put(queue, passing(correlation_id=b"mine".ljust(24)), b"right")
    assert call.result().data == b"right"
    assert connection.get(queue).data == b"other"


def test_inhibiting_gets_ends_the_wait() -> None:
    host = with_queue()
    call = waiting_get(host)
    host.administration.alter("Q1", {"GET": 1})
    with pytest.raises(MQError) as error:
        call.result()
    assert error.value.reason == MQRC_GET_INHIBITED


def test_stopping_the_queue_manager_ends_the_wait() -> None:
    host = with_queue()
    call = waiting_get(host)
    host.stop()
    with pytest.raises(MQError) as error:
        call.result()
    assert error.value.reason == MQRC_Q_MGR_STOPPING


class Interrupted(Exception):
    """What a program's signal handler raises."""


def interrupted(_signal: int, _frame: object) -> None:
    raise Interrupted


def test_a_wait_that_is_interrupted_leaves_nobody_waiting() -> None:
    host = with_queue()
    connection, queue = opened(host)
    inner = queue.queue
    assert inner is not None
    main = threading.get_ident()

    def interrupt() -> None:
        until(lambda: inner.waiters.count == 1)
        signal.pthread_kill(main, signal.SIGUSR1)

    before = signal.signal(signal.SIGUSR1, interrupted)
    try:
        helper = Background(interrupt)
        with pytest.raises(Interrupted):
            connection.get(queue, MQGMO_WAIT, MQWI_UNLIMITED)
        helper.result()
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert inner.waiters.count == 0
    connection.put(queue, passing(), b"x")
    assert connection.get(queue).data == b"x"


# -- what wakes --------------------------------------------------------------------------------------------------------


def test_a_commit_wakes_and_a_put_in_a_unit_does_not() -> None:
    host = with_queue()
    call = waiting_get(host)
    connection, queue = opened(host)
    connection.put(queue, passing(), b"x", MQPMO_SYNCPOINT)
    assert host.queues.by_name["Q1"].waiters.count == 1
    connection.commit()
    assert call.result().data == b"x"


def test_a_commit_wakes_as_many_as_it_has_messages() -> None:
    host = with_queue()
    calls = [waiting_get(host) for _ in range(5)]
    connection, queue = opened(host)
    for number in range(4):
        connection.put(queue, lasting(), b"%d" % number, MQPMO_SYNCPOINT)
    connection.commit()
    assert [call.result().data for call in calls[:4]] == [b"0", b"1", b"2", b"3"]
    assert calls[4].running()
    connection.put(queue, passing(), b"last")
    assert calls[4].result().data == b"last"


@pytest.mark.parametrize("make", [lasting, passing])
def test_a_backout_wakes(make: type) -> None:
    host = with_queue()
    connection, queue = opened(host)
    connection.put(queue, make(), b"x")
    connection.get(queue, MQGMO_SYNCPOINT)
    call = waiting_get(host)
    connection.backout()
    got = call.result()
    assert (got.data, got.descriptor.backout_count) == (b"x", 1)


def test_a_program_that_dies_wakes() -> None:
    host = with_queue()
    connection, queue = opened(host)
    connection.put(queue, lasting(), b"x")
    connection.get(queue, MQGMO_SYNCPOINT)
    call = waiting_get(host)
    connection.abandon()
    assert call.result().data == b"x"


def test_resolving_a_branch_wakes() -> None:
    host = with_queue()
    connection, queue = opened(host)
    connection.start_branch(b"branch")
    connection.put(queue, lasting(), b"x", MQPMO_SYNCPOINT)
    connection.end_branch()
    connection.prepare(b"branch")
    call = waiting_get(host)
    connection.commit_branch(b"branch")
    assert call.result().data == b"x"


def test_unlocking_wakes() -> None:
    host = with_queue()
    connection, queue = opened(host)
    connection.put(queue, passing(), b"x")
    connection.get(queue, MQGMO_BROWSE_FIRST | MQGMO_LOCK)
    call = waiting_get(host)
    connection.get(queue, MQGMO_UNLOCK)
    assert call.result().data == b"x"


def test_moving_on_from_a_locked_message_wakes() -> None:
    host = with_queue()
    connection, queue = opened(host)
    other, others_queue = opened(host)
    connection.put(queue, passing(), b"0")
    connection.put(queue, passing(), b"1")
    connection.get(queue, MQGMO_BROWSE_FIRST | MQGMO_LOCK)
    other.get(others_queue, MQGMO_BROWSE_NEXT | MQGMO_LOCK)
    call = waiting_get(host)
    with pytest.raises(NoMessage):
        connection.get(queue, MQGMO_BROWSE_NEXT)
    assert call.result().data == b"0"
    call = waiting_get(host)
    other.get(others_queue, MQGMO_BROWSE_FIRST)
    assert call.result().data == b"1"


def test_closing_the_handle_of_a_locked_message_wakes() -> None:
    host = with_queue()
    connection, queue = opened(host)
    connection.put(queue, passing(), b"x")
    connection.get(queue, MQGMO_BROWSE_FIRST | MQGMO_LOCK)
    call = waiting_get(host)
    connection.close(queue)
    assert call.result().data == b"x"


def test_a_long_get_that_does_not_fit_wakes_who_came_meanwhile() -> None:
    host = with_queue(pool=40)
    connection, queue = opened(host)
    connection.put(queue, lasting(), b"x" * 200_000)
    request = GetRequest(connection.connection, queue, 0, None, 10)
    with host.lock, pytest.raises(Stall) as stall:
        get(request)
    call = waiting_get(host)
    assert call.running(), "the message is locked while it is read"
    waiting: Stall | None = stall.value
    while waiting is not None:
        waiting.resolve()
        try:
            with host.lock:
                got = get(request)
            waiting = None
        except Stall as another:
            waiting = another
    assert got is not None
    assert got.reason == MQRC_TRUNCATED_MSG_FAILED
    assert call.result().data == b"x" * 200_000


def test_a_unit_that_the_log_needs_back_wakes() -> None:
    host = with_queue()
    queue_of(host, "Q2")
    connection, queue = opened(host)
    connection.put(queue, lasting(), b"x")
    connection.get(queue, MQGMO_SYNCPOINT)
    call = waiting_get(host)
    filler, fillers_queue = opened(host, "Q2")
    while not host.units.counters.forced_out:
        filler.put(fillers_queue, lasting(), bytes(3000))
    assert call.result().data == b"x"


# -- who is served -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [lasting, passing])
def test_first_come_first_served(make: type) -> None:
    host = with_queue()
    calls = [waiting_get(host) for _ in range(8)]
    connection, queue = opened(host)
    for number in range(8):
        connection.put(queue, make(), b"%d" % number)
    assert [call.result().data for call in calls] == [b"%d" % number for number in range(8)]


def test_first_come_first_served_among_those_with_the_same_id() -> None:
    host = with_queue()
    wanted = MessageDescriptor(message_id=b"id".ljust(24))
    calls = [waiting_get(host, match_options=MQMO_MATCH_MSG_ID, wanted=wanted) for _ in range(4)]
    connection, queue = opened(host)
    for number in range(4):
        connection.put(queue, passing(b"id".ljust(24)), b"%d" % number)
    assert [call.result().data for call in calls] == [b"%d" % number for number in range(4)]


def test_who_asks_for_the_id_goes_before_who_takes_anything() -> None:
    host = with_queue()
    anyone = waiting_get(host)
    wanted = MessageDescriptor(correlation_id=b"id".ljust(24))
    one = waiting_get(host, match_options=MQMO_MATCH_CORREL_ID, wanted=wanted)
    connection, queue = opened(host)
    connection.put(queue, passing(correlation_id=b"id".ljust(24)), b"for one")
    assert one.result().data == b"for one"
    connection.put(queue, passing(), b"for anyone")
    assert anyone.result().data == b"for anyone"


def test_browsers_see_what_a_getter_then_takes() -> None:
    host = with_queue()
    browsers = [waiting_get(host, MQGMO_BROWSE_NEXT) for _ in range(3)]
    getter = waiting_get(host)
    connection, queue = opened(host)
    connection.put(queue, passing(), b"x", MQPMO_SYNCPOINT)
    connection.commit()
    assert [call.result().data for call in browsers] == [b"x"] * 3
    assert getter.result().data == b"x"
    assert host.queues.by_name["Q1"].depth == 0


def test_who_has_too_small_a_buffer_does_not_keep_the_message_from_the_next() -> None:
    host = with_queue()
    small_one = waiting_get(host, room=2)
    large_one = waiting_get(host)
    connection, queue = opened(host)
    connection.put(queue, passing(), b"too long")
    assert large_one.result().data == b"too long"
    connection.put(queue, passing(), b"too long as well")
    assert small_one.result().reason == MQRC_TRUNCATED_MSG_FAILED
    assert connection.get(queue).data == b"too long as well"


# -- queue avoidance ---------------------------------------------------------------------------------------------------


def test_a_passing_message_goes_straight_to_the_getter_and_never_to_a_page() -> None:
    host = with_queue()
    free = host.store.page_sets[1].space.free
    connection, queue = opened(host)
    for number in range(10):
        call = waiting_get(host)
        connection.put(queue, passing(), b"%d" % number)
        assert call.result().data == b"%d" % number
    counters = host.queues.by_name["Q1"].counters
    assert (counters.handed_over, counters.puts, counters.gets, counters.put_bytes) == (10, 10, 10, 10)
    assert host.store.page_sets[1].space.free == free
    assert host.store.counters.items_put == 1, "the definition of the queue"


def test_the_getter_has_a_descriptor_of_its_own() -> None:
    host = with_queue()
    call = waiting_get(host)
    connection, queue = opened(host)
    descriptor = passing()
    connection.put(queue, descriptor, b"x")
    got = call.result()
    assert got.descriptor is not descriptor
    assert got.descriptor.message_id == descriptor.message_id
    assert got.descriptor.put_date == descriptor.put_date


@pytest.mark.parametrize(
    ("options", "persistent", "put_options"),
    [(MQGMO_SYNCPOINT, False, 0), (0, True, 0), (0, False, MQPMO_SYNCPOINT), (MQGMO_BROWSE_NEXT, False, 0)],
    ids=["getter in a unit", "persistent", "putter in a unit", "browser"],
)
def test_other_messages_go_over_the_queue(options: int, persistent: bool, put_options: int) -> None:
    host = with_queue()
    call = waiting_get(host, options)
    connection, queue = opened(host)
    connection.put(queue, (lasting if persistent else passing)(), b"x", put_options)
    connection.commit()
    assert call.result().data == b"x"
    assert host.queues.by_name["Q1"].counters.handed_over == 0


# -- many --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("persistent", [False, True], ids=["passing", "lasting"])
def test_32_threads_lose_no_wake_up(persistent: bool) -> None:
    pairs, cycles = 16, 200 if not persistent else 50
    host = with_queue()
    queue_of(host, "Q2")
    make = lasting if persistent else passing

    def serve() -> int:
        """Answer requests until one says that there are no more."""
        connection, requests = opened(host)
        replies = connection.open("Q2", requests.options)
        served = 0
        while True:
            got = connection.get(requests, MQGMO_WAIT, MQWI_UNLIMITED)
            if got.data == b"end":
                return served
            reply = make(correlation_id=got.descriptor.message_id)
            connection.put(replies, reply, got.data)
            served += 1

    def ask(number: int) -> int:
        connection, requests = opened(host)
        replies = connection.open("Q2", requests.options)
        for cycle in range(cycles):
            request = make()
            text = b"%d of %d" % (cycle, number)
            connection.put(requests, request, text)
            wanted = MessageDescriptor(correlation_id=request.message_id)
            got = connection.get(replies, MQGMO_WAIT, MQWI_UNLIMITED, MQMO_MATCH_CORREL_ID, wanted)
            assert got.data == text
        return cycles

    servers = [Background(serve) for _ in range(pairs)]
    askers = [Background(lambda number=number: ask(number)) for number in range(pairs)]  # type: ignore[misc]
    assert sum(call.result() for call in askers) == pairs * cycles
    connection, requests = opened(host)
    for _ in servers:
        connection.put(requests, passing(), b"end")
    assert sum(call.result() for call in servers) == pairs * cycles
    for name in ("Q1", "Q2"):
        queue = host.queues.by_name[name]
        assert (queue.depth, queue.waiters.count) == (0, 0)


def test_messages_hardly_touch_the_queue_while_getters_wait() -> None:
    host = with_queue()
    cycles = 500
    ready = threading.Semaphore(0)

    def take() -> None:
        connection, queue = opened(host)
        for _ in range(cycles):
            ready.release()
            connection.get(queue, MQGMO_WAIT, MQWI_UNLIMITED)

    getters = [Background(take) for _ in range(4)]
    connection, queue = opened(host)
    inner = queue.queue
    assert inner is not None
    for _ in range(4 * cycles):
        ready.acquire()
        until(lambda: inner.waiters.count > 0)
        connection.put(queue, passing(), b"x")
    for call in getters:
        call.result()
    assert inner.counters.puts == 4 * cycles
    assert inner.counters.handed_over > 0.95 * inner.counters.puts


def test_waits_that_time_out_and_puts_at_the_same_moment_lose_nothing() -> None:
    host = with_queue()
    received: list[int] = []
    done = threading.Event()

    def take() -> None:
        connection, queue = opened(host)
        while True:
            last = done.is_set()
            try:
                received.append(int(connection.get(queue, MQGMO_WAIT, 1).data))
            except NoMessage:
                if last:
                    return

    getters = [Background(take) for _ in range(4)]
    connection, queue = opened(host)
    for number in range(2000):
        connection.put(queue, passing(), b"%d" % number)
        if number % 20 == 0:
            time.sleep(0.001)  # let waits run out while messages come
    done.set()
    for call in getters:
        call.result()
    assert sorted(received) == list(range(2000))
