"""Sockets that listen are as the configuration says."""

import socket

from kew.channels.transport.listener import listen_tcp

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
