"""First-failure files, AMQnnnnn.n.FDC: the state of the process when an unexpected error happened.

A file is written once, at the first failure, so that the failure need not be reproduced: process and time, the stack,
and the state that the caller passes, bytes as a hexadecimal dump. The size of a file and the number of files are
limited.
"""

import os
import posixpath
import threading
import traceback
from collections.abc import Mapping, Sequence
from typing import Final

from kew.codes.messages import Notices
from kew.qmgr.errorlog import Identity, clean, process_and_thread, timestamp
from kew.storage.clock import Clock
from kew.storage.disk import Disk, DiskError

MAX_FILES: Final = 50
MAX_BYTES: Final = 1 << 20
MAX_DUMP: Final = 64 << 10
_WIDTH: Final = 76


def hexadecimal_dump(data: bytes) -> list[str]:
    """Format bytes, sixteen a line: offset, hexadecimal, and printable characters."""
    lines = []
    for offset in range(0, min(len(data), MAX_DUMP), 16):
        row = data[offset : offset + 16]
        shown = "".join([chr(byte) if 32 <= byte < 127 else "." for byte in row])
        lines.append(f"{offset:08X}  {row.hex(' ', 4).upper():<35}  {shown}")
    if len(data) > MAX_DUMP:
        lines.append(f"... {len(data) - MAX_DUMP} more bytes")
    return lines


class FirstFailures:
    """Writes first-failure files into one directory and reports each to the operator."""

    def __init__(self, disk: Disk, directory: str, identity: Identity, clock: Clock, notices: Notices) -> None:
        self.written = 0
        self.dropped = 0
        self._disk = disk
        self._directory = directory
        self._identity = identity
        self._clock = clock
        self._notices = notices
        self._lock = threading.Lock()

    def record(
        self,
        probe: str,
        component: str,
        comments: Sequence[str] = (),
        state: Mapping[str, str | bytes] | None = None,
        error: BaseException | None = None,
    ) -> str:
        """Write a file and give its path; empty if the limit is reached or the disk refuses."""
        text = self._format(probe, component, comments, state or {}, error)
        data = text.encode("utf-8", errors="replace")
        if len(data) > MAX_BYTES:
            data = data[:MAX_BYTES] + b"\n... cut here\n"
        with self._lock:
            if self.written >= MAX_FILES:
                self.dropped += 1
                return ""
            self.written += 1
        try:
            path = self._write(data)
        except DiskError as problem:
            number = problem.errno or 0
            self._notices.tell("AMQ6119S", (number,), (problem.path, problem.operation, problem.detail))
            return ""
        self._notices.tell("AMQ6184W", (), (path, probe, component))
        return path

    def _write(self, data: bytes) -> str:
        self._disk.make_directory(self._directory)
        with self._lock:
            number = 0
            while True:
                path = posixpath.join(self._directory, f"AMQ{os.getpid():05d}.{number}.FDC")
                if not self._disk.exists(path):
                    break
                number += 1
            file = self._disk.open(path, create=True)
        try:
            file.pwrite(data, 0)
            file.sync()
        finally:
            file.close()
        self._disk.sync_directory(self._directory)
        return path

    def _format(
        self,
        probe: str,
        component: str,
        comments: Sequence[str],
        state: Mapping[str, str | bytes],
        error: BaseException | None,
    ) -> str:
        _, iso = timestamp(self._clock.time())
        facts = [
            ("Date/Time", iso),
            ("Host Name", self._identity.host),
            ("LVLS", self._identity.vrmf),
            ("Installation", self._identity.installation),
            ("Queue Manager", self._identity.queue_manager),
            ("Program Name", self._identity.program),
            ("User", self._identity.user),
            ("Process.Thread", process_and_thread()),
            ("Component", component),
            ("Probe Id", probe),
        ]
        facts += [(f"Comment{number}", clean(comment)) for number, comment in enumerate(comments, 1)]
        rule = "+" + "-" * _WIDTH + "+"
        lines = [rule, f"| {'Kew First Failure Symptom Report':<{_WIDTH - 1}}|", rule]
        lines += [f"| {name:<17}:- {value}" for name, value in facts]
        lines.append(rule)
        if error is not None:
            stack = "".join(traceback.format_exception(error))
        else:
            stack = "".join(traceback.format_stack()[:-2])
        lines += ["", "Function stack", stack.rstrip()]
        for name, value in state.items():
            lines += ["", clean(name)]
            lines += hexadecimal_dump(value) if isinstance(value, bytes) else value.splitlines()
        return "\n".join(lines) + "\n"
