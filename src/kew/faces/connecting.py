"""Finds the way to a queue manager: inside this process, or over the network.

A program that names no channel is a local one: it uses the queue manager that its own process hosts, or else the one
that runs on this machine. MQSERVER, a client channel definition table (MQCCDTURL, or MQCHLLIB and MQCHLTAB),
MQCNO_CLIENT_BINDING or MQ_CONNECT_TYPE make it a client, as in MQ. MQSSLKEYR, MQSSLFIPS, MQSSLRESET, MQCCSID and
MQAPPLNAME say what a program does not, and mqclient.ini (clientfile.py) what neither says.
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
    from kew.client import Reach
    from kew.client.attempts import Making
    from kew.client.channeltable import ClientChannel

_RECONNECTS: Final = MQCNO_RECONNECT | MQCNO_RECONNECT_Q_MGR
_BINDINGS: Final = MQCNO_FASTPATH_BINDING | MQCNO_SHARED_BINDING | MQCNO_ISOLATED_BINDING
# What a program says of its binding, which MQ_CONNECT_TYPE does not change.
_OTHER_THAN_STANDARD: Final = _BINDINGS | MQCNO_LOCAL_BINDING | MQCNO_CLIENT_BINDING


class Way:
    """What a program says about the queue manager it wants."""

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
        self.channel_reconnect: int = 0  # what the channel's definition says of reconnection: MQCNO_RECONNECT*
        self.file = ClientFile({})  # mqclient.ini, of a client
        self.manager_descriptor: Any = None  # the OD of a queue manager, in the program's package

    @property
    def name(self) -> str:
        """The name of the queue manager as text."""
        return text(self.queue_manager)


def text(value: Any) -> str:
    """Characters of a structure's field as text, without padding."""
    if not value:
        return ""
    raw: bytes = value.encode("utf-8") if isinstance(value, str) else value
    return raw.partition(b"\0")[0].decode("utf-8", "replace").strip()


def connect(way: Way) -> Verbs:
    """Connect, the way the program says or MQ's environment variables say."""
    if (way.options & _BINDINGS).bit_count() > 1:
        raise MQError(MQRC_OPTIONS_ERROR, options=way.options, why="only one kind of binding can be had")
    check_sharing(way.options)
    if not way.application:
        way.application = os.environ.get("MQAPPLNAME") or os.path.basename(sys.argv[0]) or "python"
    if not way.options & _OTHER_THAN_STANDARD and os.environ.get("MQ_CONNECT_TYPE") == "CLIENT":
        way.options |= MQCNO_CLIENT_BINDING
    if way.channel or way.table:
        way.file = client_file()
    if way.channel:
        return _by_channel(way)
    if way.table:
        return _by_table(way, way.table)
    if way.options & MQCNO_ISOLATED_BINDING and not way.options & MQCNO_CLIENT_BINDING:
        return _on_this_machine(way)
    if not way.options & MQCNO_CLIENT_BINDING:
        found = _in_this_process(way)
        if found is not None:
            return found
        if way.name and way.options & MQCNO_LOCAL_BINDING:
            return _on_this_machine(way)
    if not way.options & MQCNO_LOCAL_BINDING:
        way.file = client_file()
    server = os.environ.get("MQSERVER", "") or way.file.text("ServerConnectionParms")
    table = _table_of_environment(way.file)
    if way.name and not (server or table or way.options & MQCNO_CLIENT_BINDING):
        return _on_this_machine(way)
    if way.options & MQCNO_LOCAL_BINDING or not (server or table):
        raise MQError(MQRC_Q_MGR_NAME_ERROR, queue_manager=way.name, why="no channel, no MQSERVER, no table")
    if not server:
        return _by_table(way, table)
    way.channel, way.connection_name = parse_server(server)
    return _by_channel(way)


def _table_of_environment(configured: ClientFile) -> str:
    location = os.environ.get("MQCCDTURL", "")
    folder = os.environ.get("MQCHLLIB", "") or configured.text("ChannelDefinitionDirectory")
    file = os.environ.get("MQCHLTAB", "") or configured.text("ChannelDefinitionFile")
    return location or (os.path.join(folder, file) if file else "")


def parse_server(value: str) -> tuple[str, str]:
    """The channel and connection name in a value of MQSERVER: CHANNEL/TCP/host(port)."""
    found = split_server(value)
    if found is None:
        raise MQError(MQRC_CHANNEL_CONFIG_ERROR, MQSERVER=value, expected="CHANNEL/TCP/host(port)")
    return found


