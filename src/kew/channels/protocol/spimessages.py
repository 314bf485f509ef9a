"""SPI PUT and SPI GET as plain puts and gets; only their replies have the form of the SPI.

Each class is a subclass of the plain call, so that agents carry out both alike.
"""

from typing import Final

from kew.channels.protocol.dialect import Dialect, pair
from kew.channels.protocol.events import Call
from kew.channels.protocol.messages import Get, GetReply, Put, Put1, Put1Reply, PutReply
from kew.channels.protocol.segments import REPLY, SPI
from kew.channels.protocol.spi import (
    DEFERRED,
    IN_SYNCPOINT,
    SpiCall,
    SpiGet,
    SpiPut,
    get_structures,
    put_structures,
)
from kew.codes.options import MQGMO_SYNCPOINT, MQPMO_SYNCPOINT

_HEAD: Final = pair("iii")


class SpiPutCall(Put):
    """SPI PUT on an open queue."""

    def __init__(self, call: SpiCall, inside: SpiPut) -> None:
        super().__init__(inside.descriptor, inside.options, inside.data)
        self.answers(call)  # the same conversation, request and handle
        self.call = call
        self.inside = inside
        _mark_syncpoint(inside)

    def reply(self) -> PutReply:
        """Make the reply, in the form of the SPI."""
        return SpiPutReply(self)


class SpiPutReply(PutReply):
    """The reply to SPI PUT."""

    def __init__(self, put: SpiPutCall) -> None:
        super().__init__(put.descriptor, put.options, len(put.payload))
        self.kind = SPI + REPLY
        self.put = put

    def encode(self, dialect: Dialect) -> bytes:
        """Encode three words, SPPU with descriptor and options, and SPPO."""
        inside = self.put.inside
        inside.descriptor, inside.options = self.descriptor, self.options
        return _words(self.put.call, dialect) + put_structures(self.put.call, inside, dialect)


class SpiPut1Call(Put1):
    """SPI PUT with the object in it."""

    def __init__(self, call: SpiCall, inside: SpiPut) -> None:
        target = inside.target
        assert target is not None
        super().__init__(target, inside.descriptor, inside.options, inside.data)
        self.answers(call)
        self.call = call
        self.inside = inside
        _mark_syncpoint(inside)

    def reply(self) -> Put1Reply:
        """Make the reply, in the form of the SPI."""
        return SpiPut1Reply(self)


class SpiPut1Reply(Put1Reply):
    """The reply to SPI PUT with an object."""

    def __init__(self, put: SpiPut1Call) -> None:
        super().__init__(put.target, put.descriptor, put.options, len(put.payload))
        self.kind = SPI + REPLY
        self.put = put

    def encode(self, dialect: Dialect) -> bytes:
        """Encode three words, SPPU with descriptor, options and object, and SPPO."""
        inside = self.put.inside
        inside.descriptor, inside.options, inside.target = self.descriptor, self.options, self.target
        return _words(self.put.call, dialect) + put_structures(self.put.call, inside, dialect)


class SpiGetCall(Get):
    """SPI GET: one message; a batch has at least one message, so one is enough."""

    def __init__(self, call: SpiCall, inside: SpiGet) -> None:
        super().__init__(inside.descriptor, inside.options, max(inside.max_size, 0))
        self.answers(call)
        self.call = call
        self.inside = inside

    def reply(self, full_length: int, data: bytes) -> GetReply:
        """Make the reply, in the form of the SPI."""
        return SpiGetReply(self, full_length, data)


class SpiGetReply(GetReply):
    """The reply to SPI GET."""

    def __init__(self, get: SpiGetCall, full_length: int, data: bytes) -> None:
        super().__init__(get.descriptor, get.options, full_length, data)
        self.kind = SPI + REPLY
        self.get = get

    def encode(self, dialect: Dialect) -> bytes:
        """Encode three words, SPGU with descriptor and options, and SPGO up to the data."""
        inside = self.get.inside
        inside.descriptor, inside.options = self.descriptor, self.options
        options = IN_SYNCPOINT if self.options.options & MQGMO_SYNCPOINT else 0
        return _words(self.get.call, dialect) + get_structures(
            self.get.call, inside, options, len(self.payload), dialect
        )


def deferred(call: Call) -> bool:
    """Say whether a put is held until it is activated."""
    return isinstance(call, SpiCall) and isinstance(call.inside, SpiPut) and call.inside.spi_options & DEFERRED != 0


def _mark_syncpoint(inside: SpiPut) -> None:
    if inside.spi_options & IN_SYNCPOINT:
        inside.options.options |= MQPMO_SYNCPOINT


def _words(call: SpiCall, dialect: Dialect) -> bytes:
    return _HEAD[dialect.order].pack(call.verb, call.verb_version, call.reply_size)
