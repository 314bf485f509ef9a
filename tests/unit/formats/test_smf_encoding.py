from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kew.formats.smf.encoding import (
    decode_date,
    encode_date,
    encode_text,
    microseconds_to_tod,
    parse_release,
    release_digits,
    release_name,
    release_of,
    text,
    tod_to_datetime,
    tod_to_microseconds,
)

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def test_the_tod_clock_starts_in_1900() -> None:
    assert tod_to_microseconds(1 << 12) == -2208988799999999
    # From a dump whose SMF header says 2016-02-27, 22:01.
    assert tod_to_datetime(0xD05D7D7C7DC9EA0C) == datetime(2016, 2, 27, 22, 1, 33, 545630, UTC)


def test_an_unset_clock_is_none() -> None:
    assert tod_to_microseconds(0) is None
    assert tod_to_datetime(0) is None
    assert microseconds_to_tod(None) == 0


@given(st.integers(-2208988799999999, 2295227496370495))
def test_clock_values_round_trip_to_the_microsecond(moment: int) -> None:
    assert tod_to_microseconds(microseconds_to_tod(moment)) == moment


@given(st.datetimes(datetime(1971, 1, 1), datetime(2042, 1, 1), timezones=st.just(UTC)))
def test_moments_are_exact(moment: datetime) -> None:
    assert tod_to_datetime(microseconds_to_tod((moment - EPOCH) // timedelta(microseconds=1))) == moment


@given(st.dates(date(1900, 1, 1), date(2899, 12, 31)))
def test_packed_dates_round_trip(day: date) -> None:
    assert decode_date(encode_date(day)) == day


@pytest.mark.parametrize(
    ("raw", "day"),
    [("0122180f", date(2022, 6, 29)), ("0099365f", date(1999, 12, 31)), ("0124366c", date(2024, 12, 31))],
)
def test_packed_dates(raw: str, day: date) -> None:
    assert decode_date(bytes.fromhex(raw)) == day


@pytest.mark.parametrize("raw", ["0123366f", "0123000f", "01a3001f", "0123001a", "0123"])
def test_what_is_no_packed_date_is_refused(raw: str) -> None:
    with pytest.raises(ValueError, match="packed date"):
        decode_date(bytes.fromhex(raw))


def test_text_is_ebcdic_padded_with_blanks() -> None:
    assert encode_text("QM1", 4) == b"\xd8\xd4\xf1\x40"
    assert text("DS001\x00\x00 ") == "DS001"


def test_text_is_never_cut() -> None:
    with pytest.raises(ValueError, match="longer than the 4 characters"):
        encode_text("QUEUE", 4)


def test_text_that_ebcdic_lacks_is_refused() -> None:
    with pytest.raises(ValueError, match="code page 037 lacks: '€'"):
        encode_text("5 €", 8)


@pytest.mark.parametrize(
    ("digits", "extension", "release"),
    [("800", "", 80000), ("930", "", 90300), ("946", "100000", 100000), ("946", "", 90406)],
)
def test_releases(digits: str, extension: str, release: int) -> None:
    assert release_of(digits, extension) == release


def test_releases_as_written() -> None:
    assert release_name(90300) == "9.3.0"
    assert release_name(100000) == "10.0.0"
    assert [release_digits(release) for release in (80000, 90403, 100000)] == ["800", "943", "946"]
    assert [parse_release(name) for name in ("9.3.0", "9.4", "930", "10.0.0")] == [90300, 90400, 90300, 100000]


@pytest.mark.parametrize("name", ["", "9.3.0.1", "nine", "9.x", "12345"])
def test_what_is_no_release_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="is not of the form"):
        parse_release(name)
