"""What is handed to spark-submit: modules that can be imported from their zip, and the command itself."""

import socket
import subprocess
import sys
import zipfile
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

pytest.importorskip("pyspark")

from pyspark.errors import PySparkException

from kew.analytics.session import NoSpark, start_session
from kew.analytics.submission import connect_server, pack, spark_command, submission
from kew.cli.engine import problems
from kew.cli.spark import spark


def test_the_zip_has_all_that_a_task_needs(tmp_path: Path) -> None:
    pack(str(tmp_path / "kew.zip"))
    with zipfile.ZipFile(tmp_path / "kew.zip") as archive:
        names = archive.namelist()
    assert {"pyspark_kewsmf/__init__.py", "pyspark_kewmq/__init__.py", "pyspark_kewfindings/__init__.py"} <= set(names)
    assert not [name for name in names if name.endswith((".so", ".pyc"))]
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path / 'kew.zip')!r})\n"
        "import kew.analytics.smf.decode as decode, kew.client.blocking\nprint(decode.__file__)"
    )
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, timeout=120)
    assert done.stdout.startswith(str(tmp_path / "kew.zip")), done.stderr


def test_the_commands_name_what_spark_is_to_run(tmp_path: Path) -> None:
    command = submission(str(tmp_path), "spark://host:7077", ["spark.x=1"], ["smf", "report", "LOG", "dump"])
    assert command[0] == spark_command("spark-submit")
    assert command[-5:] == [str(tmp_path / "kew_command.py"), "smf", "report", "LOG", "dump"]
    assert command[command.index("--master") :][:2] == ["--master", "spark://host:7077"]
    assert "spark.x=1" in command
    server = connect_server("local[*]", "127.0.0.1", 15002, [])
    assert "spark.connect.grpc.binding.address=127.0.0.1" in server
    assert server[-1] == "spark-internal"


def test_a_server_that_nobody_runs_is_named() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))  # and does not listen
        address = f"127.0.0.1:{free.getsockname()[1]}"
        for master in (f"sc://{address}/;user_id=me", f"spark://{address}"):
            with pytest.raises(NoSpark, match="nobody answers at s"):
                start_session(master)
    with pytest.raises(NoSpark, match="nobody answers"):
        start_session("sc://127.0.0.1:99999")


def test_what_spark_says_is_one_line() -> None:
    with pytest.raises(click.ClickException) as caught, problems():
        raise PySparkException("[TABLE_OR_VIEW_NOT_FOUND] There is none\n\tat org.apache")
    assert caught.value.message == "Spark: [TABLE_OR_VIEW_NOT_FOUND] There is none"
    with pytest.raises(KeyError), problems():
        raise KeyError("ours")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["connect", "--conf", "spark.x"], "--conf takes spark.NAME=VALUE"),
        (["connect", "--conf", "x=1"], "--conf takes spark.NAME=VALUE"),
        (["connect", "--host", "elsewhere"], "not appear to be an IPv4 or IPv6 address"),
        (["connect", "--master", "sc://host"], "is not a Spark master"),
        (["submit", "mqsc", "QM1"], "with spark-submit run smf report"),
        (["submit", "smf"], "with spark-submit run smf report"),
        (["submit", "smf", "report", "LOG"], "Missing argument"),
        (["submit", "smf", "report", "LOG", "dump", "--no-such"], "--no-such"),
        (["submit", "--master", "there", "smf", "report", "LOG", "dump"], "is not a Spark master"),
    ],
)
def test_what_is_wrong_is_said_before_spark_starts(words: list[str], said: str) -> None:
    result = CliRunner().invoke(spark, words)
    assert result.exit_code
    assert said in result.output
