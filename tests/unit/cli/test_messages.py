"""`kew put`, `get`, `browse`, `dump` and `load`, as a user types them, on a queue manager in this process."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from kew.cli import main
from kew.cli.properties import parse_property
from kew.cli.view import as_json, header_lines, hexadecimal, take_apart
from kew.codes import options as o
from kew.codes.reasons import MQRC_UNKNOWN_OBJECT_NAME
from kew.formats import mqdlh, mqxqh
from kew.formats.mqmd import MessageDescriptor
from kew.qmgr import manager
from kew.qmgr.config import Configuration, LogConfiguration
from kew.qmgr.manager import QueueManager

ROOT = Path(__file__).parents[3]  # where a relative PYTHONPATH means what it says


@pytest.fixture
def qmgr(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[QueueManager]:
    monkeypatch.setenv("KEW_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    manager.create("QM1", Configuration(log=LogConfiguration(file_pages=64)))
    with manager.start("QM1") as running:
        good("mqsc", "QM1", "-e", "DEFINE QLOCAL(Q)", "-e", "DEFINE QLOCAL(P) DEFPSIST(YES) MAXDEPTH(3)")
        yield running


def kew(*arguments: str, given: bytes = b"") -> Result:
    return CliRunner().invoke(main, list(arguments), input=given)


def good(*arguments: str, given: bytes = b"") -> str:
    result = kew(*arguments, given=given)
    assert result.exit_code == 0, result.output
    return result.output


def rows(*arguments: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in good(*arguments, "--json").splitlines()]


def bad(*arguments: str, given: bytes = b"") -> tuple[int, str]:
    result = kew(*arguments, given=given)
    assert isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.output


def depth(qmgr: QueueManager, queue: str) -> int:
    return qmgr.host.engine.queues.by_name[queue].depth


def test_texts_lines_files_and_hexadecimal(qmgr: QueueManager, tmp_path: Path) -> None:
    assert good("put", "QM1", "Q", "one", "two") == "2 messages put on Q.\n"
    assert good("put", "QM1", "Q", given="drei\nGr\u00fc\u00dfe\n\nlast".encode()) == "4 messages put on Q.\n"
    (tmp_path / "file").write_bytes(b"\0\xff\n")
    good("put", "QM1", "Q", "-f", "file")
    good("put", "QM1", "Q", "--hex", "48 65", "ff")
    shown = CliRunner().invoke(main, ["get", "QM1", "Q", "--all"]).stdout_bytes
    assert shown == "one\ntwo\ndrei\nGr\u00fc\u00dfe\n\nlast\n".encode() + b"\0\xff\n\nHe\n\xff\n"
    assert depth(qmgr, "Q") == 0


def test_what_the_options_say_is_in_the_descriptor(qmgr: QueueManager) -> None:
    (put,) = rows(
        *("put", "QM1", "Q", "x", "--persistent", "--priority", "7", "--expiry", "60", "--type", "request"),
        *("--message-id", "AB", "--correlation-id", "cd01", "--reply-to", "R@QM9", "--format", "mine"),
    )
    (browsed,) = rows("browse", "QM1", "Q")
    descriptor = browsed["descriptor"]
    assert isinstance(descriptor, dict)
    assert 0 < descriptor.pop("Expiry") <= 600
    put.pop("Expiry")
    assert descriptor == put
    wanted = {"Persistence": 1, "Priority": 7, "MsgType": 1, "ReplyToQ": "R", "ReplyToQMgr": "QM9", "Format": "MINE"}
    assert {name: put[name] for name in wanted} == wanted
    assert (put["MsgId"], put["CorrelId"]) == ("AB" + "00" * 23, "CD01" + "00" * 22)
    assert browsed["base64"] == "eA=="


def test_persistence_and_priority_as_the_queue_says(qmgr: QueueManager) -> None:
    good("put", "QM1", "P", "a")
    good("put", "QM1", "P", "b", "--not-persistent")
    persistences = [row["descriptor"]["Persistence"] for row in rows("browse", "QM1", "P")]  # type: ignore[index]
    assert persistences == [1, 0]


def test_counts_and_units(qmgr: QueueManager) -> None:
    assert good("put", "QM1", "Q", "x", "-n", "5", "--unit", "2") == "5 messages put on Q.\n"
    assert good("get", "QM1", "Q", "-n", "2", "--unit", "5") == "x\nx\n"
    assert depth(qmgr, "Q") == 3
    code, said = bad("get", "QM1", "Q", "-n", "4")
    assert (code, depth(qmgr, "Q")) == (1, 0)
    assert "2033 MQRC_NO_MSG_AVAILABLE" in said
    assert good("get", "QM1", "Q", "--all") == ""
    assert good("browse", "QM1", "Q") == ""


def test_a_unit_that_fails_is_not_there(qmgr: QueueManager) -> None:
    code, said = bad("put", "QM1", "P", "x", "-n", "4", "--unit", "10")
    assert (code, depth(qmgr, "P")) == (20, 0)
    assert "2053 MQRC_Q_FULL" in said
    assert "MAXDEPTH" in said


def test_messages_by_their_identifiers(qmgr: QueueManager) -> None:
    for number in ("01", "02", "03"):
        good("put", "QM1", "Q", f"m{number}", "--message-id", number, "--correlation-id", f"A{number[1]}")
    assert good("get", "QM1", "Q", "--message-id", "02") == "m02\n"
    assert good("browse", "QM1", "Q", "--correlation-id", "A3") == "m03\n"
    assert bad("get", "QM1", "Q", "--message-id", "02", "--wait", "0.1")[0] == 1
    assert depth(qmgr, "Q") == 2


def test_messages_by_a_selection_string(qmgr: QueueManager) -> None:
    for colour in ("red", "green"):
        good("put", "QM1", "Q", colour, "--property", f"colour={colour}", "--property", "size:int=7")
    seen = rows("browse", "QM1", "Q", "--selector", "size = 7 AND colour <> 'red'")
    assert [row["text"] for row in seen] == ["green"]
    assert "green" in good("get", "QM1", "Q", "--selector", "colour = 'green'")
    code, said = bad("get", "QM1", "Q", "--selector", "colour = 'green'")
    assert (code, "MQRC_NO_MSG_AVAILABLE" in said) == (1, True)
    code, said = bad("get", "QM1", "Q", "--selector", "colour = = 1")
    assert (code, "at character 10: expected" in said) == (2, True), said


def test_properties_travel_in_a_header(qmgr: QueueManager) -> None:
    good("put", "QM1", "Q", "x", "-p", "colour=red&blue", "-p", "size:int=42", "-p", "ok:boolean=yes", "-p", "a.b.c=d")
    (row,) = rows("browse", "QM1", "Q")
    assert row["text"] == "x"
    headers = row["headers"]
    assert isinstance(headers, list)
    assert headers[0]["properties"] == {"usr.colour": "red&blue", "usr.size": 42, "usr.ok": True, "a.b.c": "d"}
    shown = good("get", "QM1", "Q", "--headers", "--hex")
    assert "  <usr><colour>red&amp;blue</colour>" in shown
    assert "  Format           : MQSTR" in shown
    assert shown.endswith("00000000: 78" + " " * 39 + "'x'\n")


def test_raw_is_what_was_put(qmgr: QueueManager) -> None:
    good("put", "QM1", "Q", "-f", "-", given=bytes(range(256)) * 50)
    assert CliRunner().invoke(main, ["get", "QM1", "Q", "--raw"]).stdout_bytes == bytes(range(256)) * 50


def test_output_that_breaks_keeps_the_messages(qmgr: QueueManager) -> None:
    good("put", "QM1", "Q", "x" * 1000, "-n", "200")
    command = [sys.executable, "-m", "kew.cli", "get", "QM1", "Q", "--all", "--unit", "1000"]
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, timeout=60, cwd=ROOT)
    os.close(writer)
    assert done.returncode == 1
    assert done.stderr == b""
    qmgr.host.engine.run(lambda: None)
    assert good("get", "QM1", "Q", "--all", "--wait", "2").count("\n") == 200


def test_an_interrupt_ends_a_get_that_waits(qmgr: QueueManager) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "kew.cli", "get", "QM1", "Q", "--wait", "-1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
    )
    queue = qmgr.host.engine.queues.by_name["Q"]
    while queue.input_handles == 0:
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    _out, said = process.communicate(timeout=30)
    assert process.returncode == 1
    assert b"Traceback" not in said


def test_a_queue_to_a_file_and_back(qmgr: QueueManager, tmp_path: Path) -> None:
    good("put", "QM1", "Q", "low", "--priority", "1", "--persistent")
    good("put", "QM1", "Q", "high", "--priority", "9", "-p", "a=b", "--correlation-id", "C0")
    good("put", "QM1", "Q", "--hex", "00ff", "--reply-to", "R")
    assert good("dump", "QM1", "Q", "-o", "q.dump") == "3 messages written to q.dump.\n"
    before = rows("browse", "QM1", "Q")
    assert good("load", "QM1", "P", "q.dump", "--check") == "q.dump: 3 messages, all in order.\n"
    assert depth(qmgr, "P") == 0
    assert good("load", "QM1", "P", "q.dump") == "3 messages put on P.\n"
    assert rows("browse", "QM1", "P") == before
    assert good("dump", "QM1", "P", "--remove", "-o", "p.dump", "-n", "2") == "2 messages written to p.dump.\n"
    assert depth(qmgr, "P") == 1
    first, second = (Path(name).read_text().split("\nN\n")[1:] for name in ("q.dump", "p.dump"))
    assert first[:2] == [second[0], second[1].removesuffix("* End 2\n").rstrip("\n")]
    assert good("load", "QM1", "Q", given=(tmp_path / "p.dump").read_bytes()) == "2 messages put on Q.\n"
    assert depth(qmgr, "Q") == 5


def test_text_dumps_and_standard_output(qmgr: QueueManager) -> None:
    good("put", "QM1", "Q", "readable")
    assert "\nT readable\n" in good("dump", "QM1", "Q", "--text")
    loaded = good("load", "QM1", "Q", "--context", "none", given=b"A PRI 3\nT by hand\n")
    assert loaded == "1 message put on Q.\n"
    assert good("get", "QM1", "Q") == "by hand\n"


def test_a_damaged_dump_puts_nothing(qmgr: QueueManager, tmp_path: Path) -> None:
    good("put", "QM1", "Q", "one", "two")
    good("dump", "QM1", "Q", "-o", "q.dump")
    dump = (tmp_path / "q.dump").read_bytes()
    (tmp_path / "q.dump").write_bytes(dump.replace(b"X 74776F", b"X 74776E"))
    code, said = bad("load", "QM1", "P", "q.dump")
    assert (code, depth(qmgr, "P")) == (1, 0)
    assert said == "Error: q.dump, line 63: message 2 was changed or damaged: its check is wrong\n"


def test_a_load_that_fails_says_how_to_go_on(qmgr: QueueManager) -> None:
    good("put", "QM1", "Q", "m1", "m2", "m3", "m4", "m5")
    good("dump", "QM1", "Q", "-o", "q.dump")
    code, said = bad("load", "QM1", "P", "q.dump", "--unit", "2")
    assert (code, depth(qmgr, "P")) == (1, 2)
    assert "message 4 cannot be put: 2053 MQRC_Q_FULL" in said
    assert said.endswith("2 messages were put and committed; when the cause is gone, add --skip 2.\n")
    good("get", "QM1", "P", "--all")
    assert good("load", "QM1", "P", "q.dump", "--skip", "2") == "3 messages put on P.\n"
    assert good("get", "QM1", "P", "--all") == "m3\nm4\nm5\n"


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("put", "QM1", "NO.SUCH", "x"), 20, "2085 MQRC_UNKNOWN_OBJECT_NAME"),
        (("put", "QM9", "Q", "x"), 16, "AMQ8118E"),
        (("put", "QM1", "Q", "x", "-f", "-"), 2, "texts or files, not both"),
        (("put", "QM1", "Q", "--hex", "xyz"), 2, "'xyz' is not hexadecimal"),
        (("put", "QM1", "Q", "x", "--message-id", "00" * 25), 2, "at most 24 bytes"),
        (("put", "QM1", "Q", "x", "--format", "TOOLONG99"), 2, "at most 8"),
        (("put", "QM1", "Q", "x", "--reply-to", "R" * 49), 2, "at most 48"),
        (("put", "QM1", "Q", "x", "-p", "novalue"), 2, "'novalue' is not NAME=VALUE"),
        (("put", "QM1", "Q", "x", "--priority", "10"), 2, "--priority"),
        (("put", "QM1", "Q", "-f", "no.such.file"), 2, "No such file"),
        (("put", "QM1", "Q", "x", "--expiry", "nan"), 2, "not a number of seconds"),
        (("get", "QM1", "Q", "--wait", "nan"), 2, "not a number of seconds"),
        (("get", "QM1", "Q", "--wait", "1e400"), 2, "inf is not in the range"),
        (("get", "QM1", "Q", "--all", "-n", "3"), 2, "exclude each other"),
        (("get", "QM1", "Q", "--raw", "--json"), 2, "exclude each other"),
        (("browse", "QM1", "Q", "--correlation-id", "zz"), 2, "'zz' is not hexadecimal"),
        (("dump", "QM1"), 2, "give a QUEUE"),
        (("dump", "QM1", "Q", "--objects"), 2, "give a QUEUE"),
        (("dump", "QM1", "--objects", "--remove"), 2, "are for messages"),
        (("dump", "QM1", "Q", "--all"), 2, "is for --objects"),
        (("load", "QM1", "Q", "no.such.file"), 2, "No such file"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, tuple) else "",
)
def test_mistakes(qmgr: QueueManager, arguments: tuple[str, ...], code: int, said: str) -> None:
    result = bad(*arguments)
    assert result[0] == code, result
    assert said in " ".join(result[1].split())


def test_a_queue_manager_that_does_not_run(qmgr: QueueManager) -> None:
    qmgr.stop()
    code, said = bad("get", "QM1", "Q")
    assert (code, said) == (20, "AMQ8146E: Kew queue manager not available. 'kew start QM1' starts it.\n")


@pytest.mark.parametrize(
    "text", ["a", "=x", "a:word=1", "a:int=x", "a:int=2147483648", "a:boolean=maybe", "1a=x", "a.=x"]
)
def test_properties_that_are_none(text: str) -> None:
    with pytest.raises(ValueError, match="is n"):
        parse_property(text)


def test_headers_of_dead_letters_and_transmission_queues() -> None:
    inner = MessageDescriptor(format=b"MQSTR   ", ccsid=1208)
    transmission = mqxqh.encode(mqxqh.TransmissionHeader(b"FAR.Q", b"QM9", inner)) + b"Hello"
    dead = mqdlh.DeadLetterHeader(MQRC_UNKNOWN_OBJECT_NAME, b"LOST.Q", b"QM1", 546, 1208, o.MQFMT_XMIT_Q_HEADER)
    view = take_apart(MessageDescriptor(format=o.MQFMT_DEAD_LETTER_HEADER), mqdlh.encode(dead) + transmission)
    assert [header.name for header in view.headers] == ["MQDLH", "MQXQH"]
    assert view.text() == "Hello"
    lines = header_lines(view, 1)
    assert "  Reason           : 2085 MQRC_UNKNOWN_OBJECT_NAME" in lines
    assert "  RemoteQName      : FAR.Q" in lines
    assert as_json(view)["text"] == "Hello"


def test_a_damaged_header_counts_as_data() -> None:
    view = take_apart(MessageDescriptor(format=o.MQFMT_RF_HEADER_2), b"RFH \2\0\0\0rubbish")
    assert view.headers == []
    assert view.data == b"RFH \2\0\0\0rubbish"


def test_hexadecimal_lines() -> None:
    lines = hexadecimal(bytes(range(60, 80)))
    assert lines[0] == "00000000: 3C3D 3E3F 4041 4243 4445 4647 4849 4A4B  '<=>?@ABCDEFGHIJK'"
    assert lines[1] == "00000010: 4C4D 4E4F                                'LMNO'"


def test_a_client_over_the_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEW_DATA", str(tmp_path / "data"))
    manager.create("QM1", Configuration(log=LogConfiguration(file_pages=64)))
    with manager.start("QM1", developer=True) as running:
        assert running.network is not None
        port = running.network.listen("TEST", "127.0.0.1", 0)
        way = ("--connect", f"127.0.0.1({port})", "--user", "app")
        assert "set KEW_PASSWORD" in bad("put", "QM1", "DEV.QUEUE.1", "x", *way)[1]
        monkeypatch.setenv("KEW_PASSWORD", "wrong")
        code, said = bad("put", "QM1", "DEV.QUEUE.1", "x", *way)
        assert (code, "2035 MQRC_NOT_AUTHORIZED" in said) == (20, True)
        monkeypatch.setenv("KEW_PASSWORD", "password")
        assert good("put", "QM1", "DEV.QUEUE.1", "x", *way) == "1 message put on DEV.QUEUE.1.\n"
        assert good("browse", "QM1", "DEV.QUEUE.1", *way) == "x\n"
        assert good("dump", "QM1", "DEV.QUEUE.1", *way).endswith("* End 1\n")
        assert good("get", "QM1", "DEV.QUEUE.1", *way) == "x\n"
        code, said = bad("get", "QM1", "DEV.QUEUE.1", "--connect", "127.0.0.1(1)")
        assert (code, "2538 MQRC_HOST_NOT_AVAILABLE" in said) == (20, True)
        assert "without --connect" in bad("dump", "QM1", "--objects", *way)[1]
        for address in ("not an address((", "h(99999)", "a" * 70, "a..b"):
            assert bad("get", "QM1", "DEV.QUEUE.1", "--connect", address)[0] == 2, address
        assert bad("get", "QM1", "DEV.QUEUE.1", "--connect", "127.0.0.1", "--channel", "C" * 21)[0] == 2
