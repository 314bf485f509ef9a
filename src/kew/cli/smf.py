"""`kew smf`: SMF records of statistics and accounting, from Kew or from z/OS."""

import os
import sys
import time
from datetime import datetime
from typing import TYPE_CHECKING, TextIO

import click

from kew.cli.engine import ENGINE, MASTER, PATHS, WORKERS, problems, session
from kew.cli.group import Commands
from kew.cli.screen import say
from kew.cli.smfanalyse import analyse, write
from kew.cli.smflive import live
from kew.cli.smfpage import page

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from kew.analytics.smf.remarks import Remarks
    from kew.analytics.smf.selection import Selection

# Each command imports what it needs when it runs: Spark takes seconds to start and pyarrow a tenth of one.

MOST_DAMAGE = 20  # places that the summary lists


@click.group(cls=Commands)
def smf() -> None:
    """Decode, report, export and ingest SMF 115 and 116 records."""


@smf.command()
@PATHS
@click.option("--table", help="A structure such as QJST, or records, or quarantine; default: a summary of the dumps.")
@click.option("--columns", help="Columns of the table, separated by commas.")
@click.option("--format", "form", type=click.Choice(["json", "csv"]), default="json", help="Format of the rows.")
@click.option("--limit", type=click.IntRange(1), help="Most rows to write.")
def decode(paths: tuple[str, ...], table: str | None, columns: str | None, form: str, limit: int | None) -> None:
    """Show the contents of dumps: a summary, or the rows of a table.

    Example: kew smf decode SMF.DUMP --table QJST --format csv
    """
    with problems():
        if table is None:
            _summary(paths)
        else:
            _rows(paths, table, columns, form, limit)


@smf.command()
@click.argument("name")
@PATHS
@click.option(
    "--format", "form", type=click.Choice(["text", "csv", "json", "html"]), default="text", help="What to write."
)
@click.option("--output", "-o", help="The file to write; for CSV with several parts a directory.")
@click.option("--qmgr", default="", help="Use only records of this queue manager.")
@click.option("--from", "since", type=click.DateTime(), help="Use only records from this local time on.")
@click.option("--to", "until", type=click.DateTime(), help="Use only records before this local time.")
@click.option("--utc", is_flag=True, help="Show all times in UTC.")
@click.option(
    "--limits", type=click.File(), help="For FINDINGS: file with limits of rules in TOML, such as LG06 = 800."
)
@ENGINE
@MASTER
def report(
    name: str,
    paths: tuple[str, ...],
    form: str,
    output: str | None,
    qmgr: str,
    since: datetime | None,
    until: datetime | None,
    utc: bool,
    limits: TextIO | None,
    engine: str,
    master: str | None,
) -> None:
    """Print a report on dumps, or on a store that they were ingested into.

    NAME is one of MSGM DATA LOG BUFF PSET STG LOCK TOPIC CF SMDS DB2 CHINIT QCHL QSTAT QSTATCSV TASK CLASS1, or
    FINDINGS, which is what the rules say about the data, with advice.

    Example: kew smf report LOG SMF.DUMP
    """
    with problems():
        from kew.analytics.smf.selection import Selection

        chosen = Selection(qmgr, since, until)
        spark = session(engine, paths, master)
        if name.upper() == "FINDINGS":
            _findings(paths, form, output, chosen, limits.read() if limits is not None else "", spark)
        else:
            _report(name, paths, form, output, chosen, utc, spark)


smf.add_command(live)


@smf.command("csv")
@PATHS
@click.option("--output", "-o", required=True, help="The directory to write the files in.")
@click.option("--local", is_flag=True, help="Write times in the local time of the system, not in UTC.")
@click.option("--empty", is_flag=True, help="Leave fields empty that a release lacks, instead of -1, dots and 1970.")
def csv_files(paths: tuple[str, ...], output: str, local: bool, empty: bool) -> None:
    """Write one CSV file for each structure, in the columns of mq-smf-csv.

    Example: kew smf csv SMF.DUMP -o csv
    """
    with problems():
        from kew.analytics.smf.csvfiles import write_csv
        from kew.analytics.smf.remarks import Remarks

        remarks = Remarks()
        counts = write_csv(paths, output, local, empty, remarks)
        for file, count in sorted(counts.items()):
            click.echo(f"SMF-{file}.csv {count}")
        if not counts:
            click.echo("No records of type 115 or 116.")
        _remark(remarks)


