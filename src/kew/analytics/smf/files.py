"""Dumps on disk: found by name, recognised by content, read in chunks.

A dump may be a file, all files below a directory, or a pattern; plain or compressed, as its first bytes show; local or,
given as a URI such as `s3://...`, wherever pyarrow can read.
"""

import glob
import hashlib
import os
from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import partial
from typing import BinaryIO, Final, cast

from pyarrow import fs

from kew.analytics.smf.unpacking import LONGEST_MAGIC, compression_of, read_fully, unpacked
from kew.formats.smf import Batch, Damage, Framing, Splitter, detect
from kew.formats.smf.container import LOOKAHEAD

HEAD: Final = 2 * LOOKAHEAD
CHUNK: Final = 16 << 20
DIGEST: Final = 32  # hexadecimal digits of a digest: 128 bits
MOST_FILES: Final = 100_000  # below one directory


class NoDumps(ValueError):
    """No dump has one of the given names."""


class Dump:
    """A file of records: its path, its length, and its format."""

    def __init__(self, path: str, size: int, compression: str, framing: Framing, digest: str | None = None) -> None:
        self.path = path
        self.size = size  # in the file, compressed or not
        self.compression = compression  # "" for none
        self.framing = framing
        self.digest = digest  # digest of the content, None until it is needed


class Piece:
    """The part of a dump that one reader reads: the records that start in [start, end)."""

    def __init__(self, dump: Dump, start: int, end: int | None) -> None:
        self.dump = dump
        self.start = start
        self.end = end  # None for all that is left

    @property
    def size(self) -> int:
        """Give the amount of work of the piece, in bytes of the file."""
        return (self.dump.size if self.end is None else self.end) - self.start


def find_dumps(names: Sequence[str]) -> list[str]:
    """Find the files of the given names, each once; hidden files and markers such as _SUCCESS are passed over."""
    found: dict[str, None] = {}
    for name in names:
        files = _remote_files(name) if "://" in name else _local_files(name)
        if not files:
            raise NoDumps(f"{name}: there is no such file, or no file in it")
        found.update(dict.fromkeys(files))
    return list(found)


def _local_files(name: str) -> list[str]:
    if os.path.isdir(name):
        return sorted(_below(name))
    if os.path.exists(name):
        if not os.path.isfile(name):
            raise NoDumps(f"{name} is neither a file nor a directory")
        return [name]
    return sorted(file for file in glob.glob(name, recursive=True) if os.path.isfile(file))


def _below(folder: str) -> list[str]:
    """List the files below a directory, without devices and hidden files; more than MOST_FILES are refused."""
    found: list[str] = []
    for place, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not _hidden(name)]
        paths = [os.path.join(place, name) for name in files if not _hidden(name)]
        found += [path for path in paths if os.path.isfile(path)]
        if len(found) > MOST_FILES:
            raise NoDumps(f"there are more than {MOST_FILES} files below {folder}: name the directory of the dumps")
    return found


def _remote_files(name: str) -> list[str]:
    system, path = fs.FileSystem.from_uri(name)
    (info,) = system.get_file_info([path])
    if info.type == fs.FileType.File:
        return [name]
    if info.type != fs.FileType.Directory:
        return []
    prefix = name[: len(name) - len(path)] if name.endswith(path) else name.split("://")[0] + "://"
    below = system.get_file_info(fs.FileSelector(path, recursive=True))
    files = [one.path for one in below if one.type == fs.FileType.File]
    return sorted(prefix + file for file in files if not _hidden(file[len(path) :].lstrip("/")))


def _hidden(path: str) -> bool:
    return any(part.startswith((".", "_")) for part in path.split(os.sep))


def open_raw(path: str) -> BinaryIO:
    """Open a file, local or remote, as it is, for reads at any offset."""
    if "://" in path:
        system, inner = fs.FileSystem.from_uri(path)
        return cast(BinaryIO, system.open_input_file(inner))
    return open(path, "rb")


def examine(path: str, framing: Framing | None = None) -> Dump:
    """Find the format of a file from its first bytes; `framing` overrides them."""
    with open_raw(path) as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(0)
        compression = compression_of(bytes(file.read(LONGEST_MAGIC)))
    if framing is None:
        with closing(unpacked(partial(open_raw, path), compression)) as stream:
            head, _ = read_fully(stream, HEAD)
        framing = detect(head, len(head) < HEAD)
    return Dump(path, size, compression, framing)


def digest_of(path: str) -> tuple[str, int]:
    """Give the hash of a file's content, and its size."""
    hashed = hashlib.sha256()
    size = 0
    with open_raw(path) as file:
        while data := bytes(file.read(CHUNK)):
            hashed.update(data)
            size += len(data)
    return hashed.hexdigest()[:DIGEST], size


def identified(dump: Dump) -> Dump:
    """Give the dump with its digest, which reads the file once more."""
    if dump.digest is None:
        dump.digest, _ = digest_of(dump.path)
    return dump


def whole(dump: Dump) -> Piece:
    """Give a dump as one piece."""
    return Piece(dump, 0, None)


def read_batches(piece: Piece, chunk: int = CHUNK) -> Iterator[Batch]:
    """Give the records of a piece, a chunk of the file at a time."""
    dump = piece.dump
    splitter = Splitter(dump.framing, piece.start, piece.end)
    with closing(unpacked(partial(_from, dump.path, piece.start), dump.compression)) as stream:
        read = piece.start
        while not splitter.done:
            data, problem = read_fully(stream, chunk)
            read += len(data)
            last = problem != "" or len(data) < chunk
            batch = splitter.feed(data, last)
            if piece.end is not None:  # an error behind the piece is reported by the reader of the next
                batch.damage = [one for one in batch.damage if one.offset < piece.end]
            if problem:
                batch.damage.append(Damage(read, 0, problem))
            yield batch
            if last:
                break


def _from(path: str, start: int) -> BinaryIO:
    file = open_raw(path)
    if start:
        file.seek(start)
    return file
