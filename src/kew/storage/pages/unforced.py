"""Messages that became visible by a log record which may not be on disk yet.

A get that finds one of them waits for that record, so that no program sees a message that a crash could undo.
Non-persistent messages are among them if their unit of work has logged anything: the crash would undo the rest of it.
Other messages are not in the table, and no get waits for them.
"""

from collections import deque

from kew.storage.log import NO_ADDRESS, Log, LogAddress
from kew.storage.pages.item import Item


class UnforcedItems:
    """Items by their places, with the log address that must be on disk before each is shown. Under the engine lock."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._addresses: dict[int, LogAddress] = {}
        self._places: deque[int] = deque()  # in the order in which they came

    def add(self, item: Item, address: LogAddress) -> None:
        """Add an item that became visible by the record that ends at an address."""
        addresses, places = self._addresses, self._places
        durable = self._log.durable
        while places and addresses.get(places[0], NO_ADDRESS) <= durable:
            addresses.pop(places.popleft(), None)
        place = item.directory.number << 8 | item.slot
        addresses[place] = address  # an item of another page set at the same place: its address is the older one
        places.append(place)

    def address_of(self, item: Item) -> LogAddress:
        """Give the address that must be on disk before an item is shown; NO_ADDRESS if the item may be shown."""
        if not self._addresses:
            return NO_ADDRESS
        address = self._addresses.get(item.directory.number << 8 | item.slot, NO_ADDRESS)
        return address if address > self._log.durable else NO_ADDRESS
