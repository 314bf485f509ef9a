"""A change that needs FORCE and an open of the same queue never meet: one of them comes first, wherever it comes."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.unit.commands.actions.running import answer, queue_manager

from kew.codes.options import MQOO_INPUT_EXCLUSIVE, MQOO_INPUT_SHARED, MQOO_OUTPUT
from kew.mqi.connections.handles import Handle
from kew.qmgr.manager import QueueManager


class Meddler:
    """Lets something happen just before the n-th step of an administration."""

    def __init__(self, running: QueueManager, moment: int, deed: Callable[[], None]) -> None:
        self.run = running.host.engine.run
        self.moment = moment
        self.deed = deed
        self.steps = 0

    def __call__(self, step: Callable[[], bool]) -> bool:
        if self.steps == self.moment:
            self.deed()
        self.steps += 1
        return self.run(step)


def meddled(running: QueueManager, moment: int, name: str, options: int, command: str) -> tuple[bool, Handle | None]:
    """Carry a command out while a program opens a queue at a moment; says whether it was refused, and the handle."""
    connection = running.connect()
    handles: list[Handle] = []
    meddler = Meddler(running, moment, lambda: handles.append(connection.open(name, options)))
    running.host.administration.run = meddler
    refused = "AMQ8148E" in answer(running, command)
    running.host.administration.run = meddler.run
    connection.disconnect()
    return refused, handles[0] if handles else None


@pytest.mark.parametrize("command", ["ALTER QLOCAL(Q) NOSHARE", "DEFINE QLOCAL(Q) NOSHARE REPLACE"])
def test_an_open_at_any_moment_of_a_change(tmp_path: Path, command: str) -> None:
    outcomes: list[bool] = []
    with queue_manager(tmp_path) as running:
        while True:
            answer(running, "DEFINE QLOCAL(Q) SHARE REPLACE")
            refused, handle = meddled(running, len(outcomes), "Q", MQOO_INPUT_SHARED, command)
            if handle is None:
                break
            alone = bool(handle.options & MQOO_INPUT_EXCLUSIVE)
            assert alone is not refused, f"step {len(outcomes)}"
            outcomes.append(refused)
    assert set(outcomes) == {True, False}


def test_an_alias_leads_to_its_old_or_its_new_target(tmp_path: Path) -> None:
    outcomes: list[bool] = []
    with queue_manager(tmp_path) as running:
        answer(running, "DEFINE QLOCAL(ONE)", "DEFINE QLOCAL(TWO)")
        while True:
            answer(running, "DEFINE QALIAS(A) TARGET(ONE) REPLACE")
            refused, handle = meddled(running, len(outcomes), "A", MQOO_OUTPUT, "ALTER QALIAS(A) TARGET(TWO)")
            if handle is None:
                break
            assert handle.name == ("ONE" if refused else "TWO"), f"step {len(outcomes)}"
            outcomes.append(refused)
    assert len(outcomes) > 2


def test_a_refused_change_leaves_nothing_behind(tmp_path: Path) -> None:
    with queue_manager(tmp_path) as running:
        answer(running, "DEFINE QLOCAL(Q)")
        connection = running.connect()
        connection.open("Q", MQOO_INPUT_SHARED)
        assert "AMQ8148E" in answer(running, "ALTER QLOCAL(Q) NOSHARE DESCR('new')")
        assert "DESCR( )" in answer(running, "DISPLAY QLOCAL(Q) DESCR")
        assert running.host.engine.queues.by_name["Q"].shareable
        assert running.host.units.active == {}
        connection.disconnect()
    with queue_manager(tmp_path) as running:
        assert "SHARE" in answer(running, "DISPLAY QLOCAL(Q) SHARE").split()
