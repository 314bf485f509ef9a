"""Many programs whose connections are cut at random: nothing acknowledged is lost, nothing comes twice.

A producer puts a batch in a unit of work and commits; a consumer gets a batch and commits. Each may lose its connection
between any two verbs, or at any byte that is said or answered.
"""

import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from threading import Thread
from time import monotonic

from tests.support.ledger import Ledger
from tests.support.network import NAME, Reachable, eventually, reachable
from tests.support.proxy import Proxy

from kew import client
from kew.codes.errors import MQError, NoMessage
from kew.codes.options import MQOO_INPUT_SHARED, MQOO_OUTPUT
from kew.formats.mqmd import MessageDescriptor

QUEUE = "DEV.QUEUE.1"
SECONDS = 4.0
BATCH = 4


Reach = Callable[[int], client.Connection]


def cut(connection: client.Connection) -> None:
    """Lose the connection, as a broken network would."""
    endpoint = connection.driver.endpoint
    assert isinstance(endpoint, socket.socket)
    with suppress(OSError):  # the program may have closed it meanwhile
        endpoint.shutdown(socket.SHUT_RDWR)


def produce(reach: Reach, ledger: Ledger, seed: int, until: float) -> None:
    random = Random(seed)
    number = 0
    while monotonic() < until:
        connection: client.Connection | None = None
        try:
            connection = reach(random.choice((0, 1, 10)))
            queue = connection.open(QUEUE, MQOO_OUTPUT)
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
            pass
        finally:
            if connection is not None:
                connection.driver.close()


def commit(connection: client.Connection, ledger: Ledger, put: bool, batch: list[bytes]) -> None:
    try:
        connection.commit()
    except MQError:
        ledger.note(False, put, batch)
        raise
    ledger.note(True, put, batch)


def consume(reach: Reach, ledger: Ledger, seed: int, until: float) -> None:
    random = Random(seed)
    while monotonic() < until:
        connection: client.Connection | None = None
        try:
            connection = reach(random.choice((0, 1, 10)))
            queue = connection.open(QUEUE, MQOO_INPUT_SHARED, read_ahead=random.random() < 0.7)
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
            pass
        finally:
            if connection is not None:
                connection.driver.close()


def work(reach: Reach) -> Ledger:
    """Let programs come and go for a time; what they were told."""
    ledger = Ledger()
    until = monotonic() + SECONDS
    programs = [Thread(target=produce, args=(reach, ledger, seed, until)) for seed in (1, 2, 3)]
    programs += [Thread(target=consume, args=(reach, ledger, seed, until)) for seed in (4, 5, 6)]
    for program in programs:
        program.start()
    for program in programs:
        program.join()
    return ledger


def left(site: Reachable) -> list[bytes]:
    """What is on the queue once everybody is gone."""
    assert eventually(lambda: not site.clients())
    found: list[bytes] = []
    with site.connect() as connection, connection.open(QUEUE, MQOO_INPUT_SHARED) as queue:
        while True:
            try:
                found.append(queue.get().data.rstrip(b"\0"))
            except NoMessage:
                return found


def test_connections_cut_between_verbs(tmp_path: Path) -> None:
    with reachable(tmp_path) as site:
        ledger = work(site.connect)
        ledger.judge(left(site))
        assert len(ledger.put) > 20


def test_connections_cut_at_any_byte(tmp_path: Path) -> None:
    random = Random(7)

    def limit() -> int:
        return random.randrange(3000) if random.random() < 0.3 else random.randrange(200_000)

    with reachable(tmp_path) as site:
        site.define_channel("OPEN", "")  # without a password, which would take most of the time
        with Proxy(site.port, limit) as proxy:

            def reach(conversations: int) -> client.Connection:
                return client.connect(NAME, proxy.address, "OPEN", application="tests", conversations=conversations)

            ledger = work(reach)
        ledger.judge(left(site))
        assert len(ledger.put) > 20
        assert len([line for line in proxy.lines if line.was_cut]) > 20
