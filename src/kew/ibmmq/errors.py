"""The exceptions of ibmmq."""

from typing import Any

from kew.faces import errors
from kew.ibmmq.CMQSTRC import MQRC_DICT, MQRCCF_DICT


class Error(errors.Error):
    """The base class of all errors of this package."""


class MQMIError(Error, errors.MQMIError):
    """A verb or command that failed: completion code, reason code, and further facts as attributes."""

    errStringDicts = (MQRC_DICT, MQRCCF_DICT)  # noqa: N815

    def __str__(self) -> str:
        return f"MQI Error. Comp {self.comp}, Reason {self.reason}: {self.error_as_string()}"

    def error_as_string(self) -> str:
        """Give the kind, warning or failure, and the name of the reason code."""
        return errors.MQMIError.errorAsString(self)

    errorAsString = error_as_string  # noqa: N815

    def get(self, k: str) -> Any:
        """Give a further fact."""
        return getattr(self, k)


class PYIFError(Error, errors.PYIFError):
    """A call that is wrong in the package itself, before any verb."""

    def __str__(self) -> str:
        return f"PYIBMMQ Error: {self.error}"
