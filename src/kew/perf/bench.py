"""The bench: a queue manager under test, the processes that load it, and the connection that controls it.

A queue manager that the laboratory makes has its data in a folder that is removed afterwards, and runs in a worker
process, so that fastpath programs can run in that process. The queue manager is kept from one scenario to the next
while they need the same kind. To a queue manager elsewhere the bench only connects.
"""

import contextlib
import os
import shutil
import tempfile
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, Final

from kew.perf.board import Board
from kew.perf.control import Control
from kew.perf.plan import HOST
from kew.perf.ports import free_port
from kew.perf.processes import WorkerProcess, cpu_seconds, family_cpu, resident_bytes
from kew.perf.scenario import ScenarioError, Workload
from kew.perf.target import Target
from kew.storage.directories import data_directory, directory_of

NAME: Final = "KEWPERF"
SLOTS: Final = 4096
CHANNEL: Final = "DEV.ADMIN.SVRCONN"


class Bench:
    """The resources of a run; all are removed at its end."""

    def __init__(self, folder: str = "", remote: Target | None = None) -> None:
        self.board = Board(SLOTS)
        self._remote = remote
        self._place = folder
        self._root = ""
        self._kind: tuple[Any, ...] = ()
        self._workers: dict[str, WorkerProcess] = {}
        self.target = remote if remote is not None else Target(NAME)
        self.control: Control | None = None

    def __enter__(self) -> "Bench":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()
        self.board.close()

    def _end(self) -> None:
        if self.control is not None:
            with contextlib.suppress(Exception):
                self.control.close()
            self.control = None
        for name, worker in sorted(self._workers.items(), key=lambda each: each[0] == HOST):
            worker.end()
            del self._workers[name]
        if self._root:
            shutil.rmtree(self._root, ignore_errors=True)
            self._root = ""

    def reset(self) -> None:
        """End everything after a failure, so that the next scenario starts from nothing."""
        self._end()
        self._kind = ()

    def prepare(self, workload: Workload) -> None:
        """Start the queue manager that a workload needs."""
        if self._remote is not None:
            _check_remote(workload)
            if self.control is None:
                self.control = Control(self._remote)
            return
        kind = (
            workload.log_delay,
            workload.log_bandwidth,
            workload.cipher,
            workload.compression,
            workload.sharecnv,
            workload.page_sets,
            workload.mqsc,
        )
        if self.control is None or kind != self._kind:
            self._end()
            self._start(workload)
            self._kind = kind

    def _start(self, workload: Workload) -> None:
        place = self._place or data_directory()
        os.makedirs(place, exist_ok=True)
        self._root = tempfile.mkdtemp(prefix="perf-", dir=place)
        port = free_port()
        worker = self.worker(HOST)
        worker.ask(
            "host",
            name=NAME,
            data=self._root,
            port=port,
            delay=workload.log_delay,
            bandwidth=workload.log_bandwidth,
            page_sets=workload.page_sets,
        )
        target = Target(NAME, self._root, f"127.0.0.1({port})", CHANNEL, sharecnv=workload.sharecnv)
        self.control = Control(target)
        altered = [f"SHARECNV({workload.sharecnv})", "MAXMSGL(104857600)"]
        if workload.compression:
            altered.append(f"COMPMSG({workload.compression})")
            target = replace(target, compression=workload.compression)
        if workload.cipher:
            keys = _make_keys(Path(directory_of(self._root, NAME), "ssl"))
            self.control.run([f"ALTER QMGR SSLKEYR('{keys / 'key'}')", "REFRESH SECURITY TYPE(SSL)"])
            altered += [f"SSLCIPH({workload.cipher})", "SSLCAUTH(OPTIONAL)"]
            target = replace(target, cipher=workload.cipher, key_repository=str(keys / "trust"))
        self.control.run(
            [
                f"ALTER CHANNEL('{CHANNEL}') CHLTYPE(SVRCONN) {' '.join(altered)}",
                "ALTER QMGR MAXMSGL(104857600) MAXHANDS(999999999)",
                *workload.mqsc,
            ]
        )
        self.target = target

    def worker(self, place: str) -> WorkerProcess:
        """Give the worker of a place, started if there is none yet."""
        if place not in self._workers:
            self._workers[place] = WorkerProcess(place, self.board)
        return self._workers[place]

    def counters(self) -> dict[str, int]:
        """Give the counters of the queue manager; empty if this bench has not started it."""
        return self._workers[HOST].ask("counters") if HOST in self._workers else {}

    def cpu_qmgr(self) -> float:
        """Give the CPU seconds of the queue manager."""
        return cpu_seconds(self._workers[HOST].pid) if HOST in self._workers else 0.0

    def cpu_clients(self) -> float:
        """Give the CPU seconds of the programs, with the agents of isolated bindings."""
        return sum(family_cpu(worker.pid) for place, worker in self._workers.items() if place != HOST)

    def resident(self) -> int:
        """Give the resident memory of the queue manager."""
        return resident_bytes(self._workers[HOST].pid) if HOST in self._workers else 0


def _check_remote(workload: Workload) -> None:
    wanted = [
        name for name in ("log_delay", "log_bandwidth", "page_sets", "cipher", "compression") if getattr(workload, name)
    ]
    if wanted:
        raise ScenarioError(f"{', '.join(wanted)} cannot be had of a queue manager elsewhere; leave --host out")
    for binding in (workload.binding, workload.responder_binding or workload.binding):
        if binding != "client":
            raise ScenarioError(f"{binding} bindings are of this machine; with --host take --set binding=client")


def _make_keys(folder: Path) -> Path:
    """Make keys for the queue manager, and a key repository for its clients."""
    from kew.security.certificates import Authority

    folder.mkdir(mode=0o700, exist_ok=True)
    authority = Authority.make((("CN", "kew perf"),), 1)
    served = authority.vouch((("CN", NAME),), 1, ("localhost", "127.0.0.1"))
    for name, text in (
        ("key.pem", served.pem),
        ("key.ca.pem", authority.certificate_pem),
        ("trust.pem", authority.certificate_pem),
    ):
        with open(os.open(folder / name, os.O_WRONLY | os.O_CREAT, 0o600), "w", encoding="ascii") as file:
            file.write(text)
    return folder
