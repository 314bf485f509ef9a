"""Backup and restore of queue managers, and media recovery from the log.

A full backup is taken while the queue manager is stopped, a fuzzy one while it runs. Both are copies of the page set
files, checked page by page. A copy's header has the log address from which the log is needed to recover the page set.
That address is taken before the first page is copied, so every page has at least the changes before that address.

`restore` puts the copies in place; the next start reads the log from that address, if the log still has it. A full
backup can also be restored without its log (`without_log`): then a new log begins, and the queue manager has the state
of the time of the backup; its directory need not exist. The files of a backup: `backup.json`, one file for each page
set, and copies of qm.ini and of the file of users, which a restore puts in place only if they are missing, since an
existing file is newer.
"""

import json
import posixpath
import time
from dataclasses import dataclass
from typing import Final

from kew.qmgr.config import Configuration, load_configuration
from kew.qmgr.existing import QueueManagerError, existing_directory, exists, take_lock
from kew.qmgr.files import Places
from kew.qmgr.manager import engine_settings
from kew.storage.buffers.pagefile import PageFile, seal
from kew.storage.checksum import crc32
from kew.storage.directories import data_directory, directory_of, is_queue_manager_name
from kew.storage.disk import Disk, LockedError, RealDisk
from kew.storage.fileheader import (
    BACKUP,
    CONFIGURATION,
    USERS,
    FileRefused,
    Identity,
    check_owner,
    check_text,
    first_page,
)
from kew.storage.log import Log, LogAddress, NoNotices
from kew.storage.log.bootstrap import BootstrapState, bootstrap_path, read_bootstrap
from kew.storage.log.headers import check_log
from kew.storage.page import HEADER, PAGE_HEADER, PAGE_SIZE
from kew.storage.pages.pageset import PageSet, check_page_set, never_in_use, with_recovery_address
from kew.storage.pages.spacemap import CATALOG, GROUP, ITEM, SpaceMap, map_page_of
from kew.storage.recovery.media import find_image
from kew.storage.stall import Damaged

MANIFEST: Final = "backup.json"
_BESIDE: Final = ("qm.ini", "users")  # files of a queue manager's directory that a backup has too
_CHUNK: Final = 256
_ATTEMPTS: Final = 50
_OTHER_BACKUP: Final = "Restore it with the version of Kew that took it"


class BackupError(Exception):
    """The error of a failed backup or restore; the text has the reason and a remedy."""


@dataclass(frozen=True)
class Backup:
    """The manifest of a backup."""

    queue_manager: str
    kind: str  # full or fuzzy
    address: int  # the log is needed from here on
    taken: float
    page_sets: dict[int, dict[str, int]]  # number: pages, crc
    files: dict[str, int]  # name: crc
    owner: Identity  # the queue manager, as its files name it

    @staticmethod
    def read(disk: Disk, directory: str) -> "Backup":
        """Read a manifest."""
        path = posixpath.join(directory, MANIFEST)
        if not disk.exists(path):
            raise BackupError(f"{directory} holds no backup: {MANIFEST} is missing")
        file = disk.open(path)
        try:
            data = file.pread(file.size(), 0)
            if not data:
                raise FileRefused(path, "an empty file", f"{BACKUP}")
            fields = json.loads(data)
            if fields.get("format", "") != BACKUP.name or fields.get("version", 0) != BACKUP.version:
                found = f"'{fields.get('format', 'a manifest')}' of version {fields.get('version', 1)}"
                raise FileRefused(path, found, f"{BACKUP}", _OTHER_BACKUP)
            owner = Identity(str(fields["queue_manager"]), bytes.fromhex(fields["identity"]))
            sets = {int(number): dict(each) for number, each in fields["page_sets"].items()}
            files = {name: int(fields.get("files", {})[name]) for name in _BESIDE if name in fields.get("files", {})}
            kind, address, taken = fields["kind"], fields["address"], fields["taken"]
            return Backup(owner.name, kind, address, taken, sets, files, owner)
        except (ValueError, KeyError, TypeError, AttributeError) as problem:
            raise BackupError(f"{path} is not a manifest of a backup: {problem}") from problem
        finally:
            file.close()

    def write(self, disk: Disk, directory: str) -> None:
        """Write the manifest; a backup without a manifest is not valid."""
        path = posixpath.join(directory, MANIFEST)
        fields = {
            "format": BACKUP.name,
            "version": BACKUP.version,
            "identity": self.owner.key.hex(),
            "queue_manager": self.queue_manager,
            "kind": self.kind,
            "address": self.address,
            "taken": self.taken,
            "page_sets": self.page_sets,
            "files": self.files,
        }
        _write(disk, path, json.dumps(fields, indent=1).encode())
        disk.sync_directory(directory)


