"""What messages are put to and is no queue."""

from kew.formats.mqmd import MessageDescriptor
from kew.mqi.connect import Connection
from kew.mqi.handles import Handle, Outlet
from kew.mqi.longput import LongPut
from kew.storage.log import LogAddress


class PutOutlet(Outlet):
    """A topic, or what else a program has open to put messages to."""

    def __init__(self) -> None:
        self.copies = 0  # messages that the latest put has made

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
        raise NotImplementedError
