"""Connections of commands to a queue manager that runs in another process."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import click

from kew.cli.screen import say
from kew.commands.mqsc import messages
from kew.qmgr.control.client import ControlClient, NotRunning
from kew.qmgr.existing import running_process
from kew.storage.directories import data_directory, directory_of

# Exit code of runmqsc for a queue manager that is not available.
NOT_RUNNING: Final = 20


def not_running(name: str) -> SystemExit:
    """Print that the queue manager is not available and how to start it; gives the exit to raise."""
    click.echo(f"{messages.text_of('AMQ8146E')} 'kew start {name}' starts it.", err=True)
    return SystemExit(NOT_RUNNING)


@contextmanager
def control_client(name: str) -> Iterator[ControlClient]:
    """Connect to the control socket of a queue manager; if it does not run, end the command with a message."""
    running_process(name)  # ends the command if there is no such queue manager
    try:
        control = ControlClient(directory_of(data_directory(), name))
    except NotRunning:
        raise not_running(name) from None
    try:
        yield control
    except NotRunning as gone:
        say(str(gone), err=True)
        raise not_running(name) from gone
    finally:
        control.close()
