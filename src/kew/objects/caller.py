"""The caller of a command, for authority checks and events."""

from typing import Final

from kew.codes.attributes import MQEVO_CONSOLE, MQEVO_INTERNAL
from kew.codes.options import MQAT_UNIX


class Caller:
    """The user of a command, the interface that took it, and the context of the message that carried it, if any."""

    def __init__(
        self,
        user: str | None = None,
        origin: int = MQEVO_CONSOLE,
        accounting_token: bytes = bytes(32),
        identity_data: str = "",
        application_type: int = MQAT_UNIX,
        application_name: str = "",
        application_origin: str = "",
    ) -> None:
        self.user = user  # None: the owner of the queue manager, by the control socket
        self.origin = origin
        self.accounting_token = accounting_token
        self.identity_data = identity_data
        self.application_type = application_type
        self.application_name = application_name
        self.application_origin = application_origin


CONSOLE: Final = Caller()
NOBODY: Final = Caller(origin=MQEVO_INTERNAL)  # the queue manager itself
