"""A queue manager that a program hosts."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from kew.qmgr import manager
from kew.qmgr.config import Configuration, LogConfiguration
from kew.qmgr.manager import CommandFailed, QueueManager


@pytest.fixture
def hosted(tmp_path: Path) -> Iterator[QueueManager]:
    manager.create("QM1", Configuration(log=LogConfiguration(file_pages=64)), str(tmp_path))
    with manager.start("QM1", str(tmp_path)) as running:
        yield running


def test_commands_are_carried_out_and_their_answers_given(hosted: QueueManager) -> None:
    assert hosted.mqsc("DEFINE QLOCAL(A) +\n MAXDEPTH(3)\nDEFINE QLOCAL(B)", "DEFINE QALIAS(C) TARGET(A)") == "\n".join(
        ["AMQ8006I: Kew queue created.", "AMQ8006I: Kew queue created.", "AMQ8006I: Kew queue created."]
    )
    assert "MAXDEPTH(3)" in hosted.mqsc("DISPLAY QLOCAL(A) MAXDEPTH")
    assert hosted.mqsc() == ""


@pytest.mark.parametrize(
    ("command", "said"), [("DELETE QLOCAL(NOT.THERE)", "AMQ8147E"), ("DEFINE QLOCAL(X) MAXDPTH(1)", "MAXDEPTH")]
)
def test_a_command_that_fails_is_raised_with_what_came_before(hosted: QueueManager, command: str, said: str) -> None:
    with pytest.raises(CommandFailed, match=said) as failed:
        hosted.mqsc("DEFINE QLOCAL(BEFORE)", command)
    assert str(failed.value).startswith("AMQ8006I: Kew queue created.\n")
