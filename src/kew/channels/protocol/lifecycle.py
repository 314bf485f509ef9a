"""Events other than calls: the beginning and end of a channel and its conversations."""

from kew.channels.protocol.errors import ProtocolError
from kew.channels.protocol.events import Event
from kew.channels.protocol.negotiate import InitialData
from kew.channels.protocol.status import describe


class ChannelRequested(Event):
    """A caller's first offer: the responder looks up the channel, and then accepts or refuses."""

    def __init__(self, offer: InitialData) -> None:
        super().__init__(0)
        self.offer = offer


class ChannelStarted(Event):
    """Both sides agree; `agreed` has the values in force. Conversation 1 of a client channel exists."""

    def __init__(self, agreed: InitialData) -> None:
        super().__init__(0)
        self.agreed = agreed


class ChannelEnded(Event):
    """The other side ended the channel: with a status code, or with 0 in good order."""

    def __init__(self, code: int, value: int = 0) -> None:
        super().__init__(0)
        self.code = code
        self.value = value

    @property
    def text(self) -> str:
        """The text of the reason."""
        return describe(self.code) if self.code else "closed in good order"


class ConversationStarted(Event):
    """A further conversation exists on the socket."""

    def __init__(self, conversation_id: int) -> None:
        super().__init__(0)
        self.conversation_id = conversation_id


class ConversationEnded(Event):
    """A conversation is over: back out its unit of work, close its handles."""

    def __init__(self, conversation_id: int) -> None:
        super().__init__(0)
        self.conversation_id = conversation_id


class TimedOut(Event):
    """The other side took too long for the handshake, or was silent too long; the owner closes the socket."""

    def __init__(self, what: str) -> None:
        super().__init__(0)
        self.what = what


class Failed(Event):
    """The other side broke the protocol; the owner sends the answer in the session's output, and closes the socket."""

    def __init__(self, error: ProtocolError) -> None:
        super().__init__(0)
        self.error = error
