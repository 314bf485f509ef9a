"""Shared registrations: the name of a registration, the identities that have joined it, and its full response.

Registrants that share a subscription join it, each with an identity of its own; a subscription that is joined
exclusively has one identity. A subscription ends when the last registrant leaves, unless that registrant's DeregSub has
LeaveOnly.
"""

from typing import Final

from kew.codes import attributes as a
from kew.codes.errors import MQError
from kew.codes.reasons import (
    MQRC_NONE,
    MQRCCF_ALREADY_JOINED,
    MQRCCF_SUB_IDENTITY_ERROR,
    MQRCCF_SUBSCRIPTION_IN_USE,
    MQRCCF_SUBSCRIPTION_LOCKED,
)
from kew.commands.queued import words
from kew.commands.queued.streams import DEFAULT_STREAM
from kew.formats.mqrfh import Pairs
from kew.topics.registration import Registration, registration_of
from kew.topics.subscription import Subscription

JOINS: Final = a.MQREGO_JOIN_SHARED | a.MQREGO_JOIN_EXCLUSIVE


def name_of(registration: Registration) -> str:
    """Give the name of the subscription: its own, or one made of the registrant's identity."""
    if registration.name:
        default = registration.stream == DEFAULT_STREAM
        return registration.name if default else f"{registration.stream}:{registration.name}"
    parts = (*registration.whose()[:3], registration.correlation_id.hex().upper(), registration.topic)
    return ":".join(("QUEUED", *parts, *([registration.filter] if registration.filter else [])))


def join(registration: Registration, before: Registration | None, identity: str, options: int) -> int:
    """Add a registrant to a registration, which may exist already (`before`); gives the reason of a warning."""
    joined = [] if before is None else list(before.identities)
    exclusive = before is not None and before.exclusive
    registration.identities, registration.exclusive = joined, exclusive
    if exclusive and joined != [identity]:
        raise MQError(MQRCCF_SUBSCRIPTION_LOCKED)
    if not identity:
        return MQRC_NONE
    if options & a.MQREGO_JOIN_EXCLUSIVE:
        if [each for each in joined if each != identity]:
            raise MQError(MQRCCF_SUBSCRIPTION_IN_USE)
        registration.identities, registration.exclusive = [identity], True
    elif options & a.MQREGO_JOIN_SHARED:
        registration.exclusive = False
        if identity not in joined:
            joined.append(identity)
        elif not exclusive:
            return MQRCCF_ALREADY_JOINED
    elif identity not in joined:
        raise MQError(MQRCCF_SUB_IDENTITY_ERROR)
    return MQRC_NONE


def leave(registration: Registration, identity: str, options: int) -> bool:
    """Remove a registrant that deregisters; says whether the subscription ends."""
    if not identity:
        if registration.identities:
            raise MQError(MQRCCF_SUBSCRIPTION_LOCKED if registration.exclusive else MQRCCF_SUBSCRIPTION_IN_USE)
        return True
    if identity not in registration.identities:
        raise MQError(MQRCCF_SUB_IDENTITY_ERROR)
    registration.identities.remove(identity)
    registration.exclusive = False
    return not registration.identities and not options & a.MQREGO_LEAVE_ONLY


def details(subscription: Subscription, form: int, manager: str) -> Pairs:
    """Give the names and values of a subscription for a full response; options are a number in an MQRFH, else words."""
    found = registration_of(subscription.registration)
    options = found.options | (a.MQREGO_LOCKED if found.exclusive else 0)
    said = [(words.TOPIC, found.topic), (words.MANAGER, found.manager or manager), (words.QUEUE, found.queue)]
    if found.correlation_id.strip(b"\0"):
        said.append((words.CORRELATION, found.correlation_id.hex().upper()))
    said.append(("UserId", subscription.user))
    kind = words.REGISTRATION_OPTIONS
    said += [(kind, each) for each in ([str(options)] if form == 1 else words.words_of(kind, options))]
    if found.name:
        said.append((words.NAME, found.name))
    said += [(words.IDENTITY, each) for each in found.identities]
    if subscription.user_data:
        said.append((words.USER_DATA, subscription.user_data))
    if found.filter:
        said.append((words.FILTER, found.filter))
    return said
