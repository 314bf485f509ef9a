"""What all message channels of a queue manager share: the engine, the loop, workers, and who is told what."""

from collections.abc import Callable
from typing import Final

from kew.channels.agents.resources import AgentResources
from kew.channels.transport.workers import Workers
from kew.codes.messages import Notices
from kew.mqi.connect import Connection
from kew.mqi.local import LocalConnection

WORKERS: Final = 8  # threads for the work of all channels
CONNECTORS: Final = 16  # threads that resolve names and connect


class ChannelServices:
    """The parts that every instance of a message channel works with."""

    def __init__(
        self,
        resources: AgentResources,
        identifier: str,
        window: int,
        connect_timeout: int,
        connect_own: Callable[[str], LocalConnection],
        notices: Notices,
        trouble: Callable[[Exception], None],
    ) -> None:
        self.engine = resources.engine
        self.administration = resources.administration
        self.doorkeeper = resources.doorkeeper
        self.loop = resources.loop
        self.line = resources.acknowledgements
        self.identifier = identifier  # QMID
        self.window = window  # PipeLineLength: batches that may be unconfirmed towards another Kew
        self.connect_timeout = connect_timeout  # seconds
        self.connect_own = connect_own
        self.notices = notices
        self.trouble = trouble
        self.workers = Workers("kew-channel", WORKERS)
        self.connectors = Workers("kew-connector", CONNECTORS)

    def connect_as(self, user: str, channel: str, address: str, application: str) -> LocalConnection:
        """Give a receiving channel a connection under the authority of its MCA user."""
        engine = self.engine
        engine.authority.groups_of(user)  # so that nobody waits for the operating system under the lock
        with engine.lock:
            connection = Connection(engine, application, user)
            connection.check()
            connection.channel = channel
            connection.conname = address
            engine.enter(connection.number, connection)
        return LocalConnection(engine, self.administration, connection)

    def stop(self) -> None:
        """End the threads, after what is under way."""
        self.connectors.stop()
        self.workers.stop()
