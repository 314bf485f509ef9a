"""News fragments have names and areas that a release can sort."""

from tools.changes import KINDS, fragments, section, wrapped


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
