"""`kew smf page`: one interactive page about dumps or a store, made on Spark."""

import sys
from datetime import datetime

import click

from kew.cli.engine import MASTER, PATHS, problems, session
from kew.cli.screen import say


@click.command()
@PATHS
@click.option("--output", "-o", required=True, help="The HTML file to write.")
@click.option("--title", default="Queue managers over time", help="The heading of the page.")
@click.option("--from", "since", type=click.DateTime(), help="Only records from this local time on.")
@click.option("--to", "until", type=click.DateTime(), help="Only records before this local time.")
@click.option("--system", default="", help="Only this z/OS system.")
@click.option("--qmgr", default="", help="Only this queue manager.")
@MASTER
def page(
    paths: tuple[str, ...],
    output: str,
    title: str,
    since: datetime | None,
    until: datetime | None,
    system: str,
    qmgr: str,
    master: str | None,
) -> None:
    """Write one interactive page about dumps or a store: findings, charts over time, and tables to search.

    The page is one file that loads nothing from elsewhere. Drag over a chart to look at a span of time in all of them;
    choose a finding to see the chart that shows it.

    Example: kew smf page store -o page.html
    """
    with problems():
        spark = session("spark", paths, master)
        assert spark is not None
        from kew.analytics.jobs.overview import overview
        from kew.analytics.reports.interactive import page_lines
        from kew.analytics.smf.selection import Selection

        made, remarks = overview(spark, paths, Selection(qmgr, since, until, system), title)
        with open(output, "w", encoding="utf-8") as file:
            file.writelines(page_lines(made))
        for line in remarks.brief():
            say(f"kew: {line}", err=True)
        if remarks.lost:
            sys.exit(1)
