"""Calls of message channels: addresses in the order of CONNAME, LOCLADDR, and the handshake of TLS."""

import socket
from typing import Final

from kew.channels.mca.definition import MessageChannel
from kew.channels.mca.services import ChannelServices
from kew.channels.transport.address import AddressError
from kew.channels.transport.tls import KeyProblem, outcome, server_name
from kew.security.peernames import BadName, PeerPattern

CONNECT_SECONDS: Final = 30


class Ending:
    """How an instance ended, and the message of the error log that says so."""

    def __init__(
        self, message: str, arith: tuple[int, ...] = (), texts: tuple[str, ...] = (), error: bool = True
    ) -> None:
        self.message = message
        self.arith = arith
        self.texts = texts
        self.error = error  # the channel tries again, if it is one that does


class CallFailed(Exception):
    """No partner could be reached, or its security does not fit."""

    def __init__(self, ending: Ending) -> None:
        super().__init__(ending.message)
        self.ending = ending


def connect(services: ChannelServices, channel: MessageChannel) -> tuple[socket.socket, str]:
    """Connect to the first address that accepts; the socket, its handshake done where there is one, and the address."""
    tried: list[str] = []
    try:
        for host, port in channel.addresses():
            try:
                endpoint = socket.create_connection(
                    (host, port), services.connect_timeout or CONNECT_SECONDS, _source(channel.local_address)
                )
            except OSError as problem:
                tried.append(f"{host}({port}): {problem.strerror or problem}")
                continue
            endpoint.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            address = f"{host}({port})"
            return _secured(services, channel, endpoint, address), address
    except (AddressError, ValueError) as problem:
        tried.append(str(problem))
    raise CallFailed(Ending("AMQ9202E", (), (channel.name, "; ".join(tried) or "CONNAME is blank")))


def _source(local: str) -> tuple[str, int] | None:
    """The address of this side, where LOCLADDR says one."""
    if not local:
        return None
    host, _, ports = local.partition("(")
    first = ports.rstrip(")").split(",")[0]
    return host.strip(), int(first) if first else 0


def _secured(
    services: ChannelServices, channel: MessageChannel, endpoint: socket.socket, address: str
) -> socket.socket:
    """Shake hands where the channel has an SSLCIPH."""
    if not channel.cipher:
        return endpoint
    try:
        if services.keys is None:
            raise KeyProblem("the queue manager has no key repository (SSLKEYR)")
        context = services.keys.context(channel.cipher)
        secure = context.wrap_socket(endpoint, server_hostname=server_name(channel.name) or None)
    except (KeyProblem, OSError) as problem:
        endpoint.close()
        raise CallFailed(Ending("AMQ9620E", (), (address, str(problem)))) from problem
    found = outcome(secure)
    if channel.peer and not _fits(channel.peer, found.peer):
        secure.close()
        raise CallFailed(Ending("AMQ9636E", (), (channel.name, address, found.peer, channel.peer)))
    return secure


def _fits(pattern: str, peer: str) -> bool:
    try:
        return PeerPattern(pattern).matches(peer)
    except BadName:
        return False
