"""`make check` chooses the tests of what changed, and tells of a part that fails or takes too long."""

import sys

import pytest
from tools.check import ROOT, run, wanted

PAGES = [f"tests/docs/test_{name}.py" for name in ("links", "paths", "prose", "readmes")]
ALWAYS = ["tests/unit/test_import_order.py", "tests/unit/test_testmap.py"]


@pytest.mark.parametrize(
    ("name", "now", "later"),
    [
        ("src/kew/codes/reasons.py", ["tests/unit/codes", *ALWAYS], []),
        ("src/kew/storage/pages/page.py", ["tests/unit/storage/pages", *ALWAYS], ["tests/crash"]),
        ("src/kew/ibmmq/objects.py", ALWAYS, ["tests/faces"]),
        ("tests/unit/codes/test_errors.py", ["tests/unit/codes/test_errors.py", "tests/unit/test_testmap.py"], []),
        ("tests/support/kept.py", [], []),
        ("ARCHITECTURE.md", PAGES, []),
        ("docs/index.md", PAGES, ["tests/docs"]),
        ("CHANGES.md", [*PAGES, "tests/unit/test_changes.py"], []),
    ],
)
def test_a_changed_file_has_its_tests(name: str, now: list[str], later: list[str]) -> None:
    assert wanted([name]) == (now, later)


def test_a_test_in_a_folder_that_runs_is_not_named_again() -> None:
    now, _later = wanted(["src/kew/codes/reasons.py", "tests/unit/codes/test_errors.py"])
    assert now == ["tests/unit/codes", *ALWAYS]


def test_a_module_of_no_package_leaves_all_unit_tests_to_make_test() -> None:
    assert wanted(["src/kew/version.py"]) == (["tests/unit/test_changes.py", *ALWAYS], ["tests/unit"])


def test_tests_that_are_chosen_exist() -> None:
    every = [path.relative_to(ROOT).as_posix() for path in ROOT.glob("src/kew/**/*.py")]
    for name in {test for names in wanted([*every, "CHANGES.md", "tools/check.py"]) for test in names}:
        assert (ROOT / name).exists(), name


def test_a_part_that_fails_shows_what_it_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("good", [sys.executable, "-c", "print('unseen')"], {}, None)
    assert not run(
        "bad", [sys.executable, "-c", "import os; print('here:', os.environ['AT']); exit(1)"], {"AT": "3"}, 60
    )
    shown = capsys.readouterr().out
    assert "good: passed in" in shown
    assert "unseen" not in shown
    assert "bad: FAILED in" in shown
    assert "here: 3" in shown


def test_a_part_that_takes_too_long_is_ended_and_told(capsys: pytest.CaptureFixture[str]) -> None:
    waits = "import threading; print('begun', flush=True); threading.Event().wait()"
    assert not run("slow", [sys.executable, "-c", waits], {}, 2)
    shown = capsys.readouterr().out
    assert "slow: FAILED in" in shown
    assert "not done after 2 s, at a load of" in shown
