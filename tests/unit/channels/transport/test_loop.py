"""The event loop, with real sockets."""

import socket
from contextlib import ExitStack, suppress
from threading import Event

from kew.channels.transport.listener import Listener, listen_tcp
from kew.channels.transport.loop import MANY, MOST_TOGETHER, Loop
from kew.channels.transport.tcp import Stream


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


def answered(endpoint: socket.socket) -> bool:
    """Whether something can be read."""
    with suppress(BlockingIOError):
        return bool(endpoint.recv(1, socket.MSG_DONTWAIT | socket.MSG_PEEK))
    return False


def turn_of(sockets: int) -> list[int]:
    """How many had been answered when each of so many sockets, all of which were ready, had its turn."""
    loop = Loop("loop")
    seen: list[int] = []
    with ExitStack() as stack:
        programs: list[socket.socket] = []

        def welcome(endpoint: socket.socket, _host: str, _port: int) -> None:
            seen.append(sum([answered(program) for program in programs]))
            Stream(loop, stack.enter_context(endpoint)).write(b"!")

        for _ in range(sockets):
            listener = Listener(loop, stack.enter_context(listen_tcp("127.0.0.1", 0)), welcome)
            listener.open()
            programs.append(stack.enter_context(socket.create_connection(("127.0.0.1", listener.port))))
        loop.start()
        assert [program.recv(1, socket.MSG_PEEK) for program in programs] == [b"!"] * sockets
        loop.stop()
    return seen


def test_a_few_sockets_are_answered_one_by_one() -> None:
    assert turn_of(MANY - 1) == list(range(MANY - 1))


def test_many_sockets_are_answered_together_and_none_waits_for_all() -> None:
    assert turn_of(MANY) == [0] * MANY
    assert turn_of(MOST_TOGETHER + 2) == [0] * MOST_TOGETHER + [MOST_TOGETHER] * 2
