"""The transmission queue header, MQXQH: the destination of a message on a transmission queue, and its descriptor.

    offset 0 StrucId 'XQH '   4 Version 1   8 RemoteQName 48   56 RemoteQMgrName 48   104 MQMD version 1   428 end

The version 2 fields of the descriptor, where they are not the defaults, follow in an MQMDE.
"""

from typing import Final

from kew.formats import mqmd
from kew.formats.binary import LITTLE, FormatError, fit_text, version_order
from kew.formats.mqmd import MessageDescriptor

LENGTH: Final = 428
_DESCRIPTOR: Final = 104
_HEAD_LITTLE: Final = b"XQH \1\0\0\0"
_HEAD_BIG: Final = b"XQH \0\0\0\1"


class TransmissionHeader:
    """An MQXQH: the destination of a message in transit, and its own descriptor."""

    def __init__(self, remote_queue: bytes, remote_queue_manager: bytes, descriptor: MessageDescriptor) -> None:
        self.remote_queue = remote_queue
        self.remote_queue_manager = remote_queue_manager
        self.descriptor = descriptor


def encode(header: TransmissionHeader, order: str = LITTLE) -> bytes:
    """Encode the header in 428 bytes."""
    return (
        (_HEAD_LITTLE if order == LITTLE else _HEAD_BIG)
        + fit_text(header.remote_queue, 48, "MQXQH", "RemoteQName")
        + fit_text(header.remote_queue_manager, 48, "MQXQH", "RemoteQMgrName")
        + mqmd.encode_as(header.descriptor, order, 1)
    )


def decode(data: bytes, offset: int = 0) -> TransmissionHeader:
    """Decode the header at an offset, in either byte order; character fields keep their padding."""
    order = version_order("MQXQH", b"XQH ", (1,), data, offset)
    if len(data) - offset < LENGTH:
        raise FormatError("MQXQH", offset, f"expected {LENGTH} bytes, {len(data) - offset} remain")
    place = offset + _DESCRIPTOR
    if mqmd.encoded_length(data, place) != mqmd.LENGTH_1:
        raise FormatError("MQXQH", place, "expected a version 1 descriptor")
    if mqmd.byte_order(data, place) != order:
        raise FormatError("MQXQH", place, "expected the descriptor in the byte order of the header")
    return TransmissionHeader(data[offset + 8 : offset + 56], data[offset + 56 : place], mqmd.decode(data, place))
