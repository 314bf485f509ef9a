"""The look at a queue manager's files before a start: each is of a known format and version, and belongs here.

Nothing is written before all of them were looked at. A file that is missing or damaged is left to those who read it.
"""

import posixpath
from collections.abc import Iterable

from kew.qmgr.config import load_configuration
from kew.qmgr.places import Places
from kew.storage.buffers.doublewrite import check_double_write
from kew.storage.disk import Disk
from kew.storage.fileheader import CONFIGURATION, USERS, Identity, check_text, first_page
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
    for path, kind in ((places.ini, CONFIGURATION), (places.users, USERS)):
        if disk.exists(path):
            check_text(path, first_page(disk, path), kind, owner.name, owner.key)


def owner_of(disk: Disk, name: str, root: str) -> Identity:
    """Give the identity of a queue manager, running or not, from its log."""
    configuration = load_configuration(disk, posixpath.join(root, "qm.ini"), name)
    places = Places(root, configuration)
    copies = [places.log.copy1, places.log.copy2] if configuration.log.copies == 2 else [places.log.copy1]
    check_log(disk, copies, places.log.archive, name)
    return read_bootstrap(disk, copies, NoNotices())[0].owner
