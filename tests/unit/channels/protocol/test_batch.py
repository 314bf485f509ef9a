"""Message channels: segments and batches as both ends agree, doubt resolved by LUWID, partners that break the rules."""

import pytest
from tests.support.mca import message, offer, segments, terms

from kew.channels.protocol.batch import (
    BatchConfirmed,
    CloseRequested,
    ConfirmRequested,
    Reset,
    Transfer,
    is_persistent,
    next_number,
)
from kew.channels.protocol.control import Heartbeat, Ping, Status
from kew.channels.protocol.dialect import BIG, ENC_ZOS, SERVER_DIALECT, Dialect
from kew.channels.protocol.events import Event
from kew.channels.protocol.framing import frame
from kew.channels.protocol.lifecycle import ChannelEnded, ChannelRequested, ChannelStarted, Failed, TimedOut
from kew.channels.protocol.negotiate import LARGE_SEGMENTS, MSG_SEQ, SPLIT_MESSAGES
from kew.channels.protocol.receiving import ReceiverChannel
from kew.channels.protocol.resync import (
    MOST_IN_DOUBT,
    NO_BATCH,
    NUMBERS_DIFFER,
    RECORD_REPLACED,
    SETTLED,
    UNKNOWN_BATCH,
    UNKNOWN_PARTNER,
    Batch,
    Kept,
    Resync,
    decide,
    decode_resync,
)
from kew.channels.protocol.segments import (
    CONFIRM_REQUEST,
    FORM_PLAIN,
    MESSAGE_DATA,
    NO_UNIT,
    REQUEST_ACCEPTED,
    STATUS_DATA,
    encode_header,
)
from kew.channels.protocol.sending import Alive, Resolved, SenderChannel
from kew.channels.protocol.states import CLOSED

UNIT = bytes.fromhex("13dca33d21700100")
OTHER = bytes.fromhex("13dca33d21700101")
EPOCH = b"R-epoch."
MINE = b"S-epoch."
ZOS = Dialect(BIG, ENC_ZOS, 500, True)


def only(events: list[Event]) -> Event:
    assert len(events) == 1, events
    return events[0]


def started(
    own: Kept | None = None,
    theirs: Kept | None = None,
    kew: bool = True,
    window: int = 1,
    batch_size: int = 50,
    wrap: int = 999999999,
    fast: bool = True,
    numbers_matter: bool = True,
    word: int = 0,
) -> tuple[SenderChannel, ReceiverChannel]:
    kept = own or Kept(MINE, partner=EPOCH)
    sender = SenderChannel(offer(window, batch_size, fast, wrap, kew), kept, SERVER_DIALECT, numbers_matter)
    receiver = ReceiverChannel()
    assert isinstance(only(receiver.receive(sender.start())), ChannelRequested)
    assert receiver.keep(theirs or Kept(EPOCH)) == []
    data, begun = receiver.accept(terms(window, batch_size, wrap, word))
    assert isinstance(only(begun), ChannelStarted)
    assert isinstance(only(sender.receive(data)), ChannelStarted)
    return sender, receiver


def resolved(sender: SenderChannel, receiver: ReceiverChannel) -> Resolved:
    assert sender.resynchronise() == []
    receiver.receive(sender.take_output())
    event = sender.receive(receiver.take_output())[0]
    assert isinstance(event, Resolved)
    return event


def moving(**options: object) -> tuple[SenderChannel, ReceiverChannel]:
    sender, receiver = started(**options)  # type: ignore[arg-type]
    assert resolved(sender, receiver).verdict.cause == SETTLED
    return sender, receiver


def moved(sender: SenderChannel, text: bytes = b"x", persistent: bool = True, size: int = 0) -> bytes:
    sender.move(message(text, persistent, size))
    return sender.take_output()


def asked(sender: SenderChannel) -> bytes:
    sender.ask_to_confirm(sender.close_batch().luwid)
    return sender.take_output()


def confirmed(receiver: ReceiverChannel, dead_letters: bool = False) -> bytes:
    receiver.confirm(dead_letters)
    return receiver.take_output()


# What is on the wire.


