"""The settings of a connection to a queue manager: given once, used for each attempt to connect."""

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
from kew.formats.distinguishedname import BadName
from kew.security.peernames import PeerPattern

# Options that the client carries out itself; they are not sent to the queue manager.
CLIENT_OPTIONS: Final = MQCNO_CLIENT_BINDING | MQCNO_RECONNECT | MQCNO_RECONNECT_Q_MGR | MQCNO_RECONNECT_DISABLED
# Reason codes that another address, or the next attempt, may not meet.
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
MOST_CONVERSATIONS: Final = 999_999  # also the most seconds between heartbeats
_HEADERS: Final = 2  # entries of the two lists of compression methods
_MESSAGES: Final = 16


class ConnectKeywords(TypedDict, total=False):
    """The less usual fields of ConnectSettings, as keywords of `connect`."""

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
    """The queue manager, channel, addresses, user, TLS and limits of a connection."""

    queue_manager: str = ""
    connection_name: str = "localhost(1414)"
    channel: str = "SYSTEM.DEF.SVRCONN"
    user: str | None = None
    password: str | None = None
    application: str = ""
    tls: ssl.SSLContext | None = None
    peer_name: str = ""  # pattern for the name in the queue manager's certificate, as SSLPEER
    key_reset: int = 0  # bytes, sent and received, after which keys of TLS are renewed; 0 for never
    header_compression: tuple[int, ...] = ()  # MQCOMPRESS_*, preferred first
    message_compression: tuple[int, ...] = ()
    heartbeat: int = 300
    max_message: int = 104857600
    conversations: int = 1
    options: int = 0  # MQCNO_*
    timeout: float = HANDSHAKE_SECONDS
    keep_alive: bool = False  # TCP probes an idle connection

    def addresses(self) -> Iterator[tuple[str, int]]:
        """Give the hosts and ports, in the order to be tried."""
        self._check()
        try:
            return iter(parse_addresses(self.connection_name))
        except AddressError as problem:
            raise MQError(MQRC_CD_ERROR, why=str(problem)) from problem

    def _check(self) -> None:
        """Refuse values that the initial data of a channel cannot hold."""
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
        """Make a link that offers these settings to the server."""
        link = Link(self.channel, self.queue_manager, self.conversations, self.heartbeat, self.max_message)
        offer = link.session.offer
        assert offer is not None
        if self.header_compression:
            offer.header_compression = compression_list(list(self.header_compression), _HEADERS)
        if self.message_compression:
            offer.message_compression = compression_list(list(self.message_compression), _MESSAGES)
        return link

    def check_certificate(self, endpoint: ssl.SSLSocket | ssl.SSLObject) -> None:
        """Refuse a queue manager whose certificate does not match the peer name."""
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
        """The options that are sent to the queue manager."""
        return self.options & ~CLIENT_OPTIONS

    @property
    def reconnects(self) -> bool:
        """True if the client reconnects when the connection breaks."""
        wanted = self.options & (MQCNO_RECONNECT | MQCNO_RECONNECT_Q_MGR)
        return bool(wanted) and not self.options & MQCNO_RECONNECT_DISABLED


def unreachable(host: str, port: int, problem: Exception) -> MQError:
    """Make the error for an address that failed."""
    if isinstance(problem, MQError):
        return problem
    reason = MQRC_SSL_INITIALIZATION_ERROR if isinstance(problem, ssl.SSLError) else MQRC_HOST_NOT_AVAILABLE
    return MQError(reason, host=host, port=port, why=str(problem))
