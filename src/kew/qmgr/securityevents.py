"""Security events: refusals and allowed uses that authority checks and admission control report."""

from typing import Final

from kew.accounting.events import Events, text
from kew.codes.attributes import (
    MQAUSC_FAILURES,
    MQCACH_CLIENT_USER_ID,
    MQCACH_MCA_USER_ID,
    MQCACH_SSL_PEER_NAME,
    MQRQ_CHANNEL_BLOCKED_ADDRESS,
    MQRQ_CSP_NOT_AUTHORIZED,
)
from kew.codes.reasons import MQRC_CHANNEL_BLOCKED, MQRC_CHANNEL_BLOCKED_WARNING
from kew.formats import pcf
from kew.security.admissioncontrol import BlockedConnection
from kew.security.authority import AuthorityListener, Refused

_USER: Final = 64


class SecurityEvents(AuthorityListener):
    """Makes events of refusals and allowed uses; it never waits, so callers may hold the engine lock."""

    def __init__(self, events: Events) -> None:
        super().__init__()
        self._events = events

    def heed(self) -> None:
        """Request reports of allowed uses only if the queue manager's attributes enable such events."""
        events = self._events
        self.wants_allowed = events.authority and events.authority_scope != MQAUSC_FAILURES

    def refused(self, refused: Refused) -> None:
        """Make the event of an access that was refused."""
        self._events.not_authorised(refused.qualifier, refused.user, refused.object_type, refused.name, refused.options)

    def allowed(self, qualifier: int, user: str, object_type: int, name: str, options: int) -> None:
        """Make the event of an access that was allowed."""
        self._events.authorised(qualifier, user, object_type, name, options)

    def blocked(self, blocked: BlockedConnection) -> None:
        """Make the event of a connection that a CHLAUTH record blocked or, with WARN(YES), would have blocked."""
        arrival = blocked.arrival
        if blocked.qualifier == MQRQ_CSP_NOT_AUTHORIZED:
            self._events.unproven(arrival.user, blocked.user, arrival.channel, arrival.address)
            return
        by_address = blocked.qualifier == MQRQ_CHANNEL_BLOCKED_ADDRESS  # before a channel was named
        reason = MQRC_CHANNEL_BLOCKED_WARNING if blocked.only_warned else MQRC_CHANNEL_BLOCKED
        more: list[pcf.Parameter] = []
        for identifier, value, width in (
            (MQCACH_CLIENT_USER_ID, arrival.user, _USER),
            (MQCACH_MCA_USER_ID, blocked.user, _USER),
            (MQCACH_SSL_PEER_NAME, arrival.peer, 0),
        ):
            if value:
                more.append(text(identifier, value, width))
        channel = "" if by_address else arrival.channel
        self._events.channel(reason, channel, blocked.qualifier, arrival.address, more=more)
