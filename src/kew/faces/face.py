"""The classes of one package, for the code that both packages share."""

from typing import Any, NoReturn

from kew.codes.errors import MQError


class Face:
    """The structures and errors of one package."""

    def __init__(
        self,
        structures: dict[str, type[Any]],
        mqi_error: type[Exception],
        own_error: type[Exception],
    ) -> None:
        self.MD = structures["MD"]
        self.OD = structures["OD"]
        self.GMO = structures["GMO"]
        self.PMO = structures["PMO"]
        self.SD = structures["SD"]
        self.SRO = structures["SRO"]
        self.RFH2 = structures["RFH2"]
        # For a put or get without options: the verbs read them, and their output fields are ignored.
        self.plain_pmo: Any = self.PMO()
        self.plain_gmo: Any = self.GMO()
        self.mqi_error: Any = mqi_error
        self.own_error: Any = own_error

    def fail(self, error: MQError, **facts: Any) -> NoReturn:
        """Raise the package's error for a failed verb."""
        raise self.mqi_error(error.completion, error.reason, **facts) from error


def as_bytes(s: Any, encoding: str = "ascii") -> Any:
    """Encode text; anything else stays as it is."""
    return s.encode(encoding) if isinstance(s, str) else s
