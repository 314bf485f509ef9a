"""The report: highlights, the machine, the ratios of MQ's reports and Kew's, and a section for each workload."""

import json
import re
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from kew.analytics.session import start_session
from kew.perf.capacity import expiry_depth
from kew.perf.histogram import seconds_of
from kew.perf.ratios import FAILS, HOLDS, Judged, judge_all
from kew.perf.report import charts
from kew.perf.report.document import Block, Chart, Document, Heading, Paragraph, Picture, Table
from kew.perf.report.tables import Tables, make_tables

BUSY: Final = 0.3  # cores of others above which figures are pushed by neighbours
Row = dict[str, Any]


def make_report(folder: Path, label: str = "", master: str | None = None) -> Document:
    """Run the Spark job over a folder of results and make the document."""
    session = start_session(master, "kew perf report", partitions=4)
    return document_of(make_tables(session, folder, label))


def document_of(tables: Tables) -> Document:
    """Make the document from the tables."""
    document = Document("Kew performance report")
    host = json.loads(tables.peaks[0]["host"]) if tables.peaks else {}
    judged = judge_all(measured_of(tables))
    document.add(*_highlights(tables, host, judged))
    document.add(*_ratios(judged))
    for scenario, rows in groupby(tables.peaks, key=lambda row: row["scenario"]):
        document.add(*_section(tables, str(scenario), list(rows), judged))
    document.add(*_method(tables))
    return document


def measured_of(tables: Tables) -> dict[str, Row]:
    """Give the figures for ratios: the peaks by scenario, and every point by scenario and number of clients."""
    depths = {(row["scenario"], row["variant"], row["clients"]): row["samples"] for row in tables.points}
    measured: dict[str, Row] = {}
    for row in tables.curves:
        measured[f"{row['scenario']}/{row['variant']}@{row['clients']}"] = row
    for row in tables.peaks:
        samples = depths.get((row["scenario"], row["variant"], row["clients"]), [])
        measured[f"{row['scenario']}/{row['variant']}"] = row | {"depth_formula": _depth_of_formula(row, samples)}
    return measured


def _depth_of_formula(row: Row, samples: list[Row]) -> float:
    """Give the measured peak depth of queues with expiring copies, relative to the formula; 0 if it is unknown.

    A scan every EXPRYINT seconds makes a saw-tooth, and the formula is about its peaks: one must have been seen.
    """
    settings = json.loads(row["settings"])
    interval = re.search(r"EXPRYINT\((\d+)\)", " ".join(settings.get("mqsc", [])))
    capexpry, rate = settings.get("capexpry", 0), settings.get("rate", 0.0)
    if not interval or not capexpry or not rate:
        return 0.0
    seconds = int(interval[1])
    if not samples or samples[-1]["seconds"] < capexpry / 10 + 2 * seconds:
        return 0.0
    deepest = max(sample["depth"] for sample in samples)
    return float(deepest / expiry_depth(rate * row["clients"], capexpry, seconds).value)


def _highlights(tables: Tables, host: Row, judged: list[Judged]) -> list[Block]:
    rows = [row for row in tables.peaks if row["kind"] in ("request-reply", "one-way", "put-get")]
    best = max(rows, key=lambda row: row["rate"], default=None)
    persistent = max((row for row in rows if row["persistent"]), key=lambda row: row["rate"], default=None)
    blocks: list[Block] = [Heading("Highlights")]
    for row, what in ((best, "The highest rate"), (persistent, "The highest rate of persistent messages")):
        if row is not None:
            blocks.append(
                Paragraph(
                    f"{what}: {row['rate']:,.0f}/s, {row['scenario']}/{row['variant']} with {row['clients']} clients,"
                    f" {row['mean'] * 1000:,.2f} ms on average."
                )
            )
    bounded = [each for each in judged if each.verdict in (HOLDS, FAILS)]
    kept = sum(each.verdict == HOLDS for each in bounded)
    blocks.append(Paragraph(f"Of {len(bounded)} ratios with bounds {kept} hold; {len(judged)} are compared."))
    busy = sum(row["cores_others"] > BUSY for row in tables.peaks)
    if busy:
        most = max(row["cores_others"] for row in tables.peaks)
        blocks.append(
            Paragraph(
                f"{busy} of {len(tables.peaks)} peaks were measured while other processes of the machine used more than"
                f" {BUSY:g} cores, up to {most:.1f}: rates and response times"
                " are lower bounds then, and ratios between two such tests are uncertain. They have a star."
            )
        )
    missing = sum(row["missing"] for row in tables.curves)
    total = sum(row["puts"] for row in tables.curves)
    blocks.append(Paragraph(f"The books: {total:,} messages were put, {missing:,} are missing."))
    blocks.append(Heading("The machine"))
    names = {"node": "host", "memory_mb": "memory, MB", "kew": "Kew", "build": "modules"}
    blocks.append(Table(["", ""], [False, False], [[names.get(key, key), str(value)] for key, value in host.items()]))
    return blocks


