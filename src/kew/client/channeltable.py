"""Client channel definition tables (CCDT) in JSON: which channels lead to which queue managers.

    {"channel": [{"name": "APP", "type": "clientConnection",
                  "clientConnection": {"connection": [{"host": "a", "port": 1414}], "queueManager": "QM1"},
                  "transmissionSecurity": {"cipherSpecification": "ANY_TLS12_OR_HIGHER"},
                  "connectionManagement": {"clientWeight": 5, "affinity": "none", "heartbeatInterval": 60}}]}

A program that asks for QM1 tries the channels to QM1. A program that asks for *GROUP tries the channels of the group
GROUP; a program that names no queue manager, or asks for *, tries the channels without a queue manager name. In both
cases the queue manager reached may have any name.
"""

import json
import random
import socket
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from kew.channels.transport.address import DEFAULT_PORT
from kew.client.connectsettings import ConnectSettings
from kew.codes.errors import MQError
from kew.codes.reasons import MQRC_CHANNEL_CONFIG_ERROR, MQRC_KEY_REPOSITORY_ERROR, MQRC_Q_MGR_NAME_ERROR

MAX_SIZE: Final = 1 << 20
SECONDS: Final = 10.0
CLIENT: Final = "clientConnection"
# The keys that an object of the table may have: those that Kew uses, and those of MQ without effect here. A table with
# any other key is refused, since the key may be misspelt.
KEYS: Final = {
    "the table": ("channel", "version"),
    "channel": (
        "name",
        "type",
        CLIENT,
        "connectionManagement",
        "transmissionSecurity",
        "general",
        "compression",
        "exits",
        "timestamps",
    ),
    CLIENT: ("connection", "queueManager"),
    "connection": ("host", "port"),
    "connectionManagement": (
        "affinity",
        "clientWeight",
        "defaultReconnect",
        "disconnectInterval",
        "heartbeatInterval",
        "keepAliveInterval",
        "localAddress",
        "sharingConversations",
    ),
    "transmissionSecurity": ("certificateLabel", "certificatePeerName", "cipherSpecification"),
}


class ClientChannel:
    """One client-connection channel of a table."""

    def __init__(self, entry: Mapping[str, Any]) -> None:
        _known(entry, "channel")
        self.name = _text(entry, "name")
        connection = _part(entry, CLIENT)
        self.queue_manager = _text(connection, "queueManager")
        self.addresses = [_address(each) for each in _list(connection, "connection")]
        self.cipher = _text(_part(entry, "transmissionSecurity"), "cipherSpecification")
        self.peer_name = _text(_part(entry, "transmissionSecurity"), "certificatePeerName")
        management = _part(entry, "connectionManagement")
        self.weight = _number(management, "clientWeight", 0, 0, 99)
        self.affinity = _text(management, "affinity") or "preferred"
        if self.affinity not in ("none", "preferred"):
            raise _unusable(f"affinity {self.affinity!r} is neither none nor preferred")
        self.heartbeat = _number(management, "heartbeatInterval", 300, 0, 999999)
        self.conversations = _number(management, "sharingConversations", 10, 0, 999999999)
        if not self.name or not self.addresses:
            raise _unusable(f"channel {self.name!r} needs a name and a connection")

    @property
    def connection_name(self) -> str:
        """Give the channel's addresses as a connection name."""
        return ",".join([f"{host}({port})" for host, port in self.addresses])

    def settings(self, wish: ConnectSettings) -> ConnectSettings:
        """Give the channel's settings, with the program's own for the rest; TLS uses the program's key repository."""
        if self.cipher and wish.tls is None:
            raise MQError(MQRC_KEY_REPOSITORY_ERROR, channel=self.name, why=f"SSLCIPH is {self.cipher}; give keys")
        return replace(
            wish,
            queue_manager="" if wish.queue_manager.startswith("*") else wish.queue_manager,
            channel=self.name,
            connection_name=self.connection_name,
            tls=wish.tls if self.cipher else None,
            peer_name=self.peer_name,
            heartbeat=self.heartbeat,
            conversations=min(wish.conversations, self.conversations),
        )


