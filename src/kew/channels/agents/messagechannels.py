"""The message channels of a queue manager, as agents see them.

This module is not compiled: the manager of message channels is an interpreted class, which cannot have two compiled
base classes.
"""

from abc import abstractmethod

from kew.channels.transport.tcp import Stream
from kew.objects.catalogue import Record


class MessageChannelAcceptor:
    """Accepts partners that call for a message channel; the manager of message channels is one."""

    @abstractmethod
    def accept_partner(self, record: Record, stream: Stream, address: str, opening: bytes, requests: bool) -> int:
        """Accept a partner that has called and named a channel; `opening` has the bytes received from the partner.

        The partner sends messages or, with `requests`, asks for messages. Gives the status code of a refusal, 0 for
        none.
        """
