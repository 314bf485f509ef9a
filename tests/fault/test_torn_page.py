"""The last page of the log, torn at every byte."""

from random import Random

import pytest
from tests.support.cores import chunks, spread
from tests.support.simdisk import PowerLoss
from tests.support.world import World, create, small

from kew.storage.log import LogDamaged

PAGE = 4096
QUEUE = "Q1"
# A persistent message whose record fills its log page to the last byte but a few.
FULL = 3500


class Tail:
    """A queue manager whose last message was written to one page of the log, and what was there before."""

    def __init__(self, dual: bool, acknowledged: bool) -> None:
        settings = small(dual=dual, primary=2, secondary=1)
        self.world = world = World(create(settings), settings, programs=1)
        world.define(QUEUE)
        world.put(world.programs[0], QUEUE, 100, True, 4, False)
        world.write_pages()
        world.checkpoint()
        writes: list[tuple[str, int]] = []
        before = {path: world.disk.content(path) for path in world.disk.files}
        world.disk.delay = lambda operation, path, length: writes.append((path, length))
        if not acknowledged:
            world.disk.stop_after(1 if not dual else 3)
        try:
            world.put(world.programs[0], QUEUE, FULL, True, 4, False)
        except PowerLoss:
            assert not acknowledged
        world.disk.delay = None
        self.path = writes[0][0]
        assert self.path.endswith(".LOG")
        assert writes[0][1] == PAGE
        self.disk = world.disk.crash(keep="all")
        after = self.disk.content(self.path)
        self.old = before[self.path]
        self.offset = next(at for at in range(0, len(after), PAGE) if after[at : at + PAGE] != self.old[at : at + PAGE])
        self.page = after[self.offset : self.offset + PAGE]
        assert self.page[-200:] != bytes(200)


def _tear(case: tuple[bool, int, bool, range]) -> list[str]:
    """Tear the page at some offsets in one copy; gives what went wrong."""
    dual, copy, acknowledged, offsets = case
    tail = Tail(dual, acknowledged)
    path = tail.path.replace("copy1", f"copy{copy}")
    old = tail.old[tail.offset : tail.offset + PAGE]
    problems: list[str] = []
    for cut in offsets:
        disk = tail.disk.copy()
        disk.overwrite(path, tail.page[:cut] + old[cut:], tail.offset)
        model = tail.world.model.copy()
        try:
            after = World(disk, tail.world.settings, 1, model)
            told = after.told.ids()
            if dual or not acknowledged or "CSQJ901W" not in told:
                after.check()
            else:
                # One copy, and the page that was acknowledged is gone: nobody can tell that from a torn write that was
                # not acknowledged. It is told, and everything before it is there.
                shown = {message.serial for queue in model.certain.queues for message in model.certain.visible(queue)}
                found = after.serials()
                if found != shown - {max(shown)}:
                    problems.append(f"torn at {cut}: {sorted(shown - found)} are gone")
        except LogDamaged as damage:
            if dual or damage.path != path:
                problems.append(f"torn at {cut}: {damage}")
        except Exception as problem:
            problems.append(f"torn at {cut}: {type(problem).__name__}: {problem}")
    return problems


@pytest.mark.parametrize(
    ("dual", "copy", "acknowledged"), [(False, 1, False), (False, 1, True), (True, 1, True), (True, 2, True)]
)
def test_the_last_log_page_torn_at_every_byte(dual: bool, copy: int, acknowledged: bool) -> None:
    # A page that was acknowledged, is on one copy only and has left no byte behind is beyond anybody's notice.
    first = 1 if acknowledged and not dual else 0
    cases = [(dual, copy, acknowledged, part) for part in chunks(first, PAGE + 1 - first, 256)]
    problems = [problem for part in spread(_tear, cases) for problem in part]
    assert not problems, "\n".join([f"{len(problems)} of {PAGE + 1}", *problems[:5]])


def test_both_copies_torn_at_different_bytes() -> None:
    random = Random(5)
    tail = Tail(True, False)
    old = tail.old[tail.offset : tail.offset + PAGE]
    for _ in range(300):
        disk = tail.disk.copy()
        for copy in (1, 2):
            cut = random.randint(0, PAGE)
            disk.overwrite(tail.path.replace("copy1", f"copy{copy}"), tail.page[:cut] + old[cut:], tail.offset)
        World(disk, tail.world.settings, 1, tail.world.model.copy()).check()
