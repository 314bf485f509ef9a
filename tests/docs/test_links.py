"""Links of README.md and docs/ lead somewhere; those to the reference lead to pages that the tables make."""

import re
from pathlib import Path

import pytest

from kew.cli import main
from kew.cli.manual.topics import all_pages
from tests.docs.session import ROOT

PAGES = [
    ROOT / "README.md",
    ROOT / "ARCHITECTURE.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "SECURITY.md",
    *sorted(ROOT.glob("docs/*.md")),
    *sorted(ROOT.glob("docs/*/*.md")),
]
MADE = {ROOT / "docs" / "reference" / f"{page.name}.{page.section}.md" for page in all_pages(main)}
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def links(path: Path) -> list[str]:
    return _LINK.findall(_FENCED.sub("", path.read_text()))


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(path: Path) -> None:
    for link in links(path):
        if link.startswith(("https://", "http://")):
            continue
        target = (path.parent / link.partition("#")[0]).resolve()
        assert target.is_file() or target in MADE, link


def test_every_page_is_in_the_table_of_contents() -> None:
    listed = {ROOT / "docs" / name for name in re.findall(r"[\w/-]+\.md", (ROOT / "mkdocs.yml").read_text())}
    written = {page for page in PAGES if page.is_relative_to(ROOT / "docs")} - MADE
    assert listed == written
