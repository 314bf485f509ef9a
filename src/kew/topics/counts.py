"""How many subscriptions there are, of each kind: now, and the most and fewest since the last statistics."""

from typing import Final

from kew.codes.attributes import MQSUBTYPE_ADMIN, MQSUBTYPE_API, MQSUBTYPE_PROXY

_KINDS: Final = {MQSUBTYPE_API: 0, MQSUBTYPE_ADMIN: 1, MQSUBTYPE_PROXY: 2}  # in the order of QTSTSHIG


class SubscriptionCounts:
    """Counts in the order API, administrative, proxy. Changed under the engine lock."""

    def __init__(self) -> None:
        self.now = [0, 0, 0]
        self.most = [0, 0, 0]
        self.fewest = [0, 0, 0]

    def came(self, kind: int) -> None:
        """A subscription was made."""
        place = _KINDS[kind]
        self.now[place] += 1
        self.most[place] = max(self.most[place], self.now[place])

    def went(self, kind: int) -> None:
        """A subscription has ended."""
        place = _KINDS[kind]
        self.now[place] -= 1
        self.fewest[place] = min(self.fewest[place], self.now[place])

    def forget_peaks(self) -> None:
        """Start the peaks of a new statistics interval."""
        self.most = self.now[:]
        self.fewest = self.now[:]
