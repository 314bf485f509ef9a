"""`kew create`, `start`, `stop`, `delete`, `list` and `status`."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from typing import Any, Final, Literal

import click

from kew.cli.names import QUEUE_MANAGER
from kew.qmgr import manager
from kew.qmgr.config import Configuration, LogConfiguration
from kew.qmgr.names import data_directory, directory_of
from kew.qmgr.places import Places
from kew.storage.disk import LockedError, RealDisk
from kew.storage.log.settings import EXTENTS_LIMIT, PRIMARY_LIMIT

_READY: Final = b"ready\n"
_POLL: Final = 0.02


@click.command()
@click.argument("name")
@click.option(
    "--log-type",
    type=click.Choice(["circular", "linear"]),
    default="circular",
    help="Reuse log files, or keep them for media recovery.",
)
@click.option("--dual-log", is_flag=True, help="Keep two copies of the log.")
@click.option(
    "-lf", "file_pages", type=click.IntRange(64, 65535), default=4096, metavar="N", help="Pages of 4 KB in a log file."
)
@click.option(
    "-lp", "primary", type=click.IntRange(2, PRIMARY_LIMIT), default=3, metavar="N", help="Primary log files."
)
@click.option(
    "-ls", "secondary", type=click.IntRange(1, EXTENTS_LIMIT - 2), default=2, metavar="N", help="Secondary log files."
)
def create(
    name: str, log_type: Literal["circular", "linear"], dual_log: bool, file_pages: int, primary: int, secondary: int
) -> None:
    """Make the queue manager NAME.

    Example: kew create QM1 --log-type linear --dual-log -lf 16384 -lp 10
    """
    log = LogConfiguration(
        primary_files=primary,
        secondary_files=secondary,
        file_pages=file_pages,
        log_type=log_type,
        copies=2 if dual_log else 1,
    )
    manager.create(name, Configuration(log=log))
    click.echo(f"Queue manager '{name}' created in {directory_of(data_directory(), name)}.")


@click.command()
@click.argument("name", type=QUEUE_MANAGER)
@click.option("--dev", is_flag=True, help="Create it if need be, with the objects that developers expect.")
@click.option(
    "--port",
    type=click.IntRange(1, 65535),
    metavar="N",
    help="Listen on this port: with --dev on this machine only, else on all its addresses.",
)
@click.option("--foreground", is_flag=True, help="Stay in the foreground until stopped.")
@click.option("--ready-fd", type=int, default=-1, hidden=True)
def start(name: str, dev: bool, port: int | None, foreground: bool, ready_fd: int) -> None:
    """Start the queue manager NAME; returns once it takes work.

    Listeners with CONTROL(QMGR) or CONTROL(STARTONLY) start with it; that of --dev listens on port 1414 of this
    machine, or where --port says.

    Example: kew start QM1 --dev --port 1415
    """
    if dev and not manager.exists(name):
        manager.create(name)
    if foreground:
        _serve(name, ready_fd, dev, port)
    else:
        _start_in_background(name, dev, port)
        click.echo(f"Queue manager '{name}' started.")


def _serve(name: str, ready_fd: int, developer: bool, port: int | None) -> None:
    ending = threading.Event()  # asked to end, or broken
    at_once = threading.Event()  # without waiting for programs that are connected
    outcome: list[int] = []

    def broken() -> None:
        outcome.append(1)
        at_once.set()
        ending.set()

    def immediate(_number: int, _frame: object) -> None:
        at_once.set()
        ending.set()

    signal.signal(signal.SIGTERM, lambda _number, _frame: ending.set())
    signal.signal(signal.SIGINT, immediate)

    def asked(immediately: bool) -> None:
        if immediately:
            at_once.set()
        ending.set()

    running = manager.start(name, developer=developer)
    running.on_broken = broken
    running.host.commands.stop = asked
    try:
        running.listen(port)
    except OSError as problem:
        running.stop()
        raise click.ClickException(f"port {port} cannot be listened on: {problem.strerror}") from problem
    for remark in running.remarks:
        click.echo(f"qm.ini line {remark.line}: {remark.stanza} {remark.key} has no effect: {remark.why}", err=True)
    if ready_fd >= 0:
        os.write(ready_fd, _READY)
        os.close(ready_fd)
    else:
        click.echo(f"Queue manager '{name}' started. Ctrl-C stops it.")
    ending.wait()
    if not at_once.is_set():
        running.quiesce()
        while running.host.engine.connections and not at_once.wait(_POLL):
            pass
    if outcome:
        # The log or a page set can no longer be written. Nothing more is acknowledged; a restart sorts it out.
        running.errors.write_pending()
        os._exit(71)
    running.stop()


def _start_in_background(name: str, developer: bool, port: int | None) -> None:
    reader, writer = os.pipe()
    command = [sys.executable, "-m", "kew.cli", "start", name, "--foreground", "--ready-fd", str(writer)]
    if developer:
        command.append("--dev")
    if port is not None:
        command.extend(["--port", str(port)])
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        pass_fds=(writer,),
        start_new_session=True,
    )
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        said = pipe.read()
    if said != _READY:
        _output, problem = process.communicate()
        click.echo(problem.decode(errors="replace").rstrip(), err=True)
        raise SystemExit(process.returncode or 1)


@click.command()
@click.argument("name", type=QUEUE_MANAGER)
@click.option("--immediate", is_flag=True, help="Back out what is uncommitted instead of letting it finish.")
@click.option("--wait", "seconds", type=click.FloatRange(0), default=30.0, show_default=True, help="Seconds to wait.")
def stop(name: str, immediate: bool, seconds: float) -> None:
    """Stop the queue manager NAME.

    Example: kew stop QM1 --immediate
    """
    owner = running_process(name)
    if not owner:
        raise click.ClickException(f"Queue manager '{name}' is not running.")
    os.kill(owner, signal.SIGINT if immediate else signal.SIGTERM)
    until = time.monotonic() + seconds
    while running_process(name):
        if time.monotonic() > until:
            raise click.ClickException(f"Queue manager '{name}' (process {owner}) has not ended after {seconds:g} s.")
        time.sleep(_POLL)
    click.echo(f"Queue manager '{name}' ended.")


def running_process(name: str) -> int:
    """Give the process that hosts a queue manager, 0 when it does not run."""
    disk = RealDisk()
    if not manager.exists(name):
        raise manager.QueueManagerError("AMQ8118E", (), (name, data_directory()))
    try:
        disk.lock(Places(directory_of(data_directory(), name)).lock).release()
    except LockedError as held:
        return held.owner
    return 0


@click.command()
@click.argument("name", type=QUEUE_MANAGER)
def delete(name: str) -> None:
    """Delete the queue manager NAME with all its messages.

    Example: kew delete QM1
    """
    manager.delete(name)
    click.echo(f"Queue manager '{name}' deleted.")


def _facts(name: str) -> dict[str, Any]:
    owner = running_process(name)
    return {
        "name": name,
        "status": "Running" if owner else "Ended",
        "process": owner or None,
        "directory": directory_of(data_directory(), name),
    }


def _show(rows: list[dict[str, Any]], as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(rows, indent=1))
        return
    for row in rows:
        process = f"  process {row['process']}" if row["process"] else ""
        click.echo(f"QMNAME({row['name']})  STATUS({row['status']}){process}  {row['directory']}")


@click.command(name="list")
@click.option("--json", "as_json", is_flag=True, help="As JSON, for scripts.")
def list_all(as_json: bool) -> None:
    """List the queue managers.

    Example: kew list --json
    """
    _show([_facts(name) for name in manager.names()], as_json)


@click.command()
@click.argument("name", required=False, type=QUEUE_MANAGER)
@click.option("--json", "as_json", is_flag=True, help="As JSON, for scripts.")
def status(name: str | None, as_json: bool) -> None:
    """Say whether the queue manager NAME runs, or which of all do.

    Example: kew status QM1
    """
    _show([_facts(each) for each in ([name] if name else manager.names())], as_json)
