"""The network client: MQ's verbs over TCP or a Unix socket; blocking here, for asyncio in kew.client.aio."""

from kew.client.blocking import (
    Connection,
    Queue,
    Subscription,
    connect,
    connect_by,
    connect_by_table,
    connect_local,
)
from kew.client.connectsettings import ConnectSettings
from kew.client.received import Received

__all__ = [
    "ConnectSettings",
    "Connection",
    "Queue",
    "Received",
    "Subscription",
    "connect",
    "connect_by",
    "connect_by_table",
    "connect_local",
]
