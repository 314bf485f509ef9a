"""What the process of a queue manager keeps of memory that it needed for a moment."""

from pathlib import Path
from threading import Thread

import pytest
from tests.support.network import eventually
from tests.support.proxy import Proxy
from tests.support.server import NAME, OPEN_CHANNEL, ServerProcess

from kew import client
from kew.codes.errors import MQError
from kew.codes.options import MQOO_OUTPUT

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
