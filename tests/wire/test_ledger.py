"""Many programs whose connections are cut at random: nothing acknowledged is lost, nothing comes twice.

A producer puts a batch in a unit of work and commits; a consumer gets a batch and commits. Each may lose its connection
at any point. Whoever was told that a commit succeeded writes it in the ledger; a commit whose answer did not come is
uncertain: all of its batch is there, or none.
"""

import socket
from collections import Counter
from contextlib import suppress
from pathlib import Path
from random import Random
from threading import Lock, Thread
from time import monotonic

from tests.support.network import Reachable, eventually, reachable

from kew import client
from kew.codes.errors import MQError, NoMessage
from kew.codes.options import MQOO_INPUT_SHARED, MQOO_OUTPUT
from kew.formats.mqmd import MessageDescriptor

QUEUE = "DEV.QUEUE.1"
SECONDS = 4.0
BATCH = 4


class Ledger:
    """What programs were told."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.put: set[bytes] = set()  # committed for certain
        self.perhaps_put: list[set[bytes]] = []
        self.got: list[bytes] = []
        self.perhaps_got: list[list[bytes]] = []

    def note(self, certain: bool, put: bool, batch: list[bytes]) -> None:
        with self.lock:
            if put and certain:
                self.put.update(batch)
            elif put:
                self.perhaps_put.append(set(batch))
            elif certain:
                self.got.extend(batch)
            else:
                self.perhaps_got.append(batch)


def cut(connection: client.Connection) -> None:
    """Lose the connection, as a broken network would."""
    with suppress(OSError):  # the program may have closed it meanwhile
        connection.driver.endpoint.shutdown(socket.SHUT_RDWR)


def produce(site: Reachable, ledger: Ledger, seed: int, until: float) -> None:
    random = Random(seed)
    number = 0
    while monotonic() < until:
        connection = site.connect(random.choice((0, 1, 10)))
        queue = connection.open(QUEUE, MQOO_OUTPUT)
        try:
            while monotonic() < until:
                batch = [b"%d.%d" % (seed, number + index) for index in range(BATCH)]
                number += BATCH
                doomed = random.randrange(20)
                for index, text in enumerate(batch):
                    if doomed == index:
                        cut(connection)
                    message = MessageDescriptor(persistence=random.randrange(2))
                    queue.put(text + bytes(random.choice((0, 5000))), message, syncpoint=True)
                if doomed == BATCH:
                    Thread(target=cut, args=(connection,)).start()
                commit(connection, ledger, True, batch)
        except MQError:
            connection.driver.close()
    connection.driver.close()


def commit(connection: client.Connection, ledger: Ledger, put: bool, batch: list[bytes]) -> None:
    try:
        connection.commit()
    except MQError:
        ledger.note(False, put, batch)
        raise
    ledger.note(True, put, batch)


def consume(site: Reachable, ledger: Ledger, seed: int, until: float) -> None:
    random = Random(seed)
    while monotonic() < until:
        connection = site.connect(random.choice((0, 1, 10)))
        queue = connection.open(QUEUE, MQOO_INPUT_SHARED)
        try:
            while monotonic() < until:
                batch: list[bytes] = []
                doomed = random.randrange(20)
                for index in range(BATCH):
                    if doomed == index:
                        cut(connection)
                    try:
                        batch.append(queue.get(0.05, syncpoint=True).data.rstrip(b"\0"))
                    except NoMessage:
                        break
                if doomed == BATCH:
                    Thread(target=cut, args=(connection,)).start()
                commit(connection, ledger, False, batch)
        except MQError:
            connection.driver.close()
    connection.driver.close()


def test_nothing_acknowledged_is_lost_or_comes_twice(tmp_path: Path) -> None:
    ledger = Ledger()
    with reachable(tmp_path) as site:
        until = monotonic() + SECONDS
        programs = [Thread(target=produce, args=(site, ledger, seed, until)) for seed in (1, 2, 3)]
        programs += [Thread(target=consume, args=(site, ledger, seed, until)) for seed in (4, 5, 6)]
        for program in programs:
            program.start()
        for program in programs:
            program.join()
        assert eventually(lambda: not site.clients())
        left: list[bytes] = []
        with site.connect() as connection, connection.open(QUEUE, MQOO_INPUT_SHARED) as queue:
            while True:
                try:
                    left.append(queue.get().data.rstrip(b"\0"))
                except NoMessage:
                    break
    seen = [*ledger.got, *left]
    assert len(seen) == len(set(seen)), "a message came twice"
    perhaps_gone = {text for batch in ledger.perhaps_got for text in batch}
    assert not ledger.put - set(seen) - perhaps_gone, "an acknowledged message is lost"
    found = set(seen)
    uncertain = Counter([text for batch in ledger.perhaps_got for text in batch])
    for batch in ledger.perhaps_got:
        # What was backed out may have been got by others since; of what several got uncertainly nothing is known.
        assert len({text in found for text in batch if uncertain[text] == 1}) <= 1, "a unit of work was cut in two"
    known = {*seen, *perhaps_gone}
    for put in ledger.perhaps_put:
        assert len({text in known for text in put}) == 1, "a unit of work was cut in two"
    promised = ledger.put.union(*ledger.perhaps_put)
    assert not known - promised, "a message that nobody put"
    assert len(ledger.put) > 20
