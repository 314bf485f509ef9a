"""The initiation queue of channels: trigger messages of transmission queues start the channels that serve them."""

from typing import Final

from kew.channels.mca.manager import ChannelActive, ChannelLimit, MessageChannels
from kew.channels.mca.services import ChannelServices
from kew.channels.mca.strand import Strand
from kew.channels.mca.transmission import Arrival
from kew.codes.errors import MQError
from kew.codes.options import MQGMO_NO_SYNCPOINT, MQOO_INPUT_SHARED
from kew.formats import mqtm
from kew.formats.binary import FormatError
from kew.mqi.connections.handles import Handle
from kew.mqi.engine import settle
from kew.mqi.gets import get as getting
from kew.mqi.gets.request import GetRequest, Got
from kew.mqi.local.connection import LocalConnection
from kew.storage.log import LogError
from kew.storage.stall import Stall

QUEUE: Final = "SYSTEM.CHANNEL.INITQ"
AGAIN: Final = 10.0  # seconds until the queue is opened again after an error
APPLICATION: Final = "kew channel initiator"


class ChannelTriggers:
    """Reads one initiation queue for as long as the channel initiator runs."""

    def __init__(self, services: ChannelServices, channels: MessageChannels, queue: str = QUEUE) -> None:
        self.queue = queue
        self._services = services
        self._channels = channels
        self._strand = Strand(services.workers, self._work)
        self._local: LocalConnection | None = None
        self._handle: Handle | None = None
        self._waits = False
        self._closed = False

    def start(self) -> None:
        """Start reading."""
        self._strand.kick()

    def stop(self) -> None:
        """Stop reading."""
        self._closed = True
        self._strand.kick()

    def _work(self) -> None:
        try:
            if self._closed:
                self._leave()
                return
            if self._local is None:
                self._open()
            while True:
                got = self._next()
                if got is None:
                    return
                self._start(got.data)
        except (MQError, LogError) as problem:
            self._leave()
            if not self._closed:
                self._services.notices.tell("AMQ9516E", (), (self.queue, str(problem)))
                self._services.loop.post(self._try_later)
        except Exception as problem:  # a mistake of ours costs one reader, not the worker
            self._services.trouble(problem)

    def _try_later(self) -> None:
        self._services.loop.later(AGAIN, self._strand.kick)

    def _open(self) -> None:
        local = self._services.connect_own(APPLICATION)
        try:
            self._handle = local.open(self.queue, MQOO_INPUT_SHARED)
        except BaseException:
            local.abandon()
            raise
        self._local = local

    def _next(self) -> Got | None:
        local, handle = self._local, self._handle
        assert local is not None
        assert handle is not None
        queue = handle.queue
        assert queue is not None
        engine = self._services.engine
        request = GetRequest(local.connection, handle, MQGMO_NO_SYNCPOINT, None, -1)
        while True:
            try:
                with engine.lock:
                    got = getting.get(request)
                    if got is None and not self._waits:
                        self._waits = True
                        queue.waiters.add(Arrival(local.connection.number, self._arrived))
                    return got
            except Stall as stall:
                waiting = stall
            settle(engine, queue, waiting)

    def _arrived(self, _reason: int) -> None:
        self._waits = False
        self._strand.kick()

    def _start(self, data: bytes) -> None:
        """Start the channel that a trigger message names."""
        try:
            message = mqtm.decode(data)
        except FormatError as problem:
            self._services.notices.tell("AMQ9516E", (), (self.queue, str(problem)))
            return
        try:
            self._channels.trigger(_text(message.trigger_data), _text(message.queue))
        except (ChannelActive, ChannelLimit):
            return  # it runs, and takes the message; or the limit was reported

    def _leave(self) -> None:
        if self._local is not None:
            handle = self._handle
            if handle is not None and handle.queue is not None:
                with self._services.engine.lock:
                    for waiter in handle.queue.waiters.all():
                        if waiter.owner == self._local.connection.number:
                            handle.queue.waiters.remove(waiter)
            self._local.abandon()
        self._local = None
        self._waits = False


def _text(field: bytes) -> str:
    return field.strip(b" \0").decode("utf-8", "replace")
