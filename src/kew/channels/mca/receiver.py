"""The receiving end of a message channel: it puts batches, and commits each together with the record of this end.

1. Messages are put in the batch's unit as they come, fast ones out of it. A crash, or the end of the connection, backs
   the unit out: a unit of a receiving end is never prepared.
2. A confirmation is requested: the record of this end, with this batch as its last, is put in the unit, and the
   unit is committed.
3. Once the log is on disk up to that commit, the batch is confirmed. If the confirmation is lost the sending end asks
   for the record and finds the batch there.

The record that a connection begins with must be on disk before this end states the record, even if an earlier
connection wrote it: the sending end commits its unit for good when the record says that a batch has arrived.

Calls of the inbox may raise a Stall before they have changed anything: `run` is then called again, and continues.
"""

from abc import abstractmethod
from collections import deque
from typing import Final

from mypy_extensions import mypyc_attr

from kew.channels.mca.record import SyncRecord
from kew.channels.protocol.batch import ConfirmRequested, Reset, Transfer
from kew.channels.protocol.events import Event
from kew.channels.protocol.lifecycle import ChannelEnded, Failed, TimedOut
from kew.channels.protocol.receiving import ReceiverChannel
from kew.channels.protocol.resync import Batch, Resync
from kew.storage.log import NO_ADDRESS, LogAddress

_PERSISTENCE: Final = 148  # of the descriptor in an MQXQH
_NOT_PERSISTENT: Final = bytes(4)


class CannotStore(Exception):
    """A message can be put nowhere: the batch is backed out and the channel ends with a status code."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class Paused(Exception):
    """A queue takes no message for now: the same message is tried again later."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Inbox:
    """The queues that a receiving end puts messages to, its unit of work and its records."""

    @abstractmethod
    def put(self, message: Transfer) -> bool:
        """Put a message where its MQXQH says; say whether it went to the dead-letter queue.

        Raises CannotStore, or Paused after which `run` is called again in a while.
        """

    @abstractmethod
    def commit(self, record: SyncRecord) -> LogAddress:
        """Commit the unit with the record that belongs to it; gives the log address to wait for."""

    @abstractmethod
    def back_out(self) -> None:
        """Back the unit out."""

    @abstractmethod
    def store(self, record: SyncRecord) -> LogAddress:
        """Store a record that belongs to no batch; gives the log address to wait for."""

    @abstractmethod
    def on_disk(self, address: LogAddress) -> bool:
        """Say whether the log is on disk up to an address; if not, the owner calls `run` once it is."""


class Pending:
    """A batch whose confirmation waits for the log."""

    def __init__(self, address: LogAddress, dead_letters: bool) -> None:
        self.address = address
        self.dead_letters = dead_letters


class ReceivingEnd:
    """One connection of a receiving end; before it, its record must be on disk and stated by `session.keep`."""

    def __init__(self, session: ReceiverChannel, inbox: Inbox, record: SyncRecord) -> None:
        self.session = session
        self.record = record  # of the last batch that was committed, though the log may not be on disk up to there
        self.over: bool = False
        self.ended: Event | None = None
        self.messages: int = 0
        self.batches: int = 0
        self.batch_sum: int = 0
        self.full_batches: int = 0  # that had as many messages as both ends agreed to
        self.bytes_moved: int = 0  # of messages, with their headers
        self.persistent: int = 0  # messages
        self.persistent_bytes: int = 0
        self.in_batch: int = 0  # messages of the open batch
        self.paused: bool = False  # a message is tried again later
        self._inbox = inbox
        self._events: deque[Event] = deque()
        self._pending: deque[Pending] = deque()
        self._dead_letters: bool = False
        self.failure: int = 0  # the status code with which to end, once earlier batches are confirmed

    @property
    def settled(self) -> bool:
        """True if no batch is open and none waits for the log."""
        return not self.in_batch and not self._pending and not self._events

    def received(self, events: list[Event]) -> None:
        """Queue the session's events, for `run` to act on."""
        self._events.extend(events)

    def finish(self) -> None:
        """Ask the sending end to end the channel after its batch."""
        self.session.request_close()

    def lost(self) -> None:
        """End: the connection is broken, and uncommitted work is backed out."""
        self._inbox.back_out()
        self.over = True

    def run(self) -> None:
        """Do all work that is possible now. Segments to send are in the session's output."""
        self.paused = False
        while self._events and not self.over and not self.failure:
            try:
                self._event(self._events[0])
            except Paused:
                self.paused = True
                break
            except CannotStore as refusal:
                self._inbox.back_out()
                self.failure = refusal.code
            self._events.popleft()
        while self._pending and not self.over and self._inbox.on_disk(self._pending[0].address):
            pending = self._pending.popleft()
            self.session.confirm(pending.dead_letters)
            self.batches += 1
        if self.failure and not self._pending and not self.over:
            self.session.end(self.failure)
            self.over = True

    def _event(self, event: Event) -> None:
        if isinstance(event, Transfer):
            if self._inbox.put(event):
                self._dead_letters = True
            self.messages += 1
            self.in_batch += 1
            self.bytes_moved += len(event.payload)
            if not event.fast and event.payload[_PERSISTENCE : _PERSISTENCE + 4] != _NOT_PERSISTENT:
                self.persistent += 1
                self.persistent_bytes += len(event.payload)
        elif isinstance(event, ConfirmRequested):
            self._confirm(event)
        elif isinstance(event, Resync):
            self.record = self.record.changed(partner=event.kept.epoch)
        elif isinstance(event, Reset):
            record = self.record.changed(number=max(event.number - 1, 0))
            self._inbox.store(record)
            self.record = record
        elif isinstance(event, ChannelEnded | Failed | TimedOut):
            self.ended = event
            self.lost()

    def _confirm(self, request: ConfirmRequested) -> None:
        """Commit the messages since the last confirmation; fast messages alone need no unit and no record."""
        address = NO_ADDRESS
        if request.count:
            record = self.record.after(Batch(request.number, request.luwid))
            address = self._inbox.commit(record)
            self.record = record
        self._pending.append(Pending(address, self._dead_letters))
        self._dead_letters = False
        self.batch_sum += self.in_batch
        self.full_batches += self.in_batch >= self.session.batch_size
        self.in_batch = 0
