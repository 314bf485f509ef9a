"""Programs in C on the wire: connected by Python, which says what they are to say, and driven by `programs.c`."""

import os
import socket
import subprocess
from collections.abc import Callable
from dataclasses import dataclass

from kew import client
from kew.channels.protocol.delivery import (
    CONSUMED,
    MATCH_CORRELATION_ID,
    RESERVE,
    SYNCHRONOUS_GET,
    Notification,
    RequestMessages,
    Selection,
)
from kew.channels.protocol.descriptor import from_canonical
from kew.channels.protocol.dialect import LITTLE
from kew.channels.protocol.events import Event, Plain
from kew.channels.protocol.messages import Put
from kew.channels.protocol.segments import MQCMIT
from kew.client import requests
from kew.client.readahead import READ_AHEAD_WINDOW
from kew.codes.options import MQOO_INPUT_SHARED, MQOO_OUTPUT
from kew.formats import mqmd
from kew.formats.mqmd import MessageDescriptor
from tests.bench.native.host import NAME

REQUESTS = "DEV.QUEUE.1"
REPLIES = "DEV.QUEUE.2"
BODY = b"\x5a" * 2048
WARM = 0.5
ONE_MESSAGE = 1

Given = tuple[int, str]  # a descriptor of a socket, and the line for the C program
Sample = tuple[float, int]  # CPU seconds and syncs of the log, so far


@dataclass
class Figures:
    """What was measured."""

    rate: float  # units a second
    cost: float  # CPU microseconds of the queue manager for each
    syncs: float  # of the log, for each


class Program:
    """One program: a connection whose segments are made here, and whose socket goes to the C program."""

    def __init__(self, role: str, port: int, persistence: int) -> None:
        self._role = role
        self._persistence = persistence
        self._window = ONE_MESSAGE
        self._answered = True
        self._put = self._ask = self._again = self._consumed = self._commit = b""
        self._connection = client.connect(
            NAME, f"127.0.0.1({port})", "DEV.APP.SVRCONN", "app", "password", "bench", heartbeat=0
        )
        self._session = self._connection.verbs.link.session
        assert self._session.dialect.byte_order == LITTLE, "the C program reads no other byte order"
        assert not self._session.heartbeat, "the C program answers no heartbeat"

    def puts(self, queue: str, syncpoint: bool = False, asynchronous: bool = False) -> "Program":
        """Put messages to a queue."""
        descriptor = mqmd.encode(MessageDescriptor(persistence=self._persistence))
        options = requests.put_options(syncpoint, asynchronous)
        put = Put(from_canonical(descriptor, self._session.dialect), options, BODY)
        put.handle = self._connection.open(queue, MQOO_OUTPUT).opened.handle
        self._put = self._segment(put)
        self._answered = not asynchronous
        if syncpoint:
            self._commit = self._segment(Plain(MQCMIT))
        return self

    def gets(
        self, queue: str, syncpoint: bool = False, correlated: bool = False, window: int = ONE_MESSAGE
    ) -> "Program":
        """Get messages of a queue, each with the correlation id that the C program says, or whatever comes."""
        asked = RequestMessages(self._connection.open(queue, MQOO_INPUT_SHARED).opened.handle)
        options = requests.get_options(requests.FOREVER, syncpoint, False)
        asked.options, asked.wait_interval = options.options, options.wait_interval
        asked.requested_bytes = self._window = window
        asked.request_flags = SYNCHRONOUS_GET if window == ONE_MESSAGE else RESERVE if syncpoint else 0
        asked.selection = Selection()
        asked.selection.match_options = MATCH_CORRELATION_ID if correlated else 0
        self._ask = self._again = self._segment(asked)
        if not correlated:
            asked.selection = None
            self._again = self._segment(asked)
        if syncpoint:
            self._commit = self._segment(Plain(MQCMIT))
        if syncpoint and window > ONE_MESSAGE:
            assert self._session.extended, "nobody but Kew sends ahead in a unit of work"
            self._consumed = self._segment(Notification(asked.handle, CONSUMED, 0))
        return self

    def _segment(self, event: Event) -> bytes:
        event.conversation_id = self._connection.verbs.conversation_id
        return self._session.send(event)

    def given(self) -> Given:
        """Give the socket away; the connection here is over."""
        descriptor = os.dup(self._connection.driver.endpoint.fileno())
        self._connection.driver.close()
        segments = [each.hex() or "-" for each in (self._put, self._ask, self._again, self._consumed, self._commit)]
        numbers = [str(int(each)) for each in (descriptor, self._window, self._answered)]
        return descriptor, " ".join([self._role, *numbers, *segments])


def requester(port: int, persistence: int, asynchronous: bool = False) -> Given:
    """Who puts a request, with or without waiting for an answer, and gets its reply by correlation id."""
    program = Program("requester", port, persistence).puts(REQUESTS, asynchronous=asynchronous)
    return program.gets(REPLIES, correlated=True).given()


def responder(port: int, persistence: int, asynchronous: bool = False) -> Given:
    """Who gets a request and puts the reply: persistent ones in a unit of work.

    The asynchronous one is what DEFREADA(YES) and DEFPRESP(ASYNC) make of it: requests are sent ahead of its gets, and
    its puts wait for no answer.
    """
    unit = persistence == 1
    window = READ_AHEAD_WINDOW if asynchronous else ONE_MESSAGE
    program = Program("responder", port, persistence).gets(REQUESTS, syncpoint=unit, window=window)
    return program.puts(REPLIES, syncpoint=unit, asynchronous=asynchronous).given()


def putter(port: int, persistence: int) -> Given:
    """Who puts without waiting for answers: persistent messages in units of work."""
    unit = persistence == 1
    return Program("putter", port, persistence).puts(REQUESTS, syncpoint=unit, asynchronous=True).given()


def getter(port: int, persistence: int) -> Given:
    """Who reads ahead what the putter puts: persistent messages in units of work."""
    unit = persistence == 1
    return Program("getter", port, persistence).gets(REQUESTS, syncpoint=unit, window=READ_AHEAD_WINDOW).given()


def echoer(port: int) -> Given:
    """Who exchanges bodies with the echo."""
    with socket.create_connection(("127.0.0.1", port)) as endpoint:
        endpoint.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        descriptor = os.dup(endpoint.fileno())
    return descriptor, f"echo {descriptor} {ONE_MESSAGE} 1 {BODY.hex()} - - - -"


def measured(executable: str, given: list[Given], seconds: float, sample: Callable[[], Sample]) -> Figures:
    """Let programs work for a while; their sockets are closed after it."""
    descriptors = [descriptor for descriptor, _line in given]
    with subprocess.Popen(
        [executable, str(WARM), str(seconds)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        pass_fds=descriptors,
    ) as running:
        for descriptor in descriptors:
            os.close(descriptor)
        assert running.stdin is not None
        assert running.stdout is not None
        running.stdin.write("".join([f"{line}\n" for _descriptor, line in given]))
        running.stdin.close()
        running.stdout.readline()
        used, syncs = sample()
        said = running.stdout.readline().split()
        used_then, syncs_then = sample()
    if running.returncode or len(said) != 2:
        raise SystemExit(f"{executable} has ended with {running.returncode}")
    units, took = int(said[0]), float(said[1])
    return Figures(units / took, (used_then - used) / units * 1e6, (syncs_then - syncs) / units)
