"""The client configuration file, mqclient.ini: an administrator's defaults for programs.

It is the file that MQCLNTCF names, or else the first mqclient.ini of the working directory, of the directory of queue
managers, and of the user's home. The program's own values come before the environment's, and those before the file's.
"""

import os
import re
from collections.abc import Callable
from typing import Final

from kew.codes.errors import MQError
from kew.codes.options import MQCNO_RECONNECT, MQCNO_RECONNECT_DISABLED, MQCNO_RECONNECT_Q_MGR
from kew.codes.reasons import MQRC_CHANNEL_CONFIG_ERROR
from kew.qmgr.ini import ConfigurationError, parse_stanzas
from kew.storage.directories import data_directory

NAME: Final = "mqclient.ini"
_RECONNECT: Final = {
    "NO": 0,
    "YES": MQCNO_RECONNECT,
    "QMGR": MQCNO_RECONNECT_Q_MGR,
    "DISABLED": MQCNO_RECONNECT_DISABLED,
}
_PAIR: Final = r"\(\s*(\d+)\s*(?:,\s*(\d+)\s*)?\)"

Value = str | int | bool | tuple[tuple[float, float], ...]


def _text(value: str) -> str | None:
    return value or None


def split_server(value: str) -> tuple[str, str] | None:
    """Give channel and connection name of CHANNEL/TCP/host(port), the form of MQSERVER; None for anything else."""
    parts = value.split("/", 2)
    if len(parts) != 3 or parts[1].upper() != "TCP" or not parts[0] or not parts[2]:
        return None
    return parts[0], parts[2]


def _server(value: str) -> str | None:
    return value if split_server(value) is not None else None


def _number(value: str) -> int | None:
    return int(value) if value.isascii() and value.isdecimal() else None


def _yes(value: str) -> bool | None:
    return {"YES": True, "NO": False}.get(value.upper())


def _reconnect(value: str) -> int | None:
    return _RECONNECT.get(value.upper())


def _delays(value: str) -> tuple[tuple[float, float], ...] | None:
    """Read pairs of a delay and its random part, in seconds."""
    if not re.fullmatch(rf"(?:{_PAIR}\s*)+", value):
        return None
    return tuple((int(delay) / 1000, int(more or 0) / 1000) for delay, more in re.findall(_PAIR, value))


# Attributes in use, by stanza: the function that reads each, and its allowed values.
_HEEDED: Final[dict[tuple[str, str], tuple[Callable[[str], Value | None], str]]] = {
    ("CHANNELS", "CCSID"): (_number, "a number"),
    ("CHANNELS", "ChannelDefinitionDirectory"): (_text, "a directory, or the address of one"),
    ("CHANNELS", "ChannelDefinitionFile"): (_text, "the name of a file"),
    ("CHANNELS", "DefRecon"): (_reconnect, "NO, YES, QMGR or DISABLED"),
    ("CHANNELS", "MQReconnectTimeout"): (_number, "a number of seconds"),
    ("CHANNELS", "ReconDelay"): (_delays, "milliseconds, as in (1000,200)(2000,200)"),
    ("CHANNELS", "ServerConnectionParms"): (_server, "CHANNEL/TCP/host(port)"),
    ("SSL", "SSLFipsRequired"): (_yes, "YES or NO"),
    ("SSL", "SSLKeyRepository"): (_text, "the path of the key repository"),
    ("SSL", "SSLKeyResetCount"): (_number, "a number of bytes"),
    ("TCP", "Connect_Timeout"): (_number, "a number of seconds"),
    ("TCP", "KeepAlive"): (_yes, "YES or NO"),
}
# Attributes without effect, by stanza; docs/howto/moving.md tells why. Any other is refused.
_NOT_HEEDED: Final[dict[str, tuple[str, ...]]] = {
    "CHANNELS": ("Put1DefaultAlwaysSync", "WarnOnSharedHandles"),
    "SSL": (),
    "TCP": ("ClntRcvBuffSize", "ClntSndBuffSize", "IPAddressVersion", "Library1", "Library2"),
    "MessageBuffer": ("MaximumSize", "PurgeTime", "UpdatePercentage"),
}
# Stanzas of functions that Kew lacks: the file that MQ is installed with has the first of them.
_PASSED_OVER: Final = frozenset(("clientexitpath", "lu62", "netbios", "security", "spx"))


class ClientFile:
    """The attributes of a client configuration file, by name; none where there is no file."""

    def __init__(self, values: dict[str, Value]) -> None:
        self._values = values

    def text(self, attribute: str) -> str:
        """Give an attribute that is text; empty if it is not given."""
        return str(self._values.get(attribute, ""))

    def number(self, attribute: str) -> int | None:
        """Give an attribute that is a number; None if it is not given."""
        value = self._values.get(attribute)
        return value if isinstance(value, int) else None

    def yes(self, attribute: str) -> bool:
        """Give an attribute that is YES or NO; NO if it is not given."""
        return self._values.get(attribute) is True

    def delays(self) -> tuple[tuple[float, float], ...]:
        """Give ReconDelay; empty if it is not given."""
        value = self._values.get("ReconDelay")
        return value if isinstance(value, tuple) else ()


def client_file() -> ClientFile:
    """Read the client configuration file, if there is one; a file with errors is refused."""
    path = _place()
    if not path:
        return ClientFile({})
    try:
        with open(path, "rb") as file:
            return ClientFile(_read(path, file.read()))
    except (OSError, ConfigurationError) as problem:
        raise MQError(MQRC_CHANNEL_CONFIG_ERROR, why=str(problem)) from problem


def _place() -> str:
    named = os.environ.get("MQCLNTCF", "")
    if named:
        return named
    for directory in (os.curdir, data_directory(), os.path.expanduser("~")):
        path = os.path.join(directory, NAME)
        if os.path.isfile(path):
            return path
    return ""


def _read(path: str, data: bytes) -> dict[str, Value]:
    values: dict[str, Value] = {}
    for stanza in parse_stanzas(path, data):
        if stanza.name.lower() in _PASSED_OVER:
            continue
        name = _known(stanza.name, list(_NOT_HEEDED), path, stanza.line, "stanza")
        heeded = [attribute for of, attribute in _HEEDED if of == name]
        for entry in stanza.entries:
            attribute = _known(entry.key, [*heeded, *_NOT_HEEDED[name]], path, entry.line, "attribute")
            if attribute in heeded:
                read, allowed = _HEEDED[name, attribute]
                value = read(entry.value)
                if value is None:
                    raise ConfigurationError(path, entry.line, attribute, entry.value, allowed)
                values[attribute] = value
    return values


def _known(word: str, names: list[str], path: str, line: int, what: str) -> str:
    """Give a name in its usual spelling; case does not matter in the file."""
    for each in names:
        if each.lower() == word.lower():
            return each
    raise ConfigurationError.unknown(path, line, what, word, names)
