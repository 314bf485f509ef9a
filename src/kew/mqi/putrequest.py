"""A put as a program asks for it; the edges make one for each call and keep it while the put stalls."""

from typing import Final

from kew.formats.mqmd import MessageDescriptor
from kew.mqi.connect import Connection
from kew.mqi.handles import Handle
from kew.mqi.transform import TurningOut

OVER: Final = -1


class PutRequest:
    """A put: what is to be put, where to, and how."""

    def __init__(
        self,
        connection: Connection,
        handle: Handle,
        descriptor: MessageDescriptor,
        data: bytes,
        options: int = 0,
        context: Handle | None = None,
        delay: int = 0,
    ) -> None:
        self.connection = connection
        self.handle = handle
        self.descriptor = descriptor  # comes back completed
        self.data = data
        self.options = options
        self.context = context  # the input handle whose context is passed on, if any
        self.turning: TurningOut | None = None  # its body, where the handle has a transform
        self.delay = delay  # milliseconds that the message is kept before; OVER: a delay that it asks for is over
