"""Scripts: work of a client beyond one verb, such as connecting and reconnecting, without a socket and a clock.

A script is a generator of effects. Its driver carries each of them out, by blocking the thread or by awaiting, and
resumes the script with the result; a failure, Ctrl-C or a cancelled task is raised in the script at the place where it
waits.
"""

from collections.abc import Callable, Generator
from typing import Any, Generic, Protocol, TypeVar

from kew.client.connectsettings import ConnectSettings
from kew.client.link import Link, Operation
from kew.client.verbs import Verbs

T = TypeVar("T")
D = TypeVar("D", bound="Driver")


class Driver(Protocol):
    """Moves bytes between a socket and a link, and runs the verbs of its conversations."""

    link: Link
    key_reset: int

    def close(self) -> None:
        """Close the socket."""


class Established(Generic[D]):
    """A connected conversation, and the driver of its socket."""

    def __init__(self, driver: D, verbs: Verbs) -> None:
        self.driver = driver
        self.verbs = verbs


class Effect:
    """A request of a script to its driver."""


class Dial(Effect):
    """Open a socket to a host and port, with TLS if wanted; gives the driver of the link."""

    def __init__(self, settings: ConnectSettings, host: str, port: int) -> None:
        self.settings = settings
        self.host = host
        self.port = port


class Run(Effect):
    """Run a verb to its end; gives its result."""

    def __init__(self, driver: Any, operation: Operation[Any]) -> None:
        self.driver = driver
        self.operation = operation


class Pause(Effect):
    """Wait so many seconds; gives True if the program has disconnected meanwhile."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds


class Close(Effect):
    """Close a socket, and wait until it is closed."""

    def __init__(self, driver: Any) -> None:
        self.driver = driver


class Look(Effect):
    """Call a function that reads a file or an address; gives its result."""

    def __init__(self, function: Callable[[], Any]) -> None:
        self.function = function


Script = Generator[Effect, Any, T]