def test_offer_and_answer_between_kews() -> None:
    sender = SenderChannel(offer(2), Kept(MINE))
    said = sender.start()
    assert said[:12] == bytes.fromhex("545348200000010c02010100")
    assert said[28:32] == b"ID  "
    assert said[28 + 5] == 0x07
    assert said[28 + 144 : 28 + 148] == bytes.fromhex("4d57454b")
    receiver = ReceiverChannel()
    receiver.receive(said)
    answer, _ = receiver.accept(terms(1))
    assert answer[8:12] in (bytes.fromhex("02010000"), bytes.fromhex("02010200"))
    assert answer[28 + 134 : 28 + 136] == bytes.fromhex("2100")


def test_a_message_of_one_segment() -> None:
    sender, _ = moving()
    sender.begin_batch(UNIT)
    data = moved(sender, b"hello")
    assert data[:28] == bytes.fromhex("54534820000001e102043000") + UNIT + bytes.fromhex("2202000033030000")
    assert data[28:48] == b"MSH " + bytes.fromhex("01000000b101000000000000b1010000")
    assert data[48 + 428 :] == b"hello"


def test_a_message_of_four_segments_and_a_request_to_confirm() -> None:
    sender, receiver = moving()
    sender.begin_batch(UNIT)
    parts = segments(moved(sender, size=100000))
    assert [len(part) for part in parts] == [32748, 32748, 32748, 2376]
    assert [part[10] for part in parts] == [0x10, 0, 0, 0x20]
    assert [part[36:40].hex() for part in parts] == ["bc7f0000"] * 3 + ["18090000"]
    assert {part[44:48].hex() for part in parts} == {"4c880100"}
    assert asked(sender) == bytes.fromhex("545348200000001c02053100") + UNIT + bytes.fromhex("2202000033030000")
    for part in parts[:-1]:
        assert receiver.receive(part) == []
    last = bytearray(parts[-1])
    last[10] |= CONFIRM_REQUEST  # a partner may ask with the last segment
    transfer, request = receiver.receive(bytes(last))
    assert isinstance(transfer, Transfer)
    assert isinstance(request, ConfirmRequested)
    assert transfer.payload == message(b"x", size=100000)
    assert (request.luwid, request.number, request.count) == (UNIT, 1, 1)
    assert confirmed(receiver) == bytes.fromhex("545348200000001c02054000") + UNIT + bytes.fromhex("2202000033030000")


def test_flags_of_a_confirmation() -> None:
    for dead_letters, closing, flags in ((True, False, 0xC0), (False, True, 0x44), (True, True, 0xC4)):
        sender, receiver = moving()
        sender.begin_batch(UNIT)
        receiver.receive(moved(sender) + asked(sender))
        receiver.closing = closing
        data = confirmed(receiver, dead_letters)
        assert data[10] == flags
        events = sender.receive(data)
        assert isinstance(events[0], BatchConfirmed)
        assert events[0].dead_letters is dead_letters
        assert [isinstance(event, CloseRequested) for event in events[1:]] == [True] * closing


def test_a_wrong_number_is_answered_with_the_one_expected() -> None:
    sender, receiver = moving()
    sender.begin_batch(UNIT)
    moved(sender)
    failed = only(receiver.receive(moved(sender)))
    assert isinstance(failed, Failed)
    said = receiver.take_output()
    assert said[:12] == bytes.fromhex("545348200000002802050a00")
    assert said[28:] == bytes.fromhex("0c0000000400000001000000")
    ended = only(sender.receive(said))
    assert isinstance(ended, ChannelEnded)
    assert (ended.code, ended.value) == (4, 1)


def test_the_end_in_good_order() -> None:
    sender, receiver = moving()
    sender.end()
    said = sender.take_output()
    assert said[:20] == bytes.fromhex("545348200000001c02053800") + NO_UNIT
    ended = only(receiver.receive(said))
    assert isinstance(ended, ChannelEnded)
    assert ended.code == 0
    assert sender.state == receiver.state == CLOSED


