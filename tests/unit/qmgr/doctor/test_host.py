"""The host is judged by what it says of itself, and each trouble has a remedy."""

import resource
from pathlib import Path

import pytest

from kew.qmgr.doctor import FAIL, OK, WARN, Finding, Machine, worst
from kew.qmgr.doctor.host import check_host
from kew.qmgr.doctor.machine import UNLIMITED
from kew.qmgr.doctor.software import check_software


class Made(Machine):
    """A machine that is as a test wants it; all in order unless told otherwise."""

    def __init__(self) -> None:
        self.files = {
            "/proc/sys/fs/file-max": "200000\n",
            "/proc/sys/kernel/threads-max": "48000\n",
            "/proc/sys/kernel/sem": "500\t256000\t250\t1024\n",
            "/proc/sys/net/ipv4/tcp_keepalive_time": "300\n",
            "/proc/meminfo": "MemTotal: 8000000 kB\nMemAvailable: 4000000 kB\nHugePages_Total: 0\n",
            "/sys/devices/system/clocksource/clocksource0/current_clocksource": "tsc\n",
        }
        self.limits: dict[int, tuple[int, int]] = {}
        self.programs = {"java": 'openjdk version "17.0.9" 2023-10-17\n', "gcc": "gcc 12"}
        self.distributions: dict[str, str] = {}
        self.synchronised: bool | None = True
        self.processors = 2

    def read(self, path: str) -> str:
        return self.files.get(path, "")

    def limit(self, number: int) -> tuple[int, int]:
        return self.limits.get(number, (UNLIMITED, UNLIMITED))

    def which(self, program: str) -> str:
        return f"/usr/bin/{program}" if program in self.programs else ""

    def version_below(self, distribution: str, _directory: str) -> str:
        return self.distributions.get(distribution, "")

    def said_by(self, *command: str) -> str:
        return self.programs[command[0]]

    def cores(self) -> int:
        return self.processors

    def clock_is_synchronised(self) -> bool | None:
        return self.synchronised


def found(machine: Machine, name: str) -> Finding:
    (one,) = [finding for finding in (*check_host(machine), *check_software(machine)) if finding.name == name]
    return one


def test_a_host_in_order() -> None:
    findings = list(check_host(Made()))
    assert {finding.level for finding in findings} == {OK}
    assert not [finding for finding in findings if finding.remedy]
    assert found(Made(), "kernel.sem").found == "500 256000 250 1024"


@pytest.mark.parametrize(
    ("number", "name", "limits", "level", "remedy"),
    [
        (resource.RLIMIT_NOFILE, "open files", (20000, 20000), OK, ""),
        (resource.RLIMIT_NOFILE, "open files", (1024, 20000), WARN, "ulimit -n 10240"),
        (resource.RLIMIT_NOFILE, "open files", (1024, 4096), WARN, "raised by root"),
        (resource.RLIMIT_NOFILE, "open files", (64, 64), FAIL, "raised by root"),
        (resource.RLIMIT_NPROC, "processes", (1000, UNLIMITED), WARN, "ulimit -u 4096"),
        (resource.RLIMIT_FSIZE, "file size", (1 << 20, 1 << 20), FAIL, "ulimit -f unlimited"),
        (resource.RLIMIT_AS, "virtual memory", (1 << 34, UNLIMITED), WARN, "ulimit -v unlimited"),
    ],
)
def test_limits(number: int, name: str, limits: tuple[int, int], level: str, remedy: str) -> None:
    machine = Made()
    machine.limits[number] = limits
    finding = found(machine, name)
    assert finding.level == level
    assert remedy in finding.remedy
    assert bool(finding.remedy) == (level != OK)