def _situation(disk: Disk, name: str, data: str) -> tuple[Configuration, Places]:
    root = existing_directory(name, data, disk)
    configuration = load_configuration(disk, posixpath.join(root, "qm.ini"), name)
    return configuration, Places(root, configuration)


def _bootstrap(disk: Disk, configuration: Configuration, places: Places) -> BootstrapState:
    homes = [places.log.copy1, places.log.copy2] if configuration.log.copies == 2 else [places.log.copy1]
    check_log(disk, homes, places.log.archive)
    state, _stale = read_bootstrap(disk, homes, NoNotices())
    return state


def back_up(name: str, target: str, data: str = "", disk: Disk | None = None) -> Backup:
    """Copy the page sets, qm.ini and the users of a queue manager: fuzzy when it runs, full when it is stopped."""
    disk = disk or RealDisk()
    configuration, places = _situation(disk, name, data)
    if disk.exists(posixpath.join(target, MANIFEST)):
        raise BackupError(f"{target} holds a backup already; choose another directory")
    try:
        lock = disk.lock(places.lock)
    except LockedError:
        lock = None
    try:
        state = _bootstrap(disk, configuration, places)
        full = lock is not None and state.clean
        # Zero in a header means that no log is needed, so the very beginning of the log is called 1.
        address = max(state.end if full else int(state.needed), 1)
        disk.make_directory(target)
        copied: dict[int, dict[str, int]] = {}
        header = first_page(disk, places.page_set(0))
        for number in sorted(engine_settings(configuration).page_sets):
            if not disk.exists(places.page_set(number)) and never_in_use(header, number):
                continue  # the next start creates it
            copied[number] = _copy_page_set(disk, places.page_set(number), number, target, address, state.owner)
        files = _copy_beside(disk, places.root, target)
    finally:
        if lock is not None:
            lock.release()
    backup = Backup(name, "full" if full else "fuzzy", address, time.time(), copied, files, state.owner)
    backup.write(disk, target)
    return backup


def _copy_page_set(disk: Disk, path: str, number: int, target: str, address: int, owner: Identity) -> dict[str, int]:
    source = PageFile(number, path, disk.open(path))
    check_page_set(path, number, source.file, owner)
    copy = disk.open(posixpath.join(target, f"psid{number:02d}"), create=True)
    copy.truncate(0)
    pages = source.file.size() // PAGE_SIZE
    space = _states(source, pages)
    crc = 0
    try:
        for first in range(0, pages, _CHUNK):
            images = source.read_pages(first, min(_CHUNK, pages - first))
            for place in range(len(images)):
                images[place] = _good_page(source, first + place, images[place], space)
            if first == 0:
                images[0] = with_recovery_address(images[0], address)
            data = b"".join(images)
            crc = crc32(data, crc)
            copy.pwrite(data, first * PAGE_SIZE)
        copy.sync()
    finally:
        source.file.close()
        copy.close()
    return {"pages": pages, "crc": crc}


def _copy_beside(disk: Disk, root: str, target: str) -> dict[str, int]:
    found: dict[str, int] = {}
    for name in _BESIDE:
        path = posixpath.join(root, name)
        if disk.exists(path):
            content = _read(disk, path)
            _write(disk, posixpath.join(target, name), content)
            found[name] = crc32(content, 0)
    return found


