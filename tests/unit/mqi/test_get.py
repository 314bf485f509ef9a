"""MQGET: what it gives, how it ends, and that a get which fails leaves the message as it was."""

import pytest
from tests.support.hosting import Notes, create, lasting, opened, passing, queue_of, small
from tests.support.simdisk import SimDisk

from kew.codes.completion import MQCC_OK, MQCC_WARNING
from kew.codes.errors import MQError, NoMessage
from kew.codes.options import (
    MQGMO_ACCEPT_TRUNCATED_MSG,
    MQGMO_BROWSE_FIRST,
    MQGMO_BROWSE_MSG_UNDER_CURSOR,
    MQGMO_BROWSE_NEXT,
    MQGMO_COMPLETE_MSG,
    MQGMO_CONVERT,
    MQGMO_LOCK,
    MQGMO_MSG_UNDER_CURSOR,
    MQGMO_SYNCPOINT,
    MQGMO_SYNCPOINT_IF_PERSISTENT,
    MQGMO_UNLOCK,
    MQMF_LAST_SEGMENT,
    MQMF_SEGMENT,
    MQMO_MATCH_MSG_TOKEN,
    MQOO_BROWSE,
    MQOO_INPUT_SHARED,
    MQOO_OUTPUT,
    MQPMO_SYNCPOINT,
)
from kew.codes.reasons import (
    MQRC_GET_INHIBITED,
    MQRC_NO_MSG_LOCKED,
    MQRC_NONE,
    MQRC_NOT_OPEN_FOR_BROWSE,
    MQRC_NOT_OPEN_FOR_INPUT,
    MQRC_OBJECT_DAMAGED,
    MQRC_SYNCPOINT_LIMIT_REACHED,
    MQRC_TRUNCATED_MSG_ACCEPTED,
    MQRC_TRUNCATED_MSG_FAILED,
)
from kew.mqi.gets.get import abandon_get, get
from kew.mqi.gets.request import GetRequest, Got
from kew.mqi.puts.put import put
from kew.mqi.puts.request import PutRequest
from kew.mqi.transactions.units import commit
from kew.qmgr.assemble import Host
from kew.storage.log import NO_ADDRESS
from kew.storage.stall import Stall

SIZES = [0, 1, 100, 3692, 3693, 3180, 3181, 4064, 8000, 300_000]


def reason_of(error: pytest.ExceptionInfo[MQError]) -> int:
    return error.value.reason


@pytest.mark.parametrize("make", [lasting, passing])
@pytest.mark.parametrize("size", SIZES)
def test_a_message_of_any_size_comes_back_byte_for_byte(make: type, size: int) -> None:
    connection, queue = queue_of(create(SimDisk(), small()))
    data = bytes(number * 7 % 256 for number in range(size))
    connection.put(queue, make(), data)
    got = connection.get(queue)
    assert (got.data, got.length, got.reason, got.completion) == (data, size, MQRC_NONE, MQCC_OK)
    with pytest.raises(NoMessage):
        connection.get(queue)


@pytest.mark.parametrize("size", [1000, 50_000], ids=["one page", "several pages"])
@pytest.mark.parametrize("room", [0, 1, 999])
def test_a_message_that_does_not_fit_stays_with_a_warning(size: int, room: int) -> None:
    connection, queue = queue_of(create(SimDisk(), small()))
    data = bytes(number % 256 for number in range(size))
    connection.put(queue, lasting(), data)
    for options in (0, MQGMO_SYNCPOINT):
        got = connection.get(queue, options, buffer_length=room)
        assert (got.data, got.length) == (data[:room], size)
        assert (got.reason, got.completion) == (MQRC_TRUNCATED_MSG_FAILED, MQCC_WARNING)
    got = connection.get(queue, MQGMO_ACCEPT_TRUNCATED_MSG, buffer_length=room)
    assert (got.data, got.length) == (data[:room], size)
    assert (got.reason, got.completion) == (MQRC_TRUNCATED_MSG_ACCEPTED, MQCC_WARNING)
    with pytest.raises(NoMessage):
        connection.get(queue)


