"""The authorities that the options of MQOPEN and MQPUT1 need, on the object and on the queue manager."""

from typing import Final

from kew.codes.attributes import MQRQ_OPEN_NOT_AUTHORIZED
from kew.codes.options import (
    MQOO_ALTERNATE_USER_AUTHORITY,
    MQOO_BROWSE,
    MQOO_INPUT_AS_Q_DEF,
    MQOO_INPUT_EXCLUSIVE,
    MQOO_INPUT_SHARED,
    MQOO_INQUIRE,
    MQOO_OUTPUT,
    MQOO_PASS_ALL_CONTEXT,
    MQOO_PASS_IDENTITY_CONTEXT,
    MQOO_SET,
    MQOO_SET_ALL_CONTEXT,
    MQOO_SET_IDENTITY_CONTEXT,
    MQOT_Q_MGR,
    MQOT_TOPIC,
)
from kew.security.authority import SELF, Authority
from kew.security.rights import (
    ALTERNATE_USER,
    BROWSE,
    INPUT,
    INQUIRE,
    NOTHING,
    OUTPUT,
    PASS_ALL,
    PASS_IDENTITY,
    SET,
    SET_ALL,
    SET_IDENTITY,
)

# Authorities for access to the object: checked for the alternate user, if there is one.
ACCESS: Final = (
    (MQOO_INPUT_AS_Q_DEF | MQOO_INPUT_SHARED | MQOO_INPUT_EXCLUSIVE, INPUT),
    (MQOO_BROWSE, BROWSE),
    (MQOO_OUTPUT, OUTPUT),
    (MQOO_INQUIRE, INQUIRE),
    (MQOO_SET, SET),
)
# Authorities for message context: always checked for the user of the connection.
CONTEXT: Final = (
    (MQOO_PASS_IDENTITY_CONTEXT, PASS_IDENTITY),
    (MQOO_PASS_ALL_CONTEXT, PASS_ALL),
    (MQOO_SET_IDENTITY_CONTEXT, SET_IDENTITY),
    (MQOO_SET_ALL_CONTEXT, SET_ALL),
)
OF_MANAGER: Final = SET_IDENTITY | SET_ALL  # those that are needed on the queue manager too


def rights_for(table: tuple[tuple[int, int], ...], options: int) -> int:
    """Give the authorities that options need, by one of the tables above."""
    rights = NOTHING
    for bits, right in table:
        if options & bits:
            rights |= right
    return rights


def authorise_topic(
    authority: Authority,
    user: str,
    alternate_user: str,
    objects: tuple[str, ...],
    options: int,
    right: int,
    qualifier: int = MQRQ_OPEN_NOT_AUTHORIZED,
) -> None:
    """Refuse an access to a topic unless a topic object between the topic and the root allows the access.

    `objects` are their names, the nearest first. `options` are those of MQOPEN for an alternate user and for context.
    """
    context = rights_for(CONTEXT, options)
    manager = context & OF_MANAGER
    acting = user
    if options & MQOO_ALTERNATE_USER_AUTHORITY:
        manager |= ALTERNATE_USER
        acting = alternate_user
    if manager:
        authority.authorise(user, MQOT_Q_MGR, SELF, manager, qualifier, options)
    _on_the_way(authority, acting, objects, right, qualifier, options)
    if context:
        _on_the_way(authority, user, objects, context, qualifier, options)


def _on_the_way(
    authority: Authority, user: str, objects: tuple[str, ...], rights: int, qualifier: int, options: int
) -> None:
    for name in objects:
        if authority.allows(user, MQOT_TOPIC, name, rights):
            return
    authority.authorise(user, MQOT_TOPIC, objects[0], rights, qualifier, options)


def authorise_open(
    authority: Authority,
    user: str,
    alternate_user: str,
    object_type: int,
    name: str,
    options: int,
    further: int = NOTHING,
    creator: str = "",
) -> None:
    """Refuse an open for which the user, or the alternate user, does not have the authorities.

    `name` is the name that the program gave, not the one that it resolves to. `further` are authorities on the object
    beyond those for the options. `creator` is the user who made the dynamic queue, and needs no authority on it.
    """
    context = rights_for(CONTEXT, options)
    manager = context & OF_MANAGER
    acting = user
    if options & MQOO_ALTERNATE_USER_AUTHORITY:
        manager |= ALTERNATE_USER
        acting = alternate_user
    qualifier = MQRQ_OPEN_NOT_AUTHORIZED
    if manager:
        authority.authorise(user, MQOT_Q_MGR, SELF, manager, qualifier, options)
    if acting != creator or not creator:
        authority.authorise(acting, object_type, name, rights_for(ACCESS, options) | further, qualifier, options)
    if context and (user != creator or not creator):
        authority.authorise(user, object_type, name, context, qualifier, options)
