"""How old the oldest message of a queue is."""

from kew.formats.mqmd import decode_stored
from kew.queues.monitor import seconds_of
from kew.queues.queue import Queue
from kew.storage.pages.blob import SINGLE_PAGE
from kew.storage.pages.item import Item
from kew.storage.pages.items import CONTENT, FIRST_CONTENT


def oldest_put(queue: Queue) -> float:
    """Give when the oldest message that could be got was put, in seconds since 1970; 0 where there is none.

    Runs under the engine lock. May stall, and is then called again.
    """
    found: Item | None = None
    for chain in queue.chains:
        item = queue.store.first_available(chain) if chain.available else None
        if item is not None and (found is None or item.sequence < found.sequence):
            found = item
    if found is None:
        return 0.0
    start = CONTENT if found.length <= SINGLE_PAGE else FIRST_CONTENT
    descriptor = decode_stored(queue.store.first_page(found).data, start)
    return seconds_of(descriptor.put_date, descriptor.put_time)
