"""The short form of the crash and fault tests, for running once per mutant; pytest runs it when it is named."""

import pytest
from tests.crash import histories, scenarios
from tests.crash.scenarios import BY_NAME, Tally
from tests.crash.test_exhaustive import TELLING
from tests.fault.test_bit_flips import flip_some


@pytest.mark.parametrize("variant", ["single", "dual", "linear"])
def test_telling_scenarios(variant: str) -> None:
    tally = Tally()
    for names in TELLING:
        scenarios.stop_everywhere(variant, tuple(BY_NAME[name] for name in names.split(",")), tally)
    assert not tally.failures, tally.failures[0]


def test_bit_flips() -> None:
    problems = [f"{where}: {verdict.problem}" for where, verdict in flip_some(range(1, 301)) if verdict.problem]
    assert not problems, problems[0]


def test_histories() -> None:
    total = histories.run_some(range(1, 31))
    assert not total.failures, total.failures[0]
