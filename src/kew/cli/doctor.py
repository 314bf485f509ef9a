"""`kew doctor`: checks of this host and of a queue manager."""

import dataclasses
import json
import platform
from collections.abc import Iterator

import click

from kew.cli.names import QUEUE_MANAGER
from kew.qmgr.doctor import FAIL, OK, WARN, Finding, Machine, worst
from kew.qmgr.doctor.files import check_files
from kew.qmgr.doctor.host import check_host
from kew.qmgr.doctor.instance import check_queue_manager
from kew.qmgr.doctor.software import check_software
from kew.qmgr.existing import existing_directory
from kew.storage.directories import data_directory, directory_of

_COLOURS = {OK: "green", WARN: "yellow", FAIL: "red"}


@click.command()
@click.argument("name", required=False, type=QUEUE_MANAGER)
@click.option("--json", "as_json", is_flag=True, help="Write JSON, for scripts.")
@click.option("-q", "--quiet", is_flag=True, help="Show only findings that are WARN or FAIL.")
def doctor(name: str | None, as_json: bool, quiet: bool) -> None:
    """Check this host, and the queue manager NAME if one is given, and give a remedy for each finding.

    Each check is OK, WARN (it runs, but slower or less safely than it could) or FAIL. The exit code is 1 if one is
    FAIL, else 0.

    Example: kew doctor QM1
    """
    if name is not None:
        existing_directory(name)  # ends the command if there is no such queue manager
    findings = list(_examine(name))
    level = worst(findings)
    if as_json:
        rows = [dataclasses.asdict(finding) for finding in findings]
        click.echo(json.dumps({"host": platform.node(), "level": level, "checks": rows}, indent=1))
    else:
        _show(findings, quiet)
    if level == FAIL:
        raise SystemExit(1)


def _examine(name: str | None) -> Iterator[Finding]:
    machine = Machine()
    data = data_directory()
    yield from check_software(machine)
    yield from check_host(machine)
    yield from check_files(machine, data)
    if name is not None:
        yield from check_queue_manager(machine, name, directory_of(data, name))


def _show(findings: list[Finding], quiet: bool) -> None:
    width = max(len(finding.name) for finding in findings)
    group = ""
    for finding in findings:
        if finding.level == OK and quiet:
            continue
        if finding.group != group:
            group = finding.group
            click.echo(click.style(group, bold=True))
        level = click.style(f"{finding.level:<4}", fg=_COLOURS[finding.level])
        click.echo(f"  {level}  {finding.name:<{width}}  {finding.found}  (wanted: {finding.wanted})")
        if finding.remedy:
            click.echo(f"  {'':4}  {'':<{width}}  -> {finding.remedy}")
    counts = {level: sum(finding.level == level for finding in findings) for level in _COLOURS}
    click.echo(f"{len(findings)} checks: " + ", ".join([f"{count} {level}" for level, count in counts.items()]))
