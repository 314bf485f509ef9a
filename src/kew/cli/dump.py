"""`kew dump`: writes the messages of a queue, or the definitions of a queue manager, to a file."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from kew.cli.connected import client_options, connected, over_network
from kew.cli.names import QUEUE, QUEUE_MANAGER
from kew.cli.screen import printable_bytes

if TYPE_CHECKING:
    from kew.client.blocking import Connection


@click.command()
@click.argument("name", type=QUEUE_MANAGER)
@click.argument("queue", type=QUEUE, required=False)
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False), help="The file to write; it appears only when complete."
)
@click.option("--remove", is_flag=True, help="Remove the messages from the queue, in one unit of work.")
@click.option("-n", "--count", type=click.IntRange(1), help="Most messages to write.")
@click.option("--text", "readable", is_flag=True, help="Write data that is plain text as text, for reading.")
@click.option("--objects", is_flag=True, help="Write the definitions instead, as MQSC commands.")
@click.option("--all", "everything", is_flag=True, help="With --objects: also the default objects.")
@client_options
def dump(
    name: str,
    queue: str | None,
    output: str | None,
    remove: bool,
    count: int | None,
    readable: bool,
    objects: bool,
    everything: bool,
) -> None:
    """Write the messages on a QUEUE of the queue manager NAME, or its definitions, to a file or standard output.

    kew load reads messages back as they were; kew mqsc OTHER < FILE makes the same objects in another queue manager.
    With --remove messages are removed once the file is whole and on disk. Passwords are not written. kew help dumpfile
    explains the file.

    \b
    Examples:
      kew dump QM1 DEV.QUEUE.1 -o queue1.dump
      kew dump QM1 DEV.QUEUE.1 --remove -n 10000 -o queue1.dump
      kew dump QM1 --objects -o qm1.mqsc
    """
    if objects == (queue is not None):
        raise click.UsageError("give a QUEUE to dump its messages, or --objects for the definitions")
    if objects:
        if over_network():
            raise click.UsageError("definitions are dumped on the machine of the queue manager, without --connect")
        if remove or count or readable:
            raise click.UsageError("--remove, -n and --text are for messages, not for --objects")
        done = _dump_objects(name, output, everything)
        what = "definition"
    else:
        if everything:
            raise click.UsageError("--all is for --objects")
        assert queue is not None
        done = _dump_queue(name, queue, output, remove, count, readable)
        what = "message"
    if output is not None:
        click.echo(f"{done} {what}{'s' * (done != 1)} written to {output}.")


def _dump_objects(name: str, output: str | None, everything: bool) -> int:
    from kew.cli.running import control_client

    done = 0
    with control_client(name) as control, writing(output) as write:
        write(f"* Definitions of queue manager {name}, {_now()}\n".encode())
        for lines in control.definitions(everything):
            write(("\n".join(lines) + "\n").encode())
            done += 1
    return done


def _dump_queue(name: str, queue: str, output: str | None, remove: bool, count: int | None, readable: bool) -> int:
    from kew.client.requests import get_options
    from kew.codes import options as o
    from kew.codes.errors import NoMessage
    from kew.formats.dump import DumpWriter

    opened = o.MQOO_INPUT_EXCLUSIVE if remove else o.MQOO_BROWSE
    with connected(name, "kew dump") as connection, connection.open(queue, opened) as source:
        with writing(output) as write:
            writer = DumpWriter(write, f"of {queue} on {name}{_identity(connection)} at {_now()}", readable)
            step = 0 if remove else o.MQGMO_BROWSE_FIRST
            while writer.count != count:
                try:
                    received = source.get(options=get_options(0, remove, False, step | o.MQGMO_PROPERTIES_FORCE_MQRFH2))
                except NoMessage:
                    break
                writer.add(received.descriptor, received.data)
                step = 0 if remove else o.MQGMO_BROWSE_NEXT
            writer.finish()
        # The file is on disk. A crash before the commit leaves the messages in both places, never in none.
        connection.commit()
    return writer.count


def _identity(connection: "Connection") -> str:
    """Give the QMID for the first line of the dump; blank if the user has no authority to inquire it."""
    from kew.codes.attributes import MQCA_Q_MGR_IDENTIFIER
    from kew.codes.errors import MQError

    try:
        return f", QMID {connection.inquire([MQCA_Q_MGR_IDENTIFIER])[MQCA_Q_MGR_IDENTIFIER]}"
    except MQError:
        return ""


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


Write = Callable[[bytes], object]


@contextmanager
def writing(path: str | None) -> Iterator[Write]:
    """Give a function that writes bytes to a file, or to standard output if the path is None.

    The file is written under another name, synced, and renamed at the end; after an error an older file of that name is
    unchanged.
    """
    if path is None:
        out = sys.stdout.buffer
        yield (lambda data: out.write(printable_bytes(data))) if sys.stdout.isatty() else out.write
        sys.stdout.buffer.flush()
        return
    draft = f"{path}.{os.getpid()}.new"
    try:
        with open(draft, "xb") as file:
            yield file.write
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, path)
    except BaseException as problem:
        with suppress(OSError):
            os.unlink(draft)
        if isinstance(problem, OSError) and problem.filename == draft:
            problem.filename = path  # the name that the user gave
        raise
