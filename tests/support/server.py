"""A queue manager in a process of its own, that tests may kill, and whose memory they may look at."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from time import monotonic

from kew import client
from kew.commands.actions.script import Counts
from kew.perf.ports import free_port
from kew.qmgr.control.client import ControlClient
from kew.storage.directories import directory_of

NAME = "QM1"
OPEN_CHANNEL = "OPEN"  # by which programs come in without a password, which would take its time
PATIENCE = 60.0


class ServerProcess:
    """`kew start` in a directory; it can be killed and started again."""

    def __init__(self, data: Path, channel: str = "", name: str = NAME) -> None:
        self.data = data
        self.name = name
        self.port = free_port()
        self._process: subprocess.Popen[str] | None = None
        self._channel = channel
        self._furnished = False

    def __enter__(self) -> "ServerProcess":
        self.start()
        return self

    def __exit__(self, *_problem: object) -> None:
        self.kill()

    @property
    def process(self) -> int:
        """Its number."""
        assert self._process is not None
        return self._process.pid

    @property
    def address(self) -> str:
        return f"127.0.0.1({self.port})"

    def start(self) -> None:
        """Start it, and wait until it serves."""
        environment = {**os.environ, "KEW_DATA": str(self.data)}
        command = [
            sys.executable,
            "-m",
            "kew.cli",
            "start",
            self.name,
            "--dev",
            "--port",
            str(self.port),
            "--foreground",
        ]
        self._process = subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        assert self._process.stdout is not None
        began = monotonic()
        while "started" not in self._process.stdout.readline():
            assert self._process.poll() is None, "the queue manager did not start"
            assert monotonic() - began < PATIENCE
        if not self._furnished:
            self._furnished = True
            self.mqsc(
                f"DEFINE CHANNEL({OPEN_CHANNEL}) CHLTYPE(SVRCONN) MCAUSER('app') {self._channel}",
                f"SET CHLAUTH({OPEN_CHANNEL}) TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(CHANNEL)",
                "SET AUTHREC PROFILE('DEV.**') OBJTYPE(QUEUE) PRINCIPAL('app') AUTHADD(ALLMQI)",
            )

    def mqsc(self, *commands: str) -> str:
        """Give commands, each of which must succeed; what was said."""
        counts = Counts()
        said: list[str] = []
        with ControlClient(directory_of(str(self.data), self.name)) as control:
            for lines in control.run("\n".join(commands), counts):
                said.extend(lines)
        assert not counts.failed, said
        assert not counts.syntax_errors, said
        return "\n".join(said)

    def connect(self, conversations: int = 1, channel: str = OPEN_CHANNEL) -> client.Connection:
        return client.connect(self.name, self.address, channel, application="tests", conversations=conversations)

    def alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def memory(self) -> int:
        """The bytes of memory that it has."""
        pages = int(Path(f"/proc/{self.process}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")

    def first_failures(self) -> list[Path]:
        """What it wrote down of mistakes of its own."""
        return list(Path(directory_of(str(self.data), self.name), "errors").glob("*.FDC"))

    def kill(self, number: int = signal.SIGKILL) -> None:
        """End it, and wait until it is gone."""
        process = self._process
        if process is not None:
            self._process = None
            if process.poll() is None:
                process.send_signal(number)
            process.wait(PATIENCE)
            assert process.stdout is not None
            process.stdout.close()
