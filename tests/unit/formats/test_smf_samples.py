"""Real dumps of MQ for z/OS decode completely; the expected numbers were checked with another formatter."""

from collections import Counter
from datetime import UTC, datetime
from typing import cast

import pytest
from tests.support.smf import sample, split

from kew.formats.smf import Framing, Record, detect, encode_structure, parse_record, tod_to_datetime
from kew.formats.smf.layouts.headers import QWHC, QWHS
from kew.formats.smf.layouts.structure import Value, Values
from kew.formats.smf.record import decode_structure

RECORDS = {
    "TEST115.dat": {(2, 0): 1, (115, 1): 1, (115, 2): 1, (115, 215): 1},
    "TEST116.dat": {(2, 0): 1, (116, 0): 2, (116, 1): 1},
    "TESTCHL.dat": {
        (2, 0): 1,
        (3, 0): 1,
        (115, 1): 16,
        (115, 2): 16,
        (115, 215): 16,
        (115, 231): 16,
        (116, 0): 45,
        (116, 1): 200,
        (116, 10): 8,
    },
}

STATISTICS = {"QSST": 1, "QJST": 1, "QMST": 1, "QIST": 1, "QLST": 1, "Q5ST": 1, "QEST": 1, "QTST": 1}
SECTIONS = {
    "TEST115.dat": {**STATISTICS, "QPST": 7, "triplet4": 1, "triplet5": 1},
    "TEST116.dat": {"QWAC": 2, "QMAC": 2, "WTID": 1, "WTAS": 1, "WQ": 2},
    "TESTCHL.dat": {
        **dict.fromkeys(STATISTICS, 16),
        "triplet4": 16,
        "triplet5": 16,
        "QESD": 16,
        "QPST": 384,
        "QCCT": 16,
        "QCT_DSP": 80,
        "QCT_ADP": 128,
        "QCT_DNS": 16,
        "QWAC": 45,
        "QMAC": 45,
        "WTID": 200,
        "WTAS": 200,
        "WQ": 22,
        "QCST": 23,
    },
}


def read(name: str) -> list[Record]:
    data = sample(name)
    assert detect(data) is Framing.RDW
    batch = split(data)
    assert batch.damage == []
    raw = [batch.record(index) for index in range(len(batch.starts))]
    return [parse_record(record) for record in raw if record[5] in (115, 116)]


def first(records: list[Record], name: str) -> tuple[Record, dict[str, Value]]:
    for record in records:
        for section in record.sections:
            if section.name == name:
                return record, section.values()
    raise AssertionError(f"no {name}")


@pytest.mark.parametrize("name", sorted(RECORDS))
def test_counts_by_type_and_subtype(name: str) -> None:
    batch = split(sample(name))
    counts: Counter[tuple[int, int]] = Counter()
    for index in range(len(batch.starts)):
        record = batch.record(index)
        counts[record[5], int.from_bytes(record[22:24], "big") if len(record) > 24 else 0] += 1
    assert counts == RECORDS[name]


@pytest.mark.parametrize("name", sorted(SECTIONS))
def test_counts_by_structure(name: str) -> None:
    counts = Counter(section.name for record in read(name) for section in record.sections)
    assert counts == SECTIONS[name]


def test_segmented_records_are_joined() -> None:
    batch = split(sample("TESTCHL.dat"))
    assert Counter(batch.segments) == {1: 291, 2: 28}


@pytest.mark.parametrize("name", sorted(SECTIONS))
def test_records_can_be_written_again_byte_for_byte(name: str) -> None:
    for record in read(name):
        again = bytearray(len(record.data))
        again[:28] = record.data[:28]
        end = min(offset for offset, _, count in record.triplets if count)
        again[28:end] = record.data[28:end]
        places = dict.fromkeys(range(len(record.triplets)), 0)
        for section in record.sections:
            offset, length, _ = record.triplets[section.triplet]
            raw = section.data
            if section.structure is not None:
                raw = encode_structure(section.structure, section.values(reserved=True), length)
            at = offset + length * places[section.triplet]
            places[section.triplet] += 1
            again[at : at + length] = raw
        offset, length, _ = record.triplets[0]
        product = record.data[offset : offset + length]
        size = 52 if record.form == "long" else 36
        rebuilt = encode_structure(QWHS, decode_structure(QWHS, product, size, reserved=True), size)
        if record.form == "short":
            rebuilt += encode_structure(QWHC, decode_structure(QWHC, product[36:], 92, reserved=True))
        again[offset : offset + length] = rebuilt
        assert bytes(again) == record.data


def check(values: Values, expected: dict[str, Value]) -> None:
    assert {name: values[name] for name in expected} == expected


def test_headers_and_times() -> None:
    record, _ = first(read("TEST115.dat"), "QJST")
    assert (record.system, record.qmgr, record.release) == ("H019", "MQPC", 80000)
    assert record.written == datetime(2015, 11, 23, 21, 10, 4, 920000)
    assert record.duration == 1_792_884_543
    assert tod_to_datetime(cast(int, record.product["QWHSSTCK"])) == datetime(2015, 11, 24, 3, 10, 4, 929911, UTC)
    # The start of the interval is in local time, six hours behind.
    assert tod_to_datetime(cast(int, record.product["QWHSTIME"])) == datetime(2015, 11, 23, 20, 40, 12, 45359, UTC)


