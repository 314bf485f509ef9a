"""Ports for temporary queue managers."""

import random
import socket
from pathlib import Path
from typing import Final

_RANGE: Final = Path("/proc/sys/net/ipv4/ip_local_port_range")
_LOWEST: Final = 10_000
_TRIES: Final = 100


def free_port() -> int:
    """Give a free port of this machine.

    The port is outside the range from which the system gives ports to connections: a port of that range may be taken
    before a queue manager listens on it, and a client that connects to it meanwhile may even be connected to itself.
    """
    try:
        first = int(_RANGE.read_text().split()[0])
    except (OSError, ValueError, IndexError):
        first = 0
    choices = range(_LOWEST, first)
    for port in random.Random().sample(choices, min(_TRIES, len(choices))):
        if _is_free(port):
            return port
    with socket.socket() as endpoint:
        endpoint.bind(("127.0.0.1", 0))
        return int(endpoint.getsockname()[1])


def _is_free(port: int) -> bool:
    with socket.socket() as endpoint:
        try:
            endpoint.bind(("", port))
        except OSError:
            return False
    return True
