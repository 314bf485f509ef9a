"""A process of the laboratory: it hosts the queue manager under test, or does the work of programs, or both.

The process reads requests as lines of JSON on standard input and answers each with a line on standard output:

    host       make and start a queue manager here, listening on a port
    overhead   measure what a unit of work costs without a queue manager
    run        start threads, each in a role; they end as the board says
    wait       give the reports of the threads, when all have ended
    counters   give the counters of the queue manager
    end        stop the queue manager, and end
"""

import dataclasses
import json
import os
import sys
import threading
import time
from typing import Any, Final

from kew.perf.board import UNITS, WORKING, Board
from kew.perf.links import NullLink, connect_to
from kew.perf.plan import FIRST_PAGE_SET
from kew.perf.roles import Assignment, Requesting, run_role
from kew.perf.scenario import Workload
from kew.perf.slowdisk import SlowDisk
from kew.perf.target import Target
from kew.qmgr import manager
from kew.qmgr.config import Configuration, LogConfiguration, PageSetConfiguration
from kew.qmgr.existing import exists

LOG_FILES: Final = 4
MORE_LOG_FILES: Final = 40  # made when they are needed: messages of 100 MB go through the log too
LOG_FILE_PAGES: Final = 4096
STACK: Final = 256 * 1024
_OVERHEAD_UNITS: Final = 3000

Message = dict[str, Any]


class Worker:
    """The worker of a process: its part of the board, its threads, and its queue manager if it hosts one."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._threads: list[threading.Thread] = []
        self._problems: list[str] = []
        self._manager: manager.QueueManager | None = None

    def answer(self, message: Message) -> Message:
        """Carry out a request."""
        operation = message["op"]
        if operation == "host":
            return self._host(message)
        if operation == "overhead":
            return self._overhead()
        if operation == "run":
            return self._run(message)
        if operation == "wait":
            return self._wait(message["seconds"])
        if operation == "counters":
            return self._counters()
        assert operation == "end", operation
        if self._manager is not None:
            self._manager.stop()
        return {}

    def _host(self, message: Message) -> Message:
        name, data = message["name"], message["data"]
        delay, bandwidth = message["delay"] / 1e6, message["bandwidth"] * 1e6
        disk = SlowDisk(delay, bandwidth) if delay or bandwidth else None
        if not exists(name, data):
            log = LogConfiguration(
                primary_files=LOG_FILES,
                secondary_files=MORE_LOG_FILES,
                file_pages=LOG_FILE_PAGES,
                buffer_pages=4096,
            )
            configuration = dataclasses.replace(Configuration(), log=log)
            configuration = dataclasses.replace(
                configuration, page_sets=(*configuration.page_sets, *_page_sets(configuration, message["page_sets"]))
            )
            manager.create(name, configuration, data)
        self._manager = manager.start(name, data, disk, developer=True)
        self._manager.listen(message["port"])
        return {}

    def _overhead(self) -> Message:
        """Measure the nanoseconds of a round trip's bookkeeping: the same loop, with a link to nothing."""
        board = Board(1)
        board.phase = WORKING
        assignment = Assignment(Workload(), board, board.slot(0), NullLink, "A", "B")
        requesting = Requesting(assignment, b"")
        begun = time.perf_counter_ns()
        for _ in range(_OVERHEAD_UNITS):
            requesting.round_trip()
        taken = time.perf_counter_ns() - begun
        assert assignment.slot.get(UNITS) == _OVERHEAD_UNITS
        del assignment, requesting
        return {"nanoseconds": taken / _OVERHEAD_UNITS}

    def _run(self, message: Message) -> Message:
        workload = Workload(**{key: _value(value) for key, value in message["workload"].items()})
        target = Target(**message["target"])
        self._problems.clear()
        self._threads.clear()
        for each in message["threads"]:
            assignment = self._assignment(workload, target, each)
            thread = threading.Thread(target=self._thread, args=(each["role"], assignment), daemon=True)
            self._threads.append(thread)
        threading.stack_size(STACK if len(self._threads) > 50 else 0)
        for thread in self._threads:
            thread.start()
        return {}

    def _assignment(self, workload: Workload, target: Target, each: Message) -> Assignment:
        board = self._board
        binding, application = each["binding"], f"kew perf {each['role']}"
        slot = board.slot(each["slot"])
        partner = board.slot(each["partner"]) if each.get("partner") is not None else None
        verb_slots = tuple([board.slot(number) for number in each.get("verbs", ())])
        return Assignment(
            workload,
            board,
            slot,
            lambda: connect_to(target, binding, application),
            each.get("output", ""),
            each.get("input", ""),
            each.get("number", 0),
            each.get("count", 1),
            partner,
            verb_slots,
            each.get("copies", ""),
        )

    def _thread(self, role: str, assignment: Assignment) -> None:
        problem = run_role(role, assignment)
        if problem:
            self._problems.append(problem)

    def _wait(self, seconds: float) -> Message:
        until = time.monotonic() + seconds
        for thread in self._threads:
            thread.join(max(0.0, until - time.monotonic()))
        return {"alive": sum(thread.is_alive() for thread in self._threads), "problems": self._problems}

    def _counters(self) -> Message:
        assert self._manager is not None
        host = self._manager.host
        log = host.log.counters
        counted = {
            "log_bytes": log.bytes_appended,
            "log_writes": log.io_requests,
            "log_pages": log.pages_written,
            "log_syncs": log.copies[0].syncs,
            "log_busy_us": round(log.copies[0].busy_seconds * 1e6),
            "log_waits": log.buffer_waits,
        }
        for pool in host.pools.values():
            for name in ("reads", "pages_written", "synchronous_writes", "hits", "new_pages"):
                key = f"pool_{name}"
                counted[key] = counted.get(key, 0) + getattr(pool.counters, name)
        counted["expired"] = sum(queue.counters.expired for queue in list(host.queues.by_name.values()))
        return counted


def _page_sets(configuration: Configuration, count: int) -> list[PageSetConfiguration]:
    """Give the configuration of further page sets, numbered from 10, in the last buffer pool."""
    pool = configuration.page_sets[-1].buffer_pool
    return [PageSetConfiguration(id=FIRST_PAGE_SET + number, buffer_pool=pool) for number in range(count)]


def _value(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def main(arguments: list[str]) -> None:
    """Answer requests until one of them is to end, or until the driver has ended."""
    slots, descriptor = map(int, arguments)
    board = Board(slots, descriptor)
    worker = Worker(board)
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what a program prints must not look like an answer
    for line in sys.stdin:
        message = json.loads(line)
        try:
            answer = worker.answer(message)
        except Exception as problem:  # the driver reports it
            answer = {"error": f"{type(problem).__name__}: {problem}"}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()
        if message["op"] == "end":
            break
    os._exit(0)  # threads that hang must not keep the process


if __name__ == "__main__":
    main(sys.argv[1:])
