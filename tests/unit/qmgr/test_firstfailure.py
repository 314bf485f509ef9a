"""First-failure files: who, when, where, and the state that was handed over."""

import errno
import os
from collections.abc import Sequence

from tests.support.clock import FakeClock
from tests.support.simdisk import SimDisk

from kew.qmgr.errorlog import Identity
from kew.qmgr.firstfailure import MAX_BYTES, MAX_DUMP, MAX_FILES, FirstFailures, hexadecimal_dump

IDENTITY = Identity("QM1", "mqm", "kew", "host1")


class Told:
    """Keeps what the operator was told."""

    def __init__(self) -> None:
        self.messages: list[tuple[str, tuple[int, ...], tuple[str, ...]]] = []

    def tell(self, message_id: str, arith: Sequence[int] = (), comments: Sequence[str] = ()) -> None:
        self.messages.append((message_id, tuple(arith), tuple(comments)))


def recorder() -> tuple[SimDisk, Told, FirstFailures]:
    disk = SimDisk()
    told = Told()
    return disk, told, FirstFailures(disk, "/qm/errors", IDENTITY, FakeClock(), told)


def test_file_holds_facts_stack_and_state() -> None:
    disk, told, failures = recorder()
    try:
        raise ValueError("page 7 has no header")
    except ValueError as error:
        path = failures.record(
            "KP001010", "storage.pages.read", ["page set 1", "page\n7"], {"page": b"KEW\0" * 8, "unit": "a\nb"}, error
        )
    assert path == f"/qm/errors/AMQ{os.getpid():05d}.0.FDC"
    text = disk.content(path).decode()
    assert "| Date/Time        :- 2025-02-25T14:32:14.804Z\n" in text
    assert "| Queue Manager    :- QM1\n" in text
    assert "| Probe Id         :- KP001010\n" in text
    assert "| Comment2         :- page?7\n" in text
    assert "ValueError: page 7 has no header" in text
    assert "test_file_holds_facts_stack_and_state" in text
    assert "00000010  4B455700 4B455700 4B455700 4B455700  KEW.KEW.KEW.KEW." in text
    assert text.endswith("unit\na\nb\n")
    assert told.messages == [("AMQ6184W", (), (path, "KP001010", "storage.pages.read"))]


def test_file_is_durable_when_the_operator_is_told() -> None:
    disk, _, failures = recorder()
    path = failures.record("KP001010", "test")
    assert b"KP001010" in disk.crash(keep="none").content(path)


def test_without_an_error_the_callers_stack_is_shown() -> None:
    disk, _, failures = recorder()
    text = disk.content(failures.record("KP001010", "test")).decode()
    assert "test_without_an_error_the_callers_stack_is_shown" in text


def test_files_are_numbered_and_limited() -> None:
    disk, told, failures = recorder()
    paths = [failures.record("KP001010", "test") for _ in range(MAX_FILES + 3)]
    assert len(set(paths[:MAX_FILES])) == MAX_FILES
    assert paths[MAX_FILES:] == ["", "", ""]
    assert (failures.written, failures.dropped) == (MAX_FILES, 3)
    assert len(disk.files) == MAX_FILES == len(told.messages)


def test_size_is_limited() -> None:
    disk, _, failures = recorder()
    path = failures.record("KP001010", "test", state={"text": "x" * (MAX_BYTES * 2), "bytes": bytes(MAX_DUMP * 2)})
    assert disk.files[path] < MAX_BYTES + 100
    assert disk.content(path).endswith(b"... cut here\n")
    assert hexadecimal_dump(bytes(MAX_DUMP + 5))[-1] == "... 5 more bytes"


def test_full_disk_is_told_and_survived() -> None:
    disk, told, failures = recorder()
    disk.make_directory("/qm/errors")
    disk.fail(1, errno.ENOSPC)
    assert failures.record("KP001010", "test") == ""
    ((message_id, arith, comments),) = told.messages
    assert (message_id, arith) == ("AMQ6119S", (errno.ENOSPC,))
    assert comments[0].startswith("/qm/errors")
