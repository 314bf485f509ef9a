"""The speed of MQSC: many definitions in one script, shown, found at the next start, deleted."""

import shutil
import tempfile
import time
from collections.abc import Iterator

from kew.commands.actions.script import Script
from kew.qmgr import manager
from kew.qmgr.manager import QueueManager
from tests.bench.host import NAME, configuration

Row = tuple[str, float, str, str, bool | None]


def _run(host: QueueManager, lines: list[str]) -> tuple[float, float]:
    """Give the seconds that a script takes, by the clock and of CPU; every command must succeed."""
    script = Script(host.host.commands)
    begun, cpu = time.perf_counter(), time.process_time()
    for _answers in script.run(lines):
        pass
    seconds, used = time.perf_counter() - begun, time.process_time() - cpu
    assert script.counts.failed + script.counts.syntax_errors == 0
    return seconds, used


def definitions(quick: bool) -> Iterator[Row]:
    """Define, show and delete queues, and start with them."""
    count = 2000 if quick else 10000
    data = tempfile.mkdtemp(prefix="kew-bench-", dir=".")
    try:
        manager.create(NAME, configuration(), data)
        host = manager.start(NAME, data)
        defines = [f"DEFINE QLOCAL(BENCH.{n}) DESCR('Queue {n}') MAXDEPTH({n + 1})" for n in range(count)]
        seconds, cpu = _run(host, defines)
        rate = count / seconds
        yield f"{count} DEFINEs in one script", rate, "/s", ">= 2000", rate >= 2000
        yield "  CPU each", cpu / count * 1e6, "us", "", None
        for what, command in (
            ("", "DISPLAY QLOCAL(BENCH.*)"),
            (" ALL", "DISPLAY QLOCAL(BENCH.*) ALL"),
            (" WHERE", "DISPLAY QLOCAL(BENCH.*) WHERE(MAXDEPTH GT 100)"),
        ):
            seconds, cpu = _run(host, [command])
            yield f"DISPLAY of them{what}", seconds, "s", "< 2", seconds < 2
            yield "  CPU", cpu, "s", "", None
        host.stop()
        begun, before = time.perf_counter(), time.process_time()
        host = manager.start(NAME, data)
        seconds = time.perf_counter() - begun
        yield "start with them", seconds, "s", "< 2", seconds < 2
        yield "  CPU", time.process_time() - before, "s", "", None
        seconds, cpu = _run(host, [f"DELETE QLOCAL(BENCH.{number})" for number in range(count)])
        yield "DELETEs in one script", count / seconds, "/s", "", None
        host.stop()
    finally:
        shutil.rmtree(data, ignore_errors=True)
