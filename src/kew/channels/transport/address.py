"""Addresses of a queue manager in the form of a channel's CONNAME: host(port), several separated by commas."""

import re
from typing import Final

DEFAULT_PORT: Final = 1414
_ENTRY: Final = re.compile(r"\s*(?P<host>\[[^\]]+\]|[^()\s,]+)\s*(\(\s*(?P<port>[0-9]{1,5})\s*\))?\s*")


class AddressError(ValueError):
    """An invalid connection name."""


def parse_addresses(connection_name: str) -> list[tuple[str, int]]:
    """Give the hosts and ports of a connection name, in the order to be tried."""
    addresses: list[tuple[str, int]] = []
    for entry in connection_name.split(","):
        match = _ENTRY.fullmatch(entry)
        if match is None:
            raise AddressError(f"connection name {connection_name!r}: {entry!r} is not host(port)")
        port = int(match["port"]) if match["port"] else DEFAULT_PORT
        if not 0 < port < 65536:
            raise AddressError(f"connection name {connection_name!r}: port {port} is not 1 to 65535")
        addresses.append((match["host"].strip("[]"), port))
    return addresses
