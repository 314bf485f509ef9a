"""Files that a README or ARCHITECTURE.md names are there."""

import re
from pathlib import Path

import pytest

from tests.docs.session import ROOT

PAGES = [ROOT / "README.md", ROOT / "ARCHITECTURE.md", *sorted(ROOT.glob("src/kew/**/README.md"))]
_NAMED = re.compile(r"(?<![\w*<-])((?:[\w.-]+/)*\w+\.py)\b")
_OURS = {
    str(path.relative_to(ROOT)) for top in ("src", "tests", "examples", "tools") for path in (ROOT / top).rglob("*.py")
}
_OURS.add("setup.py")
_READERS = {"program.py", "hello.py", "inside.py"}  # names that stand for the reader's own


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_files_that_are_named_are_there(path: Path) -> None:
    named = set(_NAMED.findall(path.read_text())) - _READERS
    missing = {name for name in named if not any(f"/{ours}".endswith(f"/{name}") for ours in _OURS)}
    assert missing == set()


def test_every_package_is_among_the_layers() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text().partition("## The layers")[2].partition("\n## ")[0]
    packages = {path.parent.name for path in ROOT.glob("src/kew/*/__init__.py")}
    assert {name for name in packages if f"`{name}`" not in text} == set()
