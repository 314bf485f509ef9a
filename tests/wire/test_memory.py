"""What the process of a queue manager keeps of memory that it needed for a moment."""

from pathlib import Path
from threading import Thread

from tests.support.server import NAME, ServerProcess

from kew import client

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