def test_the_captured_segment_of_2002_has_this_shape() -> None:
    sender, _ = moving()
    sender.begin_batch(UNIT)
    data = moved(sender, size=24985 - 28 - 20 - 428)
    assert data[:12] == bytes.fromhex("54534820") + (24985).to_bytes(4, "big") + bytes([2, 4, 0x30, 0])
    assert data[12:20] == UNIT
    assert data[28:32] == b"MSH "


# Batches.


@pytest.mark.parametrize("kew", [True, False])
def test_batches(kew: bool) -> None:
    sender, receiver = started(kew=kew)
    if kew:
        resolved(sender, receiver)
    else:
        verdict = only(sender.resynchronise())
        assert isinstance(verdict, Resolved)
        assert verdict.verdict.cause == SETTLED
    number = 0
    for luwid in (UNIT, OTHER):
        sender.begin_batch(luwid)
        for size in (0, 32000, 100000):
            number += 1
            transfer = only(receiver.receive(moved(sender, size=size)))
            assert isinstance(transfer, Transfer)
            assert (transfer.number, transfer.luwid, len(transfer.payload)) == (number, luwid, 428 + max(size, 1))
        request = only(receiver.receive(asked(sender)))
        assert isinstance(request, ConfirmRequested)
        assert (request.luwid, request.number, request.count) == (luwid, number, 3)
        assert not sender.may_begin()
        done = only(sender.receive(confirmed(receiver)))
        assert isinstance(done, BatchConfirmed)
        assert done.luwid == luwid


def test_fast_messages_are_outside_the_unit_and_leave_the_number_alone() -> None:
    sender, receiver = moving()
    sender.begin_batch(UNIT)
    found = [only(receiver.receive(moved(sender, persistent=persistent))) for persistent in (True, False, True, False)]
    assert [(each.number, each.fast) for each in found if isinstance(each, Transfer)] == [
        (1, False),
        (1, True),
        (2, False),
        (2, True),
    ]
    request = only(receiver.receive(asked(sender)))
    assert isinstance(request, ConfirmRequested)
    assert (request.number, request.count) == (2, 2)


def test_a_channel_at_normal_speed_has_no_fast_messages() -> None:
    sender, receiver = moving(fast=False)
    sender.begin_batch(UNIT)
    transfer = only(receiver.receive(moved(sender, persistent=False)))
    assert isinstance(transfer, Transfer)
    assert (transfer.number, transfer.fast) == (1, False)


def test_between_kews_fast_messages_alone_need_no_confirmation() -> None:
    sender, receiver = moving(word=0x10)
    assert not sender.confirms_fast
    assert not receiver.confirms_fast
    for luwid in (UNIT, OTHER):
        sender.begin_batch(luwid)
        only(receiver.receive(moved(sender, persistent=False)))
        assert sender.close_batch().count == 0
    sender.begin_batch(b"the last")
    receiver.receive(moved(sender) + asked(sender))
    assert isinstance(only(sender.receive(confirmed(receiver))), BatchConfirmed)


def test_several_batches_on_their_way() -> None:
    sender, receiver = moving(window=2)
    for luwid in (UNIT, OTHER):
        sender.begin_batch(luwid)
        receiver.receive(moved(sender) + asked(sender))
    assert not sender.may_begin()
    for luwid in (UNIT, OTHER):
        done = only(sender.receive(confirmed(receiver)))
        assert isinstance(done, BatchConfirmed)
        assert done.luwid == luwid


def test_numbers_wrap() -> None:
    assert next_number(999, 999) == 1
    sender, receiver = moving(wrap=2)
    for expected, luwid in ((1, UNIT), (2, OTHER), (1, UNIT)):
        sender.begin_batch(luwid)
        transfer = only(receiver.receive(moved(sender)))
        assert isinstance(transfer, Transfer)
        assert transfer.number == expected
        receiver.receive(asked(sender))
        sender.receive(confirmed(receiver))


def test_large_segments_between_kews() -> None:
    sender, receiver = moving(word=LARGE_SEGMENTS)
    sender.begin_batch(UNIT)
    parts = segments(moved(sender, size=2 << 20))
    assert [len(part) for part in parts][:2] == [1 << 20, 1 << 20]
    events = [event for part in parts for event in receiver.receive(part)]
    transfer = only(events)
    assert isinstance(transfer, Transfer)
    assert len(transfer.payload) == (2 << 20) + 428


