"""The message channels of a queue manager, as far as agents hand partners over to them."""

from abc import abstractmethod

from kew.channels.transport.tcp import Stream
from kew.objects.catalogue import Record


class MessageChannelEntrance:
    """The message channels of the queue manager, as far as partners that call come to them."""

    @abstractmethod
    def welcome(self, record: Record, stream: Stream, address: str, opening: bytes, requests: bool) -> int:
        """Take a partner that has called and named a channel, with the bytes that it has sent.

        It sends, or requests messages. Gives the code that refuses, 0 for none.
        """
