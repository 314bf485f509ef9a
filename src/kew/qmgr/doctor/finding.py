"""A finding of the doctor: a check and its result."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

OK: Final = "OK"
WARN: Final = "WARN"  # the queue manager runs, but slower or less safely than it could
FAIL: Final = "FAIL"  # the queue manager will not run, or not for long
LEVELS: Final = (OK, WARN, FAIL)


@dataclass(frozen=True)
class Finding:
    """The result of a check: group and name, value found and wanted, level, and remedy."""

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
    """Give the finding for a number that should be large: WARN below the wanted value, FAIL below the needed one."""
    level = FAIL if found < needed else WARN if found < wanted else OK
    after = f" {unit}" if unit else ""
    return Finding(group, name, f"{found}{after}", f">= {wanted}{after}", level, "" if level == OK else remedy)
