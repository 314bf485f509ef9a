"""A sentence of the documentation opens with its subject and not with a pronoun that stands for one."""

import re
from pathlib import Path

import pytest

from tests.docs.session import ROOT

PAGES = [
    *sorted(ROOT.glob("*.md")),
    *[path for path in sorted(ROOT.glob("docs/**/*.md")) if "reference" not in path.parts],
]
_BLOCK = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_LINES = re.compile(r"^\|.*$|^ {4}.*$", re.MULTILINE)  # of tables and of code
_OPENING = "(?:Who|Whom|Whose|What|Whatever|Whoever|Those who)"
_SENTENCE = re.compile(rf"(?:^|(?<=[.?!*] )|(?<=[.?!*]\) ))(?:- |\d+\. |[*]+)?({_OPENING}\b[^.?!]*[.?!]?)")


def odd_sentences(text: str) -> list[str]:
    """Give the statements that open with such a word; a question may."""
    plain = _LINES.sub("", _BLOCK.sub("", text))
    found = [sentence for part in re.split(r"\n\s*\n", plain) for sentence in _SENTENCE.findall(" ".join(part.split()))]
    return [sentence for sentence in found if not sentence.endswith("?")]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_sentence_opens_with_its_subject(path: Path) -> None:
    assert odd_sentences(path.read_text()) == []


def test_such_openings_are_found() -> None:
    assert odd_sentences("Fine. What a get finds\nis taken.") == ["What a get finds is taken."]
    assert odd_sentences("- Whoever puts\n  waits") == ["Whoever puts waits"]
    assert odd_sentences("```\nWhat is here\n```\n\n| What | it |\n") == []
    assert odd_sentences("*Question:* what is it? What serves sockets?") == []