def test_a_buffer_of_just_the_right_size_is_no_truncation() -> None:
    connection, queue = queue_of(create(SimDisk(), small()))
    connection.put(queue, lasting(), b"12345")
    assert connection.get(queue, buffer_length=5).reason == MQRC_NONE


def test_unlocking_nothing_is_a_warning() -> None:
    connection, queue = queue_of(create(SimDisk(), small()))
    got = connection.get(queue, MQGMO_UNLOCK)
    assert (got.reason, got.completion) == (MQRC_NO_MSG_LOCKED, MQCC_WARNING)
    connection.put(queue, passing(), b"x")
    connection.get(queue, MQGMO_BROWSE_FIRST | MQGMO_LOCK)
    assert connection.get(queue, MQGMO_UNLOCK).reason == MQRC_NONE
    assert connection.get(queue, MQGMO_UNLOCK).reason == MQRC_NO_MSG_LOCKED


@pytest.mark.parametrize(
    ("opened_for", "options", "reason"),
    [
        (MQOO_OUTPUT, 0, MQRC_NOT_OPEN_FOR_INPUT),
        (MQOO_BROWSE, 0, MQRC_NOT_OPEN_FOR_INPUT),
        (MQOO_BROWSE, MQGMO_MSG_UNDER_CURSOR, MQRC_NOT_OPEN_FOR_INPUT),
        (MQOO_INPUT_SHARED, MQGMO_BROWSE_FIRST, MQRC_NOT_OPEN_FOR_BROWSE),
        (MQOO_INPUT_SHARED, MQGMO_BROWSE_NEXT, MQRC_NOT_OPEN_FOR_BROWSE),
        (MQOO_INPUT_SHARED, MQGMO_BROWSE_MSG_UNDER_CURSOR, MQRC_NOT_OPEN_FOR_BROWSE),
        (MQOO_INPUT_SHARED, MQGMO_MSG_UNDER_CURSOR, MQRC_NOT_OPEN_FOR_BROWSE),
    ],
)
def test_a_handle_gives_what_it_was_opened_for(opened_for: int, options: int, reason: int) -> None:
    host = create(SimDisk(), small())
    queue_of(host)
    connection, queue = opened(host, options=opened_for)
    with pytest.raises(MQError) as error:
        connection.get(queue, options)
    assert reason_of(error) == reason


def test_syncpoint_if_persistent_is_for_persistent_messages() -> None:
    connection, queue = queue_of(create(SimDisk(), small()))
    connection.put(queue, passing(), b"passing")
    connection.put(queue, lasting(), b"lasting")
    assert connection.get(queue, MQGMO_SYNCPOINT_IF_PERSISTENT).data == b"passing"
    assert connection.get(queue, MQGMO_SYNCPOINT_IF_PERSISTENT).data == b"lasting"
    connection.backout()
    assert connection.get(queue).data == b"lasting"


def test_only_a_persistent_message_out_of_syncpoint_waits_for_the_log() -> None:
    host = create(SimDisk(), small())
    connection, queue = queue_of(host)
    for make in (lasting, lasting, passing):
        connection.put(queue, make(), b"x")
    forced = host.log.durable
    assert connection.get(queue, MQGMO_SYNCPOINT).address <= forced
    assert connection.get(queue).address > forced
    assert connection.get(queue).address == NO_ADDRESS


@pytest.mark.parametrize("size", [10, 50_000], ids=["one page", "several pages"])
@pytest.mark.parametrize("make", [lasting, passing])
def test_the_backout_count_rises_with_each_backout(make: type, size: int) -> None:
    connection, queue = queue_of(create(SimDisk(), small()))
    connection.put(queue, make(), bytes(size))
    for count in range(4):
        assert connection.get(queue, MQGMO_SYNCPOINT).descriptor.backout_count == count
        connection.backout()
    assert connection.get(queue, MQGMO_BROWSE_FIRST).descriptor.backout_count == 4


# -- a long message between two steps ----------------------------------------------------------------------------------