@smf.command()
@PATHS
@click.option("--to", "store", required=True, help="The directory of the store; created if missing.")
@ENGINE
@MASTER
def ingest(paths: tuple[str, ...], store: str, engine: str, master: str | None) -> None:
    """Take dumps into a store of Parquet tables, each dump once, whatever its name.

    Reports read a store as they read dumps.

    Example: kew smf ingest SMF.DUMP --to store
    """
    with problems():
        from kew.analytics.smf.ingest import ingest_here, ingest_on_spark, remarks_on

        spark = session(engine, paths, master)
        done = ingest_here(paths, store) if spark is None else ingest_on_spark(spark, paths, store)
        for manifest in done.taken:
            rows = sum(output.rows for output in manifest.outputs)
            damage = f", {manifest.damaged} damaged" if manifest.damaged else ""
            click.echo(f"{manifest.name}: {rows} rows in {len(manifest.outputs)} files{damage}")
        for name in done.known:
            click.echo(f"{name}: already there")
        _remark(remarks_on(store, done.taken))


@smf.command()
@click.argument("store")
@click.option("--target", type=click.IntRange(1), default=128, help="Files of so many MiB are large enough.")
def compact(store: str, target: int) -> None:
    """Merge the small files of a store into few large ones, each day of a queue manager by itself.

    Reports give the same before and after, and may run meanwhile. The next ingestion removes the small files.

    Example: kew smf compact store
    """
    with problems():
        from kew.analytics.smf.compaction import compact as merge

        done = merge(store, target << 20)
        click.echo(f"{len(done.replaced)} files became {len(done.outputs)}")


smf.add_command(analyse)
smf.add_command(page)


class _Progress:
    """A line on the terminal that shows the dump being read, if reading takes longer than a moment."""

    def __init__(self) -> None:
        self._told = time.monotonic()
        self._shown = False

    def reading(self, path: str) -> None:
        """Show the name of the dump, at most once a second."""
        if time.monotonic() - self._told > 1:
            self._told, self._shown = time.monotonic(), True
            click.echo(f"\r\x1b[K{path[-100:]}", nl=False, err=True)

    def end(self) -> None:
        """Clear the line."""
        if self._shown:
            click.echo("\r\x1b[K", nl=False, err=True)


def _remark(remarks: "Remarks") -> None:
    """Report on standard error input that was left out of the output; lost input makes the exit code 1."""
    for line in remarks.brief():
        say(f"kew: {line}", err=True)
    if remarks.lost:
        sys.exit(1)


def _summary(paths: tuple[str, ...]) -> None:
    from kew.analytics.smf.read import summarise

    bar = _Progress()
    summary = summarise(paths, bar.reading if sys.stderr.isatty() else None)
    bar.end()
    click.echo("Type  Subtype  Records")
    for (kind, subtype), count in sorted(summary.records.items(), key=lambda item: (item[0][0], item[0][1] or 0)):
        click.echo(f"{kind:>4}  {'-' if subtype is None else subtype:>7}  {count:>7}")
    for file, offset, length, reason in summary.quarantine[:MOST_DAMAGE]:
        say(f"Damaged: {file} at {offset}, {length} bytes: {reason}")
    if summary.damaged > MOST_DAMAGE:
        click.echo(f"Damaged: {summary.damaged} places in all; --table quarantine lists them")
    for (system, name), lost in sorted(summary.gaps().items()):
        say(f"Missing: {lost} records of {system},{name}")
    for line in summary.remarks.lines():
        if not line.startswith("Lost"):  # which is listed above
            say(line)
    if not summary.records:
        raise click.ClickException("no SMF record was found; dumps are to come in binary, with record descriptor words")
    if summary.remarks.lost:
        sys.exit(1)


