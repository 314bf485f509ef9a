"""Patterns of network addresses, as channel authentication records have them.

    192.0.2.1    192.0.2.*    192.0.*    192.*.2    192.0.2.1-8    192.0.*.1-8    *
    2001:DB8:0:0:0:0:0:1    2001:DB8:*    2001:*:1    2001:DB8:0:0:0:*:0:0-8

In an address with too few parts a single * stands for all missing parts; otherwise a * stands for one part. Host names
are not looked up, since an answer of the name service does not prove an identity.
"""

import ipaddress
from typing import Final

_V4: Final = 4
_V6: Final = 8
LARGEST_PART: Final = {_V4: 255, _V6: 65535}


class BadAddress(ValueError):
    """The error for an invalid pattern, or one that no address can match; the text says why."""


def parts_of(address: str) -> tuple[int, ...]:
    """Give the parts of an address, of IPv4 if it is IPv4 within IPv6; BadAddress if it is not valid."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        raise BadAddress(f"{address!r} is not a numeric address") from None
    if isinstance(found, ipaddress.IPv6Address):
        mapped = found.ipv4_mapped
        if mapped is None:
            packed = found.packed
            return tuple([packed[place] << 8 | packed[place + 1] for place in range(0, 16, 2)])
        found = mapped
    return tuple(found.packed)


class AddressPattern:
    """A pattern that can be matched with addresses."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.count = 0  # parts of the addresses it is about; 0: of any
        self.ranges: list[tuple[int, int]] = []
        if text == "*":
            return
        six = ":" in text
        if not six and any(letter.isalpha() for letter in text):
            raise BadAddress(f"{text!r} is not a numeric address; host names are not looked up")
        self.count = _V6 if six else _V4
        words = text.split(":" if six else ".")
        if six and "" in words:
            if "*" in text or "-" in text:
                raise BadAddress(f"{text!r}: a pattern of IPv6 addresses is written without '::'")
            words = [f"{part:x}" for part in parts_of(text)]
            if len(words) == _V4:  # IPv4 within IPv6
                self.count, six, words = _V4, False, [str(int(word, 16)) for word in words]
        missing = self.count - len(words)
        if missing and (missing < 0 or words.count("*") != 1):
            raise BadAddress(f"{text!r}: an address has {self.count} parts; one * may stand for those that are missing")
        for word in words:
            many = missing + 1 if word == "*" and missing else 1
            self.ranges.extend([self._range(word, six)] * many)

    def _range(self, word: str, six: bool) -> tuple[int, int]:
        most = LARGEST_PART[self.count]
        if word == "*":
            return 0, most
        low, dash, high = word.partition("-")
        digits = "0123456789abcdefABCDEF" if six else "0123456789"
        ends = [low, high] if dash else [low]
        if not all(end and len(end) <= 4 and set(end) <= set(digits) for end in ends):
            raise BadAddress(f"{self.text!r}: {word!r} is not a valid part of an address")
        first, last = int(low, 16 if six else 10), int(ends[-1], 16 if six else 10)
        if not first <= last <= most:
            raise BadAddress(f"{self.text!r}: {word!r} is not between 0 and {most}, lower end first")
        return first, last

    def matches(self, parts: tuple[int, ...]) -> bool:
        """Say whether an address, given by its parts, matches."""
        if not self.count:
            return True
        if len(parts) != self.count:
            return False
        return all(low <= part <= high for part, (low, high) in zip(parts, self.ranges, strict=True))

    @property
    def rank(self) -> tuple[int, ...]:
        """Give the key that orders patterns: compared from left to right, a narrower part is lower."""
        if not self.count:
            return (1 << 32,)
        return tuple([high - low for low, high in self.ranges])
