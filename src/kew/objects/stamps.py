"""Dates and times that a queue manager keeps with an object: when it was created and last changed."""

import time
from collections.abc import Mapping
from typing import Final

from kew.objects.values import Value

DATE_FORMAT: Final = "%Y-%m-%d"
TIME_FORMAT: Final = "%H.%M.%S"


def _stamped(values: Mapping[str, Value], when: float, keywords: tuple[str, ...]) -> dict[str, Value]:
    parts = time.localtime(when)
    date, clock = time.strftime(DATE_FORMAT, parts), time.strftime(TIME_FORMAT, parts)
    stamped = dict(values)
    for keyword in keywords:
        if keyword in stamped:
            stamped[keyword] = date if keyword.endswith("DATE") else clock
    return stamped


def created(values: Mapping[str, Value], when: float) -> dict[str, Value]:
    """Return the values of an object that is made now."""
    return _stamped(values, when, ("CRDATE", "CRTIME", "ALTDATE", "ALTTIME"))


def altered(before: Mapping[str, Value], changes: Mapping[str, Value], when: float) -> dict[str, Value]:
    """Return the values of an object that is changed now; when it was created and by whom it is known stay."""
    kept = {keyword: before[keyword] for keyword in ("CRDATE", "CRTIME", "QMID") if keyword in before}
    return _stamped({**before, **changes, **kept}, when, ("ALTDATE", "ALTTIME"))
