"""Unauthenticated connections, and which to drop when there are too many.

A flood is many connections that do nothing until their handshakes time out. So the connection to drop belongs to the
network with most pending connections, and is the one of them that has made no progress for longest; a client that goes
through its handshake promptly makes progress all the time. A connection that waits for this queue manager, since its
password is being checked, is dropped only if all connections of its network wait so, and those of every other network
with as many. As a result a flood drops its own connections: a client of another network is never dropped while some
network has more connections than its own, and a client at the flood's address has for each step the time that the flood
needs to fill all places.
"""

from collections.abc import Hashable
from ipaddress import AddressValueError, IPv6Address
from typing import Final, Generic, TypeVar

NETWORK: Final = 0xFFFFFFFFFFFFFFFF << 64  # of an IPv6 address: one site usually has the whole network

Who = TypeVar("Who", bound=Hashable)


def network_of(address: str) -> str:
    """Give the network of an address: the address itself for IPv4, the /64 for IPv6."""
    if ":" not in address:
        return address
    try:
        return str(IPv6Address(int(IPv6Address(address.partition("%")[0])) & NETWORK))
    except AddressValueError:
        return address


class PendingConnections(Generic[Who]):
    """Pending connections by network, each network in the order of the last steps."""

    def __init__(self) -> None:
        self._networks: dict[str, dict[Who, int]] = {}  # with the number of each connection's last step
        self._network: dict[Who, str] = {}
        self._asking: set[Who] = set()  # connections that wait for this queue manager
        self._steps = 0

    def __len__(self) -> int:
        return len(self._network)

    def all(self) -> list[Who]:
        """Give all pending connections."""
        return list(self._network)

    def add(self, who: Who, address: str) -> None:
        """Add a new connection."""
        network = network_of(address)
        self._network[who] = network
        self._place(who, network)

    def step(self, who: Who) -> None:
        """Note that a connection has made progress."""
        network = self._network.get(who)
        if network is not None:
            del self._networks[network][who]
            self._place(who, network)

    def ask(self, who: Who) -> None:
        """Note that a connection waits for this queue manager."""
        if who in self._network:
            self._asking.add(who)

    def answer(self, who: Who) -> None:
        """Note that a connection no longer waits for this queue manager."""
        self._asking.discard(who)

    def remove(self, who: Who) -> None:
        """Remove a connection that is admitted or closed."""
        network = self._network.pop(who, None)
        if network is not None:
            self._asking.discard(who)
            del self._networks[network][who]
            if not self._networks[network]:
                del self._networks[network]

    def first_to_go(self) -> Who:
        """Give the connection to drop when another arrives; there must be one."""
        most = max([len(each) for each in self._networks.values()])
        found = [self._candidate(each) for each in self._networks.values() if len(each) == most]
        return min(found, key=_first)[2]

    def _candidate(self, network: dict[Who, int]) -> tuple[bool, int, Who]:
        """Give a network's candidate to drop: whether it waits for us, the number of its last step, the connection."""
        for who, step in network.items():
            if who not in self._asking:
                return False, step, who
        who, step = next(iter(network.items()))
        return True, step, who

    def _place(self, who: Who, network: str) -> None:
        self._steps += 1
        self._networks.setdefault(network, {})[who] = self._steps


def _first(candidate: tuple[bool, int, Who]) -> tuple[bool, int]:
    return candidate[0], candidate[1]