def _put_back_beside(disk: Disk, source: str, backup: Backup, root: str) -> None:
    for name, crc in backup.files.items():
        path = posixpath.join(root, name)
        copy = posixpath.join(source, name)
        if disk.exists(path):
            continue
        if not disk.exists(copy):
            raise BackupError(f"the backup is not whole: {copy} is missing")
        content = _read(disk, copy)
        if crc32(content, 0) != crc:
            raise BackupError(f"{copy} is damaged: its checksum does not match")
        _write(disk, path + ".restoring", content)
        disk.rename(path + ".restoring", path)
    disk.sync_directory(root)


def _read(disk: Disk, path: str) -> bytes:
    file = disk.open(path)
    try:
        return file.pread(file.size(), 0)
    finally:
        file.close()


def _write(disk: Disk, path: str, content: bytes) -> None:
    file = disk.open(path, create=True)
    try:
        file.truncate(0)
        file.pwrite(content, 0)
        file.sync()
    finally:
        file.close()


def _states(source: PageFile, pages: int) -> SpaceMap:
    space = SpaceMap(pages)
    for group in range(space.groups()):
        image = _good_page(source, map_page_of(group), source.read_pages(map_page_of(group), 1)[0], None)
        if any(image):
            space.load(group, image[32:])
    return space


