"""One thing that was looked at, and what came of it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

OK: Final = "OK"
WARN: Final = "WARN"  # it runs, but slower or less safely than it could
FAIL: Final = "FAIL"  # it will not run, or not for long
LEVELS: Final = (OK, WARN, FAIL)


@dataclass(frozen=True)
class Finding:
    """A check: its group and name, what was found and wanted, how good that is, and what to do about it."""

    group: str
    name: str
    found: str
    wanted: str
    level: str
    remedy: str = ""


def worst(findings: Iterable[Finding]) -> str:
    """Give the worst level among findings."""
    return max([finding.level for finding in findings], key=LEVELS.index, default=OK)


def at_least(group: str, name: str, found: int, wanted: int, remedy: str, needed: int = 0, unit: str = "") -> Finding:
    """Judge a number that should be large: WARN below what is wanted, FAIL below what is needed."""
    level = FAIL if found < needed else WARN if found < wanted else OK
    after = f" {unit}" if unit else ""
    return Finding(group, name, f"{found}{after}", f">= {wanted}{after}", level, "" if level == OK else remedy)
