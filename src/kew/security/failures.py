"""Refused passwords, counted by user and by network: repeated failures are answered with growing delays.

The first few refusals are sent after FAILDLAY; each further one after twice the delay of the refusal before it, up to a
limit. After a quarter of an hour without a refusal the count begins anew. A right password is never delayed, so that a
user cannot be locked out by the guesses of another.
"""

from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from kew.codes.messages import Notices

FREE: Final = 5  # refusals in a row that cost FAILDLAY only
FORGOTTEN: Final = 900.0  # seconds without one
MOST_KNOWN: Final = 10_000  # users and networks; of more, the ones that were refused longest ago are forgotten

Key = tuple[str, str]


class Failures:
    """The counts of refused passwords; used by one thread."""

    def __init__(self, most_delay: int, clock: Callable[[], float], notices: Notices) -> None:
        self._most_delay = most_delay
        self._clock = clock
        self._notices = notices
        self._known: OrderedDict[Key, tuple[int, float]] = OrderedDict()

    def count(self, user: str, network: str, delay: int) -> int:
        """Count a refusal; gives the seconds before it is sent, which are `delay` for the first few."""
        times = max(self._add(("user", user)), self._add(("network", network)))
        if times == FREE + 1 and self._most_delay > delay:
            self._notices.tell("CSQH905E", (times, self._most_delay), (user, network or "this machine"))
        doublings = min(max(times - FREE, 0), 16)
        return max(delay, min(max(delay, 1) << doublings, self._most_delay)) if doublings else delay

    def _add(self, key: Key) -> int:
        now = self._clock()
        times, last = self._known.pop(key, (0, now))
        times = times + 1 if now - last < FORGOTTEN else 1
        self._known[key] = (times, now)
        if len(self._known) > MOST_KNOWN:
            self._known.popitem(last=False)
        return times
