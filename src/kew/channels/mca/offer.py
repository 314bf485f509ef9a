"""The offer of a message channel and the terms that it grants, from the definition and the queue manager's limits."""

from typing import Final

from kew.channels.mca.definition import MessageChannel
from kew.channels.mca.services import ChannelServices
from kew.channels.protocol.dialect import padded
from kew.channels.protocol.negotiate import (
    CONFIRMS_FAST,
    DIST_LIST,
    FAST_MESSAGES,
    KEW_CHANNEL,
    LARGE_SEGMENTS,
    REQUEST_INITIATION,
    SENDER_CAPABILITIES,
    InitialData,
    Terms,
    compression_list,
)
from kew.channels.protocol.segments import CONFIRM_REQUEST
from kew.formats.charset import UTF_8

MESSAGE_PROPERTIES: Final = 0x05  # the partner takes message properties, as an MQRFH2
PRODUCT: Final = b"MQMM09040300"


def offer_of(services: ChannelServices, channel: MessageChannel) -> InitialData:
    """Make the caller's offer."""
    offer = InitialData()
    offer.flags = CONFIRM_REQUEST
    offer.channel_name = padded(channel.name, 20)
    offer.queue_manager = padded(services.engine.name, 48)
    offer.queue_manager_id = padded(services.identifier, 48)
    offer.product = PRODUCT
    offer.capabilities1 = SENDER_CAPABILITIES
    offer.capabilities2 = _capabilities(channel)
    offer.capabilities3 = MESSAGE_PROPERTIES
    offer.batch_size = _batch_size(services, channel)
    offer.max_message = min(channel.max_message, services.engine.max_message_length)
    offer.sequence_wrap = channel.wrap
    offer.heartbeat = channel.heartbeat
    offer.conversations = 0
    offer.header_compression = compression_list(channel.header_compression, 2)
    offer.message_compression = compression_list(channel.message_compression, 16)
    offer.trace_id = KEW_CHANNEL
    offer.ccsid = UTF_8
    offer.reserved4 = services.window | CONFIRMS_FAST | LARGE_SEGMENTS
    return offer


def request_of(services: ChannelServices, channel: MessageChannel) -> InitialData:
    """Make a requester's offer: its partner is to send, on this socket or by a call of its own."""
    offer = offer_of(services, channel)
    offer.capabilities1 |= REQUEST_INITIATION
    return offer


def terms_of(services: ChannelServices, channel: MessageChannel) -> Terms:
    """Make the responder's terms."""
    terms = Terms(services.engine.name, services.identifier)
    terms.batch_size = _batch_size(services, channel)
    terms.sequence_wrap = channel.wrap
    terms.max_message = min(channel.max_message, services.engine.max_message_length)
    terms.heartbeat = channel.heartbeat
    terms.capabilities2 = _capabilities(channel)
    terms.capabilities3 = MESSAGE_PROPERTIES
    terms.ccsid = UTF_8
    terms.header_compression = channel.header_compression
    terms.message_compression = channel.message_compression
    terms.kew_word = services.window | CONFIRMS_FAST | LARGE_SEGMENTS
    return terms


def _capabilities(channel: MessageChannel) -> int:
    return DIST_LIST | (FAST_MESSAGES if channel.fast else 0)


def _batch_size(services: ChannelServices, channel: MessageChannel) -> int:
    """Give the messages of a batch; with the record they are one unit of work, which MAXUMSGS limits."""
    return min(channel.batch_size, max(services.engine.max_uncommitted - 1, 1))
