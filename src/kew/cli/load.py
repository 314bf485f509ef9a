"""`kew load`: puts the messages of a dump on a queue."""

import shutil
import sys
import tempfile
from contextlib import closing
from typing import BinaryIO, Final

import click

from kew.cli.connected import client_options, connected
from kew.cli.names import QUEUE, QUEUE_MANAGER
from kew.client.requests import put_options
from kew.codes import options as o
from kew.codes.errors import MQError
from kew.formats.dump import DumpError, DumpReader

UNIT: Final = 1000


@click.command()
@click.argument("name", type=QUEUE_MANAGER)
@click.argument("queue", type=QUEUE)
@click.argument("file", type=click.File("rb"), default="-")
@click.option("--check", is_flag=True, help="Only check the file; put no message.")
@click.option(
    "--unit",
    type=click.IntRange(0),
    default=UNIT,
    show_default=True,
    metavar="N",
    help="Commit after every N messages; 0: all in one unit of work.",
)
@click.option("--skip", type=click.IntRange(0), default=0, metavar="N", help="Skip the first N messages.")
@click.option(
    "--context",
    type=click.Choice(["all", "none"]),
    default="all",
    show_default=True,
    help="Keep the origin context of the messages, or put them as new ones.",
)
@client_options
def load(name: str, queue: str, file: BinaryIO, check: bool, unit: int, skip: int, context: str) -> None:
    """Put the messages of a FILE that kew dump wrote, or of standard input, on a QUEUE of the queue manager NAME.

    The whole file is read first: from a damaged file no message is put. Messages keep order, descriptor and data.
    If a put fails, its unit of work is backed out, and the output names the --skip with which to go on.

    \b
    Examples:
      kew load QM1 DEV.QUEUE.1 queue1.dump
      kew load QM1 DEV.QUEUE.1 --check queue1.dump
      kew dump QM1 DEV.QUEUE.1 | kew load QM2 DEV.QUEUE.1
    """
    title = "standard input" if file is sys.stdin.buffer else file.name
    with closing(_seekable(file)) as source:
        total = _checked(source, title)
        if check:
            click.echo(f"{title}: {total} messages, all in order.")
            return
        done = _put_all(name, queue, source, unit, skip, context == "all")
    click.echo(f"{done} message{'s' * (done != 1)} put on {queue}.")


def _seekable(file: BinaryIO) -> BinaryIO:
    """Give a file that can be read twice: the given one, or a copy if it is a pipe."""
    if file.seekable() and file is not sys.stdin.buffer:
        return file
    copy = tempfile.TemporaryFile()  # noqa: SIM115 - the caller closes it
    shutil.copyfileobj(file, copy, 1 << 20)
    return copy


def _checked(source: BinaryIO, name: str) -> int:
    source.seek(0)
    reader = DumpReader(source)
    try:
        for _ in reader:
            pass
    except DumpError as problem:
        raise click.ClickException(f"{name}, {problem}") from problem
    source.seek(0)
    return reader.count


def _put_all(name: str, queue: str, source: BinaryIO, unit: int, skip: int, keep: bool) -> int:
    opened = o.MQOO_OUTPUT | (o.MQOO_SET_ALL_CONTEXT if keep else 0)
    context = o.MQPMO_SET_ALL_CONTEXT if keep else 0
    done = committed = 0
    try:
        with connected(name, "kew load") as connection, connection.open(queue, opened) as target:
            for number, (descriptor, data) in enumerate(DumpReader(source)):
                if number < skip:
                    continue
                target.put(data, descriptor, options=put_options(True, False, context))
                done += 1
                if unit and done % unit == 0:
                    connection.commit()
                    committed = done
            connection.commit()
    except MQError as problem:
        refused = f"message {skip + done + 1} cannot be put: {problem}"
        remedy = f"{committed} messages were put and committed; when the cause is gone, add --skip {skip + committed}"
        raise click.ClickException(f"{refused} {remedy}.") from problem
    return done
