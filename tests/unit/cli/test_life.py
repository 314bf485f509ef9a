"""`kew` makes, starts, stops, backs up and deletes queue managers, and says clearly what it cannot do."""

import contextlib
import json
import os
import shlex
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from kew.qmgr.existing import names, running_process

NAME = "CLI.QM"


class Command:
    """Runs `kew` as a user would, in a data directory of its own."""

    def __init__(self, data: Path) -> None:
        self.environment = {**os.environ, "KEW_DATA": str(data)}

    def __call__(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "kew.cli", *arguments],
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )

    def create(self) -> Path:
        """Make a queue manager with a small log; gives its directory."""
        made = self("create", NAME, "-lf", "64")
        assert (made.returncode, made.stderr) == (0, "")
        return Path(self.environment["KEW_DATA"], "qmgrs", NAME.replace(".", "!"))


@pytest.fixture
def kew(tmp_path: Path) -> Iterator[Command]:
    data = tmp_path / "data"
    yield Command(data)
    for name in names(str(data)):
        process = running_process(name, str(data))
        if process:
            os.kill(process, signal.SIGKILL)


def test_a_whole_life(kew: Command, tmp_path: Path) -> None:
    made = kew("create", NAME, "-lf", "64", "-lp", "2")
    assert (made.returncode, made.stderr) == (0, "")
    assert kew("start", NAME).stdout == f"Queue manager '{NAME}' started.\n"
    rows = json.loads(kew("status", NAME, "--json").stdout)
    assert rows[0]["status"] == "Running"
    assert "Page set 1: 0 pages recorded." in kew("image", NAME, "1").stdout
    assert "has no local queue NO.SUCH" in kew("image", NAME, "--queue", "NO.SUCH").stderr
    assert "Fuzzy backup" in kew("backup", NAME, str(tmp_path / "fuzzy")).stdout
    assert kew("stop", NAME).returncode == 0
    assert "Full backup" in kew("backup", NAME, str(tmp_path / "full")).stdout
    assert kew("restore", NAME, str(tmp_path / "full")).returncode == 0
    assert "Page set 1: 0 pages recorded." in kew("image", NAME).stdout
    assert "has no page set 77" in kew("image", NAME, "77").stderr
    assert kew("units", NAME).stdout == "No unit of work is in doubt.\n"
    assert kew("delete", NAME).returncode == 0
    assert kew("list").stdout == ""


def test_page_sets_are_made_as_asked_for(kew: Command) -> None:
    made = kew(
        "create", "MANY", "-lf", "64", "--page-sets", "15", "--pages", "40", "--expand", "none", "--buffers", "500"
    )
    assert made.returncode == 0, made.stderr
    assert kew("start", "MANY").returncode == 0
    shown = kew("mqsc", "MANY", "-e", "DISPLAY USAGE PSID(*)").stdout
    assert [number for number in range(100) if f"PSID({number}) " in shown] == list(range(16))
    assert shown.count("TOTAL(40)") == 15
    assert shown.count("EXPAND(NONE)") == 15
    assert kew("stop", "MANY").returncode == 0
    assert kew("create", "FEW", "--page-sets", "0").returncode == 2


def test_the_lists_of_queue_managers_load_nothing_that_runs_one(kew: Command) -> None:
    kew.create()
    program = "import sys, kew.cli; kew.cli.main(sys.argv[1:], standalone_mode=False); print('kew.mqi' in sys.modules)"
    for words in (("list",), ("status",), ("status", NAME)):
        command = [sys.executable, "-c", program, *words]
        done = subprocess.run(command, env=kew.environment, capture_output=True, text=True, check=True)
        assert done.stdout.startswith(f"QMNAME({NAME})  STATUS(Ended immediately)  ")
        assert done.stdout.endswith("\nFalse\n")


def test_the_package_is_the_command_too(kew: Command) -> None:
    done = subprocess.run([sys.executable, "-m", "kew", "list"], env=kew.environment, capture_output=True, check=True)
    assert done.stdout == b""


