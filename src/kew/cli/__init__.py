"""The `kew` command."""

import platform

import click

from kew.cli import life, mqsc, recovery, smf, user
from kew.cli.errors import KewGroup
from kew.version import PROTOCOL_LEVEL, VERSION, is_compiled


@click.group(cls=KewGroup, context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Kew, an open queue manager that does what IBM MQ does."""


@main.command()
def version() -> None:
    """Say which version this is, compiled or interpreted, and the protocol level it speaks."""
    build = "compiled" if is_compiled() else "interpreted"
    python = f"{platform.python_implementation()} {platform.python_version()}"
    click.echo(f"kew {VERSION} ({build}), protocol level FAP {PROTOCOL_LEVEL}, {python}")


for _command in (
    life.create,
    life.start,
    life.stop,
    life.delete,
    life.list_all,
    life.status,
    mqsc.mqsc,
    recovery.backup,
    recovery.restore,
    recovery.image,
    recovery.recover,
    recovery.units,
    recovery.resolve,
    smf.smf,
    user.user,
):
    main.add_command(_command)
