"""Ports for queue managers that are made for a while."""

import socket
from pathlib import Path

import pytest

from kew.perf import ports


def test_a_port_is_free_and_of_no_connection() -> None:
    port = ports.free_port()
    first, last = [int(word) for word in ports._RANGE.read_text().split()]
    assert not first <= port <= last or first <= ports._LOWEST
    assert port >= ports._LOWEST


def test_a_port_that_somebody_has_is_not_free() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        assert not ports._is_free(taken.getsockname()[1])


def test_where_the_system_does_not_say_it_is_asked_for_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ports, "_RANGE", tmp_path / "none")
    assert ports.free_port() > 0
