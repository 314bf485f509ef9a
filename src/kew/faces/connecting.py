"""Finds the way to a queue manager: inside this process, or over the network.

A program that names no channel is a local one: it uses the queue manager that its own process hosts, or else the one
that runs on this machine. MQSERVER or MQCNO_CLIENT_BINDING make it a client, as in MQ.
"""

import os
import sys
from typing import Any

from kew.codes.errors import MQError
from kew.codes.options import MQCNO_CLIENT_BINDING, MQCNO_LOCAL_BINDING
from kew.codes.reasons import MQRC_CD_ERROR, MQRC_CHANNEL_CONFIG_ERROR, MQRC_Q_MGR_NAME_ERROR
from kew.faces.verbs import Verbs


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
        self.certificate_label: str = ""
        self.token: str = ""
        self.table: str = ""  # address of a client channel definition table
        self.application: str = ""

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
    if not way.application:
        way.application = os.path.basename(sys.argv[0]) or "python"
    if way.channel:
        return _over_network(way)
    server = os.environ.get("MQSERVER", "")
    if not way.options & MQCNO_CLIENT_BINDING:
        found = _in_this_process(way)
        if found is not None:
            return found
        if way.name and (not server or way.options & MQCNO_LOCAL_BINDING):
            return _on_this_machine(way)
    if not server or way.options & MQCNO_LOCAL_BINDING:
        raise MQError(MQRC_Q_MGR_NAME_ERROR, queue_manager=way.name, why="no channel, no MQSERVER")
    way.channel, way.connection_name = parse_server(server)
    return _over_network(way)


def parse_server(value: str) -> tuple[str, str]:
    """The channel and connection name in a value of MQSERVER: CHANNEL/TCP/host(port)."""
    parts = value.split("/", 2)
    if len(parts) != 3 or parts[1].upper() != "TCP" or not parts[0] or not parts[2]:
        raise MQError(MQRC_CHANNEL_CONFIG_ERROR, MQSERVER=value, expected="CHANNEL/TCP/host(port)")
    return parts[0], parts[2]


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
    return LocalVerbs(host.connect(way.application, way.user or ""))


def _on_this_machine(way: Way) -> Verbs:
    from kew.client import connect_local
    from kew.faces.network import NetworkVerbs

    return NetworkVerbs(connect_local(way.name, way.application, options=way.options))


def _over_network(way: Way) -> Verbs:
    from kew.client import connect as connect_client
    from kew.client.address import AddressError
    from kew.faces.network import NetworkVerbs

    try:
        connection = connect_client(
            way.name,
            way.connection_name or "localhost(1414)",
            way.channel,
            way.user,
            way.password,
            way.application,
            heartbeat=way.heartbeat,
            max_message=way.max_message,
            conversations=way.conversations,
            options=way.options & ~MQCNO_CLIENT_BINDING,
        )
    except AddressError as problem:
        raise MQError(MQRC_CD_ERROR, why=str(problem)) from problem
    return NetworkVerbs(connection)
