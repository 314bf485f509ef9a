"""`kew tls dev`: what it makes, what it keeps, and that a client comes in by it."""

import stat
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from kew import client
from kew.cli import main
from kew.client.tls import client_context
from kew.qmgr import manager
from kew.qmgr.config import Configuration, LogConfiguration

CHANNEL = "DEV.APP.SVRCONN"
FILES = {"authority.pem", "key.pem", "key.ca.pem", "client-app.pem"}


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KEW_DATA", str(tmp_path))
    manager.create("QM1", Configuration(log=LogConfiguration(file_pages=64)), str(tmp_path))
    return tmp_path


def tls(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["tls", *arguments])


def test_one_command_and_a_client_comes_in(data: Path) -> None:
    with manager.start("QM1", str(data), developer=True) as running:
        assert running.network is not None
        port = running.network.listen("TEST", "127.0.0.1", 0)
        done = tls("dev", "QM1", "--channel", CHANNEL, "--mutual")
        assert done.exit_code == 0, done.output
        assert "AMQ8016I" in done.output
        mine = client_context("ANY_TLS13", str(data / "qmgrs" / "QM1" / "ssl" / "client-app"))
        with client.connect("QM1", f"127.0.0.1({port})", CHANNEL, "app", "password", tls=mine) as connection:
            connection.put1("DEV.QUEUE.1", b"in secret")
        refused = tls("dev", "QM1", "--channel", "NO.SUCH")
        assert refused.exit_code == 1
        assert "AMQ8147E" in refused.output


def test_files_are_private_and_are_kept(data: Path) -> None:
    done = tls("dev", "QM1")
    assert done.exit_code == 0
    assert "kew start QM1" in done.output
    folder = data / "qmgrs" / "QM1" / "ssl"
    assert {path.name for path in folder.iterdir()} == FILES
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}
    before = {path.name: path.read_text() for path in folder.iterdir()}
    assert tls("dev", "QM1", "--client", "other").exit_code == 0
    assert {name: (folder / name).read_text() for name in FILES} == before
    assert (folder / "client-other.pem").exists()
    assert tls("dev", "QM1", "--replace").exit_code == 0
    assert (folder / "key.pem").read_text() != before["key.pem"]


def test_keys_from_elsewhere_are_not_overwritten(data: Path) -> None:
    folder = data / "qmgrs" / "QM1" / "ssl"
    folder.mkdir()
    (folder / "key.pem").write_text("mine")
    refused = tls("dev", "QM1")
    assert refused.exit_code == 1
    assert "--replace" in refused.output
    assert (folder / "key.pem").read_text() == "mine"
    (folder / "authority.pem").write_text("rubbish")
    assert "--replace makes a new one" in tls("dev", "QM1").output


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["QM1", "--client", "../../etc"], "a client's name"),
        (["QM1", "--mutual"], "--mutual goes with --channel"),
        (["QM1", "--channel", "X'Y"], "not a valid name of a channel"),
        (["QM1", "--channel", CHANNEL], "does not run"),
        (["QM1", "--days", "0"], "--days"),
        (["NO.SUCH"], "AMQ8118E"),
    ],
)
def test_what_does_not_fit(data: Path, arguments: list[str], said: str) -> None:
    refused = tls("dev", *arguments)
    assert refused.exit_code != 0
    assert said in refused.output


@pytest.mark.parametrize("host", ["", "a b", "b\u00fccher.example", "a..b", "x" * 64])
def test_what_is_no_host_is_refused_before_anything_is_made(data: Path, host: str) -> None:
    refused = tls("dev", "QM1", "--replace", "--host", host)
    assert refused.exit_code == 2
    assert "neither a valid name of a host" in refused.output
    assert not (data / "qmgrs" / "QM1" / "ssl").exists()


def test_hosts_are_for_keys_that_are_made(data: Path) -> None:
    assert tls("dev", "QM1", "--host", "*.example.com", "--host", "192.0.2.1").exit_code == 0
    late = tls("dev", "QM1", "--host", "other.example.com")
    assert late.exit_code == 1
    assert "--replace" in late.output
    assert tls("dev", "QM1", "--replace", "--host", "other.example.com").exit_code == 0
