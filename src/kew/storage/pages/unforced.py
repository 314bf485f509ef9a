"""Messages that became visible by a log record which may not be on disk yet.

A get that is shown one of them waits for that record, so that no program sees what a crash could undo. Non-persistent
messages are among them when a unit of work put them that has logged something: the crash would undo the rest of it. All
other messages are unknown here, and no get waits for them.
"""

from collections import deque

from kew.storage.log import NO_ADDRESS, Log, LogAddress
from kew.storage.pages.item import Item


class UnforcedItems:
    """The items, by where they are, and the log address up to which each is to be on disk. Under the engine lock."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._addresses: dict[int, LogAddress] = {}
        self._places: deque[int] = deque()  # in the order in which they came

    def add(self, item: Item, address: LogAddress) -> None:
        """Take note that an item can be seen by virtue of the record that ends at an address."""
        addresses, places = self._addresses, self._places
        durable = self._log.durable
        while places and addresses.get(places[0], NO_ADDRESS) <= durable:
            addresses.pop(places.popleft(), None)
        place = item.directory.number << 8 | item.slot
        addresses[place] = address  # an item of another page set at the same place: its address is the older one
        places.append(place)

    def address_of(self, item: Item) -> LogAddress:
        """Give the address from which on an item may be shown; none if that is past."""
        if not self._addresses:
            return NO_ADDRESS
        address = self._addresses.get(item.directory.number << 8 | item.slot, NO_ADDRESS)
        return address if address > self._log.durable else NO_ADDRESS