def _good_page(source: PageFile, number: int, image: bytes, space: SpaceMap | None) -> bytes:
    """Read a page until its checksum is right: a page that is being written meanwhile is read again."""
    for _attempt in range(_ATTEMPTS):
        if not any(image) or not source.check(number, image):
            return image
        if space is not None and space.states[number] not in (ITEM, CATALOG) and number != map_page_of(number // GROUP):
            return bytes(PAGE_SIZE)  # free, or of a non-persistent message: its content does not matter
        image = source.read_pages(number, 1)[0]
    raise Damaged(source.path, number, source.check(number, image))


def restore(name: str, source: str, data: str = "", without_log: bool = False, disk: Disk | None = None) -> Backup:
    """Replace the page sets of a stopped queue manager by a backup; `without_log` also recreates a deleted one."""
    disk = disk or RealDisk()
    data = data or data_directory()
    if not (exists(name, data, disk) or (without_log and is_queue_manager_name(name))):
        raise QueueManagerError("AMQ8118E", (), (name, data))
    backup = Backup.read(disk, source)
    if backup.queue_manager != name:
        raise BackupError(f"{source} is a backup of queue manager {backup.queue_manager}, not of {name}")
    if without_log and backup.kind != "full":
        raise BackupError("a fuzzy backup needs the log: it is a copy of page sets that were in use")
    for number, facts in backup.page_sets.items():
        _verify(disk, source, number, facts, backup.owner)
    owner = backup.owner
    root = directory_of(data, name)
    for path, kind in ((Places(root).ini, CONFIGURATION), (Places(root).users, USERS)):
        if disk.exists(path):
            check_text(path, first_page(disk, path), kind, owner.name, owner.key)
    disk.make_directory(root)
    lock = take_lock(disk, name, Places(root).lock)
    try:
        _put_back_beside(disk, source, backup, root)
        configuration, places = _situation(disk, name, data)
        if not without_log:
            _check_log(disk, configuration, places, backup.address, owner)
        disk.make_directory(places.page_sets)
        disk.make_directory(places.errors)
        for number in backup.page_sets:
            _put_back(disk, source, number, places.page_set(number), without_log)
        if disk.exists(places.double_write):
            disk.remove(places.double_write)
        disk.sync_directory(places.page_sets)
        if without_log:
            _renew_log(disk, configuration, places, owner)
    finally:
        lock.release()
    return backup


def _check_log(disk: Disk, configuration: Configuration, places: Places, address: int, owner: Identity) -> None:
    state = _bootstrap(disk, configuration, places)
    check_owner(bootstrap_path(places.log.copy1), state.owner, owner)
    size = state.file_pages * PAGE_SIZE
    held = set(state.extents.values()) | set(state.archives)
    end = max([state.durable, state.end, int(state.needed)])
    for number in range(address // size, end // size + 1):
        if number not in held and number * size < end:
            raise BackupError(
                f"the log no longer has address {address:#x}, from which the backup needs it; "
                "a full backup can be restored without its log, and linear logging keeps the log"
            )


def _verify(disk: Disk, source: str, number: int, facts: dict[str, int], owner: Identity) -> None:
    path = posixpath.join(source, f"psid{number:02d}")
    if not disk.exists(path):
        raise BackupError(f"the backup is not whole: {path} is missing")
    file = disk.open(path)
    check_page_set(path, number, file, owner)
    crc = 0
    try:
        if file.size() != facts["pages"] * PAGE_SIZE:
            raise BackupError(f"{path} has {file.size()} bytes, not the {facts['pages'] * PAGE_SIZE} that were written")
        for first in range(0, facts["pages"], _CHUNK):
            crc = crc32(file.pread(min(_CHUNK, facts["pages"] - first) * PAGE_SIZE, first * PAGE_SIZE), crc)
    finally:
        file.close()
    if crc != facts["crc"]:
        raise BackupError(f"{path} is damaged: its checksum does not match")


def _put_back(disk: Disk, source: str, number: int, path: str, reset: bool) -> None:
    copy = disk.open(posixpath.join(source, f"psid{number:02d}"))
    draft = path + ".restoring"
    file = disk.open(draft, create=True)
    file.truncate(0)
    pages = copy.size() // PAGE_SIZE
    try:
        for first in range(0, pages, _CHUNK):
            data = copy.pread(min(_CHUNK, pages - first) * PAGE_SIZE, first * PAGE_SIZE)
            if reset:
                data = _without_addresses(data, first)
            file.pwrite(data, first * PAGE_SIZE)
        file.sync()
    finally:
        copy.close()
        file.close()
    disk.rename(draft, path)


def _without_addresses(data: bytes, first: int) -> bytes:
    """Clear the log addresses in pages, since they do not hold for a new log."""
    images = [data[start : start + PAGE_SIZE] for start in range(0, len(data), PAGE_SIZE)]
    for place, image in enumerate(images):
        if not any(image):
            continue
        _crc, kind, page_set, number, owner, _address = PAGE_HEADER.unpack_from(image)
        if first + place == 0 and kind == HEADER:
            image = with_recovery_address(image, 0)
        page = bytearray(image)
        PAGE_HEADER.pack_into(page, 0, 0, kind, page_set, number, owner, 0)
        images[place] = seal(bytes(page))
    return b"".join(images)


def _renew_log(disk: Disk, configuration: Configuration, places: Places, owner: Identity) -> None:
    for directory in (places.log.copy1, places.log.copy2, places.log.archive):
        if disk.exists(directory):
            for entry in disk.list_directory(directory):
                disk.remove(posixpath.join(directory, entry))
            disk.sync_directory(directory)
    Log.create(disk, configuration.log.settings(), places.log, owner=owner)


def recover_page_set(name: str, number: int, data: str = "", disk: Disk | None = None) -> int:
    """Create a lost page set from its newest image in the log; the next start fills it. Gives the log address."""
    disk = disk or RealDisk()
    configuration, places = _situation(disk, name, data)
    settings = engine_settings(configuration)
    wanted = settings.page_sets.get(number)
    if wanted is None:
        raise BackupError(f"queue manager {name} has no page set {number}")
    path = places.page_set(number)
    if disk.exists(path):
        raise BackupError(f"{path} is there; move it away first if it is to be recovered")
    lock = take_lock(disk, name, places.lock)
    try:
        state = _bootstrap(disk, configuration, places)
        log = Log.open(disk, settings.log, places.log)
        try:
            begun = find_image(log, LogAddress(state.media), number)
        finally:
            log.abandon()
        if not begun:
            raise BackupError(f"the log has no image of page set {number}; 'kew image {name} {number}' records one")
        PageSet.create(disk, path, number, wanted.pages, wanted.expand, wanted.secondary, state.owner, begun)
    finally:
        lock.release()
    return begun
