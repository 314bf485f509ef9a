"""Programs that reconnect, of each kind: over kew.client by blocking and by asyncio, over ibmmq and over pymqi.

All of them say the same things in the same way, so that one list of scenarios is for all of them.
"""

import asyncio
import os
import signal
import tempfile
from collections.abc import Callable, Coroutine
from contextlib import contextmanager
from typing import Any, TypeVar

from tests.support.network import NAME

from kew import client, ibmmq, pymqi
from kew.client import ConnectSettings, aio
from kew.codes.channels import MQCHT_CLNTCONN, MQXPT_TCP
from kew.codes.errors import MQError
from kew.codes.options import MQCNO_RECONNECT, MQGMO_SYNCPOINT, MQGMO_WAIT, MQOO_INPUT_SHARED, MQOO_OUTPUT
from kew.formats.mqmd import MessageDescriptor

T = TypeVar("T")
BOTH = MQOO_OUTPUT | MQOO_INPUT_SHARED


class Wish:
    """What a program says when it connects."""

    def __init__(
        self,
        address: str,
        channel: str = "OPEN",
        user: str | None = None,
        password: str | None = None,
        timeout: float = 60.0,
        options: int = MQCNO_RECONNECT,
    ) -> None:
        self.address = address
        self.channel = channel
        self.user = user
        self.password = password
        self.timeout = timeout
        self.options = options

    def settings(self) -> ConnectSettings:
        """The same for kew.client."""
        return ConnectSettings(
            NAME, self.address, self.channel, self.user, self.password, "tests", options=self.options, conversations=1
        )


def descriptor(persistent: bool) -> MessageDescriptor:
    return MessageDescriptor(persistence=int(persistent))


class Cutting:
    """A socket or a transport that breaks when something is written, behind the program's last look at it."""

    def __init__(self, real: Any, method: str, cut: Callable[[], None]) -> None:
        self._real = real
        self._method = method
        self._cut = cut

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._real, name)
        if name != self._method:
            return found

        def write(data: bytes) -> None:
            self._cut()
            found(data)

        return write


class BlockingProgram:
    """A program over kew.client."""

    def __init__(self, wish: Wish) -> None:
        self.connection = client.connect_by(wish.settings(), wish.timeout)
        self.queues: dict[str, Any] = {}

    def open(self, name: str) -> None:
        self.queues[name] = self.connection.open(name, BOTH)

    def subscribe(self, topic: str) -> None:
        self.queues[topic] = self.connection.subscribe(topic).queue

    def put(self, name: str, data: bytes, persistent: bool = False, syncpoint: bool = False) -> None:
        self.queues[name].put(data, descriptor(persistent), syncpoint=syncpoint)

    def put1(self, name: str, data: bytes) -> None:
        self.connection.put1(name, data, descriptor(False))

    def get(self, name: str, wait: float = 30, syncpoint: bool = False) -> bytes:
        data: bytes = self.queues[name].get(wait, syncpoint=syncpoint).data
        return data

    def commit(self) -> None:
        self.connection.commit()

    def back_out(self) -> None:
        self.connection.back_out()

    def cut(self) -> None:
        """Break the socket, without the program's knowledge."""
        self.connection.driver.endpoint.shutdown(2)  # type: ignore[union-attr]

    def cut_before_writing(self) -> None:
        """Break the socket when the next call is written."""
        driver = self.connection.driver
        driver.endpoint = Cutting(driver.endpoint, "sendall", self.cut)  # type: ignore[assignment]

    def before_attempts(self, action: Callable[[], None]) -> None:
        """Have something done before each attempt to reconnect."""
        pause = self.connection.pause

        def paused(seconds: float) -> bool:
            action()
            return pause(seconds)

        self.connection.pause = paused  # type: ignore[method-assign]

    def interrupt(self) -> None:
        """Break the program off where it is: Ctrl-C."""
        os.kill(os.getpid(), signal.SIGINT)

    def disconnect(self) -> None:
        self.connection.disconnect()


