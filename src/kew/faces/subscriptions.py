"""Conversion between the SD of a Python program and the arguments of MQSUB, for local and client connections."""

from typing import Any, Final

from kew.channels.protocol.subscription import SubscriptionDescriptor
from kew.codes.errors import MQError
from kew.codes.reasons import (
    MQRC_OBJECT_STRING_ERROR,
    MQRC_SELECTION_STRING_ERROR,
    MQRC_SUB_NAME_ERROR,
    MQRC_SUB_USER_DATA_ERROR,
)
from kew.faces.descriptors import id_field, name_field
from kew.mqi.subscribing.subscribe import Subscribed, SubscriptionRequest, options_of

ROOM: Final = 10240  # length of the buffers for the topic string and user data of the reply


def text_of(structure: Any, field: str, reason: int) -> str:
    """Give the text of a variable string; in Python it is UTF-8."""
    raw = structure.get_vs(field) or b""
    try:
        text: str = raw.decode("utf-8")
    except UnicodeDecodeError as problem:
        raise MQError(reason, why=str(problem)) from problem
    return text


def request_of(sd: Any) -> SubscriptionRequest:
    """Make the subscription request of an SD, for a queue manager in this process."""
    request = SubscriptionRequest(
        sd.Options,
        text_of(sd, "ObjectString", MQRC_OBJECT_STRING_ERROR),
        name_field(sd.ObjectName, 48).decode("latin-1").rstrip(),
        text_of(sd, "SubName", MQRC_SUB_NAME_ERROR),
    )
    request.alternate_user = name_field(sd.AlternateUserId, 12).decode("latin-1").rstrip()
    request.expiry = sd.SubExpiry
    request.user_data = text_of(sd, "SubUserData", MQRC_SUB_USER_DATA_ERROR)
    request.correlation_id = id_field(sd.SubCorrelId, 24)
    request.priority = sd.PubPriority
    request.accounting_token = id_field(sd.PubAccountingToken, 32)
    request.identity_data = name_field(sd.PubApplIdentityData, 32)
    request.selector = text_of(sd, "SelectionString", MQRC_SELECTION_STRING_ERROR)
    request.level = sd.SubLevel
    return request


def descriptor_for(sd: Any) -> SubscriptionDescriptor:
    """Make the subscription descriptor of an SD, for a queue manager over a socket."""
    descriptor = SubscriptionDescriptor()
    descriptor.options = sd.Options
    descriptor.object_name = name_field(sd.ObjectName, 48)
    descriptor.alternate_user = name_field(sd.AlternateUserId, 12)
    descriptor.expiry = sd.SubExpiry
    descriptor.correlation_id = id_field(sd.SubCorrelId, 24)
    descriptor.publish_priority = sd.PubPriority
    descriptor.publish_accounting_token = id_field(sd.PubAccountingToken, 32)
    descriptor.publish_identity_data = name_field(sd.PubApplIdentityData, 32)
    descriptor.level = sd.SubLevel
    descriptor.set_strings(
        sd.get_vs("ObjectString") or b"",
        sd.get_vs("SubName") or b"",
        sd.get_vs("SubUserData") or b"",
        sd.get_vs("SelectionString") or b"",
    )
    descriptor.user_data.buffer_size = ROOM
    descriptor.resolved_object_string.buffer_size = ROOM
    return descriptor


def completed(sd: Any, made: Subscribed) -> None:
    """Fill an SD from a subscription in this process."""
    subscription = made.subscription
    sd.Options = options_of(subscription, sd.Options)
    sd.SubCorrelId = subscription.correlation_id
    sd.PubPriority = subscription.priority
    sd.PubAccountingToken = subscription.accounting_token
    sd.PubApplIdentityData = subscription.identity_data
    sd.SubExpiry = subscription.lifetime
    sd.SubLevel = subscription.level
    sd.set_vs("ResObjectString", subscription.topic.encode())
    sd.set_vs("SubUserData", subscription.user_data.encode())


def completed_from(sd: Any, descriptor: SubscriptionDescriptor) -> None:
    """Fill an SD from the descriptor of a reply."""
    sd.Options = descriptor.options
    sd.SubCorrelId = descriptor.correlation_id
    sd.PubPriority = descriptor.publish_priority
    sd.PubAccountingToken = descriptor.publish_accounting_token
    sd.PubApplIdentityData = descriptor.publish_identity_data
    sd.SubExpiry = descriptor.expiry
    sd.SubLevel = descriptor.level
    sd.set_vs("ResObjectString", descriptor.text_of(descriptor.resolved_object_string))
    sd.set_vs("SubUserData", descriptor.text_of(descriptor.user_data))
