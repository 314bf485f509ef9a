"""Instructions of a put and its get, counted by callgrind: the same whatever else the machine is doing.

A run of few pairs and a run of many are subtracted, so that starting and ending a queue manager count for nothing.
`--against PYTHON` counts them also for the Kew of another environment, in turns, and gives the ratio.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from kew.perf.ports import free_port

Row = tuple[str, float, str, str, bool | None]

FEW, MANY = 1000, 5000
WIRE_FEW, WIRE_MANY = 300, 1500
MOST = 1.01  # of the other build's instructions, in process
MOST_WIRE = 1.02
COLLECTED = re.compile(rb"Collected : (\d+)")

# Only the public interface: the same program must run on an older Kew.
_IN_PROCESS = """
import sys
import kew
from kew.codes.options import MQGMO_SYNCPOINT, MQOO_INPUT_SHARED, MQOO_OUTPUT, MQPMO_SYNCPOINT
from kew.formats.mqmd import MessageDescriptor
kind, pairs = sys.argv[1], int(sys.argv[2])
body = b"Z" * 2048
with kew.start("BENCH", create=True) as host:
    host.mqsc("DEFINE QLOCAL(BENCH.Q) MAXDEPTH(999999) REPLACE")
    connection = kew.connect("BENCH")
    queue = connection.open("BENCH.Q", MQOO_OUTPUT | MQOO_INPUT_SHARED)
    for _ in range(pairs):
        if kind == "np":
            connection.put(queue, MessageDescriptor(persistence=0), body)
            connection.get(queue)
        elif kind == "persistent":
            connection.put(queue, MessageDescriptor(persistence=1), body)
            connection.get(queue)
        else:
            connection.put(queue, MessageDescriptor(persistence=1), body, MQPMO_SYNCPOINT)
            connection.commit()
            connection.get(queue, MQGMO_SYNCPOINT)
            connection.commit()
    connection.disconnect()
"""

_OVER_TCP = """
import sys
from kew import client
from kew.codes.options import MQOO_INPUT_SHARED, MQOO_OUTPUT
from kew.formats.mqmd import MessageDescriptor
kind, pairs, port = sys.argv[1], int(sys.argv[2]), sys.argv[3]
body = b"Z" * 2048
with client.connect("BENCH", f"127.0.0.1({port})", "DEV.APP.SVRCONN", "app", "password", "bench") as connection:
    queue = connection.open("DEV.QUEUE.1", MQOO_OUTPUT | MQOO_INPUT_SHARED)
    for _ in range(pairs):
        queue.put(body, MessageDescriptor(persistence=int(kind == "persistent")))
        queue.get()
"""

_VALGRIND = ("valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null")


def _environment(data: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return {**kept, "KEW_DATA": data, "PYTHONHASHSEED": "0"}


def _collected(errors: bytes) -> int:
    found = COLLECTED.search(errors)
    if found is None:
        raise RuntimeError(f"callgrind gave no count: {errors[-500:].decode('utf-8', 'replace')}")
    return int(found[1])


def in_process(python: str, kind: str, pairs: int) -> int:
    """Count the instructions of a process that puts and gets so many messages at a queue manager within it."""
    with tempfile.TemporaryDirectory(prefix="kew-bench-", dir=".") as data:
        command = [*_VALGRIND, python, "-c", _IN_PROCESS, kind, str(pairs)]
        done = subprocess.run(command, env=_environment(os.path.abspath(data)), capture_output=True, check=True)
    return _collected(done.stderr)


def over_tcp(python: str, kind: str, pairs: int) -> int:
    """Count the instructions of a queue manager's process that serves so many puts and gets over TCP."""
    port = str(free_port())
    with tempfile.TemporaryDirectory(prefix="kew-bench-", dir=".") as data:
        environment = _environment(os.path.abspath(data))
        start = [*_VALGRIND, python, "-m", "kew.cli", "start", "BENCH", "--dev", "--port", port, "--foreground"]
        errors = Path(data, "errors")
        with (
            errors.open("wb") as told,
            subprocess.Popen(start, env=environment, stdout=subprocess.PIPE, stderr=told) as server,
        ):
            assert server.stdout is not None
            server.stdout.readline()
            try:
                subprocess.run([python, "-c", _OVER_TCP, kind, str(pairs), port], env=environment, check=True)
            finally:
                server.send_signal(signal.SIGTERM)
                server.stdout.read()
                server.wait()
        return _collected(errors.read_bytes())


def instructions(quick: bool, against: str = "") -> Iterator[Row]:
    """Count instructions of pairs in process and over TCP, beside those of another build where one is named."""
    if shutil.which("valgrind") is None:
        yield "instructions of a pair: valgrind is not installed", 0.0, "", "", None
        return
    pythons = [sys.executable, *([against] if against else [])]
    cases = [(f"{kind} 2 KB, in process", in_process, kind, FEW, MANY, MOST) for kind in ("np", "persistent", "units")]
    for kind in ("np", "persistent"):
        cases.append((f"{kind} 2 KB, over TCP", over_tcp, kind, WIRE_FEW, WIRE_MANY, MOST_WIRE))
    for what, count, kind, few, many, most in cases[: 2 if quick else None]:
        costs = [(count(python, kind, many) - count(python, kind, few)) / (many - few) for python in pythons]
        yield f"put+get, {what}", costs[0], "instructions", "", None
        if against:
            ratio = costs[0] / costs[1]
            yield f"  / {Path(against).parents[2].name}", ratio, "x", f"<= {most}", ratio <= most