def _ratios(judged: list[Judged]) -> list[Block]:
    if not judged:
        return []
    return [
        Heading("The reports' ratios and ours"),
        Paragraph(
            "Ratios are compared and not rates, since machines differ. Those with bounds hold or do not; the others are"
            " as in the report when they are within a quarter of it."
        ),
        _ratio_table(judged),
    ]


def _ratio_table(judged: list[Judged]) -> Table:
    table = Table(
        ["Where", "Ratio", "Of", "Report", "Ours", "Bounds", "Verdict"],
        [False, False, False, True, True, False, False],
        [],
    )
    for each in judged:
        ratio = each.ratio
        seed = f"{ratio.seed:.3f}" if ratio.seed is not None else ""
        table.rows.append([ratio.table, ratio.text, ratio.metric, seed, f"{each.ours:.3f}", ratio.bounds, each.verdict])
        table.marks.append({HOLDS: "good", FAILS: "bad"}.get(each.verdict, "plain"))
    return table


def _section(tables: Tables, scenario: str, peaks: list[Row], judged: list[Judged]) -> list[Block]:
    blocks: list[Block] = [
        Heading(f"{scenario}: {peaks[0]['title']}"),
        Paragraph(f"After {peaks[0]['source']}."),
    ]
    if peaks[0]["picture"]:
        blocks.append(Picture(peaks[0]["picture"]))
    curves = [row for row in tables.curves if row["scenario"] == scenario]
    details = [row for row in tables.points if row["scenario"] == scenario]
    if peaks[0]["kind"] == "verbs":
        blocks += _verbs(scenario, details, peaks)
    else:
        blocks += _over_clients(scenario, curves)
        blocks.append(_peak_table(peaks))
        if len(peaks) > 1:
            blocks.append(_costs(scenario, peaks))
        blocks += _details(scenario, details)
    own = [each for each in judged if each.ratio.over.startswith(f"{scenario}/")]
    if own:
        blocks += [Heading("Ratios", 3), _ratio_table(own)]
    return blocks


def _over_clients(scenario: str, curves: list[Row]) -> list[Block]:
    """Give rate, CPU and response over clients, where more than one number of clients was measured."""
    lines: dict[str, list[Row]] = {}
    for row in curves:
        lines.setdefault(row["variant"], []).append(row)
    swept = {name: rows for name, rows in lines.items() if len(rows) > 1}
    if not swept:
        return []
    blocks: list[Block] = []
    for key, factor, up in (
        ("rate", 1.0, "units of work a second"),
        ("cores_qmgr", 100.0, "CPU of the queue manager, % of a core"),
        ("mean", 1000.0, "mean response, ms"),
    ):
        drawn = [
            (name, [float(row["clients"]) for row in rows], [row[key] * factor for row in rows])
            for name, rows in swept.items()
        ]
        caption = f"{up} over clients"
        blocks.append(Chart(f"{scenario}-{key}", charts.curves(f"{scenario}: {up}", "clients", up, drawn), caption))
    return blocks


def _peak_table(peaks: list[Row]) -> Table:
    table = Table(
        ["Test", "Clients", "Size", "Rate/s", "Mean ms", "p50", "p95", "p99", "Max", "MB/s", "QM CPU us", "App CPU us",
         "Syncs/unit", "RSS MB", "Repeats", "Spread %"],
        [False, *[True] * 15],
        [],
    )  # fmt: skip
    for row in peaks:
        times = [f"{row[key] * 1000:,.2f}" for key in ("mean", "p50", "p95", "p99", "longest")]
        marks = "*" if row["cores_others"] > BUSY else ""
        table.rows.append(
            [
                row["variant"] + marks,
                str(row["clients"]),
                f"{row['size']:,}",
                f"{row['rate']:,.0f}",
                *times,
                f"{row['megabytes']:,.1f}",
                f"{row['cpu_qmgr']:,.0f}",
                f"{row['cpu_clients']:,.0f}",
                f"{row['syncs_unit']:.2f}",
                f"{row['rss']:,.0f}",
                str(row["repeats"]),
                f"{row['spread'] * 100:.1f}",
            ]
        )
        table.marks.append("bad" if row["missing"] else "plain")
    return table


