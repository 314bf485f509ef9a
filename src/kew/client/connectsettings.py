"""How a queue manager is reached: what a program says once, and what is used for each connection that is made."""

import ssl
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, TypedDict

from kew.channels.protocol.compression import NAMES
from kew.channels.protocol.negotiate import compression_list
from kew.channels.transport.address import AddressError, parse_addresses
from kew.channels.transport.tls import outcome
from kew.client.arguments import check_word
from kew.client.link import Link
from kew.client.verbs import HANDSHAKE_SECONDS
from kew.codes.errors import MQError
from kew.codes.options import (
    MQCNO_CLIENT_BINDING,
    MQCNO_RECONNECT,
    MQCNO_RECONNECT_DISABLED,
    MQCNO_RECONNECT_Q_MGR,
)
from kew.codes.reasons import (
    MQRC_CD_ERROR,
    MQRC_CHANNEL_NOT_AVAILABLE,
    MQRC_CONNECTION_BROKEN,
    MQRC_HOST_NOT_AVAILABLE,
    MQRC_OPTIONS_ERROR,
    MQRC_Q_MGR_NOT_AVAILABLE,
    MQRC_Q_MGR_QUIESCING,
    MQRC_Q_MGR_STOPPING,
    MQRC_SSL_INITIALIZATION_ERROR,
    MQRC_SSL_PEER_NAME_ERROR,
    MQRC_SSL_PEER_NAME_MISMATCH,
)
from kew.security.peernames import BadName, PeerPattern

# What the client's side does, and the queue manager is not told of.
CLIENT_OPTIONS: Final = MQCNO_CLIENT_BINDING | MQCNO_RECONNECT | MQCNO_RECONNECT_Q_MGR | MQCNO_RECONNECT_DISABLED
# What may be over at another address, or by the next attempt.
TRANSIENT: Final = frozenset(
    {
        MQRC_CHANNEL_NOT_AVAILABLE,
        MQRC_CONNECTION_BROKEN,
        MQRC_HOST_NOT_AVAILABLE,
        MQRC_Q_MGR_NOT_AVAILABLE,
        MQRC_Q_MGR_QUIESCING,
        MQRC_Q_MGR_STOPPING,
    }
)
SHORTEST_RENEWAL: Final = 1 << 15  # bytes between two renewals of keys of TLS, at least, as in MQ
MOST_CONVERSATIONS: Final = 999_999  # and of seconds between heartbeats
_HEADERS: Final = 2  # entries of the two lists of methods
_MESSAGES: Final = 16


class ConnectKeywords(TypedDict, total=False):
    """What few programs say, of what a Reach has."""

    tls: ssl.SSLContext | None
    peer_name: str
    key_reset: int
    header_compression: tuple[int, ...]
    message_compression: tuple[int, ...]
    heartbeat: int
    max_message: int
    conversations: int
    options: int
    timeout: float
    keep_alive: bool


@dataclass
class ConnectSettings:
    """What leads to a queue manager."""

    queue_manager: str = ""
    connection_name: str = "localhost(1414)"
    channel: str = "SYSTEM.DEF.SVRCONN"
    user: str | None = None
    password: str | None = None
    application: str = ""
    tls: ssl.SSLContext | None = None
    peer_name: str = ""  # what the queue manager's certificate must have, as SSLPEER has it
    key_reset: int = 0  # bytes, sent and received, after which keys of TLS are renewed; 0 for never
    header_compression: tuple[int, ...] = ()  # MQCOMPRESS_*, the preferred first
    message_compression: tuple[int, ...] = ()
    heartbeat: int = 300
    max_message: int = 104857600
    conversations: int = 1
    options: int = 0  # MQCNO_*
    timeout: float = HANDSHAKE_SECONDS
    keep_alive: bool = False  # the system looks now and then whether the other side is still there

    def addresses(self) -> Iterator[tuple[str, int]]:
        """The hosts and ports to be tried, in this order."""
        self._check()
        try:
            return iter(parse_addresses(self.connection_name))
        except AddressError as problem:
            raise MQError(MQRC_CD_ERROR, why=str(problem)) from problem

    def _check(self) -> None:
        """Refuse what an offer cannot say."""
        check_word(self.options, MQRC_OPTIONS_ERROR, "options")
        for what, value, most in (
            ("conversations", self.conversations, MOST_CONVERSATIONS),
            ("heartbeat", self.heartbeat, MOST_CONVERSATIONS),
            ("max_message", self.max_message, None),
            ("key_reset", self.key_reset, None),
            ("timeout", self.timeout, None),
        ):
            if not value >= 0 or (most is not None and value > most):
                expected = "0 or more" if most is None else f"0 to {most}"
                raise MQError(MQRC_CD_ERROR, argument=what, found=value, expected=expected)
        for method in (*self.header_compression, *self.message_compression):
            if method not in NAMES:
                raise MQError(MQRC_CD_ERROR, compression=method, expected="MQCOMPRESS_*")

    def link(self) -> Link:
        """A link that offers what is wanted."""
        link = Link(self.channel, self.queue_manager, self.conversations, self.heartbeat, self.max_message)
        offer = link.session.offer
        assert offer is not None
        if self.header_compression:
            offer.header_compression = compression_list(list(self.header_compression), _HEADERS)
        if self.message_compression:
            offer.message_compression = compression_list(list(self.message_compression), _MESSAGES)
        return link

    def check_certificate(self, endpoint: ssl.SSLSocket | ssl.SSLObject) -> None:
        """Refuse a queue manager whose certificate has another name than is wanted."""
        if not self.peer_name:
            return
        try:
            pattern = PeerPattern(self.peer_name)
        except BadName as bad:
            raise MQError(MQRC_SSL_PEER_NAME_ERROR, why=str(bad)) from bad
        name = outcome(endpoint).peer
        if not pattern.matches(name):
            raise MQError(MQRC_SSL_PEER_NAME_MISMATCH, wanted=self.peer_name, certificate=name)

    @property
    def told(self) -> int:
        """The options that the queue manager is told of."""
        return self.options & ~CLIENT_OPTIONS

    @property
    def reconnects(self) -> bool:
        """Whether a connection that breaks is to be made anew."""
        wanted = self.options & (MQCNO_RECONNECT | MQCNO_RECONNECT_Q_MGR)
        return bool(wanted) and not self.options & MQCNO_RECONNECT_DISABLED


def unreachable(host: str, port: int, problem: Exception) -> MQError:
    """What a program is told of an address that did not do."""
    if isinstance(problem, MQError):
        return problem
    reason = MQRC_SSL_INITIALIZATION_ERROR if isinstance(problem, ssl.SSLError) else MQRC_HOST_NOT_AVAILABLE
    return MQError(reason, host=host, port=port, why=str(problem))
