"""News fragments have names and areas that a release can sort, and a release moves them into CHANGES.md."""

from pathlib import Path

import pytest
from tools import changes
from tools.changes import KINDS, fragments, main, section, wrapped

from kew.version import VERSION


def test_every_fragment_has_an_area_and_a_kind() -> None:
    assert set(fragments()) == set(KINDS)


def test_a_release_has_each_fragment_once_below_its_heading() -> None:
    text = section("9.9.9", "2026-01-01")
    assert text.startswith("## 9.9.9 (2026-01-01)\n")
    texts = [each for areas in fragments().values() for items in areas.values() for each in items]
    assert " ".join(text.split()).count(" - ") >= len(texts)
    for each in texts:
        assert " ".join(wrapped(each).split()) in " ".join(text.split())


def test_long_texts_are_broken_at_spaces() -> None:
    lines = wrapped("word " * 60).split("\n")
    assert lines[0].startswith("- word")
    assert lines[1].startswith("  word")
    assert all(len(line) <= 118 for line in lines)


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with one older release and two fragments."""
    (tmp_path / "changes").mkdir()
    (tmp_path / "changes/README.md").write_text("How to.\n")
    (tmp_path / "changes/log-grows.fix.md").write_text("The log grows.\n")
    (tmp_path / "changes/topics-more.feature.md").write_text("Topics have more.\n")
    (tmp_path / "CHANGES.md").write_text("# Changes\n\nHow.\n\n## 0.1.0 (2026-11-19)\n\n- First.\n")
    monkeypatch.setattr(changes, "FRAGMENTS", tmp_path / "changes")
    monkeypatch.setattr(changes, "TARGET", tmp_path / "CHANGES.md")
    return tmp_path


def test_a_release_takes_the_fragments_and_stands_before_older_ones(repository: Path) -> None:
    assert main(["0.2.0", "2027-01-02"]) == 0
    lines = [line for line in (repository / "CHANGES.md").read_text().split("\n") if line]
    assert lines == [
        "# Changes",
        "How.",
        "## 0.2.0 (2027-01-02)",
        "### Features",
        "**Publish/subscribe**",
        "- Topics have more.",
        "### Fixes",
        "**Queue manager and storage**",
        "- The log grows.",
        "## 0.1.0 (2026-11-19)",
        "- First.",
    ]
    assert [path.name for path in (repository / "changes").iterdir()] == ["README.md"]


def test_a_version_is_released_once(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = (repository / "CHANGES.md").read_text()
    assert main(["0.1.0", "2027-01-02"]) == 1
    assert "0.1.0 is released already" in capsys.readouterr().err
    assert (repository / "CHANGES.md").read_text() == before
    assert len(list((repository / "changes").iterdir())) == 3


def test_without_a_date_a_release_is_only_shown(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["0.2.0"]) == 0
    assert capsys.readouterr().out.startswith("## 0.2.0 (not released)\n")
    assert len(list((repository / "changes").iterdir())) == 3


def test_the_newest_release_is_the_version_of_the_package() -> None:
    headings = [
        line for line in (Path(__file__).parents[2] / "CHANGES.md").read_text().split("\n") if line[:3] == "## "
    ]
    assert headings[0].split()[1] == VERSION
    assert len({heading.split()[1] for heading in headings}) == len(headings)
