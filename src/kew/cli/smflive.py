"""`kew smf live`: reports findings in the records of a running queue manager as they are written."""

import json
import os
import sys
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, TextIO

import click

from kew.cli.engine import MASTER, MASTERS, check_master, problems
from kew.cli.parameters import Seconds
from kew.cli.screen import say

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

    from kew.analytics.reports.messages import Teller
    from kew.analytics.smf.growing import Aside

POLL: Final = 0.25  # seconds between two reads of the files
STARTING: Final = {True: "earliest", False: "latest"}


@click.command()
@click.argument("names", nargs=-1, required=True)
@click.option("--table", help="Show the rows of a table such as QMST instead of findings.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", help="Format of the findings.")
@click.option("--again", type=Seconds(0), default=60.0, help="Seconds before a finding is reported again.")
@click.option("--limits", type=click.File(), help="File with limits of rules in TOML, such as LG06 = 800.")
@click.option("--from-start", is_flag=True, help="Begin with existing records, not with new ones.")
@click.option("--for", "seconds", type=Seconds(0), help="Seconds to run; default: until Ctrl-C.")
@click.option(
    "--to", "target", help="On Spark: a directory for JSON files, each finding once; a later run continues there."
)
@MASTER
def live(
    names: tuple[str, ...],
    table: str | None,
    form: str,
    again: float,
    limits: TextIO | None,
    from_start: bool,
    seconds: float | None,
    target: str | None,
    master: str | None,
) -> None:
    """Report findings in the records of a queue manager as they are written.

    NAMES are queue managers here, or directories of SMF files. A queue manager records while a trace runs, as
    START TRACE(STAT) CLASS(1,4,5) starts one, at the intervals of STATIME.

    Example: kew smf live QM1
    """
    with problems():
        from kew.analytics.reports.findings import load_limits

        wanted = limits.read() if limits is not None else ""
        load_limits(wanted)  # errors in them are reported now, not after Spark has started
        if table is not None:
            from kew.analytics.smf.tables import table_named

            table = table_named(table).name
        if target is not None and master is None:
            raise ValueError("--to is for Spark: give --master too")
        check_master(master, (*MASTERS, "sc://"))
        paths = [_directory(name) for name in names]
        try:
            if master is None:
                _follow(paths, table, form, again, wanted, from_start, seconds)
            else:
                _stream(paths, table, form, again, wanted, from_start, seconds, target, master)
        except KeyboardInterrupt:
            return


def _directory(name: str) -> str:
    """Give the directory of SMF files for a path or a queue manager's name; the latter's may not exist yet."""
    from kew.qmgr.config import load_configuration
    from kew.qmgr.files import Places
    from kew.storage.directories import data_directory, directory_of, is_queue_manager_name
    from kew.storage.disk import RealDisk

    if os.path.isdir(name):
        return name
    home = directory_of(data_directory(), name) if is_queue_manager_name(name) else ""
    if not home or not os.path.isdir(home):
        raise ValueError(f"{name} is neither a queue manager here (kew list shows them) nor a directory")
    place = Places(home, load_configuration(RealDisk(), Places(home).ini)).smf
    if not os.path.isdir(place):
        hint = f"kew mqsc {name} -e 'START TRACE(STAT) CLASS(1,4,5)'"
        click.echo(f"{name} has recorded nothing yet; a trace makes it: {hint}", err=True)
    return place


def _follow(
    paths: list[str], table: str | None, form: str, again: float, limits: str, from_start: bool, seconds: float | None
) -> None:
    """Follow the files in this process, by reading what was added every few seconds."""
    from kew.analytics.reports.findings import RuleBook, load_limits
    from kew.analytics.reports.live import FindingFollower
    from kew.analytics.reports.messages import Teller
    from kew.analytics.smf.growing import Follower, ends

    end = None if seconds is None else time.monotonic() + seconds
    teller = Teller(again) if form == "text" else None
    watch = follower = None
    aside: list[Aside] = []
    if table is None:
        watch = FindingFollower(paths, RuleBook(load_limits(limits)), whole=from_start)
    else:
        follower = Follower(paths, {table: None}, {} if from_start else ends(paths, {}))
    while True:
        last = end is not None and time.monotonic() >= end
        if watch is not None:
            _show(_found_lines(watch.look(), teller))
            aside = watch.aside
        elif follower is not None:
            for _, rows in follower.look():
                _show(_row_lines(rows))
            aside = follower.aside
        for one in aside:
            click.echo(str(one), err=True)
        if last:
            return
        time.sleep(POLL if end is None else max(0.0, min(POLL, end - time.monotonic())))


def _stream(
    paths: list[str],
    table: str | None,
    form: str,
    again: float,
    limits: str,
    from_start: bool,
    seconds: float | None,
    target: str | None,
    master: str,
) -> None:
    """Follow the files on Spark, with a streaming query that prints findings or writes them to files."""
    from kew.analytics.reports.messages import Teller
    from kew.analytics.session import start_session

    if target is None and master.startswith("sc://"):
        raise ValueError("over Spark Connect a query cannot print here: let it write, with --to DIRECTORY")
    spark = start_session(master)
    frame = _frame(spark, paths, table, limits, from_start)
    teller = Teller(again) if form == "text" and table is None else None

    def show(batch: "DataFrame", number: int) -> None:
        rows = batch.toArrow()
        _show(_row_lines(rows) if table is not None else _found_lines(rows, teller))

    if target is None:
        query = frame.writeStream.foreachBatch(show).start()
    else:
        place = os.path.join(target, "_checkpoint")
        query = frame.writeStream.format("json").option("checkpointLocation", place).start(target)
    try:
        query.awaitTermination(None if seconds is None else max(1, round(seconds)))
    finally:
        if not master.startswith("sc://"):
            spark.sparkContext.setLogLevel("OFF")  # an interrupted batch is not reported
        query.stop()


def _frame(spark: "SparkSession", paths: list[str], table: str | None, limits: str, from_start: bool) -> "DataFrame":
    if table is None:
        reader = spark.readStream.format("kewfindings").option("limits", limits)
    else:
        reader = spark.readStream.format("kewsmf").option("table", table)
    reader = reader.option("startingOffsets", STARTING[from_start])
    return reader.load(paths[0]) if len(paths) == 1 else reader.option("paths", json.dumps(paths)).load()


def _found_lines(findings: "pa.Table", teller: "Teller | None") -> Iterator[str]:
    from kew.analytics.reports.messages import json_lines

    if teller is None:
        yield from json_lines(findings)
    else:
        yield from (line + "\n" for line in teller.lines(findings))


def _row_lines(rows: "pa.Table | pa.RecordBatch") -> Iterator[str]:
    from kew.analytics.reports.plain import nested

    for row in rows.to_pylist():
        yield json.dumps({name: nested(value) for name, value in row.items()}) + "\n"


def _show(lines: Iterator[str]) -> None:
    for line in lines:
        say(line, nl=False)
    sys.stdout.flush()
