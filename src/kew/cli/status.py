"""`kew list` and `kew status`."""

import json
from typing import Any

import click

from kew.cli.names import QUEUE_MANAGER
from kew.qmgr.existing import names, running_process
from kew.qmgr.names import data_directory, directory_of


def _facts(name: str) -> dict[str, Any]:
    owner = running_process(name)
    return {
        "name": name,
        "status": "Running" if owner else "Ended",
        "process": owner or None,
        "directory": directory_of(data_directory(), name),
    }


def _line(row: dict[str, Any]) -> str:
    process = f"  process {row['process']}" if row["process"] else ""
    return f"QMNAME({row['name']})  STATUS({row['status']}){process}  {row['directory']}"


def _show(rows: list[dict[str, Any]], as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(rows, indent=1))
    else:
        for row in rows:
            click.echo(_line(row))


@click.command(name="list")
@click.option("--json", "as_json", is_flag=True, help="As JSON, for scripts.")
def list_all(as_json: bool) -> None:
    """List the queue managers.

    Example: kew list --json
    """
    _show([_facts(name) for name in names()], as_json)


@click.command()
@click.argument("name", required=False, type=QUEUE_MANAGER)
@click.option("--json", "as_json", is_flag=True, help="As JSON, for scripts.")
def status(name: str | None, as_json: bool) -> None:
    """Say whether the queue manager NAME runs, and what it says of itself; without NAME, which of all run.

    Of one that runs everything is shown that DISPLAY QMSTATUS ALL shows: since when it runs, its connections, its log.

    Example: kew status QM1
    """
    if name is None:
        _show([_facts(each) for each in names()], as_json)
        return
    facts = _facts(name)
    running = bool(facts["process"])
    if as_json:
        if running:
            facts["qmstatus"] = json.loads(_said(name, True)[0])["objects"][0]
        click.echo(json.dumps([facts], indent=1))
        return
    click.echo(_line(facts))
    if running:
        click.echo("\n".join(_said(name, False)[1:]))


def _said(name: str, as_json: bool) -> list[str]:
    """What the queue manager answers to DISPLAY QMSTATUS, in lines."""
    from kew.cli.running import visiting
    from kew.commands.actions.script import Counts

    with visiting(name) as visitor:
        return [line for lines in visitor.run("DISPLAY QMSTATUS ALL", Counts(), as_json) for line in lines]
