"""The one module of Kew that opens, writes and syncs files.

Everything durable goes through the `Disk` protocol, so that tests can put a simulated disk in its place that forgets,
tears or reorders whatever was not synced. A caller may rely on these rules:

1. `File.pwrite` has written all of the data, or raises. Nothing it wrote is durable before `File.sync` returned.
2. After a `sync` that raised, the state of every write since the sync before it is unknown, and a later `sync` that
   succeeds proves nothing about them (the kernel may have dropped the pages). The only answer is a restart.
3. A name made by `open(create=True)`, moved by `rename` or taken away by `remove` is durable only after
   `sync_directory` of the directory that holds it. `make_directory` is durable when it returns.
4. `rename` replaces its target atomically: after a crash the target is the old file or the new one.

Exceptions:

    OSError
      DiskError        an operation failed: path, operation, errno
        LockedError    the file is locked, and by which process
"""

import errno
import fcntl
import os
from dataclasses import dataclass
from typing import Final, Protocol

ZEROS: Final = bytes(1 << 20)
_LOCK_FILE: Final = 64  # bytes
_LOOKS: Final = 10_000  # by others, at most, while a lock is taken


class DiskError(OSError):
    """A file operation failed; carries the path, the operation and the errno."""

    def __init__(self, path: str, operation: str, number: int, detail: str = "") -> None:
        super().__init__(number, detail or os.strerror(number))
        self.path = path
        self.operation = operation
        self.detail = detail or os.strerror(number)

    @property
    def full(self) -> bool:
        """Say whether the device or the quota is full."""
        return self.errno in (errno.ENOSPC, errno.EDQUOT)

    def __str__(self) -> str:
        name = errno.errorcode.get(self.errno or 0, str(self.errno))
        return f"{self.operation} of {self.path} failed: {self.detail} ({name})"


class LockedError(DiskError):
    """The lock file is held by another process, whose id is `owner` (0 where it could not be read)."""

    def __init__(self, path: str, owner: int) -> None:
        super().__init__(path, "lock", errno.EWOULDBLOCK, f"held by process {owner}" if owner else "held")
        self.owner = owner


class File(Protocol):
    """An open file, read and written at offsets."""

    path: str

    def pread(self, length: int, offset: int) -> bytes:
        """Return `length` bytes from `offset`; fewer only at the end of the file."""

    def pwrite(self, data: bytes, offset: int) -> None:
        """Write all of `data` at `offset`, growing the file where needed."""

    def sync(self) -> None:
        """Make every write so far, and the size, durable."""

    def size(self) -> int:
        """Return the size in bytes."""

    def truncate(self, size: int) -> None:
        """Set the size in bytes."""

    def allocate(self, size: int) -> None:
        """Grow the file to `size` with its blocks reserved: a full device raises ENOSPC here, not at a later write."""

    def close(self) -> None:
        """Close the file, without making anything durable."""


class Lock(Protocol):
    """A held lock file, with a note of its holder that stays when the lock is released."""

    def note(self) -> str:
        """Return the last note, of this holder or an earlier one; empty if there is none."""

    def write_note(self, note: str) -> None:
        """Write a note durably, for processes that read the state of the lock."""

    def release(self) -> None:
        """Release the lock."""


@dataclass(frozen=True)
class LockFile:
    """The state of a lock file: the process that holds it, 0 for none, and the note in it."""

    owner: int
    note: str


class Disk(Protocol):
    """A file system as the storage packages see it."""

    def open(self, path: str, create: bool = False) -> File:
        """Open a file for reading and writing; with `create`, make it if it does not exist."""

    def exists(self, path: str) -> bool:
        """Return whether a file or directory of that name exists."""

    def remove(self, path: str) -> None:
        """Remove a file."""

    def rename(self, old: str, new: str) -> None:
        """Give a file another name, atomically replacing what had it."""

    def list_directory(self, path: str) -> list[str]:
        """Return the names in a directory, sorted."""

    def make_directory(self, path: str) -> None:
        """Make a directory and its missing parents, durably; one that exists is left alone."""

    def remove_directory(self, path: str) -> None:
        """Remove an empty directory."""

    def sync_directory(self, path: str) -> None:
        """Make the names in a directory durable."""

    def lock(self, path: str) -> Lock:
        """Hold a lock file until released or until this process ends; raises LockedError where another holds it."""

    def look_at_lock(self, path: str) -> LockFile:
        """Return the holder and the note of a lock file; changes nothing, and needs no permission to write."""

    def free_bytes(self, path: str) -> int:
        """Return the number of bytes that the file system of `path` has left for this process."""