def test_a_second_start_is_refused_and_names_the_first(kew: Command) -> None:
    kew.create()
    kew("start", NAME)
    process = json.loads(kew("status", NAME, "--json").stdout)[0]["process"]
    again = kew("start", NAME)
    assert again.returncode == 5
    assert f"already running as process {process}" in again.stderr
    assert "Traceback" not in again.stderr
    assert kew("delete", NAME).returncode == 5
    assert kew("stop", NAME, "--immediate").returncode == 0


def test_start_after_kill_needs_no_help(kew: Command) -> None:
    kew.create()
    kew("start", NAME)
    process = json.loads(kew("status", NAME, "--json").stdout)[0]["process"]
    os.kill(process, signal.SIGKILL)
    assert kew("start", NAME).returncode == 0
    assert kew("stop", NAME).returncode == 0


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("start", "NOT.THERE"), 16, "AMQ8118E"),
        (("stop", "NOT.THERE"), 16, "AMQ8118E"),
        (("create", "bad name"), 2, "is not a valid name of a queue manager"),
        (("create", NAME, "-lf", "1"), 2, "64<=x<=65535"),
        (("restore", "NOT.THERE", "nowhere"), 16, "AMQ8118E"),
        (("resolve", NAME, "xyz", "--commit"), 2, "hexadecimal"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(
    kew: Command, arguments: tuple[str, ...], code: int, said: str
) -> None:
    result = kew(*arguments)
    assert result.returncode == code
    assert said in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("Log:\n   LogBufferPages=1\n", "LogBufferPages"),
        ("Log:\n   LogBuferPages=512\n", "LogBufferPages"),
        ("Log:\n   LogFilePages=128\n", "created with 64"),
    ],
)
def test_bad_configuration_names_the_key_and_changes_nothing(kew: Command, line: str, said: str) -> None:
    ini = kew.create() / "qm.ini"
    ini.write_text(f"# Kew qm.ini 2 of queue manager {NAME}\n{line}")
    files = {path: path.stat().st_mtime_ns for path in ini.parent.rglob("*") if path.is_file() and path.name != "lock"}
    result = kew("start", NAME)
    assert result.returncode == 20
    assert said in result.stderr
    assert {path: path.stat().st_mtime_ns for path in files} == files


def test_damaged_log_names_the_file(kew: Command) -> None:
    boot = kew.create() / "log" / "copy1" / "BOOTSTRAP"
    boot.write_bytes(bytes(boot.stat().st_size))
    result = kew("start", NAME)
    assert result.returncode == 20
    assert "BOOTSTRAP" in result.stderr


def test_status_tells_what_the_queue_manager_says_of_itself(kew: Command) -> None:
    kew.create()
    ended = json.loads(kew("status", NAME, "--json").stdout)
    assert (ended[0]["status"], "qmstatus" in ended[0]) == ("Ended immediately", False)
    assert kew("status", NAME).stdout.startswith(f"QMNAME({NAME})  STATUS(Ended immediately)  ")
    kew("start", NAME)
    (facts,) = json.loads(kew("status", NAME, "--json").stdout)
    assert facts["qmstatus"]["STATUS"] == "RUNNING"
    shown = kew("status", NAME).stdout
    assert shown.startswith(f"QMNAME({NAME})  STATUS(Running)  process {facts['process']}  ")
    assert "STARTDA(" in shown
    assert kew("stop", NAME).returncode == 0


@pytest.mark.parametrize("how", [(), ("--immediate",)])
def test_a_program_that_waits_is_told_and_does_not_hold_up_the_end(kew: Command, how: tuple[str, ...]) -> None:
    kew("start", NAME, "--dev")  # on this machine no port is needed
    waiting = subprocess.Popen(
        [sys.executable, "-m", "kew.cli", "get", NAME, "DEV.QUEUE.1", "--wait", "-1"],
        env=kew.environment,
        stderr=subprocess.PIPE,
        text=True,
    )
    while "IPPROCS(1)" not in kew("mqsc", NAME, "-e", "DISPLAY QLOCAL(DEV.QUEUE.1) IPPROCS").stdout:
        assert waiting.poll() is None
    assert kew("stop", NAME, *how).stdout == f"Queue manager '{NAME}' ended.\n"
    _output, said = waiting.communicate(timeout=30)
    assert waiting.returncode == 20
    assert said.startswith("kew: 2161 MQRC_Q_MGR_QUIESCING" if not how else "kew: 2")