def test_a_message_is_fast_by_its_persistence() -> None:
    for dialect in (SERVER_DIALECT, ZOS):
        for value in (0, 1, 2):
            data = bytes(148) + dialect.word(value) + bytes(280)
            assert is_persistent(data, 0, len(data), dialect) is (value != 0)
    assert is_persistent(bytes(151), 0, 151, SERVER_DIALECT)


def test_the_sender_keeps_its_own_rules() -> None:
    sender, _ = moving(batch_size=1)
    with pytest.raises(ValueError, match="no batch"):
        sender.move(message(b""))
    with pytest.raises(ValueError, match="LUWID"):
        sender.begin_batch(NO_UNIT)
    sender.begin_batch(UNIT)
    with pytest.raises(ValueError, match="longer"):
        sender.move(message(b"", size=5 << 20))
    sender.move(message(b""))
    with pytest.raises(ValueError, match="full"):
        sender.move(message(b""))
    with pytest.raises(ValueError, match="RESET_DATA"):
        sender.reset(5)
    with pytest.raises(ValueError, match="is open"):
        sender.begin_batch(OTHER)


# Doubt.

LAST = Batch(10, b"the last")
FIRST_DOUBT = Batch(13, UNIT, 3)
SECOND_DOUBT = Batch(15, OTHER, 2)


@pytest.mark.parametrize(
    ("doubtful", "theirs", "epoch", "matter", "cause", "settled", "arrived"),
    [
        ((), LAST, EPOCH, True, SETTLED, True, 0),
        ((), Batch(10, b"another."), EPOCH, True, SETTLED, True, 0),
        ((), Batch(11, b"another."), EPOCH, True, NUMBERS_DIFFER, True, 0),
        ((), Batch(11, b"another."), EPOCH, False, SETTLED, True, 0),
        ((), NO_BATCH, b"replaced", True, NUMBERS_DIFFER, True, 0),
        ((FIRST_DOUBT,), FIRST_DOUBT, EPOCH, True, SETTLED, True, 1),
        ((FIRST_DOUBT,), LAST, EPOCH, True, SETTLED, True, 0),
        ((FIRST_DOUBT,), Batch(13, b"another."), EPOCH, True, UNKNOWN_BATCH, False, 0),
        ((FIRST_DOUBT,), Batch(13, b"another."), EPOCH, False, UNKNOWN_BATCH, False, 0),
        ((FIRST_DOUBT,), FIRST_DOUBT, b"replaced", True, RECORD_REPLACED, False, 0),
        ((FIRST_DOUBT,), NO_BATCH, b"replaced", False, RECORD_REPLACED, False, 0),
        ((FIRST_DOUBT,), Batch(7, UNIT), EPOCH, True, NUMBERS_DIFFER, True, 1),
        ((FIRST_DOUBT,), Batch(7, UNIT), EPOCH, False, SETTLED, True, 1),
        ((FIRST_DOUBT, SECOND_DOUBT), LAST, EPOCH, True, SETTLED, True, 0),
        ((FIRST_DOUBT, SECOND_DOUBT), FIRST_DOUBT, EPOCH, True, SETTLED, True, 1),
        ((FIRST_DOUBT, SECOND_DOUBT), SECOND_DOUBT, EPOCH, True, SETTLED, True, 2),
    ],
)
def test_what_a_sending_end_decides(
    doubtful: tuple[Batch, ...], theirs: Batch, epoch: bytes, matter: bool, cause: int, settled: bool, arrived: int
) -> None:
    verdict = decide(Kept(MINE, LAST, EPOCH, doubtful), Kept(epoch, theirs), matter)
    assert (verdict.cause, verdict.settled, verdict.arrived) == (cause, settled, arrived)
    sender, receiver = started(Kept(MINE, LAST, EPOCH, doubtful), Kept(epoch, theirs), numbers_matter=matter)
    event = resolved(sender, receiver)
    assert (event.verdict.cause, event.verdict.arrived) == (cause, arrived)
    assert event.partner == epoch
    if cause == SETTLED:
        last = doubtful[arrived - 1] if arrived else LAST
        assert sender.number == (last.number if matter else theirs.number)
    elif cause == NUMBERS_DIFFER:
        assert sender.state == CLOSED
        assert sender.take_output()[28:36] == bytes.fromhex("0c00000004000000")


