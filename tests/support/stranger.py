"""A client that shakes hands by hand, as far as a test likes, and in any character set."""

import socket
from typing import TypeVar

from tests.support.network import CHANNEL, NAME

from kew.channels.protocol.client import ClientSession
from kew.channels.protocol.dialect import Dialect
from kew.channels.protocol.events import Event
from kew.channels.protocol.identity import Credentials, UserId
from kew.channels.protocol.lifecycle import ChannelStarted
from kew.channels.protocol.mqapi import Connect
from kew.client.link import Link

Kind = TypeVar("Kind", bound=Event)


class Stranger:
    """Somebody who shakes hands by hand, as far as he likes."""

    def __init__(
        self,
        port: int,
        channel: str = CHANNEL,
        source: str = "127.0.0.1",
        dialect: Dialect | None = None,
        conversations: int = 10,
    ) -> None:
        self.endpoint = socket.create_connection(("127.0.0.1", port), 10, (source, 0))
        self._dialect = dialect
        offer = Link(channel, NAME, conversations, 300, 1 << 20).session.offer
        assert offer is not None
        self.session = ClientSession(offer, dialect)

    def say(self, data: bytes) -> None:
        self.endpoint.sendall(data)

    def until(self, kind: type[Kind]) -> Kind:
        """Wait for an event."""
        while True:
            came = self.endpoint.recv(65536)
            assert came, "the queue manager has closed the connection"
            for event in self.session.receive(came):
                if isinstance(event, kind):
                    return event
            self.say(self.session.take_output())

    def negotiate(self) -> None:
        self.say(self.session.start())
        self.until(ChannelStarted)
        if self._dialect is not None:
            self.session.dialect = self._dialect  # Kew's own client goes over to the queue manager's

    def ask(
        self,
        password: bytes = b"password",
        application: bytes = b"tests",
        user: bytes = b"app",
        asserted: bytes = b"app",
    ) -> bytes:
        """What is left to say to be admitted."""
        session = self.session
        call = Connect()
        call.body_size = 260  # at level 12
        call.fcno_version = 2
        call.application_name = application.ljust(28)
        credentials = Credentials(user, password)
        credentials.short = True
        credentials.filled = session.multiplexed
        return session.send(UserId(b"APP", asserted)) + session.send(credentials) + session.send(call)

    def call(self, event: Event, reply: type[Kind]) -> Kind:
        """Call, and wait for the reply."""
        self.say(self.session.send(event))
        return self.until(reply)
