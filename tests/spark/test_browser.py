"""A report of the laboratory in a real browser: charts are there, and nothing is wrong with the page."""

import shutil
import subprocess
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from tests.spark.perfpoints import some_results

from kew.perf.report.tables import make_tables
from kew.perf.report.write import document_of

pytestmark = pytest.mark.browser
PNG = b"\x89PNG\r\n\x1a\n"


def browse(page: Path, *options: str) -> subprocess.CompletedProcess[str]:
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    assert browser, "there is no browser: apt install chromium"
    home = page.with_suffix(".home")
    command = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr"]
    return subprocess.run(
        [*command, f"--user-data-dir={home}", *options, page.as_uri()],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )


def test_the_report_opens(spark: SparkSession, tmp_path: Path) -> None:
    document = document_of(make_tables(spark, some_results(tmp_path / "results")))
    page = tmp_path / "report.html"
    page.write_text(document.html(), encoding="utf-8")
    done = browse(page, "--dump-dom")
    assert ":CONSOLE" not in done.stderr
    assert done.stdout.count("<svg") == done.stdout.count("<figure ") >= 7
    assert "Kew performance report" in done.stdout
    picture = tmp_path / "report.png"
    browse(page, f"--screenshot={picture}", "--window-size=1100,4000")
    data = picture.read_bytes()
    assert data.startswith(PNG)
    assert len(data) > 50_000  # an empty page is a tenth of it
