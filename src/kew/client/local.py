"""The way to a queue manager on this machine: standard bindings, by the socket in its directory."""

import os
import socket

from kew.codes.errors import MQError
from kew.codes.reasons import MQRC_Q_MGR_NAME_ERROR, MQRC_Q_MGR_NOT_AVAILABLE
from kew.qmgr.names import BINDINGS, check_queue_manager_name, data_directory, directory_of


def local_endpoint(queue_manager: str, data: str, timeout: float) -> socket.socket:
    """A socket to a queue manager that runs on this machine.

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
