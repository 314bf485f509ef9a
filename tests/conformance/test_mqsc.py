"""MQSC commands say and do what the scripts beside this file expect."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from tests.conformance.mqsc_script import run

from kew.commands.mqsc.grammar import COMMANDS, all_commands, find_verb
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


LINEAR = replace(SMALL, log=LogConfiguration(file_pages=64, primary_files=3, log_type="linear"))


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_script(path: Path, tmp_path: Path) -> None:
    manager.create("QM1", LINEAR if path.stem == "linear" else SMALL, str(tmp_path))
    with manager.start("QM1", str(tmp_path)) as running:
        running.host.command_server.stop()  # whose connections the displays would show beside those of the script
        running.host.queued.stop()  # likewise
        assert run(path, running) > 0


def title_of(line: str) -> str:
    """Give the verb and target of a command, spelled out."""
    words = re.split(r"[\s(]+", line.upper())
    verb = find_verb(words[0])
    spec = COMMANDS[verb].get(words[1] if len(words) > 1 else "") if verb else None
    return spec.title if spec is not None else ""


def test_every_command_has_a_script() -> None:
    lines = [line for path in SCRIPTS for line in path.read_text(encoding="utf-8").splitlines()]
    told = {title_of(line[2:]) for line in lines if line.startswith("> ")}
    assert {spec.title for spec in all_commands()} - told == set()
