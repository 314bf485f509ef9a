"""What messages are put to and is no queue here: a topic, a distribution list, a queue of another queue manager."""

from abc import abstractmethod

from kew.formats.mqmd import MessageDescriptor
from kew.mqi.connect import Connection
from kew.mqi.handles import Handle, Outlet
from kew.mqi.longput import LongPut
from kew.storage.log import LogAddress


class PutOutlet(Outlet):
    """What a program has open to put messages to, and has no queue."""

    def __init__(self) -> None:
        super().__init__()
        self.copies = 0  # messages that the latest put has made
        self.counts_itself = False  # what it puts is counted where it is put

    @abstractmethod
    def put(
        self,
        connection: Connection,
        handle: Handle,
        descriptor: MessageDescriptor,
        data: bytes,
        options: int,
        context: Handle | None,
    ) -> LogAddress | LongPut:
        """MQPUT through a handle, as `mqi.put.put` does it for a queue."""

    @abstractmethod
    def close(self, connection: Connection, handle: Handle, options: int) -> None:
        """MQCLOSE of the handle."""
