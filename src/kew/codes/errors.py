"""MQError, which every layer raises: a completion code, a reason code, and the facts that explain the reason.

    MQError
    ├── NoMessage    2033: no message on the queue matches the get
    ├── BackedOut    2003: the unit of work was backed out and must be repeated
    └── Broken       2009 and similar reasons: the connection can no longer be used

Callers catch these three by class, and distinguish all other errors by `reason`.
"""

from kew.codes.completion import MQCC_FAILED
from kew.codes.reasons import (
    MQRC_BACKED_OUT,
    MQRC_CONNECTION_BROKEN,
    MQRC_NO_MSG_AVAILABLE,
    reason_name,
    reason_text,
)


class MQError(Exception):
    """The error of a failed verb or command, with its reason code and facts."""

    def __init__(self, reason: int, /, *, completion: int = MQCC_FAILED, **facts: object) -> None:
        super().__init__(reason)
        self.reason = reason
        self.completion = completion
        self.facts = facts

    @property
    def name(self) -> str:
        """Give MQ's name of the reason code."""
        return reason_name(self.reason)

    def __str__(self) -> str:
        line = f"{self.reason} {self.name}: {reason_text(self.reason)}"
        if self.facts:
            known = ", ".join(f"{key} {value!r}" for key, value in self.facts.items())
            line = f"{line} ({known})"
        return line


class NoMessage(MQError):
    """The error of a get for which the queue has no message."""

    def __init__(self, **facts: object) -> None:
        super().__init__(MQRC_NO_MSG_AVAILABLE)
        self.facts = facts


class BackedOut(MQError):
    """The error of a verb whose unit of work was backed out."""

    def __init__(self, reason: int = MQRC_BACKED_OUT, **facts: object) -> None:
        super().__init__(reason)
        self.facts = facts


class Broken(MQError):
    """The error of a verb whose connection can no longer be used."""

    def __init__(self, reason: int = MQRC_CONNECTION_BROKEN, **facts: object) -> None:
        super().__init__(reason)
        self.facts = facts
