"""The look at a queue manager's files before a start: each is of a known format and version, and belongs here.

Nothing is written before all of them were looked at. A file that is missing or damaged is left to those who read it.
"""

from collections.abc import Iterable

from kew.qmgr.places import Places
from kew.storage.buffers.doublewrite import check_double_write
from kew.storage.disk import Disk
from kew.storage.log.bootstrap import read_bootstrap
from kew.storage.log.headers import check_log
from kew.storage.log.notices import NoNotices
from kew.storage.pages.pageset import check_page_set


def check_files(disk: Disk, name: str, places: Places, dual: bool, page_sets: Iterable[int]) -> None:
    """Raise `FileRefused` for the first file that is not what belongs in its place."""
    copies = [places.log.copy1, places.log.copy2] if dual else [places.log.copy1]
    check_log(disk, copies, places.log.archive, name)
    owner = read_bootstrap(disk, copies, NoNotices())[0].owner
    for number in sorted(page_sets):
        path = places.page_set(number)
        if disk.exists(path):
            file = disk.open(path)
            try:
                check_page_set(path, number, file, owner)
            finally:
                file.close()
    if disk.exists(places.double_write):
        check_double_write(disk, places.double_write, owner)
