"""`kew perf`: the performance laboratory."""

import contextlib
import os
import signal
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kew.cli.group import Commands
from kew.cli.parameters import Seconds

if TYPE_CHECKING:
    from kew.perf.bench import Bench
    from kew.perf.drive import Timing
    from kew.perf.results import Keeper
    from kew.perf.scenario import Scenario
    from kew.perf.target import Target

# Each command imports what it needs when it runs: the engine and pyarrow take their time to load.

_RESULTS = click.option(
    "--results",
    type=click.Path(file_okay=False, path_type=Path),
    default="kew-results",
    show_default=True,
    help="The folder of Parquet files for results.",
)


@click.group(cls=Commands)
def perf() -> None:
    """The performance laboratory: run workloads, compare them, report.

    Example: kew perf run rr_cc/np_2K --quick
    """


@contextlib.contextmanager
def _problems() -> Iterator[None]:
    """Report an error of the user, a scenario or a worker as one line, in place of a traceback."""
    from kew.perf.control import Refused
    from kew.perf.processes import WorkerFailed
    from kew.perf.results import ResultsError
    from kew.perf.scenario import ScenarioError

    try:
        yield
    except (ScenarioError, ResultsError, WorkerFailed, Refused) as problem:
        raise click.ClickException(str(problem)) from problem


@perf.command("list")
@click.argument("names", nargs=-1)
@click.option("--folder", type=click.Path(path_type=Path), help="Scenarios of this folder instead of Kew's own.")
def list_all(names: tuple[str, ...], folder: Path | None) -> None:
    """List the scenarios NAMES, or all, with the condition that each waits for.

    Example: kew perf list streaming
    """
    from kew.perf.scenario import choose, load

    with _problems():
        scenarios = load(folder)
        chosen = [each for name in names for each in choose(scenarios, name)] if names else scenarios
    group = ""
    width = max(len(each.variant) for each in chosen)
    for each in chosen:
        if each.group != group:
            group = each.group
            click.echo(click.style(f"{group}", bold=True) + f"  {each.title} ({each.source})")
        workload = each.workload
        state = f"waiting for {each.waiting}" if each.waiting else "ready"
        kept = "pm" if workload.persistent else "np"
        click.echo(
            f"  {each.variant:<{width}}  {workload.kind:<13} {workload.binding:<9}"
            f" {kept} {_size(workload.size):>5}  {state}"
        )
    waiting = sum(bool(each.waiting) for each in chosen)
    click.echo(f"{len(chosen)} scenarios, {len(chosen) - waiting} ready, {waiting} waiting")


def _size(size: int) -> str:
    if size >= 1 << 20:
        return f"{size / (1 << 20):g}M"
    return f"{size / 1024:g}K" if size >= 1024 else f"{size}B"


@perf.command()
@click.argument("names", nargs=-1, required=True)
@click.option("--quick", is_flag=True, help="Measure half a second a point, as a check.")
@click.option("--full", is_flag=True, help="Measure fifteen seconds a point, three times each.")
@click.option("--clients", metavar="N,...", help="Numbers of clients, measured one after the other.")
@click.option("--seconds", type=Seconds(0.05, 86400), help="Seconds of steady state of each point.")
@click.option("--warm-up", type=Seconds(0, 3600), help="Seconds of warm-up before each steady state.")
@click.option("--repeats", type=click.IntRange(1, 100), help="Number of measurements of each point.")
@click.option("--set", "settings", multiple=True, metavar="KEY=VALUE", help="Override a setting; repeatable.")
@click.option("--label", default="", help="A name for the run, for reports.")
@_RESULTS
@click.option("--data", type=click.Path(file_okay=False), help="The directory of the queue manager under test.")
@click.option("--folder", type=click.Path(path_type=Path), help="Scenarios of this folder instead of Kew's own.")
@click.option("--host", metavar="HOST(PORT)", help="Measure a queue manager elsewhere, over TCP.")
@click.option("--qmgr", default="", help="With --host: the name of the queue manager.")
@click.option("--channel", default="DEV.ADMIN.SVRCONN", show_default=True, help="With --host: the channel.")
@click.option("--user", default="", help="With --host: the user; the password is taken from KEW_PASSWORD.")
def run(
    names: tuple[str, ...],
    quick: bool,
    full: bool,
    clients: str | None,
    seconds: float | None,
    warm_up: float | None,
    repeats: int | None,
    settings: tuple[str, ...],
    label: str,
    results: Path,
    data: str | None,
    folder: Path | None,
    host: str | None,
    qmgr: str,
    channel: str,
    user: str,
) -> None:
    """Run the scenarios NAMES and keep their results.

    A NAME is a scenario such as rr_cc/np_2K, or a group such as rr_cc; all stands for every ready scenario. Without
    --host a queue manager is made for it and taken away afterwards. Ctrl-C ends it; what was measured is kept.

    Example: kew perf run bindings --quick --set size=20480
    """
    from kew.perf.bench import Bench
    from kew.perf.results import Keeper, need_arrow

    if quick and full:
        raise click.UsageError("--quick or --full, not both")
    timing = _timing(quick, full, seconds, warm_up, repeats)
    counts = _counts(clients) if clients else ()
    with _problems():
        need_arrow()
        scenarios = _chosen(names, settings, folder)
        target = _target(host, qmgr, channel, user) if host else None
        keeper = Keeper(results)
        failed = _measure(scenarios, counts, quick, Bench(data or "", target), timing, label, keeper)
    points = keeper.points
    if points:
        click.echo(f"{len(points)} points added to {keeper.path}")
    if failed:
        raise click.ClickException("; ".join(failed))
    if not points:
        raise click.ClickException("nothing was measured; give a longer --seconds")
    wrong = [point for point in points if (point.ledger or point.ledger_copies) and not point.partial]
    if wrong:
        missing = wrong[0].ledger + wrong[0].ledger_copies
        raise click.ClickException(f"{wrong[0].name}: {missing} messages were put and not got; report it")
    if any(point.partial for point in points):
        raise SystemExit(130)