def begun(host: Host, options: int = 0) -> GetRequest:
    """A get of a long message that has to wait for its pages."""
    connection, queue = opened(host)
    connection.put(queue, lasting(), b"x" * 200_000)
    request = GetRequest(connection.connection, queue, options, None, -1)
    with host.lock, pytest.raises(Stall):
        get(request)
    return request


def finish(host: Host, request: GetRequest) -> Got | None:
    """Carry a get to its end."""
    return host.engine.run(lambda: get(request))


def test_a_long_message_is_locked_while_it_is_read() -> None:
    host = create(SimDisk(), small(pool=40))
    connection, queue = queue_of(host)
    request = begun(host)
    with pytest.raises(NoMessage):
        connection.get(queue)
    got = finish(host, request)
    assert got is not None
    assert got.data == b"x" * 200_000


def test_a_get_that_is_inhibited_half_way_frees_the_message() -> None:
    host = create(SimDisk(), small(pool=40))
    connection, queue = queue_of(host)
    request = begun(host)
    host.administration.alter("Q1", {"GET": 1})
    with pytest.raises(MQError) as error:
        finish(host, request)
    assert reason_of(error) == MQRC_GET_INHIBITED
    host.administration.alter("Q1", {"GET": 0})
    assert connection.get(queue).data == b"x" * 200_000


def test_a_get_that_finds_its_unit_full_frees_the_message() -> None:
    host = create(SimDisk(), small(pool=40))
    connection, queue = queue_of(host)
    host.engine.max_uncommitted = 1
    first, firsts_queue = opened(host)
    first.put(firsts_queue, lasting(), b"first", MQPMO_SYNCPOINT)
    first.put1("Q1", lasting(), b"x" * 200_000)
    with pytest.raises(MQError) as error:
        first.get(firsts_queue, MQGMO_SYNCPOINT)
    assert reason_of(error) == MQRC_SYNCPOINT_LIMIT_REACHED
    assert connection.get(queue).data == b"x" * 200_000


def test_a_get_that_is_given_up_frees_the_message() -> None:
    host = create(SimDisk(), small(pool=40))
    connection, queue = queue_of(host)
    request = begun(host)
    host.engine.run(lambda: abandon_get(request))
    assert connection.get(queue).data == b"x" * 200_000


def test_a_damaged_page_makes_the_queue_damaged_and_is_reported_once() -> None:
    disk = SimDisk()
    notes = Notes()
    host = create(disk, small(pool=40), notes)
    connection, queue = queue_of(host)
    queue_of(host, "Q2")
    for number in range(60):
        connection.put(queue, lasting(), b"%d" % number)
    path = host.store.page_sets[1].path
    for number in range(2, 60):
        disk.flip(path, number * 4096 + 100)
    reasons = set()
    for _ in range(60):
        try:
            connection.get(queue)
        except MQError as failure:
            reasons.add(failure.reason)
    assert reasons == {MQRC_OBJECT_DAMAGED}
    assert len(notes.about("AMQ7472E")) == 1
    with pytest.raises(MQError) as error:
        connection.put(queue, lasting(), b"x")
    assert reason_of(error) == MQRC_OBJECT_DAMAGED
    other, others_queue = opened(host, "Q2")
    other.put(others_queue, lasting(), b"others go on")
    assert other.get(others_queue).data == b"others go on"


@pytest.mark.parametrize("options", [MQGMO_SYNCPOINT, MQGMO_BROWSE_FIRST, 0])
@pytest.mark.parametrize("in_unit", [True, False])
def test_nobody_is_shown_a_message_whose_put_a_crash_could_still_undo(options: int, in_unit: bool) -> None:
    host = create(SimDisk(), small())
    putter, queue = queue_of(host)
    getter, other = opened(host)
    with host.lock:
        address = put(PutRequest(putter.connection, queue, lasting(), b"x", MQPMO_SYNCPOINT if in_unit else 0))
        if in_unit:
            address = commit(putter.connection)
        assert isinstance(address, int)
        assert address > host.log.durable
        got = get(GetRequest(getter.connection, other, options, None, -1))
    assert got is not None
    assert got.address >= address


