"""Secret attributes, whose values are never shown."""

import re
from typing import Final

from kew.objects.schema.values import Value

SECRETS: Final = frozenset({"PASSWORD", "LDAPPWD", "KEYRPWD", "INITKEY"})
HIDDEN: Final = "********"
_GIVEN: Final = re.compile(rf"\b({'|'.join(sorted(SECRETS))})(\s*)\((?:\s*'(?:[^']|'')*'\s*|[^)]*)\)", re.IGNORECASE)


def hidden(keyword: str, value: Value) -> Value:
    """Give a value as it may be shown: secrets are hidden."""
    return HIDDEN if keyword in SECRETS and value else value


def without_secrets(command: str) -> str:
    """Give the text of a command as it may be shown: secrets are hidden."""
    return _GIVEN.sub(rf"\1\2({HIDDEN})", command)
