"""A developer's queue manager in a process of its own that says, when it is asked, how often its log was synced."""

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kew.cli.serve import return_large_blocks, settle
from kew.commands.actions.script import Counts
from kew.perf.ports import free_port
from kew.perf.processes import cpu_seconds
from kew.qmgr import manager
from kew.qmgr.control.client import ControlClient
from kew.storage.directories import directory_of

NAME = "BENCH"


class Host:
    """The process, seen from outside."""

    def __init__(self, process: "subprocess.Popen[str]", port: int) -> None:
        self._process = process
        self.port = port

    def syncs(self) -> int:
        """How often the log was synced so far."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(file=self._process.stdin, flush=True)
        return int(self._process.stdout.readline())

    def sample(self) -> tuple[float, int]:
        """The CPU seconds it has used, and how often its log was synced, so far."""
        return cpu_seconds(self._process.pid), self.syncs()


@contextmanager
def hosting(script: str) -> Iterator[Host]:
    """Run a queue manager, on the disk of the current directory, that has carried out a script of commands."""
    with tempfile.TemporaryDirectory(prefix="kew-bench-", dir=".") as where:
        data, port = str(Path(where).absolute()), free_port()
        command = [sys.executable, "-m", "tests.bench.native.host", data, str(port)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
            host = Host(process, port)
            host.syncs()
            counts = Counts()
            with ControlClient(directory_of(data, NAME)) as control:
                said = list(control.run(script, counts))
            assert not counts.failed, said
            yield host


def main() -> None:
    """The process: where its data is, and the port; it ends when nobody can ask it any more."""
    data, port = sys.argv[1:]
    return_large_blocks()
    manager.create(NAME, data=data)
    running = manager.start(NAME, data, developer=True)
    running.listen(int(port))
    settle()
    for _line in sys.stdin:
        print(running.host.log.counters.copies[0].syncs, flush=True)
    running.stop()


if __name__ == "__main__":
    main()
