"""The error log: MQ's form, rotation, limits, and a disk that refuses."""

import errno
import time
from collections.abc import Iterator

import pytest
from tests.support.clock import FakeClock
from tests.support.network import eventually
from tests.support.simdisk import SimDisk

from kew.codes.messages import Notices
from kew.qmgr.config import ErrorLogConfiguration
from kew.qmgr.errorlog import (
    ALIKE_SECONDS,
    MAX_INSERT,
    MAX_PENDING,
    MOST_ALIKE,
    ErrorLog,
    Identity,
    format_entry,
    this_process,
)
from kew.storage.clock import SystemClock
from kew.version import VERSION

IDENTITY = Identity("PERF0", "mqperf", "amqzmuc0", "server1.hursley.ibm.com", "Installation1", "9.4.0.10")
FIRST, SECOND, THIRD = "/qm/errors/AMQERR01.LOG", "/qm/errors/AMQERR02.LOG", "/qm/errors/AMQERR03.LOG"

# The entry that the performance report prints, save that the last line names a package of ours.
REPORT = """\
25/02/25 14:32:14 - Process(19858088.4) User(mqperf) Program(amqzmuc0)
                   Host(server1.hursley.ibm.com) Installation(Installation1)
                   VRMF(9.4.0.10) QMgr(PERF0)
                   Time(2025-02-25T14:32:14.804Z)
                   ArithInsert1(4096)
                   CommentInsert1(W)
                   CommentInsert2(7000)
                   CommentInsert3(10465)

AMQ6729W: Log I/O operation (W) exceeded threshold (7000 microseconds).

EXPLANATION:
A Read (R) or Write (W) of 4096 bytes took longer than expected to complete. This might indicate a problem with your \
O/S or storage system. If this occurs frequently, queue manager performance is likely to be severely impacted.
ACTION:
Investigate cause of long I/O times in your storage provision. If these delays are expected in your environment, the \
warning threshold can be increased by modifying the AMQ_IODELAY environment variable.
----- storage/log : 6729 -----
"""


@pytest.fixture(autouse=True)
def _utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.fixture
def disk() -> SimDisk:
    return SimDisk()


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


def error_log(disk: SimDisk, clock: FakeClock, said: list[str] | None = None, **settings: object) -> ErrorLog:
    fallback = (said if said is not None else []).append
    return ErrorLog(disk, "/qm/errors", IDENTITY, clock, ErrorLogConfiguration(**settings), fallback)  # type: ignore[arg-type]


def text(disk: SimDisk, path: str = FIRST) -> str:
    return disk.content(path).decode()


def test_entry_is_the_one_of_the_report() -> None:
    comments = ("W", "7000", "10465")
    assert format_entry(IDENTITY, "19858088.4", 1_740_493_934.804, "AMQ6729W", (4096,), comments) == REPORT


def test_messages_are_written_in_order(disk: SimDisk, clock: FakeClock) -> None:
    log = error_log(disk, clock)
    notices: Notices = log
    notices.tell("AMQ8003I", (), ("QM1", "1"))
    clock.advance(1)
    notices.tell("AMQ8004I", (), ("QM1",))
    log.write_pending()
    written = text(disk)
    assert written.index("AMQ8003I: ") < written.index("AMQ8004I: ")
    assert "25/02/25 14:32:15 - Process(" in written
    assert written.endswith("----- qmgr : 8004 -----\n")


def test_nothing_touches_the_disk_before_write_pending(disk: SimDisk, clock: FakeClock) -> None:
    log = error_log(disk, clock)
    log.tell("AMQ8003I", (), ("QM1", "1"))
    assert disk.operations == 0
    log.write_pending()
    assert disk.operations > 0


def test_a_later_log_appends(disk: SimDisk, clock: FakeClock) -> None:
    for name in ("QM1", "QM2"):
        log = error_log(disk, clock)
        log.tell("AMQ8003I", (), (name, "1"))
        log.stop()
    assert "'QM1' started" in text(disk)
    assert "'QM2' started" in text(disk)


def test_rotation_keeps_three_files(disk: SimDisk, clock: FakeClock) -> None:
    log = error_log(disk, clock, size=32768)
    for number in range(400):
        log.tell("CSQP023I", (number, number))
        log.write_pending()
    assert sorted(disk.files) == [FIRST, SECOND, THIRD]
    for size in disk.files.values():
        assert 0 < size <= 32768
    assert "Buffer pool 399 now" in text(disk)
    numbers = [
        int(line.split()[3])
        for path in (THIRD, SECOND, FIRST)
        for line in text(disk, path).splitlines()
        if line.startswith("CSQP023I")
    ]
    assert numbers == list(range(numbers[0], 400))
    assert numbers[0] > 0


def test_excluded_messages_are_never_written(disk: SimDisk, clock: FakeClock) -> None:
    log = error_log(disk, clock, excluded=("AMQ8003",))
    log.tell("AMQ8003I", (), ("QM1", "1"))
    log.tell("AMQ8004I", (), ("QM1",))
    log.write_pending()
    assert "AMQ8003I" not in text(disk)
    assert "AMQ8004I" in text(disk)


def test_suppressed_messages_are_written_once_an_interval(disk: SimDisk, clock: FakeClock) -> None:
    log = error_log(disk, clock, suppressed=("AMQ8003",), suppress_interval=30)
    for _ in range(4):
        log.tell("AMQ8003I", (), ("QM1", "1"))
        clock.advance(10)
    log.write_pending()
    assert text(disk).count("AMQ8003I: ") == 2


