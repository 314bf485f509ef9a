"""How old the oldest message of a queue is."""

from kew.formats.mqmd import decode_stored
from kew.queues.cursor import Cursor
from kew.queues.monitor import seconds_of
from kew.queues.queue import Queue
from kew.storage.message import HEADERS


def oldest_put(queue: Queue) -> float:
    """Give when the oldest message that could be got was put, in seconds since 1970; 0 where there is none.

    Runs under the engine lock. May stall, and is then called again.
    """
    cursor = Cursor()
    cursor.by_arrival = True
    oldest = queue.after(cursor)
    if oldest is None:
        return 0.0
    descriptor = decode_stored(queue.describe(oldest, HEADERS).content, 0)
    return seconds_of(descriptor.put_date, descriptor.put_time)
