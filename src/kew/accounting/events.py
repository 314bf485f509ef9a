"""Event messages, which report conditions of a queue manager on SYSTEM.ADMIN.*.EVENT.

The part of the queue manager that notices a condition calls a method here, if need be under the engine lock. The
method looks at a switch, which the attributes of the queue manager set. If the switch is on, the event is kept and a
bell is rung; if it is off, nothing is done. A thread of its own puts the events (`qmgr/workers/eventwriter.py`), so no
verb waits for an event or fails because of one. At most MOST_PENDING events are kept; further ones are counted as lost.

    event                       switch              queue
    start, stop                 STRSTPEV            SYSTEM.ADMIN.QMGR.EVENT
    not authorised, authorised  AUTHOREV, AUTHEVSC
    put or get inhibited        INHIBTEV
    unknown objects, aliases    LOCALEV, REMOTEEV
    depth, service interval     PERFMEV, QDP*EV     SYSTEM.ADMIN.PERFM.EVENT (`performance.py`)
    definitions                 CONFIGEV            SYSTEM.ADMIN.CONFIG.EVENT
    commands                    CMDEV               SYSTEM.ADMIN.COMMAND.EVENT
    channels                    CHLEV and others    SYSTEM.ADMIN.CHANNEL.EVENT
    files of a linear log       LOGGEREV            SYSTEM.ADMIN.LOGGER.EVENT
"""

import threading
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from kew.codes import attributes as a
from kew.codes import commands as c
from kew.codes import reasons as r
from kew.codes.completion import MQCC_OK, MQCC_WARNING
from kew.codes.options import MQAT_UNIX, MQOT_CHANNEL, MQOT_NAMELIST, MQOT_PROCESS, MQOT_Q, MQOT_Q_MGR, MQOT_TOPIC
from kew.formats import charset, pcf
from kew.objects.caller import NOBODY, Caller
from kew.objects.catalogue import Change, Record
from kew.objects.parameters import to_parameters
from kew.objects.schema import object_type
from kew.objects.schema.values import Value
from kew.objects.secrets import hidden

MOST_PENDING: Final = 10000
MANAGER_QUEUE: Final = "SYSTEM.ADMIN.QMGR.EVENT"
PERFORMANCE_QUEUE: Final = "SYSTEM.ADMIN.PERFM.EVENT"
CONFIGURATION_QUEUE: Final = "SYSTEM.ADMIN.CONFIG.EVENT"
COMMAND_QUEUE: Final = "SYSTEM.ADMIN.COMMAND.EVENT"
CHANNEL_QUEUE: Final = "SYSTEM.ADMIN.CHANNEL.EVENT"
LOGGER_QUEUE: Final = "SYSTEM.ADMIN.LOGGER.EVENT"
_NAME: Final = 48
_APPLICATION: Final = 28
_VERSION: Final = 1
_GROUPED: Final = 3  # version of a header before groups
_OF_DEFINITION: Final = (r.MQRC_CHANNEL_AUTO_DEF_OK, r.MQRC_CHANNEL_AUTO_DEF_ERROR)
_EXCEPTIONS: Final = (  # channel events that CHLEV(EXCEPTION) asks for
    r.MQRC_CHANNEL_ACTIVATED,
    r.MQRC_CHANNEL_CONV_ERROR,
    r.MQRC_CHANNEL_NOT_ACTIVATED,
    r.MQRC_CHANNEL_NOT_AVAILABLE,
    r.MQRC_CHANNEL_STOPPED,
    r.MQRC_CHANNEL_STOPPED_BY_USER,
    r.MQRC_CHANNEL_BLOCKED,
    r.MQRC_CHANNEL_BLOCKED_WARNING,
)
_IN_ORDER: Final = (r.MQRC_CHANNEL_STOPPED, a.MQRQ_CHANNEL_STOPPED_OK)  # no exception
_AUTHORISED: Final = {  # allowed uses by the qualifier of their refusal, and the scope that an event needs
    a.MQRQ_CONN_NOT_AUTHORIZED: (a.MQRQ_CONN_AUTHORIZED, (a.MQAUSC_ALLCONNS, a.MQAUSC_ALLCHECKS)),
    a.MQRQ_OPEN_NOT_AUTHORIZED: (a.MQRQ_OPEN_AUTHORIZED, (a.MQAUSC_ALLCHECKS,)),
}
_OF_TLS: Final = (r.MQRC_CHANNEL_SSL_ERROR, r.MQRC_CHANNEL_SSL_WARNING)
_REMOTE: Final = (
    r.MQRC_UNKNOWN_REMOTE_Q_MGR,
    r.MQRC_UNKNOWN_XMIT_Q,
    r.MQRC_UNKNOWN_DEF_XMIT_Q,
    r.MQRC_DEF_XMIT_Q_TYPE_ERROR,
    r.MQRC_DEF_XMIT_Q_USAGE_ERROR,
    r.MQRC_XMIT_Q_TYPE_ERROR,
    r.MQRC_XMIT_Q_USAGE_ERROR,
    r.MQRC_REMOTE_Q_NAME_ERROR,
)
_LOCAL: Final = (r.MQRC_UNKNOWN_OBJECT_NAME, r.MQRC_UNKNOWN_ALIAS_BASE_Q, r.MQRC_ALIAS_BASE_Q_TYPE_ERROR)

