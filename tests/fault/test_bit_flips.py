"""Bits flipped anywhere in the files of a queue manager: found, or harmless, and never silently wrong."""

import sys
from collections import Counter
from functools import cache
from random import Random
from typing import Literal

import pytest
from tests.crash import scenarios
from tests.crash.scenarios import OTHER, VARIANTS
from tests.fault import damage
from tests.fault.damage import HARMLESS, PAGE_SET_LOST, QUEUE_DAMAGED, REFUSED, TOLD, Verdict
from tests.support.cores import chunks, spread
from tests.support.engines import open_engine
from tests.support.model import Model
from tests.support.simdisk import PowerLoss, SimDisk
from tests.support.world import NAME, PLACES, Told, World

from kew.storage.page import DATA
from kew.storage.stall import Damaged

FLIPS = 2000
PAGE = 4096
KIND = 4  # the byte of a page that says what it is
# How it ended: in order, by a crash, or by a crash that tore pages which the double-write file has whole.
Ending = Literal["ended", "crashed", "torn"]
BASES: tuple[tuple[str, Ending], ...] = (
    ("single", "crashed"),
    ("single", "ended"),
    ("single", "torn"),
    ("dual", "crashed"),
    ("dual", "ended"),
    ("linear", "ended"),
)


@cache
def ended(variant: str, ending: Ending) -> tuple[SimDisk, Model]:
    """Make the disk of a queue manager that has ended."""
    world = scenarios.start(variant)
    for _ in range(12):
        scenarios.put(world)
        world.put(world.programs[1], OTHER, 9000, True, 0, False)
    scenarios.switch(world)
    scenarios.write_pages(world)
    scenarios.checkpoint(world)
    scenarios.put(world)
    scenarios.put_long(world)
    scenarios.get(world)
    if ending == "torn":
        return _torn(world), world.model
    if ending == "ended":
        world.stop()
    return world.disk.crash(keep="all"), world.model


def _torn(world: World) -> SimDisk:
    disk, home = world.disk, PLACES.page_set(1)

    def lose(operation: str, path: str, _length: int) -> None:
        if (operation, path) == ("sync", home):
            disk.stop_after(0)

    disk.delay = lose
    with pytest.raises(PowerLoss):
        scenarios.write_pages(world)
    for seed in range(1000):
        torn = disk.crash(Random(seed))
        host, _ = damage.started(torn.copy(), world.settings)
        if host.report.torn_pages:
            return torn
    raise AssertionError("no page was torn")


def place(disk: SimDisk, random: Random) -> tuple[str, int]:
    """Draw a byte of a file: each kind of file, and each kind of page in a page set, gets its share."""
    kinds: dict[str, list[str]] = {}
    for path, size in disk.files.items():
        if size:
            kind = next((word for word in ("archive", "S0", "psid", "BOOTSTRAP") if word in path), "doublewrite")
            kinds.setdefault(kind, []).append(path)
    kind = random.choice(sorted(kinds))
    path = random.choice(kinds[kind])
    content = disk.content(path)
    pages: dict[int, list[int]] = {}
    for start in range(0, len(content), PAGE):
        page = content[start : start + PAGE]
        if any(page):
            pages.setdefault(page[KIND] if kind == "psid" else 0, []).append(start)
    if not pages or random.random() < 0.1:
        return path, random.randrange(len(content))
    start = random.choice(pages[random.choice(sorted(pages))])
    offsets = range(start, min(start + PAGE, len(content)))
    if random.random() < 0.7:
        return path, random.choice([offset for offset in offsets if content[offset]])
    return path, random.choice(offsets)


def flip(seed: int) -> tuple[str, Verdict]:
    """Flip one bit; gives where, and what came of it."""
    random = Random(seed)
    variant, ending = BASES[seed % len(BASES)]
    original, model = ended(variant, ending)
    disk = original.copy()
    path, offset = place(disk, random)
    bit = random.randrange(8)
    disk.flip(path, offset, bit)
    where = f"seed {seed}: bit {bit} of byte {offset} of {path} ({variant}, {ending})"
    try:
        return where, damage.judge(disk, VARIANTS[variant].settings, model.copy(), path)
    except Exception as problem:
        return where, Verdict("failed", f"{type(problem).__name__}: {problem}")


def flip_some(seeds: range) -> list[tuple[str, Verdict]]:
    """Flip a bit for each of some seeds."""
    return [flip(seed) for seed in seeds]


def test_two_thousand_bit_flips() -> None:
    for base in BASES:
        ended(*base)
    results = [result for part in spread(flip_some, chunks(1, FLIPS, 25)) for result in part]
    kinds = Counter(verdict.kind for _, verdict in results)
    print(f"{len(results)} bit flips: {dict(kinds)}", file=sys.stderr)
    problems = [f"{where}: {verdict.kind}: {verdict.problem}" for where, verdict in results if verdict.problem]
    assert not problems, "\n".join([f"{len(problems)} problems", *problems[:10]])
    assert len(results) == FLIPS
    for kind in (HARMLESS, TOLD, QUEUE_DAMAGED, PAGE_SET_LOST, REFUSED):
        assert kinds[kind] > 20, kinds


@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.parametrize("page", [0, 1])
def test_a_damaged_page_set_is_named_and_the_rest_works(number: int, page: int) -> None:
    original, model = ended("single", "ended")
    path = PLACES.page_set(number)
    disk = original.copy()
    disk.overwrite(PLACES.double_write, bytes(PAGE), PAGE)  # which would repair a page that was written last
    disk.flip(path, page * PAGE + 100)
    verdict = damage.judge(disk, VARIANTS["single"].settings, model.copy(), path)
    assert (verdict.kind, verdict.problem) == (PAGE_SET_LOST, "")


def test_a_damaged_definition_is_named() -> None:
    original, _ = ended("single", "ended")
    path = PLACES.page_set(0)
    content = original.content(path)
    for page in [page for page in range(len(content) // PAGE) if content[page * PAGE + KIND] == DATA]:
        disk = original.copy()
        disk.flip(path, page * PAGE + 40)
        told = Told()
        with pytest.raises(Damaged) as damaged:
            open_engine(disk, NAME, PLACES, VARIANTS["single"].settings, told, threads=False)
        assert (damaged.value.path, damaged.value.page) == (path, page)
        assert ("CSQP901E", (0, page), (path,)) in told.messages


def test_a_page_set_that_is_gone_is_named_and_the_rest_works() -> None:
    original, model = ended("single", "ended")
    disk = original.copy()
    disk.delete(PLACES.page_set(2))
    host, told = damage.started(disk, VARIANTS["single"].settings)
    assert host.lost.keys() == {2}
    assert ("CSQP903E", (2,), (PLACES.page_set(2),)) in told.messages
    assert damage.look(host, model)[0] == {OTHER}
