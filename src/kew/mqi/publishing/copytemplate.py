"""Copy templates: the common parts of a publication's copies for similar subscriptions, made once.

One descriptor serves all these copies: the fields of one copy are set in it, and that copy is delivered before the
fields of the next are set. A get that is handed a message keeps a copy of the descriptor.
"""

from kew.codes.options import MQPRI_PRIORITY_AS_PUBLISHED
from kew.formats.descriptortemplate import DescriptorTemplate
from kew.formats.mqmd import MessageDescriptor
from kew.topics.copyproperties import CopyProperties
from kew.topics.registration import AS_PUBLISHED
from kew.topics.subscription import ANY_CORRELATION, Subscription


class CopyTemplate:
    """The template of copies for subscriptions with the same PSPROP and user data."""

    def __init__(
        self,
        marks: CopyProperties,
        original: MessageDescriptor,
        data: bytes,
        subscription: Subscription,
        again: bool,
        further: str = "",
    ) -> None:
        self.properties = subscription.properties
        self.user_data = subscription.user_data
        self.tells_retained = subscription.tells_retained
        self.stream = subscription.stream
        self.original = original
        self.descriptor = original.copy()
        told = again and self.tells_retained
        self.data = marks.marked(self.descriptor, data, self.properties, self.user_data, told, self.stream, further)
        self.template = DescriptorTemplate()

    def suits(self, subscription: Subscription) -> bool:
        """Say whether the template serves a subscription."""
        return (
            subscription.properties == self.properties
            and subscription.user_data == self.user_data
            and subscription.tells_retained == self.tells_retained
            and subscription.stream == self.stream
        )

    def copy_for(self, subscription: Subscription, message_id: bytes) -> MessageDescriptor:
        """Set the fields of a subscription's copy; its queue encodes the descriptor before the next copy."""
        copy, original = self.descriptor, self.original
        copy.stored = b""
        copy.expiry = original.expiry
        wanted = subscription.persistence
        copy.persistence = original.persistence if wanted == AS_PUBLISHED else wanted
        fill(copy, original, subscription, message_id)
        return copy


def fill(copy: MessageDescriptor, original: MessageDescriptor, subscription: Subscription, message_id: bytes) -> None:
    """Set the message id of a copy, and the correlation id, priority and context of its subscription."""
    copy.message_id = message_id
    wanted = subscription.correlation_id
    copy.correlation_id = original.correlation_id if wanted == ANY_CORRELATION else wanted
    asked = subscription.priority
    copy.priority = original.priority if asked == MQPRI_PRIORITY_AS_PUBLISHED else asked
    copy.user_identifier = subscription.user_identifier
    copy.accounting_token = subscription.accounting_token
    copy.application_identity_data = subscription.identity_data
