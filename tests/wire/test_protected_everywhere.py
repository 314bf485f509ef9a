"""What is protected stays so wherever it is kept or goes: log, page sets, backup, dumps, message channels, streams."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.network import eventually
from tests.support.partners import CHANNEL, REMOTE, TARGET, Partner, partners
from tests.support.protection import dn, person, write_keystore

from kew.codes.errors import MQError
from kew.codes.options import MQOO_INPUT_SHARED, MQOO_OUTPUT, MQPER_PERSISTENT, MQPMO_SYNCPOINT
from kew.codes.reasons import MQRC_SECURITY_ERROR
from kew.formats.mqmd import MessageDescriptor
from kew.qmgr import backup, manager
from kew.qmgr.config import Configuration, LogConfiguration

WORD = b"plaintext-that-must-not-be-found-anywhere"
ERRORS = "SYSTEM.PROTECTION.ERROR.QUEUE"


def become(folder: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    everybody = [person(each) for each in ("alice", "bob", "carol")]
    monkeypatch.setenv("MQS_KEYSTORE_CONF", str(write_keystore(folder / name, person(name), *everybody)))


def hits(*folders: Path) -> int:
    """How many files below some folders have the plaintext."""
    files = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    assert files
    return sum([WORD in path.read_bytes() for path in files])


@pytest.mark.parametrize(
    ("policy", "found"),
    [
        (f"SIGNALG(SHA256) ENCALG(AES256) RECIP('{dn('bob')}')", False),
        (f"ENCALG(AES256) RECIP('{dn('bob')}') KEYREUSE(UNLIMITED)", False),
        ("SIGNALG(SHA256)", True),  # so that the search is known to find what is there
    ],
    ids=["privacy", "confidentiality", "integrity"],
)
def test_neither_log_nor_page_sets_nor_backups_have_the_plaintext(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, policy: str, found: bool
) -> None:
    data, copies = tmp_path / "data", tmp_path / "backup"
    manager.create("QM1", Configuration(log=LogConfiguration(file_pages=1024)), str(data))
    monkeypatch.setenv("KEW_DATA", str(data))
    become(tmp_path / "people", "alice", monkeypatch)
    with manager.start("QM1", str(data)) as running:
        running.mqsc("DEFINE QLOCAL(COPY)", "DEFINE QLOCAL(Q1) STREAMQ(COPY)", f"SET POLICY(Q1) {policy}")
        connection = running.connect("tests")
        handle = connection.open("Q1", MQOO_OUTPUT)
        for size in (0, 3000, 200_000):
            descriptor = MessageDescriptor(persistence=MQPER_PERSISTENT)
            connection.put(handle, descriptor, WORD + bytes(size) + WORD, MQPMO_SYNCPOINT)
        connection.commit()
        connection.disconnect()
        become(tmp_path / "people", "carol", monkeypatch)
        if not found:  # one is set aside, and is on the error queue as it was stored
            carol = running.connect("carol")
            with pytest.raises(MQError) as error:
                carol.get(carol.open("Q1", MQOO_INPUT_SHARED))
            assert error.value.reason == MQRC_SECURITY_ERROR
            assert running.host.queues.by_name[ERRORS].depth == 1
            carol.disconnect()
    backup.back_up("QM1", str(copies))
    assert (hits(data) > 0) == found
    assert (hits(copies) > 0) == found


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[tuple[Partner, Partner]]:
    with partners(tmp_path / "qm") as both:
        yield both


def test_over_a_message_channel(pair: tuple[Partner, Partner], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the policy of the remote queue's definition to that of the queue at the other end."""
    one, two = pair
    secret = f"ENCALG(AES256) RECIP('{dn('bob')}') KEYREUSE(32)"
    one.mqsc(f"SET POLICY({REMOTE}) {secret}")
    two.mqsc(f"SET POLICY({TARGET}) {secret}")
    become(tmp_path / "people", "alice", monkeypatch)
    one.put(REMOTE, WORD, WORD + b"2", format=b"MQSTR   ")
    one.mqsc(f"START CHANNEL({CHANNEL})")
    assert eventually(lambda: two.depth(TARGET) == 2)
    become(tmp_path / "people", "bob", monkeypatch)
    got = two.get(TARGET)
    assert (got.data, got.descriptor.format) == (WORD, b"MQSTR   ")
    assert two.get(TARGET).data == WORD + b"2"
    assert hits(tmp_path / "qm") == 0


def test_policies_that_differ_at_both_ends(
    pair: tuple[Partner, Partner], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = pair
    become(tmp_path / "people", "alice", monkeypatch)
    one.mqsc(f"SET POLICY({REMOTE}) SIGNALG(SHA256)")
    two.mqsc(f"SET POLICY({TARGET}) ENCALG(AES256) RECIP('{dn('bob')}')")
    one.put(REMOTE, b"signed", format=b"MQSTR   ")
    one.mqsc(f"START CHANNEL({CHANNEL})")
    assert eventually(lambda: two.depth(TARGET) == 1)
    become(tmp_path / "people", "bob", monkeypatch)
    with pytest.raises(MQError) as error:
        two.get(TARGET)
    assert error.value.reason == MQRC_SECURITY_ERROR
    assert "INTEGRITY" in str(error.value)
    assert "CONFIDENTIALITY" in str(error.value)
    assert (two.depth(TARGET), two.depth(ERRORS)) == (0, 1)
    one.mqsc(f"DELETE POLICY({REMOTE})")
    one.put(REMOTE, b"plain")  # arrives without protection, and is refused by who gets it
    assert eventually(lambda: two.depth(TARGET) == 1)
    with pytest.raises(MQError):
        two.get(TARGET)
    assert (two.depth(TARGET), two.depth(ERRORS)) == (0, 2)
