"""The examples that need Spark: a queue streamed to files, and the notebook that writes a bill."""

import json
from pathlib import Path

import matplotlib as mpl
import pytest
from examples.stream_to_spark import copy
from pyspark.sql import SparkSession
from tests.support.notebook import carry_out, kept
from tests.support.queries import run_to_end

from kew.codes.options import MQOO_OUTPUT
from kew.formats.mqmd import MessageDescriptor
from kew.qmgr import manager
from kew.qmgr.manager import QueueManager

NOTEBOOK = Path(__file__).parents[2] / "examples" / "chargeback.ipynb"


def put(running: QueueManager, *texts: str) -> None:
    connection = running.connect("test")
    handle = connection.open("IN", MQOO_OUTPUT)
    for text in texts:
        connection.put(handle, MessageDescriptor(persistence=1), text.encode())
    connection.disconnect()


@pytest.mark.cluster
def test_a_second_run_adds_only_what_has_come_since(spark: SparkSession, tmp_path: Path) -> None:
    data = str(tmp_path / "data")
    manager.create("QM1", data=data)
    with manager.start("QM1", data) as running:
        running.host.administration.define("QLOCAL", "IN", {})
        query = copy(spark, {"queueManager": "QM1", "queue": "IN", "dataDirectory": data}, str(tmp_path / "orders"))
        for sent, there in ((["one", "two"], ["one", "two"]), (["three"], ["one", "three", "two"])):
            put(running, *sent)
            run_to_end(query)
            texts = [row.text for row in spark.read.parquet(str(tmp_path / "orders" / "table")).collect()]
            assert sorted(texts) == there


def test_the_bill_is_what_the_applications_did(spark: SparkSession, request: pytest.FixtureRequest) -> None:
    mpl.use("svg")
    notebook, names = carry_out(NOTEBOOK)
    bill, costs = names["bill"], names["costs"]
    assert dict(costs.messages_put) == dict(costs.messages_got) == {"ORDERS": 300, "BILLING": 100, "AUDIT": 50}
    assert dict(costs.put_bytes) == {"ORDERS": 600_000, "BILLING": 2_000_000, "AUDIT": 10_000}
    assert (bill.cpu_us > 0).all()
    assert bill.amount.sum() == pytest.approx(names["MONTH"], abs=0.02)
    if request.config.getoption("--regenerate"):
        NOTEBOOK.write_text(kept(notebook))
    shown = json.loads(NOTEBOOK.read_text())["cells"]
    printed = [[each["output_type"] for each in cell.get("outputs", [])] for cell in notebook["cells"]]
    assert [[each["output_type"] for each in cell.get("outputs", [])] for cell in shown] == printed, (
        "the notebook's outputs are of another run: pytest tests/spark/test_examples.py --regenerate"
    )
