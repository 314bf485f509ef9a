"""The same job on a standalone cluster of a master and two workers, each a process of its own.

It takes minutes, so it runs on its own: make cluster
"""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyspark
import pytest

from kew.analytics.reports.catalogue import REPORTS
from kew.analytics.reports.run import run_here
from kew.analytics.smf.generate import Generator, Profile, System
from kew.perf.ports import free_port

pytestmark = pytest.mark.cluster

# Workers run elsewhere, where a relative path to the sources would mean nothing.
PATHS = os.pathsep.join(os.path.abspath(path) for path in sys.path if os.path.isdir(os.path.join(path or ".", "kew")))
ENVIRONMENT = {**os.environ, "SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable, "PYTHONPATH": PATHS}

JOB = """
import json, sys
from kew.analytics.reports.catalogue import REPORTS
from kew.analytics.reports.run import run_on_spark
from kew.analytics.session import start_session
from kew.analytics.smf.ingest import ingest_on_spark

master, folder, store = sys.argv[1:]
spark = start_session(master, partitions=2)
frame = spark.read.format("kewsmf").option("table", "WQ").option("share", "300k").load(folder)
counted = frame.groupBy("qmgr").agg({"*": "count", "PUTN": "sum"}).toArrow().to_pylist()
report = run_on_spark(REPORTS["LOG"], spark, [folder]).tables["LOG"]
done = ingest_on_spark(spark, [folder], store, share=300_000)
print(json.dumps({
    "rows": sum(row["count(1)"] for row in counted),
    "puts": sum(row["sum(PUTN)"] for row in counted),
    "log": report.column("pages_per_io").to_pylist(),
    "stored": sum(o.rows for m in done.taken for o in m.outputs if o.table == "WQ"),
}))
spark.stop()
"""


def wait_for(port: int) -> None:
    deadline = time.monotonic() + 300
    while time.monotonic() < deadline:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.2)
    raise AssertionError("the master did not start")


@contextmanager
def cluster(folder: Path) -> Iterator[str]:
    """A master and two workers; their processes are ended whatever happens."""
    command = str(Path(pyspark.__file__).parent / "bin/spark-class")
    master, processes = free_port(), []

    def start(name: str, *words: str) -> None:
        with open(folder / f"{name}.log", "w") as log:
            processes.append(subprocess.Popen([command, *words], env=ENVIRONMENT, stdout=log, stderr=log))

    try:
        place = ["--host", "127.0.0.1"]
        start("master", "org.apache.spark.deploy.master.Master", *place, "--port", str(master), "--webui-port", "0")
        wait_for(master)
        for number in range(2):
            words = ["--cores", "1", "--memory", "1g", "--webui-port", "0", "--work-dir", str(folder / f"work{number}")]
            name = "org.apache.spark.deploy.worker.Worker"
            start(f"worker{number}", name, *place, *words, f"spark://127.0.0.1:{master}")
        yield f"spark://127.0.0.1:{master}"
    finally:
        for process in processes:
            process.terminate()
        for process in processes:
            process.wait(30)


def test_a_cluster_gives_what_one_process_gives(tmp_path: Path) -> None:
    dumps = tmp_path / "dumps"
    dumps.mkdir()
    systems = [System("SYS1", "QM01", 90300), System("SYS2", "QM02", 100000, 60, "QSG1")]
    generator = Generator(Profile(systems, tasks=10))
    for number in range(2):
        (dumps / f"{number}.dat").write_bytes(b"".join(generator.intervals(4)))
    with cluster(tmp_path) as master:
        words = [sys.executable, "-c", JOB, master, str(dumps), str(tmp_path / "store")]
        done = subprocess.run(words, capture_output=True, text=True, timeout=600, env=ENVIRONMENT)
    assert done.returncode == 0, done.stderr[-4000:]
    answer = json.loads(done.stdout.splitlines()[-1])
    expected = run_here(REPORTS["LOG"], [str(dumps)]).tables["LOG"]
    assert answer["log"] == expected.column("pages_per_io").to_pylist()
    assert answer["rows"] == answer["stored"] == generator.totals.rows["WQ"]
    assert answer["puts"] == generator.totals.sums["WQ"]["PUTN"]
    assert all(any((tmp_path / f"work{number}").iterdir()) for number in range(2))
