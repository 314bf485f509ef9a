"""The error that every layer raises: a completion code, a reason code, and the facts that explain it.

    MQError
    ├── NoMessage    2033: nothing on the queue fits the get
    ├── BackedOut    2003: the unit of work is gone and must be done again
    └── Broken       2009 and its kin: the connection is of no further use

Callers branch on these three; everything else they tell apart by `reason`.
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
    """A verb or command that failed, with reason code and facts."""

    def __init__(self, reason: int, /, *, completion: int = MQCC_FAILED, **facts: object) -> None:
        super().__init__(reason)
        self.reason = reason
        self.completion = completion
        self.facts = facts

    @property
    def name(self) -> str:
        """MQ's name of the reason."""
        return reason_name(self.reason)

    def __str__(self) -> str:
        line = f"{self.reason} {self.name}: {reason_text(self.reason)}"
        if self.facts:
            known = ", ".join(f"{key} {value!r}" for key, value in self.facts.items())
            line = f"{line} ({known})"
        return line


class NoMessage(MQError):
    """No message on the queue matches the get."""

    def __init__(self, **facts: object) -> None:
        super().__init__(MQRC_NO_MSG_AVAILABLE)
        self.facts = facts


class BackedOut(MQError):
    """The unit of work was backed out."""

    def __init__(self, reason: int = MQRC_BACKED_OUT, **facts: object) -> None:
        super().__init__(reason)
        self.facts = facts


class Broken(MQError):
    """The connection is of no further use."""

    def __init__(self, reason: int = MQRC_CONNECTION_BROKEN, **facts: object) -> None:
        super().__init__(reason)
        self.facts = facts
