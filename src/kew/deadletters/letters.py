"""A message on a dead-letter queue: its reason code, its destination, and its original descriptor."""

from kew.codes.options import MQFMT_DEAD_LETTER_HEADER
from kew.formats import mqdlh
from kew.formats.binary import FormatError
from kew.formats.mqdlh import DeadLetterHeader
from kew.formats.mqmd import MessageDescriptor


def text(field: bytes) -> str:
    """Give a character field without its padding."""
    return field.rstrip(b" \0").decode("utf-8", "replace")


class Letter:
    """A dead letter: its descriptor, its MQDLH, and the data behind that header."""

    def __init__(self, descriptor: MessageDescriptor, header: DeadLetterHeader, data: bytes) -> None:
        self.descriptor = descriptor  # as it is on the queue
        self.header = header
        self.data = data  # behind the header
        self.reason = header.reason
        self.queue = text(header.destination_queue)
        self.manager = text(header.destination_queue_manager)
        self.format = text(header.format)

    def original(self) -> MessageDescriptor:
        """Give the descriptor that the message had without the header."""
        descriptor = self.descriptor.copy()
        descriptor.format = self.header.format
        descriptor.encoding = self.header.encoding
        descriptor.ccsid = self.header.ccsid
        return descriptor


def read(descriptor: MessageDescriptor, data: bytes) -> Letter | None:
    """Read a message of a dead-letter queue; None if the message does not begin with a valid MQDLH."""
    if descriptor.format != MQFMT_DEAD_LETTER_HEADER:
        return None
    try:
        header = mqdlh.decode(data)
    except FormatError:
        return None
    return Letter(descriptor, header, data[mqdlh.LENGTH :])
