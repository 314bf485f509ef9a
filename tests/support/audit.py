"""Looks into a restarted queue manager: what programs see, and whether its page sets add up."""

from tests.support.model import Observation, Seen
from tests.support.stores import chains_of

from kew.codes.errors import NoMessage
from kew.codes.options import MQGMO_BROWSE_FIRST, MQGMO_BROWSE_NEXT, MQOO_BROWSE
from kew.mqi.local.connection import LocalConnection
from kew.objects.catalogue import CATALOGUE_OWNER
from kew.qmgr.assemble import Host
from kew.storage.pages.chain import Chain
from kew.storage.pages.directory import EMPTY, ENTRY_SIZE, FIRST_ENTRY, Directory
from kew.storage.pages.items import item_at
from kew.storage.pages.spacemap import CATALOG, FREE, ITEM, RELEASING, SYSTEM, map_page_of
from kew.storage.unit import MessageOperation


def browse(connection: LocalConnection, queue: str) -> list[Seen]:
    """Read all messages of a queue, in the order of delivery, and leave them there."""
    handle = connection.open(queue, MQOO_BROWSE)
    found: list[Seen] = []
    option = MQGMO_BROWSE_FIRST
    while True:
        try:
            got = connection.get(handle, option)
        except NoMessage:
            connection.close(handle)
            return found
        option = MQGMO_BROWSE_NEXT
        descriptor = got.descriptor
        serial = int.from_bytes(descriptor.message_id, "big")
        found.append(Seen(serial, descriptor.priority, descriptor.persistence == 1, descriptor.backout_count, got.data))


def observe(host: Host) -> Observation:
    """Say what programs see: every queue's messages, and the units in doubt."""
    connection = host.connect("observer")
    queues = {name: browse(connection, name) for name in sorted(host.queues.by_name)}
    in_doubt = connection.recover()
    for name, found in queues.items():
        queue = host.queues.by_name[name]
        held = sum(
            1
            for unit in host.units.in_doubt()
            for each in unit.operations
            if isinstance(each, MessageOperation) and each.item.queue == queue.id
        )
        if queue.uncommitted != held:
            raise AssertionError(f"{name} counts {queue.uncommitted} uncommitted operations and has {held}")
        if queue.available() != len(found):
            raise AssertionError(f"{name} counts {queue.available()} messages and has {len(found)}")
    connection.disconnect()
    return Observation(queues, in_doubt)


def check_space(host: Host) -> None:
    """Check that every page of every page set is used by exactly one thing, or free: nothing leaks, nothing is shared.

    For a queue manager without messages that are not persistent.
    """
    used: dict[int, dict[int, int]] = {}
    for number, page_set in host.store.page_sets.items():
        maps = [map_page_of(group) for group in range(page_set.space.groups())]
        used[number] = dict.fromkeys((0, *maps), SYSTEM)
    chains = [chain for chain in chains_of(host) if not chain.volatile]
    if host.catalogue.store is not None:
        chains.append(host.catalogue.store.chain)
    for chain in chains:
        directory = chain.first
        while directory is not None:
            _use(used, chain, directory.number, CATALOG)
            _check_directory(host, chain, directory, used)
            directory = directory.after
    for number, page_set in host.store.page_sets.items():
        states = page_set.space.states
        for page, state in enumerate(states):
            expected = used[number].get(page, FREE)
            if state != expected and not (state == RELEASING and expected == FREE):
                raise AssertionError(f"page {page} of page set {number} is marked {state} and should be {expected}")
        if page_set.space.free != states.count(FREE):
            raise AssertionError(f"page set {number} counts {page_set.space.free} free pages")


def _check_directory(host: Host, chain: Chain, directory: Directory, used: dict[int, dict[int, int]]) -> None:
    data = host.engine.run(lambda: bytes(host.store.frame_of(chain, directory).data))
    count = 0
    for slot in range(directory.count):
        if data[FIRST_ENTRY + slot * ENTRY_SIZE] == EMPTY:
            continue
        count += 1
        item = item_at(chain, directory, slot, data)
        host.engine.run(lambda item=item: host.store.load_runs(item))  # type: ignore[misc]
        for first, pages in item.runs or [(item.page, 1)]:
            for page in range(first, first + pages):
                _use(used, chain, page, ITEM)
    if count != directory.used:
        raise AssertionError(f"directory page {directory.number} counts {directory.used} items and has {count}")


def _use(used: dict[int, dict[int, int]], chain: Chain, page: int, state: int) -> None:
    pages = used[chain.page_set.id]
    if page in pages:
        owner = "the catalogue" if chain.owner == CATALOGUE_OWNER else f"queue {chain.owner}"
        raise AssertionError(f"page {page} of page set {chain.page_set.id} is used twice, the second time by {owner}")
    pages[page] = state
