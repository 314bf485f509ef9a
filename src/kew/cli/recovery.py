"""`kew backup`, `restore`, `image`, `recover`, `units` and `resolve`."""

import json
from collections.abc import Iterator

import click

from kew.cli.names import QUEUE, QUEUE_MANAGER
from kew.cli.running import control_client
from kew.cli.screen import say
from kew.commands.actions.script import Counts, Script
from kew.qmgr import backup as backups
from kew.qmgr import manager
from kew.qmgr.control.images import ImageRefused, record_images
from kew.qmgr.existing import running_process
from kew.storage.xid import OWNERS, owner_format


@click.command()
@click.argument("name", type=QUEUE_MANAGER)
@click.argument("directory", type=click.Path())
def backup(name: str, directory: str) -> None:
    """Copy the page sets, qm.ini and the users of NAME to DIRECTORY: fuzzy while it runs, full while it is stopped.

    Example: kew backup QM1 /backups/qm1-monday
    """
    taken = backups.back_up(name, directory)
    pages = sum(each["pages"] for each in taken.page_sets.values())
    click.echo(f"{taken.kind.capitalize()} backup of '{name}': {len(taken.page_sets)} page sets, {pages} pages.")
    if taken.kind == "fuzzy":
        click.echo(f"Restoring it needs the log from address {taken.address:#018x} on.")


@click.command()
@click.argument("name", type=QUEUE_MANAGER)
@click.argument("directory", type=click.Path())
@click.option("--without-log", is_flag=True, help="Go back to the state of a full backup; the log begins anew.")
def restore(name: str, directory: str, without_log: bool) -> None:
    """Put the page sets of a backup in DIRECTORY in place; NAME must be stopped.

    qm.ini and the file of users come back where they are missing. With --without-log NAME need not be there at all.

    Example: kew restore QM1 /backups/qm1-monday
    """
    taken = backups.restore(name, directory, without_log=without_log)
    how = "its log begins anew" if without_log else "the next start brings it up to date from the log"
    click.echo(f"Queue manager '{name}' restored from a {taken.kind} backup; {how}.")


@click.command()
@click.argument("name", type=QUEUE_MANAGER)
@click.argument("page_sets", type=click.IntRange(0, 99), nargs=-1)
@click.option("-q", "--queue", "queues", type=QUEUE, multiple=True, help="The page set of a queue; repeatable.")
def image(name: str, page_sets: tuple[int, ...], queues: tuple[str, ...]) -> None:
    """Record media images of page sets in the log of NAME: all page sets by default, running or not.

    \b
    Examples:
      kew image QM1
      kew image QM1 1 4 --queue APP.QUEUE
    """
    if running_process(name):
        with control_client(name) as control:
            _show(control.images(page_sets, queues))
    else:
        with manager.start(name) as running:
            _show(record_images(running.host.commands, page_sets, queues))


def _show(images: Iterator[tuple[int, int]]) -> None:
    try:
        for number, pages in images:
            click.echo(f"Page set {number}: {pages} pages recorded.")
    except ImageRefused as problem:
        raise backups.BackupError(str(problem)) from problem


@click.command()
@click.argument("name", type=QUEUE_MANAGER)
@click.argument("page_set", type=int)
def recover(name: str, page_set: int) -> None:
    """Make a lost PAGE_SET of NAME anew from its image in the log; the next start fills it.

    Example: kew recover QM1 1
    """
    address = backups.recover_page_set(name, page_set)
    click.echo(
        f"Page set {page_set} of '{name}' will be recovered at the next start, from log address {address:#018x}."
    )


@click.command()
@click.argument("name", type=QUEUE_MANAGER)
@click.option("--json", "as_json", is_flag=True, help="Write JSON, for scripts.")
def units(name: str, as_json: bool) -> None:
    """List the units of work of NAME that are in doubt; NAME may run or not.

    While NAME runs this is DISPLAY THREAD(*) TYPE(INDOUBT). A stopped queue manager is started for the moment.

    Example: kew units QM1
    """
    answer = json.loads(_answer(name, "DISPLAY THREAD(*) TYPE(INDOUBT) ALL")[0])
    rows = [{"xid": each["NID"].lower(), "urid": each["URID"], **_owned(each["NID"])} for each in answer["objects"]]
    if as_json:
        click.echo(json.dumps(rows, indent=1))
        return
    for row in rows:
        told = f"  OWNER({row['owner']})" if "owner" in row else ""
        say(f"XID({row['xid']})  URID({row['urid']}){told}")
    if not rows:
        click.echo("No unit of work is in doubt.")


def _owned(xid: str) -> dict[str, str]:
    """Give the part of the queue manager that owns a unit of work; empty if a transaction manager owns it."""
    format_id = owner_format(bytes.fromhex(xid))
    return {"owner": OWNERS[format_id][0]} if format_id else {}


@click.command()
@click.argument("name", type=QUEUE_MANAGER)
@click.argument("xid")
@click.option("--commit", is_flag=True, help="Commit the unit of work.")
@click.option("--backout", is_flag=True, help="Back the unit of work out.")
def resolve(name: str, xid: str, commit: bool, backout: bool) -> None:
    """Decide the unit of work of NAME with an XID (in hexadecimal) that is in doubt; NAME may run or not.

    Either --commit or --backout is needed.

    Example: kew resolve QM1 4b6577 --commit
    """
    if commit == backout:
        raise click.UsageError(f"give either --commit or --backout for unit of work {xid}; nothing was done")
    try:
        decided = bytes.fromhex(xid)
    except ValueError as problem:
        raise click.BadParameter(f"'{xid}' is not a number in hexadecimal", param_hint="XID") from problem
    wanted = decided.hex()
    format_id = owner_format(decided)
    if format_id:
        whose, decides = OWNERS[format_id]
        raise click.ClickException(f"Unit of work {wanted} is of {whose}: {decides} decides it.")
    action = "COMMIT" if commit else "BACKOUT"
    answer = json.loads(_answer(name, f"RESOLVE INDOUBT('{name}') ACTION({action}) NID({wanted})")[0])
    if not answer["ok"]:
        raise click.ClickException(f"No unit of work {wanted} is in doubt; kew units {name} lists those that are.")
    click.echo(f"Unit of work {wanted} {'committed' if commit else 'backed out'}.")


def _answer(name: str, command: str) -> list[str]:
    """Give a queue manager's reply to a command, as JSON; a stopped queue manager is started for the command."""
    if running_process(name):
        with control_client(name) as control:
            return [line for lines in control.run(command, Counts(), as_json=True) for line in lines]
    running = manager.start(name)
    try:
        return [line for lines in Script(running.host.commands, as_json=True).run([command]) for line in lines]
    finally:
        running.stop()
