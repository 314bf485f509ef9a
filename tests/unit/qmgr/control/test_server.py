"""The control socket carries commands and answers, for its owner only, and bears whatever is sent to it."""

import contextlib
import os
import socket
import stat
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.descriptors import no_descriptors

from kew.commands.actions.script import Counts
from kew.qmgr import manager
from kew.qmgr.config import Configuration, LogConfiguration
from kew.qmgr.control.client import ControlClient, NotRunning
from kew.qmgr.control.frames import CONTROL_SOCKET, LARGEST
from kew.qmgr.control.server import MOST_CLIENTS
from kew.qmgr.manager import QueueManager
from kew.storage.directories import directory_of

SMALL = Configuration(log=LogConfiguration(file_pages=64))


@pytest.fixture
def root(tmp_path: Path) -> str:
    data = tmp_path / ("long" * 30)  # more than a socket's name can hold
    manager.create("QM1", SMALL, str(data))
    return directory_of(str(data), "QM1")


@pytest.fixture
def running(root: str) -> Iterator[QueueManager]:
    with manager.start("QM1", str(Path(root).parents[1])) as started:
        yield started


def answers(control: ControlClient, script: str, as_json: bool = False) -> tuple[list[str], Counts]:
    counts = Counts()
    return [line for lines in control.run(script, counts, as_json) for line in lines], counts


def ping(root: str) -> bool:
    with ControlClient(root) as control:
        return answers(control, "PING QMGR")[1].failed == 0


def raw(root: str) -> socket.socket:
    directory = os.open(root, os.O_RDONLY)
    control = socket.socket(socket.AF_UNIX)
    control.settimeout(60)
    control.connect(f"/proc/self/fd/{directory}/{CONTROL_SOCKET}")
    os.close(directory)
    return control


def test_commands_and_names_go_in_and_answers_come_out(running: QueueManager, root: str) -> None:
    control = ControlClient(root)
    lines, counts = answers(control, "DEFINE QLOCAL(A)\nDEFINE QLOCAL(A)\nRUBBISH\nEND\nDEFINE QLOCAL(B)")
    assert lines[:2] == ["AMQ8006I: Kew queue created.", "AMQ8150E: Kew object A already exists."]
    assert (counts.read, counts.failed, counts.syntax_errors, counts.ended) == (3, 1, 1, True)
    assert control.names("QUEUE", "A") == ["A"]
    assert answers(control, "DISPLAY QLOCAL(A) MAXDEPTH", as_json=True)[0][0].endswith('"MAXDEPTH": 5000}]}')
    control.close()


def test_only_the_owner_may_use_it(running: QueueManager, root: str) -> None:
    mode = os.stat(os.path.join(root, CONTROL_SOCKET)).st_mode
    assert stat.S_ISSOCK(mode)
    assert stat.S_IMODE(mode) == 0o600


@pytest.mark.parametrize(
    "sent",
    [
        b"GET / HTTP/1.1\r\n\r\n",
        struct.pack(">I", LARGEST + 1),
        struct.pack(">I", 3) + b"{]}",
        struct.pack(">I", 2) + b"[]",
        struct.pack(">I", 20000) + b"[" * 20000,
        struct.pack(">I", 100) + b"cut short",
    ],
)
def test_what_is_no_request_ends_the_visit_and_nothing_else(running: QueueManager, root: str, sent: bytes) -> None:
    control = raw(root)
    control.sendall(sent)
    control.shutdown(socket.SHUT_WR)
    with contextlib.suppress(ConnectionResetError):  # what was sent and not read
        assert control.recv(100) == b""
    control.close()
    assert ping(root)


def test_a_request_that_asks_for_nothing_is_told_so(running: QueueManager, root: str) -> None:
    control = raw(root)
    control.sendall(struct.pack(">I", 2) + b"{}")
    assert b"error" in control.recv(1000)
    control.close()


def test_visitors_are_limited(running: QueueManager, root: str) -> None:
    inside = [ControlClient(root) for _ in range(MOST_CLIENTS)]
    for control in inside:
        answers(control, "PING QMGR")
    with pytest.raises(NotRunning):
        ping(root)
    for control in inside:
        control.close()


def test_it_opens_again_when_there_are_descriptors_again(running: QueueManager, root: str) -> None:
    nothing = struct.pack(">I", 2) + b"{}"
    directory = os.open(root, os.O_RDONLY)
    first, second = socket.socket(socket.AF_UNIX), socket.socket(socket.AF_UNIX)
    with first, second:
        with no_descriptors():
            for control in (first, second):  # the system may have kept a descriptor for the first
                control.connect(f"/proc/self/fd/{directory}/{CONTROL_SOCKET}")
                control.sendall(nothing)
            second.settimeout(0.2)
            with pytest.raises(TimeoutError):
                second.recv(1000)
        second.settimeout(60)
        assert b"error" in second.recv(1000)  # answered, only late
    os.close(directory)
    assert ping(root)


def test_nobody_opens_when_it_does_not_run(root: str) -> None:
    with pytest.raises(NotRunning):
        ControlClient(root)
    data = str(Path(root).parents[1])
    with manager.start("QM1", data):
        control = ControlClient(root)
        assert answers(control, "PING QMGR")[1].read == 1
    with pytest.raises(NotRunning):
        answers(control, "PING QMGR")
    control.close()
    assert not os.path.exists(os.path.join(root, CONTROL_SOCKET))


def test_a_leftover_of_a_crash_is_no_hindrance(root: str) -> None:
    left = socket.socket(socket.AF_UNIX)
    directory = os.open(root, os.O_RDONLY)
    left.bind(f"/proc/self/fd/{directory}/{CONTROL_SOCKET}")
    left.close()
    os.close(directory)
    with manager.start("QM1", str(Path(root).parents[1])):
        assert ping(root)
