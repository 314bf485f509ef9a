"""The headers of the log's files: checked before anything is written, and written again where they are damaged.

A log file whose header is damaged is still read: its pages have checksums and the log's id of their own. Only the
header itself is lost, and it is written again from the bootstrap file's state at the next start.
"""

import errno
import posixpath

from kew.storage.disk import Disk, DiskError
from kew.storage.fileheader import (
    ARCHIVE,
    BOOTSTRAP,
    LOG_FILE,
    BehindHeader,
    Format,
    Identity,
    check_owner,
    first_page,
    header_page,
    read_header,
)
from kew.storage.log.archive import archive_name
from kew.storage.log.bootstrap import BootstrapState, bootstrap_owner, bootstrap_path, read_bootstrap
from kew.storage.log.copies import file_name
from kew.storage.log.notices import HEADER_REPAIRED, NoNotices, Notices
from kew.storage.log.page import check_page
from kew.storage.logaddress import PAGE_SIZE

_LOOKED_AT = 8  # pages behind a blank header, to see whether the file is of this log


class DamagedHeader:
    """A file of this log whose header cannot be read."""

    def __init__(self, path: str, kind: Format, number: int) -> None:
        self.path = path
        self.kind = kind
        self.number = number

    def mend(self, disk: Disk, owner: Identity, notices: Notices) -> None:
        """Write the header again."""
        file = disk.open(self.path)
        try:
            file.pwrite(header_page(self.kind, owner, self.number), 0)
            file.sync()
        finally:
            file.close()
        notices.tell(HEADER_REPAIRED, (), (self.path,))


def check_log(disk: Disk, copies: list[str], archive: str, name: str = "") -> list[DamagedHeader]:
    """Refuse files that are not of the log of the queue manager `name`, by default the one in the first header.

    Gives the files with a damaged header. Nothing is written, and missing files are passed over.
    """
    damaged: list[DamagedHeader] = []
    owner: Identity | None = None
    for path, directory in [(bootstrap_path(directory), directory) for directory in copies]:
        if not disk.exists(path):
            continue
        found = bootstrap_owner(disk, directory)
        if found is not None:
            owner = owner or Identity(name or found.name, found.key)
            check_owner(path, found, owner)
        if found is None or first_page(disk, path) != header_page(BOOTSTRAP, found):
            damaged.append(DamagedHeader(path, BOOTSTRAP, 0))
    state, _stale = read_bootstrap(disk, copies, NoNotices())
    check_owner(bootstrap_path(copies[0]), state.owner, owner or Identity(name or state.owner.name, state.owner.key))
    for directory in copies:
        for slot in sorted(state.extents):
            _check(disk, posixpath.join(directory, file_name(slot)), LOG_FILE, slot, state, damaged)
    for number in sorted(state.archives):
        _check(disk, posixpath.join(archive, archive_name(number)), ARCHIVE, number, state, damaged)
    return damaged


def _check(
    disk: Disk, path: str, kind: Format, number: int, state: BootstrapState, damaged: list[DamagedHeader]
) -> None:
    try:
        file = disk.open(path)
    except DiskError as failure:
        if failure.errno == errno.ENOENT:  # also one that was given back just now, while a running log is looked at
            return
        raise

    def behind() -> bool:
        pages = BehindHeader(file).pread(_LOOKED_AT * PAGE_SIZE, 0)
        found = [check_page(pages, offset) for offset in range(0, len(pages), PAGE_SIZE)]
        return any(page is not None and page.log_id == state.log_id for page in found)

    try:
        page = file.pread(PAGE_SIZE, 0)
        found = read_header(path, page, kind, number, behind)
    finally:
        file.close()
    if found is not None:
        check_owner(path, found, state.owner)
    if page != header_page(kind, state.owner, number):
        damaged.append(DamagedHeader(path, kind, number))
