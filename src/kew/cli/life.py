"""`kew create` and `kew delete`: create and delete queue managers."""

from typing import Final, Literal

import click

from kew.cli.names import NEW_QUEUE_MANAGER, QUEUE_MANAGER
from kew.qmgr import manager
from kew.qmgr.config import (
    DEFAULT_BUFFER_POOLS,
    DEFAULT_PAGE_SETS,
    BufferPoolConfiguration,
    Configuration,
    LogConfiguration,
    PageSetConfiguration,
)
from kew.storage.directories import data_directory, directory_of
from kew.storage.log.settings import EXTENTS_LIMIT, PRIMARY_LIMIT
from kew.storage.pages.pageset import MAXIMUM_PAGES, MINIMUM_PAGES

_PAGES: Final = click.IntRange(MINIMUM_PAGES, MAXIMUM_PAGES)
_BUFFERS: Final = click.IntRange(100, 999_999_999)


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
@click.option(
    "--page-sets", type=click.IntRange(1, 99), default=1, metavar="N", help="Page sets for messages, numbered from 1."
)
@click.option("--pages", type=_PAGES, default=4096, metavar="N", help="Pages of 4 KB in each page set.")
@click.option(
    "--expand",
    type=click.Choice(["NONE", "USER", "SYSTEM"], case_sensitive=False),
    default="SYSTEM",
    help="Growth of page sets: not at all, by ExpandPages of qm.ini, or by a tenth.",
)
@click.option("--buffers", type=_BUFFERS, default=16384, metavar="N", help="Pages of 4 KB in buffer pool 1.")
def create(
    name: str,
    log_type: Literal["circular", "linear"],
    dual_log: bool,
    file_pages: int,
    primary: int,
    secondary: int,
    page_sets: int,
    pages: int,
    expand: str,
    buffers: int,
) -> None:
    """Create the queue manager NAME.

    Stanzas PageSet and BufferPool of qm.ini can add more later; the next start creates them.

    \b
    Examples:
      kew create QM1 --log-type linear --dual-log -lf 16384 -lp 10
      kew create QM2 --page-sets 15 --pages 20157 --expand NONE
    """
    log = LogConfiguration(
        primary_files=primary,
        secondary_files=secondary,
        file_pages=file_pages,
        log_type=log_type,
        copies=2 if dual_log else 1,
    )
    sets = [PageSetConfiguration(number, pages, expand, buffer_pool=1) for number in range(1, page_sets + 1)]
    pools = (DEFAULT_BUFFER_POOLS[0], BufferPoolConfiguration(1, buffers))
    manager.create(name, Configuration(log, buffer_pools=pools, page_sets=(DEFAULT_PAGE_SETS[0], *sets)))
    click.echo(f"Queue manager '{name}' created in {directory_of(data_directory(), name)}.")


@click.command()
@click.argument("name", type=QUEUE_MANAGER)
def delete(name: str) -> None:
    """Delete the queue manager NAME with all its messages.

    Example: kew delete QM1
    """
    manager.delete(name)
    click.echo(f"Queue manager '{name}' deleted.")