def test_non_persistent_messages_wait_for_no_log() -> None:
    host = create(SimDisk(), small())
    putter, queue = queue_of(host)
    with host.lock:
        put(PutRequest(putter.connection, queue, passing(), b"x", 0))
        put(PutRequest(putter.connection, queue, lasting(), b"y", 0))
        got = get(GetRequest(putter.connection, queue, MQGMO_SYNCPOINT, None, -1))
    assert got is not None
    assert got.data == b"x"
    assert got.address == NO_ADDRESS


@pytest.mark.parametrize("options", [MQGMO_SYNCPOINT, MQGMO_BROWSE_FIRST, 0])
def test_a_non_persistent_message_is_shown_once_the_rest_of_its_unit_cannot_be_undone(options: int) -> None:
    host = create(SimDisk(), small())
    worker, requests = queue_of(host, "REQUESTS")
    worker.put(requests, lasting(), b"request")
    requester, replies = queue_of(host)
    queue = worker.open("Q1", MQOO_OUTPUT)
    with host.lock:
        assert get(GetRequest(worker.connection, requests, MQGMO_SYNCPOINT, None, -1)) is not None
        put(PutRequest(worker.connection, queue, passing(), b"reply", MQPMO_SYNCPOINT))
        address = commit(worker.connection)
        assert address > host.log.durable
        got = get(GetRequest(requester.connection, replies, options, None, -1))
    assert got is not None
    assert got.address >= address, "the request could be there again, and be answered twice"


@pytest.mark.parametrize("options", [MQGMO_SYNCPOINT, MQGMO_BROWSE_FIRST])
def test_a_message_of_several_segments_is_shown_once_the_last_of_them_cannot_be_undone(options: int) -> None:
    host = create(SimDisk(), small())
    putter, queue = queue_of(host)
    address = NO_ADDRESS
    for place in range(3):
        host.log.force(host.log.next_address)  # all that were put before are on disk
        descriptor = lasting()
        descriptor.group_id, descriptor.offset = bytes([1]) * 24, 10 * place
        descriptor.message_flags = MQMF_LAST_SEGMENT if place == 2 else MQMF_SEGMENT
        with host.lock:
            put_at = put(PutRequest(putter.connection, queue, descriptor, bytes(10), 0))
        assert isinstance(put_at, int)
        address = put_at
    with host.lock:
        got = get(GetRequest(putter.connection, queue, options | MQGMO_COMPLETE_MSG, None, -1))
    assert got is not None
    assert len(got.data) == 30
    assert got.address >= address > host.log.durable


def test_who_gets_a_message_that_is_on_disk_waits_for_no_later_one() -> None:
    host = create(SimDisk(), small())
    putter, queue = queue_of(host)
    putter.put(queue, lasting(), b"on disk")
    with host.lock:
        put(PutRequest(putter.connection, queue, lasting(), b"on its way", 0))
        got = get(GetRequest(putter.connection, queue, MQGMO_SYNCPOINT, None, -1))
    assert got is not None
    assert got.data == b"on disk"
    assert got.address <= host.log.durable


def test_what_is_on_its_way_to_the_disk_is_forgotten_once_it_is_there() -> None:
    host = create(SimDisk(), small())
    putter, queue = queue_of(host)
    for number in range(300):
        putter.put(queue, lasting(), b"x", MQPMO_SYNCPOINT if number % 2 else 0)
        putter.commit()
    assert len(host.store.unforced._places) <= 2


def test_a_get_by_token_may_convert() -> None:
    connection, queue = queue_of(create(SimDisk(), small()))
    for body in (b"\xc1", b"\xc2"):
        descriptor = passing()
        descriptor.format, descriptor.ccsid = b"MQSTR   ", 500
        connection.put(queue, descriptor, body)
    options = [MQGMO_BROWSE_FIRST, MQGMO_BROWSE_NEXT]
    tokens = [connection.get(queue, option).token for option in options]
    found = connection.get(queue, MQGMO_CONVERT, match_options=MQMO_MATCH_MSG_TOKEN, token=tokens[1])
    assert found.data == b"B"
