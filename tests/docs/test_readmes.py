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


def drawn() -> str:
    """Give the section of ARCHITECTURE.md that draws the packages and lists them."""
    return (ROOT / "ARCHITECTURE.md").read_text().partition("## The packages")[2].partition("\n## ")[0]


def test_every_package_is_drawn_and_listed() -> None:
    packages = {path.parent.name for path in ROOT.glob("src/kew/*/__init__.py")}
    assert set(re.findall(r'^ +(\w+)\["', drawn(), re.MULTILINE)) == packages
    assert {name for name in packages if f"`{name}`" not in drawn().partition("| package |")[2]} == set()


def test_an_arrow_between_packages_is_an_import_toward_the_foundation() -> None:
    arrows = re.findall(r"^ +(\w+) --> (\w+)$", drawn(), re.MULTILINE)
    assert len(arrows) > 20
    for user, used in arrows:
        assert (used, user) not in arrows
        wanted = re.compile(rf"^ *(from kew\.{used}[. ]|from kew import .*\b{used}\b)", re.MULTILINE)
        assert any(wanted.search(path.read_text()) for path in ROOT.glob(f"src/kew/{user}/**/*.py")), (user, used)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_rules_are_numbered_from_one_on(path: Path) -> None:
    for section in re.split(r"^## ", path.read_text(), flags=re.MULTILINE):
        numbers = [int(number) for number in re.findall(r"^(\d+)\. ", section, flags=re.MULTILINE)]
        assert numbers == list(range(1, len(numbers) + 1))


@pytest.mark.parametrize("package", ["accounting", "commands", "faces", "objects", "perf", "security", "topics"])
def test_a_table_of_modules_has_them_all(package: str) -> None:
    text = (ROOT / "src" / "kew" / package / "README.md").read_text()
    modules = {path.name for path in (ROOT / "src" / "kew" / package).glob("*.py") if not path.name.startswith("__")}
    assert {name for name in modules if f"`{name}`" not in text} == set()
