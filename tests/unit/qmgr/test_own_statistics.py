"""What Kew records of itself, in every report, against a recount by the program that did the work."""

import math
import time
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

pytest.importorskip("pyarrow")

from kew.analytics.reports.catalogue import REPORTS
from kew.analytics.reports.run import run_here
from kew.codes.attributes import MQIA_CURRENT_Q_DEPTH, MQIA_INHIBIT_PUT
from kew.codes.errors import MQError, NoMessage
from kew.codes.options import (
    MQGMO_BROWSE_FIRST,
    MQGMO_SYNCPOINT,
    MQOO_BROWSE,
    MQOO_INPUT_SHARED,
    MQOO_INQUIRE,
    MQOO_OUTPUT,
    MQOO_SET,
    MQPMO_SYNCPOINT,
)
from kew.commands.actions.script import Script
from kew.formats.mqmd import MessageDescriptor
from kew.formats.smf import DumpWriter
from kew.formats.smf.container import Framing
from kew.qmgr import manager
from kew.qmgr.config import Configuration, SMFConfiguration, SystemConfiguration
from kew.qmgr.manager import QueueManager

EVERYTHING = MQOO_OUTPUT | MQOO_INPUT_SHARED | MQOO_BROWSE | MQOO_INQUIRE | MQOO_SET
LONGEST = 1000  # MAXMSGL of the queues
QUEUES = ("Q1", "Q2")
SHARES = ("%", "percent")
Row = dict[str, Any]

Operation = tuple[str, str, int, int, str]  # verb, queue, length, persistence, how its unit of work ends
operations = st.lists(
    st.tuples(
        st.sampled_from(["put", "put", "put1", "get", "get", "browse", "inquire", "set", "open"]),
        st.sampled_from(QUEUES),
        st.integers(0, LONGEST + 100),
        st.integers(0, 1),
        st.sampled_from(["", "", "commit", "backout"]),
    ),
    max_size=25,
)


class Ledger:
    """What a program has done: recounted from its own calls and the messages it knows to be on its queues."""

    def __init__(self, depths: dict[str, int]) -> None:
        self.all: Counter[str] = Counter()
        self.queue: dict[str, Counter[str]] = {name: Counter() for name in QUEUES}
        self.sizes: Counter[str] = Counter()
        self.depths = depths
        self.begun = dict(depths)
        self.highest = dict(depths)
        self.lowest = dict(depths)

    def count(self, queue: str, what: str, by: int = 1) -> None:
        self.all[what] += by
        self.queue[queue][what] += by

    def deeper(self, queue: str, by: int) -> None:
        self.depths[queue] += by
        self.highest[queue] = max(self.highest[queue], self.depths[queue])
        self.lowest[queue] = min(self.lowest[queue], self.depths[queue])


class World:
    """A queue manager whose records are read interval by interval."""

    def __init__(self, host: QueueManager, folder: Path) -> None:
        self.host = host
        self.folder = folder
        self.seen = 0
        self.messages: dict[str, list[tuple[int, int]]] = {name: [] for name in QUEUES}

    def run(self, *commands: str) -> None:
        script = Script(self.host.host.commands)
        lines = [line for batch in script.run([command + "\n" for command in commands]) for line in batch]
        assert script.counts.failed == script.counts.syntax_errors == 0, lines

    def cut(self) -> dict[str, list[Row]]:
        """End the interval, and give every report of it by part."""
        recorder = self.host.host.recorder
        recorder.look(time.time())  # tasks that have ended
        recorder.cut()
        self.seen, records = self.host.smf_records(self.seen)
        writer = DumpWriter(Framing.RDW)
        path = self.folder / "interval.dat"
        path.write_bytes(b"".join([*(writer.add(record) for record in records), writer.finish()]))
        found: dict[str, list[Row]] = {}
        for report in REPORTS.values():
            if report.name != "QSTATCSV":
                result = run_here(report, [str(path)])
                for part in report.parts:
                    rows = result.rows(part.name)
                    found[part.name] = rows
                    for row in rows:
                        for cell in part.cells:
                            self.check(part.name, cell.name, cell.unit, cell.label, row[cell.name])
        return found

    def check(self, part: str, name: str, unit: str, label: str, value: object) -> None:
        if isinstance(value, int | float | Decimal) and not isinstance(value, bool):
            assert value >= 0 or name == "growth", (part, name, value)
            assert value != 0 or math.copysign(1, float(value)) > 0, (part, name, value)  # no -0.0
            if unit in SHARES or "%" in label:
                assert value <= 100, (part, name, value)


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    manager.create("QM1", Configuration(smf=SMFConfiguration(level="10.0.0", system="TEST")), str(tmp_path))
    host = manager.start("QM1", str(tmp_path))
    host.host.event_writer.write_pending()
    made = World(host, tmp_path)
    try:
        made.run("ALTER QMGR STATQ(ON) ACCTQ(ON) STRSTPEV(DISABLED) PERFMEV(DISABLED)")
        made.run(*[f"DEFINE QLOCAL({name}) MAXMSGL({LONGEST})" for name in QUEUES])
        made.run("START TRACE(STAT) CLASS(1,2,3,5)", "START TRACE(ACCTG) CLASS(1,3)")
        made.seen = host.smf_records()[0]
        yield made
    finally:
        host.stop()


