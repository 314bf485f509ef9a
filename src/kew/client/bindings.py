"""The bindings to a queue manager on this machine, by the socket in its directory: standard and isolated.

With isolated bindings (MQCNO_ISOLATED_BINDING) the connection's agent is a process of its own (`relay.py`).
"""

import os
import socket
import subprocess
import sys
import threading
from typing import Final

from kew.codes.errors import MQError
from kew.codes.reasons import MQRC_Q_MGR_NAME_ERROR, MQRC_Q_MGR_NOT_AVAILABLE
from kew.storage.directories import BINDINGS, check_queue_manager_name, data_directory, directory_of


def local_endpoint(queue_manager: str, data: str, timeout: float) -> socket.socket:
    """Open a socket to a queue manager that runs on this machine.

    A path may be longer than a socket's name can be, so the socket is named through the directory's descriptor.
    """
    check_queue_manager_name(queue_manager)
    root = directory_of(data or data_directory(), queue_manager)
    endpoint = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    endpoint.settimeout(timeout)
    try:
        folder = os.open(root, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as problem:
        endpoint.close()
        raise MQError(MQRC_Q_MGR_NAME_ERROR, name=queue_manager, why=str(problem)) from problem
    try:
        endpoint.connect(f"/proc/self/fd/{folder}/{BINDINGS}")
    except OSError as problem:
        endpoint.close()
        raise MQError(MQRC_Q_MGR_NOT_AVAILABLE, name=queue_manager, why=str(problem)) from problem
    finally:
        os.close(folder)
    return endpoint


_RELAY: Final = os.path.join(os.path.dirname(__file__), "relay.py")


def isolated_endpoint(queue_manager: str, data: str, timeout: float) -> socket.socket:
    """Open a socket to the agent of a queue manager on this machine; errors are those of standard bindings."""
    manager = local_endpoint(queue_manager, data, timeout)
    ours, theirs = socket.socketpair()
    passed = (theirs.fileno(), manager.fileno())
    try:
        # A session of its own: Ctrl-C is for the program, and its uncommitted work is backed out all the same.
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
