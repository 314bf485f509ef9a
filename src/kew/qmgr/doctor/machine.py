"""The machine that the checks read; tests substitute another."""

import ctypes
import importlib.metadata
import os
import resource
import shutil
import struct
import subprocess
from dataclasses import dataclass

UNLIMITED = resource.RLIM_INFINITY
_TIMEX = 208  # bytes of struct timex on 64-bit Linux
_STATUS = struct.Struct("40xi")  # its member status
_UNSYNCHRONISED = 0x0040


@dataclass(frozen=True)
class Space:
    """The free space of a file system for this user."""

    free_bytes: int
    free_files: int
    all_files: int


class Machine:
    """The operating system's values for the checks."""

    def read(self, path: str) -> str:
        """Give the text of a small file; empty if it cannot be read."""
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                return file.read(1 << 20)
        except OSError:
            return ""

    def limit(self, number: int) -> tuple[int, int]:
        """Give the soft and the hard limit of a resource (RLIMIT_*)."""
        return resource.getrlimit(number)

    def which(self, program: str) -> str:
        """Give the path of a program; empty if there is none."""
        return shutil.which(program) or ""

    def said_by(self, *command: str) -> str:
        """Run a program that prints its version; gives the output, empty if the program fails."""
        try:
            done = subprocess.run(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=20
            )
        except (OSError, subprocess.TimeoutExpired):
            return ""
        return done.stdout.decode(errors="replace") if done.returncode == 0 else ""

    def version_below(self, distribution: str, directory: str) -> str:
        """Give the version of an installed distribution with files in a directory; empty if there is none."""
        below = os.path.realpath(directory) + os.sep
        for found in importlib.metadata.distributions(name=distribution):
            if any(os.path.realpath(str(found.locate_file(file))).startswith(below) for file in found.files or ()):
                return found.version
        return ""

    def space(self, path: str) -> Space:
        """Give the free space on the file system of a path."""
        status = os.statvfs(path)
        return Space(status.f_bavail * status.f_frsize, status.f_favail, status.f_files)

    def cores(self) -> int:
        """Give the number of processors that this process may use."""
        return len(os.sched_getaffinity(0))

    def clock_is_synchronised(self) -> bool | None:
        """Say whether the clock is synchronised; None if the kernel does not report it."""
        state = ctypes.create_string_buffer(_TIMEX)  # modes 0: only read
        if ctypes.CDLL(None).adjtimex(state) < 0:
            return None
        (status,) = _STATUS.unpack_from(state.raw)
        return not status & _UNSYNCHRONISED
