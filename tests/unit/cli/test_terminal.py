"""The MQSC prompt on a real terminal: keys go in, the screen comes out."""

import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from fcntl import ioctl
from pathlib import Path

import pytest

from kew.qmgr import manager
from kew.qmgr.config import Configuration, LogConfiguration

PATIENCE = 60.0
TAB = b"\t"
UP = b"\x1b[A"
INTERRUPT = b"\x03"
END_OF_INPUT = b"\x04"


class Terminal:
    """`kew mqsc QM1` on a terminal of 24 lines."""

    def __init__(self, pager: str = "cat") -> None:
        self.descriptor, inner = pty.openpty()
        ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 100, 0, 0))
        environment = {**os.environ, "TERM": "xterm", "PAGER": pager, "PROMPT_TOOLKIT_NO_CPR": "1"}
        command = [sys.executable, "-m", "kew.cli", "mqsc", "QM1"]
        self.process = subprocess.Popen(
            command, stdin=inner, stdout=inner, stderr=inner, env=environment, start_new_session=True
        )
        os.close(inner)
        self.shown = ""

    def until(self, wanted: str) -> str:
        """Read the screen until it shows something; gives what came since the last look.

        Blanks do not count: where the cursor moves between two letters depends on how fast they come.
        """
        wanted = "".join(wanted.split())
        limit = time.monotonic() + PATIENCE
        while wanted not in self.shown:
            assert select.select([self.descriptor], [], [], max(0.0, limit - time.monotonic()))[0], self.shown
            try:
                data = os.read(self.descriptor, 65536)
            except OSError:
                data = b""
            assert data, self.shown
            self.shown += re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]|\s", "", data.decode(errors="replace"))
        before, _, self.shown = self.shown.partition(wanted)
        return before

    def type(self, keys: bytes) -> None:
        os.write(self.descriptor, keys)

    def exit_code(self) -> int:
        return self.process.wait(PATIENCE)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.descriptor)


GREEDY = """#!/bin/sh
cat
echo PAGED, press x
exec 0<&1
stty raw -echo
dd bs=1 count=1 of=/dev/null 2>/dev/null
stty sane
echo QUIT
"""


@pytest.fixture
def terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[Terminal]:
    """The prompt; its pager is cat, or the script that a test is parametrised with."""
    monkeypatch.setenv("KEW_DATA", str(tmp_path))
    manager.create("QM1", Configuration(log=LogConfiguration(file_pages=64)))
    pager = "cat"
    if getattr(request, "param", ""):
        script = tmp_path / "pager"
        script.write_text(request.param)
        script.chmod(0o700)
        pager = str(script)
    with manager.start("QM1"):
        opened = Terminal(pager)
        opened.until("TAB completes, ? helps, END ends.")
        opened.until("QM1>")
        yield opened
        opened.close()


def test_a_session(terminal: Terminal, tmp_path: Path) -> None:
    terminal.type(b"defi" + TAB)
    terminal.until("DEFINE")
    terminal.type(b" QLO" + TAB)
    terminal.until("QLOCAL")
    terminal.type(b"(NEW.Q) +\r")
    terminal.until("    >")
    terminal.type(b"MAXD" + TAB)
    terminal.until("MAXDEPTH")
    terminal.type(b"(7)\r")
    terminal.until("AMQ8006I: Kew queue created.")
    terminal.until("QM1>")
    terminal.type(b"DISPLAY QLOCAL(NEW" + TAB)
    terminal.until("NEW.Q")
    terminal.type(b") MAXDEPTH\r")
    terminal.until("   MAXDEPTH(7)")
    terminal.until("QM1>")
    terminal.type(UP + UP)  # the whole command of two lines comes back
    terminal.until("MAXDEPTH(7)")
    terminal.type(INTERRUPT)
    terminal.until("QM1>")
    terminal.type(b"END\r")
    terminal.until("2 MQSC commands read.")
    assert terminal.exit_code() == 0
    past = (tmp_path / "mqsc_history").read_text()
    assert "+DEFINE QLOCAL(NEW.Q) +\n+MAXDEPTH(7)\n" in past
    assert (tmp_path / "mqsc_history").stat().st_mode & 0o077 == 0


def test_help_errors_pages_and_the_end_of_input(terminal: Terminal) -> None:
    terminal.type(b"DEFINE QLOCAL(X) MAXDEPTH ?\r")
    terminal.until("Most messages the queue holds.")
    terminal.until("QM1>")
    terminal.type(b"DISPLAY QMGR ALL\r")  # longer than the screen: shown by the pager
    terminal.until("XRCAP(")
    terminal.until("QM1>")
    terminal.type(b"DELETE QLOCAL(NOT.THERE)\r")
    terminal.until("AMQ8147E")
    terminal.until("QM1>")
    terminal.type(END_OF_INPUT)
    terminal.until("One valid MQSC command could not be processed.")
    assert terminal.exit_code() == 10


@pytest.mark.parametrize("terminal", [GREEDY], indirect=True)
def test_the_pager_leaves_what_is_pasted_and_errors_to_the_prompt(terminal: Terminal) -> None:
    terminal.type(b"DISPLAY QMGR ALL\rDEFINE QLOCAL(PASTED)\r")
    assert "PAGED" not in terminal.until("AMQ8006I: Kew queue created.")
    terminal.until("QM1>")
    terminal.type(b"DEFINE QLOCAL(X) NONSENSE(1)\r")  # its syntax is longer than the screen
    assert "PAGED" not in terminal.until("USAGE( NORMAL | XMITQ )")
    terminal.until("QM1>")
    terminal.type(b"DISPLAY QMGR ALL\r")
    terminal.until("PAGED, press x")
    terminal.type(b"x")
    terminal.until("QUIT")
    terminal.until("QM1>")
    terminal.type(b"END\r")
    assert terminal.exit_code() == 10