def _rows(paths: tuple[str, ...], table: str, columns: str | None, form: str, limit: int | None) -> None:
    import csv
    import json

    from kew.analytics.reports.plain import nested, plain
    from kew.analytics.smf.read import decode_dumps
    from kew.analytics.smf.remarks import Remarks
    from kew.analytics.smf.scan import REMARKED
    from kew.analytics.smf.tables import REMARKS, table_named

    name = table_named(table).name
    wanted = [column.strip() for column in columns.split(",")] if columns else None
    schema = table_named(name).schema(wanted)
    writer = csv.writer(sys.stdout, lineterminator="\n")
    if form == "csv":
        writer.writerow(schema.names)
    left = limit
    remarks = Remarks()
    tables = [name] if name == REMARKS else [name, REMARKS]
    for _, decoded in decode_dumps(
        paths, tables, {REMARKS: REMARKED.names} | ({} if wanted is None else {name: wanted})
    ):
        batch = decoded.tables[name]
        if name != REMARKS:
            remarks.add(decoded.tables[REMARKS])
        for row in (batch if left is None else batch.slice(0, left)).to_pylist():
            if form == "csv":
                writer.writerow(
                    [json.dumps(nested(value)) if isinstance(value, list) else plain(value) for value in row.values()]
                )
            else:
                click.echo(json.dumps({key: nested(value) for key, value in row.items()}))
        if left is not None:
            left -= min(left, batch.num_rows)
            if not left:
                return  # the rest of the file was not read
    _remark(remarks)


def _report(
    name: str,
    paths: tuple[str, ...],
    form: str,
    output: str | None,
    chosen: "Selection",
    utc: bool,
    spark: "SparkSession | None",
) -> None:
    from kew.analytics.reports.catalogue import report_named
    from kew.analytics.reports.html import html_lines
    from kew.analytics.reports.plain import csv_lines, json_lines
    from kew.analytics.reports.run import run_here, run_on_spark
    from kew.analytics.reports.text import TextReport
    from kew.analytics.smf.remarks import Remarks

    wanted = report_named(name)
    if wanted.name == "QSTATCSV" and form == "text":
        form = "csv"
    remarks = Remarks()
    if spark is None:
        result = run_here(wanted, paths, chosen, WORKERS, remarks)
    else:
        result = run_on_spark(wanted, spark, paths, chosen, remarks)
    if form == "text":
        write(TextReport(result, utc).lines(), output, "\n")
    elif form == "html":
        write(html_lines(result, list(remarks.lines())), output)
    elif form == "json":
        write(json_lines(result), output)
    elif output is None or len(wanted.parts) == 1:
        for number, part in enumerate(wanted.parts):
            if number:
                click.echo("")
            write(csv_lines(result, part.name), output)
    else:
        os.makedirs(output, exist_ok=True)
        for part in wanted.parts:
            write(csv_lines(result, part.name), os.path.join(output, f"{part.name}.csv"))
    _remark(remarks)


def _findings(
    paths: tuple[str, ...],
    form: str,
    output: str | None,
    chosen: "Selection",
    limits: str,
    spark: "SparkSession | None",
) -> None:
    from kew.analytics.reports import findings as rules
    from kew.analytics.reports import messages
    from kew.analytics.smf.remarks import Remarks

    remarks = Remarks()
    book = rules.RuleBook(rules.load_limits(limits))
    if form in ("text", "html"):
        if spark is None:
            summary = rules.summarise_here(paths, book, chosen, WORKERS, remarks)
        else:
            summary = rules.summarise_findings(rules.find_on_spark(spark, paths, book, chosen, remarks))
        if form == "text":
            write(messages.text_lines(summary), output, "\n")
        else:
            write(messages.html_lines(summary, list(remarks.lines())), output)
        _remark(remarks)
        return
    if spark is None:
        findings = rules.find_here(paths, book, chosen, WORKERS, remarks)
    else:
        findings = rules.find_on_spark(spark, paths, book, chosen, remarks)
    write({"csv": messages.csv_lines, "json": messages.json_lines}[form](findings), output)
    _remark(remarks)
