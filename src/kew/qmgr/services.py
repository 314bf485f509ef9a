"""SERVICE objects: programs that are started and stopped by command or with the queue manager.

A service of type SERVER has at most one process, which is watched. One of type COMMAND may be started any number of
times, and its processes are not tracked. Programs run as the user of the queue manager, without a shell, in a session
of their own; their input is empty, and their output goes to files or to /dev/null. A user who may define and start
services can therefore do anything that the queue manager's user can.

In commands, arguments and file names +QMNAME+ stands for the queue manager, +MQ_Q_MGR_DATA_PATH+ for its directory and
+MQ_SERVER_PID+ for the process of the service.
"""

import contextlib
import os
import shlex
import signal
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping
from typing import Final

from kew.codes.attributes import MQSVC_CONTROL_Q_MGR, MQSVC_CONTROL_Q_MGR_START, MQSVC_TYPE_SERVER
from kew.codes.messages import Notices
from kew.commands.actions.context import RunningService, ServiceError
from kew.objects.catalogue import Record
from kew.objects.schema.values import Value

STOP_SECONDS: Final = 10.0  # seconds that a service has to end when the queue manager ends


class Services:
    """The services of a queue manager. Called from any thread."""

    def __init__(self, name: str, root: str, notices: Notices) -> None:
        self._words = {"QMNAME": name, "MQ_Q_MGR_DATA_PATH": root}
        self._root = root
        self._notices = notices
        self._lock = threading.Lock()
        self._servers: dict[str, tuple[RunningService, subprocess.Popen[bytes]]] = {}

    def start(self, record: Record) -> None:
        """Start a service."""
        server = record.values["SERVTYPE"] == MQSVC_TYPE_SERVER
        with self._lock:
            if server and record.name in self._servers:
                raise ServiceError("the service is running", already=True)
            process = self._launch(record.values, "START", 0)
            if server:
                running = RunningService(record.name, process.pid, time.time(), dict(record.values))
                self._servers[record.name] = running, process
        threading.Thread(target=self._watch, args=(record.name, process), name="kew-service", daemon=True).start()

    def _watch(self, name: str, process: "subprocess.Popen[bytes]") -> None:
        status = process.wait()
        with self._lock:
            kept = self._servers.get(name)
            if kept is not None and kept[1] is process:
                del self._servers[name]
        self._notices.tell("CSQY905I", (process.pid, status), (name,))

    def stop(self, record: Record) -> None:
        """Stop a service by its STOPCMD, or a SERVER without STOPCMD by SIGTERM."""
        with self._lock:
            kept = self._servers.get(record.name)
            if kept is None and record.values["SERVTYPE"] == MQSVC_TYPE_SERVER:
                raise ServiceError("the service is not running", already=True)
            if record.values["STOPCMD"]:
                process = self._launch(record.values, "STOP", kept[0].process if kept is not None else 0)
                threading.Thread(target=process.wait, name="kew-service", daemon=True).start()
            elif kept is not None:
                _signal(kept[1], signal.SIGTERM)
            else:
                raise ServiceError("it has no STOPCMD, and nothing is known of its processes")

    def running(self) -> list[RunningService]:
        """Give the servers that run, by name."""
        with self._lock:
            return [self._servers[name][0] for name in sorted(self._servers)]

    def start_with_manager(self, records: list[Record]) -> None:
        """Start the services that start with the queue manager; a failure is reported, and the others start."""
        for record in records:
            if record.values["CONTROL"] in (MQSVC_CONTROL_Q_MGR, MQSVC_CONTROL_Q_MGR_START):
                try:
                    self.start(record)
                except ServiceError as failure:
                    self._notices.tell("CSQY904E", (), (record.name, str(failure)))

    def stop_with_manager(self, records: list[Record]) -> None:
        """Stop the services that stop with the queue manager, and wait for their servers to end."""
        wanted = [record for record in records if record.values["CONTROL"] == MQSVC_CONTROL_Q_MGR]
        with self._lock:
            processes = [self._servers[each.name][1] for each in wanted if each.name in self._servers]
        for record in wanted:
            with contextlib.suppress(ServiceError):
                self.stop(record)
        deadline = time.monotonic() + STOP_SECONDS
        for process in processes:
            try:
                process.wait(max(0.0, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                _signal(process, signal.SIGKILL)

    def _launch(self, values: Mapping[str, Value], which: str, process: int) -> "subprocess.Popen[bytes]":
        words = {**self._words, "MQ_SERVER_PID": str(process or "")}
        program = _filled(str(values[f"{which}CMD"]), words)
        if not program:
            raise ServiceError(f"{which}CMD is blank")
        try:
            arguments = shlex.split(_filled(str(values[f"{which}ARG"]), words))
        except ValueError as wrong:
            raise ServiceError(f"{which}ARG: {wrong}") from wrong
        try:
            output, errors = [_filled(str(values[keyword]), words) for keyword in ("STDOUT", "STDERR")]
            with _file(output) as out, _file(errors) as err:
                return subprocess.Popen(
                    [program, *arguments],
                    stdin=subprocess.DEVNULL,
                    stdout=out,
                    stderr=err,
                    cwd=self._root,
                    start_new_session=True,
                )
        except (OSError, ValueError) as failure:
            raise ServiceError(f"{program} cannot be started: {failure}") from failure


def _filled(text: str, words: Mapping[str, str]) -> str:
    for word, value in words.items():
        text = text.replace(f"+{word}+", value)
    return text


@contextlib.contextmanager
def _file(path: str) -> Iterator[int]:
    if not path:
        yield subprocess.DEVNULL
        return
    number = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o640)
    try:
        yield number
    finally:
        os.close(number)


def _signal(process: "subprocess.Popen[bytes]", number: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)
