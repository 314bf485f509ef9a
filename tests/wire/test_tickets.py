"""Programs whose units of work wait for somebody's answer: they hold no worker, and go on where they were."""

import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.support.network import Reachable, eventually, reachable
from tests.support.participants import Shelf, ShelfParticipant

from kew import client
from kew.codes.options import MQOO_OUTPUT
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.connections.connection import Connection

QUEUE = "DEV.QUEUE.1"
PROGRAMS = 20  # more than there are workers


class Shelved:
    """A queue manager with a slow shelf, and programs that have changed both it and a queue."""

    def __init__(self, site: Reachable) -> None:
        self.site = site
        self.shelf = Shelf()
        self.host = site.manager.host
        self.participant = ShelfParticipant(self.shelf, self.host.log, slow=True)
        self.host.units.register(self.participant)
        self.programs = [site.connect() for _ in range(PROGRAMS)]
        for program in self.programs:
            program.open(QUEUE, MQOO_OUTPUT).put(b"x", MessageDescriptor(persistence=1), syncpoint=True)
        with self.host.lock:
            for number, each in enumerate(list(self.host.engine.connections.values())):
                if isinstance(each, Connection) and each.channel and each.unit is not None:
                    self.host.units.enlist(each.unit, self.participant)
                    each.unit.operations.append(self.participant.work(each.unit, f"+{number}"))

    def asked(self, count: int) -> bool:
        return eventually(lambda: len(self.participant.asked) == count)

    def answer(self) -> None:
        with self.host.lock:
            asked, self.participant.asked = self.participant.asked, []
            self.participant.answered.update([str(each) for each in asked])
        for each in asked:
            each.due()

    def settled(self) -> bool:
        """Answer what is asked; whether nothing is left."""
        self.answer()
        return not self.host.units.active


@pytest.fixture
def shelved(tmp_path: Path) -> Iterator[Shelved]:
    with reachable(tmp_path) as site:
        yield Shelved(site)


def cut(connection: client.Connection) -> None:
    """Break the socket under a connection, whatever its program waits for."""
    endpoint = connection.driver.endpoint
    assert isinstance(endpoint, socket.socket)
    endpoint.shutdown(socket.SHUT_RDWR)


def test_many_commits_wait_at_once_and_others_are_served(shelved: Shelved) -> None:
    with ThreadPoolExecutor(PROGRAMS) as threads:
        done = [threads.submit(program.commit) for program in shelved.programs]
        assert shelved.asked(PROGRAMS), "a commit that waits holds a worker"
        assert not any(each.done() for each in done)
        with shelved.site.connect() as other:
            other.open(QUEUE, MQOO_OUTPUT).put(bytes(3_000_000))  # which a worker does
        shelved.answer()  # they have prepared
        assert shelved.asked(PROGRAMS)
        shelved.answer()
        for each in done:
            each.result(60)
    assert len(shelved.shelf.things) == PROGRAMS
    assert shelved.site.depth(QUEUE) == PROGRAMS + 1
    for program in shelved.programs:
        program.disconnect()


def test_a_backout_waits_too(shelved: Shelved) -> None:
    with ThreadPoolExecutor(PROGRAMS) as threads:
        done = [threads.submit(program.back_out) for program in shelved.programs]
        assert shelved.asked(PROGRAMS)
        shelved.answer()
        for each in done:
            each.result(60)
    assert not shelved.shelf.things
    assert shelved.site.depth(QUEUE) == 0
    for program in shelved.programs:
        program.disconnect()


def test_a_program_that_leaves_while_its_commit_waits_is_still_committed(shelved: Shelved) -> None:
    with ThreadPoolExecutor(PROGRAMS) as threads:
        done = [threads.submit(program.commit) for program in shelved.programs]
        assert shelved.asked(PROGRAMS)
        for program in shelved.programs:
            cut(program)
        for each in done:
            assert each.exception(60) is not None
        assert shelved.site.clients() == PROGRAMS  # each is still at its call
        assert eventually(shelved.settled)
    assert eventually(lambda: shelved.site.clients() == 0)
    assert len(shelved.shelf.things) == PROGRAMS
    assert shelved.site.depth(QUEUE) == PROGRAMS
