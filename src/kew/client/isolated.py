"""Isolated bindings (MQCNO_ISOLATED_BINDING): a connection whose agent is a process of its own (`relay.py`)."""

import os
import socket
import subprocess
import sys
import threading
from typing import Final

from kew.client.local import local_endpoint

_RELAY: Final = os.path.join(os.path.dirname(__file__), "relay.py")


def isolated_endpoint(queue_manager: str, data: str, timeout: float) -> socket.socket:
    """A socket to the agent of a queue manager that runs on this machine; fails as a shared binding does."""
    manager = local_endpoint(queue_manager, data, timeout)
    ours, theirs = socket.socketpair()
    passed = (theirs.fileno(), manager.fileno())
    try:
        # A session of its own: Ctrl-C is for the program, and what it did not commit is backed out all the same.
        agent = subprocess.Popen(
            [sys.executable, "-I", "-S", _RELAY, *map(str, passed)],
            pass_fds=passed,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError:
        ours.close()
        raise
    finally:
        theirs.close()
        manager.close()
    threading.Thread(target=agent.wait, name="kew-isolated", daemon=True).start()
    ours.settimeout(timeout)
    return ours
