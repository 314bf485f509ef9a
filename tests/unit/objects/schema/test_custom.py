"""The CUSTOM attribute and the three spellings of its one value."""

import pytest

from kew.objects.schema import object_type
from kew.objects.schema.custom import cap_on_expiry, read_custom
from kew.objects.schema.values import BadValue


@pytest.mark.parametrize("spelling", ["CAPEXPRY", "CAPEXPY", "CAEXPY", "capexpry"])
def test_all_spellings_mean_the_same(spelling: str) -> None:
    assert read_custom(f"{spelling}(6000)") == {"CAPEXPRY": 6000}
    assert object_type("QL")["CUSTOM"].parse(f"{spelling}(6000)") == f"{spelling}(6000)"


def test_blank_and_spaced_texts() -> None:
    assert read_custom("") == {}
    assert read_custom("  CAPEXPRY ( 5 ) ,") == {"CAPEXPRY": 5}
    assert read_custom("CAPEXPRY(NOLIMIT)") == {"CAPEXPRY": -1}


@pytest.mark.parametrize(
    "text",
    [
        "CAPEXPRY",
        "CAPEXPRY(",
        "CAPEXPRY(x)",
        "CAPEXPRY(-1)",
        "CAPEXPRY(9999999999)",
        "OTHER(1)",
        "CAPEXPRY(1) CAEXPY(2)",
        "(1)",
    ],
)
def test_texts_that_cannot_be_read(text: str) -> None:
    with pytest.raises(BadValue):
        read_custom(text)


def test_the_attribute_beats_the_custom_text() -> None:
    assert cap_on_expiry("", -1) is None
    assert cap_on_expiry("CAPEXPY(6000)", -1) == 6000
    assert cap_on_expiry("CAPEXPRY(NOLIMIT)", -1) is None
    assert cap_on_expiry("", 50) == 50