def _failure(path: str, operation: str, error: OSError) -> DiskError:
    return DiskError(path, operation, error.errno or errno.EIO)


class RealFile:
    """A file of the operating system."""

    def __init__(self, path: str, descriptor: int) -> None:
        self.path = path
        self._descriptor = descriptor

    def pread(self, length: int, offset: int) -> bytes:
        """Return `length` bytes from `offset`; fewer only at the end of the file."""
        try:
            data = os.pread(self._descriptor, length, offset)
            if len(data) == length or not data:
                return data
            parts = [data]
            have = len(data)
            while have < length:
                data = os.pread(self._descriptor, length - have, offset + have)
                if not data:
                    break
                parts.append(data)
                have += len(data)
        except OSError as error:
            raise _failure(self.path, "read", error) from error
        return b"".join(parts)

    def pwrite(self, data: bytes, offset: int) -> None:
        """Write all of `data` at `offset`, growing the file where needed."""
        try:
            done = os.pwrite(self._descriptor, data, offset)
            while done < len(data):
                more = os.pwrite(self._descriptor, data[done:], offset + done)
                if more == 0:
                    raise DiskError(self.path, "write", errno.EIO, "the device accepts no more bytes")
                done += more
        except DiskError:
            raise
        except OSError as error:
            raise _failure(self.path, "write", error) from error

    def sync(self) -> None:
        """Make every write so far, and the size, durable."""
        if self._descriptor < 0:
            raise DiskError(self.path, "sync", errno.EBADF)
        try:
            os.fdatasync(self._descriptor)
        except OSError as error:
            raise _failure(self.path, "sync", error) from error

    def size(self) -> int:
        """Return the size in bytes."""
        try:
            return os.fstat(self._descriptor).st_size
        except OSError as error:
            raise _failure(self.path, "size", error) from error

    def truncate(self, size: int) -> None:
        """Set the size in bytes."""
        try:
            os.ftruncate(self._descriptor, size)
        except OSError as error:
            raise _failure(self.path, "truncate", error) from error

    def allocate(self, size: int) -> None:
        """Grow the file to `size` with its blocks reserved: a full device raises ENOSPC here, not at a later write."""
        have = self.size()
        if have >= size:
            return
        try:
            os.posix_fallocate(self._descriptor, have, size - have)
        except OSError as error:
            if error.errno not in (errno.EOPNOTSUPP, errno.EINVAL):
                raise _failure(self.path, "allocate", error) from error
            # The file system cannot reserve: writing is the only way to be sure of the blocks.
            for offset in range(have, size, len(ZEROS)):
                self.pwrite(ZEROS[: size - offset], offset)

    def close(self) -> None:
        """Close the file, without making anything durable."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def __del__(self) -> None:
        self.close()


class RealLock:
    """An flock of the operating system on a file of two lines: the owner's process, and a note."""

    def __init__(self, path: str, descriptor: int) -> None:
        self._path = path
        self._descriptor = descriptor
        self.write_note(self.note())  # names the owner, and leaves the note of the one before

    def note(self) -> str:
        """Return the last note, of this holder or an earlier one; empty if there is none."""
        return _lock_file(self._descriptor).note

    def write_note(self, note: str) -> None:
        """Write a note durably, for processes that read the state of the lock."""
        try:
            # Always of one length, in one write: a reader sees the note before or this one, and never half of it.
            os.pwrite(self._descriptor, f"{os.getpid()}\n{note}\n".encode().ljust(_LOCK_FILE - 1) + b"\n", 0)
            os.fsync(self._descriptor)
        except OSError as error:
            raise _failure(self._path, "lock", error) from error

    def release(self) -> None:
        """Release the lock; the file stays, since its removal could let two processes hold the lock."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


def _locked(descriptor: int, kind: int) -> bool:
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _locked_alone(descriptor: int) -> bool:
    """Lock a file for this process alone; processes that only read the state share the lock for a moment."""
    for _attempt in range(_LOOKS):
        if _locked(descriptor, fcntl.LOCK_EX):
            return True
        if not _locked(descriptor, fcntl.LOCK_SH):
            return False
    return False


def _lock_file(descriptor: int) -> LockFile:
    lines = os.pread(descriptor, _LOCK_FILE, 0).decode(errors="replace").split("\n")
    owner = int(lines[0]) if lines[0].isdecimal() else 0
    return LockFile(owner, lines[1] if len(lines) > 2 else "")


class RealDisk:
    """The file systems of the operating system, with no caching of its own."""

    def open(self, path: str, create: bool = False) -> File:
        """Open a file for reading and writing; with `create`, make it if it does not exist."""
        flags = os.O_RDWR | os.O_CLOEXEC | (os.O_CREAT if create else 0)
        try:
            return RealFile(path, os.open(path, flags, 0o600))
        except OSError as error:
            raise _failure(path, "open", error) from error

    def exists(self, path: str) -> bool:
        """Return whether a file or directory of that name exists."""
        return os.path.exists(path)

    def remove(self, path: str) -> None:
        """Remove a file."""
        try:
            os.unlink(path)
        except OSError as error:
            raise _failure(path, "remove", error) from error

    def rename(self, old: str, new: str) -> None:
        """Give a file another name, atomically replacing what had it."""
        try:
            os.replace(old, new)
        except OSError as error:
            raise _failure(old, "rename", error) from error

    def list_directory(self, path: str) -> list[str]:
        """Return the names in a directory, sorted."""
        try:
            return sorted(os.listdir(path))
        except OSError as error:
            raise _failure(path, "list", error) from error

    def make_directory(self, path: str) -> None:
        """Make a directory and its missing parents, durably; one that exists is left alone."""
        path = os.path.abspath(path)
        missing = []
        while not os.path.isdir(path):
            missing.append(path)
            path = os.path.dirname(path)
        for directory in reversed(missing):
            try:
                os.mkdir(directory, 0o700)
            except FileExistsError as error:
                # Another process made it meanwhile, or a file has the name.
                if not os.path.isdir(directory):
                    raise _failure(directory, "make directory", error) from error
            except OSError as error:
                raise _failure(directory, "make directory", error) from error
            self.sync_directory(os.path.dirname(directory))

    def remove_directory(self, path: str) -> None:
        """Remove an empty directory."""
        try:
            os.rmdir(path)
        except OSError as error:
            raise _failure(path, "remove directory", error) from error

    def sync_directory(self, path: str) -> None:
        """Make the names in a directory durable."""
        try:
            descriptor = os.open(path or ".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
        except OSError as error:
            raise _failure(path, "sync directory", error) from error

    def lock(self, path: str) -> Lock:
        """Hold a lock file until released or until this process ends; raises LockedError where another holds it."""
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise _failure(path, "lock", error) from error
        try:
            if _locked_alone(descriptor):
                return RealLock(path, descriptor)
            owner = _lock_file(descriptor).owner
        except OSError as error:
            os.close(descriptor)
            raise _failure(path, "lock", error) from error
        os.close(descriptor)
        raise LockedError(path, owner)

    def look_at_lock(self, path: str) -> LockFile:
        """Return the holder and the note of a lock file; changes nothing, and needs no permission to write."""
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        except FileNotFoundError:
            return LockFile(0, "")
        except OSError as error:
            raise _failure(path, "look at lock", error) from error
        try:
            free = _locked(descriptor, fcntl.LOCK_SH)
            found = _lock_file(descriptor)
        except OSError as error:
            raise _failure(path, "look at lock", error) from error
        finally:
            os.close(descriptor)
        return LockFile(0, found.note) if free else found

    def free_bytes(self, path: str) -> int:
        """Return how many bytes the file system of `path` has left for us."""
        try:
            status = os.statvfs(path)
        except OSError as error:
            raise _failure(path, "free space", error) from error
        return status.f_bavail * status.f_frsize