def _costs(scenario: str, peaks: list[Row]) -> Chart:
    """Draw the stacked cost of a unit of work."""
    names = [row["variant"] for row in peaks]
    parts = [
        ("queue manager", [row["cpu_qmgr"] for row in peaks]),
        ("programs", [row["cpu_clients"] for row in peaks]),
    ]
    up = "CPU us of a unit of work"
    return Chart(f"{scenario}-cost", charts.bars(f"{scenario}: {up}", up, names, parts), f"{up}, at the peak")


def _details(scenario: str, details: list[Row]) -> list[Block]:
    lines, depths = [], []
    for row in details:
        counts = sorted((row["histogram"] or {}).items())
        total = sum(count for _, count in counts)
        if total:
            shares, seen = [], 0
            for _, count in counts:
                seen += count
                shares.append(100 * seen / total)
            lines.append((row["variant"], [seconds_of(at) * 1000 for at, _ in counts], shares))
        samples = row["samples"] or []
        if any(sample["depth"] > 50 for sample in samples):
            moments = [sample["seconds"] for sample in samples]
            depths.append((row["variant"], moments, [sample["depth"] for sample in samples]))
    blocks: list[Block] = []
    if lines:
        drawn = charts.distribution(f"{scenario}: response times at the peak", lines)
        blocks.append(Chart(f"{scenario}-times", drawn, "share of responses within a time"))
    if depths:
        drawn = charts.curves(f"{scenario}: messages on the queues", "seconds", "messages", depths)
        blocks.append(Chart(f"{scenario}-depth", drawn, "depth of the queues over time"))
    return blocks


def _verbs(scenario: str, details: list[Row], peaks: list[Row]) -> list[Block]:
    """Give the mean microseconds of each verb, one row for each variant."""
    sizes = {row["variant"]: row["size"] for row in peaks}
    shown = [row for row in details if row["verbs"]]
    if not shown:
        return []
    names = [verb["verb"] for verb in shown[0]["verbs"]]
    table = Table(["Test", "Size", *[f"{name} us" for name in names]], [False, *[True] * (len(names) + 1)], [])
    for row in sorted(shown, key=lambda each: (each["variant"].split("_")[0], sizes[each["variant"]])):
        cells = [f"{verb['mean'] * 1e6:,.1f}" for verb in row["verbs"]]
        table.rows.append([row["variant"], f"{sizes[row['variant']]:,}", *cells])
    families: dict[str, list[tuple[int, float]]] = {}
    for row in shown:
        put = next(verb["mean"] for verb in row["verbs"] if verb["verb"] == "MQPUT")
        families.setdefault(row["variant"].rpartition("_")[0], []).append((sizes[row["variant"]], put * 1e6))
    lines = [
        (name, [float(size) for size, _ in sorted(some)], [time for _, time in sorted(some)])
        for name, some in families.items()
        if len(some) > 1
    ]
    blocks: list[Block] = [table]
    if lines:
        drawn = charts.curves(f"{scenario}: MQPUT", "bytes", "us", lines, logarithmic=True)
        blocks.append(Chart(f"{scenario}-put", drawn, "mean time of MQPUT by size of the message"))
    return blocks


def _method(tables: Tables) -> list[Block]:
    overhead = max((row["overhead"] for row in tables.curves), default=0.0)
    return [
        Heading("How it was measured"),
        Paragraph(
            "Rates and response times are of the steady state, after a warm-up; the response time of a request is from"
            " before its put to after the get of its reply. CPU is that of the processes, from /proc, divided by the"
            " units of work. Each peak is the number of clients with the highest rate, the median of its repeats; a"
            f" test with a star was measured while other processes of the machine used more than {BUSY:g} cores."
        ),
        Paragraph(f"The driver's own part of a round trip, with a connection to nothing, is {overhead * 1e6:,.1f} us."),
    ]
