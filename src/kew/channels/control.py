"""The channels of a queue manager as commands see them: operations and states."""

from dataclasses import dataclass
from typing import Protocol

from kew.objects.catalogue import Record


@dataclass(frozen=True)
class ListenerState:
    """The state of a running listener."""

    name: str
    address: str
    port: int
    backlog: int
    started: float


@dataclass(frozen=True)
class ChannelState:
    """The state of a running channel instance."""

    name: str
    address: str
    local_address: str  # and port; blank once it has ended
    started: float
    last_call: float  # 0 before the first
    calls: int
    reads: int
    writes: int
    bytes_received: int
    bytes_sent: int
    heartbeat: int
    max_message: int
    conversations: int
    max_conversations: int
    user: str
    application: str
    product: str  # and version, as the other side states them
    getting: bool  # a get waits
    stopping: bool
    binding: bool  # no conversation is admitted yet
    header_compression: int
    message_compression: int
    saved: tuple[int, int]  # percentage that compression saved, lately and in all; -1 where there is none
    security: str  # version of TLS; blank for none
    cipher: str
    peer: str
    issuer: str
    renewals: int  # of the secret keys of TLS
    renewed: float  # when last; 0 for never
    keep_alive: int  # seconds; MQKAI_AUTO where the system decides


@dataclass(frozen=True)
class MessageChannelState:
    """The state of a message channel: an instance, a retry, or the saved state of one that does not run."""

    name: str
    kind: int  # MQCHT_*
    address: str
    partner: str  # queue manager
    status: int  # MQCHS_*
    substate: int
    transmission_queue: str
    stopping: bool
    saved: bool = False  # from the record, not of an instance
    luwid: bytes = bytes(8)  # of the open or doubtful batch
    messages_in_batch: int = 0
    sequence: int = 0
    in_doubt: bool = False
    last_luwid: bytes = bytes(8)
    last_sequence: int = 0
    messages: int = 0
    batches: int = 0
    batch_size: int = 0
    average_batch: int = 0
    lost: int = 0  # fast messages
    reads: int = 0
    writes: int = 0
    bytes_received: int = 0
    bytes_sent: int = 0
    started: float = 0.0
    last_message: float = 0.0
    heartbeat: int = 0
    keep_alive: int = -1
    local_address: str = ""
    short_retries: int = 0
    long_retries: int = 0
    max_message: int = 0
    fast: bool = False
    user: str = ""
    product: str = ""
    security: str = ""
    cipher: str = ""
    peer: str = ""
    issuer: str = ""
    renewals: int = 0
    renewed: float = 0.0
    waiting: int = 0  # messages on the transmission queue
    header_compression: int = 0
    message_compression: int = 0
    saved_bytes: tuple[int, int] = (-1, -1)  # percentage that compression saved, lately and in all; -1 for none
    monitoring: int = 0  # MQMON_*, in force
    statistics: int = 0  # likewise
    network_time: tuple[int, int] = (-1, -1)  # microseconds, lately and in all; -1 for none
    network_extremes: tuple[int, int] = (-1, -1)  # the shortest and the longest
    queue_time: tuple[int, int] = (-1, -1)  # that messages were on the transmission queue
    full_batches: int = 0
    message_bytes: int = 0
    persistent: int = 0  # messages
    persistent_bytes: int = 0
    found_empty: int = 0  # how often nothing was left on the transmission queue
    put_retries: int = 0
    batch_interval: int = 0  # milliseconds
    batch_limit: int = 0  # kilobytes


class ChannelBusy(Exception):
    """A channel's state forbids a command; has the message and MQ's reason code."""

    def __init__(self, message: str, reason: int, why: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.reason = reason
        self.why = why


@dataclass(frozen=True)
class InitiatorState:
    """The state of the channel initiator, with its limits."""

    workers: int  # threads for jobs that the event loop may not do
    most_workers: int
    current: int  # instances of channels
    most_current: int
    most_active: int
    stopped: int  # channels that were stopped by command


class Initiator(Protocol):
    """The channel initiator: listeners, and channels from the network."""

    @property
    def running(self) -> bool:
        """True while the channel initiator runs."""

    def start(self) -> None:
        """Start, with the listeners that start with the queue manager; raises OSError."""

    def stop(self) -> None:
        """Stop the listeners, and end the channels from the network."""

    def state(self) -> InitiatorState:
        """Give the state for DISPLAY CHINIT."""


class ChannelControl(Protocol):
    """The operations of commands on the channels of a queue manager."""

    def start_listener(self, record: Record, address: str | None = None, port: int | None = None) -> None:
        """Start a listener as it is defined, or on another address or port; raises OSError."""

    def refresh_keys(self) -> None:
        """Read the keys for TLS from the key repository again."""

    def stop_listener(self, name: str) -> bool:
        """Stop a listener; say whether it ran."""

    def listener_states(self) -> list[ListenerState]:
        """Give the listeners that run."""

    def start_channel(self, record: Record) -> None:
        """Allow the use of a stopped channel again, and start the channel if it sends. Raises ChannelBusy."""

    def forget_channel(self, name: str) -> None:
        """Forget that a channel was stopped: its definition is deleted."""

    def stop_channel(self, name: str, address: str, partner: str, force: bool, stay: bool) -> int:
        """End the instances of a channel, those of one address or partner, or all; gives their number.

        With `stay` the channel is STOPPED until START CHANNEL; without it the next partner or trigger starts the
        channel.
        """

    def message_channel_states(self) -> list[MessageChannelState]:
        """Give the states of the message channel instances, and of channels that retry."""

    def saved_channel_states(self) -> list[MessageChannelState]:
        """Give the states of message channels from their synchronisation records."""

    def channel_in_doubt(self, name: str) -> bool:
        """Say whether a batch of a sending channel is in doubt."""

    def ping_channel(self, record: Record, data: bytes) -> None:
        """Send bytes to the partner and compare the echo; raises ChannelBusy."""

    def reset_channel(self, record: Record, number: int) -> None:
        """Set the sequence number of the next message; raises ChannelBusy."""

    def resolve_channel(self, record: Record, commit: bool) -> None:
        """Commit or back out the batches in doubt; raises ChannelBusy."""

    def channel_states(self) -> list[ChannelState]:
        """Give the states of the channel instances."""

    def stopped_channels(self) -> list[str]:
        """Give the stopped channels, which refuse connections."""
