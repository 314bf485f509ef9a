"""What is recorded of a workload whose numbers are known: SMF 115 and 116, read back from the files."""

import os
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tests.support.network import SMALL, eventually
from tests.support.partners import CHANNEL, REMOTE, TARGET, partners

from kew.client.blocking import connect
from kew.codes.channels import MQCHT_RECEIVER, MQCHT_SENDER
from kew.codes.errors import MQError, NoMessage
from kew.codes.options import (
    MQGMO_BROWSE_FIRST,
    MQGMO_SYNCPOINT,
    MQGMO_WAIT,
    MQOO_BROWSE,
    MQOO_INPUT_SHARED,
    MQOO_INQUIRE,
    MQOO_OUTPUT,
    MQPER_PERSISTENT,
    MQPMO_SYNCPOINT,
)
from kew.commands.actions.script import Script
from kew.formats.mqmd import MessageDescriptor
from kew.formats.smf import Splitter, detect, parse_record
from kew.formats.smf.layouts.structure import Value
from kew.formats.smf.record import Record
from kew.qmgr import manager
from kew.qmgr.config import Configuration, SMFConfiguration
from kew.qmgr.manager import QueueManager

EVERYTHING = MQOO_OUTPUT | MQOO_INPUT_SHARED | MQOO_BROWSE | MQOO_INQUIRE


def records(directory: Path) -> list[Record]:
    """Give the records of all files, in order."""
    found: list[Record] = []
    for name in sorted(os.listdir(directory)):
        data = (directory / name).read_bytes()
        batch = Splitter(detect(data)).feed(data, True)
        assert not batch.damage
        raw = [batch.record(place) for place in range(len(batch.starts))]
        found += [parse_record(each) for each in raw if each[5] in (115, 116)]
    return found


def values(directory: Path, kind: int, subtype: int, structure: str) -> list[dict[str, Value]]:
    """Give the values of each structure of a name."""
    return [
        section.values()
        for record in records(directory)
        if (record.smf_type, record.subtype) == (kind, subtype)
        for section in record.sections
        if section.name == structure
    ]


def number(fields: dict[str, Value], name: str) -> int:
    """Give a field that is a number."""
    value = fields[name]
    assert isinstance(value, int)
    return value


class World:
    """A queue manager and the directory of its records."""

    def __init__(self, host: QueueManager, smf: Path) -> None:
        self.host = host
        self.smf = smf

    def run(self, *commands: str) -> str:
        script = Script(self.host.host.commands)
        lines = [line for batch in script.run([command + "\n" for command in commands]) for line in batch]
        assert script.counts.failed == script.counts.syntax_errors == 0, lines
        return "\n".join(lines)