def _unusable(why: str) -> MQError:
    return MQError(MQRC_CHANNEL_CONFIG_ERROR, why=f"client channel definition table: {why}")


def _part(entry: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = entry.get(key, {})
    if not isinstance(value, dict):
        raise _unusable(f"{key} is not an object")
    _known(value, key)
    return value


def _known(entry: Mapping[str, Any], of: str) -> None:
    """Refuse an object with an unknown key; keys that begin with $ belong to JSON Schema."""
    for key in entry:
        if key not in KEYS[of] and not key.startswith("$"):
            raise _unusable(f"unknown key {key[:60]!r} in {of}; known: {', '.join(KEYS[of])}")


def _list(entry: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
    value = entry.get(key, [])
    if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
        raise _unusable(f"{key} is not a list of objects")
    return value


def _text(entry: Mapping[str, Any], key: str) -> str:
    value = entry.get(key, "")
    if not isinstance(value, str):
        raise _unusable(f"{key} is not text")
    return value.strip()


def _number(entry: Mapping[str, Any], key: str, default: int, least: int, most: int) -> int:
    value = entry.get(key, default)
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise _unusable(f"{key} is not a number from {least} to {most}")
    return value


def _address(entry: Mapping[str, Any]) -> tuple[str, int]:
    _known(entry, "connection")
    host = _text(entry, "host")
    if not host:
        raise _unusable("a connection has no host")
    return host, _number(entry, "port", DEFAULT_PORT, 1, 65535)


def parse_table(data: bytes) -> list[ClientChannel]:
    """Read the client channels of a table; other channels in it are left out."""
    try:
        table = json.loads(data)
    except (ValueError, RecursionError) as problem:
        raise _unusable(f"not JSON ({problem})") from problem
    if not isinstance(table, dict):
        raise _unusable("not a JSON object")
    _known(table, "the table")
    return [ClientChannel(each) for each in _list(table, "channel") if _text(each, "type") in ("", CLIENT)]


def load_table(location: str) -> list[ClientChannel]:
    """Load the table at a path, or at an address with file:, http: or https:."""
    scheme = urllib.parse.urlsplit(location).scheme
    try:
        if scheme in ("http", "https"):
            with urllib.request.urlopen(location, timeout=SECONDS) as answer:
                data: bytes = answer.read(MAX_SIZE + 1)
        elif scheme in ("", "file"):
            path = urllib.request.url2pathname(urllib.parse.urlsplit(location).path) if scheme else location
            with open(path, "rb") as file:
                data = file.read(MAX_SIZE + 1)
        else:
            raise _unusable(f"{location!r}: {scheme}: is not one of file:, http: and https:")
    except (OSError, urllib.error.URLError) as problem:
        raise _unusable(f"{location!r} cannot be read ({problem})") from problem
    if len(data) > MAX_SIZE:
        raise _unusable(f"{location!r} has more than {MAX_SIZE} bytes")
    return parse_table(data)


def channels_to(table: list[ClientChannel], wanted: str, chance: random.Random | None = None) -> list[ClientChannel]:
    """Give the channels to a queue manager or group, in the order to be tried.

    Channels without a weight come first, by name; then the others in random order, heavier ones sooner. With the
    affinity `preferred` the programs of one machine have the same order every time, else each connection has its own.
    """
    group = wanted.removeprefix("*").strip()
    fitting = [each for each in table if each.queue_manager == group]
    if not fitting:
        raise MQError(MQRC_Q_MGR_NAME_ERROR, queue_manager=wanted, why="no channel of the table leads there")
    if chance is None:
        preferred = any(each.affinity != "none" for each in fitting)
        chance = random.Random(socket.gethostname()) if preferred else random.Random()
    first = sorted([each for each in fitting if not each.weight], key=lambda each: each.name)
    weighted = sorted([each for each in fitting if each.weight], key=lambda each: each.name)
    drawn = sorted(weighted, key=lambda each: chance.random() ** (1 / each.weight), reverse=True)
    return first + drawn
