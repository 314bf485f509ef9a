"""Runs scenarios: warm-up, steady state, emptying and the balance of messages, for each point of a sweep.

A point is measured between two readings of the board and of /proc, while all threads work. Then producers end,
consumers empty the queues, and the balance is checked: each message put was got, has expired, or is on a queue. A sweep
ends when a response takes longer than a second on average or the rate has fallen twice below nine tenths of the best.
"""

import dataclasses
import datetime
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from kew.perf.bench import SLOTS, Bench
from kew.perf.board import COPIES, EMPTYING, ENDING, FAILURES, GETS, PUTS, READY, REASON, UNITS, WORKING
from kew.perf.histogram import Histogram
from kew.perf.plan import HOST, Plan, make_plan
from kew.perf.processes import WorkerProcess, machine_seconds
from kew.perf.results import Point, Sample, VerbTime, describe_host, new_run
from kew.perf.scenario import VERBS, Scenario, ScenarioError

LONGEST_RESPONSE: Final = 1.0
FALLEN: Final = 0.9
START_SECONDS: Final = 60.0
END_SECONDS: Final = 60.0
LONGEST_UNIT: Final = 20.0
ALONE: Final = ("verbs", "selector")  # kinds of work that one program does, whatever the number of clients
DEPTHS: Final = 5  # queues that are asked for their depth in a sample
MOST_QUEUES: Final = 64
_TICK: Final = 0.02


@dataclass(frozen=True)
class Timing:
    """The durations of a point's parts, and the number of repeats."""

    warm_up: float = 1.0
    steady: float = 4.0
    repeats: int = 1
    interval: float = 0.25  # between two samples


QUICK: Final = Timing(0.15, 0.5, 1, 0.1)
NORMAL: Final = Timing()
FULL: Final = Timing(3.0, 15.0, 3, 0.5)


@dataclass
class Progress:
    """The receiver of progress while scenarios run."""

    name: str
    clients: int
    repeat: int
    phase: str
    seconds: float = 0.0
    rate: float = 0.0
    response: float = 0.0


Watch = Callable[[Progress], None]


@dataclass
class _Look:
    """The counters of workers, queue manager and machine at one moment."""

    when: float
    units: int
    times: Histogram
    verbs: list[Histogram]
    cpu_qmgr: float
    cpu_clients: float
    machine: float
    counters: dict[str, int]