def test_a_partner_that_cannot_tell_leaves_a_batch_in_doubt() -> None:
    sender, _ = started(Kept(MINE, LAST, EPOCH, (FIRST_DOUBT,)), kew=False)
    event = only(sender.resynchronise())
    assert isinstance(event, Resolved)
    assert (event.verdict.cause, event.verdict.settled) == (UNKNOWN_PARTNER, False)
    assert sender.take_output() == b""


@pytest.mark.parametrize("dialect", [SERVER_DIALECT, ZOS])
def test_resync_data_there_and_back(dialect: Dialect) -> None:
    kept = Kept(MINE, LAST, EPOCH, (FIRST_DOUBT, SECOND_DOUBT), False, True)
    body = Resync(kept).encode(dialect)
    assert len(body) == 48 + 2 * 16
    found = decode_resync(body, 0, len(body), dialect).kept
    assert (found.epoch, found.partner, found.new, found.reset) == (MINE, EPOCH, False, True)
    assert found.last.same(LAST)
    assert [(each.number, each.luwid, each.count) for each in found.doubtful] == [(13, UNIT, 3), (15, OTHER, 2)]


@pytest.mark.parametrize(
    ("offset", "value"), [(0, 47), (4, 2), (8, 0), (12, -1), (12, MOST_IN_DOUBT + 1), (16, -1), (48, -1), (60, -1)]
)
def test_a_resync_that_cannot_be_read_changes_nothing(offset: int, value: int) -> None:
    sender, receiver = started(Kept(MINE, LAST, EPOCH, (FIRST_DOUBT,)))
    sender.resynchronise()
    data = bytearray(sender.take_output())
    data[28 + offset : 32 + offset] = value.to_bytes(4, "little", signed=True)
    failed = only(receiver.receive(bytes(data)))
    assert isinstance(failed, Failed)
    assert failed.error.status == 0x0C


def test_a_receiving_end_has_no_doubt() -> None:
    sender, _ = started()
    sender.resynchronise()
    body = Resync(Kept(EPOCH, doubtful=(FIRST_DOUBT,)))
    failed = only(sender.receive(frame(body, FORM_PLAIN, SERVER_DIALECT, 32748)))
    assert isinstance(failed, Failed)


def test_reset_sets_the_next_number_and_keeps_the_luwid() -> None:
    sender, receiver = started(Kept(MINE, LAST, EPOCH), Kept(EPOCH, Batch(7, b"the last")))
    sender.reset(5)
    reset = only(receiver.receive(sender.take_output()))
    assert isinstance(reset, Reset)
    assert reset.number == 5
    assert receiver.kept.last.luwid == b"the last"
    assert resolved(sender, receiver).verdict.cause == SETTLED
    sender.begin_batch(UNIT)
    transfer = only(receiver.receive(moved(sender)))
    assert isinstance(transfer, Transfer)
    assert transfer.number == 5


def test_a_reset_waits_while_a_batch_is_in_doubt() -> None:
    sender, receiver = started(Kept(MINE, LAST, EPOCH, (FIRST_DOUBT,)), Kept(EPOCH, LAST))
    with pytest.raises(ValueError, match="in doubt"):
        sender.reset(5)
    assert resolved(sender, receiver).verdict.cause == SETTLED
    sender.reset(5)
    assert isinstance(only(receiver.receive(sender.take_output())), Reset)


