"""What pymqi raises."""

from types import ModuleType

from kew.faces import errors
from kew.pymqi import CMQC, CMQCFC


class ConstantNames:
    """The names of a module's constants by value, of those that begin alike."""

    def __init__(self, module: ModuleType, prefix: str) -> None:
        self._names = {value: name for name, value in vars(module).items() if name.startswith(prefix)}

    def __getitem__(self, code: int) -> str:
        return self._names[code]

    def __contains__(self, code: object) -> bool:
        return code in self._names

    def has_key(self, key: int) -> bool:
        """Whether a value has a name."""
        return key in self


class Error(errors.Error):
    """What all errors of this package are."""


class MQMIError(Error, errors.MQMIError):
    """A verb or command that did not succeed: completion code, reason code, and further facts as attributes."""

    errStringDicts = (ConstantNames(CMQC, "MQRC_"), ConstantNames(CMQCFC, "MQRCCF_"))  # noqa: N815

    def __str__(self) -> str:
        return f"MQI Error. Comp: {self.comp}, Reason {self.reason}: {self.errorAsString()}"


class PYIFError(Error, errors.PYIFError):
    """A call that makes no sense to the package itself."""

    def __str__(self) -> str:
        return f"PYMQI Error: {self.error}"
