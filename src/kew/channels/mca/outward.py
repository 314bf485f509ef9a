"""The form of a message for its partner: converted (CONVERT), without properties (PROPCTL), split (MQDH)."""

from typing import Final

from kew.channels.mca.distribution import FORMAT as DISTRIBUTION
from kew.channels.mca.distribution import split
from kew.codes.errors import MQError
from kew.codes.options import MQFMT_NONE, MQFMT_RF_HEADER_2
from kew.formats import mqxqh
from kew.formats.charset import UTF_8
from kew.formats.conversion import Data, NotConverted, convert
from kew.formats.mqxqh import TransmissionHeader
from kew.mqi.messages.extension import absorb, extend
from kew.mqi.messages.propertycontrol import apply_property_control

NAME: Final = 48


class Outward:
    """The form of messages for one channel's partner: its abilities, once both ends have agreed on them."""

    def __init__(self) -> None:
        self.takes_lists: bool = True  # MQDH
        self.takes_properties: bool = True
        self.property_control: int = 0  # PROPCTL, for a partner that does not
        self.converts: bool = False  # CONVERT(YES)
        self.ccsid: int = 0  # of the partner
        self.encoding: int = 0

    def changes(self, header: TransmissionHeader) -> bool:
        """Say whether a message may have to be changed for the partner."""
        return self.converts or not self.takes_lists or not self.takes_properties

    def messages(self, header: TransmissionHeader, data: bytes) -> list[bytes]:
        """Give the messages to send in place of one, each with its MQXQH; `data` begins after the MQXQH.

        Raises MQError with the reason why the data cannot be converted, and FormatError for a wrong MQDH.
        """
        descriptor = header.descriptor
        body = absorb(descriptor, data)
        if not self.takes_lists and descriptor.format == DISTRIBUTION and not header.remote_queue.strip(b" \0"):
            found: list[bytes] = []
            for each in split(descriptor, body):
                queue, manager = each.queue.encode().ljust(NAME), each.manager.encode().ljust(NAME)
                manager = manager if each.manager else header.remote_queue_manager
                found.append(self._message(TransmissionHeader(queue, manager, each.descriptor), each.data))
            return found
        return [self._message(header, body)]

    def _message(self, header: TransmissionHeader, body: bytes) -> bytes:
        descriptor = header.descriptor
        if not self.takes_properties and descriptor.format == MQFMT_RF_HEADER_2:
            body = apply_property_control(0, self.property_control, descriptor, body)
        if self.converts and descriptor.format != MQFMT_NONE:
            try:
                turned = convert(
                    Data(descriptor.format, descriptor.ccsid, descriptor.encoding, body), self.ccsid, self.encoding
                )
            except NotConverted as problem:
                raise MQError(problem.reason, format=descriptor.format.decode("latin-1").strip()) from problem
            body, descriptor.ccsid, descriptor.encoding = turned.data, turned.ccsid, turned.encoding
        body = extend(descriptor, body, UTF_8)
        return mqxqh.encode(header) + body
