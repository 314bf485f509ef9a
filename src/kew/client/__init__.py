"""The network client: MQ's verbs over TCP from pure Python, synchronous here, for asyncio in kew.client.aio."""

from kew.client.blocking import Connection, Queue, Subscription, connect
from kew.client.verbs import Received

__all__ = ["Connection", "Queue", "Received", "Subscription", "connect"]