def test_what_comes_before_the_record_is_known_waits() -> None:
    """A requester learns from the answer to its offer whom it has called."""
    sender = SenderChannel(None, Kept(MINE, partner=EPOCH))
    receiver = ReceiverChannel(offer=offer())
    assert isinstance(only(sender.receive(receiver.start())), ChannelRequested)
    said, _ = sender.accept(terms(word=0))
    sender.resynchronise()
    assert isinstance(only(receiver.receive(said + sender.take_output())), ChannelStarted)
    assert receiver.take_output() == b""
    assert isinstance(only(receiver.keep(Kept(EPOCH))), Resync)
    event = only(sender.receive(receiver.take_output()))
    assert isinstance(event, Resolved)
    assert event.verdict.cause == SETTLED


# What cannot be negotiated.


@pytest.mark.parametrize(
    ("missing", "room", "code"), [(MSG_SEQ, 4096, 0xF3), (SPLIT_MESSAGES, 4194304, 0xF3), (SPLIT_MESSAGES, 4096, 0)]
)
def test_a_partner_must_number_messages_and_split_long_ones(missing: int, room: int, code: int) -> None:
    given = offer()
    given.capabilities1 &= ~missing
    given.max_message = room
    sender = SenderChannel(given, Kept(MINE))
    receiver = ReceiverChannel()
    receiver.receive(sender.start())
    said, events = receiver.accept(terms())
    assert [event.error.status for event in events if isinstance(event, Failed)] == ([code] if code else [])
    assert bool(said)


def test_wrap_values_must_be_equal() -> None:
    sender = SenderChannel(offer(wrap=1000), Kept(MINE))
    receiver = ReceiverChannel()
    receiver.receive(sender.start())
    data, _ = receiver.accept(terms(wrap=2000))
    ended = only(sender.receive(data))
    assert isinstance(ended, ChannelEnded)
    assert ended.code == 0x15


# Signs of life.


def test_ping_is_echoed_and_no_message_moves_afterwards() -> None:
    sender, receiver = started()
    assert receiver.receive(sender.ping(b"are you there")) == []
    echo = only(sender.receive(receiver.take_output()))
    assert isinstance(echo, Ping)
    assert echo.payload == b"are you there"
    failed = only(receiver.receive(encode_header(FORM_PLAIN, 28, 0, 0, MESSAGE_DATA, 0x30, SERVER_DIALECT)))
    assert isinstance(failed, Failed)


def test_a_receiving_end_that_wants_to_stop_says_so_with_the_next_heartbeat() -> None:
    sender, receiver = moving()
    receiver.request_close()
    assert isinstance(only(sender.receive(receiver.take_output())), CloseRequested)
    sender.ask_for_life()
    assert receiver.receive(sender.take_output()) == []
    answer = receiver.take_output()
    assert answer[10] == 0x44
    alive, close = sender.receive(answer)
    assert isinstance(alive, Alive)
    assert isinstance(close, CloseRequested)


def test_time() -> None:
    sender, receiver = moving()
    sender.tick(0.0)
    receiver.tick(0.0)
    sender.tick(300.0)
    assert len(sender.take_output()) == 28
    assert isinstance(only(receiver.tick(365.0)), TimedOut)


# Partners that break the rules.


def changed(data: bytes, *changes: tuple[int, bytes]) -> bytes:
    copy = bytearray(data)
    for offset, value in changes:
        copy[offset : offset + len(value)] = value
    return bytes(copy)


def word(value: int) -> bytes:
    return value.to_bytes(4, "little", signed=True)


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ([(28, b"XXXX")], 0x0F),
        ([(48, b"XXXX")], 0x0F),
        ([(32, word(9))], 4),
        ([(32, word(0))], 4),
        ([(32, word(-1))], 4),
        ([(36, word(9))], 0x0B),
        ([(44, word(1 << 30))], 0x12),
        ([(44, word(-1))], 0x12),
        ([(44, word(427))], 0x12),
        ([(44, word(5000))], 0x12),
        ([(9, b"\x86")], 0x0A),
        ([(0, b"TSHM")], 0x0C),
        ([(10, b"\x00")], 0x0D),
        ([(12, NO_UNIT)], 0x0C),
        ([(12, b"the last")], 0x0C),
    ],
)
def test_a_malformed_message(changes: list[tuple[int, bytes]], status: int) -> None:
    sender, receiver = moving(own=Kept(MINE, Batch(10, b"the last"), EPOCH), theirs=Kept(EPOCH, Batch(10, b"the last")))
    sender.begin_batch(UNIT)
    failed = only(receiver.receive(changed(moved(sender), *changes)))
    assert isinstance(failed, Failed)
    assert failed.error.status == status
    ended = only(sender.receive(receiver.take_output()))
    assert isinstance(ended, ChannelEnded)
    assert ended.code == status


