"""The verbs do and say what the scripts in `verbs/` expect.

`pytest tests/conformance/test_scripts.py --regenerate` writes what they say now into the scripts; the diff is reviewed
against what IBM MQ documents before it is kept.
"""

from pathlib import Path

import pytest
from tests.conformance.verb_script import run

SCRIPTS = sorted((Path(__file__).parent / "verbs").glob("*.txt"))


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_script(path: Path, tmp_path: Path, pytestconfig: pytest.Config) -> None:
    cases, wrong = run(path, str(tmp_path), bool(pytestconfig.getoption("--regenerate")))
    assert cases > 0
    assert not wrong, "\n" + "\n".join(wrong)