@pytest.fixture(params=["9.4.0"])
def world(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[World]:
    manager.create("QM1", Configuration(smf=SMFConfiguration(level=request.param, system="TEST")), str(tmp_path))
    host = manager.start("QM1", str(tmp_path))
    host.host.event_writer.write_pending()  # that the queue manager has started; it would be counted
    try:
        yield World(host, Path(host.places.smf))
    finally:
        if host.running:
            host.stop()


def test_statistics_of_a_known_workload(world: World) -> None:
    world.run("ALTER QMGR STRSTPEV(DISABLED)")  # whose message would be counted too
    world.run("DEFINE QLOCAL(Q1) STATQ(ON)", "DEFINE QLOCAL(Q2)", "START TRACE(STAT) CLASS(1,2,3,5)")
    connection = world.host.connect("worker")
    q1 = connection.open("Q1", EVERYTHING)
    q2 = connection.open("Q2", MQOO_OUTPUT)
    for length in (10, 20, 30):
        connection.put(q1, MessageDescriptor(), bytes(length))
    connection.put(q1, MessageDescriptor(persistence=MQPER_PERSISTENT), bytes(500))
    connection.put(q2, MessageDescriptor(), bytes(7))
    connection.put1("Q1", MessageDescriptor(), bytes(40))
    connection.get(q1, MQGMO_BROWSE_FIRST)
    connection.get(q1)
    connection.get(q1, MQGMO_SYNCPOINT)
    connection.backout()
    connection.put(q1, MessageDescriptor(), bytes(5), MQPMO_SYNCPOINT)
    connection.commit()
    with pytest.raises(NoMessage):
        connection.get(q1, MQGMO_WAIT, 1, 2, MessageDescriptor(correlation_id=b"x" * 24))
    with pytest.raises(MQError):
        connection.put(q1, MessageDescriptor(), bytes(5_000_000))
    connection.close(q2)
    connection.disconnect()
    world.host.stop()
    (qmst,) = values(world.smf, 115, 2, "QMST")
    wanted = {
        "QMSTOPEN": 2,
        "QMSTCLOS": 1,
        "QMSTPUT": 7,
        "QMSTPUT1": 1,
        "QMSTGET": 4,
        "QMSTSPP": 1,
        "QMSTSNP": 6,
        "QMSTPBP": 500,
        "QMSTNBP": 10 + 20 + 30 + 7 + 40 + 5,
    }
    assert {name: qmst[name] for name in wanted} == wanted
    (qlst,) = values(world.smf, 115, 2, "QLST")
    assert (qlst["QLSTGETL"], qlst["QLSTRELL"]) == (2, 2)
    (queue,) = values(world.smf, 115, 216, "QQST")
    wanted_queue: dict[str, Value] = {
        "QQSTQNAM": "Q1",
        "QQSTDPTH": 5,
        "QQSTDPHI": 5,
        "QQSTDPLO": 0,
        "QQSTPUTS": 5,
        "QQSTPUT1": 1,
        "QQSTNPPT": 4,
        "QQSTPPT": 1,
        "QQSTPPB": 500,
        "QQSTPUTB": 565,
        "QQSTPT1B": 40,
        "QQSTFLPT": 1,
        "QQSTMSMI": 5,
        "QQSTMSMA": 500,
        "QQSTGETS": 2,
        "QQSTBRWS": 1,
        "QQSTBRWB": 10,
        "QQSTNMAG": 1,
        "QQSTFLGW": 1,
        "QQSTOPEN": 1,
        "QQSTRBGT": 1,
        "QQSTIPHI": 1,
    }
    assert {name: queue[name] for name in wanted_queue} == wanted_queue
    (log,) = values(world.smf, 115, 1, "QJST")
    assert number(log, "QJSTWRNW") >= 1
    pools = values(world.smf, 115, 215, "QPST")
    assert [pool["QPSTPOOL"] for pool in pools] == [0, 1]
    assert number(pools[1], "QPSTGETN") >= 7
    assert [each["QIS1PSNO"] for each in values(world.smf, 115, 201, "QIS1")] == [0, 1]
    (region,) = values(world.smf, 115, 7, "QSRS")
    assert number(region, "QSRSFMCT") > 1000
    assert "LOG BUFFER" in [each["QSPHNAME"] for each in values(world.smf, 115, 5, "QSPH")]


def test_accounting_of_a_known_workload(world: World) -> None:
    world.run(
        "ALTER QMGR ACCTQ(ON)", "DEFINE QLOCAL(Q1)", "DEFINE QALIAS(A1) TARGET(Q1)", "DEFINE QLOCAL(Q2) ACCTQ(OFF)"
    )
    world.run("START TRACE(ACCTG) CLASS(1,3)")
    connection = world.host.connect("worker")
    a1 = connection.open("A1", EVERYTHING)
    q2 = connection.open("Q2", MQOO_OUTPUT)
    for length in (10, 500, 5000):
        connection.put(a1, MessageDescriptor(), bytes(length))
    connection.put(a1, MessageDescriptor(persistence=MQPER_PERSISTENT), bytes(20000), MQPMO_SYNCPOINT)
    connection.commit()
    connection.put(q2, MessageDescriptor(), bytes(1))
    connection.put1("Q1", MessageDescriptor(persistence=MQPER_PERSISTENT), bytes(3))
    for _ in range(4):
        connection.get(a1)
    connection.get(a1, MQGMO_BROWSE_FIRST)
    connection.close(a1)
    connection.disconnect()
    world.run("STOP TRACE(ACCTG)")
    world.host.stop()
    worker = [task for task in values(world.smf, 116, 1, "WTID") if task["WTIDCCN"] == "WORKER"]
    assert len(worker) == 1
    (task,) = [each for each in values(world.smf, 116, 1, "WTAS") if each["WTASCMN"] == 1]
    assert task["WTASWQCT"] == 2
    assert number(task, "WTASJWN") > 3
    assert number(task, "WTASCMET") > 0
    assert number(task, "WTASJCN") >= 2
    queues = {queue["OBJNAME"]: queue for queue in values(world.smf, 116, 1, "WQ")}
    assert {"A1", "Q1"} <= set(queues)
    assert "Q2" not in queues  # ACCTQ(OFF)
    alias = queues["A1"]
    wanted: dict[str, Value] = {
        "BASENAME": "Q1",
        "OPENN": 1,
        "CLOSEN": 1,
        "PUTN": 4,
        "GETN": 5,
        "GETA": 4,
        "GETBRWA": 1,
        "VALIDPUT": 4,
        "VALIDGET": 5,
        "GETDVAL": 4,
        "PUTBYTES": 25510,
        "GETBYTES": 25513,
        "PUTMAXMS": 20000,
        "PUTMINMS": 10,
        "GETPMSG": 1,
        "PUTPMSG": 1,
        "MAXQDPTH": 3,
        "TOTAL_USE": 1,
    }
    assert {name: alias[name] for name in wanted} == wanted
    assert queues["Q1"]["PUT1N"] == 1
    assert queues["Q1"]["PUT1PMSG"] == 1
    correlator = b"".join(
        [number(task, "WTASSTRT").to_bytes(8, "big"), number(task, "WTASMTHR").to_bytes(4, "big") * 2]
    )
    assert alias["CORREL"] == correlator
    (sizes,) = [each for each in values(world.smf, 116, 0, "QMAC") if each["QMACPUTD"]]
    assert [sizes[f"QMACPUT{letter}"] for letter in "ABCD"] == [3, 1, 1, 1]
    assert [sizes[f"QMACGET{letter}"] for letter in "ABCD"] == [2, 1, 1, 1]
    assert number(sizes, "QMACCPUT") > 0


def test_accounts_and_queues_are_cut_at_the_end_of_an_interval(world: World) -> None:
    world.run("DEFINE QLOCAL(Q1)", "ALTER QMGR STATQ(ON) ACCTQ(ON) STRSTPEV(DISABLED)", "START TRACE(ACCTG) CLASS(1,3)")
    world.run("START TRACE(STAT) CLASS(5)")
    recorder = world.host.host.recorder
    connection = world.host.connect("worker")
    queue = connection.open("Q1", EVERYTHING)
    for _ in range(3):
        connection.put(queue, MessageDescriptor(), b"1")
    recorder.look(time.time() + 2000)
    for _ in range(2):
        connection.put(queue, MessageDescriptor(), b"2")
    connection.disconnect()
    world.host.stop()
    puts = [number(each, "PUTN") for each in values(world.smf, 116, 1, "WQ") if each["OBJNAME"] == "Q1"]
    assert puts == [3, 2]
    flags = [number(each, "WTASFLAG") & 0x20000000 for each in values(world.smf, 116, 1, "WTAS") if each["WTASWQCT"]]
    assert flags == [0, 0x20000000]
    whole = [each for each in values(world.smf, 116, 0, "QMAC") if each["QMACPUTA"]]
    assert [each["QMACPUTA"] for each in whole] == [5]
    of_queue = [each for each in values(world.smf, 115, 216, "QQST") if each["QQSTQNAM"] == "Q1"]
    assert [(each["QQSTPUTS"], each["QQSTDPTH"]) for each in of_queue] == [(3, 3), (2, 5)]


@pytest.mark.parametrize("world", ["9.3.0"], indirect=True)
def test_the_first_level_has_84_bytes_a_queue(world: World) -> None:
    world.run("ALTER QMGR STATQ(ON)", *[f"DEFINE QLOCAL(Q{number:03d})" for number in range(400)])
    world.run("START TRACE(STAT) CLASS(5)", "STOP TRACE(STAT)")
    world.host.stop()
    counts = [len(record.sections) for record in records(world.smf) if record.subtype == 216]
    assert counts[0] == 341
    (depth, *_) = values(world.smf, 115, 216, "QQST")
    assert depth["QQSTDPTH"] == 0
    assert "QQSTPUTS" not in depth


@pytest.mark.parametrize(("options", "direct", "redriven"), [(0, 1, 0), (MQGMO_SYNCPOINT, 0, 1)])
def test_a_message_for_a_waiting_getter_counts_for_both(world: World, options: int, direct: int, redriven: int) -> None:
    world.run("ALTER QMGR STATQ(ON) ACCTQ(ON)", "DEFINE QLOCAL(Q1)", "START TRACE(STAT) CLASS(1,5)")
    world.run("START TRACE(ACCTG) CLASS(3)")
    getter = world.host.connect("getter")
    wanted = getter.open("Q1", MQOO_INPUT_SHARED)
    thread = threading.Thread(target=getter.get, args=(wanted, MQGMO_WAIT | options, 60000))
    thread.start()
    waiters = world.host.host.queues.by_name["Q1"].waiters
    while not waiters.count:
        time.sleep(0.001)
    putter = world.host.connect("putter")
    putter.put1("Q1", MessageDescriptor(), b"hello")
    thread.join()
    getter.disconnect()
    putter.disconnect()
    world.host.stop()
    (queue,) = [each for each in values(world.smf, 115, 216, "QQST") if each["QQSTQNAM"] == "Q1"]
    assert (queue["QQSTFPTC"], queue["QQSTFPTB"], queue["QQSTGETS"]) == (direct, 5 * direct, 1)
    assert (queue["QQSTRDGW"], queue["QQSTRDBW"], queue["QQSTDPHI"]) == (redriven, 0, 0)
    queues = [each for each in values(world.smf, 116, 1, "WQ") if each["OBJNAME"] == "Q1"]
    assert sorted([(number(each, "GETN"), number(each, "PUT1N"), number(each, "PUT1PWG")) for each in queues]) == [
        (0, 1, direct),
        (1, 0, 0),
    ]


def test_copies_to_a_streaming_queue_count_for_the_queue_that_has_it(world: World) -> None:
    world.run("ALTER QMGR STATQ(ON) ACCTQ(ON)", "DEFINE QLOCAL(COPY)", "DEFINE QLOCAL(Q1) STREAMQ(COPY)")
    world.run("ALTER QMGR STRSTPEV(DISABLED)", "START TRACE(STAT) CLASS(1,5)", "START TRACE(ACCTG) CLASS(3)")
    connection = world.host.connect("worker")
    queue = connection.open("Q1", MQOO_OUTPUT)
    for _ in range(3):
        connection.put(queue, MessageDescriptor(), b"x")
    connection.disconnect()
    world.host.stop()
    of_queue = {each["QQSTQNAM"]: each for each in values(world.smf, 115, 216, "QQST")}
    assert (of_queue["Q1"]["QQSTSTRM"], of_queue["Q1"]["QQSTPUTS"], of_queue["COPY"]["QQSTPUTS"]) == (3, 3, 3)
    assert (of_queue["Q1"]["QQSTDPTH"], of_queue["COPY"]["QQSTDPTH"]) == (3, 3)
    (calls,) = values(world.smf, 115, 2, "QMST")
    assert (calls["QMSTPUT"], calls["QMSTSNP"]) == (6, 6)
    (done,) = [each for each in values(world.smf, 116, 1, "WQ") if each["PUTN"] == 3]
    assert (done["OBJNAME"], done["PUTN"], done["STREAMEDN"]) == ("Q1", 3, 3)


def test_a_trace_of_some_users_leaves_out_the_others(world: World) -> None:
    world.run("ALTER QMGR ACCTQ(ON)", "DEFINE QLOCAL(Q1)", "START TRACE(ACCTG) CLASS(3) USERID(somebody)")
    connection = world.host.connect("worker")
    connection.put1("Q1", MessageDescriptor(), b"x")
    connection.disconnect()
    world.host.stop()
    assert not world.smf.exists() or not values(world.smf, 116, 1, "WTAS")


def test_statistics_are_cut_by_command_and_when_the_interval_gets_shorter(world: World) -> None:
    world.run("START TRACE(STAT) CLASS(1)", "RESET QMGR TYPE(STATISTICS)", "SET SYSTEM STATIME(0.01)")
    seen, found = 0, 0
    while found < 12:  # four for the command, four for the shorter interval, four for the first second
        seen, new = world.host.smf_records(seen, 60.0)
        assert new
        found += len(new)
    assert {parse_record(record).subtype for record in world.host.smf_records()[1]} == {1, 2, 201, 215}


def test_a_global_trace_shows_the_path_of_calls(world: World) -> None:
    world.run("DEFINE QLOCAL(Q1) MAXDEPTH(1)", "START TRACE(G) DEST(RES)")
    connection = world.host.connect("worker")
    queue = connection.open("Q1", EVERYTHING)
    connection.put(queue, MessageDescriptor(), b"hello")
    with pytest.raises(MQError):
        connection.put(queue, MessageDescriptor(), b"hello")
    connection.get(queue, MQGMO_SYNCPOINT)
    connection.commit()
    connection.disconnect()
    reply = world.run("STOP TRACE(G)")
    path = reply.partition(" is in ")[2].partition("\n")[0].removesuffix(".")
    lines = Path(path).read_text().splitlines()
    said = [" ".join(line.split()[2:]) for line in lines if line.split()[1] == str(connection.connection.number)]
    assert said == [
        "MQOPEN Q1 exit 0",
        "MQPUT Q1 entry, 5 bytes, options 0",
        "MQPUT Q1 exit 0, depth 1",
        "MQPUT Q1 entry, 5 bytes, options 0",
        "MQPUT Q1 exit 2053",
        f"MQGET Q1 entry, options {MQGMO_SYNCPOINT}",
        "MQGET Q1 exit, 5 bytes, reason 0",
        said[-1],
    ]
    assert said[-1].startswith("MQCMIT exit, 1 messages, log to ")
    assert not world.host.host.engine.metered


def test_reports_of_the_analysis_read_what_was_recorded(world: World) -> None:
    pytest.importorskip("pyarrow")
    from kew.analytics.reports.catalogue import report_named
    from kew.analytics.reports.run import run_here

    world.run("ALTER QMGR STATQ(ON) ACCTQ(ON)", "DEFINE QLOCAL(Q1)", "START TRACE(STAT) CLASS(1,2,3,5)")
    world.run("START TRACE(ACCTG) CLASS(1,3)")
    connection = world.host.connect("worker")
    queue = connection.open("Q1", EVERYTHING)
    for _ in range(20):
        connection.put(queue, MessageDescriptor(persistence=MQPER_PERSISTENT), bytes(100))
    connection.disconnect()
    world.host.stop()
    for name in ("MSGM", "DATA", "LOG", "BUFF", "PSET", "STG", "LOCK", "QSTAT", "TASK", "CLASS1"):
        result = run_here(report_named(name), [str(world.smf / "SMF00001.smf")])
        assert sum(table.num_rows for table in result.tables.values()) > 0, name


def test_channels_are_recorded(tmp_path: Path) -> None:
    manager.create("QM1", Configuration(smf=SMFConfiguration(level="9.4.0")), str(tmp_path))
    host = manager.start("QM1", str(tmp_path), developer=True)
    world = World(host, Path(host.places.smf))
    try:
        network = host.network
        assert network is not None
        port = network.listen("TEST", "127.0.0.1", 0)
        world.run("ALTER QMGR STATCHL(LOW) STRSTPEV(DISABLED)")
        connect("QM1", f"127.0.0.1({port})", "DEV.APP.SVRCONN", "app", "password", "before").disconnect()
        assert eventually(lambda: network.channel_states() == [])
        world.run("START TRACE(STAT) CLASS(4)", "START TRACE(ACCTG) CLASS(3,4)", "START TRACE(CHINIT)")
        with connect("QM1", f"127.0.0.1({port})", "DEV.APP.SVRCONN", "app", "password", "remote") as connection:
            connection.put1("DEV.QUEUE.1", b"hello")
            with connection.open("DEV.QUEUE.1", MQOO_INPUT_SHARED) as queue:
                assert queue.get().data == b"hello"
        assert eventually(lambda: network.channel_states() == [])
        with connect("QM1", f"127.0.0.1({port})", "DEV.APP.SVRCONN", "app", "password", "stays") as connection:
            connection.put1("DEV.QUEUE.1", b"hello")
            opens = host.host.engine.calls.opens
            connection.open_topic("dev/news", MQOO_OUTPUT).close()
            assert host.host.engine.calls.opens == opens + 1
            reply = world.run("STOP TRACE(CHINIT)")
            host.stop()
    finally:
        if host.running:
            host.stop()
    (control,) = values(world.smf, 115, 231, "QCCT")
    assert (control["QCCTNOCC"], control["QCCTNOAC"], control["QCCTMXCC"]) == (1, 1, 100)
    (dispatcher,) = values(world.smf, 115, 231, "QCT_DSP")
    assert number(dispatcher, "QCTCPTM") > 0
    channels = values(world.smf, 116, 10, "QCST")
    assert [(each["QCSTCHNM"], each["QCSTRQMN"]) for each in channels] == [
        ("DEV.APP.SVRCONN", "stays"),
        ("DEV.APP.SVRCONN", "remote"),
    ]
    running, ended = channels
    assert (running["QCSTLUDT"], number(ended, "QCSTLUDT") > 0) == (0, True)
    assert number(ended, "QCSTNMSG") > number(running, "QCSTNMSG") > 0
    assert number(ended, "QCSTBYST") > 0
    tasks = [each for each in values(world.smf, 116, 1, "WTID") if each["WTIDCHL"] == "DEV.APP.SVRCONN"]
    assert {(each["WTIDATYP"], each["WTIDOPID"], each["WTIDCHLC"]) for each in tasks} == {(6, "app", "127.0.0.1")}
    steps = Path(reply.partition(" is in ")[2].partition("\n")[0].removesuffix(".")).read_text()
    assert "started" in steps
    assert "ended" in steps


def test_message_channels_and_adapters_are_recorded(tmp_path: Path) -> None:
    """Sixty messages in batches of ten, by two instances: what either end records of them."""
    recording = replace(SMALL, smf=SMFConfiguration(level="10.0.0"))
    with partners(tmp_path, "BATCHSZ(10)", configuration=recording, other=recording) as (one, two):
        for partner in (one, two):
            partner.mqsc("ALTER QMGR STATCHL(HIGH)", "START TRACE(STAT) CLASS(4)", "START TRACE(ACCTG) CLASS(4)")
        one.put(REMOTE, *[b"x" * 100] * 40)
        one.mqsc(f"START CHANNEL({CHANNEL})")
        assert eventually(lambda: one.settled() and two.depth(TARGET) == 40)
        folders = [Path(partner.manager.places.smf) for partner in (one, two)]
        one.mqsc(f"STOP CHANNEL({CHANNEL})")
        assert eventually(lambda: one.state() is None and two.state() is None)
        one.mqsc(f"START CHANNEL({CHANNEL})")
        one.put(REMOTE, *[b"x" * 100] * 20)
        assert eventually(lambda: one.settled() and two.depth(TARGET) == 60)
    for folder, kind in zip(folders, (MQCHT_SENDER, MQCHT_RECEIVER), strict=True):
        rows = [each for each in values(folder, 116, 10, "QCST") if each["QCSTCHNM"] == CHANNEL]
        assert {each["QCSTCHTY"] for each in rows} == {kind}
        assert len({each["QCSTSTRT"] for each in rows}) >= 2
        assert sum(number(each, "QCSTNMSG") for each in rows) == 60
        assert sum(number(each, "QCSTBATC") for each in rows) >= 6
        assert sum(number(each, "QCSTBYST" if kind == MQCHT_SENDER else "QCSTBYRC") for each in rows) > 60 * 100
        assert {each["QCSTCBSZ"] for each in rows if number(each, "QCSTNMSG")} == {10}
        adapters = values(folder, 115, 231, "QCT_ADP")
        assert {each["QCTTSKN"] for each in adapters} == set(range(1, 9))
        assert sum(number(each, "QCTREQN") for each in adapters) > 0
        for each in adapters:
            assert 0 <= number(each, "QCTCPTM") <= number(each, "QCTELTM")


def test_rules_find_nothing_in_what_an_idle_queue_manager_records(world: World) -> None:
    pytest.importorskip("pyarrow")
    from kew.analytics.reports.findings import RuleBook, find_here

    world.run("ALTER QMGR STATQ(ON)", "START TRACE(STAT) CLASS(1,2,3,4,5)", "START TRACE(ACCTG) CLASS(1,3,4)")
    for _ in range(3):
        world.host.host.recorder.cut()
    world.host.stop()
    found = find_here([str(world.smf)], RuleBook()).to_pylist()
    assert [(row["rule"], row["subject"], row["value"]) for row in found if row["rule"] != "DQ01"] == []
