"""The tour: a workload, a crash and what restart makes of it, the statistics on Spark, and the laboratory's report.

Run it with `make demo`. It prints a table for each stop, and at the end what came out and where it is: build/demo.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

import kew
from kew.codes.errors import NoMessage
from kew.codes.options import MQOO_INPUT_SHARED, MQOO_OUTPUT, MQPMO_SYNCPOINT
from kew.formats.mqmd import MessageDescriptor
from kew.qmgr.manager import QueueManager

NAME = "DEMO"
QUEUE = "DEMO.ORDERS"
SECONDS = 2.0
BODY = b"\x5a" * 2048
RECORDED = ("ALTER QMGR ACCTQ(ON)", "START TRACE(STAT) CLASS(1,2,3)", "START TRACE(ACCTG) CLASS(3)")
SWEPT = ("bindings/local_np_trusted", "bindings/local_np_shared", "rr_cc/np_2K", "rr_cc/pm_2K")
SINGLE = (
    "bindings/local_pm_trusted",
    "streaming/pm_baseline",
    "streaming/pm_bestef",
    "streaming/pm_mustdup",
    "selector",
    "streaming_cost/plain_2K",
    "streaming_cost/stream_2K",
)


def workload(manager: QueueManager, committers: int, persistence: int) -> dict[str, float]:
    """Let some threads put and commit for a while; gives the figures."""
    ending = threading.Event()
    done = [0] * committers
    name = f"{'PM' if persistence else 'NP'}{committers}"

    def work(place: int) -> None:
        connection = manager.connect(name)
        queue = connection.open(QUEUE, MQOO_OUTPUT | MQOO_INPUT_SHARED)
        while not ending.is_set():
            connection.put(queue, MessageDescriptor(persistence=persistence), BODY, MQPMO_SYNCPOINT)
            connection.commit()
            connection.get(queue)
            done[place] += 1
        connection.disconnect()

    counters = manager.host.log.counters.copies[0]
    syncs = counters.syncs
    threads = [threading.Thread(target=work, args=(place,)) for place in range(committers)]
    begun = time.perf_counter()
    for thread in threads:
        thread.start()
    ending.wait(SECONDS)
    ending.set()
    for thread in threads:
        thread.join()
    total = sum(done)
    return {"rate": total / (time.perf_counter() - begun), "syncs": (counters.syncs - syncs) / total}


def child(data: str) -> None:
    """Put and commit numbered messages until somebody kills this process, saying each one that was acknowledged."""
    manager = kew.start(NAME, data)
    connection = manager.connect("demo")
    queue = connection.open(QUEUE, MQOO_OUTPUT)
    number = 0
    while True:
        connection.put(queue, MessageDescriptor(persistence=1), b"order %d" % number)
        print(number, flush=True)
        number += 1


def killed(data: str) -> int:
    """Kill a loaded queue manager with kill -9; gives the number of messages it had acknowledged."""
    process = subprocess.Popen([sys.executable, "-m", "examples.demo", data], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    for line in process.stdout:
        if int(line) >= 500:
            break
    os.kill(process.pid, signal.SIGKILL)
    last = int(line)
    for line in process.stdout:
        last = int(line)
    process.wait()
    return last + 1


def table_of(title: str, *headings: str) -> Table:
    """An empty table."""
    table = Table(title=title)
    for heading in headings:
        table.add_column(heading, justify="right")
    return table


def tour(console: Console, records: Path) -> str:
    """Drive a workload and survive a crash; keeps the statistics of it, and gives what there is to say."""
    with tempfile.TemporaryDirectory(prefix="kew-demo-") as data:
        with kew.start(NAME, data, create=True) as manager:
            manager.mqsc(f"DEFINE QLOCAL({QUEUE}) MAXDEPTH(1000000) REPLACE", *RECORDED)
            headings = ("persistence", "threads", "messages/s", "syncs a message")
            table = table_of("put + commit, then get, 2 KB, in process", *headings)
            for persistence, committers in ((0, 1), (1, 1), (1, 16), (1, 64)):
                figures = workload(manager, committers, persistence)
                row = (
                    "yes" if persistence else "no",
                    str(committers),
                    f"{figures['rate']:,.0f}",
                    f"{figures['syncs']:.2f}",
                )
                table.add_row(*row)
            console.print(table)
            written = manager.places.smf
        shutil.copytree(written, records)
        acknowledged = killed(data)
        begun = time.perf_counter()
        with kew.start(NAME, data) as manager:
            seconds = time.perf_counter() - begun
            connection = manager.connect("demo")
            queue = connection.open(QUEUE, MQOO_INPUT_SHARED)
            found = []
            while True:
                try:
                    found.append(connection.get(queue).data)
                except NoMessage:
                    break
            connection.disconnect()
            lost = [number for number in range(acknowledged) if b"order %d" % number not in found]
            table = table_of("kill -9 under load, then restart", "acknowledged", "found", "lost", "restart")
            table.add_row(str(acknowledged), str(len(found)), str(len(lost)), f"{seconds:.2f} s")
            console.print(table)
            if lost:
                sys.exit("acknowledged messages were lost")
    return f"{acknowledged} messages acknowledged before kill -9, {len(lost)} lost, restart in {seconds:.2f} s"


def statistics(console: Console, records: Path) -> str:
    """Ask Spark what the workload cost, of the SMF records that it left; gives what there is to say."""
    from kew.analytics.jobs.catalogue import ANALYSES, Request
    from kew.analytics.session import start_session

    spark = start_session("local[*]", "kew demo", partitions=2)
    rows = ANALYSES["costs"](Request(spark, [str(records)], by="job")).collect()
    spark.stop()
    headings = ("application", "tasks", "messages put", "CPU us a message", "log MB", "share %")
    table = table_of("who pays: accounting records, on Spark", *headings)
    for row in [each for each in rows if each.payer.startswith(("NP", "PM"))]:
        figures = (f"{row.messages_put:,.0f}", f"{row.cpu_us_per_message:.1f}", f"{row.log_bytes / 1e6:.1f}")
        table.add_row(row.payer, str(row.tasks), *figures, f"{row.share_percent:.1f}")
    console.print(table)
    return f"accounting of {sum(row.tasks for row in rows)} tasks on Spark"


def laboratory(console: Console, folder: Path) -> str:
    """Run a quick set of workloads, and make the report; gives what there is to say."""
    results, report = folder / "results", folder / "report.html"
    console.print("\nThe laboratory: workloads of the MQ performance reports, a second each")
    command = [sys.executable, "-m", "kew.cli", "perf"]
    places = ["--quick", "--seconds", "1", "--data", str(folder), "--results", str(results)]
    subprocess.run([*command, "run", *SWEPT, "--clients", "1,8", *places], check=True)
    subprocess.run([*command, "run", *SINGLE, *places], check=True)
    subprocess.run([*command, "report", "--results", str(results), "--out", str(report), "--markdown"], check=True)
    return f"{len(SWEPT) + len(SINGLE)} workloads of the MQ performance reports"


def main() -> None:
    """Go round, and say what came out."""
    console, folder, begun = Console(), Path("build", "demo").absolute(), time.perf_counter()
    shutil.rmtree(folder, ignore_errors=True)
    records = folder / "smf"
    summary = Table(title="The tour", show_header=False)
    summary.add_row("queue manager", tour(console, records), "")
    summary.add_row("statistics", statistics(console, records), str(records))
    summary.add_row("laboratory", laboratory(console, folder), str(folder / "results"))
    console.print(summary)
    console.print(f"Done in {time.perf_counter() - begun:.0f} s. The report: {folder / 'report.html'}", soft_wrap=True)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        child(sys.argv[1])
    else:
        main()
