from tests.fuzz.smf import run


def test_damaged_dumps_never_fail_the_reader() -> None:
    done, good, bad = run(150, seed=1)
    assert done == 150
    assert good > 300
    assert bad > 0
