"""Both ends of a message channel in memory: stores that crash, a network that is cut, and the ends between them."""

from collections.abc import Hashable

from tests.support.explore import Explored

from kew.channels.mca.receiver import CannotStore, Inbox, ReceivingEnd
from kew.channels.mca.record import RECEIVING, SENDING, SyncRecord
from kew.channels.mca.sender import BINDING, OVER, Limits, Outbox, Outgoing, SendingEnd
from kew.channels.protocol.batch import Transfer
from kew.channels.protocol.dialect import padded
from kew.channels.protocol.lifecycle import ChannelRequested
from kew.channels.protocol.negotiate import (
    CONFIRMS_FAST,
    KEW_CHANNEL,
    LARGE_SEGMENTS,
    SENDER_CAPABILITIES,
    InitialData,
    Terms,
)
from kew.channels.protocol.receiving import ReceiverChannel
from kew.channels.protocol.resync import Batch, Verdict
from kew.channels.protocol.segments import CONFIRM_REQUEST
from kew.channels.protocol.sending import Resolved, SenderChannel
from kew.storage.log import LogAddress

NOW = 1_700_000_000.0


def offer(
    window: int = 1, batch_size: int = 50, fast: bool = True, wrap: int = 999999999, kew: bool = True
) -> InitialData:
    """What a sender of queue manager QM1 offers."""
    initial = InitialData()
    initial.flags = CONFIRM_REQUEST
    initial.channel_name = padded("QM1.TO.QM2", 20)
    initial.queue_manager = padded("QM1", 48)
    initial.queue_manager_id = padded("QM1_2026-01-01_00.00.00", 48)
    initial.capabilities1 = SENDER_CAPABILITIES
    initial.capabilities2 = 0x87 if fast else 0x85
    initial.capabilities3 = 0x05
    initial.batch_size = batch_size
    initial.max_message = 4194304
    initial.sequence_wrap = wrap
    initial.conversations = 0
    if kew:
        initial.trace_id = KEW_CHANNEL
        initial.reserved4 = window | CONFIRMS_FAST | LARGE_SEGMENTS
    return initial


def terms(window: int = 1, batch_size: int = 50, wrap: int = 999999999, word: int = LARGE_SEGMENTS) -> Terms:
    """What a receiver of queue manager QM2 grants."""
    granted = Terms("QM2", "QM2_2026-01-01_00.00.00")
    granted.sequence_wrap = wrap
    granted.batch_size = batch_size
    granted.capabilities2 = 0x87
    granted.capabilities3 = 0x05
    granted.heartbeat = 300
    granted.kew_word = window | word
    return granted


def message(text: bytes, persistent: bool = True, size: int = 0) -> bytes:
    """A message with its MQXQH."""
    header = bytearray(428)
    header[:4] = b"XQH "
    header[148:152] = (1 if persistent else 0).to_bytes(4, "little")
    return bytes(header) + text.ljust(size, b".")


def segments(data: bytes) -> list[bytes]:
    """The segments that these bytes are."""
    found = []
    while data:
        length = int.from_bytes(data[4:8], "big")
        found.append(data[:length])
        data = data[length:]
    return found


class Journal:
    """A log: entries that a crash may take away, down to the last force."""

    def __init__(self) -> None:
        self.entries: list[tuple[object, ...]] = []
        self.durable = 0

    def append(self, *entry: object) -> LogAddress:
        self.entries.append(entry)
        return LogAddress(len(self.entries))

    def force(self) -> None:
        self.durable = len(self.entries)

    def crash(self, keep_all: bool) -> None:
        if keep_all:
            self.durable = len(self.entries)
        del self.entries[self.durable :]


