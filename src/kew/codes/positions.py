"""Kew's own selectors of MQINQ and MQSET, which read a queue by position, so that a reader can repeat what it read.

A position is the arrival number of a message on its queue; no later message gets it, not even after a restart.

    MQINQ  KEWCA_POSITIONS               48 characters: the first message at or after the handle's position, the end
                                         (where reading must stop) and how far the queue was trimmed, 16 hex digits each
    MQSET  KEWIA_BROWSE_HIGH and _LOW    from now on the handle browses in order of arrival, next from that position on
    MQSET  KEWIA_TRIM_HIGH and _LOW      removes every message before a position, and may be repeated

The end is the position of the first message that a unit of work has put or got and not committed, or that of the next
message to come. Browsing takes MQOO_BROWSE and trimming MQOO_INPUT_*. Each message that is browsed by position has its
position in the last eight bytes of its message token.
"""

from typing import Final

KEWIA_BROWSE_HIGH: Final = 1996
KEWIA_BROWSE_LOW: Final = 1997
KEWIA_TRIM_HIGH: Final = 1998
KEWIA_TRIM_LOW: Final = 1999
KEWCA_POSITIONS: Final = 3999

BROWSE: Final = (KEWIA_BROWSE_HIGH, KEWIA_BROWSE_LOW)
TRIM: Final = (KEWIA_TRIM_HIGH, KEWIA_TRIM_LOW)
_DIGITS: Final = 16


def halves(position: int) -> tuple[int, int]:
    """Split a position into two signed 32-bit integers, high and low, as MQSET takes them."""
    return _signed(position >> 32), _signed(position & 0xFFFFFFFF)


def whole(high: int, low: int) -> int:
    """Join the high and the low half of a position."""
    return (high & 0xFFFFFFFF) << 32 | (low & 0xFFFFFFFF)


def _signed(value: int) -> int:
    return value - (1 << 32) if value & 0x80000000 else value


def format_positions(following: int, end: int, trimmed: int) -> str:
    """Write three positions as the 48 characters that MQINQ gives."""
    return f"{following:016X}{end:016X}{trimmed:016X}"


def parse_positions(text: str) -> tuple[int, int, int]:
    """Read the three positions from the 48 characters that MQINQ gives."""
    return int(text[:_DIGITS], 16), int(text[_DIGITS : 2 * _DIGITS], 16), int(text[2 * _DIGITS : 3 * _DIGITS], 16)
