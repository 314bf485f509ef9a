"""The laboratory's report: the Spark job over results, and the pages."""

import json
import os
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from click.testing import CliRunner
from pyspark.sql import SparkSession
from tests.spark.perfpoints import HOST, some_results

from kew.cli import main
from kew.perf.report.document import Chart, Document, Table
from kew.perf.report.tables import make_tables
from kew.perf.report.write import document_of


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return some_results(tmp_path_factory.mktemp("results"))


def test_the_newest_run_counts_and_repeats_become_their_median(spark: SparkSession, results: Path) -> None:
    tables = make_tables(spark, results)
    rates = {(row["variant"], row["clients"]): row["rate"] for row in tables.curves}
    assert rates["local_np_trusted", 1] == 1100.0
    assert rates["local_np_trusted", 4] == 2000.0
    peaks = {row["variant"]: (row["clients"], row["rate"], row["repeats"]) for row in tables.peaks}
    assert peaks["local_np_trusted"] == (4, 2000.0, 3)
    assert peaks["local_np_shared"] == (4, 1004.0, 1)


def test_the_document_has_highlights_ratios_and_charts(spark: SparkSession, results: Path, tmp_path: Path) -> None:
    document = document_of(make_tables(spark, results))
    html = document.html()
    assert "The highest rate: 2,000/s, bindings/local_np_trusted with 4 clients" in html
    assert "600 messages were put" not in html
    assert "0 are missing" in html
    ratio = next(
        row for block in document.blocks if isinstance(block, Table) for row in block.rows if "S1 table 27" in row
    )
    assert ratio[3:] == ["1.841", "1.992", "at least 1.5", "holds"]
    names = {block.name for block in document.blocks if isinstance(block, Chart)}
    drawn = ("rate", "mean", "cores_qmgr", "cost", "times", "depth")
    assert {"mqi-put", *[f"bindings-{each}" for each in drawn]} <= names
    for block in document.blocks:
        if isinstance(block, Chart):
            ET.fromstring(block.svg)
    assert json.loads(HOST)["processor"] in html.replace("&amp;", "&")
    assert not re.search(r"(src|href)\s*=\s*['\"](?!#)", html), "the page needs nothing from elsewhere"
    document.write_markdown(tmp_path / "report.md")
    text = (tmp_path / "report.md").read_text()
    for name in re.findall(r"\]\((.+?\.svg)\)", text):
        assert (tmp_path / name).is_file()
    assert text.count("![") == len(names)


def test_nothing_of_a_user_becomes_markup() -> None:
    document = Document("<script>")
    document.add(Table(["a|b"], [False], [["<b>|x"]]), Chart("n", "<svg></svg>", "it's <i>"))
    assert "<script>" not in document.html()
    assert "<b>" not in document.html()
    assert "<i>" not in document.html()


def test_the_command(spark: SparkSession, results: Path, tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    done = CliRunner().invoke(main, ["perf", "report", "--results", str(results), "--out", str(out), "--markdown"])
    assert done.exit_code == 0, done.output
    assert out.read_text().startswith("<!DOCTYPE html>")
    assert (tmp_path / "page.md").is_file()
    refused = CliRunner().invoke(main, ["perf", "report", "--results", os.fspath(tmp_path / "none")])
    assert refused.exit_code == 1
    assert "holds no results" in refused.output
