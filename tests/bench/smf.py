"""How fast SMF dumps are decoded and ingested, in one run.

    python -m tests.bench.smf [MEGABYTES] [--spark] [--linear]

Decoding is measured as input bytes a second of processor time, beside the speed at which this machine copies memory in
the same minute: the machines are noisy, the ratio is less so. With --spark the ingestion by Spark's tasks is compared
with the same decode and Parquet write in this process, by processor time of the whole process tree. With --linear the
same is ingested once, twice, four and eight times over, each by a process of its own, whose most memory is told.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from kew.analytics.smf.csvfiles import write_csv
from kew.analytics.smf.decode import Decoder
from kew.analytics.smf.files import examine, read_batches, whole
from kew.analytics.smf.generate import Generator, Profile, System
from kew.analytics.smf.ingest import ingest_here, ingest_on_spark
from kew.analytics.smf.plan import plan
from kew.analytics.smf.tables import TABLES

INGEST = """
import resource, sys
from kew.analytics.smf.ingest import ingest_here
ingest_here([sys.argv[1]], sys.argv[2])
used = resource.getrusage(resource.RUSAGE_SELF)
print(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)
"""


def tree_cpu() -> float:
    """Processor seconds of this process and all below it, ended ones included."""
    children: dict[int, list[int]] = {}
    used: dict[int, float] = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                fields = Path("/proc", entry, "stat").read_text().rsplit(")", 1)[1].split()
            except (FileNotFoundError, ProcessLookupError):
                continue
            children.setdefault(int(fields[1]), []).append(int(entry))
            used[int(entry)] = sum(int(field) for field in fields[11:15]) / os.sysconf("SC_CLK_TCK")
    total, waiting = 0.0, [os.getpid()]
    while waiting:
        process = waiting.pop()
        total += used.get(process, 0.0)
        waiting += children.get(process, [])
    return total


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """Wall and processor seconds of some work."""
    cpu, wall = tree_cpu(), time.monotonic()
    work()
    return time.monotonic() - wall, tree_cpu() - cpu


def copy_rate() -> float:
    """Megabytes that this machine copies in a processor second, into memory it has used before."""
    source = np.ones(16 << 20, dtype=np.uint8)
    target = np.ones(16 << 20, dtype=np.uint8)
    start = time.process_time()
    for _ in range(20):
        np.copyto(target, source)
    return 20 * 16.8 / (time.process_time() - start)


def decode_rate(path: str, tables: list[str]) -> float:
    """Input megabytes decoded to Arrow in a processor second."""
    decoder = Decoder(tables)
    start = time.process_time()
    for batch in read_batches(whole(examine(path))):
        decoder.decode(batch, path)
    return os.path.getsize(path) / 1e6 / (time.process_time() - start)


def main() -> None:
    """Run and print."""
    sizes = [float(word) for word in sys.argv[1:] if not word.startswith("-")]
    size = sizes[0] if sizes else 200.0
    folder = tempfile.mkdtemp(prefix="kew-bench-")
    try:
        run(size, folder, "--spark" in sys.argv)
        if "--linear" in sys.argv:
            linear(size, folder)
    finally:
        shutil.rmtree(folder)


def run(size: float, folder: str, with_spark: bool) -> None:
    """Measure in a folder that may be filled."""
    path = os.path.join(folder, "dump.dat")
    systems = [System("SYS1", "QM01", 90300), System("SYS2", "QM02", 100000, 60, "QSG1")]
    generator = Generator(Profile(systems, tasks=60))
    wall, _ = timed(lambda: _write(path, generator, size))
    print(f"generated {size:.0f} MB, {sum(generator.totals.records.values())} records in {wall:.1f} s")
    wall, _ = timed(lambda: plan([path], 8 << 20))
    print(f"planned 8 MB shares of it in {wall * 1e3:.0f} ms")
    for name, tables in (("all tables", list(TABLES)), ("WQ", ["WQ"]), ("records", ["records"])):
        rates = [decode_rate(path, tables) for _ in range(5)]
        copies = copy_rate()
        print(f"decode {name:<10} {max(rates):6.0f} MB/s per core, {copies / max(rates):5.1f} times the cost of a copy")
    wall, cpu = timed(lambda: write_csv([path], os.path.join(folder, "csv")))
    print(f"CSV                 {wall:6.1f} s, {cpu:6.1f} s processor, {size / cpu:6.1f} MB/s per core")
    wall, cpu = timed(lambda: ingest_here([path], os.path.join(folder, "here")))
    print(f"ingest in process   {wall:6.1f} s, {cpu:6.1f} s processor, {size / cpu:6.1f} MB/s per core")
    if with_spark:
        _spark(path, folder, cpu)


def linear(size: float, folder: str) -> None:
    """Measure how processor time and memory grow with the input, as far as the disk has room."""
    path, longer, store = (os.path.join(folder, name) for name in ("dump.dat", "longer.dat", "store"))
    stored = sum(file.stat().st_size for file in Path(folder, "here").rglob("*") if file.is_file())
    room = 1.1 * (os.path.getsize(path) + stored)
    for times in (1, 2, 4, 8):
        if shutil.disk_usage(folder).free < times * room:
            print(f"no room on the disk for {times * size:.0f} MB")
            return
        with open(longer, "wb") as file:
            for _ in range(times):
                with open(path, "rb") as one:
                    shutil.copyfileobj(one, file, 1 << 20)
        words = [sys.executable, "-c", INGEST, longer, store]
        cpu, memory = map(float, subprocess.run(words, check=True, capture_output=True, text=True).stdout.split())
        total = times * size
        rate = f"{total / cpu:5.1f} MB/s per core"
        print(f"ingest of {total:6.0f} MB {cpu:7.1f} s processor, {rate}, {memory:5.0f} MB of memory")
        shutil.rmtree(store)


def _spark(path: str, folder: str, plain: float) -> None:
    from kew.analytics.session import start_session

    small = os.path.join(folder, "small.dat")
    _write(small, Generator(Profile([System("SYS1", "QM01", 90300)])), 1)
    session = start_session("local[2]", partitions=2)
    ingest_on_spark(session, [small], os.path.join(folder, "warm"))
    wall, cpu = timed(lambda: ingest_on_spark(session, [path], os.path.join(folder, "there")))
    print(f"ingest on Spark     {wall:6.1f} s, {cpu:6.1f} s processor, {cpu / plain:.2f} times the processor time")
    session.stop()


def _write(path: str, generator: Generator, size: float) -> None:
    with open(path, "wb") as file:
        file.writelines(generator.megabytes(size))


if __name__ == "__main__":
    main()
