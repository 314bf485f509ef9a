"""A disk in memory that forgets, tears and reorders whatever was not synced.

A file has its durable bytes and the writes since its last sync. A directory has its durable names and the name changes
since its last sync. `crash` makes the disk that a power loss would have left. The rules are those of
`kew.storage.disk`, taken at their strictest:

- each unsynced write survives or not, in any order, in sectors of 512 bytes of which each survives or not;
- syncing a file does not make its name durable, and an unsynced change of size may be lost;
- each unsynced create, rename or remove happened or did not, independently of the others;
- after a failed sync the writes it covered stay unsynced for ever: no later sync makes them durable.
"""

import errno
import posixpath
from collections.abc import Callable
from random import Random
from typing import Literal

from kew.storage.disk import DiskError, File, Lock, LockedError, LockFile

Keep = Literal["none", "all", "random"]
Tear = Literal["sector", "byte"]

SECTOR = 512
PAGE = 4096


class PowerLoss(BaseException):
    """The power is gone: the operation under way and every later one."""


class _Inode:
    """A file's bytes, apart from its names.

    Copies share the bytes until one of them is changed. The durable bytes are those with the pending changes undone;
    only after a failed sync, which later ones do not make good, are they kept apart.
    """

    def __init__(self) -> None:
        self.content = bytearray()
        # Changes since the last sync: (offset, data) for a write, (size, None) for a change of size.
        self.pending: list[tuple[int, bytes | None]] = []
        # Changes that a failed sync covered.
        self.doomed: list[tuple[int, bytes | None]] = []
        # For each pending change what undoes it: the size before, the offset, and the bytes that were there.
        self._undo: list[tuple[int, int, bytes]] = []
        self._apart: bytearray | None = None
        self._shared = False
        # Offsets of pages that the device cannot read, until they are written again.
        self.spoiled: set[int] = set()

    def change(self, offset: int, data: bytes | None) -> None:
        if self.spoiled and data:
            self.spoiled -= {page for page in self.spoiled if page < offset + len(data) and offset < page + PAGE}
        self._own()
        content = self.content
        if self._apart is None:
            end = len(content) if data is None else offset + len(data)
            self._undo.append((len(content), offset, bytes(content[offset:end])))
        _apply(content, offset, data)
        self.pending.append((offset, data))

    def sync(self) -> None:
        if self._apart is not None:
            for offset, data in self.pending:
                _apply(self._apart, offset, data)
        self.pending.clear()
        self._undo.clear()

    def fail(self) -> None:
        """Let a sync fail: what it covered never becomes durable."""
        self.keep_apart()
        self.doomed += self.pending
        self.pending.clear()

    def keep_apart(self) -> bytearray:
        """Give the durable bytes, from now on kept apart from the content."""
        self._own()
        if self._apart is None:
            self._apart = self.durable()
            self._undo.clear()
        return self._apart

    def durable(self) -> bytearray:
        """Give a copy of the durable bytes."""
        if self._apart is not None:
            return bytearray(self._apart)
        durable = bytearray(self.content)
        for size, offset, before in reversed(self._undo):
            del durable[size:]
            if size > len(durable):
                durable.extend(bytes(size - len(durable)))
            durable[offset : offset + len(before)] = before
        return durable

    def _own(self) -> None:
        if self._shared:
            self.content = bytearray(self.content)
            self._shared = False

    def _share(self) -> "_Inode":
        other = _Inode()
        other.content = self.content
        other._shared = self._shared = True
        return other

    def copy(self) -> "_Inode":
        other = self._share()
        other.pending = list(self.pending)
        other.doomed = list(self.doomed)
        other._undo = list(self._undo)
        other._apart = None if self._apart is None else bytearray(self._apart)
        other.spoiled = set(self.spoiled)
        return other

    def crashed(self, random: Random, keep: Keep, tear: Tear, sector: int) -> "_Inode":
        changes = self.doomed + self.pending
        if not changes or (keep == "all" and not self.doomed):
            return self._share()
        other = _Inode()
        other.content = self.durable()
        if keep == "all":
            for offset, data in changes:
                _apply(other.content, offset, data)
        elif keep == "random":
            self._survive(other.content, changes, random, tear, sector)
        return other

    def _survive(
        self, durable: bytearray, changes: list[tuple[int, bytes | None]], random: Random, tear: Tear, sector: int
    ) -> None:
        size = len(durable)
        if random.random() < 0.3:
            # In order, each page for itself: a write that got half way.
            for offset, data in changes:
                if data is not None:
                    _tear(durable, offset, data, random, PAGE)
                elif random.random() < 0.5:
                    _apply(durable, offset, None)
            return
        survivors = random.sample(changes, random.randint(0, len(changes)))
        torn_at_byte = random.randrange(len(survivors)) if survivors and tear == "byte" else -1
        for index, (offset, data) in enumerate(survivors):
            if data is None:
                _apply(durable, offset, None)
            elif index == torn_at_byte:
                cut = random.randint(0, len(data))
                if random.random() < 0.75:
                    _apply(durable, offset, data[:cut])
                else:
                    _apply(durable, offset + cut, data[cut:])
            elif random.random() < 0.5:
                _apply(durable, offset, data)
            else:
                _tear(durable, offset, data, random, sector)
        if len(durable) > size and random.random() < 0.25:
            del durable[random.choice((size, random.randint(size, len(durable)))) :]


