"""Message channels: batches arrive once, and both ends find out what became of one in doubt."""

import random

import pytest

from kew.channels.protocol.batch import (
    BatchConfirmed,
    CloseRequested,
    ConfirmRequested,
    Reset,
    Resolved,
    Resync,
    Transfer,
    next_sequence,
)
from kew.channels.protocol.control import Ping
from kew.channels.protocol.dialect import BIG, ENC_ZOS, SERVER_DIALECT, Dialect, padded
from kew.channels.protocol.events import Event
from kew.channels.protocol.lifecycle import ChannelEnded, ChannelRequested, ChannelStarted, Failed, TimedOut
from kew.channels.protocol.negotiate import SENDER_CAPABILITIES, InitialData, Terms
from kew.channels.protocol.receiving import ReceiverChannel
from kew.channels.protocol.segments import NO_UNIT
from kew.channels.protocol.sending import SenderChannel
from kew.channels.protocol.states import CLOSED

UNIT = bytes.fromhex("13dca33d21700100")


def offer(wrap: int = 999999999) -> InitialData:
    initial = InitialData()
    initial.channel_name = padded("QM1.TO.QM2", 20)
    initial.queue_manager = padded("QM1", 48)
    initial.capabilities1 = SENDER_CAPABILITIES
    initial.capabilities2 = 0x87
    initial.capabilities3 = 0x05
    initial.batch_size = 50
    initial.sequence_wrap = wrap
    initial.conversations = 0
    return initial


def terms(wrap: int = 999999999) -> Terms:
    granted = Terms("QM2", "QM2_2026-01-01_00.00.00")
    granted.sequence_wrap = wrap
    granted.capabilities2 = 0x87
    granted.capabilities3 = 0x05
    granted.heartbeat = 60
    return granted


def only(events: list[Event]) -> Event:
    assert len(events) == 1, events
    return events[0]


def started(
    sequence: int = 0,
    unit: bytes = NO_UNIT,
    in_doubt: bool = False,
    committed: tuple[int, bytes] = (0, NO_UNIT),
    dialect: Dialect = SERVER_DIALECT,
    wrap: int = 999999999,
) -> tuple[SenderChannel, ReceiverChannel]:
    sender = SenderChannel(offer(wrap), sequence, unit, in_doubt, dialect)
    receiver = ReceiverChannel()
    assert isinstance(only(receiver.receive(sender.start())), ChannelRequested)
    data, _ = receiver.accept(terms(wrap), *committed)
    sender.receive(data)
    assert isinstance(only(receiver.receive(sender.take_output())), ChannelStarted)
    assert isinstance(only(sender.receive(receiver.take_output())), ChannelStarted)
    return sender, receiver


def moving(dialect: Dialect = SERVER_DIALECT, wrap: int = 999999999) -> tuple[SenderChannel, ReceiverChannel]:
    sender, receiver = started(dialect=dialect, wrap=wrap)
    assert isinstance(only(receiver.receive(sender.resynchronise())), Resync)
    assert isinstance(only(sender.receive(receiver.take_output())), Resolved)
    return sender, receiver


@pytest.mark.parametrize("dialect", [SERVER_DIALECT, Dialect(BIG, ENC_ZOS, 500, True)], ids=["ascii", "ebcdic"])
def test_a_batch(dialect: Dialect) -> None:
    sender, receiver = moving(dialect)
    sender.begin_batch(UNIT)
    sizes = [428, 428 + 32000, 428 + 100000]
    for number, size in enumerate(sizes):
        transfer = only(receiver.receive(sender.move(bytes([number]) * size, confirm=number == 2)))
        assert isinstance(transfer, Transfer)
        assert (transfer.sequence, transfer.unit, len(transfer.payload)) == (number + 1, UNIT, size)
    assert isinstance(transfer, Transfer)
    assert transfer.confirm
    assert sender.in_doubt
    confirmed = only(sender.receive(receiver.confirm(dead_letters=True)))
    assert isinstance(confirmed, BatchConfirmed)
    assert (confirmed.unit, confirmed.dead_letters) == (UNIT, True)
    assert not sender.in_doubt


