"""The seam below the two packages: MQ's verbs over one connection, local or over a socket.

Structures go in as the program gave them and come back completed, as in C. Handles are numbers. A failure raises
MQError; the warning of a get is part of its result.
"""

from collections.abc import Callable, Sequence
from typing import Any, Protocol


class Message:
    """The result of a get."""

    def __init__(self, data: bytes, length: int, reason: int) -> None:
        self.data = data
        self.length = length  # length of the whole message, also if it was truncated
        self.reason = reason


class Consumer:
    """A queue with a registered function, and the descriptor and options of its gets."""

    def __init__(self, handle: int, md: Any, gmo: Any, max_length: int) -> None:
        self.handle = handle
        self.md = md
        self.gmo = gmo
        self.max_length = max_length


class ConsumedMessage:
    """A message for a consumer, with the descriptor and options of its get."""

    def __init__(self, consumer: Consumer, md: Any, gmo: Any, message: Message) -> None:
        self.consumer = consumer
        self.md = md
        self.gmo = gmo
        self.message = message


class Verbs(Protocol):
    """A connection to a queue manager."""

    def open(self, od: Any, options: int) -> int:
        """MQOPEN; gives the handle."""

    def close(self, handle: int, options: int) -> None:
        """MQCLOSE."""

    def put(self, handle: int, md: Any, pmo: Any, data: bytes) -> None:
        """MQPUT."""

    def put1(self, od: Any, md: Any, pmo: Any, data: bytes) -> None:
        """MQPUT1."""

    def get(self, handle: int, md: Any, gmo: Any, length: int) -> Message:
        """MQGET of at most so many bytes; -1 for any length."""

    def property_control(self, handle: int) -> int:
        """Give PROPCTL of an open queue."""

    def inquire(self, handle: int, selectors: Sequence[int]) -> dict[int, int | bytes]:
        """MQINQ; characters as wide as the attribute."""

    def set(self, handle: int, values: dict[int, int | bytes]) -> None:
        """MQSET."""

    def begin(self) -> None:
        """MQBEGIN."""

    def commit(self) -> None:
        """MQCMIT."""

    def back_out(self) -> None:
        """MQBACK."""

    def status(self, kind: int, sts: Any) -> None:
        """MQSTAT."""

    def subscribe(self, sd: Any, handle: int) -> tuple[int, int]:
        """MQSUB; gives the handles of the queue and of the subscription."""

    def request(self, handle: int, action: int, sro: Any) -> None:
        """MQSUBRQ."""

    def consume(self, consumers: Sequence[Consumer], stopped: Callable[[], bool]) -> ConsumedMessage | None:
        """Wait for a message for one of several consumers, until there is one or it is time to stop."""

    def announce(self, handle: int, state: int) -> None:
        """Report the state of asynchronous consumption (MQAS_*) of a handle, or with 0 of all, to the queue manager."""

    def wake(self) -> None:
        """Make a waiting `consume` check whether it is time to stop."""

    def idle(self) -> bool:
        """Say whether a verb could begin now: none is under way."""

    def disconnect(self) -> None:
        """MQDISC."""
