"""Calls of message channels: addresses in the order of CONNAME, LOCLADDR, and the handshake of TLS."""

import errno
import re
import socket
from typing import Final

from kew.channels.mca.definition import MessageChannel
from kew.channels.mca.services import ChannelServices
from kew.channels.transport.address import AddressError
from kew.channels.transport.tls import KeyProblem, outcome, server_name
from kew.formats.distinguishedname import BadName
from kew.security.peernames import PeerPattern

CONNECT_SECONDS: Final = 30
_LOCAL: Final = re.compile(
    r"\s*(?P<host>\[[^\]]+\]|[^()\s,]+)?\s*(\(\s*(?P<low>[0-9]{1,5})\s*(,\s*(?P<high>[0-9]{1,5})\s*)?\))?\s*"
)
_TAKEN: Final = frozenset({errno.EADDRINUSE, errno.EADDRNOTAVAIL})


class Ending:
    """The end of an instance, with the message for the error log."""

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


class Called:
    """A partner that has accepted a call: its socket and address; a TLS handshake is done where the channel has one."""

    def __init__(self, endpoint: socket.socket, address: str, following: int) -> None:
        self.endpoint = endpoint
        self.address = address
        self.following = following  # where in CONNAME the next address stands, should this partner not do


def connect(services: ChannelServices, channel: MessageChannel, first: int = 0) -> Called:
    """Connect to the first address of CONNAME, from position `first` on, that accepts and whose security fits."""
    tried: list[str] = []
    refused: CallFailed | None = None
    try:
        for place, (host, port) in enumerate(channel.addresses()):
            if place < first:
                continue
            try:
                endpoint = dial(services, channel, host, port)
            except OSError as problem:
                tried.append(f"{host}({port}): {problem.strerror or problem}")
                continue
            endpoint.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            address = f"{host}({port})"
            try:
                return Called(secure(services, channel, endpoint, address), address, place + 1)
            except CallFailed as failed:
                refused = failed
    except (AddressError, ValueError) as bad:
        tried.append(str(bad))
    raise refused or CallFailed(Ending("AMQ9202E", (), (channel.name, "; ".join(tried) or "CONNAME is blank")))


def dial(services: ChannelServices, channel: MessageChannel, host: str, port: int) -> socket.socket:
    """Connect to one host, whose name is resolved now, from the address in LOCLADDR; IPADDRV's family comes first."""
    settings = services.settings
    seconds = services.connect_timeout or CONNECT_SECONDS
    local = LocalPlace(channel.local_address, settings.local_ports)
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    found.sort(key=lambda each: each[0] != settings.family)
    problem: OSError | None = None
    for family, kind, protocol, _name, address in found:
        for source in local.sources(family):
            endpoint = socket.socket(family, kind, protocol)
            try:
                endpoint.settimeout(seconds)
                if source is not None:
                    endpoint.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                    endpoint.bind(source)
                endpoint.connect(address)
            except OSError as failed:
                endpoint.close()
                problem = failed
                if source is not None and failed.errno in _TAKEN:
                    continue  # the next port of the range
                break
            return endpoint
    raise problem or OSError(f"host {host!r} has no address")


class LocalPlace:
    """The local address and ports of calls: LOCLADDR as host(low,high), either part alone, or else OPORTMIN."""

    def __init__(self, text: str, ports: tuple[int, int] = (0, 0)) -> None:
        match = _LOCAL.fullmatch(text)
        if match is None:
            raise AddressError(f"LOCLADDR {text!r} is not host(low,high)")
        self.host: str = (match["host"] or "").strip("[]")
        low = int(match["low"]) if match["low"] else 0
        self.low, self.high = (low, int(match["high"] or low)) if low else ports
        if self.high < self.low or self.high > 65535:
            raise AddressError(f"LOCLADDR {text!r}: {self.low} to {self.high} is not a range of ports")

    def sources(self, family: int) -> list[tuple[str, int] | None]:
        """Give the addresses to bind to, in the order in which they are tried; None for any."""
        if not self.host and not self.low:
            return [None]
        anywhere = "::" if family == socket.AF_INET6 else ""
        return [(self.host or anywhere, port) for port in range(self.low, self.high + 1)]


def secure(services: ChannelServices, channel: MessageChannel, endpoint: socket.socket, address: str) -> socket.socket:
    """Carry out the TLS handshake where the channel has an SSLCIPH."""
    if not channel.cipher:
        return endpoint
    try:
        if services.keys is None:
            raise KeyProblem("the queue manager has no key repository (SSLKEYR)")
        context = services.keys.context(channel.cipher)
        secured = context.wrap_socket(endpoint, server_hostname=server_name(channel.name) or None)
    except (KeyProblem, OSError) as problem:
        endpoint.close()
        raise CallFailed(Ending("AMQ9620E", (), (address, str(problem)))) from problem
    found = outcome(secured)
    if channel.peer and not _fits(channel.peer, found.peer):
        secured.close()
        raise CallFailed(Ending("AMQ9636E", (), (channel.name, address, found.peer, channel.peer)))
    return secured


def _fits(pattern: str, peer: str) -> bool:
    try:
        return PeerPattern(pattern).matches(peer)
    except BadName:
        return False