def test_the_captured_segment_of_2002_has_this_shape() -> None:
    sender, _ = moving(Dialect(2, 0x222, 437, False))
    sender.begin_batch(UNIT)
    data = sender.move(bytes(24985 - 28 - 20))
    assert data[:12] == bytes.fromhex("54534820") + (24985).to_bytes(4, "big") + bytes([2, 4, 0x30, 0])
    assert data[12:20] == UNIT
    assert data[20:28] == bytes.fromhex("22020000b5010000")
    assert data[28:32] == b"MSH "


def test_a_batch_ended_after_its_last_message() -> None:
    sender, receiver = moving()
    sender.begin_batch(UNIT)
    receiver.receive(sender.move(bytes(428)))
    assert isinstance(only(receiver.receive(sender.end_batch())), ConfirmRequested)
    assert isinstance(only(sender.receive(receiver.confirm())), BatchConfirmed)


def test_fast_messages_leave_the_sequence_alone() -> None:
    sender, receiver = moving()
    transfer = only(receiver.receive(sender.move(bytes(500), fast=True)))
    assert isinstance(transfer, Transfer)
    assert transfer.sequence == 0
    assert not sender.in_doubt
    assert sender.sequence == receiver.sequence == 0


def test_the_sequence_wraps() -> None:
    assert next_sequence(999, 999) == 1
    sender, receiver = moving(wrap=2)
    for expected in (1, 2, 1, 2):
        sender.begin_batch(UNIT)
        transfer = only(receiver.receive(sender.move(bytes(428), confirm=True)))
        assert isinstance(transfer, Transfer)
        assert transfer.sequence == expected
        sender.receive(receiver.confirm())


@pytest.mark.parametrize("arrived", [True, False])
def test_a_batch_in_doubt_is_resolved(arrived: bool) -> None:
    committed = (13, UNIT) if arrived else (10, bytes(7) + b"\1")
    sender, receiver = started(13, UNIT, True, committed)
    receiver.receive(sender.resynchronise())
    resolved = only(sender.receive(receiver.take_output()))
    assert isinstance(resolved, Resolved)
    assert (resolved.arrived, sender.sequence) == (arrived, committed[0])
    sender.begin_batch(b"next one")
    transfer = only(receiver.receive(sender.move(bytes(428))))
    assert isinstance(transfer, Transfer)
    assert transfer.sequence == committed[0] + 1


def test_a_sequence_that_does_not_fit() -> None:
    sender, receiver = started(13, UNIT, False, (12, UNIT))
    ended = only(receiver.receive(sender.resynchronise()))
    assert isinstance(ended, ChannelEnded)
    told = only(sender.receive(receiver.take_output()))
    assert isinstance(told, ChannelEnded)
    assert (told.code, told.value) == (4, 13)


def test_reset_sets_the_next_number() -> None:
    sender, receiver = started(13, UNIT, False, (7, UNIT))
    reset = only(receiver.receive(sender.reset(5)))
    assert isinstance(reset, Reset)
    receiver.receive(sender.resynchronise())
    assert isinstance(only(sender.receive(receiver.take_output())), Resolved)
    sender.begin_batch(UNIT)
    transfer = only(receiver.receive(sender.move(bytes(428))))
    assert isinstance(transfer, Transfer)
    assert transfer.sequence == 5


def test_wrap_values_must_be_equal() -> None:
    sender = SenderChannel(offer(1000), 0, NO_UNIT, False)
    receiver = ReceiverChannel()
    receiver.receive(sender.start())
    data, _ = receiver.accept(terms(2000), 0, NO_UNIT)
    ended = only(sender.receive(data))
    assert isinstance(ended, ChannelEnded)
    assert ended.code == 0x15


