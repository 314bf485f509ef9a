"""Completion codes: how a verb ended."""

from typing import Final

MQCC_UNKNOWN: Final = -1
MQCC_OK: Final = 0
MQCC_WARNING: Final = 1
MQCC_FAILED: Final = 2
