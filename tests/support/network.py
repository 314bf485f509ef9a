"""Queue managers that serve sockets, and the ways for tests to reach them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep

from kew import client
from kew.commands.actions.script import Script
from kew.mqi.connections.connection import Connection
from kew.qmgr import manager
from kew.qmgr.config import ChannelsConfiguration, Configuration, LogConfiguration
from kew.qmgr.manager import QueueManager

NAME = "QM1"
# Tests are refused more often than a program.
SMALL = Configuration(log=LogConfiguration(file_pages=1024), channels=ChannelsConfiguration(most_delay=0))
CHANNEL = "DEV.APP.SVRCONN"


class Reachable:
    """A developer's queue manager on a free port of this machine."""

    def __init__(self, running: QueueManager, data: str) -> None:
        assert running.network is not None
        self.manager = running
        self.network = running.network
        self.data = data
        self.port = self.network.listen("TEST", "127.0.0.1", 0)
        for profile in ("**", "DEV.**"):
            self.mqsc(f"SET AUTHREC PROFILE('{profile}') OBJTYPE(QUEUE) PRINCIPAL('app') AUTHADD(ALLMQI)")

    @property
    def address(self) -> str:
        return f"127.0.0.1({self.port})"

    def connect(
        self, conversations: int = 1, channel: str = CHANNEL, user: str = "app", password: str = "password"
    ) -> client.Connection:
        return client.connect(NAME, self.address, channel, user, password, "tests", conversations=conversations)

    def connect_local(self) -> client.Connection:
        return client.connect_local(NAME, "tests", data=self.data)

    def mqsc(self, line: str) -> str:
        """Give a command; the answer's text."""
        script = Script(self.manager.host.commands)
        return "\n".join([line for lines in script.run([line]) for line in lines])

    def clients(self) -> int:
        """Give the number of programs that are connected by a channel."""
        with self.manager.host.lock:
            connections = list(self.manager.host.engine.connections.values())
        return len([each for each in connections if isinstance(each, Connection) and each.channel])

    def define_channel(self, name: str, attributes: str) -> None:
        """Define a channel that programs may come in by."""
        assert "AMQ8014I" in self.mqsc(f"DEFINE CHANNEL({name}) CHLTYPE(SVRCONN) MCAUSER('app') {attributes}")
        assert "AMQ8877I" in self.mqsc(f"SET CHLAUTH({name}) TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(CHANNEL)")

    def depth(self, queue: str) -> int:
        return self.manager.host.queues.by_name[queue].depth


@contextmanager
def reachable(path: Path, configuration: Configuration = SMALL) -> Iterator[Reachable]:
    """Run a developer's queue manager."""
    data = str(path)
    manager.create(NAME, configuration, data)
    with manager.start(NAME, data, developer=True) as running:
        yield Reachable(running, data)


def eventually(condition: Callable[[], bool], seconds: float = 60.0) -> bool:
    """Wait until something is so; whether it came to be."""
    until = monotonic() + seconds
    while not condition():
        if monotonic() > until:
            return False
        sleep(0.005)
    return True
