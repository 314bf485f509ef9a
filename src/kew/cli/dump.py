"""`kew dump`: a queue, or the definitions of a queue manager, to a file."""

import sys
from datetime import datetime

import click

from kew.cli.names import QUEUE_MANAGER
from kew.cli.outfile import writing
from kew.cli.running import visiting


@click.command()
@click.argument("name", type=QUEUE_MANAGER)
@click.option("--objects", is_flag=True, required=True, help="Write the definitions, as MQSC that makes them again.")
@click.option("--all", "everything", is_flag=True, help="Also what every new queue manager has.")
@click.option("-o", "--output", type=click.Path(dir_okay=False), help="The file to write; it is whole or not there.")
def dump(name: str, objects: bool, everything: bool, output: str | None) -> None:
    """Write the definitions of the running queue manager NAME to a file, or to standard output.

    kew mqsc OTHER < FILE makes the same objects in another queue manager. Passwords are not written.

    Example: kew dump QM1 --objects -o qm1.mqsc
    """
    with visiting(name) as visitor, writing(output) as write:
        when = datetime.now().astimezone().strftime("%Y-%m-%d %H:%M:%S %z")
        write(f"* Definitions of queue manager {name}, {when}\n".encode())
        count = 0
        for lines in visitor.definitions(everything):
            write(("\n".join(lines) + "\n").encode())
            count += 1
    if output is not None:
        click.echo(f"{count} definitions written to {output}.", file=sys.stderr)