def _in_this_process(way: Way) -> Verbs | None:
    manager = sys.modules.get("kew.qmgr.manager")  # a process that has not imported it hosts nothing
    if manager is None:
        return None
    from kew.faces.local import LocalVerbs
    from kew.qmgr.manager import hosted, hosted_names

    name = way.name
    if not name:
        names = hosted_names()
        if len(names) != 1:
            return None
        name = names[0]
    host = hosted(name)
    if host is None:
        return None
    _refuse_token(way)
    credentials = None if way.user is None else (way.user, way.password)
    return LocalVerbs(host.admit(way.application, credentials), way.options & SHARED != 0)


def _on_this_machine(way: Way) -> Verbs:
    from kew.client import connect_local
    from kew.faces.network import NetworkVerbs

    _refuse_token(way)
    connection = connect_local(way.name, way.application, user=way.user, password=way.password, options=way.options)
    return NetworkVerbs(connection, local=True, shared=way.options & SHARED != 0)


def _by_table(way: Way, location: str) -> Verbs:
    """Connect over the network, by a client channel definition table."""
    from kew.client.attempts import reaching_by_table

    def wish(channel: "ClientChannel") -> "Reach":
        way.cipher = channel.cipher
        return _reach(way)

    return _as_client(way, partial(reaching_by_table, location, way.name, wish))


def _by_channel(way: Way) -> Verbs:
    """Connect over the network, by the channel that the program names."""
    from kew.client.attempts import reaching

    return _as_client(way, lambda: reaching(_reach(way)))


def _as_client(way: Way, make: "Making") -> Verbs:
    """Connect by a script; where reconnection is wanted the connection is made anew by it when it breaks."""
    from kew.client.blocking import connect_with
    from kew.client.recovery import SCHEDULE, TIMEOUT, Recovery
    from kew.faces.network import NetworkVerbs

    ccsid, options, recovery = _ccsid(way.file), _reconnection(way), None
    if options & _RECONNECTS and not options & MQCNO_RECONNECT_DISABLED:
        seconds = way.file.number("MQReconnectTimeout")
        recovery = Recovery(options, TIMEOUT if seconds is None else seconds, way.file.delays() or SCHEDULE)
    return NetworkVerbs(connect_with(make, recovery), ccsid=ccsid)


def _reconnection(way: Way) -> int:
    """What is wanted of reconnection: by the program, or else by the file, or else by the channel."""
    asked = way.options & (_RECONNECTS | MQCNO_RECONNECT_DISABLED)
    by_default = way.file.number("DefRecon")
    if by_default == MQCNO_RECONNECT_DISABLED:
        return by_default
    return asked or (way.channel_reconnect if by_default is None else by_default)


def _reach(way: Way) -> "Reach":
    """What leads to the queue manager, for a connection that is made now."""
    from kew.client import Reach
    from kew.client.tls import client_context
    from kew.client.verbs import HANDSHAKE_SECONDS

    _refuse_token(way)
    tls = None
    if way.cipher:
        repository = way.key_repository or os.environ.get("MQSSLKEYR", "") or way.file.text("SSLKeyRepository")
        fips = way.fips or os.environ.get("MQSSLFIPS", "YES" if way.file.yes("SSLFipsRequired") else "NO") == "YES"
        tls = client_context(way.cipher, repository, way.key_password, fips)
    return Reach(
        "" if way.name.startswith("*") else way.name,  # an asterisk: whatever the queue manager is called
        way.connection_name or "localhost(1414)",
        way.channel,
        way.user,
        way.password,
        way.application,
        tls,
        way.peer_name if tls is not None else "",
        way.key_reset or _reset_of_environment() or way.file.number("SSLKeyResetCount") or 0,
        way.header_compression,
        way.message_compression,
        way.heartbeat,
        way.max_message,
        way.conversations,
        way.options,
        way.file.number("Connect_Timeout") or HANDSHAKE_SECONDS,
        way.file.yes("KeepAlive"),
    )


def _refuse_token(way: Way) -> None:
    if way.token:
        raise MQError(MQRC_FUNCTION_NOT_SUPPORTED, why="a token is not supported")


def _reset_of_environment() -> int:
    """MQSSLRESET: bytes after which keys of TLS are renewed."""
    value = os.environ.get("MQSSLRESET", "0")
    return int(value) if value.isdecimal() else 0


def _ccsid(configured: ClientFile) -> int:
    """MQCCSID: the character set of the program's text, where its messages do not say; 0 where nobody says."""
    value = os.environ.get("MQCCSID", "")
    if not value:
        return configured.number("CCSID") or 0
    if not (value.isascii() and value.isdecimal()):
        raise MQError(MQRC_CHANNEL_CONFIG_ERROR, MQCCSID=value, expected="a number")
    return int(value)
