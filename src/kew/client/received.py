"""The result of a get, and the selection that a get asks for."""

from typing import Final

from kew.channels.protocol.delivery import (
    MATCH_CORRELATION_ID,
    MATCH_GROUP_ID,
    MATCH_MESSAGE_ID,
    MATCH_TOKEN,
    Selection,
)
from kew.channels.protocol.descriptor import to_canonical
from kew.channels.protocol.dialect import Dialect
from kew.channels.protocol.events import OK, WARNING
from kew.channels.protocol.options import GetOptions
from kew.codes.options import MQMO_MATCH_MSG_SEQ_NUMBER, MQMO_MATCH_OFFSET
from kew.formats import mqmd
from kew.formats.mqmd import MessageDescriptor

_NO_ID: Final = bytes(24)
_NO_TOKEN: Final = bytes(16)


class Received:
    """The result of a get: the message, its descriptor, and a warning if there is one."""

    def __init__(self, data: bytes, wire: bytes, dialect: Dialect, reason: int, full_length: int) -> None:
        self.data = data
        self._wire = wire  # the descriptor as it came, decoded on first use
        self._dialect = dialect
        self._descriptor: MessageDescriptor | None = None
        self.reason = reason
        self.completion: int = WARNING if reason else OK
        self.full_length = full_length
        self.resolved_queue: str = ""
        self.token: bytes = _NO_TOKEN

    @property
    def descriptor(self) -> MessageDescriptor:
        """The message's descriptor."""
        descriptor = self._descriptor
        if descriptor is None:
            descriptor = self._descriptor = mqmd.decode(to_canonical(self._wire, self._dialect))
        return descriptor

    def replace(self, descriptor: MessageDescriptor, data: bytes) -> None:
        """Replace the descriptor and the data of the message."""
        self._descriptor = descriptor
        self.data = data

    def tell_length(self, length: int) -> None:
        """Report the length of a message of which nothing fits the buffer."""
        self.data = b""
        self.full_length = length

    def warn(self, reason: int) -> None:
        """Set the reason code of the result: a warning, or MQRC_NONE."""
        self.reason = reason
        self.completion = WARNING if reason else OK

    def cut(self, length: int, reason: int) -> None:
        """Cut the data to the length of the program's buffer."""
        self.data = self.data[:length]
        self.reason, self.completion = reason, WARNING


def selection_of(descriptor: MessageDescriptor, options: GetOptions) -> Selection:
    """Give the selection of a get: which messages it matches, and their form."""
    selection = Selection()
    match = _criteria(descriptor, options)
    selection.match_options = match
    selection.ccsid = descriptor.ccsid
    selection.encoding = descriptor.encoding
    selection.descriptor_version = options.descriptor_version
    if match & MATCH_MESSAGE_ID:
        selection.message_id = descriptor.message_id.ljust(24, b"\0")
    if match & MATCH_CORRELATION_ID:
        selection.correlation_id = descriptor.correlation_id.ljust(24, b"\0")
    if match & MATCH_GROUP_ID:
        selection.group_id = descriptor.group_id.ljust(24, b"\0")
    if match & MATCH_TOKEN:
        selection.token = options.message_token
    if match & (MQMO_MATCH_MSG_SEQ_NUMBER | MQMO_MATCH_OFFSET):
        selection.sequence_number = descriptor.sequence_number
        selection.offset = descriptor.offset
    return selection


def _criteria(descriptor: MessageDescriptor, options: GetOptions) -> int:
    """Give the match options without those whose id is empty and so matches anything; no message has an empty token."""
    match = options.match_options if options.version >= 2 else MATCH_MESSAGE_ID | MATCH_CORRELATION_ID
    if match & MATCH_MESSAGE_ID and is_empty(descriptor.message_id):
        match &= ~MATCH_MESSAGE_ID
    if match & MATCH_CORRELATION_ID and is_empty(descriptor.correlation_id):
        match &= ~MATCH_CORRELATION_ID
    if match & MATCH_GROUP_ID and is_empty(descriptor.group_id):
        match &= ~MATCH_GROUP_ID
    return match


def is_empty(identifier: bytes) -> bool:
    """Say whether an id is empty: binary zeros, of any length."""
    return identifier == _NO_ID or not identifier.strip(b"\0")