class Driver:
    """Measures scenarios on a bench."""

    def __init__(self, bench: Bench, timing: Timing, watch: Watch | None = None, label: str = "") -> None:
        self._bench = bench
        self._timing = timing
        self._watch = watch
        self._label = label
        self.run = new_run()
        self._host = describe_host()
        self._overhead = 0.0
        self.interrupted = False

    def sweep(self, scenario: Scenario, clients: tuple[int, ...]) -> Iterator[Point]:
        """Measure a scenario with more and more clients, until the rate does not grow any more."""
        if scenario.waiting:
            raise ScenarioError(f"{scenario.name} waits for {scenario.waiting}")
        self._bench.prepare(scenario.workload)
        self._overhead = self._bench.worker("producers-0").ask("overhead")["nanoseconds"] / 1e9
        best, fallen = 0.0, 0
        for count in (1,) if scenario.workload.kind in ALONE else clients:
            repeats = []
            for repeat in range(1, self._timing.repeats + 1):
                point = self._point(scenario, count, repeat)
                repeats.append(point)
                yield point
                if self.interrupted:
                    return
            rate = max(point.rate for point in repeats)
            fallen = fallen + 1 if rate < best * FALLEN else 0
            best = max(best, rate)
            if fallen == 2 or min(point.mean for point in repeats) > LONGEST_RESPONSE:
                return

    def _point(self, scenario: Scenario, clients: int, repeat: int) -> Point:
        plan = make_plan(scenario.workload, clients)
        if plan.slots > SLOTS:
            raise ScenarioError(f"{scenario.name}: {clients} clients are {plan.slots} threads; {SLOTS} are the most")
        bench = self._bench
        control = bench.control
        assert control is not None
        bench.board.clear(plan.slots)
        control.run(plan.commands)
        point = self._described(scenario, clients, repeat)
        point.rss_before = bench.resident() / 1e6
        before = bench.counters()
        workers = self._start(plan)
        watch = _Watching(self._watch, Progress(scenario.name, clients, repeat, "starting"))
        try:
            self._until_ready(plan, workers, watch)
            self._pause(self._timing.warm_up, watch, "warm-up")
            self._steady(plan, point, watch)
        except KeyboardInterrupt:
            self.interrupted = point.partial = True
        finally:
            problems = self._finish(plan, workers, watch)
        if problems and not point.partial:
            raise ScenarioError(f"{scenario.name}: {problems[0]}")
        self._books(plan, point, before)
        control.forget()
        control.run(plan.delete_commands())
        return point

    def _described(self, scenario: Scenario, clients: int, repeat: int) -> Point:
        workload = scenario.workload
        default = {each.name: each.default for each in dataclasses.fields(workload)}
        settings = {key: value for key, value in dataclasses.asdict(workload).items() if value != default[key]}
        return Point(
            run=self.run,
            when=datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
            label=self._label,
            scenario=scenario.group,
            variant=scenario.variant,
            title=scenario.title,
            source=scenario.source,
            picture=scenario.picture,
            kind=workload.kind,
            binding=workload.binding,
            persistent=workload.persistent,
            size=workload.size,
            clients=clients,
            repeat=repeat,
            overhead=self._overhead,
            settings=json.dumps(settings, sort_keys=True),
            host=self._host,
        )

    def _start(self, plan: Plan) -> list[WorkerProcess]:
        workers = []
        workload = dataclasses.asdict(plan.workload)
        target = dataclasses.asdict(self._bench.target)
        for place, threads in plan.places().items():
            worker = self._bench.worker(place)
            worker.say("run", workload=workload, target=target, threads=threads)
            workers.append(worker)
        for worker in workers:
            worker.hear()
        return workers

    def _until_ready(self, plan: Plan, workers: list[WorkerProcess], watch: "_Watching") -> None:
        board = self._bench.board
        until = time.monotonic() + START_SECONDS
        while (ready := board.total(READY, plan.slots)) < len(plan.threads):
            watch.say("starting", 0.0, 0.0, 0.0)
            if board.total(REASON, plan.slots):
                raise ScenarioError("; ".join(self._troubles(workers, 0.1)))
            if time.monotonic() > until:
                raise ScenarioError(f"{ready} of {len(plan.threads)} programs were ready after {START_SECONDS:g} s")
            time.sleep(_TICK)
        board.phase = WORKING

    def _troubles(self, workers: list[WorkerProcess], seconds: float) -> list[str]:
        return [problem for worker in workers for problem in worker.ask("wait", seconds=seconds)["problems"]]

    def _pause(self, seconds: float, watch: "_Watching", phase: str) -> None:
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            watch.say(phase, seconds - left, 0.0, 0.0)
            time.sleep(min(left, self._timing.interval))

    def _look(self, plan: Plan) -> _Look:
        bench, board = self._bench, self._bench.board
        times = board.histogram(0, plan.measured)
        units = board.total(UNITS, plan.measured)
        verbs = []
        if plan.workload.kind == "verbs":  # a unit is a message that is put
            verbs = [board.histogram(number, number + 1) for number in range(1, len(VERBS) + 1)]
            times = verbs[VERBS.index("MQPUT")]
            units = times.total
        return _Look(
            time.monotonic(),
            units,
            times,
            verbs,
            bench.cpu_qmgr(),
            bench.cpu_clients(),
            machine_seconds(),
            bench.counters(),
        )

    def _steady(self, plan: Plan, point: Point, watch: "_Watching") -> None:
        first = self._look(plan)
        try:
            self._sample(plan, point, first, watch)
        except KeyboardInterrupt:
            self.interrupted = point.partial = True
        self._measure(plan, point, first, self._look(plan))

    def _sample(self, plan: Plan, point: Point, first: _Look, watch: "_Watching") -> None:
        board, control = self._bench.board, self._bench.control
        assert control is not None
        end = first.when + self._timing.steady
        then, units = first.when, board.total(UNITS, plan.measured)
        queues = plan.copies or plan.queues
        # A unit may take longer than the steady state was meant to: one at least is waited for.
        done, wanted = units, units + (len(VERBS) if plan.workload.kind == "verbs" else 1)
        while (left := end - time.monotonic()) > 0 or (done < wanted and left > -LONGEST_UNIT):
            time.sleep(min(max(left, _TICK), self._timing.interval))
            now, done = time.monotonic(), board.total(UNITS, plan.measured)
            rate = (done - units) / (now - then)
            some = queues[:DEPTHS]  # the others are as deep, more or less
            depth = control.depth(some) * len(queues) // max(1, len(some)) if len(queues) <= MOST_QUEUES else 0
            point.samples.append(Sample(round(now - first.when, 3), rate, depth))
            response = plan.measured / rate if rate and plan.workload.kind != "one-way" else 0.0
            watch.say("steady", now - first.when, rate, response)
            then, units = now, done

    def _measure(self, plan: Plan, point: Point, first: _Look, last: _Look) -> None:
        seconds = last.when - first.when
        times = last.times.since(first.times)
        units = last.units - first.units
        point.seconds, point.units = seconds, units
        point.rate = units / seconds
        each_way = 2 if plan.workload.kind in ("request-reply", "crowd") else 1
        point.megabytes = point.rate * point.size * each_way / 1e6
        point.mean, point.longest = times.mean(), times.longest()
        point.p50, point.p95, point.p99 = times.percentile(50), times.percentile(95), times.percentile(99)
        point.histogram = times.sparse()
        qmgr, programs = last.cpu_qmgr - first.cpu_qmgr, last.cpu_clients - first.cpu_clients
        point.cpu_qmgr, point.cpu_clients = qmgr * 1e6 / max(units, 1), programs * 1e6 / max(units, 1)
        point.cores_qmgr = qmgr / seconds
        point.cores_others = max(0.0, (last.machine - first.machine - qmgr - programs) / seconds)
        point.rss = self._bench.resident() / 1e6
        counted = {key: value - first.counters.get(key, 0) for key, value in last.counters.items()}
        point.log_bytes, point.log_writes = counted.get("log_bytes", 0), counted.get("log_writes", 0)
        point.log_syncs = counted.get("log_syncs", 0)
        point.log_busy = counted.get("log_busy_us", 0) / 1e6 / seconds
        point.pool_reads, point.pool_writes = counted.get("pool_reads", 0), counted.get("pool_pages_written", 0)
        for verb, before, after in zip(VERBS, first.verbs, last.verbs, strict=False):
            some = after.since(before)
            point.verbs.append(VerbTime(verb, some.total, some.mean(), some.percentile(50), some.percentile(99)))

    def _finish(self, plan: Plan, workers: list[WorkerProcess], watch: "_Watching") -> list[str]:
        """End producers, then consumers; gives their failures."""
        board = self._bench.board
        watch.say("emptying", 0.0, 0.0, 0.0)
        board.phase = EMPTYING
        producing = [worker for worker in workers if worker.name != HOST and worker.name.startswith("producers")]
        for worker in producing:
            worker.say("wait", seconds=END_SECONDS)
        heard = [worker.hear() for worker in producing]
        if len(producing) < len(workers):
            self._until_idle(plan)
        board.phase = ENDING
        rest = [worker for worker in workers if worker not in producing]
        for worker in rest:
            worker.say("wait", seconds=END_SECONDS)
        heard += [worker.hear() for worker in rest]
        board.phase = ENDING
        problems = [problem for each in heard for problem in each["problems"]]
        if sum(each["alive"] for each in heard):
            problems.append(f"programs have not ended {END_SECONDS:g} s after they were told to")
        return problems

    def _until_idle(self, plan: Plan) -> None:
        """Wait until no message has been put or got for a while, so that the producers' messages are processed."""
        board = self._bench.board
        until = time.monotonic() + END_SECONDS
        last, since = -1, time.monotonic()
        while time.monotonic() < until:
            now = sum(board.total(counter, plan.slots) for counter in (PUTS, GETS, COPIES))
            if now != last:
                last, since = now, time.monotonic()
            elif time.monotonic() - since > 0.1:
                return
            time.sleep(_TICK)

    def _books(self, plan: Plan, point: Point, before: dict[str, int]) -> None:
        board, control = self._bench.board, self._bench.control
        assert control is not None
        slots = plan.slots
        point.puts, point.gets = board.total(PUTS, slots), board.total(GETS, slots)
        point.copies, point.failures = board.total(COPIES, slots), board.total(FAILURES, slots)
        point.reason = max(board.slot(number).get(REASON) for number in range(slots))
        expired, counted = self._bench.counters().get("expired", 0), -1
        while counted != expired:  # while the depths were read none may have expired
            counted = expired
            point.depth, point.depth_copies = control.depth(plan.queues), control.depth(plan.copies)
            expired = self._bench.counters().get("expired", 0)
        point.expired = expired - before.get("expired", 0)
        wanted = point.puts * plan.workload.subscribers if plan.workload.kind == "publish" else point.puts
        point.ledger = wanted - point.gets - point.depth
        if plan.copies:
            point.ledger_copies = point.puts - point.copies - point.depth_copies - point.expired
        else:
            point.ledger -= point.expired


class _Watching:
    """Passes progress on, if there is a receiver."""

    def __init__(self, watch: Watch | None, progress: Progress) -> None:
        self._watch = watch
        self._progress = progress

    def say(self, phase: str, seconds: float, rate: float, response: float) -> None:
        """Report the progress."""
        if self._watch is not None:
            progress = self._progress
            progress.phase, progress.seconds, progress.rate, progress.response = phase, seconds, rate, response
            self._watch(progress)
