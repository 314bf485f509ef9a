"""`kew start` and `kew stop`.

The queue manager runs in a process of its own, which loads the engine; the commands themselves load little, so that a
start takes no longer than the queue manager's own.
"""

import os
import signal
import socket
import subprocess
import sys
import time
from typing import Final

import click

from kew.cli.names import QUEUE_MANAGER
from kew.cli.parameters import Seconds
from kew.qmgr.control.frames import FrameError, receive, send, socket_name
from kew.qmgr.existing import existing_directory, running_process

_READY: Final = b"ready\n"  # as kew.cli.serve prints it
_POLL: Final = 0.02
_LONGER: Final = 30.0  # seconds to wait beyond the grace period


@click.command()
@click.argument("name", type=QUEUE_MANAGER)
@click.option("--dev", is_flag=True, help="Create the queue manager if missing, with developer objects.")
@click.option(
    "--port",
    type=click.IntRange(1, 65535),
    metavar="N",
    help="Port to listen on for this start: with --dev on this machine only, else on all its addresses.",
)
@click.option("--foreground", is_flag=True, help="Stay in the foreground until stopped.")
@click.option(
    "--grace",
    type=Seconds(0),
    metavar="SECONDS",
    help="Seconds that programs have to finish when it ends; default: QuiesceGrace of qm.ini, 10.",
)
@click.option("--ready-fd", type=int, default=-1, hidden=True)
def start(name: str, dev: bool, port: int | None, foreground: bool, grace: float | None, ready_fd: int) -> None:
    """Start the queue manager NAME; returns once it accepts connections.

    Listeners with CONTROL(QMGR) or CONTROL(STARTONLY) start with it; that of --dev listens on port 1414 of this
    machine, or where --port says.

    In the foreground Ctrl-C ends it at once; SIGTERM lets programs finish for a grace period, and the second SIGTERM
    ends it at once. SIGHUP has it read the certificates and the stanza QMErrorLog of qm.ini again.

    Example: kew start QM1 --dev --port 1415
    """
    if not dev:
        existing_directory(name)  # ends the command if there is no such queue manager
    if foreground:
        from kew.cli.serve import serve

        serve(name, ready_fd, dev, port, grace)
    else:
        _start_in_background(name, dev, port, grace)
        click.echo(f"Queue manager '{name}' started.")


def _start_in_background(name: str, developer: bool, port: int | None, grace: float | None) -> None:
    reader, writer = os.pipe()
    command = [sys.executable, "-m", "kew.cli", "start", name, "--foreground", "--ready-fd", str(writer)]
    if developer:
        command.append("--dev")
    if port is not None:
        command.extend(["--port", str(port)])
    if grace is not None:
        command.extend(["--grace", str(grace)])
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
@click.option("--immediate", is_flag=True, help="Back uncommitted work out instead of letting programs finish.")
@click.option(
    "--grace",
    type=Seconds(0),
    metavar="SECONDS",
    help="Seconds that programs have to finish; default: --grace of kew start, or QuiesceGrace of qm.ini.",
)
@click.option(
    "--wait", type=Seconds(0), metavar="SECONDS", help="Seconds to wait for the end; default: 30 after the grace."
)
def stop(name: str, immediate: bool, grace: float | None, wait: float | None) -> None:
    """Stop the queue manager NAME.

    New work is refused, programs are notified (MQRC_Q_MGR_QUIESCING) and have a grace period to finish. Then, or at
    once with --immediate, connections are broken and uncommitted work is backed out.

    Example: kew stop QM1 --grace 60
    """
    if immediate and grace is not None:
        raise click.UsageError("--immediate leaves programs no time; it excludes --grace")
    owner = running_process(name)
    if not owner:
        raise click.ClickException(f"Queue manager '{name}' is not running; 'kew status' shows which are.")
    allowed = _ask_to_end(name, owner, immediate, grace)
    patience = allowed + _LONGER if wait is None else wait
    until = time.monotonic() + patience
    while running_process(name):
        if time.monotonic() > until:
            remedy = "--wait waits longer." if immediate else "--wait waits longer, --immediate ends it at once."
            raise click.ClickException(
                f"Queue manager '{name}' (process {owner}) has not ended after {patience:g} s. {remedy}"
            )
        time.sleep(_POLL)
    click.echo(f"Queue manager '{name}' ended.")


def _ask_to_end(name: str, owner: int, immediate: bool, grace: float | None) -> float:
    """Request the end of a queue manager by its control socket, or else by a signal; gives the grace period."""
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as door:
            with socket_name(existing_directory(name)) as path:
                door.connect(path)
            send(door, {"end": immediate, "grace": grace})
            answer = receive(door) or {}
            allowed = answer.get("grace")
            if isinstance(allowed, int | float):
                return allowed
    except (OSError, FrameError):
        pass  # the queue manager is starting or ending, or has no descriptors left
    os.kill(owner, signal.SIGINT if immediate else signal.SIGTERM)
    return grace or 0.0
