"""Remarks on dumps: damage, and records that are newer than Kew or of another product.

The decoder makes rows of the table `remarks`, one for each kind of thing in a batch; a command adds them up and prints
them once, beside its output. No part of a dump is left out without a remark.
"""

from collections.abc import Iterator
from typing import Final

import pyarrow as pa

from kew.formats.smf import STRUCTURES
from kew.formats.smf.records import DUMP_HEADER, DUMP_TRAILER

LOST: Final = "lost"  # was to be read and cannot be
PASSED: Final = "not decoded"  # is in order and not for Kew, or newer than it
DAMAGED: Final = "damaged places"
MARKERS: Final = (DUMP_HEADER, DUMP_TRAILER)

TYPES: Final = {
    7: "data lost by SMF itself",
    14: "data sets read",
    15: "data sets written",
    30: "address space work",
    42: "storage management",
    70: "processor activity",
    71: "paging activity",
    72: "workload activity",
    74: "devices and coupling facility",
    80: "security",
    89: "product usage",
    100: "Db2 statistics",
    101: "Db2 accounting",
    102: "Db2 performance",
    110: "CICS",
    113: "hardware counters",
    119: "TCP/IP",
    120: "WebSphere",
    123: "z/OS Connect",
    180: "MQ Advanced Message Security, where the installation kept its number",
}
SUBTYPES: Final = {(115, 240): "internal"}
# Sections that every queue manager writes and IBM does not describe, with their lengths.
INTERNAL: Final = {(115, 1, 4): "internal, 64 bytes", (115, 1, 5): "internal, 96 bytes"}
MOST_REMARKS: Final = 50  # kinds of remarks that are printed


def type_name(kind: int) -> str:
    """Give the name of a record type."""
    named = TYPES.get(kind)
    return f"records of type {kind}" + (f" ({named})" if named else "")


def subtype_name(kind: int, subtype: int) -> str:
    """Give the name of a subtype of type 115 or 116 that has no layout."""
    named = SUBTYPES.get((kind, subtype))
    return f"records {kind}-{subtype}" + (f" ({named})" if named else "")


def section_name(kind: int, subtype: int, triplet: int) -> str:
    """Give the name of a section that has no layout."""
    named = INTERNAL.get((kind, subtype, triplet))
    return f"sections of triplet {triplet} of {kind}-{subtype}" + (f" ({named})" if named else "")


def longer_name(structure: str, length: int) -> str:
    """Give the name of a structure that is longer than Kew's layout."""
    known = STRUCTURES[structure].size
    return f"sections {structure} of {length} bytes, of which {known} are known"


class Met:
    """The remarks on one batch: the number of times for each, its bytes, and its first place."""

    def __init__(self) -> None:
        self.found: dict[tuple[str, str], tuple[int, int, int]] = {}

    def add(self, kind: str, what: str, count: int, size: int, offset: int) -> None:
        """Count a remark."""
        if count:
            known = self.found.get((kind, what), (0, 0, offset))
            self.found[kind, what] = (known[0] + count, known[1] + size, min(known[2], offset))


class Remarks:
    """The remarks on everything that was read."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str], list[int]] = {}
        self._first: dict[tuple[str, str], tuple[str, int]] = {}

    def add(self, rows: pa.RecordBatch | pa.Table) -> None:
        """Add rows of the table `remarks`."""
        for row in rows.to_pylist():
            self._add((row["kind"], row["what"]), row["count"], row["bytes"], row["file"], row["offset"])

    def add_met(self, file: str, met: Met) -> None:
        """Add the remarks of a batch of a dump."""
        for key, (count, size, offset) in met.found.items():
            self._add(key, count, size, file, offset)

    def _add(self, key: tuple[str, str], count: int, size: int, file: str, offset: int) -> None:
        known = self._found.setdefault(key, [0, 0])
        known[0] += count
        known[1] += size
        first = self._first.setdefault(key, (file, offset))
        self._first[key] = min(first, (file, offset))

    @property
    def lost(self) -> bool:
        """Say whether input was lost: something was to be read and cannot be."""
        return any(kind == LOST for kind, _ in self._found)

    def brief(self) -> list[str]:
        """Give the lines of lost input, and one line if there are more remarks."""
        said = [line for line in self.lines() if line.startswith("Lost")]
        passed = {what: count for (kind, what), (count, _) in self._found.items() if kind == PASSED}
        if passed:
            kinds = "kind" if len(passed) == 1 else "kinds"
            said.append(
                f"Not decoded: {sum(passed.values()):,} records or sections of {len(passed)} {kinds};"
                " 'kew smf decode' names them"
            )
        return said

    def lines(self) -> Iterator[str]:
        """Give the remarks, lost input first."""
        keys = sorted(self._found, key=lambda key: (key[0] != LOST, key[1]))
        for key in keys[:MOST_REMARKS]:
            count, size = self._found[key]
            file, offset = self._first[key]
            head = "Lost" if key[0] == LOST else "Not decoded"
            yield f"{head}: {count:,} {key[1]}, {size:,} bytes, first at {offset} of {file}"
        if len(keys) > MOST_REMARKS:
            yield f"and {len(keys) - MOST_REMARKS} more kinds; the table remarks has them"
