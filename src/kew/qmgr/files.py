"""The files of a queue manager: where they are, and the check of all of them before a start.

Each file must have a known format and version, and belong to the queue manager. No file is written before all files
are checked. A missing or damaged file is reported by the part that reads it.
"""

import posixpath
from collections.abc import Iterable

from kew.qmgr.config import Configuration, load_configuration
from kew.storage.buffers.doublewrite import check_double_write
from kew.storage.directories import LOCK
from kew.storage.disk import Disk, DiskError
from kew.storage.fileheader import CONFIGURATION, USERS, Identity, check_text, first_page
from kew.storage.log.bootstrap import read_bootstrap
from kew.storage.log.headers import check_log
from kew.storage.log.notices import NoNotices
from kew.storage.pages.pageset import check_page_set


class Places:
    """The directories and files below a queue manager's directory."""

    def __init__(self, root: str, configuration: Configuration | None = None) -> None:
        self.root = root
        configuration = configuration or Configuration()
        self.log = configuration.log.directories(posixpath.join(root, "log"))
        self._paths = {each.id: each.path for each in configuration.page_sets if each.path}
        self.page_sets = posixpath.join(root, "pagesets")
        self.double_write = posixpath.join(self.page_sets, "doublewrite")
        self.errors = posixpath.join(root, "errors")
        self.smf = configuration.smf.directory or posixpath.join(root, "smf")
        self.lock = posixpath.join(root, LOCK)
        self.ini = posixpath.join(root, "qm.ini")
        self.users = posixpath.join(root, "users")

    def page_set(self, number: int) -> str:
        """Give the file of a page set."""
        return self._paths.get(number) or posixpath.join(self.page_sets, f"psid{number:02d}")


def check_files(disk: Disk, name: str, places: Places, dual: bool, page_sets: Iterable[int]) -> None:
    """Check every file; raise `FileRefused` for the first of a wrong format, version or queue manager."""
    copies = [places.log.copy1, places.log.copy2] if dual else [places.log.copy1]
    check_log(disk, copies, places.log.archive, name)
    owner = read_bootstrap(disk, copies, NoNotices())[0].owner
    for number in sorted(page_sets):
        path = places.page_set(number)
        if disk.exists(path):
            file = disk.open(path)
            try:
                check_page_set(path, number, file, owner)
            except DiskError:
                if number == 0:
                    raise
                # The start sets the page set aside if its device still fails then.
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
