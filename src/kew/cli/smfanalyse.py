"""`kew smf analyse`: questions about dumps or a store, answered on Spark."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import TYPE_CHECKING, TextIO

import click

from kew.analytics.jobs.questions import PAYERS, QUESTIONS, check
from kew.cli.engine import MASTER, PATHS, problems, session
from kew.cli.screen import say

if TYPE_CHECKING:
    import pyarrow as pa


@click.command()
@click.argument("name", type=click.Choice(list(QUESTIONS)))
@PATHS
@click.option("--from", "since", type=click.DateTime(), help="Only records from this local time on.")
@click.option("--to", "until", type=click.DateTime(), help="Only records before this local time.")
@click.option("--system", default="", help="Only this z/OS system.")
@click.option("--qmgr", default="", help="Only this queue manager.")
@click.option("--queue", default="", help="Only this queue, or those of a generic name such as PAY.*.")
@click.option("--user", "user_name", default="", help="Only the work of this user, or of a generic name.")
@click.option("--top", type=click.IntRange(1), help="Only so many rows, the first in the order of the answer.")
@click.option("--by", type=click.Choice(PAYERS), help="For costs, bill and tasksum: one row for each of these.")
@click.option("--tariff", type=click.File(), help="For bill and costs: rates and applications in TOML.")
@click.option(
    "--split",
    type=click.DateTime(),
    help="For regressions, compare and anomalies: the local time between the two periods; a week before the end.",
)
@click.option(
    "--metric",
    "metrics",
    multiple=True,
    metavar="TABLE: FORMULA [by COLUMN]",
    help="For anomalies, compare and forecast: what to look at, as 'QQST: QQSTDPTH'; may be repeated.",
)
@click.option("--zone", help="The time zone people work by, as Europe/Berlin; without it the system's.")
@click.option("--ahead", type=click.IntRange(1, 3650), default=90, help="For forecast: so many days.")
@click.option("--limit", type=float, help="For forecast: the value that must not be met; 100 for shares in percent.")
@click.option("--messages", type=float, default=1.0, help="For capacity: so many times the messages.")
@click.option("--size", type=float, default=1.0, help="For capacity: messages of so many times the size.")
@click.option("--releases", nargs=2, metavar="OLD NEW", help="For regressions: two releases in place of two periods.")
@click.option("--format", "form", type=click.Choice(["text", "csv", "json"]), default="text", help="What to write.")
@click.option("--output", "-o", help="A file to write.")
@MASTER
def analyse(
    name: str,
    paths: tuple[str, ...],
    since: datetime | None,
    until: datetime | None,
    system: str,
    qmgr: str,
    queue: str,
    user_name: str,
    top: int | None,
    by: str | None,
    tariff: TextIO | None,
    split: datetime | None,
    metrics: tuple[str, ...],
    zone: str | None,
    ahead: int,
    limit: float | None,
    messages: float,
    size: float,
    releases: tuple[str, str] | None,
    form: str,
    output: str | None,
    master: str | None,
) -> None:
    """Answer a question about dumps or a store, on Spark.

    bursts: are the messages of a minute spread evenly? logger: how near is its limit, and what comes next? pools: how
    large should they be? indexes: which queues need one? costs: who pays? bill: how much, for each month? tasksum and
    qsum: what did tasks do, and with which queues? pagesets: when are they full? regressions: what became slower?
    anomalies: what is unusual for its weekday and hour? forecast: how do load and use go on, and when do they meet
    their limits? compare: what changed from one period to the next, over all metrics? capacity: what if there were more
    messages, or larger ones? consumers: which do not keep up?

    Example: kew smf analyse costs store --by channel
    """
    with problems():
        from kew.analytics.jobs.tariffs import read_tariff

        rates = None if tariff is None else read_tariff(tariff.read())
        check(name, by or "", queue, user_name)
        spark = session("spark", paths, master)
        assert spark is not None
        from kew.analytics.jobs.catalogue import ANALYSES, Request
        from kew.analytics.jobs.metrics import zone_named
        from kew.analytics.smf.selection import Selection

        request = Request(
            spark,
            paths,
            by or "",
            split,
            releases,
            metrics,
            None if zone is None else zone_named(zone),
            Selection(qmgr, since, until, system),
            queue,
            user_name,
            rates,
            ahead,
            limit,
            messages,
            size,
        )
        answer = ANALYSES[name](request)
        write(answer_lines((answer if top is None else answer.limit(top)).toArrow(), form), output)


def answer_lines(answer: "pa.Table", form: str) -> Iterator[str]:
    """Give the rows of an answer as lines: JSON, CSV, or a table as wide as its contents."""
    import csv
    import io
    import json

    from kew.analytics.reports.plain import plain

    more = [name for name in ("subsystem", "qsg") if name in answer.column_names]
    if form == "text":  # what says no more than the queue manager's name is left out
        shown_names = answer.column("qmgr").to_pylist() if more else []
        more = [
            name
            for name in more
            if any(
                value not in ("", None, known)
                for value, known in zip(answer[name].to_pylist(), shown_names, strict=True)
            )
        ]
    first = [name for name in answer.column_names if name not in ("subsystem", "qsg")]
    answer = answer.select([*first, *more])
    rows = [[plain(value) for value in row.values()] for row in answer.to_pylist()]
    if form == "json":
        yield from (json.dumps(dict(zip(answer.column_names, row, strict=True))) + "\n" for row in rows)
    elif form == "csv":
        buffer = io.StringIO()
        csv.writer(buffer, lineterminator="\n").writerows([answer.column_names, *rows])
        yield buffer.getvalue()
    else:
        shown = [
            [_decimals(value) if isinstance(value, float) else ("" if value is None else str(value)) for value in row]
            for row in rows
        ]
        widths = [max(map(len, column)) for column in zip(answer.column_names, *shown, strict=True)]
        for line in [answer.column_names, *shown]:
            yield "  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)).rstrip() + "\n"


def _decimals(value: float) -> str:
    """Format a number with two to six decimals, since costs of one call are fractions of microseconds."""
    whole, _, rest = f"{value:.6f}".partition(".")
    return f"{whole}.{rest[:2]}{rest[2:].rstrip('0')}"


def write(lines: Iterable[str], output: str | None, end: str = "") -> None:
    """Write lines to a file or to standard output; without lines, report that there are none."""
    if output is None:
        empty = True
        for line in lines:
            say(line + end, nl=False)
            empty = False
        if empty:
            click.echo("kew: there are no such records; 'kew smf decode' shows what the dumps hold", err=True)
        return
    with open(output, "w", encoding="utf-8") as file:
        file.writelines(line + end for line in lines)
