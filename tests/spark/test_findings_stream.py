"""Findings as a stream of Spark: those that a watch in this process tells, each once, over restarts of the query."""

from pathlib import Path
from typing import Any

import pytest
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession
from tests.support.queries import run_to_end

from kew.analytics.reports.findings import RuleBook, load_limits
from kew.analytics.reports.live import FindingFollower
from kew.analytics.smf.generate import Generator, Profile, System

LIMITS = "BP05 = 20"


def run(spark: SparkSession, folder: Path, place: Path) -> None:
    stream = spark.readStream.format("kewfindings").option("limits", LIMITS).load(str(folder))
    run_to_end(
        stream.writeStream.format("parquet")
        .option("path", str(place / "table"))
        .option("checkpointLocation", str(place / "checkpoint"))
        .trigger(availableNow=True)
    )


def kept(row: dict[str, Any]) -> tuple[object, ...]:
    return tuple([row[name] for name in ("written_local", "rule", "subject", "value", "limit", "offset")])


def test_a_query_that_goes_on_knows_what_was_before(spark: SparkSession, tmp_path: Path) -> None:
    folder = tmp_path / "smf"
    folder.mkdir()
    generator = Generator(Profile([System("SYS1", "QM01", 90400)], tasks=2, queues=5))
    parts = [b"".join(generator.intervals(3)) for _ in range(2)]
    path = folder / "SMF00001.smf"
    watch = FindingFollower([str(folder)], RuleBook(load_limits(LIMITS)), whole=True)
    told: list[dict[str, Any]] = []
    for number in range(2):
        path.write_bytes(b"".join(parts[: number + 1]))
        told += watch.look().to_pylist()
        run(spark, folder, tmp_path)
    run(spark, folder, tmp_path)  # nothing is new
    rows = spark.read.parquet(str(tmp_path / "table")).toArrow().to_pylist()
    assert sorted(map(kept, rows)) == sorted(map(kept, told)) != []


def test_wrong_options_are_refused_in_words(spark: SparkSession, tmp_path: Path) -> None:
    for option, value, said in (
        ("limits", "NO01 = 1", "NO01 is not a rule"),
        ("startingOffsets", "middle", "takes earliest or latest"),
        ("history", "much", "option history takes a number of bytes"),
    ):
        reader = spark.readStream.format("kewfindings").option(option, value)
        with pytest.raises(PySparkException, match=said):
            run_to_end(reader.load(str(tmp_path)).writeStream.format("noop"))
