"""`kew dump --objects`: definitions to a file that is whole or not there."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from kew.cli import main
from kew.cli.dump import writing
from kew.qmgr import manager
from kew.qmgr.config import Configuration, LogConfiguration
from kew.qmgr.manager import QueueManager


@pytest.fixture
def qmgr(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[QueueManager]:
    monkeypatch.setenv("KEW_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    manager.create("QM1", Configuration(log=LogConfiguration(file_pages=64)))
    with manager.start("QM1") as running:
        yield running


def kew(*arguments: str, given: str | None = None) -> Result:
    return CliRunner().invoke(main, list(arguments), input=given)


def test_definitions_to_a_file_and_back(qmgr: QueueManager, tmp_path: Path) -> None:
    assert kew("mqsc", "QM1", "-e", "DEFINE QLOCAL(APP.Q) DESCR('mine')").exit_code == 0
    shown = kew("dump", "QM1", "--objects").output
    assert shown.startswith("* Definitions of queue manager QM1, ")
    assert "DEFINE QLOCAL('APP.Q') +" in shown
    result = kew("dump", "QM1", "--objects", "-o", "qm1.mqsc")
    assert result.output == "2 definitions written to qm1.mqsc.\n"
    text = (tmp_path / "qm1.mqsc").read_text()
    assert text.splitlines()[1:] == shown.splitlines()[1:]
    assert kew("mqsc", "QM1", "-e", "DELETE QLOCAL(APP.Q)").exit_code == 0
    assert kew("mqsc", "QM1", given=text).exit_code == 0
    assert "DESCR(mine)" in kew("mqsc", "QM1", "-e", "DISPLAY QLOCAL(APP.Q) DESCR").output


def test_all_definitions_can_be_loaded(qmgr: QueueManager) -> None:
    everything = kew("dump", "QM1", "--objects", "--all").output
    assert "DEFINE QLOCAL('SYSTEM.DEFAULT.LOCAL.QUEUE') +" in everything
    loaded = kew("mqsc", "QM1", given=everything)
    assert loaded.exit_code == 0, loaded.output[-2000:]


def test_a_dump_of_a_queue_names_the_queue_manager_it_is_from(qmgr: QueueManager, tmp_path: Path) -> None:
    assert kew("mqsc", "QM1", "-e", "DEFINE QLOCAL(Q)").exit_code == 0
    assert kew("dump", "QM1", "Q", "-o", "q.dump").exit_code == 0
    own = qmgr.host.objects.find("QMGR", "QM1")
    assert own is not None
    title = (tmp_path / "q.dump").read_text().splitlines()[0]
    assert title.startswith(f"* Kew dump 1 of Q on QM1, QMID {own.values['QMID']!s} at 20")


def test_where_it_cannot_be_done(qmgr: QueueManager, tmp_path: Path) -> None:
    result = kew("dump", "QM1", "--objects", "-o", str(tmp_path / "no" / "file"))
    assert result.exit_code == 1
    assert result.output == f"kew: {tmp_path}/no/file: No such file or directory\n"
    assert kew("dump", "NOT.THERE", "--objects").exit_code == 16
    qmgr.stop()
    stopped = kew("dump", "QM1", "--objects", "-o", "left.alone")
    assert (stopped.exit_code, "AMQ8146E" in stopped.output) == (20, True)
    assert not (tmp_path / "left.alone").exists()


def test_a_file_is_whole_or_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    with suppress(KeyError), writing(str(path)) as write:
        write(b"new")
        raise KeyError
    assert path.read_bytes() == b"old"
    with writing(str(path)) as write:
        write(b"new")
    assert path.read_bytes() == b"new"
    assert [entry.name for entry in tmp_path.iterdir()] == ["file"]