@pytest.mark.parametrize(
    ("path", "text", "name", "level"),
    [
        ("/proc/sys/fs/file-max", "199999", "fs.file-max", WARN),
        ("/proc/sys/net/core/somaxconn", "128", "net.core.somaxconn", WARN),
        ("/proc/sys/net/ipv4/tcp_keepalive_time", "7200", "net.ipv4.tcp_keepalive_time", WARN),
        ("/proc/meminfo", "MemAvailable: 500000 kB", "memory available", WARN),
        ("/proc/meminfo", "MemAvailable: 100000 kB", "memory available", FAIL),
        ("/sys/devices/system/clocksource/clocksource0/current_clocksource", "hpet", "clock source", WARN),
    ],
)
def test_values_that_are_not_as_wanted(path: str, text: str, name: str, level: str) -> None:
    machine = Made()
    machine.files[path] = text + "\n"
    finding = found(machine, name)
    assert finding.level == level
    assert finding.remedy


def test_what_the_kernel_does_not_tell_is_not_judged() -> None:
    machine = Made()
    machine.files = {"/proc/sys/fs/file-max": "many"}
    machine.synchronised = None
    names = [finding.name for finding in check_host(machine)]
    assert names == ["open files", "processes", "file size", "virtual memory", "processors"]


def test_a_clock_of_its_own_and_one_processor() -> None:
    machine = Made()
    machine.synchronised = False
    machine.processors = 1
    assert found(machine, "clock").level == WARN
    assert "chrony" in found(machine, "clock").remedy
    assert found(machine, "processors").level == WARN


@pytest.mark.parametrize(
    ("said", "level"),
    [('openjdk version "21"', OK), ('java version "1.8.0_392"', WARN), ("no such thing", WARN), ("", WARN)],
)
def test_java(said: str, level: str) -> None:
    machine = Made()
    machine.programs = {"java": said} if said else {}
    assert found(machine, "Java").level == level


def test_no_compiler_is_said_where_one_would_help() -> None:
    machine = Made()
    machine.programs = {}
    assert found(machine, "C compiler").found == "none"
    kew = found(machine, "Kew")
    assert kew.level == OK or "install a C compiler" in kew.remedy


def test_the_worst() -> None:
    one = Finding("g", "n", "f", "w", OK)
    assert worst([]) == OK
    assert worst([one, Finding("g", "n", "f", "w", WARN)]) == WARN
    assert worst([Finding("g", "n", "f", "w", FAIL), one]) == FAIL


def test_this_machine_can_be_asked() -> None:
    findings = [*check_host(Machine()), *check_software(Machine())]
    assert {"open files", "processors", "Python", "Java"} <= {finding.name for finding in findings}
    assert all(finding.remedy for finding in findings if finding.level != OK)
    assert Machine().said_by("/no/such/program") == ""


def test_the_other_kew_of_the_registry_over_ours() -> None:
    machine = Made()
    assert found(machine, "package kew").level == OK
    machine.distributions["kew"] = "0.1.9"
    finding = found(machine, "package kew")
    assert (finding.level, finding.found) == (FAIL, "files of the distribution kew 0.1.9 too")
    assert "pip uninstall kew" in finding.remedy
    assert "kew-mq" in finding.remedy


def test_a_distribution_with_files_in_a_directory_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "kew").mkdir()
    (tmp_path / "kew" / "__init__.py").write_text("")
    (tmp_path / "kew-0.1.9.dist-info").mkdir()
    (tmp_path / "kew-0.1.9.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: kew\nVersion: 0.1.9\n")
    (tmp_path / "kew-0.1.9.dist-info" / "RECORD").write_text("kew/__init__.py,,\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert Machine().version_below("kew", str(tmp_path / "kew")) == "0.1.9"
    assert Machine().version_below("kew", str(tmp_path / "other")) == ""


@pytest.mark.parametrize(
    ("script", "level"),
    [
        ("#!/usr/bin/python3\nfrom kew.cli import main\n", OK),
        ("#!/usr/bin/python3\nfrom kew.worker import run\n", WARN),
        ("", OK),
    ],
)
def test_another_command_kew_on_the_path(script: str, level: str) -> None:
    machine = Made()
    if script:
        machine.programs["kew"] = ""
        machine.files["/usr/bin/kew"] = script
    finding = found(machine, "command kew")
    assert finding.level == level
    assert bool(finding.remedy) == (level != OK)
