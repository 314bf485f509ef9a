"""Carries a page of the documentation out in a shell, as its reader would: an empty home, and Kew on the path.

Two things differ from the reader's machine. The ports 1414 and 1415 of the page are free ones here; `kew start --dev`
is told the first, and its remark on that is left out; and the home directory is a temporary one, shown as /home/you.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Final

from kew.perf.ports import free_port
from tests.docs.page import File, Page

ROOT: Final = Path(__file__).parents[2]
HOME: Final = "/home/you"
PORT: Final = "1414"
SECOND_PORT: Final = "1415"
SECONDS: Final = 600
_TOLD_PORT: Final = re.compile(rf"^Port {PORT} is for this start only\..*\n", re.MULTILINE)
_MARK: Final = "\x01end of command\x01"
_KEW: Final = """#!/bin/sh
case " $* " in
  *" start "*" --dev "*) exec {python} -m kew.cli "$@" --port {port} ;;
  *) exec {python} -m kew.cli "$@" ;;
esac
"""


def carry_out(page: Page, home: Path) -> list[list[str]]:
    """Carry out the steps of a page; gives the lines that each command said."""
    port, second = str(free_port()), str(free_port())
    environment = _furnish(home, port)
    script = "".join([_step(step, port, second) for step in page.steps])
    process = subprocess.Popen(
        ["bash", "-c", script],
        cwd=home,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        said, _none = process.communicate(timeout=SECONDS)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        _end_queue_managers(environment)
    said = _TOLD_PORT.sub("", said.replace(str(home), HOME).replace(port, PORT).replace(second, SECOND_PORT))
    return [part.strip("\n").splitlines() for part in said.split(_MARK)[:-1]]


def _furnish(home: Path, port: str) -> dict[str, str]:
    """Make the reader's machine: the examples in the current directory, `kew` and `python` on the path."""
    programs = home / ".bin"
    programs.mkdir()
    for name, text in (("kew", _KEW), ("python", '#!/bin/sh\nexec {python} "$@"\n')):
        (programs / name).write_text(text.format(python=sys.executable, port=port))
        (programs / name).chmod(0o755)
    shutil.copytree(ROOT / "examples", home / "examples", ignore=shutil.ignore_patterns("__pycache__"))
    kept = {name: value for name, value in os.environ.items() if name not in ("KEW_DATA", "XDG_DATA_HOME")}
    source = [str(Path(each).resolve()) for each in os.environ.get("PYTHONPATH", "").split(":") if each]
    return {
        **kept,
        "HOME": str(home),
        "PATH": f"{programs}:{os.environ['PATH']}",
        "PYTHONPATH": ":".join(source),
        "COLUMNS": "100",
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        "USER": "you",
        "LOGNAME": "you",
    }


def _step(step: object, port: str, second: str) -> str:
    if isinstance(step, File):
        text = step.text.replace(PORT, port).replace(SECOND_PORT, second)
        return f"cat > '{step.name}' <<'END OF FILE'\n{text}END OF FILE\n"
    text = getattr(step, "text", "").replace(PORT, port).replace(SECOND_PORT, second)
    return f"{text}\nprintf '%s' '{_MARK}'\n"


def _end_queue_managers(environment: dict[str, str]) -> None:
    data = Path(environment["HOME"], ".local/share/kew/qmgrs")
    for lock in data.glob("*/lock"):
        subprocess.run(
            [sys.executable, "-m", "kew.cli", "stop", lock.parent.name.replace("!", "."), "--immediate"],
            env=environment,
            capture_output=True,
            check=False,
            timeout=SECONDS,
        )