class MemoryOutbox(Outbox):
    """A transmission queue of persistent messages over a journal; what is not in the journal dies with a crash."""

    def __init__(self, messages: list[bytes], epoch: bytes = b"S-epoch.") -> None:
        self.journal = Journal()
        self.waiting = list(messages)
        self.all = list(messages)
        self.open: list[bytes] = []
        self.prepared: list[tuple[Batch, SyncRecord, list[bytes]]] = []
        self.record = SyncRecord(SENDING, 1, epoch)
        self.gone: list[bytes] = []
        self.fast = False  # NPMSPEED(FAST) is agreed

    def get(self) -> Outgoing | None:
        if not self.waiting:
            return None
        found = self.waiting.pop(0)
        fast = self.fast and found[148:152] == bytes(4)
        if not fast:
            self.open.append(found)
        return Outgoing(found, fast)

    def prepare(self, batch: Batch, record: SyncRecord) -> LogAddress:
        self.prepared.append((batch, record, self.open))
        address = self.journal.append("prepare", batch, record, self.open)
        self.open = []
        return address

    def commit(self, record: SyncRecord) -> None:
        _, kept, messages = self.prepared.pop(0)
        assert kept.serial == record.serial, "another batch was confirmed"
        self.journal.append("commit")
        self.gone += messages
        self.record = kept

    def withdraw(self) -> None:
        self.waiting = self.open + self.waiting
        self.open = []

    def resolve(self, arrived: int) -> None:
        for _ in range(arrived):
            self.commit(self.prepared[0][1])
        while self.prepared:
            self.journal.append("back out")
            _, _, messages = self.prepared.pop()
            self.waiting = messages + self.waiting

    def store(self, record: SyncRecord) -> LogAddress:
        self.record = record
        return self.journal.append("record", record)

    def on_disk(self, address: LogAddress) -> bool:
        return address <= self.journal.durable

    @property
    def doubtful(self) -> tuple[Batch, ...]:
        return tuple(batch for batch, _, _ in self.prepared)

    def crash(self, keep_all: bool) -> "MemoryOutbox":
        """The queue as a restart finds it."""
        self.journal.crash(keep_all)
        entries = self.journal.entries
        again = MemoryOutbox(self.all)
        again.record = SyncRecord(SENDING, 1, again.record.epoch)
        for entry in entries:
            if entry[0] == "prepare":
                _, batch, record, messages = entry
                assert isinstance(batch, Batch)
                assert isinstance(record, SyncRecord)
                assert isinstance(messages, list)
                again.waiting = [each for each in again.waiting if each not in messages]
                again.prepared.append((batch, record, messages))
            elif entry[0] == "commit":
                _, again.record, messages = again.prepared.pop(0)
                again.gone += messages
            elif entry[0] == "back out":
                _, _, messages = again.prepared.pop()
                again.waiting = messages + again.waiting
            else:
                assert isinstance(entry[1], SyncRecord)
                again.record = entry[1]
        again.journal = self.journal
        return again


class MemoryInbox(Inbox):
    """A target queue over a journal."""

    def __init__(self, epoch: bytes = b"R-epoch.") -> None:
        self.journal = Journal()
        self.record = SyncRecord(RECEIVING, 1, epoch)
        self.open: list[bytes] = []
        self.queue: list[bytes] = []
        self.refuses: int = 0  # the status code with which it cannot store

    def put(self, message: Transfer) -> bool:
        if self.refuses:
            raise CannotStore(self.refuses)
        if message.fast:
            self.queue.append(message.payload)
        else:
            self.open.append(message.payload)
        return False

    def commit(self, record: SyncRecord) -> LogAddress:
        self.queue += self.open
        self.record = record
        address = self.journal.append("commit", record, self.open)
        self.open = []
        return address

    def back_out(self) -> None:
        self.open = []

    def store(self, record: SyncRecord) -> LogAddress:
        self.record = record
        return self.journal.append("record", record, [])

    def on_disk(self, address: LogAddress) -> bool:
        return address <= self.journal.durable

    def crash(self, keep_all: bool) -> "MemoryInbox":
        """The queue as a restart finds it."""
        self.journal.crash(keep_all)
        again = MemoryInbox(self.record.epoch)
        for _, record, messages in self.journal.entries:
            assert isinstance(record, SyncRecord)
            assert isinstance(messages, list)
            again.record = record
            again.queue += messages
        again.journal = self.journal
        return again