# The parameter with the name of an object that a user may not use; each event has the queue manager's name.
_NAMES: Final = {
    MQOT_Q: a.MQCA_Q_NAME,
    MQOT_TOPIC: a.MQCA_TOPIC_NAME,
    MQOT_PROCESS: a.MQCA_PROCESS_NAME,
    MQOT_NAMELIST: a.MQCA_NAMELIST_NAME,
    MQOT_CHANNEL: a.MQCACH_CHANNEL_NAME,
}

Parameters = list[pcf.Parameter]


def text(identifier: int, value: str | bytes, width: int = _NAME) -> pcf.String:
    """Make a string parameter, padded to the width of its field."""
    data = value.encode() if isinstance(value, str) else value.rstrip(b" \0")
    return pcf.String(identifier, data.ljust(width), charset.UTF_8)


class Event:
    """A pending event: the queue it goes to, and its messages, which belong together."""

    def __init__(self, queue: str, messages: list[pcf.PCFMessage]) -> None:
        self.queue = queue
        self.messages = messages


class Events:
    """The switches, and the events that wait to be put."""

    def __init__(
        self, queue_manager: str, ring: Callable[[], None] | None = None, own_application: bytes = b""
    ) -> None:
        self.queue_manager = queue_manager
        self.pending: deque[Event] = deque()
        self.lost = 0
        self._ring = ring  # tells the writer that there is something to put
        self._own_application = own_application.ljust(_APPLICATION)  # of the writer, whose own failures are no events
        self._writer = 0  # the thread that puts events now
        self.start_stop = False
        self.authority = False
        self.authority_scope = a.MQAUSC_FAILURES
        self.logger = False
        self.inhibit = False
        self.local = False
        self.remote = False
        self.performance = False
        self.configuration = False
        self.commands = a.MQEVR_DISABLED
        self.channels = a.MQEVR_DISABLED
        self.tls = False
        self.defined = False  # channels, automatically

    def heed(self, values: Mapping[str, Value]) -> None:
        """Set the switches from the attributes of the queue manager."""

        def number(keyword: str) -> int:
            value = values[keyword]
            assert isinstance(value, int)
            return value

        self.start_stop = number("STRSTPEV") != a.MQEVR_DISABLED
        self.authority = number("AUTHOREV") != a.MQEVR_DISABLED
        self.authority_scope = number("AUTHEVSC")
        self.logger = number("LOGGEREV") != a.MQEVR_DISABLED
        self.inhibit = number("INHIBTEV") != a.MQEVR_DISABLED
        self.local = number("LOCALEV") != a.MQEVR_DISABLED
        self.remote = number("REMOTEEV") != a.MQEVR_DISABLED
        self.performance = number("PERFMEV") != a.MQEVR_DISABLED
        self.configuration = number("CONFIGEV") != a.MQEVR_DISABLED
        self.commands = number("CMDEV")
        self.channels = number("CHLEV")
        self.tls = number("SSLEV") != a.MQEVR_DISABLED
        self.defined = number("CHADEV") != a.MQEVR_DISABLED

    def take_lost(self) -> int:
        """Give how many events were lost since the last time."""
        lost, self.lost = self.lost, 0
        return lost

    def _keep(self, queue: str, messages: list[pcf.PCFMessage]) -> None:
        if len(self.pending) >= MOST_PENDING:
            self.lost += 1
        else:
            self.pending.append(Event(queue, messages))
        if self._ring is not None:
            self._ring()

    def _tell(self, queue: str, command: int, reason: int, parameters: Parameters) -> None:
        header = pcf.Header(c.MQCFT_EVENT, _VERSION, command, 1, c.MQCFC_LAST, MQCC_WARNING, reason)
        name = text(a.MQCA_Q_MGR_NAME, self.queue_manager)
        self._keep(queue, [pcf.PCFMessage(header, [name, *parameters])])

    # -- the queue manager --------------------------------------------------------------------------------------------

    def started(self) -> None:
        """Report that the queue manager has started."""
        if self.start_stop:
            self._tell(MANAGER_QUEUE, c.MQCMD_Q_MGR_EVENT, r.MQRC_Q_MGR_ACTIVE, [])

    def stopping(self, quiescing: bool) -> None:
        """Report that the queue manager is ending."""
        if self.start_stop:
            how = a.MQRQ_Q_MGR_QUIESCING if quiescing else a.MQRQ_Q_MGR_STOPPING
            parameters: Parameters = [pcf.Integer(a.MQIACF_REASON_QUALIFIER, how)]
            self._tell(MANAGER_QUEUE, c.MQCMD_Q_MGR_EVENT, r.MQRC_Q_MGR_NOT_ACTIVE, parameters)

    def _program(self, application: bytes) -> Parameters:
        name = text(a.MQCACF_APPL_NAME, application, _APPLICATION)
        return [pcf.Integer(a.MQIA_APPL_TYPE, MQAT_UNIX), name]

    def inhibited(self, reason: int, queue: str, application: bytes) -> None:
        """Report a put or get on a queue that inhibits it."""
        if self.inhibit and application != self._own_application:
            parameters = [text(a.MQCA_Q_NAME, queue), *self._program(application)]
            self._tell(MANAGER_QUEUE, c.MQCMD_Q_MGR_EVENT, reason, parameters)

    def open_failed(self, reason: int, queue: str, application: bytes, facts: Mapping[str, object]) -> None:
        """Report a failed open of an unknown name; `facts` are those of the error."""
        switched_on = (self.local and reason in _LOCAL) or (self.remote and reason in _REMOTE)
        if not switched_on or application == self._own_application:
            return
        parameters = [text(a.MQCA_Q_NAME, queue), *self._program(application)]
        if "target" in facts:
            parameters.append(text(a.MQCA_BASE_OBJECT_NAME, str(facts["target"])))
        if "queue_manager" in facts:
            parameters.append(text(a.MQCACF_OBJECT_Q_MGR_NAME, str(facts["queue_manager"])))
        self._tell(MANAGER_QUEUE, c.MQCMD_Q_MGR_EVENT, reason, parameters)

    def not_authorised(self, qualifier: int, user: str, object_type: int, name: str, options: int = 0) -> None:
        """Report a user without authority: qualifier MQRQ_CONN_, _OPEN_, _CLOSE_ or _CMD_NOT_AUTHORIZED."""
        if self.authority:
            self._tell_authority(r.MQRC_NOT_AUTHORIZED, qualifier, user, object_type, name, options)

    def authorised(self, qualifier: int, user: str, object_type: int, name: str, options: int = 0) -> None:
        """Report a user with authority, if AUTHEVSC asks for it; the qualifier is that of a refusal."""
        qualifier, scopes = _AUTHORISED.get(qualifier, (0, ()))
        if self.authority and self.authority_scope in scopes and not self.writing():
            self._tell_authority(r.MQRCCF_AUTHORIZED, qualifier, user, object_type, name, options)

    def _tell_authority(
        self, reason: int, qualifier: int, user: str, object_type: int, name: str, options: int
    ) -> None:
        parameters: Parameters = [
            pcf.Integer(a.MQIACF_REASON_QUALIFIER, qualifier),
            text(a.MQCACF_USER_IDENTIFIER, user, 12),
        ]
        if object_type != MQOT_Q_MGR:
            parameters.append(text(_NAMES.get(object_type, a.MQCACF_OBJECT_NAME), name))
        if options:
            parameters.append(pcf.Integer(a.MQIACF_OPEN_OPTIONS, options))
        self._tell(MANAGER_QUEUE, c.MQCMD_Q_MGR_EVENT, reason, parameters)

    def unproven(self, user: str, given: str, channel: str, connection_name: str) -> None:
        """Report a user whose password is wrong or missing."""
        if not self.authority:
            return
        parameters: Parameters = [
            pcf.Integer(a.MQIACF_REASON_QUALIFIER, a.MQRQ_CSP_NOT_AUTHORIZED),
            text(a.MQCACF_USER_IDENTIFIER, user, 12),
            text(a.MQCACF_CSP_USER_IDENTIFIER, given, 0),
        ]
        if channel:
            parameters.append(text(a.MQCACH_CHANNEL_NAME, channel, 20))
        if connection_name:
            parameters.append(text(a.MQCACH_CONNECTION_NAME, connection_name, 264))
        self._tell(MANAGER_QUEUE, c.MQCMD_Q_MGR_EVENT, r.MQRC_NOT_AUTHORIZED, parameters)

    def write_here(self, begin: bool) -> None:
        """Mark this thread as a writer of events, or end that; its own authority checks cause no events."""
        self._writer = threading.get_ident() if begin else 0

    def writing(self) -> bool:
        """Say whether this thread is a writer of events."""
        return self._writer == threading.get_ident()

    def log_moved(self, path: str, current: str, restart: str, media: str) -> None:
        """Report that a linear log at a path is written to another file, or that other files are needed."""
        if self.logger:
            parameters: Parameters = [
                text(a.MQCACF_CURRENT_LOG_EXTENT_NAME, current, 24),
                text(a.MQCACF_RESTART_LOG_EXTENT_NAME, restart, 24),
                text(a.MQCACF_MEDIA_LOG_EXTENT_NAME, media, 24),
                text(a.MQCACF_LOG_PATH, path, 1024),
            ]
            self._tell(LOGGER_QUEUE, c.MQCMD_LOGGER_EVENT, r.MQRC_LOGGER_STATUS, parameters)

    # -- queues -------------------------------------------------------------------------------------------------------

    def of_performance(self, reason: int, queue: str, seconds: int, highest: int, puts: int, gets: int) -> None:
        """Report that a queue reached a limit; the watch of the queue has checked the switches."""
        parameters: Parameters = [
            text(a.MQCA_BASE_OBJECT_NAME, queue),
            pcf.Integer(a.MQIA_TIME_SINCE_RESET, seconds),
            pcf.Integer(a.MQIA_HIGH_Q_DEPTH, highest),
            pcf.Integer(a.MQIA_MSG_ENQ_COUNT, puts),
            pcf.Integer(a.MQIA_MSG_DEQ_COUNT, gets),
        ]
        self._tell(PERFORMANCE_QUEUE, c.MQCMD_PERFM_EVENT, reason, parameters)

    # -- definitions and commands -------------------------------------------------------------------------------------

    def _origin(self, caller: Caller) -> Parameters:
        parameters: Parameters = [
            text(a.MQCACF_EVENT_USER_ID, caller.user or "", 12),
            pcf.Integer(a.MQIACF_EVENT_ORIGIN, caller.origin),
            text(a.MQCACF_EVENT_Q_MGR, self.queue_manager),
        ]
        if caller.origin == a.MQEVO_MSG:
            parameters += [
                pcf.ByteString(a.MQBACF_EVENT_ACCOUNTING_TOKEN, caller.accounting_token),
                text(a.MQCACF_EVENT_APPL_IDENTITY, caller.identity_data, 32),
                pcf.Integer(a.MQIACF_EVENT_APPL_TYPE, caller.application_type),
                text(a.MQCACF_EVENT_APPL_NAME, caller.application_name, _APPLICATION),
                text(a.MQCACF_EVENT_APPL_ORIGIN, caller.application_origin, 4),
            ]
        return parameters

    def changed(self, changes: Iterable[Change], caller: Caller = NOBODY) -> None:
        """Report definitions that were made, deleted or altered; the catalogue calls this for each change."""
        if not self.configuration:
            return
        for before, after in changes:
            if before is None:
                reason = r.MQRC_CONFIG_CREATE_OBJECT
            else:
                reason = r.MQRC_CONFIG_DELETE_OBJECT if after is None else r.MQRC_CONFIG_CHANGE_OBJECT
            self._configuration(reason, [record for record in (before, after) if record is not None], caller)

    def refreshed(self, records: Iterable[Record], caller: Caller) -> None:
        """Report definitions as they are now (REFRESH QMGR TYPE(CONFIGEV))."""
        for record in records:
            self._configuration(r.MQRC_CONFIG_REFRESH_OBJECT, [record], caller)

    def _configuration(self, reason: int, states: list[Record], caller: Caller) -> None:
        messages = [
            pcf.PCFMessage(
                pcf.Header(
                    c.MQCFT_EVENT,
                    2,
                    c.MQCMD_CONFIG_EVENT,
                    place,
                    c.MQCFC_LAST if place == len(states) else c.MQCFC_NOT_LAST,
                    MQCC_WARNING,
                    reason,
                ),
                [*self._origin(caller), *_object(record)],
            )
            for place, record in enumerate(states, 1)
        ]
        self._keep(CONFIGURATION_QUEUE, messages)

    def command(self, number: int, shows: bool, caller: Caller, mqsc: str, sent: Parameters | None) -> None:
        """Report a command that was carried out: its text, or the parameters of its PCF."""
        if self.commands == a.MQEVR_DISABLED or (shows and self.commands == a.MQEVR_NO_DISPLAY):
            return
        context = [*self._origin(caller), pcf.Integer(a.MQIACF_COMMAND, number)]
        data: Parameters = sent if sent is not None else [text(a.MQCACF_COMMAND_MQSC, mqsc, 0)]
        reason = r.MQRC_COMMAND_PCF if sent is not None else r.MQRC_COMMAND_MQSC
        header = pcf.Header(c.MQCFT_EVENT, _GROUPED, c.MQCMD_COMMAND_EVENT, 1, c.MQCFC_LAST, MQCC_OK, reason)
        groups: Parameters = [pcf.Group(a.MQGACF_COMMAND_CONTEXT, context), pcf.Group(a.MQGACF_COMMAND_DATA, data)]
        self._keep(COMMAND_QUEUE, [pcf.PCFMessage(header, groups)])

    # -- channels -----------------------------------------------------------------------------------------------------

    def _wants(self, reason: int, qualifier: int | None) -> bool:
        """Say whether SSLEV, CHADEV or CHLEV enables an event of a channel."""
        if reason in _OF_TLS:
            return self.tls
        if reason in _OF_DEFINITION:
            return self.defined
        if self.channels != a.MQEVR_EXCEPTION:
            return self.channels != a.MQEVR_DISABLED
        return reason in _EXCEPTIONS and (reason, qualifier) != _IN_ORDER

    def channel(
        self,
        reason: int,
        name: str,
        qualifier: int | None = None,
        connection_name: str = "",
        transmission_queue: str = "",
        more: Iterable[pcf.Parameter] = (),
    ) -> None:
        """Report a channel event; the reason is that of the event, such as MQRC_CHANNEL_STARTED.

        The qualifier is one of MQRQ_CHANNEL_STOPPED_*, _SSL_* or _CHANNEL_BLOCKED_*; `more` holds what only some events
        have, such as error identifiers and the user who was blocked.
        """
        if not self._wants(reason, qualifier):
            return
        parameters: Parameters = []
        if qualifier is not None:
            parameters.append(pcf.Integer(a.MQIACF_REASON_QUALIFIER, qualifier))
        if name:  # a connection refused by its address has not named one
            parameters.append(text(a.MQCACH_CHANNEL_NAME, name, 20))
        if transmission_queue:
            parameters.append(text(a.MQCACH_XMIT_Q_NAME, transmission_queue))
        if connection_name:
            parameters.append(text(a.MQCACH_CONNECTION_NAME, connection_name, 264))
        self._tell(CHANNEL_QUEUE, c.MQCMD_CHANNEL_EVENT, reason, [*parameters, *more])


def _object(record: Record) -> Parameters:
    """Give a definition as a configuration event shows it: type, name, then every attribute."""
    kind = object_type(record.kind)
    found: Parameters = [pcf.Integer(a.MQIACF_OBJECT_TYPE, kind.pcf_type)]
    if kind.name_spec is not None:
        found.extend(to_parameters(kind.name_spec, record.name))
    identifier, number = kind.pcf_subtype
    if identifier:
        found.append(pcf.Integer(identifier, number))
    for spec in kind.attributes:
        if spec.stored and spec.keyword in record.values:
            found.extend(to_parameters(spec, hidden(spec.keyword, record.values[spec.keyword])))
    return found