def _measure(
    scenarios: "list[Scenario]",
    counts: tuple[int, ...],
    quick: bool,
    bench: "Bench",
    timing: "Timing",
    label: str,
    keeper: "Keeper",
) -> list[str]:
    """Run scenarios one after the other, also after one has failed; gives the failed ones, with the reasons."""
    from kew.codes.errors import MQError
    from kew.perf.control import Refused
    from kew.perf.drive import Driver
    from kew.perf.processes import WorkerFailed
    from kew.perf.scenario import ScenarioError
    from kew.perf.show import Screen

    failed = []
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # results are kept after Ctrl-C too
    with bench, Screen(sys.stdout) as screen:
        driver = Driver(bench, timing, screen.watch, label)
        for scenario in scenarios:
            swept = counts or (scenario.workload.quick_clients if quick else scenario.workload.clients)
            try:
                for point in driver.sweep(scenario, swept):
                    keeper.add(point)
                    screen.add(point)
            except (ScenarioError, WorkerFailed, Refused, MQError) as problem:
                failed.append(f"{scenario.name}: {problem}".replace(f"{scenario.name}: {scenario.name}", scenario.name))
                bench.reset()
            except KeyboardInterrupt:
                driver.interrupted = True
            if driver.interrupted:
                break
    return failed


def _timing(quick: bool, full: bool, seconds: float | None, warm_up: float | None, repeats: int | None) -> "Timing":
    from kew.perf.drive import FULL, NORMAL, QUICK

    timing = QUICK if quick else FULL if full else NORMAL
    if seconds is not None:
        timing = replace(timing, steady=seconds, interval=max(0.05, min(0.5, seconds / 10)))
    if warm_up is not None:
        timing = replace(timing, warm_up=warm_up)
    return replace(timing, repeats=repeats) if repeats is not None else timing


def _counts(text: str) -> tuple[int, ...]:
    try:
        counts = tuple([int(each) for each in text.split(",")])
    except ValueError:
        raise click.UsageError(f"--clients {text!r}: takes numbers with commas between, as in 1,8,64") from None
    if min(counts) < 1 or max(counts) > 100_000:
        raise click.UsageError(f"--clients {text!r}: numbers are from 1 to 100000")
    return counts


def _chosen(names: tuple[str, ...], settings: tuple[str, ...], folder: Path | None) -> "list[Scenario]":
    from kew.perf.scenario import ScenarioError, change, choose, load, setting

    scenarios = load(folder)
    chosen = []
    for name in names:
        some = scenarios if name == "all" else choose(scenarios, name)
        ready = [each for each in some if not each.waiting]
        if not ready:
            raise ScenarioError(f"{name} waits for {some[0].waiting}")
        chosen += ready
    values = dict(map(setting, settings))
    return [replace(each, workload=change(each.workload, values, "--set")) for each in chosen]


def _target(host: str, qmgr: str, channel: str, user: str) -> "Target":
    from kew.channels.transport.address import parse_addresses
    from kew.perf.target import Target

    try:
        parse_addresses(host)
    except ValueError as problem:
        raise click.UsageError(f"--host: {problem}") from problem
    password = os.environ.get("KEW_PASSWORD", "") if user else ""
    return Target(qmgr, "", host, channel, user, password)


