"""A short run of the fuzzer, so that it stays alive and a regression shows in every build."""

from tests.fuzz.formats import run


def test_damaged_structures_are_read_or_refused() -> None:
    for name, (read, refused) in run(300, 20250225).items():
        assert read + refused == 300
        assert read, name
        assert refused, name