class AsyncProgram:
    """A program over kew.client.aio; each call is a task of its loop."""

    def __init__(self, wish: Wish) -> None:
        self.loop = asyncio.new_event_loop()
        self.task: asyncio.Task[Any] | None = None
        self.connection = self.run(aio.connect_by(wish.settings(), wish.timeout))
        self.queues: dict[str, Any] = {}

    def run(self, call: Coroutine[Any, Any, T]) -> T:
        self.task = self.loop.create_task(call)
        try:
            result: T = self.loop.run_until_complete(self.task)
        except asyncio.CancelledError:
            raise KeyboardInterrupt from None
        return result

    def open(self, name: str) -> None:
        self.queues[name] = self.run(self.connection.open(name, BOTH))

    def subscribe(self, topic: str) -> None:
        self.queues[topic] = self.run(self.connection.subscribe(topic)).queue

    def put(self, name: str, data: bytes, persistent: bool = False, syncpoint: bool = False) -> None:
        self.run(self.queues[name].put(data, descriptor(persistent), syncpoint=syncpoint))

    def put1(self, name: str, data: bytes) -> None:
        self.run(self.connection.put1(name, data, descriptor(False)))

    def get(self, name: str, wait: float = 30, syncpoint: bool = False) -> bytes:
        data: bytes = self.run(self.queues[name].get(wait, syncpoint=syncpoint)).data
        return data

    def commit(self) -> None:
        self.run(self.connection.commit())

    def back_out(self) -> None:
        self.run(self.connection.back_out())

    def cut(self) -> None:
        """Break the socket, without the program's knowledge."""
        transport = self.connection.driver.transport
        assert transport is not None
        transport.abort()

    def cut_before_writing(self) -> None:
        """Break the socket when the next call is written."""
        driver = self.connection.driver
        driver.transport = Cutting(driver.transport, "write", self.cut)  # type: ignore[assignment]

    def before_attempts(self, action: Callable[[], None]) -> None:
        """Have something done before each attempt to reconnect."""
        pause = self.connection.pause

        async def paused(seconds: float) -> bool:
            action()
            return await pause(seconds)

        self.connection.pause = paused  # type: ignore[method-assign]

    def interrupt(self) -> None:
        """Break the program off where it is: its task is cancelled."""
        assert self.task is not None
        self.task.cancel()

    def disconnect(self) -> None:
        self.run(self.connection.disconnect())
        self.loop.close()


class FaceProgram:
    """A program over ibmmq or pymqi."""

    face: Any = None

    def __init__(self, wish: Wish) -> None:
        face = self.face
        self.manager = face.QueueManager(None)
        cd = face.CD(ChannelName=wish.channel.encode(), ConnectionName=wish.address.encode())
        cd.ChannelType, cd.TransportType = MQCHT_CLNTCONN, MQXPT_TCP
        more = {"user": wish.user, "password": wish.password} if wish.user else {}
        with configured(wish.timeout), saying():
            self.manager.connect_with_options(NAME, cd=cd, opts=wish.options, **more)
        self.queues: dict[str, Any] = {}

    @property
    def connection(self) -> client.Connection:
        connection: client.Connection = self.manager._connection._connection
        return connection

    def open(self, name: str) -> None:
        with saying():
            self.queues[name] = self.face.Queue(self.manager, name, BOTH)

    def subscribe(self, topic: str) -> None:
        cmqc = self.face.CMQC
        sd = self.face.SD(Options=cmqc.MQSO_CREATE | cmqc.MQSO_MANAGED)
        sd.set_vs("ObjectString", topic.encode())
        subscription = self.face.Subscription(self.manager)
        with saying():
            subscription.sub(sub_desc=sd)
        self.queues[topic] = subscription

    def put(self, name: str, data: bytes, persistent: bool = False, syncpoint: bool = False) -> None:
        pmo = self.face.PMO(Options=self.face.CMQC.MQPMO_SYNCPOINT if syncpoint else 0)
        with saying():
            self.queues[name].put(data, self.face.MD(Persistence=int(persistent)), pmo)

    def put1(self, name: str, data: bytes) -> None:
        with saying():
            self.manager.put1(name, data, self.face.MD(Persistence=0))

    def get(self, name: str, wait: float = 30, syncpoint: bool = False) -> bytes:
        gmo = self.face.GMO(Options=MQGMO_WAIT | (MQGMO_SYNCPOINT if syncpoint else 0), WaitInterval=int(wait * 1000))
        with saying():
            data: bytes = self.queues[name].get(None, self.face.MD(), gmo)
        return data

    def commit(self) -> None:
        with saying():
            self.manager.commit()

    def back_out(self) -> None:
        with saying():
            self.manager.backout()

    cut = BlockingProgram.cut
    cut_before_writing = BlockingProgram.cut_before_writing
    before_attempts = BlockingProgram.before_attempts
    interrupt = BlockingProgram.interrupt

    def disconnect(self) -> None:
        self.manager.disconnect()


class IbmmqProgram(FaceProgram):
    """A program over ibmmq."""

    face = ibmmq


class PymqiProgram(FaceProgram):
    """A program over pymqi."""

    face = pymqi


@contextmanager
def saying() -> Any:
    """Have a face's error be the one that kew.client raises."""
    try:
        yield
    except (ibmmq.MQMIError, pymqi.MQMIError) as error:
        assert isinstance(error.__cause__, MQError)
        raise error.__cause__ from error


@contextmanager
def configured(timeout: float) -> Any:
    """Have a client file say how long a face tries to reconnect."""
    before = os.environ.get("MQCLNTCF")
    with tempfile.NamedTemporaryFile("w", suffix=".ini") as file:
        file.write(f"CHANNELS:\n   MQReconnectTimeout={round(timeout)}\n   ReconDelay=(50,10)\n")
        file.flush()
        os.environ["MQCLNTCF"] = file.name
        try:
            yield
        finally:
            if before is None:
                del os.environ["MQCLNTCF"]
            else:
                os.environ["MQCLNTCF"] = before


Program = BlockingProgram | AsyncProgram | IbmmqProgram | PymqiProgram
PROGRAMS: tuple[type[Any], ...] = (BlockingProgram, AsyncProgram, IbmmqProgram, PymqiProgram)