def test_what_qm_ini_says_in_vain_is_told_at_the_start(kew: Command) -> None:
    ini = kew.create() / "qm.ini"
    ini.write_text(ini.read_text() + "ExitPath:\n   ExitsDefaultPath=/exits\n")
    started = kew("start", NAME)
    assert started.returncode == 0
    assert "ExitsDefaultPath has no effect: native exits cannot be loaded" in started.stderr
    assert kew("stop", NAME).returncode == 0


def test_a_developer_is_told_what_to_try_and_where(kew: Command) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "kew.cli", "start", NAME, "--dev", "--foreground", "--port", str(port)]
    served = subprocess.Popen(command, env=kew.environment, stdout=subprocess.PIPE, text=True)
    assert served.stdout is not None
    lines = [served.stdout.readline()]
    while "--help" not in lines[-1]:
        lines.append(served.stdout.readline())
    assert lines[0] == f"Queue manager '{NAME}' started. Ctrl-C stops it.\n"
    assert f"  kew put {NAME} DEV.QUEUE.1 'Hello'\n" in lines
    assert f"connect to localhost({port}), channel DEV.APP.SVRCONN, user app, password 'password'" in lines[2]
    assert "DEV.ADMIN.SVRCONN, user admin" in lines[3]
    served.send_signal(signal.SIGINT)
    assert served.stdout.read() == f"Queue manager '{NAME}' ended.\n"
    assert served.wait(120) == 0
    served.stdout.close()


def test_a_supervisor_is_told_when_it_takes_work_and_when_it_ends(kew: Command, tmp_path: Path) -> None:
    kew.create()
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as supervisor:
        supervisor.bind(str(tmp_path / "notify"))
        supervisor.settimeout(30)
        command = [sys.executable, "-m", "kew.cli", "start", NAME, "--foreground"]
        environment = {**kew.environment, "NOTIFY_SOCKET": str(tmp_path / "notify")}
        served = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
        assert supervisor.recv(100) == b"READY=1"
        assert kew("mqsc", NAME, "-e", "PING QMGR").returncode == 0
        served.send_signal(signal.SIGTERM)
        assert supervisor.recv(100) == b"STOPPING=1"
        assert served.wait(120) == 0


@pytest.mark.parametrize("developer", [True, False])
def test_a_port_of_one_start_is_told_with_what_keeps_it(kew: Command, developer: bool) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    dev = ["--dev"] if developer else []
    if not developer:
        kew.create()
    said = kew("start", NAME, *dev, "--port", port).stderr
    assert said.startswith(f"Port {port} is for this start only. To keep it: kew mqsc {NAME} -e ")
    assert kew(*shlex.split(said.partition(" kew ")[2])).returncode == 0
    assert kew("stop", NAME).returncode == 0
    assert kew("start", NAME).stderr == ""
    assert f"PORT({port})" in kew("mqsc", NAME, "-e", "DISPLAY LSSTATUS(*) PORT").stdout
    assert kew("stop", NAME).returncode == 0
    assert kew("start", NAME, *dev).stderr == ""
    assert kew("stop", NAME).returncode == 0


def _hold(held: contextlib.ExitStack) -> bool:
    try:
        held.enter_context(socket.create_server(("127.0.0.1", 1414)))
    except OSError:
        return False
    return True


def test_a_developer_is_told_that_the_port_is_taken(kew: Command) -> None:
    with contextlib.ExitStack() as held:
        # Somebody else may have it: for good, or, as the same test of a suite beside this one, for a while.
        until = time.monotonic() + 60
        while not _hold(held) and time.monotonic() < until:
            time.sleep(0.1)
        started = kew("start", NAME, "--dev")
        assert started.returncode == 0
        assert started.stderr.endswith("the port is in use. Take another one with --port.\n")
        assert kew("stop", NAME).returncode == 0
        refused = kew("start", NAME, "--dev", "--port", "1414")
        assert refused.returncode == 1
        assert "port 1414 cannot be listened on" in refused.stderr
