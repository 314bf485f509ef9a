"""Files and folders that a page for developers names are there."""

import re
from pathlib import Path

import pytest

from tests.docs.session import ROOT

PAGES = [
    ROOT / "ARCHITECTURE.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "SECURITY.md",
    *[ROOT / f"docs/design/{name}.md" for name in ("decisions", "glossary", "index", "style")],
    *sorted(ROOT.glob(".github/**/*.md")),
]
BASES = (ROOT, ROOT / "src/kew")
MADE = ("build/", "docs/reference")  # by a make target
_FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"`([^`]+)`")
_PATH = re.compile(r"(?:[a-z][\w.-]*/)+(?:[\w.-]+)?")


def named(path: Path) -> set[str]:
    """Give the paths that a page names: words in code with a slash, without capitals that stand for something."""
    words = {word for code in _CODE.findall(_FENCED.sub("", path.read_text())) for word in code.split()}
    paths = {word for word in words if _PATH.fullmatch(word) and word == word.lower()}
    return {each for each in paths if not each.startswith(MADE)}


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_what_a_page_names_is_there(path: Path) -> None:
    missing = {each for each in named(path) if not any((base / each).exists() for base in BASES)}
    assert missing == set()


def test_the_pages_name_paths() -> None:
    assert len(named(ROOT / "CONTRIBUTING.md")) > 10
    assert len(named(ROOT / "ARCHITECTURE.md")) > 40
