"""What commands may ask of the channels of a queue manager, and the states they are told."""

from dataclasses import dataclass
from typing import Protocol

from kew.objects.catalogue import Record


@dataclass(frozen=True)
class ListenerState:
    """A listener that runs."""

    name: str
    address: str
    port: int
    backlog: int
    started: float


@dataclass(frozen=True)
class ChannelState:
    """An instance of a channel that runs."""

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
    binding: bool  # nobody is admitted yet
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
class InitiatorState:
    """What the channel initiator has to do, and what it may."""

    workers: int  # threads for what the event loop may not do
    most_workers: int
    current: int  # instances of channels
    most_current: int
    most_active: int
    stopped: int  # channels that were stopped by command


class Initiator(Protocol):
    """The channel initiator: listeners, and whoever comes in by them."""

    @property
    def running(self) -> bool:
        """Whether it does its work."""

    def start(self) -> None:
        """Begin, with the listeners that start with the queue manager; raises OSError."""

    def stop(self) -> None:
        """End the listeners, and show out who came in by them."""

    def state(self) -> InitiatorState:
        """Give what it has to do."""


class ChannelControl(Protocol):
    """What commands may ask of the channels of a queue manager."""

    def start_listener(self, record: Record, address: str | None = None, port: int | None = None) -> None:
        """Start a listener as it is defined, or on another address or port; raises OSError."""

    def refresh_keys(self) -> None:
        """Take the keys for TLS from the key repository anew."""

    def stop_listener(self, name: str) -> bool:
        """Stop a listener; whether it ran."""

    def listener_states(self) -> list[ListenerState]:
        """Give the listeners that run."""

    def start_channel(self, name: str) -> None:
        """Let a channel that was stopped be used again."""

    def stop_channel(self, name: str, address: str, force: bool, stay: bool) -> int:
        """End the instances of a channel, those from one address or all; how many. Unless it stays, it may go on."""

    def channel_states(self) -> list[ChannelState]:
        """Give the instances of channels that run."""

    def stopped_channels(self) -> list[str]:
        """Give the channels that were stopped and let nobody in."""
