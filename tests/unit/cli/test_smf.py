"""`kew smf`: what people type and what they see."""

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

pytest.importorskip("pyarrow")

from kew.analytics.smf.generate import Generator, Profile, System
from kew.analytics.smf.store import Manifest, Store
from kew.cli.engine import MUCH, session
from kew.cli.smf import smf


@pytest.fixture(scope="module")
def dump(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("dump") / "dump.dat"
    systems = [System("SYS1", "QM01", 90300), System("SYS2", "QM02", 100000)]
    path.write_bytes(b"".join(Generator(Profile(systems, tasks=2, queues=3)).intervals(2)))
    return str(path)


READ = "import sys; from kew.cli.smf import smf; smf(['report', 'LOG', sys.argv[1]], standalone_mode=False)"
AT_ONCE = ("--for", "0", "--from-start")


def run(*words: str) -> Result:
    return CliRunner().invoke(smf, words)


def good(*words: str) -> str:
    result = run(*words)
    assert result.exit_code == 0, result.output
    return result.output


def test_decode_says_what_is_there(dump: str) -> None:
    lines = good("decode", dump).splitlines()
    assert " 115      216        4" in lines
    assert not any(line.startswith("Damaged") for line in lines)


@pytest.mark.parametrize("packed", [False, True])
def test_a_dump_is_read_from_the_standard_input(packed: bool, dump: str, tmp_path: Path) -> None:
    data = Path(dump).read_bytes()
    given = gzip.compress(data) if packed else data
    for words in (("decode",), ("report", "MSGM")):
        result = CliRunner().invoke(smf, [*words, "-"], input=given)
        assert result.exit_code == 0, result.output
        assert result.output == good(*words, dump)
    store = str(tmp_path / "store")
    result = CliRunner().invoke(smf, ["ingest", "-", "--to", store, "--engine", "process"], input=given)
    assert "standard-input: " in result.output
    assert good("report", "MSGM", store, "--engine", "process") == good("report", "MSGM", dump)


def test_decode_says_what_is_damaged(dump: str, tmp_path: Path) -> None:
    sound, dump = dump, str(tmp_path / "damaged")
    Path(dump).write_bytes(Path(sound).read_bytes() + b"rubbish")
    result = run("decode", dump)
    assert result.exit_code == 1
    lines = result.output.splitlines()
    assert " 115      216        4" in lines
    assert " 116        1        8" in lines
    assert any(line.startswith(f"Damaged: {dump} at ") and "7 bytes" in line for line in lines)


def test_decode_writes_rows(dump: str) -> None:
    rows = [json.loads(line) for line in good("decode", "--table", "qqst", dump).splitlines()]
    assert len(rows) == 12
    assert rows[0]["QQSTQNAM"] == "APP.QUEUE.0000"
    assert rows[0]["QQSTPUTS"] is None
    lines = good(
        "decode", "--table", "WQ", "--columns", "qmgr,PUTN", "--format", "csv", "--limit", "3", dump
    ).splitlines()
    assert lines[0] == "qmgr,PUTN"
    assert len(lines) == 4
    (log,) = [json.loads(line) for line in good("decode", "--table", "QJST", "--limit", "1", dump).splitlines()]
    assert len(log["QJSTIO"]) == 4


@pytest.mark.parametrize("name", ["LOG", "chinit", "TASK", "findings"])
@pytest.mark.parametrize("form", ["text", "csv", "json", "html"])
def test_reports_in_every_form(name: str, form: str, dump: str, tmp_path: Path) -> None:
    shown = good("report", name, dump, "--format", form, "--engine", "process")
    assert len(shown) > 200
    if form != "csv":
        file = tmp_path / "out"
        good("report", name, dump, "--format", form, "-o", str(file), "--engine", "process")
        assert file.read_text() == shown


def test_csv_parts_go_to_a_directory(dump: str, tmp_path: Path) -> None:
    good("report", "CHINIT", dump, "--format", "csv", "-o", str(tmp_path / "out"))
    files = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert files == ["ADAP.csv", "CHINIT.csv", "DISP.csv", "DNS.csv", "SSL.csv"]


def test_qstatcsv_is_csv(dump: str) -> None:
    assert good("report", "QSTATCSV", dump).startswith("system,qmgr,")


def test_rows_are_selected_and_limits_changed(dump: str, tmp_path: Path) -> None:
    assert "QM02" not in good("report", "BUFF", dump, "--qmgr", "QM01")
    assert "there are no such records" in good("report", "BUFF", dump, "--to", "2000-01-01")
    limits = tmp_path / "limits.toml"
    limits.write_text("BP01 = 1e12\n")
    assert "BP01" in good("report", "findings", dump)
    assert "BP01" not in good("report", "findings", dump, "--limits", str(limits))


def test_csv_writes_the_files(dump: str, tmp_path: Path) -> None:
    shown = good("csv", dump, "-o", str(tmp_path))
    assert "SMF-WQ.csv 24" in shown.splitlines()
    assert (tmp_path / "SMF-QPST.csv").exists()


def test_ingest_makes_a_store_that_reports_read(dump: str, tmp_path: Path) -> None:
    store = str(tmp_path / "store")
    assert good("ingest", dump, "--to", store).startswith(f"{dump}: ")
    assert good("ingest", dump, "--to", store) == f"{dump}: already there\n"
    for name in ("LOG", "TASK", "findings"):
        assert good("report", name, store) == good("report", name, dump), name
    result = run("report", "LOG", store, dump)
    assert "cannot be read together with other files" in result.output


def test_a_directory_of_small_dumps_needs_no_spark(dump: str) -> None:
    done = [sys.executable, "-c", f"{READ}; print('pyspark' in sys.modules)", str(Path(dump).parent)]
    assert subprocess.run(done, capture_output=True, text=True, check=True).stdout.endswith("False\n")


def test_dumps_of_any_size_are_read_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started = object()
    monkeypatch.setattr("kew.analytics.session.start_session", lambda master, progress: started)
    with open(tmp_path / "dump.dat", "wb") as file:
        file.truncate(20 * MUCH)
    assert session("auto", (str(tmp_path),), None) is None
    assert session("spark", (str(tmp_path),), None) is started
    assert session("auto", (str(tmp_path),), "local[2]") is started


def test_a_large_store_goes_to_spark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started = object()
    monkeypatch.setattr("kew.analytics.session.start_session", lambda master, progress: started)
    monkeypatch.setattr("kew.cli.engine.find_spec", lambda name: name)
    store = Store(str(tmp_path))
    store.create()
    store.publish(Manifest("1" * 32, "one", MUCH - 1))
    assert session("auto", (str(tmp_path),), None) is None
    store.publish(Manifest("2" * 32, "another", 1))
    assert session("auto", (str(tmp_path),), None) is started
    assert session("process", (str(tmp_path),), None) is None
    monkeypatch.setattr("kew.cli.engine.find_spec", lambda name: None)
    assert session("auto", (str(tmp_path),), None) is None


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("report", "NOSUCH", "{dump}"), "there is no report NOSUCH"),
        (("report", "LOG", "/nowhere/dump"), "/nowhere/dump: there is no such file"),
        (("decode", "--table", "QXST", "{dump}"), "there is no table QXST"),
        (("decode", "--table", "WQ", "--columns", "NOSUCH", "{dump}"), "table WQ has no column NOSUCH"),
        (("csv", "{dump}", "-o", "{dump}/x"), "Not a directory"),
    ],
)
def test_mistakes_are_one_clear_line(words: tuple[str, ...], problem: str, dump: str) -> None:
    result = run(*(word.format(dump=dump) for word in words))
    assert result.exit_code == 1
    assert problem in result.output
    assert "Traceback" not in result.output


