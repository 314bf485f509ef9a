"""A link: the bytes of one socket to a queue manager, sorted by conversation, without the socket.

A driver moves bytes between a socket and a link. Verbs are generators (see verbs.py) that yield the bytes to send and
are resumed when bytes were received, so the same verbs serve blocking sockets and asyncio.
"""

import os
from collections import deque
from collections.abc import Generator
from typing import Final, TypeVar

from kew.channels.protocol.client import Acknowledged, ClientSession
from kew.channels.protocol.delivery import QM_QUIESCING, Message, Notification
from kew.channels.protocol.dialect import padded
from kew.channels.protocol.events import Call, Event
from kew.channels.protocol.lifecycle import (
    ChannelEnded,
    ChannelStarted,
    ConversationEnded,
    ConversationStarted,
    Failed,
    TimedOut,
)
from kew.channels.protocol.negotiate import KEW_CLIENT, MAX_MESSAGE, InitialData
from kew.channels.protocol.states import READY
from kew.channels.protocol.status import (
    CHANNEL_UNAVAILABLE,
    CHANNEL_WRONG_TYPE,
    CIPHER_SPEC_MISMATCH,
    CLIENT_CERTIFICATE_MISSING,
    NO_CHANNEL,
    PEER_NAME_MISMATCH,
    QUEUE_MANAGER_TERMINATING,
    SECURITY_FAILURE,
)
from kew.codes.errors import Broken
from kew.codes.reasons import (
    MQRC_CHANNEL_CONFIG_ERROR,
    MQRC_CHANNEL_NOT_AVAILABLE,
    MQRC_CONNECTION_BROKEN,
    MQRC_NOT_AUTHORIZED,
    MQRC_Q_MGR_NOT_AVAILABLE,
    MQRC_Q_MGR_STOPPING,
    MQRC_SSL_INITIALIZATION_ERROR,
    MQRC_SSL_PEER_NAME_MISMATCH,
    MQRC_UNKNOWN_CHANNEL_NAME,
)

PRODUCT: Final = b"MQJB09030000"
EVERY_CONVERSATION: Final = 0

_REASONS: Final[dict[int, int]] = {
    NO_CHANNEL: MQRC_UNKNOWN_CHANNEL_NAME,
    CHANNEL_WRONG_TYPE: MQRC_CHANNEL_CONFIG_ERROR,
    QUEUE_MANAGER_TERMINATING: MQRC_Q_MGR_STOPPING,
    SECURITY_FAILURE: MQRC_NOT_AUTHORIZED,
    CHANNEL_UNAVAILABLE: MQRC_CHANNEL_NOT_AVAILABLE,
    CIPHER_SPEC_MISMATCH: MQRC_SSL_INITIALIZATION_ERROR,
    CLIENT_CERTIFICATE_MISSING: MQRC_SSL_INITIALIZATION_ERROR,
    PEER_NAME_MISMATCH: MQRC_SSL_PEER_NAME_MISMATCH,
}

T = TypeVar("T")


class Step:
    """A request of a verb to its driver: send these bytes, then wait for more from the server.

    `seconds` limits the wait, None does not; with `same_limit` the limit of the step before stays in force.
    """

    def __init__(self, data: bytes, wait: bool = True, seconds: float | None = None, same_limit: bool = False) -> None:
        self.data = data
        self.wait = wait
        self.seconds = seconds
        self.same_limit = same_limit


# Resumed with True when something came (or nothing was waited for), with False when the time ran out; closed when the
# program breaks it off in the middle, by Ctrl-C or by cancelling its task.
Operation = Generator[Step, bool, T]


class Inbox:
    """Replies and messages of one conversation that are not yet taken."""

    def __init__(self) -> None:
        self.started: bool = False
        self.acknowledged: bool = False
        self.reply: Event | None = None
        self.replies: int = 0  # messages that have come so far
        self.messages: dict[int, deque[Message]] = {}
        self.notifications: deque[Notification] = deque()

    def take_reply(self) -> Event | None:
        """Take the reply to the call under way, if it has come."""
        reply = self.reply
        self.reply = None
        return reply


