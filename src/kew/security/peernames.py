"""Distinguished names of certificates, and patterns of them (SSLPEER, SSLCERTI).

A pattern names some attributes and matches every name that has them. A value may begin or end with *. Case does not
count, nor do blanks around values. Several OU are given from the top of the hierarchy down, several DC from its bottom
up, in patterns as in the names of certificates that `channels/transport/tls.py` writes; a pattern may stop before the
end.
"""

from typing import Final

from kew.formats.distinguishedname import BadName, split_name

# From the most specific attribute to the least: the order in which patterns are compared.
ORDER: Final = (
    *("SERIALNUMBER", "MAIL", "E", "UID", "CN", "T", "OU", "DC", "O", "STREET", "L", "ST", "PC", "C"),
    *("UNSTRUCTUREDNAME", "UNSTRUCTUREDADDRESS", "DNQ"),
)
_SAME: Final = {"USERID": "UID", "SP": "ST", "S": "ST"}
_EXACT: Final = 0
_GENERIC: Final = 1
_ABSENT: Final = 2


def read_name(text: str) -> dict[str, list[str]]:
    """Give the values of each attribute of a name, in order and in lower case."""
    found: dict[str, list[str]] = {}
    for item in split_name(text):
        if not item.strip():
            continue
        kind, equals, value = item.partition("=")
        kind = kind.strip().upper()
        if not equals or not kind:
            raise BadName(f"{text!r}: {item.strip()!r} is not an attribute with a value")
        found.setdefault(_SAME.get(kind, kind), []).append(value.strip().lower())
    return found


def _fits(pattern: str, value: str) -> bool:
    if len(pattern) > 1 and pattern[0] == pattern[-1] == "*":
        return pattern[1:-1] in value
    if pattern.startswith("*"):
        return value.endswith(pattern[1:])
    if pattern.endswith("*"):
        return value.startswith(pattern[:-1])
    return pattern == value


class PeerPattern:
    """A pattern of names; the empty pattern matches every partner, also a partner without a certificate."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._wanted = read_name(text)
        for kind in self._wanted:
            if kind not in ORDER:
                raise BadName(
                    f"{text!r}: {kind} is not a valid attribute; those that can be asked for are {', '.join(ORDER)}"
                )

    def matches(self, name: str) -> bool:
        """Say whether a name has all attributes of the pattern."""
        if not self._wanted:
            return True
        try:
            there = read_name(name)
        except BadName:
            return False
        for kind, patterns in self._wanted.items():
            values = there.get(kind, [])
            if len(values) < len(patterns):
                return False
            if not all(_fits(pattern, value) for pattern, value in zip(patterns, values, strict=False)):
                return False
        return True

    @property
    def rank(self) -> tuple[int, ...]:
        """Give the key that orders patterns; the lower one is more specific."""
        return tuple([self._class(kind) for kind in ORDER])

    def _class(self, kind: str) -> int:
        patterns = self._wanted.get(kind)
        if patterns is None:
            return _ABSENT
        return _GENERIC if any("*" in pattern for pattern in patterns) else _EXACT
