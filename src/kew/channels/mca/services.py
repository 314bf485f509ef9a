"""The parts that all message channels of a queue manager share: engine, loop, workers, and notices to the operator."""

import ssl
from collections.abc import Callable
from typing import Final

from kew.channels.agents.resources import AgentResources
from kew.channels.agents.settings import ChannelSettings
from kew.channels.transport.tls import caller_context
from kew.channels.transport.workers import Workers
from kew.codes.messages import Notices
from kew.mqi.connections.connection import Connection
from kew.mqi.local.connection import LocalConnection

CONNECTORS: Final = 16  # threads that resolve names and connect


class Keys:
    """The key repository of the queue manager, for channels that call with TLS."""

    def __init__(self, repository: str, password: str, fips: bool, renew_after: int) -> None:
        self.repository = repository
        self.password = password
        self.fips = fips
        self.renew_after = renew_after  # bytes (SSLRKEYC); 0 for never

    def context(self, cipher_spec: str) -> ssl.SSLContext:
        """Make the TLS context of a handshake with a CipherSpec; raises KeyProblem."""
        return caller_context(self.repository, self.password, cipher_spec, self.fips)


class ChannelServices:
    """The parts that every instance of a message channel works with."""

    def __init__(
        self,
        resources: AgentResources,
        identifier: str,
        window: int,
        connect_timeout: int,
        settings: ChannelSettings,
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
        self.settings = settings
        self.connect_own = connect_own
        self.notices = notices
        self.trouble = trouble
        self.workers = Workers("kew-channel", max(settings.number("CHIADAPS"), 1))  # for the work of all channels
        self.keys: Keys | None = None  # None where the queue manager has none
        self.connectors = Workers("kew-connector", CONNECTORS)

    def use_keys(self, keys: Keys | None) -> None:
        """Take the keys of the queue manager for new instances; None where it has none."""
        self.keys = keys

    def connect_as(self, user: str, channel: str, address: str, application: str) -> LocalConnection:
        """Give a receiving channel a connection under the authority of its MCA user."""
        engine = self.engine
        engine.authority.groups_of(user)  # looked up here, so that no call waits for the system under the lock
        with engine.lock:
            connection = Connection(engine, application, user)
            connection.check()
            connection.channel = channel
            connection.conname = address
            engine.enter(connection)
        return LocalConnection(engine, self.administration, connection)

    def stop(self) -> None:
        """End the threads, after the work under way."""
        self.connectors.stop()
        self.workers.stop()