def work(world: World, done: list[Operation]) -> Ledger:
    """Do it, and recount it."""
    ledger = Ledger({name: len(messages) for name, messages in world.messages.items()})
    connection = world.host.connect("worker")
    handles = {name: connection.open(name, EVERYTHING) for name in QUEUES}
    for name in QUEUES:
        ledger.count(name, "open")
    for verb, name, length, persistence, end in done:
        _do(world, ledger, connection, handles[name], name, verb, length, persistence, end)
    for name, handle in handles.items():
        connection.close(handle)
        ledger.count(name, "close")
    connection.disconnect()
    return ledger


def _do(
    world: World,
    ledger: Ledger,
    connection: Any,
    handle: Any,
    name: str,
    verb: str,
    length: int,
    persistence: int,
    end: str,
) -> None:
    messages = world.messages[name]
    descriptor = MessageDescriptor(persistence=persistence)
    if verb in ("put", "put1"):
        ledger.all[verb] += 1
        options = MQPMO_SYNCPOINT if end else 0
        try:
            if verb == "put":
                connection.put(handle, descriptor, bytes(length), options)
            else:
                connection.put1(name, descriptor, bytes(length), options)
        except MQError:
            assert length > LONGEST
            ledger.count(name, f"{verb}_failed")
            return
        assert length <= LONGEST
        kind = "persistent" if persistence else "other"
        ledger.count(name, f"{verb}_{kind}")
        ledger.count(name, f"{verb}_{kind}_bytes", length)
        ledger.sizes[f"put{_class(length)}"] += 1
        ledger.deeper(name, 1)
        if end:
            ledger.all["locked"] += 1
            getattr(connection, end)()
            ledger.all[end] += 1
        if end == "backout":
            ledger.deeper(name, -1)
            ledger.count(name, "put_undone")
        else:
            messages.append((length, persistence))
    elif verb == "get":
        ledger.all["get"] += 1
        try:
            connection.get(handle, MQGMO_SYNCPOINT if end else 0)
        except NoMessage:
            assert not messages
            ledger.count(name, "nothing")
            return
        length, persistence = messages[0]
        kind = "persistent" if persistence else "other"
        ledger.count(name, f"get_{kind}")
        ledger.count(name, f"get_{kind}_bytes", length)
        ledger.sizes[f"get{_class(length)}"] += 1
        ledger.deeper(name, -1)  # at once: the depth has what is put and not committed, and not what is got
        if end:
            ledger.all["locked"] += 1
            getattr(connection, end)()
            ledger.all[end] += 1
        if end == "backout":
            ledger.count(name, "get_undone")
            ledger.deeper(name, 1)
        else:
            messages.pop(0)
    elif verb == "browse":
        ledger.all["get"] += 1
        try:
            connection.get(handle, MQGMO_BROWSE_FIRST)
        except NoMessage:
            ledger.count(name, "nothing_browsed")
            return
        ledger.count(name, "browse")
        ledger.count(name, "browse_bytes", messages[0][0])
    elif verb == "inquire":
        found = connection.inquire(handle, [MQIA_CURRENT_Q_DEPTH])
        assert len(messages) in found.values()
        ledger.count(name, "inquire")
    elif verb == "set":
        connection.set(handle, {MQIA_INHIBIT_PUT: 0})
        ledger.count(name, "set")
    else:
        connection.close(connection.open(name, MQOO_OUTPUT))
        ledger.count(name, "open")
        ledger.count(name, "close")


def _class(length: int) -> str:
    return "A" if length < 100 else "B" if length < 1000 else "C"


def holds(row: Row, expected: dict[str, object]) -> None:
    assert {name: row[name] for name in expected} == expected


def compare(ledger: Ledger, found: dict[str, list[Row]]) -> None:
    """Every figure of every report that the program can know."""
    every = ledger.all
    persistent = every["put_persistent"] + every["put1_persistent"]
    other = every["put_other"] + every["put1_other"]
    bytes_persistent = every["put_persistent_bytes"] + every["put1_persistent_bytes"]
    bytes_other = every["put_other_bytes"] + every["put1_other_bytes"]
    got = every["get_persistent"] + every["get_other"]
    (row,) = found["MSGM"]
    seconds = row["duration_us"] / 1e6
    holds(
        row,
        {
            "opens": every["open"],
            "closes": every["close"],
            "gets": every["get"],
            "puts": every["put"],
            "put1s": every["put1"],
            "inquires": every["inquire"],
            "sets": every["set"],
            "close_all": 0,
            "persistent_puts": persistent,
            "nonpersistent_puts": other,
            "persistent_bytes": bytes_persistent,
            "nonpersistent_bytes": bytes_other,
            "puts_per_second": pytest.approx((every["put"] + every["put1"]) / seconds),
        },
    )
    (row,) = found["DATA"]
    holds(row, {"gets": got, "puts": persistent + other, "browses": every["browse"], "disk": 0, "pool": got})
    (row,) = found["LOCK"]
    holds(row, {"gets": every["locked"], "releases": every["locked"]})
    (row,) = found["LOG"]
    assert row["write_requests"] >= persistent
    if not sum(every.values()):
        assert row["forces"] == 0
    assert len(found["BUFF"]) == len(found["PSET"]) == 2
    queues = {row["queue"]: row for row in found["QSTAT"]}
    for name in QUEUES:
        of_queue(queues[name], ledger, name)
    tasks(ledger, found, bytes_persistent + bytes_other)


