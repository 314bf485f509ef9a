"""`kew mqsc`: carries out MQSC from an argument, a file, a pipe or a prompt on the running queue manager."""

import shlex
import sys
from typing import BinaryIO, Final

import click

from kew.cli.names import QUEUE_MANAGER
from kew.cli.running import control_client
from kew.cli.screen import say
from kew.commands.actions.script import Counts
from kew.commands.mqsc.printer import summary
from kew.qmgr.control.client import ControlClient
from kew.qmgr.control.frames import LARGEST

SOME_FAILED: Final = 10  # as runmqsc


@click.command(context_settings={"allow_extra_args": True})
@click.argument("name", type=QUEUE_MANAGER)
@click.option("-e", "commands", multiple=True, metavar="COMMAND", help="A command; may be repeated.")
@click.option("-f", "file", type=click.File("rb"), metavar="FILE", help="Read commands from a file, as from a pipe.")
@click.option("--json", "as_json", is_flag=True, help="Write a line of JSON for each command.")
@click.pass_context
def mqsc(context: click.Context, name: str, commands: tuple[str, ...], file: BinaryIO | None, as_json: bool) -> None:
    """Carry out MQSC commands on the running queue manager NAME.

    Without -e and -f commands are read from standard input, or at a prompt with completion, history and help: DEFINE
    QLOCAL ?
    The exit code is 0 only if every command succeeded, 10 if one did not, 20 if none could be tried.

    Example: kew mqsc QM1 -e 'DISPLAY QLOCAL(*) WHERE(CURDEPTH GT 0)'
    """
    if context.args:
        command = shlex.quote(" ".join(context.args))
        raise click.UsageError(f"commands go behind -e: kew mqsc {shlex.quote(name)} -e {command}")
    if commands and file is not None:
        raise click.UsageError("-e and -f exclude each other")
    counts = Counts()
    with control_client(name) as control:
        if commands:
            _run(control, "\n".join(commands), counts, as_json, echo=False)
        elif file is not None:
            _pipe(name, control, counts, as_json, file)
        elif sys.stdin.isatty():
            from kew.cli.prompt import converse

            converse(name, control, counts, as_json)
        else:
            _pipe(name, control, counts, as_json, sys.stdin.buffer)
    if counts.failed or counts.syntax_errors:
        raise SystemExit(SOME_FAILED)


def _run(control: ControlClient, script: str, counts: Counts, as_json: bool, echo: bool) -> None:
    for lines in control.run(script, counts, as_json, echo):
        say("\n".join(lines), as_json=as_json)


def _pipe(name: str, control: ControlClient, counts: Counts, as_json: bool, file: BinaryIO) -> None:
    script = file.read(LARGEST // 4 + 1).decode("utf-8", "replace")
    if len(script) > LARGEST // 4:
        raise click.ClickException(f"a script may have {LARGEST // 4} characters; split it")
    if not as_json:
        click.echo(f"Starting MQSC for queue manager {name}.\n")
    _run(control, script.removesuffix("\n"), counts, as_json, echo=True)
    if not as_json:
        click.echo("\n".join(summary(counts.read, counts.syntax_errors, counts.failed)))
