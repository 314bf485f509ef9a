"""The event loop, with real sockets."""

import socket
from threading import Event

from kew.channels.transport.listener import Listener, listen_tcp
from kew.channels.transport.loop import Loop


def test_a_hook_is_told_whether_anything_is_to_be_done_and_what_it_saw_is_served() -> None:
    loop = Loop("loop")
    welcomed = Event()

    def welcome(endpoint: socket.socket, _host: str, _port: int) -> None:
        endpoint.close()
        welcomed.set()

    listener = Listener(loop, listen_tcp("127.0.0.1", 0), welcome)
    seen: list[bool] = []
    loop.before_sleep.append(lambda: seen.append(loop.idle()))
    listener.open()
    with socket.create_connection(("127.0.0.1", listener.port)):
        loop.start()
        assert welcomed.wait(30)
        posted = Event()
        loop.post(posted.set)
        assert posted.wait(30)
    loop.stop()
    listener.endpoint.close()
    assert seen[0] is False  # somebody waited before the loop began
    assert True in seen


def test_what_is_posted_is_something_to_do() -> None:
    loop = Loop("loop")
    loop.start()
    answer: list[bool] = []
    done = Event()

    def ask() -> None:
        loop.post(done.set)
        answer.append(loop.idle())

    loop.post(ask)
    assert done.wait(30)
    loop.stop()
    assert answer == [False]