def of_queue(row: Row, ledger: Ledger, name: str) -> None:
    """QQST."""
    done = ledger.queue[name]
    puts, put1s = done["put_persistent"] + done["put_other"], done["put1_persistent"] + done["put1_other"]
    holds(
        row,
        {
            "depth": ledger.depths[name],
            "depth_high": ledger.highest[name],
            "depth_low": ledger.lowest[name],
            "puts": puts,
            "put1s": put1s,
            "gets": done["get_persistent"] + done["get_other"],
            "browses": done["browse"],
            "opens": done["open"],
            "closes": done["close"],
            "no_message": done["nothing"],
            "put_failures": done["put_failed"] + done["put1_failed"],
            "puts_back": done["put_undone"],
            "gets_back": done["get_undone"],
            "expired": 0,
            "streamed": 0,
            "growth": ledger.depths[name] - ledger.begun[name],
        },
    )


def tasks(ledger: Ledger, found: dict[str, list[Row]], put_bytes: int) -> None:
    """QMAC, WTAS and WQ of the one program."""
    (sizes,) = found["CLASS1"]
    names = ("puts_99", "puts_999", "puts_9999", "puts_more")
    assert [sizes[name] for name in names] == [ledger.sizes[f"put{letter}"] for letter in "ABCD"]
    assert sizes["cpu"] > 0
    (task,) = found["TASK"]
    every = ledger.all
    holds(task, {"commits": every["commit"], "backouts": every["backout"]})
    if every["commit"]:
        assert task["commit_elapsed"] >= task["commit_cpu"] >= 0
    rows: dict[str, list[Row]] = {}
    for row in found["TASKQ"]:
        rows.setdefault(row["base_name"], []).append(row)
    for name in QUEUES:
        done = ledger.queue[name]

        def total(cell: str, name: str = name) -> int:
            return sum(row[cell] for row in rows.get(name, []))

        assert total("opens") == done["open"]
        assert total("closes") == done["close"]
        assert total("puts") == done["put_persistent"] + done["put_other"] + done["put_failed"]
        assert total("put1s") == done["put1_persistent"] + done["put1_other"] + done["put1_failed"]
        gets = sum(done[each] for each in ("get_persistent", "get_other", "browse", "nothing", "nothing_browsed"))
        assert total("gets") == gets
        assert total("inqs") == done["inquire"]
        assert total("sets") == done["set"]
    assert sum(row["put_bytes"] for row in found["TASKQ"]) == put_bytes


def test_every_figure_is_what_the_program_did(world: World) -> None:
    compare_idle(world.cut())  # the first interval
    compare_idle(world.cut())  # one that is over at once

    @settings(max_examples=25, deadline=None, phases=[Phase.generate])
    @given(operations)
    def busy(done: list[Operation]) -> None:
        compare(work(world, done), world.cut())

    busy()
    compare_idle(world.cut())


def compare_idle(found: dict[str, list[Row]]) -> None:
    (row,) = found["MSGM"]
    holds(row, dict.fromkeys(("opens", "closes", "gets", "puts", "put1s", "persistent_bytes"), 0))
    (row,) = found["LOG"]
    holds(row, {"forces": 0, "ios": 0, "io_busy": 0.0, "task_busy": 0.0})
    (row,) = found["LOCK"]
    holds(row, {"gets": 0, "releases": 0})
    assert {row["puts"] for row in found["QSTAT"]} == {0}
    assert found["TASK"] == found["TASKQ"] == []


def test_the_logger_is_idle_when_the_queue_manager_has_just_started(tmp_path: Path) -> None:
    """With traces that start with the queue manager the first interval has no reading before it."""
    configuration = Configuration(
        smf=SMFConfiguration(level="10.0.0", system="TEST"), system=SystemConfiguration(statistics=("1",))
    )
    manager.create("QM1", configuration, str(tmp_path))
    host = manager.start("QM1", str(tmp_path))
    try:
        (row,) = World(host, tmp_path).cut()["LOG"]
        assert 0 <= row["task_busy"] <= 100
    finally:
        host.stop()
