"""`kew list` and `kew status`."""

import json
from typing import Any

import click

from kew.cli.names import QUEUE_MANAGER
from kew.cli.screen import say
from kew.qmgr.existing import QUIESCING, RUNNING, condition, names
from kew.storage.directories import data_directory, directory_of


def _facts(name: str) -> dict[str, Any]:
    found = condition(name)
    return {
        "name": name,
        "status": found.state,
        "process": found.process or None,
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
            say(_line(row))


@click.command(name="list")
@click.option("--json", "as_json", is_flag=True, help="As JSON, for scripts.")
def list_all(as_json: bool) -> None:
    """List the queue managers with their states, in the words of dspmq.

    Running, Starting, Quiescing or Ending immediately while a process hosts it; then Ended normally, where all programs
    had ended or were told to and did, Ended immediately where they were broken off or it never ran, or Ended
    unexpectedly.

    Example: kew list --json
    """
    _show([_facts(name) for name in names()], as_json)


@click.command()
@click.argument("name", required=False, type=QUEUE_MANAGER)
@click.option("--json", "as_json", is_flag=True, help="As JSON, for scripts.")
def status(name: str | None, as_json: bool) -> None:
    """Show the state of the queue manager NAME, and its status attributes; without NAME, the states of all.

    For a running one this is DISPLAY QMSTATUS ALL: its start time, its connections, its log.

    Example: kew status QM1
    """
    if name is None:
        _show([_facts(each) for each in names()], as_json)
        return
    facts = _facts(name)
    said = _said(name, as_json) if facts["status"] in (RUNNING, QUIESCING) else []
    if as_json:
        if said:
            facts["qmstatus"] = json.loads(said[0])["objects"][0]
        click.echo(json.dumps([facts], indent=1))
        return
    say("\n".join([_line(facts), *said[1:]]))


def _said(name: str, as_json: bool) -> list[str]:
    """Give the reply of the queue manager to DISPLAY QMSTATUS, in lines; empty if it has ended meanwhile."""
    from kew.commands.actions.script import Counts
    from kew.qmgr.control.client import ControlClient, NotRunning

    try:
        with ControlClient(directory_of(data_directory(), name)) as control:
            return [line for lines in control.run("DISPLAY QMSTATUS ALL", Counts(), as_json) for line in lines]
    except NotRunning:
        return []
