"""The exceptions of pymqi."""

from types import ModuleType

from kew.faces import errors
from kew.pymqi import CMQC, CMQCFC


class ConstantNames:
    """The names of a module's constants with a common prefix, by value."""

    def __init__(self, module: ModuleType, prefix: str) -> None:
        self._names = {value: name for name, value in vars(module).items() if name.startswith(prefix)}

    def __getitem__(self, code: int) -> str:
        return self._names[code]

    def __contains__(self, code: object) -> bool:
        return code in self._names

    def has_key(self, key: int) -> bool:
        """Say whether a value has a name."""
        return key in self


class Error(errors.Error):
    """The base class of all errors of this package."""


class MQMIError(Error, errors.MQMIError):
    """A verb or command that failed: completion code, reason code, and further facts as attributes."""

    errStringDicts = (ConstantNames(CMQC, "MQRC_"), ConstantNames(CMQCFC, "MQRCCF_"))  # noqa: N815

    def __str__(self) -> str:
        return f"MQI Error. Comp: {self.comp}, Reason {self.reason}: {self.errorAsString()}"


class PYIFError(Error, errors.PYIFError):
    """A call that is wrong in the package itself, before any verb."""

    def __str__(self) -> str:
        return f"PYMQI Error: {self.error}"
