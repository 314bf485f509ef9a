"""`kew version`."""

import platform

import click

from kew.version import PROTOCOL_LEVEL, VERSION, is_compiled


@click.command()
def version() -> None:
    """Print the version, whether it is compiled or interpreted, and the protocol level.

    Example: kew version
    """
    build = "compiled" if is_compiled() else "interpreted"
    python = f"{platform.python_implementation()} {platform.python_version()}"
    click.echo(f"kew {VERSION} ({build}), protocol level FAP {PROTOCOL_LEVEL}, {python}")
