"""Frames of the control socket: a length and a JSON object.

    offset  bytes  field
         0      4  length of what follows, big-endian, at most 32 MB
         4      n  a JSON object in UTF-8

A request is {"script": text, "json": bool, "echo": bool}, {"names": family, "beginning": text}, {"definitions": bool},
true for all of them and false for those that differ from a new queue manager's, {"images": [page set], "queues":
[name]}, or {"end": bool, "grace": seconds}, true for at once. Answers to a script are {"lines": [...]} as often as
there is something to say, then {"read": n, "syntax_errors": n, "failed": n, "ended": bool}; to definitions
{"lines": [...]} for each object, then {"ended": true}; to images {"page_set": n, "pages": n} for each, then
{"ended": true}, or {"refused": text}; to names {"names": [...]}; to the end {"grace": seconds}; to an invalid request
{"error": text}.
"""

import contextlib
import json
import os
import socket
from collections.abc import Iterator
from struct import Struct
from typing import Final

LENGTH: Final = Struct(">I")
LARGEST: Final = 32 << 20
CONTROL_SOCKET: Final = "control"  # the socket's name in the queue manager's directory

Frame = dict[str, object]


@contextlib.contextmanager
def socket_name(root: str) -> Iterator[str]:
    """Give a name of the socket that is short enough for a socket address, by a descriptor of its directory."""
    directory = os.open(root, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{directory}/{CONTROL_SOCKET}"
    finally:
        os.close(directory)


class FrameError(Exception):
    """The error of an invalid frame, or of a connection that has ended."""


def send(connection: socket.socket, frame: Frame) -> None:
    """Send one frame."""
    data = json.dumps(frame, ensure_ascii=False).encode(errors="replace")
    if len(data) > LARGEST:
        raise FrameError(f"a frame of {len(data)} bytes is longer than {LARGEST}")
    connection.sendall(LENGTH.pack(len(data)) + data)


def receive(connection: socket.socket, patience: float | None = None) -> Frame | None:
    """Receive one frame, None if the peer has closed; the time limit begins at the first byte of the frame."""
    connection.settimeout(None)
    first = connection.recv(1)
    if not first:
        return None
    connection.settimeout(patience)
    (length,) = LENGTH.unpack(first + _exactly(connection, LENGTH.size - 1))
    if length > LARGEST:
        raise FrameError(f"a frame of {length} bytes is longer than {LARGEST}")
    try:
        frame = json.loads(_exactly(connection, length))
    except (ValueError, RecursionError) as problem:
        raise FrameError("a frame that is not JSON") from problem
    if not isinstance(frame, dict):
        raise FrameError("a frame is not a JSON object")
    return frame


def _exactly(connection: socket.socket, length: int) -> bytes:
    data = bytearray()
    while len(data) < length:
        piece = connection.recv(min(length - len(data), 1 << 20))
        if not piece:
            raise FrameError("the other side ended in the middle of a frame")
        data += piece
    return bytes(data)