def test_the_channel_initiator_counts_its_interval_in_tod_units() -> None:
    records = read("TESTCHL.dat")
    assert first(records, "QCCT")[0].duration == 59_768_941
    assert first(records, "QMST")[0].duration == 59_768_891
    assert first(records, "QCST")[0].duration == 42_051_670


def test_log_manager_values() -> None:
    _, log = first(read("TEST115.dat"), "QJST")
    check(
        log,
        {
            "QJSTWRW": 0,
            "QJSTWRNW": 1755610,
            "QJSTWRF": 3120,
            "QJSTWTB": 0,
            "QJSTBSDS": 626,
            "QJSTBFFL": 66641,
            "QJSTCIOF": 72000,
            "QJSTLLCP": 11,
            "QJSTLOGW": 254680,
            "QJSTCIWR": 297392,
            "QJSTSLPTU": 1626633430,
        },
    )
    one, many = cast(list[dict[str, Value]], log["QJSTIO"])[:2]
    assert (one["QJSTIOCOUNT"], one["QJSTIOCI"], cast(int, one["QJSTIOTOTIO"]) >> 12) == (119883, 119883, 127_583_654)
    assert (one["QJSTIOMAXIOL"], cast(int, one["QJSTIOMAXIO"]) >> 12) == ("ACTLG107", 40108)
    assert (many["QJSTIOCOUNT"], many["QJSTIOCI"]) == (7457, 28813)
    assert "QJSTCP1N" not in log  # MQ 8 does not have it


def test_manager_values() -> None:
    records = read("TEST115.dat")
    check(
        first(records, "QMST")[1],
        {"QMSTOPEN": 124746, "QMSTCLOS": 123449, "QMSTGET": 1185931, "QMSTPUT": 474421, "QMSTPUT1": 147},
    )
    check(first(records, "QIST")[1], {"QISTMGET": 1177350, "QISTMPUT": 477942, "QISTDLOC": 940454})
    check(first(records, "QLST")[1], {"QLSTGETL": 8808906})
    check(first(records, "Q5ST")[1], {"NUMTASK": 8, "ACTTASK": 9, "LISTCNT": 542, "READCNT": 28})
    check(first(records, "QPST")[1], {"QPSTNBUF": 50000, "QPSTCBSL": 49981, "QPSTGETP": 966636, "QPSTFLAG": 0x80000000})
    check(first(records, "QSST")[1], {"QSSTGPLF": 31, "QSSTFPLF": 32, "QSSTEXPV": 30420, "QSSTGETM": 526})


def test_task_and_queue_values() -> None:
    records = read("TEST116.dat")
    check(first(records, "WTID")[1], {"WTIDATYP": 4, "WTIDCCN": "PRDC", "WTIDTRAN": "IMS"})
    _, task = first(records, "WTAS")
    check(task, {"WTASWQCT": 2, "WTASCMN": 1, "WTASJWB": 2231, "WTASPRN": 1, "WTASVER": 8})
    assert cast(int, task["WTASCMET"]) >> 12 == 1218
    _, queue = first(records, "WQ")
    check(
        queue,
        {
            "OBJNAME": "ENT.LGR.AUDITTLG.OUTPUT",
            "BASENAME": "SYSTEM.CLUSTER.TRANSMIT.QUEUE",
            "QTYPE": 3,
            "INDXTYPE": 2,
            "OPENN": 1,
            "PUTN": 1,
            "PUTBYTES": 354,
            "GETMINMS": 0x0FFFFFFF,
            "MAXQDPTH": 50,
        },
    )
    assert cast(int, queue["OPENET"]) >> 12 == 88
    # The correlator joins the queue to its task.
    started = cast(int, task["WTASSTRT"]).to_bytes(8, "big")
    rest = [cast(int, task[name]).to_bytes(4, "big") for name in ("WTASMTHR", "WTASWTAS")]
    assert queue["CORREL"] == started + b"".join(rest) == bytes.fromhex("CFE487072A9A55785DDEF7A06276BDE8")
    assert "STREAMEDN" not in queue


def test_class_1_accounting_values() -> None:
    record, task = first(read("TEST116.dat"), "QMAC")
    check(task, {"QMACPUTB": 2, "QMACCPUT": 2168596})
    assert record.form == "short"
    assert record.product["QWHCATYP"] == 4


def test_channel_values() -> None:
    records = read("TESTCHL.dat")
    check(
        first(records, "QCST")[1],
        {
            "QCSTCHNM": "ELKINSC.TEST.SVRCONN",
            "QCSTCHTY": 7,
            "QCSTCNNM": "192.168.0.112",
            "QCSTNMSG": 105,
            "QCSTBYST": 43540,
            "QCSTETMN": 0x8FFFFFFF,
            "QCSTDSPN": 1,
        },
    )
    check(
        first(records, "QCCT")[1],
        {"QCCTJOBN": "QML1CHIN", "QCCTQSGN": "QSGM", "QCCTNOCC": 3, "QCCTMXCC": 200, "QCCTSTUS": 14},
    )
    check(first(records, "QCT_ADP")[1], {"QCTREQN": 28, "QCTCPTM": 3125750, "QCTELTM": 3098384})
    check(first(records, "QESD")[1], {"QESDSTR": "SMDSMSGS", "QESDSMBT": 402, "QESDBFSZ": 262144})
