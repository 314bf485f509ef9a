"""One report on Spark in all ways: in a session of the command, with spark-submit, over Spark Connect.

Each starts Java, so it runs on its own: make cluster
"""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from kew.analytics.smf.generate import Generator, Profile, System
from kew.analytics.submission import source_folder

pytestmark = pytest.mark.cluster

ENVIRONMENT = {**os.environ, "PYTHONPATH": source_folder()}
KEW = [sys.executable, "-m", "kew.cli"]


def kew(*words: str) -> str:
    done = subprocess.run([*KEW, *words], capture_output=True, text=True, timeout=600, env=ENVIRONMENT)
    assert done.returncode == 0, done.stderr[-4000:]
    return done.stdout


@pytest.fixture(scope="module")
def dump(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("dumps") / "dump.dat"
    systems = [System("SYS1", "QM01", 90300), System("SYS2", "QM02", 100000, 60, "QSG1")]
    path.write_bytes(b"".join(Generator(Profile(systems, tasks=2, queues=3)).intervals(3)))
    return str(path)


@pytest.fixture(scope="module")
def expected(dump: str) -> str:
    return kew("smf", "report", "LOG", dump, "--engine", "process")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A Connect server, started by the command and ended as a user ends it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    words = [*KEW, "spark", "connect", "--master", "local[2]", "--port", str(port)]
    with open(tmp_path_factory.mktemp("connect") / "log", "w") as log:
        process = subprocess.Popen(words, env=ENVIRONMENT, stdout=log, stderr=log, start_new_session=True)
    try:
        deadline = time.monotonic() + 300
        while True:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.2)
        yield f"sc://127.0.0.1:{port}"
    finally:
        os.killpg(process.pid, signal.SIGINT)
        process.wait(60)


def test_in_a_session_of_its_own(dump: str, expected: str) -> None:
    assert kew("smf", "report", "LOG", dump, "--master", "local[2]") == expected


def test_with_spark_submit_and_kew_as_a_zip(dump: str, expected: str) -> None:
    assert kew("spark", "submit", "--master", "local[2]", "smf", "report", "LOG", dump) == expected


def test_over_spark_connect(server: str, dump: str, expected: str, tmp_path: Path) -> None:
    assert kew("smf", "report", "LOG", dump, "--remote", server) == expected
    assert kew("smf", "ingest", dump, "--to", str(tmp_path / "store"), "--remote", server)
    assert kew("smf", "report", "LOG", str(tmp_path / "store"), "--engine", "process") == expected
    assert kew("smf", "analyse", "logger", str(tmp_path / "store"), "--remote", server).startswith("system ")
