"""Crash windows that a random power loss seldom meets: each is closed by one sync, and fails without it."""

from random import Random

import pytest
from tests.crash import scenarios
from tests.crash.scenarios import OTHER, QUEUE
from tests.support.simdisk import PowerLoss, SimDisk
from tests.support.world import PLACES, World, create, small

from kew.qmgr.storageparts import EngineSettings
from kew.storage.log import LogAddress
from kew.storage.page import PAGE_SIZE
from kew.storage.pages.pageset import EXPAND_NONE, header_image
from kew.storage.recovery.media import find_image


def lose_power_at(disk: SimDisk, operation: str, path: str) -> None:
    """Lose the power when that is done to that file."""

    def watch(done: str, where: str, _length: int) -> None:
        if (done, where) == (operation, path):
            disk.stop_after(0)

    disk.delay = watch


def world_of(settings: EngineSettings) -> World:
    """Start a new queue manager with a queue on page set 1 and one on page set 2, which grows."""
    world = World(create(settings), settings)
    world.define(QUEUE)
    world.define(OTHER, storage_class="GROWS")
    return world


def test_a_page_set_has_grown_for_good_before_its_map_speaks_of_the_new_pages() -> None:
    world = world_of(small(pool=100))
    world.write_pages()
    before = world.host.store.page_sets[2].space.pages
    for _ in range(40):
        world.put(world.programs[0], OTHER, 100, True, 4, False)
    assert world.host.store.page_sets[2].space.pages > before
    lose_power_at(world.disk, "sync", PLACES.page_set(2))
    with pytest.raises(PowerLoss):
        world.write_pages()
    for seed in range(200):
        scenarios.restart(world, world.disk.crash(Random(seed)))


def test_a_page_that_was_repaired_is_whole_before_the_double_write_file_is_used_again() -> None:
    world = world_of(small())
    first = world.programs[0]
    for _ in range(20):
        world.put(first, QUEUE, 100, True, 4, False)
    world.write_pages()
    world.checkpoint()
    world.put(first, QUEUE, 100, True, 4, False)
    lose_power_at(world.disk, "sync", PLACES.page_set(1))
    with pytest.raises(PowerLoss):
        world.write_pages()
    torn = 0
    for seed in range(60):
        after = World(world.disk.crash(Random(seed)), world.settings, model=world.model.copy())
        after.check()
        torn += after.host.report.torn_pages
        after.put(after.programs[1], OTHER, 100, True, 4, False)
        lose_power_at(after.disk, "write", PLACES.page_set(1))  # the double-write file has another batch by now
        with pytest.raises(PowerLoss):
            after.write_pages()
        again = scenarios.restart(after, after.disk.crash(keep="none"))
        assert not again.host.lost
    assert torn


def test_a_page_set_that_was_brought_up_to_date_asks_for_no_older_log() -> None:
    world = world_of(small())
    program = world.programs[0]
    world.put(program, QUEUE, 100, True, 4, False)
    world.write_pages()
    path, address = PLACES.page_set(1), world.host.log.next_address
    pages = world.settings.page_sets[1].pages
    copy = header_image(1, pages, EXPAND_NONE, 0, address, world.host.log.owner) + world.disk.content(path)[PAGE_SIZE:]
    world.put(program, QUEUE, 100, True, 4, False)
    world.host.crash()
    disk = world.disk.crash(keep="all")
    disk.overwrite(path, copy)
    after = scenarios.restart(world, disk)
    assert after.host.store.page_sets[1].recover_from == 0
    while after.host.log.oldest_address <= address:
        after.fill_log(60)
        after.checkpoint()
    scenarios.restart(after, after.disk.crash(keep="none"))


def test_an_image_is_in_the_log_for_good_when_it_is_recorded() -> None:
    world = world_of(small(linear=True))
    world.put(world.programs[0], QUEUE, 100, True, 4, False)
    host = world.host
    assert host.imager.record(host.store.page_sets[1]) > 0
    begun = host.imager.newest[1]
    after = scenarios.restart(world, world.disk.crash(keep="none"))
    assert find_image(after.host.log, LogAddress(begun), 1) == begun


def test_a_unit_is_undone_whose_records_do_not_fit_into_the_log_buffer() -> None:
    world = world_of(small(pool=100, primary=12))
    program = world.programs[0]
    for _ in range(1500):
        world.put(program, OTHER, 0, True, 4, True)
    world.write_pages()
    after = scenarios.restart(world, world.disk.crash(keep="none"))
    assert after.host.report.undone == 1
