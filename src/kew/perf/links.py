"""The connections of a worker to the queue manager, all with the same few verbs.

A worker does the work of a program and no more: `HostedLink` is a program in the queue manager's own process
(fastpath), `NetLink` one that reaches it by a socket (standard, isolated, client), and `NullLink` reaches nothing, so
that what the worker itself costs can be measured.
"""

from typing import Any, Final, Protocol

from kew.channels.protocol.options import GetOptions, PutOptions
from kew.client import Connection, connect, connect_local
from kew.codes.channels import (
    MQCOMPRESS_LZ4FAST,
    MQCOMPRESS_LZ4HIGH,
    MQCOMPRESS_RLE,
    MQCOMPRESS_ZLIBFAST,
    MQCOMPRESS_ZLIBHIGH,
)
from kew.codes.errors import NoMessage
from kew.codes.options import MQCNO_ISOLATED_BINDING, MQGMO_WAIT
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.local.connection import LocalConnection
from kew.perf.target import Target
from kew.qmgr import manager

MESSAGE_ROOM: Final = 100 << 20
COMPRESSIONS: Final = {
    "RLE": MQCOMPRESS_RLE,
    "ZLIBFAST": MQCOMPRESS_ZLIBFAST,
    "ZLIBHIGH": MQCOMPRESS_ZLIBHIGH,
    "LZ4FAST": MQCOMPRESS_LZ4FAST,
    "LZ4HIGH": MQCOMPRESS_LZ4HIGH,
}


class Link(Protocol):
    """A program's connection; handles are the results of `open`."""

    def open(self, queue: str, options: int, selector: str = "") -> Any:
        """MQOPEN."""

    def put(self, handle: Any, descriptor: MessageDescriptor, body: bytes, options: int) -> None:
        """MQPUT."""

    def get(
        self, handle: Any, options: int, wait: int, match: int, wanted: MessageDescriptor | None
    ) -> tuple[bytes, MessageDescriptor] | None:
        """MQGET: the message, or None when the time is up."""

    def commit(self) -> None:
        """MQCMIT."""

    def back_out(self) -> None:
        """MQBACK."""

    def close(self, handle: Any) -> None:
        """MQCLOSE."""

    def disconnect(self) -> None:
        """MQDISC."""


class HostedLink:
    """A program in the process that hosts the queue manager."""

    def __init__(self, connection: LocalConnection) -> None:
        self._connection = connection
        self.commit = connection.commit
        self.back_out = connection.backout
        self.close = connection.close
        self.disconnect = connection.disconnect

    def open(self, queue: str, options: int, selector: str = "") -> Any:
        """MQOPEN."""
        return self._connection.open(queue, options, selection=selector)

    def put(self, handle: Any, descriptor: MessageDescriptor, body: bytes, options: int) -> None:
        """MQPUT."""
        self._connection.put(handle, descriptor, body, options)

    def get(
        self, handle: Any, options: int, wait: int, match: int, wanted: MessageDescriptor | None
    ) -> tuple[bytes, MessageDescriptor] | None:
        """MQGET: the message, or None when the time is up."""
        try:
            got = self._connection.get(handle, options | MQGMO_WAIT if wait else options, wait, match, wanted)
        except NoMessage:
            return None
        return got.data, got.descriptor


class NetLink:
    """The connection of a program by a socket."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.commit = connection.commit
        self.back_out = connection.back_out
        self.disconnect = connection.disconnect

    def open(self, queue: str, options: int, selector: str = "") -> Any:
        """MQOPEN."""
        return self._connection.open(queue, options, selector=selector)

    def open_topic(self, topic: str, options: int) -> Any:
        """MQOPEN of a topic to publish on."""
        return self._connection.open_topic(topic, options)

    def subscribe(self, topic: str) -> Any:
        """MQSUB: the queue that publications arrive on."""
        return self._connection.subscribe(topic).queue

    def put(self, handle: Any, descriptor: MessageDescriptor, body: bytes, options: int) -> None:
        """MQPUT."""
        put_options = PutOptions()
        put_options.options = options
        handle.put(body, descriptor, options=put_options)

    def get(
        self, handle: Any, options: int, wait: int, match: int, wanted: MessageDescriptor | None
    ) -> tuple[bytes, MessageDescriptor] | None:
        """MQGET: the message, or None when the time is up."""
        get_options = GetOptions()
        get_options.version = 2
        get_options.options = options | MQGMO_WAIT if wait else options
        get_options.wait_interval = wait
        get_options.match_options = match
        try:
            received = handle.get(options=get_options, descriptor=wanted if wanted is not None else MessageDescriptor())
        except NoMessage:
            return None
        return received.data, received.descriptor

    def close(self, handle: Any) -> None:
        """MQCLOSE."""
        handle.close()


class NullLink:
    """A connection to nothing: every get gives the same message at once."""

    def __init__(self) -> None:
        self._message = (b"", MessageDescriptor())

    def open(self, _queue: str, _options: int, _selector: str = "") -> Any:
        """MQOPEN."""
        return None

    def put(self, _handle: Any, _descriptor: MessageDescriptor, _body: bytes, _options: int) -> None:
        """MQPUT."""

    def get(
        self, _handle: Any, _options: int, _wait: int, _match: int, _wanted: MessageDescriptor | None
    ) -> tuple[bytes, MessageDescriptor] | None:
        """MQGET."""
        return self._message

    def commit(self) -> None:
        """MQCMIT."""

    def back_out(self) -> None:
        """MQBACK."""

    def close(self, _handle: Any) -> None:
        """MQCLOSE."""

    def disconnect(self) -> None:
        """MQDISC."""


def connect_to(target: Target, binding: str, application: str) -> HostedLink | NetLink:
    """Connect as a program of a binding does."""
    if binding == "fastpath":
        hosted = manager.hosted(target.name)
        if hosted is None:
            raise RuntimeError(f"{target.name} is not hosted by this process")
        return HostedLink(hosted.connect(application))
    if binding == "client":
        return NetLink(
            connect(
                target.name,
                target.address,
                target.channel,
                target.user or None,
                target.password or None,
                application,
                tls=target.tls_context(),
                conversations=max(1, target.sharecnv),
                max_message=MESSAGE_ROOM,
                message_compression=(COMPRESSIONS[target.compression],) if target.compression else (),
            )
        )
    options = MQCNO_ISOLATED_BINDING if binding == "isolated" else 0
    return NetLink(connect_local(target.name, application, data=target.data, options=options))
