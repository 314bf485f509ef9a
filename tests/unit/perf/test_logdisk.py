"""The log disk test, on a disk and a clock of the test's own, and as a command."""

from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.support.simdisk import SimDisk

from kew.cli import main
from kew.perf.logdisk import LogDiskSettings, run
from kew.storage.disk import RealDisk


class Clock:
    """Every look at it takes 50 microseconds."""

    def __init__(self) -> None:
        self.now = 0

    def __call__(self) -> int:
        self.now += 50_000
        return self.now


def test_every_write_is_timed_with_its_sync() -> None:
    disk = SimDisk()
    disk.make_directory("/log")
    settings = LogDiskSettings("/log", "t", (4096, 8192), 65536, 2, 2.0)
    small, large = list(run(settings, disk, Clock()))
    assert small.writes == small.histogram.total == 20_000
    assert small.bytes_written == 20_000 * 4096
    assert small.longest == small.shortest == 50_000
    assert small.fastest_second == small.slowest_second == 10_000 * 4096
    assert large.block_size == 8192
    assert disk.list_directory("/log") == []


def test_files_that_are_there_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "S0").write_bytes(b"a log")
    with pytest.raises(ValueError, match="there already"):
        list(run(LogDiskSettings(str(tmp_path), "S"), RealDisk()))
    assert (tmp_path / "S0").read_bytes() == b"a log"


@pytest.mark.parametrize("size", [100, 1 << 20])
def test_blocks_are_of_a_size_that_the_log_writes(tmp_path: Path, size: int) -> None:
    with pytest.raises(ValueError, match="a block has"):
        list(run(LogDiskSettings(str(tmp_path), "S", (size,)), RealDisk()))


def test_the_command_writes_the_lines_of_mqldt(tmp_path: Path) -> None:
    figures = tmp_path / "figures.csv"
    folder = tmp_path / "log"
    folder.mkdir()
    options = ["--dir", str(folder), "--bsize", "4k,16k", "--file-size", "256k", "--duration", "0.1"]
    done = CliRunner().invoke(main, ["ldt", *options, "--csvFile", str(figures)])
    assert done.exit_code == 0, done.output
    assert "Executing test for write blocksize 4096 (4k)." in done.output
    for line in ("Total writes to files", "Avg bytes/sec written to files", "Avg latency of write (ns)"):
        assert done.output.count(line) == 2
    assert [line.split(",")[0] for line in figures.read_text().splitlines()] == ["blocksize", "4096", "16384"]
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(("option", "value"), [("--bsize", "4q"), ("--file-prefix", "a/b"), ("--bsize", "1m")])
def test_the_command_refuses_what_it_cannot_do(tmp_path: Path, option: str, value: str) -> None:
    done = CliRunner().invoke(main, ["ldt", "--dir", str(tmp_path), option, value])
    assert done.exit_code != 0
    assert list(tmp_path.iterdir()) == []
