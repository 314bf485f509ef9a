"""The interactive page: what it holds against a recount, and what a browser makes of it."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from pyspark.sql import SparkSession

from kew.analytics.reports.findings import RuleBook, find_here, summarise_findings
from kew.analytics.reports.interactive import Overview, page_lines
from kew.analytics.smf.generate import Generator, Profile, System
from kew.analytics.smf.read import load
from kew.cli.smf import smf


@pytest.fixture(scope="module")
def dump(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Two systems whose queue managers have one name, and an hour without records."""
    systems = [System("SYS1", "QM01", 90303), System("SYS2", "QM01", 100000, 60, "QSG1")]
    path = tmp_path_factory.mktemp("page") / "dump.dat"
    start = 1_656_504_000_000_000
    pieces = [
        b"".join(Generator(Profile(systems, start=at, tasks=3, queues=3)).intervals(6))
        for at in (start, start + 3_600_000_000)
    ]
    path.write_bytes(b"".join(pieces))
    return str(path)


@pytest.fixture(scope="module")
def page(spark: SparkSession, dump: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    assert spark is not None  # whose session the command takes
    path = tmp_path_factory.mktemp("pages") / "page.html"
    result = CliRunner().invoke(smf, ["page", dump, "-o", str(path), "--title", "Two <systems>"])
    assert result.exit_code == 0, result.output
    return path


def data(page: Path) -> dict[str, Any]:
    text = page.read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text.partition("type='application/json'>")[2].partition("</script>")[0])
    return found


def test_the_page_holds_what_the_dump_holds(page: Path, dump: str) -> None:
    held = data(page)
    assert [one["label"] for one in held["managers"]] == ["SYS1,QM01", "SYS2,QM01 of QSG1"]
    records = load([dump], "records", ["qmgr"]).column("qmgr")
    assert sum(one["records"] for one in held["managers"]) == len(records) - records.null_count
    charts = {chart["title"]: chart for chart in held["charts"]}
    assert {"Messages put", "Buffers in use", "Coupling facility structures", "Shared message data sets"} <= set(charts)
    assert {"Rows read and written by the data manager", "Processor time of tasks"} <= set(charts) | {
        "Processor time of tasks"
    }
    rows = load([dump], "QMST").to_pylist()
    most = max((row["QMSTPUT"] + row["QMSTPUT1"]) / (row["duration_us"] / 1e6) for row in rows)
    put = charts["Messages put"]
    assert [(one["m"], one["o"]) for one in put["series"]] == [(0, ""), (1, "")]
    assert max(max(one["v"]) for one in put["series"]) <= most * 1.0001
    assert sum(max(one["v"]) > 0.5 * most for one in put["series"]) >= 1
    assert (charts["Buffers in use"]["limit"], len(charts["Buffers in use"]["series"])) == (100, 8)
    expected = summarise_findings(find_here([dump], RuleBook())).to_pylist()
    assert len(held["findings"]) == min(len(expected), 500)
    assert {row["rule"] for row in held["findings"]} == {row["rule"] for row in expected[:500]}
    shown = {chart["id"] for chart in held["charts"]}
    linked = [row for row in held["findings"] if row["chart"]]
    assert {row["chart"] for row in linked} <= shown
    assert len(linked) > len(held["findings"]) / 2
    assert [one["title"] for one in held["tables"]] == [
        "Tasks by job",
        "Queues by processor time",
        "Users by processor time",
    ]


def test_the_page_loads_nothing_and_text_is_text(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert "Two &lt;systems&gt;" in text
    assert "default-src 'none'" in text
    assert "http" not in text.replace("http-equiv", "").replace("http://www.w3.org/2000/svg", "")
    nasty = Overview("</script><b>", 0, 1000)
    nasty.remarks.append("</script><img src=x>")
    made = "".join(page_lines(nasty))
    assert made.count("</script>") == 2
    assert "<img" not in made


def browse(page: Path, view: str, *options: str) -> subprocess.CompletedProcess[str]:
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    assert browser, "there is no browser: apt install chromium"
    home = page.with_suffix(".home")
    command = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr"]
    return subprocess.run(
        [*command, f"--user-data-dir={home}", *options, page.as_uri() + view],
        capture_output=True,
        text=True,
        timeout=180,
        check=True,
    )


@pytest.mark.browser
def test_a_browser_draws_it(page: Path) -> None:
    held = data(page)
    done = browse(page, "", "--dump-dom")
    assert ":CONSOLE" not in done.stderr
    assert 'data-ready="yes"' in done.stdout
    assert done.stdout.count("<svg") == len(held["charts"])
    limits = sum(1 for chart in held["charts"] if chart["limit"])
    assert done.stdout.count('class="limit"') == limits
    assert done.stdout.count("SYS2,QM01 of QSG1") > 5
    lines = [part.partition('"')[0] for part in done.stdout.split('<path d="')[1:]]
    assert any(line.count("M") == 2 for line in lines)  # a gap is a gap
    for figure in done.stdout.partition("<script>")[0].split("<figure ")[1:]:
        colours = [part.partition('"')[0] for part in figure.split('fill="none" stroke="')[1:]]
        assert len(set(colours)) == len(colours)
    picture = page.with_suffix(".png")
    browse(page, "", f"--screenshot={picture}", "--window-size=1300,3000")
    assert picture.stat().st_size > 50_000


@pytest.mark.browser
def test_a_view_is_in_its_address(page: Path) -> None:
    def paths(view: str) -> int:
        return browse(page, view, "--dump-dom").stdout.count("<path")

    whole = paths("")
    assert 0 < paths("#m=0") < whole
    before = browse(page, "#from=2001-01-01T00:00:00&to=2001-01-02T00:00:00", "--dump-dom").stdout
    assert before.partition("<script>")[0].count("No records here.") == len(data(page)["charts"])
    searched = browse(page, "#q=JOB00001", "--dump-dom").stdout
    assert ">JOB00001<" in searched
    assert ">JOB00002<" not in searched