def test_inserts_cannot_forge_entries_or_fill_the_log(disk: SimDisk, clock: FakeClock) -> None:
    log = error_log(disk, clock)
    log.tell("AMQ8003I", (), ("QM1\nAMQ9999E: forged\x1b[2J", "x" * 100_000))
    log.write_pending()
    written = text(disk)
    assert "CommentInsert1(QM1?AMQ9999E: forged?[2J)" in written
    assert "\nAMQ9999E" not in written
    assert "x" * MAX_INSERT in written
    assert "x" * (MAX_INSERT + 1) not in written


def test_too_many_messages_are_counted_and_admitted(disk: SimDisk, clock: FakeClock) -> None:
    log = error_log(disk, clock)
    for _ in range(MAX_PENDING + 7):
        log.tell("AMQ8004I", (), ("QM1",))
    log.write_pending()
    assert log.lost == 7
    assert text(disk).count("AMQ8004I: ") == MAX_PENDING
    assert "CSQY903W: 7 messages were not written" in text(disk)
    log.write_pending()
    assert text(disk).count("CSQY903W") == 1


def test_errors_are_synced_and_information_is_not(disk: SimDisk, clock: FakeClock) -> None:
    log = error_log(disk, clock)
    log.tell("AMQ8003I", (), ("QM1", "1"))
    log.write_pending()
    assert not disk.crash(keep="none").files.get(FIRST)
    log.tell("CSQJ910E", (5,), ("S0000001.LOG", "write"))
    log.write_pending()
    disk.sync_directory("/qm/errors")
    survivor = disk.crash(keep="none")
    assert "CSQJ910E" in survivor.content(FIRST).decode()


def test_errors_that_come_fast_share_a_sync(disk: SimDisk, clock: FakeClock) -> None:
    log = error_log(disk, clock)

    def kept() -> int:
        return disk.crash(keep="none").content(FIRST).decode().count("CSQJ910E: ")

    for number, moment in enumerate((10.0, 10.1, 10.9)):
        log.tell("CSQJ910E", (number,), ("S0000001.LOG", "write"))
        log.write_pending(moment)
        disk.sync_directory("/qm/errors")
        assert kept() == 1
    log.write_pending(11.0)  # as the thread does when its time has come
    assert kept() == 3
    log.tell("CSQJ910E", (3,), ("S0000001.LOG", "write"))
    log.write_pending()  # by who is about to end the process
    assert kept() == 4


@pytest.mark.parametrize("number", range(1, 12))
def test_a_disk_that_refuses_never_stops_the_caller(number: int, clock: FakeClock) -> None:
    disk = SimDisk()
    said: list[str] = []
    log = error_log(disk, clock, said, size=32768)
    log.tell("AMQ8003I", (), ("QM1", "1"))
    log.write_pending()
    disk.fail(number, errno.ENOSPC)
    for count in range(20):
        log.tell("CSQJ910E", (count,), ("S0000001.LOG", "write " + "x" * 900))
        log.write_pending()
    written = "".join(text(disk, path) for path in disk.files) + "".join(said)
    for count in range(20):
        assert f"ArithInsert1({count})" in written
    assert any(line.startswith("The error log cannot be written: ") for line in said)
    assert "ArithInsert1(19)" in text(disk)


def test_thread_writes_what_is_told(disk: SimDisk, clock: FakeClock) -> None:
    log = error_log(disk, clock)
    log.start()
    for number in range(50):
        log.tell("CSQP023I", (number, 1))
    log.stop()
    assert text(disk).count("CSQP023I: ") == 50


def test_identity_of_this_process() -> None:
    identity = this_process("QM1")
    assert identity.queue_manager == "QM1"
    assert identity.vrmf == f"{VERSION}.0"
    assert identity.user
    assert identity.host
    assert SystemClock().time() > 0


def test_what_strangers_cause_is_written_so_often_only(disk: SimDisk, clock: FakeClock) -> None:
    log = error_log(disk, clock)
    for _ in range(3):
        for number in range(10_000):
            log.tell("AMQ9519E", (), (f"C{number}", "10.0.0.1"))
            log.tell("AMQ9209E", (), ("10.0.0.1", "C"))
        log.tell("AMQ8004I", (), ("QM1",))
        clock.advance(ALIKE_SECONDS)
        log.write_pending(clock.time())
    log.write_pending()
    written = text(disk)
    for code in ("AMQ9519E", "AMQ9209E"):
        assert written.count(f"{code}: ") == 3 * MOST_ALIKE
        assert written.count(f"CSQY906W: {10_000 - MOST_ALIKE} more messages {code} were not written") == 3
    assert written.count("AMQ8004I: ") == 3
    assert log.lost == 0


def test_what_was_left_out_is_told_though_nothing_else_comes(disk: SimDisk) -> None:
    clock = FakeClock()
    log = error_log(disk, clock)
    log.start()
    for _ in range(MOST_ALIKE + 3):
        log.tell("AMQ9209E", (), ("10.0.0.1", "C"))
    clock.advance(ALIKE_SECONDS)
    try:
        assert eventually(lambda: disk.exists(FIRST) and "CSQY906W: 3 more" in text(disk))
    finally:
        log.stop()
