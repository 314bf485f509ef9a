"""Two queue managers in this process, with channels between them over real sockets."""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.support.network import SMALL, eventually

from kew.channels.control import MessageChannelState
from kew.codes.errors import NoMessage
from kew.codes.options import (
    MQGMO_NO_SYNCPOINT,
    MQGMO_WAIT,
    MQOO_INPUT_SHARED,
    MQOO_OUTPUT,
    MQPER_NOT_PERSISTENT,
    MQPER_PERSISTENT,
    MQPMO_NEW_MSG_ID,
)
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.gets.request import Got
from kew.qmgr import manager
from kew.qmgr.config import Configuration
from kew.qmgr.manager import QueueManager

CHANNEL = "QM1.TO.QM2"
TARGET = "TARGET"
REMOTE = "TO.TARGET"


class Partner:
    """One of the two."""

    def __init__(self, name: str, running: QueueManager) -> None:
        assert running.network is not None
        self.name = name
        self.manager = running
        self.network = running.network
        self.port = 0

    def listen(self, port: int = 0) -> None:
        """Take callers; on the same port as before where one is given."""
        self.port = self.network.listen("TEST", "127.0.0.1", port)

    def mqsc(self, *commands: str) -> str:
        return self.manager.mqsc(*commands)

    def depth(self, queue: str) -> int:
        return self.manager.host.queues.by_name[queue].depth

    def settled(self, queue: str = "QM2") -> bool:
        """Whether a transmission queue is empty, and no batch of its messages waits for the partner."""
        found = self.manager.host.queues.by_name[queue]
        with self.manager.host.lock:
            return found.depth == 0 and not found.uncommitted

    def held(self, queue: str = "QM2") -> int:
        """How many messages a queue has, those in units of work too."""
        found = self.manager.host.queues.by_name[queue]
        with self.manager.host.lock:
            return found.store.depth(0, False)

    def put(self, queue: str, *texts: bytes, persistent: bool = True, manager_name: str = "", **fields: object) -> None:
        """Put messages, each in a unit of its own."""
        connection = self.manager.connect("tests")
        try:
            handle = connection.open(queue, MQOO_OUTPUT, manager=manager_name)
            for text in texts:
                descriptor = MessageDescriptor(
                    persistence=MQPER_PERSISTENT if persistent else MQPER_NOT_PERSISTENT,
                    **fields,  # type: ignore[arg-type]
                )
                connection.put(handle, descriptor, text, MQPMO_NEW_MSG_ID)
        finally:
            connection.disconnect()

    def get(self, queue: str, seconds: float = 60.0) -> Got:
        """Get the next message, which must come in time."""
        connection = self.manager.connect("tests")
        try:
            handle = connection.open(queue, MQOO_INPUT_SHARED)
            return connection.get(handle, MQGMO_WAIT | MQGMO_NO_SYNCPOINT, int(seconds * 1000))
        finally:
            connection.disconnect()

    def get_all(self, queue: str) -> list[bytes]:
        """Get all messages that are there."""
        connection = self.manager.connect("tests")
        found: list[bytes] = []
        try:
            handle = connection.open(queue, MQOO_INPUT_SHARED)
            while True:
                found.append(connection.get(handle, MQGMO_NO_SYNCPOINT).data)
        except NoMessage:
            return found
        finally:
            connection.disconnect()

    def state(self, channel: str = CHANNEL) -> MessageChannelState | None:
        """The current state of a channel, None where it is inactive."""
        found = [each for each in self.network.message_channel_states() if each.name == channel]
        return found[0] if found else None

    def reaches(self, status: int, channel: str = CHANNEL, seconds: float = 20.0) -> bool:
        """Wait until a channel has a status; 0 for inactive."""

        def there() -> bool:
            state = self.state(channel)
            return status == (state.status if state is not None else 0)

        return eventually(there, seconds)

    def errors(self) -> str:
        """The text of the error log."""
        with open(os.path.join(self.manager.places.errors, "AMQERR01.LOG"), encoding="utf-8") as file:
            return file.read()


@contextmanager
def partners(
    path: Path,
    sender: str = "",
    receiver: str = "MCAUSER('app')",
    configuration: Configuration = SMALL,
    other: Configuration = SMALL,
) -> Iterator[tuple[Partner, Partner]]:
    """QM1 with a sender channel, its transmission queue QM2 and a remote queue; QM2 with a receiver and the target."""
    with ExitStack() as stack:
        found: list[Partner] = []
        for name, settings in (("QM1", configuration), ("QM2", other)):
            data = str(path / name)
            manager.create(name, settings, data)
            found.append(Partner(name, stack.enter_context(manager.start(name, data, developer=True))))
        one, two = found
        two.listen()
        two.mqsc(
            f"DEFINE QLOCAL({TARGET}) MAXDEPTH(1000000)",
            f"DEFINE CHANNEL({CHANNEL}) CHLTYPE(RCVR) {receiver}",
            f"SET CHLAUTH({CHANNEL}) TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(CHANNEL)",
            "SET AUTHREC PROFILE('**') OBJTYPE(QUEUE) PRINCIPAL('app') AUTHADD(ALLMQI)",
            "SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('app') AUTHADD(CONNECT,SETALL)",
            "DEFINE QLOCAL(DEAD)",
            "ALTER QMGR DEADQ(DEAD)",
        )
        one.mqsc(
            "DEFINE QLOCAL(QM2) USAGE(XMITQ) MAXDEPTH(1000000)",
            f"DEFINE QREMOTE({REMOTE}) RNAME({TARGET}) RQMNAME(QM2) XMITQ(QM2)",
            f"DEFINE CHANNEL({CHANNEL}) CHLTYPE(SDR) XMITQ(QM2) CONNAME('127.0.0.1({two.port})') {sender}",
        )
        yield one, two
