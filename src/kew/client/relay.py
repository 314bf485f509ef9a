"""The process of an isolated binding: it stands between a program and the queue manager, and imports nothing of Kew.

It is run as a file, with the descriptors of two connected sockets: the program's and the queue manager's. What the
program says is passed on in whole segments, so that one that dies in the middle of a word leaves nothing behind; what
is no segment ends both. What the queue manager says is passed on as it comes. When one side ends, so does the other.
"""

import contextlib
import os
import socket
import sys
import threading

EYES = (b"TSH ", b"TSHM", b"TSHC", b"\xe3\xe2\xc8\x40", b"\xe3\xe2\xc8\xd4", b"\xe3\xe2\xc8\xc3")
SHORTEST = 28
LONGEST = 1 << 20  # no segment that was ever agreed on is longer
PIECE = 65536


def segments(buffer: bytearray) -> int:
    """How many bytes at the beginning are whole segments; -1 for what is none."""
    end = 0
    while len(buffer) - end >= 8:
        length = int.from_bytes(buffer[end + 4 : end + 8], "big")
        if bytes(buffer[end : end + 4]) not in EYES or not SHORTEST <= length <= LONGEST:
            return -1
        if len(buffer) - end < length:
            break
        end += length
    return end


def forward(program: socket.socket, manager: socket.socket) -> None:
    """Pass on what the program says, until it ends."""
    buffer = bytearray()
    while data := program.recv(PIECE):
        buffer += data
        whole = segments(buffer)
        if whole < 0:
            return
        if whole:
            manager.sendall(buffer[:whole])
            del buffer[:whole]


def backward(manager: socket.socket, program: socket.socket) -> None:
    """Pass on what the queue manager says, until it ends."""
    with contextlib.suppress(OSError):
        while data := manager.recv(PIECE):
            program.sendall(data)
    with contextlib.suppress(OSError):
        program.shutdown(socket.SHUT_RDWR)


def main(descriptors: list[str]) -> None:
    """Stand between the two until one of them ends."""
    program, manager = [socket.socket(fileno=int(each)) for each in descriptors]
    os.chdir("/")  # so that no file system is held
    for endpoint in (program, manager):
        endpoint.setblocking(True)
    answers = threading.Thread(target=backward, args=(manager, program))
    answers.start()
    with contextlib.suppress(OSError):
        forward(program, manager)
    with contextlib.suppress(OSError):
        manager.shutdown(socket.SHUT_RDWR)
    answers.join()


if __name__ == "__main__":
    main(sys.argv[1:])
