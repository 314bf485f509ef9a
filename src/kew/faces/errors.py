"""The exceptions of the two packages: errors of MQ with its completion and reason code, and their own."""

from typing import Any, ClassVar, Protocol

from kew.codes.completion import MQCC_OK, MQCC_WARNING
from kew.codes.reasons import MQRC_NONE


class Names(Protocol):
    """Names of reason codes."""

    def __getitem__(self, code: int, /) -> str: ...

    def __contains__(self, code: object, /) -> bool: ...


class Error(Exception):
    """The base class of all errors of the package."""


class MQMIError(Error):
    """A verb or command that failed: completion code, reason code, and further facts as attributes."""

    errStringDicts: ClassVar[tuple[Names, ...]] = ()  # noqa: N815
    comp = MQCC_OK
    reason = MQRC_NONE

    def __init__(self, comp: int, reason: int, **kw: Any) -> None:
        super().__init__(comp, reason)
        self.comp = comp
        self.reason = reason
        for name, value in kw.items():
            setattr(self, name, value)

    def errorAsString(self) -> str:  # noqa: N802
        """Give the kind, warning or failure, and the name of the reason code."""
        if self.comp == MQCC_OK:
            return "OK"
        kind = "WARNING: " if self.comp == MQCC_WARNING else "FAILED: "
        for names in self.errStringDicts:
            if self.reason in names:
                return kind + names[self.reason]
        return f"{kind}Error code {self.reason} not defined"


class PYIFError(Error):
    """A call that is wrong in the package itself, before any verb."""

    def __init__(self, e: str) -> None:
        super().__init__(e)
        self.error = e