def _apply(content: bytearray, offset: int, data: bytes | None) -> None:
    if data is None:
        if offset < len(content):
            del content[offset:]
        else:
            content.extend(bytes(offset - len(content)))
        return
    if not data:
        return
    if offset > len(content):
        content.extend(bytes(offset - len(content)))
    content[offset : offset + len(data)] = data


def _tear(content: bytearray, offset: int, data: bytes, random: Random, sector: int) -> None:
    chance = random.choice((0.1, 0.5, 0.9))
    position = 0
    while position < len(data):
        length = min(sector - (offset + position) % sector, len(data) - position)
        if random.random() < chance:
            _apply(content, offset + position, data[position : position + length])
        position += length


# A name change: each name with the inode it has afterwards, all of them or none.
_NameChange = tuple[tuple[str, _Inode | None], ...]


class _Directory(_Inode):
    """What a directory's name leads to; directories have no bytes here."""


class SimFile:
    """An open file of a SimDisk."""

    def __init__(self, disk: "SimDisk", path: str, inode: _Inode) -> None:
        self.path = path
        self._disk = disk
        self._inode = inode
        self._open = True

    def pread(self, length: int, offset: int) -> bytes:
        """Return `length` bytes from `offset`; fewer only at the end of the file."""
        self._check()
        self._disk.read(self.path, length)
        spoiled = self._inode.spoiled
        if spoiled and any(page < offset + length and offset < page + PAGE for page in spoiled):
            raise DiskError(self.path, "read", errno.EIO)
        with memoryview(self._inode.content) as view:
            return bytes(view[offset : offset + length])

    def pwrite(self, data: bytes, offset: int) -> None:
        """Write all of `data` at `offset`, growing the file where needed."""
        self._check()
        disk = self._disk
        data = bytes(data)
        try:
            disk.operate("write", self.path, len(data))
            disk.grow(self.path, "write", max(0, offset + len(data) - len(self._inode.content)))
        except PowerLoss:
            if disk.losing:
                self._change(offset, data)
            raise
        except DiskError:
            if disk.shortening:
                self._change(offset, data[: len(data) // 2])
            raise
        self._change(offset, data)

    def sync(self) -> None:
        """Make every write so far, and the size, durable."""
        self._check()
        disk = self._disk
        try:
            disk.operate("sync", self.path, 0)
        except DiskError:
            disk.changed += 1
            self._inode.fail()
            raise
        disk.changed += 1
        self._inode.sync()

    def size(self) -> int:
        """Return the size in bytes."""
        self._check()
        return len(self._inode.content)

    def truncate(self, size: int) -> None:
        """Set the size in bytes."""
        self._check()
        self._resize("truncate", size)

    def allocate(self, size: int) -> None:
        """Grow the file to `size` with its blocks reserved."""
        self._check()
        if size > len(self._inode.content):
            self._resize("allocate", size)

    def _resize(self, operation: str, size: int) -> None:
        disk = self._disk
        try:
            disk.operate(operation, self.path, 0)
            disk.grow(self.path, operation, max(0, size - len(self._inode.content)))
        except PowerLoss:
            if disk.losing:
                self._change(size, None)
            raise
        self._change(size, None)

    def close(self) -> None:
        """Close the file, without making anything durable."""
        self._open = False

    def _change(self, offset: int, data: bytes | None) -> None:
        self._disk.changed += 1
        self._inode.change(offset, data)

    def _check(self) -> None:
        if self._disk.lost:
            raise PowerLoss
        if not self._open:
            raise DiskError(self.path, "use", errno.EBADF)


class SimLock:
    """A held lock of a SimDisk."""

    def __init__(self, disk: "SimDisk", path: str) -> None:
        self._disk = disk
        self._path = path

    def note(self) -> str:
        """Return what was noted last."""
        return self._disk.lock_notes.get(self._path, "")

    def write_note(self, note: str) -> None:
        """Note a few words."""
        self._disk.lock_notes[self._path] = note

    def release(self) -> None:
        """Give the lock up."""
        self._disk.locks.discard(self._path)


class SimDisk:
    """A Disk in memory with power losses and faults on demand."""

    def __init__(self, capacity: int = 1 << 40, sector: int = SECTOR) -> None:
        self.capacity = capacity
        # What the device writes as a whole or not at all; 4096 is a device that never tears a page.
        self.sector = sector
        # How many writes, syncs, changes of size and of names there were; reads do not count.
        self.operations = 0
        self.syncs = 0
        # Grows with whatever changes what a power loss may leave: a disk of the same number leaves the same.
        self.changed = 0
        self.lost = False
        # True only inside the operation that met the power loss, or the short write.
        self.losing = False
        self.shortening = False
        # Called with operation, path and length before each operation and read: a place to move a fake clock.
        self.delay: Callable[[str, str, int], None] | None = None
        self.locks: set[str] = set()
        self.lock_notes: dict[str, str] = {}
        self._names: dict[str, _Inode] = {}
        self._durable_names: dict[str, _Inode] = {}
        self._changes: list[_NameChange] = []
        # The operations that failed because they were told to: operation and path.
        self.failures: list[tuple[str, str]] = []
        self._stop_at = 0
        self._faults: dict[int, int] = {}
        self._short: dict[int, int] = {}
        self._sync_faults: dict[int, int] = {}

    # Faults, counted from the next operation, which is number 1.

    def stop_after(self, n: int) -> None:
        """Lose the power in the n-th next operation."""
        self._stop_at = self.operations + n

    def fail(self, n: int, number: int = errno.EIO) -> None:
        """Let the n-th next operation fail with an errno, having done nothing."""
        self._faults[self.operations + n] = number

    def short_write(self, n: int, number: int = errno.ENOSPC) -> None:
        """Let the n-th next operation, if a write, write half of its data and then fail."""
        self._short[self.operations + n] = number

    def fail_sync(self, n: int, number: int = errno.EIO) -> None:
        """Let the n-th next sync of a file or directory fail."""
        self._sync_faults[self.syncs + n] = number

    def flip(self, path: str, offset: int, bit: int = 0) -> None:
        """Flip one bit of a file, as decay of the medium would."""
        inode = self._names[self._normal(path)]
        durable = inode.keep_apart()
        inode.content[offset] ^= 1 << bit
        if offset < len(durable):
            durable[offset] ^= 1 << bit

    def spoil(self, path: str, offset: int) -> None:
        """Make the page at an offset of a file unreadable until it is written again."""
        self._names[self._normal(path)].spoiled.add(offset)

    def overwrite(self, path: str, data: bytes, offset: int = 0) -> None:
        """Replace bytes of a file behind its users' back, durably."""
        inode = self._names[self._normal(path)]
        durable = inode.keep_apart()
        _apply(inode.content, offset, data)
        _apply(durable, offset, data)

    @property
    def files(self) -> dict[str, int]:
        """Each file's path and size, as a running program sees them."""
        return {
            path: len(inode.content) for path, inode in sorted(self._names.items()) if not isinstance(inode, _Directory)
        }

    def content(self, path: str) -> bytes:
        """Return a file's bytes as a running program sees them."""
        return bytes(self._names[self._normal(path)].content)

    def unsynced(self) -> bool:
        """Return whether a power loss now could leave more than one thing behind."""
        return bool(self._changes) or any(inode.pending or inode.doomed for inode in self._names.values())

    def delete(self, path: str) -> None:
        """Take a file, or a directory with all in it, away behind its users' back, durably."""
        path = self._normal(path)
        for names in (self._names, self._durable_names):
            for name in [name for name in names if name == path or name.startswith(path + "/")]:
                del names[name]

    def copy(self) -> "SimDisk":
        """Return an independent disk in the same state, without the faults still to come."""
        inodes: dict[int, _Inode] = {}
        return self._remake(
            lambda inode: inodes.setdefault(id(inode), inode.copy()), self._durable_names, self._changes
        )

    def adopt(self, other: "SimDisk") -> None:
        """Take over what another disk holds durably."""
        for path, inode in other.crash(keep="none")._names.items():
            self._names[path] = self._durable_names[path] = inode

    def crash(self, random: Random | None = None, keep: Keep = "random", tear: Tear = "sector") -> "SimDisk":
        """Return the disk that a power loss now leaves behind, with what was not synced kept as `keep` says."""
        random = random or Random(0)
        names = dict(self._durable_names)
        for change in self._changes:
            if keep == "all" or (keep == "random" and random.random() < 0.5):
                _rename(names, change)
        for path in sorted(names):
            if not all(parent in names for parent in _parents(path)):
                del names[path]
        inodes: dict[int, _Inode] = {}

        def crashed(inode: _Inode) -> _Inode:
            if id(inode) not in inodes:
                inodes[id(inode)] = inode.crashed(random, keep, tear, self.sector)
            return inodes[id(inode)]

        other = SimDisk(self.capacity, self.sector)
        other._names = {
            path: inode if isinstance(inode, _Directory) else crashed(inode) for path, inode in names.items()
        }
        other._durable_names = dict(other._names)
        return other

    def _remake(
        self, copied: Callable[[_Inode], _Inode], durable: dict[str, _Inode], changes: list[_NameChange]
    ) -> "SimDisk":
        other = SimDisk(self.capacity, self.sector)

        def mapped(inode: _Inode | None) -> _Inode | None:
            return inode if inode is None or isinstance(inode, _Directory) else copied(inode)

        for path, inode in self._names.items():
            other._names[path] = mapped(inode) or inode
        for path, inode in durable.items():
            other._durable_names[path] = mapped(inode) or inode
        other._changes = [tuple((path, mapped(inode)) for path, inode in change) for change in changes]
        return other

    # What the files call.

    def read(self, path: str, length: int) -> None:
        """Note a read."""
        if self.delay is not None:
            self.delay("read", path, length)

    def operate(self, operation: str, path: str, length: int) -> None:
        """Count an operation and meet the fault that waits for it."""
        self.losing = self.shortening = False
        if self.lost:
            raise PowerLoss
        self.operations += 1
        if operation.startswith("sync"):
            self.syncs += 1
        if self.delay is not None:
            self.delay(operation, path, length)
        if self.operations == self._stop_at:
            self.lost = self.losing = True
            raise PowerLoss
        number = self._faults.pop(self.operations, 0)
        if operation.startswith("sync"):
            number = number or self._sync_faults.pop(self.syncs, 0)
        if number == 0 and operation == "write":
            number = self._short.pop(self.operations, 0)
            self.shortening = number != 0
        if number:
            self.failures.append((operation, path))
            raise DiskError(path, operation, number)

    def grow(self, path: str, operation: str, more: int) -> None:
        """Raise ENOSPC where a file may not grow by that much."""
        if more and more > self.free_bytes(path):
            raise DiskError(path, operation, errno.ENOSPC)

    # The Disk protocol.

    def open(self, path: str, create: bool = False) -> File:
        """Open a file for reading and writing; with `create`, make it if it does not exist."""
        self._powered()
        path = self._normal(path)
        inode = self._names.get(path)
        if isinstance(inode, _Directory):
            raise DiskError(path, "open", errno.EISDIR)
        if inode is None:
            if not create:
                raise DiskError(path, "open", errno.ENOENT)
            self._need_parent(path, "open")
            inode = _Inode()
            self._change_names("open", path, ((path, inode),))
        return SimFile(self, path, inode)

    def exists(self, path: str) -> bool:
        """Return whether a file or directory of that name exists."""
        self._powered()
        return self._normal(path) in self._names

    def remove(self, path: str) -> None:
        """Remove a file."""
        path = self._normal(path)
        self._need(path, "remove")
        self._change_names("remove", path, ((path, None),))

    def rename(self, old: str, new: str) -> None:
        """Give a file another name, atomically replacing what had it."""
        old, new = self._normal(old), self._normal(new)
        inode = self._need(old, "rename")
        self._need_parent(new, "rename")
        self._change_names("rename", old, ((old, None), (new, inode)))

    def list_directory(self, path: str) -> list[str]:
        """Return the names in a directory, sorted."""
        self._powered()
        path = self._normal(path)
        if path not in ("", "/") and not isinstance(self._names.get(path), _Directory):
            raise DiskError(path, "list", errno.ENOENT)
        return sorted(posixpath.basename(name) for name in self._names if posixpath.dirname(name) == path)

    def make_directory(self, path: str) -> None:
        """Make a directory and its missing parents, durably; one that exists is left alone."""
        self._powered()
        path = self._normal(path)
        for directory in (*_parents(path), path):
            inode = self._names.get(directory)
            if inode is None:
                made = _Directory()
                self._change_names("make directory", directory, ((directory, made),))
                self.operate("sync directory", directory, 0)
                self._settle({directory})
            elif not isinstance(inode, _Directory):
                raise DiskError(directory, "make directory", errno.EEXIST)

    def remove_directory(self, path: str) -> None:
        """Remove an empty directory."""
        path = self._normal(path)
        if self.list_directory(path):
            raise DiskError(path, "remove directory", errno.ENOTEMPTY)
        self._change_names("remove directory", path, ((path, None),))

    def sync_directory(self, path: str) -> None:
        """Make the names in a directory durable."""
        self._powered()
        path = self._normal(path)
        if path not in ("", "/"):
            self._need(path, "sync directory")
        self.operate("sync directory", path, 0)
        self._settle({name for change in self._changes for name, _ in change if posixpath.dirname(name) == path})

    def lock(self, path: str) -> Lock:
        """Hold a lock file; raises LockedError where it is held."""
        self.open(path, create=True).close()
        path = self._normal(path)
        if path in self.locks:
            raise LockedError(path, 1)
        self.locks.add(path)
        return SimLock(self, path)

    def look_at_lock(self, path: str) -> LockFile:
        """Return who holds a lock file and what is noted there."""
        path = self._normal(path)
        return LockFile(1 if path in self.locks else 0, self.lock_notes.get(path, ""))

    def free_bytes(self, path: str) -> int:
        """Return how many bytes the disk has left."""
        inodes = {id(inode): inode for inode in self._names.values()}
        return self.capacity - sum(len(inode.content) for inode in inodes.values())

    def _powered(self) -> None:
        if self.lost:
            raise PowerLoss

    def _normal(self, path: str) -> str:
        return posixpath.normpath(path)

    def _need(self, path: str, operation: str) -> _Inode:
        self._powered()
        if path not in self._names:
            raise DiskError(path, operation, errno.ENOENT)
        return self._names[path]

    def _need_parent(self, path: str, operation: str) -> None:
        for parent in _parents(path)[-1:]:
            if not isinstance(self._names.get(parent), _Directory):
                raise DiskError(path, operation, errno.ENOENT)

    def _change_names(self, operation: str, path: str, change: _NameChange) -> None:
        try:
            self.operate(operation, path, 0)
        except PowerLoss:
            if self.losing:
                self.changed += 1
                self._changes.append(change)
            raise
        _rename(self._names, change)
        self.changed += 1
        self._changes.append(change)

    def _settle(self, names: set[str]) -> None:
        """Make the changes of some names durable, and all earlier changes that they build on."""
        self.changed += 1
        settled: list[_NameChange] = []
        rest: list[_NameChange] = []
        for change in reversed(self._changes):
            if any(name in names for name, _ in change):
                names.update(name for name, _ in change)
                settled.append(change)
            else:
                rest.append(change)
        for change in reversed(settled):
            _rename(self._durable_names, change)
        self._changes = rest[::-1]


def _rename(names: dict[str, _Inode], change: _NameChange) -> None:
    for path, inode in change:
        if inode is None:
            names.pop(path, None)
        else:
            names[path] = inode


def _parents(path: str) -> list[str]:
    """Return the directories above a path that need a name of their own, outermost first."""
    parents = []
    parent = posixpath.dirname(path)
    while parent not in ("", "/"):
        parents.append(parent)
        parent = posixpath.dirname(parent)
    return parents[::-1]
