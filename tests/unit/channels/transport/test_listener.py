"""Sockets that listen are as the configuration says."""

import errno
import socket

from tests.support.descriptors import no_descriptors

from kew.channels.transport.listener import Listener, listen_tcp
from kew.channels.transport.loop import READABLE, Loop

BUFFERS = (socket.SO_SNDBUF, socket.SO_RCVBUF)


def buffers_of_a_connection(size: int) -> list[int]:
    listener = listen_tcp("127.0.0.1", 0, send_buffer=size, receive_buffer=size)
    with listener, socket.create_connection(listener.getsockname()):
        taken, _address = listener.accept()
        with taken:
            return [taken.getsockopt(socket.SOL_SOCKET, one) for one in BUFFERS]


def test_connections_inherit_the_buffers_that_were_asked_for() -> None:
    assert buffers_of_a_connection(30000) == [60000, 60000]  # Linux counts its own needs too
    assert buffers_of_a_connection(0) != [60000, 60000]


def test_a_lack_of_descriptors_is_told_once_and_nobody_is_lost() -> None:
    loop = Loop("tests")
    welcomed: list[int] = []
    told: list[int] = []

    def welcome(endpoint: socket.socket, _address: str, port: int) -> None:
        endpoint.close()
        welcomed.append(port)

    def trouble(problem: OSError) -> None:
        told.append(problem.errno or 0)

    listener = Listener(loop, listen_tcp("127.0.0.1", 0), welcome, trouble)
    listener.open()
    with socket.socket() as visitor:
        with no_descriptors():
            visitor.connect(("127.0.0.1", listener.port))
            listener.ready(READABLE)
            listener.ready(READABLE)
            assert (told, welcomed) == ([errno.EMFILE], [])
        listener.ready(READABLE)
        assert welcomed == [visitor.getsockname()[1]]
    listener.close()
    loop.stop()
