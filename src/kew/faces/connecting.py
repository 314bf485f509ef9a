"""Connects a program to its queue manager: inside this process, by a socket of the machine, or over the network.

A program that names no channel is a local one: it uses the queue manager that its own process hosts, or else the one
that runs on this machine. MQSERVER, a client channel definition table (MQCCDTURL, or MQCHLLIB and MQCHLTAB),
MQCNO_CLIENT_BINDING or MQ_CONNECT_TYPE make it a client, as in MQ. MQSSLKEYR, MQSSLFIPS, MQSSLRESET, MQCCSID and
MQAPPLNAME are used where the program gives no value, and mqclient.ini (clientfile.py) where neither does.
"""

import os
import sys
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from kew.client.threadsharing import SHARED, check_sharing
from kew.codes.errors import MQError
from kew.codes.options import (
    MQCNO_CLIENT_BINDING,
    MQCNO_FASTPATH_BINDING,
    MQCNO_ISOLATED_BINDING,
    MQCNO_LOCAL_BINDING,
    MQCNO_RECONNECT,
    MQCNO_RECONNECT_DISABLED,
    MQCNO_RECONNECT_Q_MGR,
    MQCNO_SHARED_BINDING,
)
from kew.codes.reasons import (
    MQRC_CHANNEL_CONFIG_ERROR,
    MQRC_FUNCTION_NOT_SUPPORTED,
    MQRC_OPTIONS_ERROR,
    MQRC_Q_MGR_NAME_ERROR,
)
from kew.faces.clientfile import ClientFile, client_file, split_server
from kew.faces.verbs import Verbs

if TYPE_CHECKING:
    from kew.client import ConnectSettings
    from kew.client.attempts import Making
    from kew.client.channeltable import ClientChannel

_RECONNECTS: Final = MQCNO_RECONNECT | MQCNO_RECONNECT_Q_MGR
_BINDINGS: Final = MQCNO_FASTPATH_BINDING | MQCNO_SHARED_BINDING | MQCNO_ISOLATED_BINDING
# Options that choose a binding; MQ_CONNECT_TYPE does not change them.
_OTHER_THAN_STANDARD: Final = _BINDINGS | MQCNO_LOCAL_BINDING | MQCNO_CLIENT_BINDING


class ConnectRequest:
    """A program's request to connect: queue manager, options, channel, user, TLS."""

    def __init__(self, queue_manager: bytes) -> None:
        self.queue_manager = queue_manager
        self.options: int = 0
        self.channel: str = ""
        self.connection_name: str = ""
        self.cipher: str = ""
        self.peer_name: str = ""
        self.heartbeat: int = 300
        self.max_message: int = 104857600
        self.conversations: int = 1
        self.user: str | None = None
        self.password: str = ""
        self.key_repository: str = ""
        self.key_password: str = ""
        self.key_reset: int = 0
        self.fips: bool = False
        self.header_compression: tuple[int, ...] = ()
        self.message_compression: tuple[int, ...] = ()
        self.token: str = ""
        self.table: str = ""  # address of a client channel definition table
        self.application: str = ""
        self.channel_reconnect: int = 0  # MQCNO_RECONNECT* of the channel's definition
        self.file = ClientFile({})  # mqclient.ini, of a client
        self.manager_descriptor: Any = None  # the OD of a queue manager, in the program's package

    @property
    def name(self) -> str:
        """Give the name of the queue manager as text."""
        return text(self.queue_manager)


def text(value: Any) -> str:
    """Decode characters of a structure's field, without padding."""
    if not value:
        return ""
    raw: bytes = value.encode("utf-8") if isinstance(value, str) else value
    return raw.partition(b"\0")[0].decode("utf-8", "replace").strip()


def connect(request: ConnectRequest) -> Verbs:
    """Connect as the program's request or MQ's environment variables ask."""
    if (request.options & _BINDINGS).bit_count() > 1:
        raise MQError(MQRC_OPTIONS_ERROR, options=request.options, why="only one kind of binding can be had")
    check_sharing(request.options)
    if not request.application:
        request.application = os.environ.get("MQAPPLNAME") or os.path.basename(sys.argv[0]) or "python"
    if not request.options & _OTHER_THAN_STANDARD and os.environ.get("MQ_CONNECT_TYPE") == "CLIENT":
        request.options |= MQCNO_CLIENT_BINDING
    if request.channel or request.table:
        request.file = client_file()
    if request.channel:
        return _by_channel(request)
    if request.table:
        return _by_table(request, request.table)
    if request.options & MQCNO_ISOLATED_BINDING and not request.options & MQCNO_CLIENT_BINDING:
        return _on_this_machine(request)
    if not request.options & MQCNO_CLIENT_BINDING:
        found = _in_this_process(request)
        if found is not None:
            return found
        if request.name and request.options & MQCNO_LOCAL_BINDING:
            return _on_this_machine(request)
    if not request.options & MQCNO_LOCAL_BINDING:
        request.file = client_file()
    server = os.environ.get("MQSERVER", "") or request.file.text("ServerConnectionParms")
    table = _table_of_environment(request.file)
    if request.name and not (server or table or request.options & MQCNO_CLIENT_BINDING):
        return _on_this_machine(request)
    if request.options & MQCNO_LOCAL_BINDING or not (server or table):
        raise MQError(MQRC_Q_MGR_NAME_ERROR, queue_manager=request.name, why="no channel, no MQSERVER, no table")
    if not server:
        return _by_table(request, table)
    request.channel, request.connection_name = parse_server(server)
    return _by_channel(request)


