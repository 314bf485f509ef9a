"""Kew: an open queue manager that does what IBM MQ does.

    import kew

    with kew.start("QM1", create=True) as qmgr:
        qmgr.mqsc("DEFINE QLOCAL(ORDERS) REPLACE")
        connection = qmgr.connect()

hosts a queue manager inside the calling process. `kew.mqi` has the verbs.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kew.mqi.local.connection import LocalConnection
    from kew.qmgr.manager import QueueManager


def start(name: str, data: str = "", create: bool = False) -> "QueueManager":
    """Start the queue manager `name` inside this process; with `create`, make it first if it is not there."""
    from kew.qmgr import manager
    from kew.qmgr.existing import exists

    if create and not exists(name, data):
        manager.create(name, data=data)
    return manager.start(name, data)


def connect(name: str, application: str = "", user: str = "") -> "LocalConnection":
    """Connect to a queue manager that this process hosts."""
    from kew.codes.errors import MQError
    from kew.codes.reasons import MQRC_Q_MGR_NAME_ERROR
    from kew.qmgr import manager

    hosted = manager.hosted(name)
    if hosted is None:
        raise MQError(MQRC_Q_MGR_NAME_ERROR, name=name)
    return hosted.connect(application, user)
