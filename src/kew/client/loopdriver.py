"""Drives a link by an event loop of asyncio; the verbs of several conversations may be under way at once."""

import asyncio
import time
from typing import Final, TypeVar

from kew.channels.transport import openssl
from kew.client.connectsettings import SHORTEST_RENEWAL
from kew.client.link import EVERY_CONVERSATION, Link, Operation
from kew.codes.errors import Broken
from kew.codes.reasons import MQRC_CONNECTION_BROKEN

BREATH: Final = 1.0  # seconds between two checks of the time
READ_SIZE: Final = 65536
CLOSING: Final = 5.0  # seconds for the other side to end TLS with us

T = TypeVar("T")


class LinkProtocol(asyncio.BufferedProtocol):
    """Moves bytes between an asyncio transport and a link, and runs verbs to their end."""

    def __init__(self, link: Link) -> None:
        self.link = link
        self.transport: asyncio.Transport | None = None
        self.users: int = 0
        self.key_reset = 0  # bytes after which the keys of TLS are renewed; 0 for never
        self._unrenewed = 0  # bytes since the last renewal
        self._waiters: dict[int, asyncio.Future[bool]] = {}  # by conversation, each with one verb under way
        self._writable = asyncio.Event()
        self._writable.set()
        self._timer: asyncio.TimerHandle | None = None
        self._gone = asyncio.Event()
        self._buffer = memoryview(bytearray(READ_SIZE))

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the open socket."""
        if isinstance(transport, asyncio.Transport):
            self.transport = transport
        self._tick()

    def get_buffer(self, _hint: int) -> memoryview:
        """Give the buffer for the next read; a new one of 256 KB for each read would cost more than the read."""
        return self._buffer

    def buffer_updated(self, count: int) -> None:
        """Pass the bytes of a read to the link, send the protocol's own answers, and wake the verbs that wait."""
        self._unrenewed += count
        self.link.receive(bytes(self._buffer[:count]))
        self._flush()
        self._wake()

    def eof_received(self) -> None:
        """End: the server has closed its side."""
        self.link.receive(b"")
        self._wake()

    def connection_lost(self, problem: Exception | None) -> None:
        """End: the socket is closed."""
        self.link.fail(MQRC_CONNECTION_BROKEN, str(problem) if problem else "the connection is closed")
        if self._timer is not None:
            self._timer.cancel()
        self._writable.set()
        self._gone.set()
        self._wake()

    def pause_writing(self) -> None:
        """Stop sending: the socket takes no more for now."""
        self._writable.clear()

    def resume_writing(self) -> None:
        """Send again: the socket takes more."""
        self._writable.set()

    def _tick(self) -> None:
        self.link.tick(time.monotonic())
        self._flush()
        if self.link.failure is not None:
            self._wake()
            return
        self._timer = asyncio.get_running_loop().call_later(BREATH, self._tick)

    def _flush(self) -> None:
        data = self.link.take_output()
        if data and self.transport is not None:
            self.transport.write(data)

    def _wake(self) -> None:
        """Wake the verbs whose conversation has input, or all verbs if the link is broken."""
        stirred, waiters = self.link.stirred, self._waiters
        for number in waiters if EVERY_CONVERSATION in stirred or self.link.failure is not None else stirred:
            waiter = waiters.get(number)
            if waiter is not None and not waiter.done():
                waiter.set_result(True)
        stirred.clear()

    async def run(self, operation: Operation[T], conversation: int = 1) -> T:
        """Run a verb of a conversation to its end: send its bytes and feed it the replies."""
        try:
            step = next(operation)
            deadline: float | None = None
            while True:
                if step.data and self.transport is not None:
                    self._unrenewed += len(step.data)
                    self.transport.write(step.data)
                came = True
                if step.wait:
                    if not step.same_limit:
                        deadline = None if step.seconds is None else time.monotonic() + step.seconds
                    left = None if deadline is None else max(deadline - time.monotonic(), 0.0)
                    came = await self._more(conversation, left)
                if not self._writable.is_set():
                    await self._writable.wait()
                step = operation.send(came)
        except StopIteration as done:
            result: T = done.value
            if self.key_reset:
                self._renew_keys()
            return result
        except Broken:
            self.close()
            raise
        except asyncio.CancelledError:
            operation.close()
            self._flush()  # perhaps the withdrawal of a get
            if self.link.failure is not None:
                self.close()
            raise

    def _renew_keys(self) -> None:
        """Renew the keys of TLS if it is time, with the next bytes sent."""
        if self._unrenewed >= max(self.key_reset, SHORTEST_RENEWAL) and self.transport is not None:
            endpoint = self.transport.get_extra_info("ssl_object")
            if endpoint is not None and openssl.renew(endpoint):
                self._unrenewed = 0

    async def _more(self, conversation: int, seconds: float | None) -> bool:
        # Every get waits here: `asyncio.wait_for` would cost as much again as all the rest of a get.
        loop = asyncio.get_running_loop()
        waiter: asyncio.Future[bool] = loop.create_future()
        timer = None if seconds is None else loop.call_later(seconds, _give_up, waiter)
        self._waiters[conversation] = waiter
        try:
            return await waiter
        finally:
            del self._waiters[conversation]
            if timer is not None:
                timer.cancel()

    def close(self) -> None:
        """Close the socket after the written bytes have gone."""
        if self.transport is not None:
            self.transport.close()

    async def closed(self) -> None:
        """Close the socket and wait until it is closed, since the event loop may end right after."""
        if self.transport is None:
            return
        self.transport.close()
        try:
            await asyncio.wait_for(self._gone.wait(), CLOSING)
        except TimeoutError:
            self.transport.abort()
            await self._gone.wait()


def _give_up(waiter: asyncio.Future[bool]) -> None:
    if not waiter.done():
        waiter.set_result(False)
