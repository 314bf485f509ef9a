"""Distinguished names of signers and recipients, as policies write them and as certificates have them.

A policy writes `CN=bob,O=IBM,C=GB`, from the most specific attribute to the least; the same attributes in reverse order
are the same name. Case and repeated blanks do not count.
"""

from typing import Final

from kew.formats.distinguishedname import BadName, split_name

MOST_ATTRIBUTES: Final = 32

Name = tuple[tuple[str, str], ...]

_SAME: Final = {"S": "ST", "SP": "ST", "E": "EMAIL", "MAIL": "EMAIL", "EMAILADDRESS": "EMAIL", "USERID": "UID"}
OIDS: Final = {
    "2.5.4.3": "CN",
    "2.5.4.5": "SERIALNUMBER",
    "2.5.4.6": "C",
    "2.5.4.7": "L",
    "2.5.4.8": "ST",
    "2.5.4.9": "STREET",
    "2.5.4.10": "O",
    "2.5.4.11": "OU",
    "2.5.4.12": "T",
    "2.5.4.17": "PC",
    "0.9.2342.19200300.100.1.1": "UID",
    "0.9.2342.19200300.100.1.25": "DC",
    "1.2.840.113549.1.9.1": "EMAIL",
}
_KNOWN: Final = frozenset(OIDS.values())


def folded(value: str) -> str:
    """Give a value in the form that is compared."""
    return " ".join(value.split()).casefold()


def read_name(text: str) -> Name:
    """Read a distinguished name: its attributes in the order in which a policy writes them."""
    found: list[tuple[str, str]] = []
    for item in split_name(text):
        kind, equals, value = item.partition("=")
        kind = kind.strip().upper()
        kind = _SAME.get(kind, kind)
        if not equals or not value.strip():
            raise BadName(f"{text!r}: {item.strip()!r} is not an attribute with a value, such as CN=bob")
        if kind not in _KNOWN:
            raise BadName(f"{text!r}: {kind} is not a known attribute; known are {', '.join(sorted(_KNOWN))}")
        found.append((kind, folded(value)))
    if len(found) > MOST_ATTRIBUTES:
        raise BadName(f"a name has {len(found)} attributes, the most are {MOST_ATTRIBUTES}")
    return tuple(found)


def is_same(one: Name, other: Name) -> bool:
    """Say whether two names are the same, in the same order or in reverse."""
    return one == other or one == other[::-1]


def shown(name: Name) -> str:
    """Give a name as an error message shows it."""
    return ",".join([f"{kind}={value}" for kind, value in name])
