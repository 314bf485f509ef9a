"""The inside of a queue's page store, for tests of it."""

from kew.qmgr.assemble import Host
from kew.queues.private import PrivateStore
from kew.queues.queue import Queue
from kew.storage.pages.chain import Chain


def private(queue: Queue) -> PrivateStore:
    """Give the page store of a queue."""
    assert isinstance(queue.store, PrivateStore)
    return queue.store


def chains_of(host: Host) -> list[Chain]:
    """Give the chains of all queues that have a page store."""
    found: list[Chain] = []
    for queue in host.queues.by_name.values():
        if isinstance(queue.store, PrivateStore):
            found.extend(queue.store.chains)
    return found
