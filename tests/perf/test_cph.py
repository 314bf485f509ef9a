"""MQ-CPH's options and modules."""

import re
import shlex
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

import kew
from kew.cli import main
from kew.perf.cph import Control, Destinations
from kew.perf.options import CphError, CphOptions, parse
from kew.qmgr.manager import QueueManager

LINE = re.compile(r"totalIterations=(\d+),totalSeconds=\d+\.\d\d,avgRate=\d+\.\d\d")


@pytest.fixture(scope="module")
def qmgr(tmp_path_factory: pytest.TempPathFactory) -> Iterator[QueueManager]:
    data = tmp_path_factory.mktemp("cph")
    with pytest.MonkeyPatch.context() as patch, kew.start("QM1", str(data), create=True) as manager:
        patch.setenv("KEW_DATA", str(data))
        for name in ("REQUEST1", "REPLY1", "DEST"):
            manager.host.administration.define("QLOCAL", name, {"MAXDEPTH": 100000}, replace=True)
        yield manager


def run(*words: str) -> tuple[list[str], Control]:
    lines: list[str] = []
    control = Control(parse(["-jb", "QM1", "-jt", "mqb", "-wi", "0", *words]), lines.append)
    assert control.run(), lines
    return lines, control


def iterations(lines: list[str]) -> int:
    found = [LINE.fullmatch(line) for line in lines]
    (count,) = [int(match[1]) for match in found if match]
    return count


def test_requesters_and_responders(qmgr: QueueManager) -> None:
    serving = Control(
        parse(shlex.split("-jb QM1 -jt mqb -tc Responder -nt 1 -rl 0 -to -1 -ss 0 -tx -db 1 -dx 1")), lambda _line: None
    )
    thread = threading.Thread(target=serving.run)
    thread.start()
    lines, control = run(*shlex.split("-tc Requester -nt 2 -mg 20 -ss 0 -pp -tx -db 1 -dx 1 -ls"))
    serving.ending.set()
    thread.join()
    assert iterations(lines) == 40
    assert [one.name("REQUEST") for one in control.threads] == ["REQUEST1", "REQUEST1"]
    assert sum(one.iterations for one in serving.threads) == 40
    assert re.fullmatch(r"avg_latency\(uSec\)=\d+,max_latency\(uSec\)=\d+,min_latency\(uSec\)=\d+", lines[-2])


def test_senders_receivers_and_put_get(qmgr: QueueManager) -> None:
    assert iterations(run(*shlex.split("-tc Sender -mg 30 -tx -cc 7 -ms 100 -ss 0"))[0]) == 30
    assert iterations(run(*shlex.split("-tc Receiver -mg 30 -tx -cc 10 -ss 0"))[0]) == 30
    assert iterations(run(*shlex.split("-tc PutGet -nt 3 -mg 10 -txp -txg -ss 0"))[0]) == 30
    assert iterations(run(*shlex.split("-tc Sender -mg 5 -sn 3 -ss 0"))[0]) == 15


def test_lines_of_statistics() -> None:
    lines: list[str] = []
    control = Control(parse(shlex.split("-tc Dummy -nt 2 -rl 0.6 -ss 0.2 -rt 50 -wi 0 -id 7")), lines.append)
    assert control.run()
    assert lines[0] == "controlThread START"
    assert re.fullmatch(r"id=7,rate=\d+\.\d\d,threads=\d", lines[1])
    assert "Timer : Runlength expired" in lines
    assert lines[-1] == "controlThread STOP"


def test_a_receiver_without_messages_ends_with_an_error(qmgr: QueueManager) -> None:
    lines: list[str] = []
    control = Control(parse(shlex.split("-jb QM1 -jt mqb -tc Receiver -to 0.3 -ss 0 -vo 2")), lines.append)
    assert not control.run()
    assert lines[0] == "[Receiver0] no message within 0.3 seconds"


@pytest.mark.parametrize(
    ("given", "names"),
    [
        ({}, ["", "", ""]),
        ({"dn": 3}, ["1", "2", "3", "1"]),
        ({"db": 6, "dn": 3}, ["6", "7", "8", "6"]),
        ({"dx": 6, "dn": 3}, ["4", "5", "6", "4"]),
        ({"db": 4, "dx": 6, "dn": 5}, ["5", "6", "4", "5"]),
        ({"db": 4}, ["4", "5", "6"]),
    ],
)
def test_destinations_are_numbered_as_by_cph(given: dict[str, int], names: list[str]) -> None:
    destinations = Destinations(CphOptions(**given))  # type: ignore[arg-type]
    assert [destinations.next() for _ in names] == names


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("-zz 1", "there is no option -zz"),
        ("Requester", "is not a valid option"),
        ("-cz", "-cz of MQ-CPH is not supported here"),
        ("-nt two", "-nt is a number"),
        ("-nt 0", "-nt is from 1"),
        ("-nt", "-nt needs a value"),
        ("-tx maybe", "true or false"),
        ("-pp -ppn", "not both"),
        ("-tx -txp", "do not go with -tx"),
        ("-jt tcp", "mqb or mqc"),
        ("-kr /keys", "goes with a CipherSpec"),
    ],
)
def test_wrong_options_are_named(words: str, said: str) -> None:
    with pytest.raises(CphError, match=re.escape(said)):
        parse(words.split())


def test_the_command(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["perf", "cph", "-tc", "Dummy", "-rl", "0.2", "-ss", "0", "-vo", "2"])
    assert done.exit_code == 0, done.output
    assert LINE.fullmatch(done.output.strip())
    refused = CliRunner().invoke(main, ["perf", "cph", "-tc", "Nobody"])
    assert refused.exit_code == 2
    assert "there is no module Nobody" in refused.output