@pytest.mark.parametrize(
    "words", [["decode"], ["report", "FINDINGS"], ["report", "LOG", "--format", "html"], ["csv", "-o", "{folder}"]]
)
def test_commands_that_do_not_need_spark_do_not_import_it(words: list[str], dump: str, tmp_path: Path) -> None:
    arguments = [word.format(folder=tmp_path) for word in words]
    program = (
        "import sys\n"
        "from kew.cli.smf import smf\n"
        f"smf({[*arguments, dump]!r}, standalone_mode=False)\n"
        "assert 'pyspark' not in sys.modules, 'pyspark was imported'\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_no_command_imports_anything_heavy_before_it_runs() -> None:
    program = (
        "import importlib, pkgutil, sys, kew.cli\n"
        "for module in pkgutil.iter_modules(kew.cli.__path__, 'kew.cli.'):\n"
        "    module.name.endswith('__main__') or importlib.import_module(module.name)\n"
        "assert not {'numpy', 'pyarrow', 'pandas', 'pyspark'} & set(sys.modules)\n"
    )
    assert subprocess.run([sys.executable, "-c", program]).returncode == 0


def test_live_tells_what_comes(dump: str, tmp_path: Path) -> None:
    folder = tmp_path / "smf"
    folder.mkdir()
    (folder / "SMF00001.smf").write_bytes(Path(dump).read_bytes() + b"no record")
    assert good("live", str(folder), "--for", "0") == ""  # it is all from before
    lines = good("live", str(folder), "--for", "0", "--from-start").splitlines()
    assert any(" E BP01 SYS1,QM01 buffer pool 0: " in line for line in lines), lines
    result = run("live", str(folder), *AT_ONCE, "--format", "json")
    findings = [json.loads(line) for line in result.stdout.splitlines()]
    assert {"rule", "severity", "advice"} <= findings[0].keys()
    assert "SMF00001.smf is set aside from " in result.stderr
    result = run("live", str(folder), *AT_ONCE, "--table", "qmst")
    assert {json.loads(line)["qmgr"] for line in result.stdout.splitlines()} == {"QM01", "QM02"}
    assert "SMF00001.smf is set aside from " in result.stderr


def test_live_says_what_is_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEW_DATA", str(tmp_path))
    (tmp_path / "limits").write_text("XX99 = 1")
    for words, said in (
        (["NOT.THERE"], "neither a queue manager here"),
        ([str(tmp_path), "--table", "NOPE"], "there is no table NOPE"),
        ([str(tmp_path), "--limits", str(tmp_path / "limits")], "XX99 is not a rule"),
        ([str(tmp_path), "--to", str(tmp_path / "out")], "give --master too"),
        ([str(tmp_path), "--master", "sc://127.0.0.1"], "cannot print here"),
    ):
        result = run("live", *words, "--for", "0")
        assert result.exit_code == 1
        assert said in result.output
