"""Every command that the analyst's tutorial shows and that needs Spark, as it stands there."""

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner
from pyspark.sql import SparkSession

from kew.analytics.smf.generate import Generator, Profile, System
from kew.analytics.smf.ingest import ingest_here
from kew.cli.smf import smf

PAGE = Path(__file__).parents[2] / "docs/tutorials/analyst.md"
TEXT = PAGE.read_text(encoding="utf-8")
COMMANDS = [
    line
    for block in re.findall(r"^```sh\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
    for line in block.splitlines()
    if line.startswith("kew smf ")
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the tutorial has come to: a store of some days, and the tariff that the page shows."""
    folder = tmp_path_factory.mktemp("tutorial")
    systems = [System("SYSA", "QMA1", 90303), System("SYSB", "QMB1", 90303)]
    start = 1_709_251_200_000_000 - 3 * 86_400_000_000  # three days before 1 March 2024
    profile = Profile(systems, start=start, interval=6 * 3_600_000_000, tasks=4, queues=3)
    (folder / "SMF.DUMP").write_bytes(b"".join(Generator(profile).intervals(24)))
    ingest_here([str(folder / "SMF.DUMP")], str(folder / "store"))
    (tariff,) = re.findall(r'^```toml title="tariff.toml"\n(.*?)^```', TEXT, re.MULTILINE | re.DOTALL)
    (folder / "tariff.toml").write_text(tariff)
    return folder


def test_the_page_has_such_commands() -> None:
    shown = {shlex.split(command)[2] + " " + shlex.split(command)[3] for command in COMMANDS}
    assert {"analyse bill", "analyse forecast", "analyse compare", "analyse capacity", "analyse anomalies"} <= shown


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_runs_as_shown(
    spark: SparkSession, folder: Path, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert spark is not None  # whose session the command takes
    monkeypatch.chdir(folder)
    # Java stays in the folder in which the session began, so the store is named whole.
    words = [str(folder / word) if word == "store" else word for word in shlex.split(command)[2:]]
    result = CliRunner().invoke(smf, words)
    assert result.exit_code == 0, result.output
    assert result.output or "-o" in shlex.split(command)
