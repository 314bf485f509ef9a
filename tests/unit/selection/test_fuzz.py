"""A short run of the fuzzer, so that it stays alive and a regression shows in every build."""

from tests.fuzz.selection import run


def test_damaged_input_is_read_or_refused() -> None:
    for name, (read, refused) in run(300, 20261115).items():
        assert read + refused == 300
        assert read, name
        assert refused, name
