"""MQ's structures made from the arguments of a Python program, for both kinds of client."""

from typing import Final

from kew.channels.protocol.dialect import padded
from kew.channels.protocol.options import GetOptions, PutOptions
from kew.channels.protocol.structures import ObjectDescriptor
from kew.channels.protocol.subscription import SubscriptionDescriptor
from kew.client.arguments import text_of
from kew.codes.errors import MQError
from kew.codes.options import (
    MQGMO_ACCEPT_TRUNCATED_MSG,
    MQGMO_BROWSE_FIRST,
    MQGMO_BROWSE_NEXT,
    MQGMO_FAIL_IF_QUIESCING,
    MQGMO_NO_SYNCPOINT,
    MQGMO_SYNCPOINT,
    MQGMO_WAIT,
    MQOT_Q,
    MQOT_Q_MGR,
    MQOT_TOPIC,
    MQPMO_ASYNC_RESPONSE,
    MQPMO_FAIL_IF_QUIESCING,
    MQPMO_NO_SYNCPOINT,
    MQPMO_SYNCPOINT,
    MQSO_CREATE,
    MQSO_FAIL_IF_QUIESCING,
    MQSO_MANAGED,
    MQSO_NON_DURABLE,
)
from kew.codes.reasons import (
    MQRC_MD_ERROR,
    MQRC_SELECTION_STRING_ERROR,
    MQRC_SUB_NAME_ERROR,
    MQRC_TOPIC_STRING_ERROR,
    MQRC_WAIT_INTERVAL_ERROR,
)
from kew.formats.mqmd import MessageDescriptor

FOREVER: Final = -1.0
IDENTIFIER: Final = 24  # bytes
LONGEST_WAIT: Final = 2_147_483  # seconds, which in milliseconds fit 32 bits


def queue_object(
    queue: str, queue_manager: str = "", dynamic_name: str = "AMQ.*", selector: str = ""
) -> ObjectDescriptor:
    """Make the object descriptor of a queue."""
    target = ObjectDescriptor()
    target.version = 3
    target.object_type = MQOT_Q
    target.object_name = padded(queue, 48)
    target.queue_manager = padded(queue_manager, 48)
    target.dynamic_name = padded(dynamic_name, 48)
    if selector:
        target.set_strings(b"", text_of(selector, MQRC_SELECTION_STRING_ERROR, "selector"))
    return target


def topic_object(topic_string: str, topic: str = "") -> ObjectDescriptor:
    """Make the object descriptor of a topic to publish on."""
    target = ObjectDescriptor()
    target.object_type = MQOT_TOPIC
    target.object_name = padded(topic, 48)
    target.set_strings(text_of(topic_string, MQRC_TOPIC_STRING_ERROR, "topic_string"), b"")
    return target


def queue_manager_object() -> ObjectDescriptor:
    """Make the object descriptor of the queue manager itself."""
    target = ObjectDescriptor()
    target.object_type = MQOT_Q_MGR
    return target


def put_options(syncpoint: bool, asynchronous: bool, more: int = 0) -> PutOptions:
    """Make put options; out of syncpoint unless asked for."""
    options = PutOptions()
    options.options = more | MQPMO_FAIL_IF_QUIESCING | (MQPMO_SYNCPOINT if syncpoint else MQPMO_NO_SYNCPOINT)
    if asynchronous:
        options.options |= MQPMO_ASYNC_RESPONSE
    return options


def put_options_of(
    syncpoint: bool = False, asynchronous: bool = False, options: PutOptions | None = None
) -> PutOptions:
    """Give the put options of a program, its own or made from brief arguments."""
    return put_options(syncpoint, asynchronous) if options is None else options


def get_options(wait: float, syncpoint: bool, truncate: bool, more: int = 0) -> GetOptions:
    """Make get options; `wait` is in seconds, 0 for none and less for ever."""
    options = GetOptions()
    options.version = 3
    options.options = more | MQGMO_FAIL_IF_QUIESCING
    if not more & (MQGMO_BROWSE_FIRST | MQGMO_BROWSE_NEXT):
        options.options |= MQGMO_SYNCPOINT if syncpoint else MQGMO_NO_SYNCPOINT
    if truncate:
        options.options |= MQGMO_ACCEPT_TRUNCATED_MSG
    if wait != 0:
        options.options |= MQGMO_WAIT
        options.wait_interval = -1 if wait < 0 else _milliseconds(wait)
    return options


def _milliseconds(wait: float) -> int:
    if not wait < LONGEST_WAIT:
        raise MQError(MQRC_WAIT_INTERVAL_ERROR, wait=wait, expected=f"less than {LONGEST_WAIT} seconds, or less than 0")
    return int(wait * 1000)


def browse_options(first: bool, wait: float) -> GetOptions:
    """Make get options that browse."""
    return get_options(wait, False, False, MQGMO_BROWSE_FIRST if first else MQGMO_BROWSE_NEXT)


def matching(message_id: bytes, correlation_id: bytes) -> MessageDescriptor:
    """Make a descriptor for a get to match; empty ids match anything."""
    if max(len(message_id), len(correlation_id)) > IDENTIFIER:
        raise MQError(MQRC_MD_ERROR, message_id=message_id, correlation_id=correlation_id, most=IDENTIFIER)
    return MessageDescriptor(
        message_id=message_id.ljust(IDENTIFIER, b"\0"),
        correlation_id=correlation_id.ljust(IDENTIFIER, b"\0"),
    )


def get_arguments(
    wait: float = 0.0,
    message_id: bytes = b"",
    correlation_id: bytes = b"",
    syncpoint: bool = False,
    max_length: int = -1,
    truncate: bool = False,
    options: GetOptions | None = None,
    descriptor: MessageDescriptor | None = None,
) -> tuple[MessageDescriptor, GetOptions, int]:
    """Give the descriptor that a get matches, its options, and the length of the program's buffer, -1 for any."""
    if options is None:
        options = get_options(wait, syncpoint, truncate)
    if descriptor is None:
        descriptor = matching(message_id, correlation_id)
    return descriptor, options, max_length


def subscription(
    topic_string: str, managed: bool, topic: str = "", name: str = "", selector: str = "", options: int = 0
) -> SubscriptionDescriptor:
    """Make a subscription descriptor; not durable and on a managed queue unless options say otherwise."""
    descriptor = SubscriptionDescriptor()
    descriptor.object_name = padded(topic, 48)
    descriptor.options = options | MQSO_FAIL_IF_QUIESCING
    if not options:
        descriptor.options |= MQSO_CREATE | MQSO_NON_DURABLE
    if managed:
        descriptor.options |= MQSO_MANAGED
    descriptor.set_strings(
        text_of(topic_string, MQRC_TOPIC_STRING_ERROR, "topic_string"),
        text_of(name, MQRC_SUB_NAME_ERROR, "name"),
        b"",
        text_of(selector, MQRC_SELECTION_STRING_ERROR, "selector"),
    )
    return descriptor
