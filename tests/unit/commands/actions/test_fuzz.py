"""A short run of the fuzzer, so that it stays alive and a regression shows in every build."""

from tests.fuzz.commands import ROUND, run


def test_commands_of_all_kinds_are_answered() -> None:
    inputs, done = run(inputs=ROUND, seed=3)
    assert inputs == ROUND
    assert done > 100
