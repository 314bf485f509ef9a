"""A short run of the fuzzer, so that it stays alive and a regression shows in every build."""

from tests.fuzz.mqsc import run


def test_damaged_commands_are_read_or_refused() -> None:
    read, refused = run(inputs=2000, seed=20251115)
    assert read + refused == 2000
    assert read > 100
    assert refused > 500