def test_more_messages_than_agreed() -> None:
    sender, receiver = moving(batch_size=2)
    sender.begin_batch(UNIT)
    sender.batch_size = 3
    receiver.receive(moved(sender) + moved(sender))
    failed = only(receiver.receive(moved(sender)))
    assert isinstance(failed, Failed)
    assert failed.error.status == 0x11


def test_a_batch_begun_before_the_confirmation() -> None:
    sender, receiver = moving()
    sender.begin_batch(UNIT)
    receiver.receive(moved(sender) + asked(sender))
    sender.window = 2
    sender.begin_batch(OTHER)
    failed = only(receiver.receive(moved(sender)))
    assert isinstance(failed, Failed)
    assert failed.error.status == 0x11


def test_a_message_before_resync_data_from_a_kew() -> None:
    sender, receiver = started()
    sender.begin_batch(UNIT)
    failed = only(receiver.receive(moved(sender)))
    assert isinstance(failed, Failed)


def test_messages_and_requests_that_do_not_belong_together() -> None:
    def spoilt(make: object) -> Failed:
        sender, receiver = moving()
        sender.begin_batch(UNIT)
        parts = segments(moved(sender, size=100000))
        request = asked(sender)
        assert callable(make)
        events: list[Event] = []
        for part in make(parts, request):
            events += receiver.receive(part)
        failed = events[-1]
        assert isinstance(failed, Failed)
        return failed

    assert spoilt(lambda parts, request: [parts[1]]).error.status == 0x0D
    assert spoilt(lambda parts, request: [parts[0], parts[0]]).error.status == 0x0D
    assert spoilt(lambda parts, request: [parts[0], request]).error.status == 0x0D
    assert spoilt(lambda parts, request: [request]).error.status == 0x0C
    assert spoilt(lambda parts, request: [parts[0], changed(parts[1], (44, word(99)))]).error.status == 0x0D
    assert spoilt(lambda parts, request: [parts[0], changed(parts[1], (12, OTHER))]).error.status == 0x0D
    assert spoilt(lambda parts, request: [parts[0], changed(parts[3], (10, b"\x20"))]).error.status == 0x12
    assert spoilt(lambda parts, request: [*parts, parts[0], parts[1], parts[2], parts[2]]).error.status == 0x04
    assert spoilt(lambda parts, request: [*parts, changed(request, (12, OTHER))]).error.status == 0x0C
    assert spoilt(lambda parts, request: [*parts, request, request]).error.status == 0x0C


def test_confirmations_nobody_asked_for() -> None:
    header = encode_header(FORM_PLAIN, 28, 0, 0, STATUS_DATA, REQUEST_ACCEPTED, SERVER_DIALECT, 0, UNIT)
    sender, _ = moving()
    assert isinstance(only(sender.receive(header)), Failed)
    sender, _ = moving()
    sender.begin_batch(OTHER)
    moved(sender)
    asked(sender)
    assert isinstance(only(sender.receive(header)), Failed)
    sender, _ = moving()
    failed = only(sender.receive(frame(Status(0, None, 0x30), FORM_PLAIN, SERVER_DIALECT, 32748)))
    assert isinstance(failed, Failed)


def test_a_heartbeat_is_answered_in_the_middle_of_a_message() -> None:
    sender, receiver = moving()
    sender.begin_batch(UNIT)
    parts = segments(moved(sender, size=100000))
    receiver.receive(parts[0])
    assert receiver.receive(frame(Heartbeat(), FORM_PLAIN, SERVER_DIALECT, 32748)) == []
    assert receiver.take_output()[10] == 0x40
    transfer = only([event for part in parts[1:] for event in receiver.receive(part)])
    assert isinstance(transfer, Transfer)
