"""The stored form of descriptors that are nearly equal: the first is encoded, the others reuse parts of its bytes.

Copies of a publication nearly always differ only in the fields that are named here:

    offset 0 common part, 48 MsgId, 72 CorrelId, 96 common part, 196 UserIdentifier, 208 AccountingToken,
           240 ApplIdentityData, 272 common part

A copy with another priority, persistence or expiry is encoded on its own.
"""

from typing import Final

from kew.formats.mqmd import MessageDescriptor, encode

_MESSAGE_ID: Final = 48
_AFTER_IDS: Final = 96
_IDENTITY: Final = 196
_AFTER_IDENTITY: Final = 272


class DescriptorTemplate:
    """The encoder of descriptors that share all other fields."""

    def __init__(self) -> None:
        self._before_ids = b""  # nothing was encoded yet
        self._after_ids = b""
        self._after_identity = b""
        self._expiry = 0
        self._priority = 0
        self._persistence = 0

    def encode(self, md: MessageDescriptor) -> bytes:
        """Encode a descriptor; gives the same canonical bytes as `mqmd.encode`."""
        if not self._before_ids:
            first = encode(md)
            self._before_ids = first[:_MESSAGE_ID]
            self._after_ids = first[_AFTER_IDS:_IDENTITY]
            self._after_identity = first[_AFTER_IDENTITY:]
            self._expiry = md.expiry
            self._priority = md.priority
            self._persistence = md.persistence
            return first
        if md.expiry != self._expiry or md.priority != self._priority or md.persistence != self._persistence:
            return encode(md)
        md.pad()
        return b"".join(
            [
                self._before_ids,
                md.message_id,
                md.correlation_id,
                self._after_ids,
                md.user_identifier,
                md.accounting_token,
                md.application_identity_data,
                self._after_identity,
            ]
        )
