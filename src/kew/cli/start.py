"""`kew start` and `kew stop`.

The queue manager runs in a process of its own, which loads the engine; the commands themselves load little, so that a
start takes no longer than the queue manager's own.
"""

import os
import signal
import subprocess
import sys
import time
from typing import Final

import click

from kew.cli.names import QUEUE_MANAGER
from kew.cli.seconds import Seconds
from kew.qmgr.existing import existing_directory, running_process

_READY: Final = b"ready\n"  # as kew.cli.serve says it
_POLL: Final = 0.02


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
    if not dev:
        existing_directory(name)  # says so if there is no such queue manager
    if foreground:
        from kew.cli.serve import serve

        serve(name, ready_fd, dev, port)
    else:
        _start_in_background(name, dev, port)
        click.echo(f"Queue manager '{name}' started.")


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
    if not said.endswith(_READY):
        _output, problem = process.communicate()
        click.echo(problem.decode(errors="replace").rstrip(), err=True)
        raise SystemExit(process.returncode or 1)
    click.echo(said.removesuffix(_READY), err=True, nl=False)


@click.command()
@click.argument("name", type=QUEUE_MANAGER)
@click.option("--immediate", is_flag=True, help="Back out what is uncommitted instead of letting it finish.")
@click.option("--wait", "seconds", type=Seconds(0), default=30.0, show_default=True, help="Seconds to wait.")
def stop(name: str, immediate: bool, seconds: float) -> None:
    """Stop the queue manager NAME.

    Example: kew stop QM1 --immediate
    """
    owner = running_process(name)
    if not owner:
        raise click.ClickException(f"Queue manager '{name}' is not running; 'kew status' shows which are.")
    os.kill(owner, signal.SIGINT if immediate else signal.SIGTERM)
    until = time.monotonic() + seconds
    while running_process(name):
        if time.monotonic() > until:
            remedy = "Its programs still work: --wait gives them longer, --immediate ends them."
            raise click.ClickException(
                f"Queue manager '{name}' (process {owner}) has not ended after {seconds:g} s. {remedy}"
            )
        time.sleep(_POLL)
    click.echo(f"Queue manager '{name}' ended.")
