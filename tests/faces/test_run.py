"""Unchanged programs: `python -m kew.run`."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.support.network import Reachable
from tests.support.programs import Site

from kew import ibmmq, run

ROOT = Path(__file__).parents[2]


def ran(place: Reachable, *arguments: str, folder: Path = ROOT) -> subprocess.CompletedProcess[str]:
    paths = os.pathsep.join([str(ROOT / "src"), os.environ.get("PYTHONPATH", "")])
    return subprocess.run(
        [sys.executable, "-m", "kew.run", *arguments],
        capture_output=True,
        text=True,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": paths, "KEW_DATA": place.data},
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("way", ["network", "machine"])
def test_a_program_for_ibmmq(place: Reachable, way: str) -> None:
    address = [place.address] if way == "network" else []
    result = ran(place, "examples/request_reply.py", "QM1", *address)
    assert result.stderr == ""
    assert result.stdout.splitlines() == [
        "IS ANYBODY THERE?",
        "MQI Error. Comp 2, Reason 2033: FAILED: MQRC_NO_MSG_AVAILABLE",
    ]


@pytest.mark.parametrize("way", ["network", "machine"])
def test_a_program_that_publishes(place: Reachable, way: str) -> None:
    address = [place.address] if way == "network" else []
    result = ran(place, "examples/publish_subscribe.py", "QM1", *address)
    assert result.stderr == ""
    assert result.stdout.splitlines() == [
        "heard apple 1.20",
        "heard pear 1.70",
        "heard apple 1.30",
        "retained apple 1.30",
    ]
    for topic in ("apple", "pear"):
        place.mqsc(f"CLEAR TOPICSTR('dev/price/fruit/{topic}') CLRTYPE(RETAINED)")


def test_a_program_that_distributes(place: Reachable) -> None:
    site = Site(place, ibmmq, "shared")
    other = site.queue("DEV.QUEUE.2")
    other.put(b"of somebody else")
    result = ran(place, "examples/distribute.py", "QM1", place.address)
    assert other.get() == b"of somebody else"
    site.end()
    assert result.stderr == ""
    assert result.stdout.splitlines() == [
        "DEV.QUEUE.1 has it",
        "DEV.QUEUE.2 has it",
        "NO.SUCH.QUEUE has not: 2085",
        "got to all of you",
        "got to all of you",
    ]


def test_a_program_for_pymqi(place: Reachable) -> None:
    site = Site(place, ibmmq, "shared")
    queue = site.queue("DEV.QUEUE.3")
    queue.put(b"one")
    queue.put(b"two")
    result = ran(place, "examples/browse.py", "QM1", "DEV.QUEUE.3", place.address)
    assert result.stderr == ""
    assert [line.rpartition(": ")[2] for line in result.stdout.splitlines()] == ["b'one'", "b'two'"]
    assert [queue.get(), queue.get()] == [b"one", b"two"]
    site.end()


def test_a_module_and_its_arguments(place: Reachable, tmp_path: Path) -> None:
    package = tmp_path / "mine"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "tool.py").write_text(
        "import sys, ibmmq, pymqi.CMQC\n"
        "from ibmmq.CMQCFC import MQCMD_INQUIRE_Q\n"
        "print(sys.argv[1:], MQCMD_INQUIRE_Q, ibmmq.__version__, pymqi.__version__, __name__)\n"
        "sys.exit(3)\n"
    )
    result = ran(place, "-m", "mine.tool", "-x", "y", folder=tmp_path)
    assert result.stdout == "['-x', 'y'] 13 2.1.2 1.12.11 __main__\n"
    assert result.returncode == 3


def test_programs_that_are_not_there(place: Reachable) -> None:
    result = ran(place, "nothing.py")
    assert result.returncode == 2
    assert "there is no file nothing.py" in result.stderr
    assert ran(place).returncode == 2


def test_the_names_mean_the_same_modules() -> None:
    before = sys.meta_path[:]
    loaded = set(sys.modules)
    try:
        run.install()
        run.install()
        assert len(sys.meta_path) == len(before) + 1
        module = __import__("ibmmq.CMQC").CMQC
        assert module is ibmmq.CMQC
        assert module.__spec__ is not None
        assert module.__spec__.name == "kew.ibmmq.CMQC"
        with pytest.raises(ModuleNotFoundError, match=r"No module named 'ibmmq\.nothing'"):
            __import__("ibmmq.nothing")
    finally:
        sys.meta_path[:] = before
        for name in set(sys.modules) - loaded:
            del sys.modules[name]
