"""What the process of a queue manager keeps of memory that it needed for a moment."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from time import monotonic

import pytest
from tests.support.network import eventually
from tests.support.proxy import Proxy
from tests.support.server import NAME, OPEN_CHANNEL, ServerProcess

from kew import client
from kew.codes.errors import MQError
from kew.codes.options import MQOO_BROWSE, MQOO_INPUT_SHARED, MQOO_OUTPUT
from kew.qmgr import manager
from kew.qmgr.config import ChannelsConfiguration, Configuration

PROGRAMS = 24
HASH = 16 << 20  # bytes that the check of one password takes


def test_what_the_check_of_passwords_takes_is_given_back(tmp_path: Path) -> None:
    with ServerProcess(tmp_path) as server:

        def come_and_go() -> None:
            client.connect(NAME, server.address, "DEV.APP.SVRCONN", "app", "password").disconnect()

        before = server.memory()
        programs = [Thread(target=come_and_go) for _ in range(PROGRAMS)]
        for program in programs:
            program.start()
        for program in programs:
            program.join()
        assert server.memory() - before < HASH


def test_what_came_of_long_messages_goes_with_those_who_sent_it(tmp_path: Path) -> None:
    size, times = 20 << 20, 8
    with ServerProcess(tmp_path, "MAXMSGL(104857600)") as server, Proxy(server.port, lambda: size) as proxy:
        server.mqsc("ALTER QMGR MAXMSGL(104857600)", "ALTER QLOCAL(DEV.QUEUE.1) MAXMSGL(104857600)")
        before, nobody = server.memory(), server.mqsc("DISPLAY QMSTATUS CONNS")
        for _ in range(times):
            connection = client.connect(NAME, proxy.address, OPEN_CHANNEL)
            queue = connection.open("DEV.QUEUE.1", MQOO_OUTPUT)
            with pytest.raises(MQError):
                queue.put(bytes(size + 1_000_000))
            assert eventually(lambda: server.mqsc("DISPLAY QMSTATUS CONNS") == nobody)
        assert server.memory() - before < 3 * size


LIMIT = 64 << 20
LONG = 20 << 20
MANY = 12  # of which a few have room
SLACK = 3 * LONG  # what is joined, what the log and the pools take


@contextmanager
def limited(path: Path) -> Iterator[ServerProcess]:
    """A queue manager whose sockets may hold 64 MB."""
    manager.create(NAME, Configuration(channels=ChannelsConfiguration(max_message_memory=LIMIT)), str(path))
    with ServerProcess(path, "MAXMSGL(104857600)") as server:
        server.mqsc("ALTER QMGR MAXMSGL(104857600)", "ALTER QLOCAL(DEV.QUEUE.1) MAXMSGL(104857600)")
        with server.connect() as connection, connection.open("DEV.QUEUE.1", MQOO_OUTPUT) as queue:
            for _ in range(4):  # which the buffer pool keeps
                queue.put(bytes(LONG))
        yield server


class Watcher:
    """The most memory that a queue manager has had, while a bystander goes on."""

    def __init__(self, server: ServerProcess) -> None:
        self.server = server
        self.before = self.peak = server.memory()
        with server.connect() as connection:
            self.times(connection)
            self.quiet = self.times(connection)

    def times(self, connection: client.Connection) -> list[float]:
        """Put and get short messages; how long each pair took."""
        queue = connection.open("DEV.QUEUE.3", MQOO_OUTPUT | MQOO_INPUT_SHARED)
        taken: list[float] = []
        for number in range(200):
            began = monotonic()
            queue.put(b"%d" % number)
            assert queue.get().data == b"%d" % number
            taken.append(monotonic() - began)
            if number % 20 == 0:
                self.peak = max(self.peak, self.server.memory())
        queue.close()
        return sorted(taken)

    def until(self, condition: Callable[[], bool]) -> None:
        with self.server.connect() as connection:
            while not condition():
                self.times(connection)


def held_up(server: ServerProcess, work: Callable[[client.Connection], None], moved: int, held: int) -> None:
    """Have many programs begin something that stops after so many bytes; then one that wants as much and goes on."""
    watcher = Watcher(server)
    with Proxy(server.port, lambda: moved, holds=True) as proxy:

        def stop() -> None:
            with suppress(MQError), client.connect(NAME, proxy.address, OPEN_CHANNEL) as connection:
                work(connection)

        def go_on() -> None:
            with server.connect() as connection:
                work(connection)

        programs = [Thread(target=stop, daemon=True) for _ in range(MANY)]
        for program in programs:
            program.start()
        assert eventually(lambda: sum([line.was_cut for line in proxy.lines]) >= held)
        bystander = Thread(target=go_on, daemon=True)
        bystander.start()
        watcher.until(lambda: not bystander.is_alive())
    for program in programs:
        program.join()
    assert watcher.peak - watcher.before < LIMIT + SLACK
    assert eventually(lambda: server.memory() < 1.3 * watcher.before), (server.memory(), watcher.before)


def test_puts_that_are_half_sent_share_one_budget(tmp_path: Path) -> None:
    def put(connection: client.Connection) -> None:
        connection.open("DEV.QUEUE.1", MQOO_OUTPUT).put(bytes(LONG))

    with limited(tmp_path) as server:
        held_up(server, put, LONG - 2_000_000, LIMIT // LONG)
        assert "CSQX905W" in (server.data / "qmgrs" / NAME / "errors" / "AMQERR01.LOG").read_text()


def test_replies_that_nobody_reads_share_one_budget(tmp_path: Path) -> None:
    def browse(connection: client.Connection) -> None:
        assert len(next(connection.open("DEV.QUEUE.1", MQOO_BROWSE).browse()).data) == LONG

    with limited(tmp_path) as server:
        held_up(server, browse, 2_000_000, LIMIT // LONG - 1)
