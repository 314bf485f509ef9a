"""The agent process of an isolated binding: relays between a program and the queue manager; imports nothing of Kew.

It is run as a file, with the descriptors of two connected sockets: the program's and the queue manager's. Bytes of the
program are passed on in whole segments, so that a program that dies in the middle of a segment leaves nothing behind;
bytes that are not a segment end both sockets. Bytes of the queue manager are passed on as they come. When one side
ends, so does the other.
"""

import contextlib
import os
import socket
import sys
import threading

EYES = (b"TSH ", b"TSHM", b"TSHC", b"\xe3\xe2\xc8\x40", b"\xe3\xe2\xc8\xd4", b"\xe3\xe2\xc8\xc3")
SHORTEST = 28
LONGEST = 1 << 20  # no negotiated segment length is larger
PIECE = 65536


def segments(buffer: bytearray) -> int:
    """Give the length of the whole segments at the beginning; -1 if the bytes are not segments."""
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
    """Pass on the program's bytes until it ends."""
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
    """Pass on the queue manager's bytes until it ends."""
    with contextlib.suppress(OSError):
        while data := manager.recv(PIECE):
            program.sendall(data)
    with contextlib.suppress(OSError):
        program.shutdown(socket.SHUT_RDWR)


def main(descriptors: list[str]) -> None:
    """Relay between the two sockets until one of them ends."""
    program, manager = [socket.socket(fileno=int(each)) for each in descriptors]
    os.chdir("/")  # keeps no file system busy
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
