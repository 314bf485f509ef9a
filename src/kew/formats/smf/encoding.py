"""Text, times, dates and releases in SMF records."""

from datetime import UTC, date, datetime, timedelta
from typing import Final

CODE_PAGE: Final = "cp037"  # 037 and 1047 agree on every character that a name may have
BLANK: Final = b"\x40"

# Microseconds from 1900-01-01, where the TOD clock starts, to 1970-01-01.
TOD_EPOCH: Final = 2_208_988_800_000_000

# From this number on the release is in the header extension, no longer in the three release digits.
EXTENDED_RELEASE: Final = 946
_UNIX_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def text(raw: str) -> str:
    """Give a text field without the blanks or nulls that pad it."""
    return raw.rstrip(" \x00")


def encode_text(value: str, length: int) -> bytes:
    """Encode text in EBCDIC, padded with blanks; a text that is too long is an error."""
    try:
        raw = value.encode(CODE_PAGE)
    except UnicodeEncodeError as problem:
        raise ValueError(
            f"{value!r} has a character that code page 037 lacks: {problem.object[problem.start]!r}"
        ) from None
    if len(raw) > length:
        raise ValueError(f"{value!r} is longer than the {length} characters of its field")
    return raw.ljust(length, BLANK)


def tod_to_microseconds(tod: int) -> int | None:
    """Convert a TOD clock value to microseconds since 1970; None if it is not set."""
    return (tod >> 12) - TOD_EPOCH if tod else None


def microseconds_to_tod(microseconds: int | None) -> int:
    """Convert microseconds since 1970 to a TOD clock value."""
    return 0 if microseconds is None else (microseconds + TOD_EPOCH) << 12


def tod_to_datetime(tod: int) -> datetime | None:
    """Convert a TOD clock value to a time in UTC; None if it is not set."""
    microseconds = tod_to_microseconds(tod)
    return None if microseconds is None else _UNIX_EPOCH + timedelta(microseconds=microseconds)


def decode_date(packed: bytes) -> date:
    """Decode the date of a packed 0cyydddF field; c counts centuries from 1900."""
    digits = packed.hex()
    if len(digits) != 8 or not digits[:7].isdigit() or digits[7] not in "cf":
        raise ValueError(f"packed date {digits} is not 0cyydddF")
    year = 1900 + 100 * int(digits[:2]) + int(digits[2:4])
    day = int(digits[4:7])
    if not 1 <= day <= (366 if _is_leap(year) else 365):
        raise ValueError(f"packed date {digits} names day {day} of {year}")
    return date(year, 1, 1) + timedelta(days=day - 1)


def encode_date(day: date) -> bytes:
    """Encode a date as packed 0cyydddF."""
    if not 1900 <= day.year < 2900:
        raise ValueError(f"year {day.year} does not fit a packed SMF date")
    return bytes.fromhex(f"{(day.year - 1900) // 100:02d}{day.year % 100:02d}{day.timetuple().tm_yday:03d}f")


def release_of(digits: str, extension: str = "") -> int:
    """Give a release as the number VVRRMM, 90300 for 9.3.0, from the digits of the header and of its extension."""
    if extension.isdigit() and digits.isdigit() and int(digits) >= EXTENDED_RELEASE:
        return int(extension)
    if len(digits) == 3 and digits.isdigit():
        return int(digits[0]) * 10000 + int(digits[1]) * 100 + int(digits[2])
    raise ValueError(f"release {digits!r} is not three digits")


def release_digits(release: int) -> str:
    """Give the three digits that the SMF header has for a release."""
    version, rest = divmod(release, 10000)
    if version >= 10:
        return str(EXTENDED_RELEASE)
    return f"{version}{rest // 100}{rest % 100}"


def release_name(release: int) -> str:
    """Format a release with dots: 9.3.0."""
    return f"{release // 10000}.{release // 100 % 100}.{release % 100}"


def parse_release(name: str) -> int:
    """Parse a release written 9.3.0, 9.3 or 930; gives the number VVRRMM."""
    parts = name.split(".") if "." in name else list(name) if len(name) == 3 else [name]
    if not 1 <= len(parts) <= 3 or not all(part.isdigit() and len(part) <= 2 for part in parts):
        raise ValueError(f"release {name!r} is not of the form 9.3.0")
    version, level, modification = [int(part) for part in parts] + [0] * (3 - len(parts))
    return version * 10000 + level * 100 + modification


def _is_leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
