"""The message channels of a queue manager, as agents see them.

The module is interpreted: the manager of message channels is, and an interpreted class has no
compiled bases of two kinds.
"""

from abc import abstractmethod

from kew.channels.transport.tcp import Stream
from kew.objects.catalogue import Record


class MessageChannelAcceptor:
    """Accepts partners that call for a message channel; the manager of message channels is one."""

    @abstractmethod
    def accept_partner(self, record: Record, stream: Stream, address: str, opening: bytes, requests: bool) -> int:
        """Accept a partner that has called and named a channel, with the bytes that it has sent.

        The partner sends messages, or with `requests` asks for them. Gives the code that refuses, 0 for none.
        """
