"""Reads messages of other programs, such as `openssl cms`, into the canonical form.

CMS may be written with indefinite lengths and with octet strings in pieces. asn1crypto reads such a structure and
writes it with definite lengths. A structure that begins with a definite length is not rewritten, and is read strictly.
"""

from typing import Final

from kew.protection.errors import HEADER, Unprotectable

LONGEST: Final = 110_000_000  # bytes
_INDEFINITE: Final = b"\x30\x80"


def canonical(data: bytes, offset: int) -> tuple[bytes, int]:
    """Give a structure with definite lengths, and its offset."""
    if data[offset : offset + 2] != _INDEFINITE:
        return data, offset
    if len(data) - offset > LONGEST:
        raise Unprotectable(HEADER, "the CMS structure is too long")
    from asn1crypto import cms  # it takes a while to load, and few need it

    try:
        return cms.ContentInfo.load(data[offset:], strict=True).dump(force=True), 0
    except (ValueError, TypeError, KeyError, IndexError, RecursionError, OverflowError) as problem:
        raise Unprotectable(HEADER, "the CMS structure cannot be read") from problem