class World(Explored):
    """A channel that starts again whenever its connection is gone; every segment, force, cut and crash is a choice."""

    def __init__(self, count: int = 3, window: int = 1, batch_size: int = 2, faults: int = 1) -> None:
        self.messages = [message(b"%d" % number) for number in range(count)]
        self.window = window
        self.batch_size = batch_size
        self.faults = faults
        self.outbox = MemoryOutbox(self.messages)
        self.inbox = MemoryInbox()
        self.sender: SendingEnd | None = None
        self.receiver: ReceivingEnd | None = None
        self.to_receiver: list[bytes] = []
        self.to_sender: list[bytes] = []
        self.told: str = ""  # why the channel stopped for good
        self.connect()

    # What a mutant may do otherwise.

    def force_record(self) -> None:
        """Have the record on disk before it is stated."""
        self.inbox.journal.force()

    def back_out_receiver(self, receiver: ReceivingEnd) -> None:
        receiver.lost()

    def judge(self, verdict: Verdict) -> None:
        """Change what the sending end has decided."""

    def make_sender(self) -> SendingEnd:
        outbox = self.outbox
        session = SenderChannel(offer(self.window, self.batch_size), outbox.record.kept(outbox.doubtful))
        return SendingEnd(session, outbox, outbox.record, NOW, Limits())

    # The connection.

    def connect(self) -> None:
        """Negotiate a new connection, up to RESYNC_DATA."""
        if self.told:
            return
        sender = self.sender = self.make_sender()
        session = ReceiverChannel()
        self.receiver = ReceivingEnd(session, self.inbox, self.inbox.record)
        self.to_receiver = []
        self.to_sender = []
        said = sender.session.start()
        for _ in range(2):
            for event in session.receive(said):
                if isinstance(event, ChannelRequested):
                    self.force_record()
                    session.keep(self.inbox.record.kept())
                    answer, _ = session.accept(terms(self.window, self.batch_size))
                    sender.received(sender.session.receive(answer))
            sender.received(sender.session.receive(session.take_output()))
            said = sender.session.take_output()
        assert sender.state == BINDING
        self.run_sender()

    def run_sender(self) -> None:
        sender = self.sender
        if sender is None:
            return
        sender.run(NOW)
        self.to_receiver += segments(sender.session.take_output())
        verdict = sender.verdict
        if verdict is not None and verdict.cause:
            self.told = f"cause {verdict.cause}"

    def run_receiver(self) -> None:
        receiver = self.receiver
        if receiver is not None:
            receiver.run()
            self.to_sender += segments(receiver.session.take_output())

    def drop(self, sender: bool = True, receiver: bool = True) -> None:
        """Lose the connection; an end that crashes does not notice."""
        if sender and self.sender is not None:
            self.sender.lost()
        if receiver and self.receiver is not None:
            self.back_out_receiver(self.receiver)
        self.sender = self.receiver = None
        self.to_receiver = []
        self.to_sender = []

    # Explored.

    def choices(self) -> list[str]:
        found = []
        if self.to_receiver:
            found.append("segment>")
        if self.to_sender:
            found.append("<segment")
        if self.outbox.journal.durable < len(self.outbox.journal.entries):
            found.append("force-S")
        if self.inbox.journal.durable < len(self.inbox.journal.entries):
            found.append("force-R")
        if self.faults and found and not self.told:
            found += ["cut", "crash-S", "crash-R", "crash-S-kept", "crash-R-kept"]
        return found

    def do(self, choice: str) -> None:
        if choice == "segment>":
            receiver = self.receiver
            assert receiver is not None
            receiver.received(receiver.session.receive(self.to_receiver.pop(0)))
            self.run_receiver()
        elif choice == "<segment":
            sender = self.sender
            assert sender is not None
            events = sender.session.receive(self.to_sender.pop(0))
            for event in events:
                if isinstance(event, Resolved):
                    self.judge(event.verdict)
            sender.received(events)
            self.run_sender()
        elif choice == "force-S":
            self.outbox.journal.force()
            self.run_sender()
        elif choice == "force-R":
            self.inbox.journal.force()
            self.run_receiver()
        else:
            self.faults -= 1
            self.drop(not choice.startswith("crash-S"), not choice.startswith("crash-R"))
            if choice.startswith("crash-S"):
                self.outbox = self.outbox.crash(choice.endswith("kept"))
            elif choice.startswith("crash-R"):
                self.inbox = self.inbox.crash(choice.endswith("kept"))
            self.connect()
        if self.sender is not None and self.sender.state == OVER and not self.told:
            raise AssertionError(f"the channel ended: {self.sender.ended}")

    def key(self) -> Hashable:
        sender, receiver = self.sender, self.receiver
        return (
            self.faults,
            self.told,
            tuple(self.to_receiver),
            tuple(self.to_sender),
            tuple(self.outbox.waiting),
            tuple(self.outbox.open),
            tuple((batch.luwid, record.serial) for batch, record, _ in self.outbox.prepared),
            self.outbox.record.encode(),
            len(self.outbox.journal.entries) - self.outbox.journal.durable,
            tuple(self.inbox.queue),
            tuple(self.inbox.open),
            self.inbox.record.encode(),
            len(self.inbox.journal.entries) - self.inbox.journal.durable,
            sender is not None and (sender.state, sender.open_count, sender.unsettled, sender.session.number),
            receiver is not None and (receiver.over, receiver.in_batch, receiver.session.number),
        )

    def check(self, final: bool) -> None:
        queue = self.inbox.queue
        assert queue == self.messages[: len(queue)], f"out of order or doubled: {[each[428:] for each in queue]}"
        assert not self.told, f"the channel cannot go on: {self.told}"
        if final:
            assert queue == self.messages, f"lost: only {[each[428:] for each in queue]} arrived"
            assert not self.outbox.prepared, "a batch stayed in doubt"
            assert not self.outbox.waiting, "messages stayed"
