"""The check of the prose in the source refuses openings that a reader must guess at, and nothing else."""

from pathlib import Path

import pytest
from tools import prose
from tools.prose import SOURCE, check, main, texts, wrong


@pytest.mark.parametrize(
    "text",
    [
        "What messages are put to.",
        "Whose reply waits.",
        "Who may do what: one question.",
        "Those who have come and are not yet admitted.",
        "Whoever keeps the queues hears of operations.",
        "Somebody who was refused.",
        "what a handle has open.",
    ],
)
def test_a_docstring_does_not_open_with_a_question_word_or_a_pronoun(text: str) -> None:
    assert list(wrong(text, is_docstring=True)) == ["opens with a pronoun or a question word"]


@pytest.mark.parametrize(
    "text",
    [
        "Put targets: local queues, remote queues, topics and distribution lists.",
        "Whole messages only.",
        "Give what a get is to match.",
        "There is no message.",
        "The queue is no longer there, is no more than a name and no one uses it.",
        "Say that no queue is open.",
    ],
)
def test_other_texts_pass(text: str) -> None:
    assert list(wrong(text, is_docstring=True)) == []


@pytest.mark.parametrize("text", ["QX is no queue.", "Headers that are no properties stay.", "the file was no dump"])
def test_a_text_does_not_say_that_something_is_no_something(text: str) -> None:
    [rule] = wrong(text, is_docstring=False)
    assert "where 'is not a' is meant" in rule


def test_a_message_is_checked_when_it_is_a_sentence() -> None:
    assert list(wrong("What can be done is done here.", is_docstring=False))
    assert not list(wrong("what", is_docstring=False))
    assert not list(wrong("Whats", is_docstring=False))
    assert not list(wrong("What is to be done now?", is_docstring=False))


def test_the_last_cell_of_each_row_of_a_table_is_a_text() -> None:
    table = "\nkeyword | kind | meaning\nPUT | put | Whether programs may put.\nGET | get | What is allowed.\n"
    assert [(line, text) for line, text in texts(table) if text.startswith("W")] == [
        (2, "Whether programs may put."),
        (3, "What is allowed."),
    ]


def test_findings_have_their_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prose, "ROOT", tmp_path)
    module = tmp_path / "module.py"
    module.write_text(
        '"""Who knows."""\n\n\ndef ask() -> None:\n    """Ask."""\n    raise ValueError("QX is no queue")\n',
        encoding="utf-8",
    )
    assert [str(each).rpartition(": ")[0] for each in check(module)] == [
        "module.py:1: opens with a pronoun or a question word",
        "module.py:6: says 'QX is no queue' where 'is not a' is meant",
    ]


def test_the_source_keeps_the_rules(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0, capsys.readouterr().out


def test_exceptions_and_packages_that_are_not_covered_are_there() -> None:
    for package in prose.NOT_YET:
        assert (SOURCE / package).is_dir()
    for part, beginning in prose.ALLOWED:
        found = [path for path in SOURCE.rglob("*.py") if part in str(path)]
        assert any(beginning in path.read_text(encoding="utf-8") for path in found), (part, beginning)
