"""One line for each reason code, in the words of someone who has to act on it."""

from typing import Final

REASON_TEXTS: Final[dict[str, str]] = {
    "MQRC_NONE": "The call or command did what it was asked.",
}
