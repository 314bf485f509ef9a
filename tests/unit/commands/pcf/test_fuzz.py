"""A short run of the fuzzer, so that it stays alive and a regression shows in every build."""

from tests.fuzz.pcf import run


def test_damaged_commands_are_carried_out_or_refused() -> None:
    accepted, refused = run(inputs=2000, seed=20261115)
    assert accepted + refused == 2000
    assert accepted > 200
    assert refused > 500
