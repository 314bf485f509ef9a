"""A stream: a non-blocking socket, with output that waits until the other side reads it.

Its owner bounds the memory: it checks `congested` before it sends more, and does not read from a client that does not
read. A long message is given as an iterator, whose pieces are made when there is room for them.
"""

import contextlib
import socket
import ssl
from abc import abstractmethod
from collections import deque
from collections.abc import Callable, Iterator
from os import read, write
from typing import Final

from kew.channels.transport import openssl
from kew.channels.transport.loop import ENDED, READABLE, WRITABLE, Handler, Loop
from kew.channels.transport.memory import Share
from kew.channels.transport.tls import Secured, outcome

READ_SIZE: Final = 65536
CONGESTED: Final = 1 << 18  # bytes of waiting output from which on no more should be sent
RELIEVED: Final = 1 << 16  # bytes of waiting output below which there is room again
LONG: Final = 1 << 17  # length from which on a message is better given as pieces
HANDSHAKE: Final = 0x16  # the first byte of a TLS handshake; a segment begins with a letter
RECORD: Final = 16384  # largest TLS record in bytes
RECORDS: Final = 16  # TLS records read in a row before other sockets have their turn
LONGEST_PROBE: Final = 32767  # seconds; the longest time that the system takes
PROBE_INTERVAL: Final = 75  # seconds between probes that are not answered
SHORTEST_RENEWAL: Final = 1 << 15  # bytes between two renewals of keys, at least
CLOSED_THERE: Final = "the other side has closed the connection"
FREE_RENEWALS: Final = 8  # renewals allowed beyond one in SHORTEST_RENEWAL bytes: each costs a handshake


class Receiver:
    """The owner of a stream, which receives the stream's bytes and its end."""

    @abstractmethod
    def received(self, data: bytes) -> None:
        """Act on the bytes of a read."""

    @abstractmethod
    def relieved(self) -> None:
        """Note that the other side reads again."""

    @abstractmethod
    def lost(self, why: str) -> None:
        """Note that the stream has ended; called once, unless the owner closes it."""


class Long:
    """A long message that is sent in pieces, and the memory that it holds meanwhile."""

    def __init__(self, pieces: Iterator[bytes], size: int) -> None:
        self.pieces = pieces
        self.size = size


