"""Directories that earlier versions made open in this one, with all they held."""

import tarfile
from pathlib import Path

import pytest
from tests.support.kept import ARCHIVES, CRASHED, ENDED, NAME, look, make

from kew.qmgr import manager
from kew.storage.fileheader import PAGE_SET


def test_there_is_a_directory_of_the_present_formats() -> None:
    assert f"directory-{PAGE_SET.version}.tar.xz" in [archive.name for archive in ARCHIVES]


@pytest.mark.parametrize("state", [ENDED, CRASHED])
@pytest.mark.parametrize("archive", ARCHIVES, ids=lambda archive: archive.name)
def test_a_directory_that_was_kept_opens(archive: Path, state: str, tmp_path: Path) -> None:
    with tarfile.open(archive) as kept:
        kept.extractall(tmp_path, filter="data")
    data = str(tmp_path / state)
    with manager.start(NAME, data) as running:
        look(running)
    with manager.start(NAME, data) as again:
        assert again.host.queues.by_name["KEPT"].depth == 0


@pytest.mark.parametrize("state", [ENDED, CRASHED])
def test_a_directory_that_is_made_today_opens(state: str, tmp_path: Path) -> None:
    make(tmp_path)
    with manager.start(NAME, str(tmp_path / state)) as running:
        look(running)
