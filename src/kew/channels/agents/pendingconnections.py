"""Those who have come and are not yet admitted, and which of them goes when there are too many.

A flood is many who take and give nothing: they wait, each for as long as the handshake may take. So the first to go is
of the network that has most of them, and of those the one who has taken no step for longest. Whoever does his handshake
promptly takes a step every moment, and one who waits for our answer, since his password is being checked, goes only
where all of his network do, and of those that have as many. So a flood drives out itself: a client from elsewhere is
never touched while one network has more than its own, and one from the same address has, for each step, the time in
which the flood can fill all places.
"""

from collections.abc import Hashable
from ipaddress import AddressValueError, IPv6Address
from typing import Final, Generic, TypeVar

NETWORK: Final = 0xFFFFFFFFFFFFFFFF << 64  # of an IPv6 address: who has one has usually all of them

Who = TypeVar("Who", bound=Hashable)


def network_of(address: str) -> str:
    """Whom an address is taken to be: an IPv4 address itself, an IPv6 address the network of 64 bits it is in."""
    if ":" not in address:
        return address
    try:
        return str(IPv6Address(int(IPv6Address(address.partition("%")[0])) & NETWORK))
    except AddressValueError:
        return address


class PendingConnections(Generic[Who]):
    """Who waits to be admitted, by network; in each the one who took a step last stands last."""

    def __init__(self) -> None:
        self._networks: dict[str, dict[Who, int]] = {}  # with the number of the last step
        self._network: dict[Who, str] = {}
        self._asking: set[Who] = set()  # who wait for us
        self._steps = 0

    def __len__(self) -> int:
        return len(self._network)

    def all(self) -> list[Who]:
        """Give all of them."""
        return list(self._network)

    def add(self, who: Who, address: str) -> None:
        """Take note of one who has come."""
        network = network_of(address)
        self._network[who] = network
        self._place(who, network)

    def step(self, who: Who) -> None:
        """Take note that one has come a step further."""
        network = self._network.get(who)
        if network is not None:
            del self._networks[network][who]
            self._place(who, network)

    def ask(self, who: Who) -> None:
        """Take note that one waits for us."""
        if who in self._network:
            self._asking.add(who)

    def answer(self, who: Who) -> None:
        """Take note that one waits for us no longer."""
        self._asking.discard(who)

    def remove(self, who: Who) -> None:
        """Forget one who is admitted or gone."""
        network = self._network.pop(who, None)
        if network is not None:
            self._asking.discard(who)
            del self._networks[network][who]
            if not self._networks[network]:
                del self._networks[network]

    def first_to_go(self) -> Who:
        """Give the one who goes when another comes; there must be one."""
        most = max([len(each) for each in self._networks.values()])
        found = [self._candidate(each) for each in self._networks.values() if len(each) == most]
        return min(found, key=_first)[2]

    def _candidate(self, network: dict[Who, int]) -> tuple[bool, int, Who]:
        """Whom a network would give up: whether he waits for us, the number of his last step, and who he is."""
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
