"""The checks notice what they are there for: without syncs, the crash tests fail."""

import pytest
from tests.support.logs import LogLedger, new_disk
from tests.support.simdisk import SimDisk, SimFile

from kew.storage.disk import File
from kew.storage.log import LogError, LogSettings

SMALL = LogSettings(file_pages=64, primary=2, secondary=2, buffer_pages=18)


class _Unsynced(SimFile):
    def sync(self) -> None:
        pass


class ForgetfulDisk(SimDisk):
    """A disk that says it synced the files whose names end so, and did not."""

    ending = ""

    def open(self, path: str, create: bool = False) -> File:
        file = super().open(path, create)
        if path.endswith(self.ending):
            return _Unsynced(self, file.path, self._names[file.path])
        return file


@pytest.mark.parametrize("ending", [".LOG", "BOOTSTRAP"])
def test_a_sync_left_out_is_noticed(ending: str) -> None:
    disk = new_disk(SMALL)
    forgetful = ForgetfulDisk()
    forgetful.ending = ending
    forgetful.adopt(disk)
    ledger = LogLedger(forgetful, SMALL)
    ledger.open()
    for _ in range(4):
        ledger.append(90_000)
        ledger.force()
    with pytest.raises((AssertionError, LogError)):
        ledger.after(forgetful.crash(keep="none"))
