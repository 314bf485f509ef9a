"""The interface between channels and the admission control of the queue manager."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class ConnectionAttempt:
    """A connection attempt: its channel, address, asserted user, credentials and certificate."""

    channel: str
    address: str  # numeric, without the port
    user: str = ""  # as the other side asserts it
    credentials: tuple[str, str] | None = None  # user and password, where they were given
    peer: str = ""  # the distinguished name of the certificate, where there was one
    issuer: str = ""
    queue_manager: str = ""  # the name of the partner of a message channel


class Admission(Protocol):
    """Decides whether a connection attempt is admitted, and as which user.

    The check of a password may take tens of milliseconds, so `admit` is not called in the event loop. If the error of a
    refusal has a fact `delay`, it is sent after that number of seconds.
    """

    def blocks(self, address: str) -> bool:
        """Say whether connections from an address are refused at once (BLOCKADDR)."""

    def recognises(self, user: str, password: str) -> bool:
        """Say whether a password was accepted before, so that `admit` takes little time; never waits."""

    def admit(self, arrival: ConnectionAttempt) -> str:
        """Give the user under whose authority the conversation runs; raises the `MQError` of a refusal."""

    def admit_local(self, user: str, credentials: tuple[str, str] | None) -> str:
        """Give the user for a program on this machine; `user` is the one that the operating system reports."""

    def delay(self, local: bool) -> int | None:
        """Give the seconds before the refusal of a password is sent (FAILDLAY); None if passwords are not checked."""
