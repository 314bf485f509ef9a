"""What ibmmq raises."""

from typing import Any

from kew.faces import errors
from kew.ibmmq.CMQSTRC import MQRC_DICT, MQRCCF_DICT


class Error(errors.Error):
    """What all errors of this package are."""


class MQMIError(Error, errors.MQMIError):
    """A verb or command that did not succeed: completion code, reason code, and further facts as attributes."""

    errStringDicts = (MQRC_DICT, MQRCCF_DICT)  # noqa: N815

    def __str__(self) -> str:
        return f"MQI Error. Comp {self.comp}, Reason {self.reason}: {self.error_as_string()}"

    def error_as_string(self) -> str:
        """Whether it is a warning or a failure, and the name of the reason."""
        return errors.MQMIError.errorAsString(self)

    errorAsString = error_as_string  # noqa: N815

    def get(self, k: str) -> Any:
        """A further fact."""
        return getattr(self, k)


class PYIFError(Error, errors.PYIFError):
    """A call that makes no sense to the package itself."""

    def __str__(self) -> str:
        return f"PYIBMMQ Error: {self.error}"
