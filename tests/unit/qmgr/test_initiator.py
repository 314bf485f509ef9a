"""The channel initiator starts with its queue manager unless it is told not to, and tells what storage it uses."""

from pathlib import Path

import pytest

from kew.codes.attributes import MQSVC_CONTROL_MANUAL
from kew.commands.actions.script import Script
from kew.qmgr import initiator, manager
from kew.qmgr.config import ChannelsConfiguration, Configuration, LogConfiguration, TCPConfiguration
from kew.qmgr.existing import exists
from kew.qmgr.manager import QueueManager

NAME = "QM1"


def started(tmp_path: Path) -> QueueManager:
    if not exists(NAME, str(tmp_path)):
        manager.create(NAME, Configuration(log=LogConfiguration(file_pages=64)), str(tmp_path))
    return manager.start(NAME, str(tmp_path))


def error_log(tmp_path: Path) -> str:
    return (tmp_path / "qmgrs" / NAME / "errors" / "AMQERR01.LOG").read_text()


def test_it_starts_with_the_queue_manager_and_tells_its_storage(tmp_path: Path) -> None:
    with started(tmp_path) as running:
        assert running.initiator is not None
        assert running.initiator.running
    told = error_log(tmp_path)
    assert "AMQ5022I: The channel initiator has started." in told
    assert "CSQX004I: Channel initiator is using" in told


def test_by_hand_it_waits_for_the_command_or_for_a_port(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with started(tmp_path) as running:
        own = running.host.objects.find("QMGR", NAME)
        assert own is not None
        running.host.objects.change(own, {"SCHINIT": MQSVC_CONTROL_MANUAL})
    with started(tmp_path) as running:
        assert running.initiator is not None
        running.listen()
        assert not running.initiator.running
        asked: list[int] = []
        assert running.network is not None
        monkeypatch.setattr(running.network, "listen", lambda _name, _address, port: asked.append(port))
        running.listen(4711)
        assert running.initiator.running
        assert asked == [4711]


def test_storage_is_told_again_when_it_has_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with started(tmp_path) as running:
        assert running.initiator is not None
        figures = [(100, 900)]
        monkeypatch.setattr(initiator, "storage", lambda: figures[-1])
        running.initiator.stop()
        running.initiator.open()
        for used in (119, 121, 122):
            figures.append((used, 1000 - used))
            running.initiator.look()
    told = [line.split(" is using ")[1].split()[0] for line in error_log(tmp_path).splitlines() if "is using" in line]
    assert told[1:] == ["100", "121"]


def test_the_queue_manager_shows_the_limits_of_its_file(tmp_path: Path) -> None:
    channels, tcp = ChannelsConfiguration(max_channels=5000, max_active_channels=70), TCPConfiguration(keep_alive=True)
    log = LogConfiguration(file_pages=64)
    manager.create(NAME, Configuration(log=log, channels=channels, tcp=tcp), str(tmp_path))
    with started(tmp_path) as running:
        script = Script(running.host.commands)
        said = "".join([line for batch in script.run(["DISPLAY QMGR CHINIT"]) for line in batch])
    for shown in ("MAXCHL(5000)", "ACTCHL(70)", "TCPCHL(5000)", "TCPKEEP(YES)", "CHIDISPS(1)"):
        assert shown in said
