"""The seam between those who come in and those who say whether they may, and as whom."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class ConnectionAttempt:
    """What is known of somebody who wants to come in by a channel."""

    channel: str
    address: str  # numeric, without the port
    user: str = ""  # as the other side asserts it
    credentials: tuple[str, str] | None = None  # user and password, where they were given
    peer: str = ""  # the distinguished name of the certificate, where there was one
    issuer: str = ""
    queue_manager: str = ""  # the name of the partner of a message channel


class Admission(Protocol):
    """Decides who comes in.

    To admit may take some tens of milliseconds, to check a password: not for the thread that serves everybody. Where
    the error that refuses has a fact `delay`, so many seconds must pass before it is told.
    """

    def blocks(self, address: str) -> bool:
        """Say whether nothing at all is taken from an address."""

    def recognises(self, user: str, password: str) -> bool:
        """Say whether a password was right before, so that to admit takes no time; asked by the loop, never waits."""

    def admit(self, arrival: ConnectionAttempt) -> str:
        """Give the user under whose authority the conversation runs, or raise the `MQError` that refuses it."""

    def admit_local(self, user: str, credentials: tuple[str, str] | None) -> str:
        """The same for a program on this machine, whose user the operating system vouches for."""

    def delay(self, local: bool) -> int | None:
        """Give the seconds before a refusal that carried a password is told, None where none is looked at."""
