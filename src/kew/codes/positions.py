"""Kew's own selectors of MQINQ and MQSET: a queue read by position, so that it can be read again exactly.

A position is the arrival number of a message on its queue: it never comes again, not after a restart either.

    MQINQ  KEWCA_POSITIONS               48 characters: position of the next message at or after the handle's, the end
                                         (where reading must stop) and how far the queue was trimmed, 16 hex digits each
    MQSET  KEWIA_BROWSE_HIGH and _LOW    from now on the handle browses in order of arrival, next from that position on
    MQSET  KEWIA_TRIM_HIGH and _LOW      takes away every message before a position; once or twice, it is the same

The end is the position of the first message that a unit of work has put or got and not committed, or that of the next
message to come. Browsing takes MQOO_BROWSE and trimming MQOO_INPUT_*. Each message that is browsed so brings its
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
    """Give a position as two integers of 32 bits with signs, as MQSET takes them."""
    return _signed(position >> 32), _signed(position & 0xFFFFFFFF)


def whole(high: int, low: int) -> int:
    """Give the position of two halves."""
    return (high & 0xFFFFFFFF) << 32 | (low & 0xFFFFFFFF)


def _signed(value: int) -> int:
    return value - (1 << 32) if value & 0x80000000 else value


def format_positions(following: int, end: int, trimmed: int) -> str:
    """Give the three positions as MQINQ does."""
    return f"{following:016X}{end:016X}{trimmed:016X}"


def parse_positions(text: str) -> tuple[int, int, int]:
    """Give the three positions that MQINQ gave."""
    return int(text[:_DIGITS], 16), int(text[_DIGITS : 2 * _DIGITS], 16), int(text[2 * _DIGITS : 3 * _DIGITS], 16)