class Stream(Handler):
    """One connected socket; with a TLS context, the first byte of the other side decides whether TLS is used.

    The socket of an outbound connection whose handshake is done is an SSLSocket.
    """

    def __init__(self, loop: Loop, endpoint: socket.socket, tls: ssl.SSLContext | None = None) -> None:
        super().__init__()
        self.loop = loop
        self.endpoint = endpoint
        self.receiver: Receiver | None = None
        self.closed = False
        self.secured: Secured | None = None  # the outcome of the TLS handshake
        self.renewals: openssl.Renewals | None = None  # renewals of the TLS keys
        self.renew_after = 0  # bytes after which the keys are renewed; 0 for never
        self._unrenewed = 0  # bytes since the last renewal
        self._renewed = 0  # number of renewals by this side
        self._secret = 0  # bytes that were read by TLS
        self._tls = tls
        self._secure: ssl.SSLSocket | None = None
        self._take: Callable[[int], bytes] | None = None  # reads a TLS record
        self._give: Callable[[bytes], int] | None = None  # writes a TLS record
        self.writes = 0
        self.pending = 0  # bytes that wait to be written
        self.congested = False
        self._out: list[bytes] = []
        self.share: Share | None = None  # of the memory that sockets hold
        self.barred = False  # nothing is read before there is room for a call that has begun
        self._pieces: Long | None = None  # the rest of a long message, behind which `_behind` waits
        self._behind: deque[bytes | Long] = deque()
        self._queued = False
        self._finishing = False
        self._watched = READABLE
        self._reading = True
        endpoint.setblocking(False)
        if isinstance(endpoint, ssl.SSLSocket):
            self._secure = endpoint
            self._take, self._give = openssl.records(endpoint)
            self.secured = outcome(endpoint)
            self.renewals = openssl.watch(endpoint)
        self.descriptor = endpoint.fileno()

    def open(self, receiver: Receiver) -> None:
        """Begin to read, for an owner."""
        self.receiver = receiver
        self.loop.add(self.descriptor, self, self._watched)

    @property
    def shaking_hands(self) -> bool:
        """True while the TLS handshake is under way."""
        return self._secure is not None and self.secured is None

    def keep_alive(self, seconds: int) -> None:
        """Have the system probe the other side after so many seconds of silence; 0 for never."""
        with contextlib.suppress(OSError):  # the other side may have gone already, which the next read shows
            self.endpoint.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, int(seconds > 0))
            if seconds:
                self.endpoint.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, min(seconds, LONGEST_PROBE))
                self.endpoint.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, min(seconds, PROBE_INTERVAL))

    # Output.

    def write(self, data: bytes) -> None:
        """Send bytes as soon as the other side accepts them."""
        if self.closed or not data:
            return
        if self._pieces is None:
            self._out.append(data)
        else:
            self._behind.append(data)
        self._more(len(data))

    def write_pieces(self, pieces: Iterator[bytes], size: int) -> None:
        """Send a long message of so many bytes, whose pieces are made when there is room for them."""
        if self.closed:
            return
        share = self.share
        if share is not None:
            share.hold(size)
            share.expect(share.unsent, True, self.loop.now)
        self.bulk = True
        long = Long(pieces, size)
        if self._pieces is None:
            self._pieces = long
        else:
            self._behind.append(long)
        self._more(0)
        self.congested = True

    def _more(self, size: int) -> None:
        self.pending += size
        if self.pending >= CONGESTED:
            self.congested = True
        if not self._queued:
            self._queued = True
            self.loop.flush_soon(self)

    def flush(self) -> None:
        """Write as much as the other side takes."""
        self._queued = False
        if self.closed:
            return
        try:
            blocked = self._write_out()
        except OSError as problem:
            self._gone(str(problem))
            return
        if blocked:
            self._watch(self._watched | WRITABLE)
            return
        if self._watched & WRITABLE:
            self._watch(self._watched & ~WRITABLE)
        if self._finishing:
            self._gone("everything was said")

    def _write_out(self) -> bool:
        """Write the output; say whether some is left, since the socket is full or other sockets have their turn."""
        out = self._out
        written = 0
        while out or self._next_piece():
            data = out[0] if len(out) == 1 else b"".join(out)
            out.clear()
            sent = self._send(data)
            self.writes += 1
            self.pending -= sent
            if self._pieces is not None and self.share is not None:
                self.share.move(sent, self.loop.now)
            if sent < len(data):
                out.append(data[sent:] if sent else data)
                return True
            written += sent
            if written >= CONGESTED and self._pieces is not None:
                return True
        if self.congested:
            self.congested = False
            if self.receiver is not None:
                self.receiver.relieved()
        return False

    def _next_piece(self) -> bool:
        """Make the next piece of a long message."""
        while self._pieces is not None:
            piece = next(self._pieces.pieces, None)
            if piece is not None:
                self._out.append(piece)
                self.pending += len(piece)
                return True
            self._said(self._pieces)
            self._pieces = None
            while self._behind and self._pieces is None:
                waiting = self._behind.popleft()
                if isinstance(waiting, bytes):
                    self._out.append(waiting)
                else:
                    self._pieces = waiting
            if self._out:
                return True
        return False

    def _said(self, long: Long) -> None:
        """Release the memory of a long message that is written."""
        share = self.share
        if share is not None:
            share.expect(share.unsent, len(self._behind) > 0, self.loop.now)
            share.hold(-long.size)
        self.bulk = share is not None and (share.unsent or share.unread)

    def _send(self, data: bytes) -> int:
        """Write bytes to the socket; gives the number that the system took."""
        try:
            sent = write(self.descriptor, data) if self._give is None else self._give(data)
        except (BlockingIOError, ssl.SSLWantWriteError, ssl.SSLWantReadError):
            return 0
        if self.renew_after:
            self._unrenewed += sent
        return sent

    # Input.

    def pause(self) -> None:
        """Stop reading."""
        if self._reading and not self.closed:
            self._reading = False
            self._watch(self._watched & ~READABLE)

    def resume(self) -> None:
        """Read again."""
        if not self._reading and not self.closed and not self.barred:
            self._reading = True
            self._watch(self._watched | READABLE)
            if self._secure is not None:
                self.loop.post(self._read_on)

    def bar(self) -> None:
        """Stop reading until `admit` is called."""
        self.barred = True
        self.pause()

    def admit(self) -> None:
        """Read again: there is memory for more."""
        self.barred = False
        self.resume()

    @property
    def reading(self) -> bool:
        """True while the socket is read."""
        return self._reading

    def _watch(self, events: int) -> None:
        if events != self._watched:
            self._watched = events
            self.loop.change(self.descriptor, events)

    def ready(self, events: int) -> None:
        """Read or write, by the events of the socket."""
        if events & WRITABLE:
            self.flush()
        if events & READABLE and self._reading:
            self._read()
        elif events & ENDED:
            self._gone("the connection was reset")

    def _read(self) -> None:
        if self._tls is not None:
            self._begin()
            return
        if self._secure is not None:
            self._read_secure(self._secure)
            return
        try:
            data = read(self.descriptor, READ_SIZE)
        except BlockingIOError:
            return
        except OSError as problem:
            self._gone(str(problem))
            return
        if not data:
            self._gone(CLOSED_THERE)
        elif self.receiver is not None:
            self.receiver.received(data)

    def _begin(self) -> None:
        """Look at the first byte, which decides whether TLS is used."""
        context = self._tls
        try:
            first = self.endpoint.recv(1, socket.MSG_PEEK)
        except BlockingIOError:
            return
        except OSError as problem:
            self._gone(str(problem))
            return
        self._tls = None
        if first and first[0] == HANDSHAKE and context is not None:
            self._secure = context.wrap_socket(self.endpoint, server_side=True, do_handshake_on_connect=False)
            self.endpoint = self._secure
            self._take, self._give = openssl.records(self._secure)
        self._read()

    def _read_secure(self, endpoint: ssl.SSLSocket) -> None:
        take = self._take
        assert take is not None
        try:
            if self.secured is None:
                endpoint.do_handshake()
                self.secured = outcome(endpoint)
                self.renewals = openssl.watch(endpoint)
            for _turn in range(RECORDS):
                data = take(RECORD)
                self._keep_keys_fresh(endpoint, len(data))
                if not data:
                    self._gone(CLOSED_THERE)
                elif self.receiver is not None:
                    self.receiver.received(data)
                # OpenSSL takes one record at a time from the system, and what is left there makes the socket readable
                # again; after a full one there probably is more.
                if self.closed or not self._reading or len(data) < RECORD:
                    return
        except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
            return
        except ssl.SSLEOFError:
            self._gone(CLOSED_THERE)
            return
        except OSError as problem:
            self._gone(str(problem))
            return
        # Bytes that TLS has read from the system do not make the socket readable again.
        self.loop.post(self._read_on)

    def _keep_keys_fresh(self, endpoint: ssl.SSLSocket, size: int) -> None:
        """Renew the keys when it is time, and disconnect a client that renews them too often."""
        self._secret += size
        renewals = self.renewals
        if renewals is not None and renewals.count > FREE_RENEWALS + self._renewed + self._secret // SHORTEST_RENEWAL:
            raise ConnectionAbortedError("the other side renews its keys too often")
        if not self.renew_after:
            return
        self._unrenewed += size
        if self._unrenewed >= max(self.renew_after, SHORTEST_RENEWAL) and openssl.renew(endpoint):
            self._unrenewed = 0
            self._renewed += 1
            with contextlib.suppress(ssl.SSLWantReadError, ssl.SSLWantWriteError):
                endpoint.do_handshake()

    def _read_on(self) -> None:
        if not self.closed and self._reading:
            self._read()

    # The end.

    def finish(self) -> None:
        """Close once all output is written, and notify the owner; no more is read."""
        if not self.closed and not self._finishing:
            self._finishing = True
            self.pause()
            if not self._queued:
                self._queued = True
                self.loop.flush_soon(self)

    def close(self) -> None:
        """Close at once."""
        if self.closed:
            return
        self.closed = True
        self.loop.remove(self.descriptor)
        if self.renewals is not None and self._secure is not None:
            openssl.forget(self._secure)
        with contextlib.suppress(OSError):
            self.endpoint.close()
        # OpenSSL's memory for a connection is large, and the collector of cycles, which knows only of the small
        # objects around it, would come late: a flood of handshakes must not fill memory.
        self._take = self._give = None
        self._out.clear()
        self._behind.clear()
        self._pieces = None
        if self.share is not None:
            self.share.close()

    def _gone(self, why: str) -> None:
        if self.closed:
            return
        self.close()
        if self.receiver is not None:
            self.receiver.lost(why)

    def failed(self, problem: Exception) -> None:
        """Close after an unexpected error, and notify the owner."""
        self._gone(f"an error in the queue manager: {problem}")
