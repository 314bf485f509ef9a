"""`kew version` says what is running."""

import platform

from click.testing import CliRunner

from kew.cli import main
from kew.version import VERSION, is_compiled


def test_version_names_build_protocol_and_python() -> None:
    result = CliRunner().invoke(main, ["version"])
    build = "compiled" if is_compiled() else "interpreted"
    assert result.exit_code == 0
    assert result.output.startswith(f"kew {VERSION} ({build}), protocol level FAP 17, ")
    assert platform.python_version() in result.output


def test_unknown_command_is_refused() -> None:
    result = CliRunner().invoke(main, ["verzion"])
    assert result.exit_code == 2
    assert "verzion" in result.output
