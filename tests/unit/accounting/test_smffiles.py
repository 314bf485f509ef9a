"""Where records go: files that end and begin, what is kept of them, and what is lost when they cannot be written."""

import gzip
import os
import threading
import time
from pathlib import Path

import pytest
from tests.support.hosting import Notes

from kew.accounting.smffiles import Ring, SmfFiles, SmfSettings, system_id
from kew.codes.options import MQOO_INPUT_SHARED, MQOO_OUTPUT, MQPMO_SYNCPOINT
from kew.commands.actions.script import Script
from kew.formats.mqmd import MessageDescriptor
from kew.formats.smf import Splitter, Stamp, build_records, detect
from kew.qmgr import manager
from kew.qmgr.config import Configuration, SMFConfiguration
from kew.storage.disk import DiskError, File, RealDisk


def record(subtype: int = 216, kind: int = 115) -> bytes:
    stamp = Stamp("TEST", "QM1", 90300, 1_700_000_000_000_000, 1_700_000_060_000_000)
    if kind == 116:
        return build_records(116, 1, stamp, {"WTID": [{}], "WTAS": [{}]})[0]
    return build_records(115, subtype, stamp, {"QQST": [{"QQSTQNAM": "Q", "QQSTDPTH": 1}]})[0]


def kinds(path: Path) -> list[int]:
    """Give the types of the records of a file."""
    data = path.read_bytes()
    if path.suffix == ".gz":
        data = gzip.decompress(data)
    batch = Splitter(detect(data)).feed(data, True)
    assert not batch.damage
    return [batch.record(place)[5] for place in range(len(batch.starts))]


def test_files_begin_and_end_with_markers_and_the_oldest_go(tmp_path: Path) -> None:
    files = SmfFiles(RealDisk(), str(tmp_path / "smf"), SmfSettings(file_size=1000, files=2), Notes())
    for _ in range(30):
        files.offer([record()])
        files.write_pending()
    files.stop()
    names = sorted(os.listdir(tmp_path / "smf"))
    assert len(names) == 2
    for name in names:
        found = kinds(tmp_path / "smf" / name)
        assert (found[0], found[-1]) == (2, 3)
        assert set(found[1:-1]) == {115}
    assert files.written == 30


@pytest.mark.parametrize("compress", [False, True])
def test_types_can_be_kept_apart_and_compressed(tmp_path: Path, compress: bool) -> None:
    files = SmfFiles(RealDisk(), str(tmp_path), SmfSettings(separate=True, compress=compress), Notes())
    files.offer([record(), record(kind=116), record()])
    files.write_pending()
    files.offer([record()])
    files.stop()
    ending = ".smf.gz" if compress else ".smf"
    assert sorted(os.listdir(tmp_path)) == [f"SMF115.00001{ending}", f"SMF116.00001{ending}"]
    assert kinds(tmp_path / f"SMF115.00001{ending}") == [2, 115, 115, 115, 3]
    assert kinds(tmp_path / f"SMF116.00001{ending}") == [2, 116, 3]


def test_another_run_begins_another_file(tmp_path: Path) -> None:
    for _ in range(2):
        files = SmfFiles(RealDisk(), str(tmp_path), SmfSettings(), Notes())
        files.offer([record()])
        files.stop()
    assert sorted(os.listdir(tmp_path)) == ["SMF00001.smf", "SMF00002.smf"]


def test_what_does_not_fit_is_lost_and_told(tmp_path: Path) -> None:
    notes = Notes()
    files = SmfFiles(RealDisk(), str(tmp_path), SmfSettings(backlog=2 * len(record())), notes)
    files.offer([record() for _ in range(5)])
    files.stop()
    assert files.lost == 3
    assert notes.about("CSQW133E") == [((3,), (f"SMF in {tmp_path}",))]
    assert kinds(tmp_path / "SMF00001.smf") == [2, 115, 115, 3]


class FullDisk(RealDisk):
    """A disk without room."""

    def open(self, path: str, create: bool = False) -> File:
        raise DiskError(path, "open", 28)


def test_a_full_disk_loses_records_and_nothing_else(tmp_path: Path) -> None:
    notes = Notes()
    files = SmfFiles(FullDisk(), str(tmp_path), SmfSettings(), notes)
    files.start()
    files.offer([record(), record()])
    files.stop()
    assert files.lost == 2
    assert notes.about("CSQW133E") == [((2,), (f"SMF in {tmp_path}",))]


class StuckDisk(RealDisk):
    """A disk that answers when the test lets it."""

    def __init__(self) -> None:
        self.asked = threading.Event()
        self.answers = threading.Event()

    def open(self, path: str, create: bool = False) -> File:
        self.asked.set()
        assert self.answers.wait(60)
        return super().open(path, create)


def test_a_disk_that_does_not_answer_costs_records_and_no_message(tmp_path: Path) -> None:
    smf = SMFConfiguration(level="9.4.0", backlog=64 << 10)
    manager.create("QM1", Configuration(smf=smf), str(tmp_path))
    with manager.start("QM1", str(tmp_path)) as host:
        recorder = host.host.recorder
        files = recorder.files
        disk = StuckDisk()
        files.disk = disk
        list(Script(host.host.commands).run(["START TRACE(STAT) CLASS(1)\n", "DEFINE QLOCAL(Q1)\n"]))
        try:
            recorder.cut()
            assert disk.asked.wait(60)
            connection = host.connect("worker")
            queue = connection.open("Q1", MQOO_OUTPUT | MQOO_INPUT_SHARED)
            rounds = 0
            while not files.lost:  # the writer waits all the while, and nobody else does
                connection.put(queue, MessageDescriptor(persistence=1), b"x", MQPMO_SYNCPOINT)
                connection.commit()
                assert connection.get(queue).data == b"x"
                recorder.cut()
                rounds += 1
            connection.disconnect()
            assert not disk.answers.is_set()
            log = Path(host.places.errors) / "AMQERR01.LOG"
            deadline = time.monotonic() + 60
            while "CSQW133E" not in log.read_text():  # told by a thread, while the disk is still stuck
                assert time.monotonic() < deadline
                time.sleep(0.01)
        finally:
            disk.answers.set()
    kept = [kind for path in Path(host.places.smf).iterdir() for kind in kinds(path)]
    assert 1 < kept.count(115) < 4 * (rounds + 2)


def test_the_ring_keeps_the_newest() -> None:
    ring = Ring(10)
    for letter in (b"aaaa", b"bbbb", b"cccc"):
        ring.add(letter)
    assert ring.since(0) == (3, [b"bbbb", b"cccc"])
    assert ring.since(2) == (3, [b"cccc"])
    assert ring.since(3) == (3, [])


def test_a_system_has_four_characters() -> None:
    assert system_id("my-host") == "MYHO"
    assert system_id("..") == "KEW"
    assert 1 <= len(system_id()) <= 4