def test_ping() -> None:
    sender, receiver = started()
    assert receiver.receive(sender.ping(b"are you there")) == []
    echo = only(sender.receive(receiver.take_output()))
    assert isinstance(echo, Ping)
    assert echo.payload == b"are you there"


def test_closing_in_good_order() -> None:
    sender, receiver = moving()
    assert isinstance(only(sender.receive(receiver.request_close())), CloseRequested)
    ended = only(receiver.receive(sender.end()))
    assert isinstance(ended, ChannelEnded)
    assert ended.code == 0
    assert sender.state == receiver.state == CLOSED


@pytest.mark.parametrize(
    ("offset", "value", "status"),
    [
        (28, b"XXXX", 0x0F),
        (32, (9).to_bytes(4, "little"), 4),
        (36, (9).to_bytes(4, "little"), 0x0B),
        (44, (1 << 30).to_bytes(4, "little"), 0x12),
        (9, b"\x86", 0x0A),
        (0, b"TSHM", 0x0C),
    ],
)
def test_a_malformed_message(offset: int, value: bytes, status: int) -> None:
    sender, receiver = moving()
    sender.begin_batch(UNIT)
    data = bytearray(sender.move(bytes(428)))
    data[offset : offset + len(value)] = value
    failed = only(receiver.receive(bytes(data)))
    assert isinstance(failed, Failed)
    assert failed.error.status == status
    ended = only(sender.receive(receiver.take_output()))
    assert isinstance(ended, ChannelEnded)
    assert ended.code == status


def test_time() -> None:
    sender, receiver = moving()
    sender.tick(0.0)
    receiver.tick(0.0)
    sender.tick(300.0)
    beat = sender.take_output()
    assert len(beat) == 28
    lost = only(receiver.tick(365.0))
    assert isinstance(lost, TimedOut)


@pytest.mark.parametrize("seed", range(30))
def test_exactly_once_through_broken_connections(seed: int) -> None:
    """Cut the connection at random bytes; owners that keep what they must lose nothing and double nothing."""
    choice = random.Random(seed)
    waiting = [number.to_bytes(4, "big") * 200 for number in range(40)]
    kept: list[bytes] = []
    committed = (0, NO_UNIT)
    sequence, unit, in_doubt = 0, NO_UNIT, False
    batch: list[bytes] = []
    batches = 0
    for _ in range(1000):
        if not waiting and not batch:
            break
        sender, receiver = started(sequence, unit, in_doubt, committed)
        receiver.receive(sender.resynchronise())
        resolved = only(sender.receive(receiver.take_output()))
        assert isinstance(resolved, Resolved)
        if batch:
            waiting = waiting if resolved.arrived else batch + waiting
            batch = []
        sequence, in_doubt = sender.sequence, False
        while waiting and not batch:
            batches += 1
            unit = batches.to_bytes(8, "big")
            sender.begin_batch(unit)
            size = choice.randint(1, 5)
            batch, waiting = waiting[:size], waiting[size:]
            pending: list[bytes] = []
            for message in batch:
                data = sender.move(message, confirm=message is batch[-1])
                sequence, in_doubt = sender.sequence, True
                if choice.random() < 0.05:
                    data = data[: choice.randrange(len(data))]
                for event in receiver.receive(data):
                    assert isinstance(event, Transfer)
                    pending.append(event.payload)
                    if event.confirm:
                        kept += pending
                        committed = (event.sequence, event.unit)
                        answer = receiver.confirm()
                        if choice.random() < 0.2:
                            answer = answer[: choice.randrange(len(answer))]
                        for confirmed in sender.receive(answer):
                            assert isinstance(confirmed, BatchConfirmed)
                            batch = []
                            in_doubt = False
                if receiver.reader.waiting:
                    break
    assert kept == [number.to_bytes(4, "big") * 200 for number in range(40)]
