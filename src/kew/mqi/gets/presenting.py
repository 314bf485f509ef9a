"""What of a message its program sees: properties as it asks for them, and an MQMDE for a descriptor of version 1.

Every message that a program gets or browses passes here, whichever way it comes: off its queue, put together from its
segments, or handed over by whoever puts it.
"""

from kew.formats.mqmd import MessageDescriptor
from kew.formats.properties import RFH2_FORMAT
from kew.mqi.connections import metering
from kew.mqi.gets.request import BROWSE, GetRequest
from kew.mqi.messages.extension import extend
from kew.mqi.messages.propertycontrol import shaped


def presented(request: GetRequest, descriptor: MessageDescriptor, data: bytes) -> bytes:
    """Give the data of a message as its program sees it; the descriptor is brought into line."""
    if descriptor.format == RFH2_FORMAT:
        data = shaped(request.options, request.handle.property_control(), descriptor, data)
    if request.extends:
        data = extend(descriptor, data, request.connection.engine.ccsid)
    return data


def took_directly(request: GetRequest, descriptor: MessageDescriptor, length: int) -> None:
    """Take note that a get that waited was handed a message which was never on the queue."""
    request.handle.save_context(descriptor)
    if request.connection.engine.metered:
        metering.got_directly(request.connection, request.handle, descriptor, length)


def redriven(request: GetRequest) -> None:
    """Take note that a get that waited is tried again."""
    if request.connection.engine.detailed:
        metering.redriven(request.connection, request.handle, request.options & BROWSE != 0)
