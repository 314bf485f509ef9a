"""`kew units` and `kew resolve` find units of work in doubt, in a queue manager that runs or is stopped."""

import json
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from kew.cli import main
from kew.codes.options import MQOO_INPUT_SHARED, MQOO_OUTPUT, MQPMO_SYNCPOINT
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.transactions import units
from kew.qmgr import manager
from kew.qmgr.config import Configuration, LogConfiguration
from kew.storage.xid import CHANNEL_BATCH, pack

NAME = "UNITS.QM"
SHORT = b"abc"
LONG = b"x" * 134  # as long as a branch's name can be


@pytest.fixture
def in_doubt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stopped queue manager with two units of work in doubt."""
    monkeypatch.setenv("KEW_DATA", str(tmp_path))
    manager.create(NAME, Configuration(log=LogConfiguration(file_pages=64)))
    with manager.start(NAME) as running:
        running.host.administration.define("QLOCAL", "Q", {})
        for xid in (SHORT, LONG):
            connection = running.connect()
            connection.start_branch(xid)
            queue = connection.open("Q", MQOO_OUTPUT)
            connection.put(queue, MessageDescriptor(persistence=1), xid, MQPMO_SYNCPOINT)
            connection.end_branch()
            connection.prepare(xid)
            connection.disconnect()


def kew(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


@pytest.mark.usefixtures("in_doubt")
def test_of_a_stopped_queue_manager() -> None:
    rows = json.loads(kew("units", NAME, "--json").stdout)
    assert [row["xid"] for row in rows] == [SHORT.hex(), LONG.hex()]
    assert kew("resolve", NAME, SHORT.hex(), "--commit").stdout == f"Unit of work {SHORT.hex()} committed.\n"
    again = kew("resolve", NAME, SHORT.hex(), "--commit")
    assert again.exit_code == 1
    assert f"No unit of work {SHORT.hex()} is in doubt; kew units {NAME} lists those that are." in again.stderr
    assert kew("resolve", NAME, LONG.hex(), "--backout").exit_code == 0
    assert kew("units", NAME).stdout == "No unit of work is in doubt.\n"
    with manager.start(NAME) as running:
        connection = running.connect()
        queue = connection.open("Q", MQOO_INPUT_SHARED)
        assert connection.get(queue).data == SHORT
        assert running.host.queues.by_name["Q"].depth == 0


@pytest.mark.usefixtures("in_doubt")
def test_of_one_that_runs() -> None:
    with manager.start(NAME) as running:
        assert f"XID({LONG.hex()})" in kew("units", NAME).stdout
        assert kew("resolve", NAME, LONG.hex(), "--commit").exit_code == 0
        assert [row["xid"] for row in json.loads(kew("units", NAME, "--json").stdout)] == [SHORT.hex()]
        connection = running.connect()
        queue = connection.open("Q", MQOO_INPUT_SHARED)
        assert connection.get(queue).data == LONG


def test_a_channels_unit_is_listed_with_its_owner_and_left_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KEW_DATA", str(tmp_path))
    manager.create(NAME, Configuration(log=LogConfiguration(file_pages=64)))
    batch = pack(CHANNEL_BATCH, b"key", b"batch")
    with manager.start(NAME) as running:
        running.host.administration.define("QLOCAL", "Q", {})
        connection = running.connect()
        queue = connection.open("Q", MQOO_OUTPUT)
        connection.put(queue, MessageDescriptor(persistence=1), b"moved", MQPMO_SYNCPOINT)
        running.host.engine.run(partial(units.prepare_own, connection.connection, batch))
    assert [row["owner"] for row in json.loads(kew("units", NAME, "--json").stdout)] == ["a message channel"]
    assert "OWNER(a message channel)" in kew("units", NAME).stdout
    refused = kew("resolve", NAME, batch.hex(), "--commit")
    assert refused.exit_code == 1
    assert "is of a message channel: RESOLVE CHANNEL decides it" in refused.stderr
    assert len(json.loads(kew("units", NAME, "--json").stdout)) == 1