@perf.command()
@_RESULTS
@click.option("--out", type=click.Path(path_type=Path), default="kew-performance.html", show_default=True,
              help="The HTML file to write, or one that ends in .md.")  # fmt: skip
@click.option("--markdown", is_flag=True, help="Also write Markdown beside it.")
@click.option("--label", default="", help="Use only runs with this label.")
@click.option("--master", help="The Spark master: local[*], spark://HOST:PORT, or sc://HOST for Connect.")
def report(results: Path, out: Path, markdown: bool, label: str, master: str | None) -> None:
    """Make a report of the newest results: peaks, charts, and ratios beside those of the MQ reports.

    Example: kew perf report --out report.html --markdown
    """
    from kew.analytics.session import NoSpark
    from kew.perf.report.write import make_report

    if not list(results.glob("*.parquet")):
        raise click.ClickException(f"{results} holds no results; `kew perf run` makes some")
    try:
        document = make_report(results, label, master)
    except NoSpark as problem:
        raise click.ClickException(str(problem)) from problem
    if not any(type(block).__name__ == "Chart" for block in document.blocks):
        raise click.ClickException(f"{results} holds no results of label {label}")
    if out.suffix == ".md":
        document.write_markdown(out)
    else:
        out.write_text(document.html(), encoding="utf-8")
        if markdown:
            document.write_markdown(out.with_suffix(".md"))
    click.echo(f"wrote {out}")


@perf.command()
@click.argument("before", type=click.Path(exists=True, path_type=Path))
@click.argument("after", type=click.Path(exists=True, path_type=Path))
@click.option(
    "--tolerance",
    type=Seconds(0, 100),
    default=6.0,
    show_default=True,
    help="Largest difference that does not count, in percent.",
)
@click.option(
    "--metric",
    "metrics",
    multiple=True,
    type=click.Choice(["rate", "mean", "cpu_qmgr"]),
    default=("rate",),
    show_default=True,
    help="Quantity to compare: rate, mean response, CPU of the queue manager; repeatable.",
)
@click.option("--label", "labels", nargs=2, metavar="A B", help="Labels of the runs of BEFORE and of AFTER.")
def compare(
    before: Path, after: Path, tolerance: float, metrics: tuple[str, ...], labels: tuple[str, str] | None
) -> None:
    """Compare the results AFTER with those BEFORE, each a folder or a file; the exit code is 1 if one got worse.

    Repeat runs (kew perf run --repeats 5) tell noise from change: a difference counts if it is more than the tolerance
    and outside the 95 % confidence interval.

    Example: kew perf compare results-old results-new
    """
    from kew.perf.compare import WORSE
    from kew.perf.compare import compare as compared
    from kew.perf.results import read

    with _problems():
        first, second = read(before), read(after)
    if labels:
        first = [point for point in first if point.label == labels[0]]
        second = [point for point in second if point.label == labels[1]]
    differences = compared(first, second, metrics, tolerance / 100)
    if not differences:
        raise click.ClickException("the two have no scenario with the same number of clients in common")
    click.echo(
        f"{'scenario':<32} {'clients':>7} {'of':<8} {'before':>12} {'after':>12}"
        f" {'change':>8} {'95 % interval':>18}  verdict"
    )
    for each in differences:
        interval = f"{each.low:+.1%} to {each.high:+.1%}" if min(each.repeats) > 1 else "one run"
        click.echo(
            f"{each.name:<32} {each.clients:>7} {each.metric:<8} {each.before:>12,.4g} {each.after:>12,.4g}"
            f" {each.change:>+8.1%} {interval:>18}  {each.verdict}"
        )
    worse = [each for each in differences if each.verdict == WORSE]
    click.echo(f"{len(differences)} compared, {len(worse)} worse by more than {tolerance:g} %")
    if worse:
        raise SystemExit(1)


@perf.command(context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
@click.argument("options", nargs=-1, type=click.UNPROCESSED)
def cph(options: tuple[str, ...]) -> None:
    """Run a module of MQ-CPH, with its options and its lines: -tc Requester, Responder, Sender, Receiver, PutGet,
    Forwarder, Publisher, Subscriber or Dummy.

    \b
    Example: kew perf cph -tc Requester -nt 4 -rl 30 -jb QM1 -jt mqb -iq REQUEST -oq REPLY -pp -tx
    """
    from kew.perf.cph import Control
    from kew.perf.options import CphError, parse

    try:
        control = Control(parse(list(options)), click.echo)
    except CphError as problem:
        raise click.UsageError(str(problem)) from problem
    if not control.run():
        raise SystemExit(1)