def _table_of_environment(configured: ClientFile) -> str:
    location = os.environ.get("MQCCDTURL", "")
    folder = os.environ.get("MQCHLLIB", "") or configured.text("ChannelDefinitionDirectory")
    file = os.environ.get("MQCHLTAB", "") or configured.text("ChannelDefinitionFile")
    return location or (os.path.join(folder, file) if file else "")


def parse_server(value: str) -> tuple[str, str]:
    """Give channel and connection name of a value of MQSERVER: CHANNEL/TCP/host(port)."""
    found = split_server(value)
    if found is None:
        raise MQError(MQRC_CHANNEL_CONFIG_ERROR, MQSERVER=value, expected="CHANNEL/TCP/host(port)")
    return found


def _in_this_process(request: ConnectRequest) -> Verbs | None:
    manager = sys.modules.get("kew.qmgr.manager")  # a process that has not imported it hosts no queue manager
    if manager is None:
        return None
    from kew.faces.local import LocalVerbs
    from kew.qmgr.manager import hosted, hosted_names

    name = request.name
    if not name:
        names = hosted_names()
        if len(names) != 1:
            return None
        name = names[0]
    host = hosted(name)
    if host is None:
        return None
    _refuse_token(request)
    credentials = None if request.user is None else (request.user, request.password)
    return LocalVerbs(host.admit(request.application, credentials), request.options & SHARED != 0)


def _on_this_machine(request: ConnectRequest) -> Verbs:
    from kew.client import connect_local
    from kew.faces.network import NetworkVerbs

    _refuse_token(request)
    connection = connect_local(
        request.name, request.application, user=request.user, password=request.password, options=request.options
    )
    return NetworkVerbs(connection, local=True, shared=request.options & SHARED != 0)


def _by_table(request: ConnectRequest, location: str) -> Verbs:
    """Connect over the network, by a client channel definition table."""
    from kew.client.attempts import connecting_by_table

    def wish(channel: "ClientChannel") -> "ConnectSettings":
        request.cipher = channel.cipher
        return _settings(request)

    return _as_client(request, partial(connecting_by_table, location, request.name, wish))


def _by_channel(request: ConnectRequest) -> Verbs:
    """Connect over the network, by the channel that the program names."""
    from kew.client.attempts import connecting

    return _as_client(request, lambda: connecting(_settings(request)))


def _as_client(request: ConnectRequest, make: "Making") -> Verbs:
    """Connect as a client, with `make` for the connection; with reconnection a broken connection is made again."""
    from kew.client.blocking import connect_with
    from kew.client.recovery import SCHEDULE, TIMEOUT, Recovery
    from kew.faces.network import NetworkVerbs

    ccsid, options, recovery = _ccsid(request.file), _reconnection(request), None
    if options & _RECONNECTS and not options & MQCNO_RECONNECT_DISABLED:
        seconds = request.file.number("MQReconnectTimeout")
        recovery = Recovery(options, TIMEOUT if seconds is None else seconds, request.file.delays() or SCHEDULE)
    return NetworkVerbs(connect_with(make, recovery), ccsid=ccsid)


def _reconnection(request: ConnectRequest) -> int:
    """Give the reconnection options: of the program, or else of the file, or else of the channel."""
    asked = request.options & (_RECONNECTS | MQCNO_RECONNECT_DISABLED)
    by_default = request.file.number("DefRecon")
    if by_default == MQCNO_RECONNECT_DISABLED:
        return by_default
    return asked or (request.channel_reconnect if by_default is None else by_default)


def _settings(request: ConnectRequest) -> "ConnectSettings":
    """Make the settings of a client connection from the request and the environment."""
    from kew.client import ConnectSettings
    from kew.client.tls import client_context
    from kew.client.verbs import HANDSHAKE_SECONDS

    _refuse_token(request)
    tls = None
    if request.cipher:
        repository = request.key_repository or os.environ.get("MQSSLKEYR", "") or request.file.text("SSLKeyRepository")
        fips = (
            request.fips or os.environ.get("MQSSLFIPS", "YES" if request.file.yes("SSLFipsRequired") else "NO") == "YES"
        )
        tls = client_context(request.cipher, repository, request.key_password, fips)
    return ConnectSettings(
        "" if request.name.startswith("*") else request.name,  # an asterisk: a queue manager of any name
        request.connection_name or "localhost(1414)",
        request.channel,
        request.user,
        request.password,
        request.application,
        tls,
        request.peer_name if tls is not None else "",
        request.key_reset or _reset_of_environment() or request.file.number("SSLKeyResetCount") or 0,
        request.header_compression,
        request.message_compression,
        request.heartbeat,
        request.max_message,
        request.conversations,
        request.options,
        request.file.number("Connect_Timeout") or HANDSHAKE_SECONDS,
        request.file.yes("KeepAlive"),
    )


def _refuse_token(request: ConnectRequest) -> None:
    if request.token:
        raise MQError(MQRC_FUNCTION_NOT_SUPPORTED, why="a token is not supported")


def _reset_of_environment() -> int:
    """Give MQSSLRESET: bytes after which keys of TLS are renewed."""
    value = os.environ.get("MQSSLRESET", "0")
    return int(value) if value.isdecimal() else 0


def _ccsid(configured: ClientFile) -> int:
    """Give MQCCSID: the character set of the program's text where its messages do not say; 0 if it is not set."""
    value = os.environ.get("MQCCSID", "")
    if not value:
        return configured.number("CCSID") or 0
    if not (value.isascii() and value.isdecimal()):
        raise MQError(MQRC_CHANNEL_CONFIG_ERROR, MQCCSID=value, expected="a number")
    return int(value)
