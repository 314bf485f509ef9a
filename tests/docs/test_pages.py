"""Every command of README.md and of docs/ is carried out, and prints what the page shows.

`pytest tests/docs --regenerate` writes what the commands print now into the pages; blocks with `...` stay as they are.
"""

import re
import subprocess
from pathlib import Path

import pytest

from tests.docs.page import Page, differs, read_page
from tests.docs.session import ROOT, carry_out

PAGES = [ROOT / "README.md", *[path for path in sorted(ROOT.glob("docs/**/*.md")) if "reference" not in path.parts]]
_TARGET = re.compile(r"^([a-z]+):.*##", re.MULTILINE)


def _name(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", [path for path in PAGES if read_page(path).commands], ids=_name)
def test_commands_print_what_the_page_shows(path: Path, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    page = read_page(path)
    said = carry_out(page, tmp_path)
    assert len(said) == len(page.commands), "the shell ended before the page did"
    if request.config.getoption("--regenerate"):
        _rewrite(page, said)
        return
    for command, lines in zip(page.commands, said, strict=True):
        if differs(command.expected, lines):
            wanted, got = "\n".join(command.expected), "\n".join(lines)
            pytest.fail(f"{_name(path)}:{command.line}: $ {command.text}\n--- shown\n{wanted}\n--- said\n{got}")


def _rewrite(page: Page, said: list[list[str]]) -> None:
    lines = page.path.read_text().splitlines()
    for command, now in reversed(list(zip(page.commands, said, strict=True))):
        if any("..." in line for line in command.expected):
            continue
        first = command.line + command.text.count("\n")
        lines[first : first + len(command.expected)] = [line.rstrip() for line in now]
    page.path.write_text("\n".join(lines) + "\n")


@pytest.mark.parametrize("path", PAGES, ids=_name)
def test_every_block_is_of_a_kind_that_is_tested(path: Path) -> None:
    page = read_page(path)
    assert page.odd == []
    assert "Traceback" not in path.read_text()
    targets = set(_TARGET.findall((ROOT / "Makefile").read_text()))
    for step in page.machine_steps:
        read = subprocess.run(["bash", "-n"], input=step.text, capture_output=True, text=True, check=False)
        assert read.returncode == 0, f"{_name(path)}:{step.line}: {read.stderr}"
        wanted = set(re.findall(r"^make ([a-z]+)", step.text, re.MULTILINE))
        assert wanted <= targets, f"{_name(path)}:{step.line}: no such target: {wanted - targets}"


def test_every_example_is_shown() -> None:
    text = (ROOT / "docs" / "examples.md").read_text()
    files = [path for path in (ROOT / "examples").rglob("*.*") if path.suffix in (".py", ".ipynb", ".java")]
    programs = {str(path.relative_to(ROOT)) for path in files} - {"examples/__init__.py", "examples/demo.py"}
    assert {name for name in programs if not re.search(rf"{re.escape(name)}\s", text)} == set()
