"""Processes of the laboratory, and their use of the machine."""

import contextlib
import json
import os
import subprocess
import sys
from typing import Any, Final

from kew.perf.board import Board

_TICK: Final = os.sysconf("SC_CLK_TCK")
_PAGE: Final = os.sysconf("SC_PAGE_SIZE")


class WorkerFailed(Exception):
    """A process of the laboratory ended, or could not carry out a request."""


class WorkerProcess:
    """A worker process, with its pipes for requests and answers."""

    def __init__(self, name: str, board: Board) -> None:
        self.name = name
        # A session of its own: Ctrl-C is for the driver, which then ends the workers in order.
        self._process = subprocess.Popen(
            [sys.executable, "-m", "kew.perf.worker", str(board.slots), str(board.descriptor)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            pass_fds=(board.descriptor,),
            start_new_session=True,
            text=True,
        )

    @property
    def pid(self) -> int:
        """Give the process's number."""
        return self._process.pid

    def say(self, operation: str, **more: Any) -> None:
        """Send a request; `hear` gives the answer."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps({"op": operation, **more}) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            raise WorkerFailed(f"{self.name} has ended") from None

    def hear(self) -> dict[str, Any]:
        """Wait for the answer."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise WorkerFailed(f"{self.name} has ended with {self._process.wait()}")
        answer: dict[str, Any] = json.loads(line)
        if "error" in answer:
            raise WorkerFailed(f"{self.name}: {answer['error']}")
        return answer

    def ask(self, operation: str, **more: Any) -> dict[str, Any]:
        """Send a request and wait for the answer."""
        self.say(operation, **more)
        return self.hear()

    def end(self, seconds: float = 30.0) -> None:
        """End the process, by force where it does not end by itself."""
        with contextlib.suppress(WorkerFailed):
            self.say("end")
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with contextlib.suppress(BrokenPipeError):
                    pipe.close()


def cpu_seconds(pid: int) -> float:
    """Give the user and system time of a process, its threads and its children that have ended."""
    with contextlib.suppress(OSError, IndexError, ValueError):
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
            fields = file.read().rpartition(")")[2].split()
        return sum(map(int, fields[11:15])) / _TICK
    return 0.0


def children(pid: int) -> list[int]:
    """Give the child processes of a process: its isolated bindings."""
    found = []
    with contextlib.suppress(OSError):
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children", encoding="ascii") as file:
                found += [int(each) for each in file.read().split()]
    return found


def family_cpu(pid: int) -> float:
    """Give the CPU time of a process and of those it has started."""
    return cpu_seconds(pid) + sum(cpu_seconds(child) for child in children(pid))


def resident_bytes(pid: int) -> int:
    """Give the resident memory of a process."""
    with contextlib.suppress(OSError), open(f"/proc/{pid}/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * _PAGE
    return 0


def machine_seconds() -> float:
    """Give the CPU time that all processes of the machine have used."""
    with contextlib.suppress(OSError):
        with open("/proc/stat", encoding="ascii") as file:
            fields = [int(each) / _TICK for each in file.readline().split()[1:]]
        return sum(fields[0:3]) + sum(fields[5:7])
    return 0.0
