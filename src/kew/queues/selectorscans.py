"""The position of the scan for each selection string, so that no message is matched twice with the same selector.

The selector has rejected all messages before the position of its `SelectorScan` in the order of delivery; the next
search for the same string begins there. A message that becomes available before that position (it comes back from a
unit of work or a cursor, its unit commits late, or its priority is higher) is matched by itself: it is in `again` until
then. When there are too many of these, the scan goes back to the first of them.

Scans are in memory only, for the most recent selection strings: some hundred bytes for each string, and 60 for each
message that is to be matched again.
"""

from typing import Final

from kew.queues.cursor import Cursor
from kew.queues.match import Searched
from kew.storage.pages.item import Item

MAX_SCANS: Final = 32  # selection strings of one queue
MAX_RECHECKED: Final = 64  # messages that are matched by themselves, before the scan goes back


class SelectorScan(Searched):
    """The position of the scan of one queue for one selection string."""

    def __init__(self) -> None:
        self.cursor = Cursor()  # all before it is rejected
        self.again: list[Item] = []  # in order of delivery

    def became_available(self, item: Item) -> None:
        """Note a message that is available now, and was not when the scan passed it."""
        cursor = self.cursor
        if item.priority < cursor.priority or (item.priority == cursor.priority and item.sequence > cursor.sequence):
            return  # the scan has not reached the message yet
        place = 0
        for each in self.again:
            if each.sequence == item.sequence:
                return
            if each.priority > item.priority or (each.priority == item.priority and each.sequence < item.sequence):
                place += 1
        self.again.insert(place, item)
        if len(self.again) > MAX_RECHECKED:
            self.go_back()

    def go_back(self) -> None:
        """Move back to the first message that is to be matched again."""
        first = self.again[0]
        cursor = self.cursor
        cursor.reset()
        cursor.priority = first.priority
        cursor.sequence = first.sequence - 1
        self.again.clear()


class SelectorScans:
    """The scans of one queue by selection string, the most recent at the end."""

    def __init__(self) -> None:
        self._by_text: dict[str, SelectorScan] = {}

    def of(self, text: str) -> SelectorScan:
        """Give the scan for a selection string."""
        scan = self._by_text.pop(text, None)
        if scan is None:
            scan = SelectorScan()
            if len(self._by_text) >= MAX_SCANS:
                del self._by_text[next(iter(self._by_text))]
        self._by_text[text] = scan
        return scan

    def became_available(self, item: Item) -> None:
        """Note a message that is available from now on."""
        for scan in self._by_text.values():
            scan.became_available(item)
