"""`kew create` and `kew delete`."""

from typing import Literal

import click

from kew.cli.names import NEW_QUEUE_MANAGER, QUEUE_MANAGER
from kew.qmgr import manager
from kew.qmgr.config import Configuration, LogConfiguration
from kew.qmgr.names import data_directory, directory_of
from kew.storage.log.settings import EXTENTS_LIMIT, PRIMARY_LIMIT


@click.command()
@click.argument("name", type=NEW_QUEUE_MANAGER)
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
def delete(name: str) -> None:
    """Delete the queue manager NAME with all its messages.

    Example: kew delete QM1
    """
    manager.delete(name)
    click.echo(f"Queue manager '{name}' deleted.")