class Link:
    """One socket's session and the inboxes of its conversations."""

    def __init__(self, channel: str, queue_manager: str, conversations: int, heartbeat: int, max_message: int) -> None:
        offer = InitialData()
        offer.channel_name = padded(channel, 20)
        offer.queue_manager = padded(queue_manager, 48)
        offer.conversations = conversations
        offer.heartbeat = heartbeat
        offer.max_message = min(max_message, MAX_MESSAGE)
        offer.process_id = os.getpid()
        offer.product = PRODUCT
        offer.trace_id = KEW_CLIENT
        offer.queue_manager_id = padded("CANNED_DATA", 48)
        offer.nonce = os.urandom(12)
        self.session = ClientSession(offer)
        self.local = not channel  # to a queue manager on this machine
        self.inboxes: dict[int, Inbox] = {1: Inbox()}
        self.stirred: set[int] = set()  # conversations with new input; the driver empties it
        self.quiescing: bool = False
        self.failure: Broken | None = None
        self._unsent: bytes = b""  # bytes that a broken-off verb has still to send

    def receive(self, data: bytes) -> None:
        """Pass the bytes of a read to their conversations; no bytes mean that the other side has closed the socket."""
        if not data:
            self.fail(MQRC_CONNECTION_BROKEN, "the queue manager closed the connection")
            return
        for event in self.session.receive(data):
            self._sort(event)

    def tick(self, now: float) -> None:
        """Check the time limits: heartbeats and the silence of the other side."""
        for event in self.session.tick(now):
            self._sort(event)

    def take_output(self) -> bytes:
        """Give the bytes to send outside a verb: heartbeats, replies to heartbeats, and rests of broken-off verbs."""
        unsent = self._unsent
        self._unsent = b""
        return unsent + self.session.take_output()

    def say_later(self, data: bytes) -> None:
        """Have the driver send bytes after the verb has been left."""
        self._unsent += data

    def fail(self, reason: int, why: str) -> None:
        """End the link: it is broken."""
        if self.failure is None:
            self.failure = Broken(reason, why=why)

    def check(self) -> None:
        """Raise the error that has broken the link, if any."""
        if self.failure is not None:
            raise Broken(self.failure.reason, **self.failure.facts)

    def _sort(self, event: Event) -> None:
        inbox = self.inboxes.get(event.conversation_id)
        stirred = EVERY_CONVERSATION
        if inbox is not None and isinstance(event, Message):
            queue = inbox.messages.get(event.handle)
            if queue is None:
                queue = inbox.messages[event.handle] = deque()
            queue.append(event)
            stirred = event.conversation_id
        elif inbox is not None and isinstance(event, Call):
            inbox.reply = event
            inbox.replies += 1
            stirred = event.conversation_id
        elif isinstance(event, ChannelEnded):
            unconnected = MQRC_CONNECTION_BROKEN if self.session.established else MQRC_Q_MGR_NOT_AVAILABLE
            self.fail(_REASONS.get(event.code, unconnected), event.text)
        elif isinstance(event, Failed):
            self.fail(MQRC_CONNECTION_BROKEN, str(event.error))
        elif isinstance(event, TimedOut):
            self.fail(MQRC_CONNECTION_BROKEN, f"no answer: {event.what}")
        elif isinstance(event, Notification) and event.code == QM_QUIESCING:
            self.quiescing = True
        elif isinstance(event, ConversationEnded):
            self.inboxes.pop(event.conversation_id, None)
        elif inbox is not None:
            self._deliver(event, inbox)
            stirred = event.conversation_id
        self.stirred.add(stirred)

    def _deliver(self, event: Event, inbox: Inbox) -> None:
        if isinstance(event, ChannelStarted) or isinstance(event, ConversationStarted):  # noqa: SIM101 (compiled)
            inbox.started = True
        elif isinstance(event, Acknowledged):
            inbox.acknowledged = True
        elif isinstance(event, Notification):
            inbox.notifications.append(event)
        else:
            inbox.reply = event
            inbox.replies += 1

    @property
    def reads_ahead(self) -> bool:
        """True if handles opened for read-ahead read ahead."""
        return self.session.multiplexed and not self.local

    @property
    def ready(self) -> bool:
        """True while the channel is negotiated and not broken."""
        return self.session.state == READY and self.failure is None
