"""MQSC commands say and do what the scripts beside this file expect."""

from pathlib import Path

import pytest
from tests.conformance.mqsc_script import run

from kew.qmgr import manager
from kew.qmgr.config import BufferPoolConfiguration, Configuration, LogConfiguration, PageSetConfiguration

SCRIPTS = sorted((Path(__file__).parent / "mqsc").glob("*.txt"))
SMALL = Configuration(
    log=LogConfiguration(file_pages=64, primary_files=3),
    buffer_pools=(BufferPoolConfiguration(0, 400), BufferPoolConfiguration(1, 400)),
    page_sets=(
        PageSetConfiguration(0, 512, buffer_pool=0),
        PageSetConfiguration(1, 64, buffer_pool=1),
        PageSetConfiguration(2, 64, buffer_pool=1),
    ),
)


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_script(path: Path, tmp_path: Path) -> None:
    manager.create("QM1", SMALL, str(tmp_path))
    with manager.start("QM1", str(tmp_path)) as running:
        running.host.command_server.stop()  # whose connections the displays would show beside those of the script
        assert run(path, running) > 0
