"""MQ-CPH's modules: the options, the destinations and the lines of IBM's C performance harness.

A module does one iteration after the other on a connection of its own thread: Requester, Responder, Sender, Receiver,
PutGet, Forwarder, Publisher, Subscriber, and Dummy, which does nothing. The control thread prints the rate of all
threads every few seconds, and the total at the end.
"""

import contextlib
import os
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from kew.client import connect, connect_local
from kew.codes.errors import MQError
from kew.codes.options import (
    MQGMO_NO_SYNCPOINT,
    MQGMO_SYNCPOINT,
    MQMO_MATCH_CORREL_ID,
    MQMO_NONE,
    MQMT_REQUEST,
    MQOO_INPUT_SHARED,
    MQOO_OUTPUT,
    MQPER_NOT_PERSISTENT,
    MQPER_PERSISTENCE_AS_Q_DEF,
    MQPER_PERSISTENT,
    MQPMO_NO_SYNCPOINT,
    MQPMO_SYNCPOINT,
)
from kew.formats.mqmd import MessageDescriptor
from kew.perf.bodies import make_body
from kew.perf.links import NetLink
from kew.perf.options import CphError, CphOptions

SLICE: Final = 0.2  # seconds of a wait before a thread looks whether it is to end
NONE, ERROR, WARNING, INFO, VERBOSE = range(5)
Say = Callable[[str], None]


class Destinations:
    """Gives each thread its destination: a prefix, with a number if the options ask for one."""

    def __init__(self, options: CphOptions) -> None:
        base, most, number = options.db, options.dx, options.dn
        self._numbered = bool(base or most or number)
        first = base
        if base and most and number:
            first = number
            if not base <= number <= most:
                raise CphError("-dn must be within the specified bounds of -db and -dx")
        elif self._numbered:
            base = base or (most - number + 1 if most and number else 1)
            most = most or (base + number - 1 if number else 0)
            first = base
        if base < 0 or (most and most < base):
            raise CphError("the range of destinations is negative")
        self._base, self._most, self._next = base, most, first

    def next(self) -> str:
        """Give the number of the next thread's destination, empty if destinations have none."""
        if not self._numbered:
            return ""
        given = self._next
        self._next = self._base if self._most and given >= self._most else given + 1
        return str(given)


@dataclass
class Thread:
    """A worker thread: its destination and its counters."""

    options: CphOptions
    number: int
    suffix: str
    body: bytes
    ending: threading.Event
    link: NetLink | None = None
    handles: dict[str, Any] = field(default_factory=dict)
    iterations: int = 0
    began: float = 0.0
    ended: float = 0.0
    problem: str = ""
    latencies: list[int] = field(default_factory=lambda: [0, 0, 1 << 62])  # sum, longest, shortest, in ns
    timed: int = 0
    pending: int = 0

    def name(self, prefix: str) -> str:
        """Give the name of the thread's destination for a prefix."""
        return prefix + self.suffix

    def descriptor(self) -> MessageDescriptor:
        """Make the descriptor of a new message."""
        options = self.options
        kept = MQPER_PERSISTENT if options.pp else MQPER_NOT_PERSISTENT if options.ppn else MQPER_PERSISTENCE_AS_Q_DEF
        return MessageDescriptor(persistence=kept, format=b"MQSTR   ")

    def put(self, handle: Any, descriptor: MessageDescriptor, body: bytes | None = None) -> None:
        """Put a message, in a unit of work if the options say so."""
        assert self.link is not None
        unit = self.options.tx or self.options.txp
        data = self.body if body is None else body
        self.link.put(handle, descriptor, data, MQPMO_SYNCPOINT if unit else MQPMO_NO_SYNCPOINT)

    def get(self, handle: Any, correlation: bytes = b"") -> tuple[bytes, MessageDescriptor] | None:
        """Get a message; None when the thread is to end. A timeout is an error, as MQ-CPH has it."""
        assert self.link is not None
        unit = self.options.tx or self.options.txg
        options = MQGMO_SYNCPOINT if unit else MQGMO_NO_SYNCPOINT
        match = MQMO_MATCH_CORREL_ID if correlation else MQMO_NONE
        wanted = MessageDescriptor(correlation_id=correlation) if correlation else None
        until = time.monotonic() + self.options.to if self.options.to >= 0 else float("inf")
        while True:
            left = min(SLICE, max(0.001, until - time.monotonic()))
            got = self.link.get(handle, options, max(1, int(left * 1000)), match, wanted)
            if got is not None:
                return got
            if self.ending.is_set():
                return None
            if time.monotonic() >= until:
                raise CphError(f"no message within {self.options.to} seconds")

    def commit(self, side: bool = False) -> None:
        """Commit after every full unit of work, or with `side` (-txp or -txg of this thread) after each message."""
        assert self.link is not None
        if side:
            self.link.commit()
        elif self.options.tx:
            self.pending += 1
            if self.pending >= self.options.cc:
                self.link.commit()
                self.pending = 0


def _open(thread: Thread, key: str, name: str, way: int) -> Any:
    assert thread.link is not None
    if key not in thread.handles:
        thread.handles[key] = thread.link.open(name, way)
    return thread.handles[key]


def requester(thread: Thread) -> bool:
    """Put a request, get its reply."""
    options = thread.options
    request = _open(thread, "iq", thread.name(options.iq), MQOO_OUTPUT)
    reply = _open(thread, "oq", thread.name(options.oq), MQOO_INPUT_SHARED)
    descriptor = thread.descriptor()
    descriptor.message_type = MQMT_REQUEST
    descriptor.reply_to_queue = thread.name(options.oq).encode().ljust(48)
    thread.put(request, descriptor)
    if options.tx or options.txp:
        thread.commit(side=True)
    got = thread.get(reply, descriptor.message_id if options.wants_correlation("Requester") else b"")
    if got is not None and (options.tx or options.txg):
        thread.commit(side=True)
    return got is not None


def responder(thread: Thread) -> bool:
    """Get a request, put its reply on the reply-to queue."""
    options = thread.options
    got = thread.get(_open(thread, "iq", thread.name(options.iq), MQOO_INPUT_SHARED))
    if got is None:
        return False
    data, request = got
    name = request.reply_to_queue.decode("latin-1").rstrip() or thread.name(options.oq)
    reply = thread.descriptor()
    reply.persistence = request.persistence
    if options.wants_correlation("Responder"):
        own = request.correlation_id
        reply.correlation_id = own if own.strip(b"\0") else request.message_id
    thread.put(_open(thread, f"reply {name}", name, MQOO_OUTPUT), reply, data if options.cr else None)
    thread.commit()
    return True


def forwarder(thread: Thread) -> bool:
    """Get a message from one queue and put it to another."""
    options = thread.options
    got = thread.get(_open(thread, "iq", thread.name(options.iq), MQOO_INPUT_SHARED))
    if got is None:
        return False
    target = _open(thread, "oq", thread.name(options.oq), MQOO_OUTPUT)
    thread.put(target, thread.descriptor(), got[0] if options.cr else None)
    thread.commit()
    return True


def sender(thread: Thread) -> bool:
    """Put a message."""
    thread.put(_open(thread, "d", thread.name(thread.options.d), MQOO_OUTPUT), thread.descriptor())
    thread.commit()
    return True


def receiver(thread: Thread) -> bool:
    """Get a message."""
    if thread.get(_open(thread, "d", thread.name(thread.options.d), MQOO_INPUT_SHARED)) is None:
        return False
    thread.commit()
    return True


def put_get(thread: Thread) -> bool:
    """Put a message and get it back."""
    options = thread.options
    queue = _open(thread, "d", thread.name(options.d), MQOO_OUTPUT | MQOO_INPUT_SHARED)
    own = b""
    descriptor = thread.descriptor()
    if options.wants_correlation("PutGet"):
        own = b"%-12d%012d" % (os.getpid(), thread.number)
        descriptor.correlation_id = own
    thread.put(queue, descriptor)
    if options.tx or options.txp:
        thread.commit(side=True)
    got = thread.get(queue, own)
    if got is not None and (options.tx or options.txg):
        thread.commit(side=True)
    return got is not None


def publisher(thread: Thread) -> bool:
    """Publish a message on a topic."""
    assert thread.link is not None
    if "d" not in thread.handles:
        thread.handles["d"] = thread.link.open_topic(thread.name(thread.options.d), MQOO_OUTPUT)
    thread.put(thread.handles["d"], thread.descriptor())
    thread.commit()
    return True


def subscriber(thread: Thread) -> bool:
    """Get a publication."""
    assert thread.link is not None
    if "d" not in thread.handles:
        thread.handles["d"] = thread.link.subscribe(thread.name(thread.options.d))
    if thread.get(thread.handles["d"]) is None:
        return False
    thread.commit()
    return True


def dummy(_thread: Thread) -> bool:
    """Do nothing."""
    return True


MODULES: Final[dict[str, Callable[[Thread], bool]]] = {
    "Requester": requester,
    "Responder": responder,
    "Sender": sender,
    "Receiver": receiver,
    "PutGet": put_get,
    "Forwarder": forwarder,
    "Publisher": publisher,
    "Subscriber": subscriber,
    "Dummy": dummy,
}


class Control:
    """Starts the threads, prints the rates, and ends the threads."""

    def __init__(self, options: CphOptions, say: Say) -> None:
        if options.tc not in MODULES:
            raise CphError(f"there is no module {options.tc}; there are {', '.join(MODULES)}")
        self._options = options
        self._say = say
        self.ending = threading.Event()
        destinations = Destinations(options)
        body = (
            Path(options.mf).read_bytes() if options.mf else make_body("random" if options.mr else "text", options.ms)
        )
        self.threads = [Thread(options, at, destinations.next(), body, self.ending) for at in range(options.nt)]

    def run(self) -> bool:
        """Run to the end; says whether all threads succeeded."""
        options = self._options
        self._log(VERBOSE, "controlThread START")
        runners = [threading.Thread(target=self._work, args=(thread,), daemon=True) for thread in self.threads]
        try:
            for runner in runners:
                runner.start()
                if options.wi and runner is not runners[-1]:
                    self.ending.wait(options.wi / 1000)
            self._watch(runners, time.monotonic())
        except KeyboardInterrupt:
            self.ending.set()
        self.ending.set()
        for runner in runners:
            runner.join()
        self._summary()
        self._log(VERBOSE, "controlThread STOP")
        return not any(thread.problem for thread in self.threads)

    def _watch(self, runners: list[threading.Thread], began: float) -> None:
        """Print the rate at intervals, until the time is over or no thread works any more."""
        options = self._options
        until = began + options.rl if options.rl else float("inf")
        then, done = time.monotonic(), 0
        report = then + options.ss if options.ss else float("inf")
        while any(runner.is_alive() for runner in runners):
            now = time.monotonic()
            if now >= until:
                self._log(VERBOSE, "Timer : Runlength expired")
                return
            if now >= report:
                total = sum(thread.iterations for thread in self.threads)
                alive = sum(runner.is_alive() for runner in runners)
                line = f"rate={(total - done) / (now - then):.2f},threads={alive}"
                self._log(INFO, line + (f",{self._latency()}" if options.ls else ""))
                then, done, report = now, total, report + options.ss
            time.sleep(max(0.0, min(until, report, now + SLICE) - now))

    def _latency(self) -> str:
        thread = self.threads[0]
        total, longest, shortest = thread.latencies
        mean = total // max(thread.timed, 1) // 1000
        least = shortest // 1000 if thread.timed else 0
        return f"avg_latency(uSec)={mean},max_latency(uSec)={longest // 1000},min_latency(uSec)={least}"

    def _summary(self) -> None:
        options = self._options
        total = sum(thread.iterations for thread in self.threads)
        began = [thread.began for thread in self.threads if thread.began]
        seconds = max((thread.ended for thread in self.threads), default=0.0) - min(began) if began else 0.0
        if options.su:
            rate = total / seconds if seconds > 0 else 0.0
            self._log(WARNING, f"totalIterations={total},totalSeconds={seconds:.2f},avgRate={rate:.2f}")
            if options.ls:
                self._log(WARNING, self._latency())

    def _log(self, level: int, text: str) -> None:
        if level <= self._options.vo:
            self._say(f"id={self._options.id},{text}" if self._options.id and level == INFO else text)

    def _work(self, thread: Thread) -> None:
        options = self._options
        try:
            sessions = 0
            while not self.ending.is_set():
                self._session(thread)
                sessions += 1
                if not options.mg or (options.sn and sessions >= options.sn):
                    break
                self.ending.wait(options.si / 1000)
        except (MQError, CphError) as problem:
            thread.problem = str(problem)
            if thread.link is not None:
                with contextlib.suppress(MQError):  # it may be gone
                    thread.link.back_out()
                    thread.link.disconnect()
            self._log(ERROR, f"[{options.tc}{thread.number}] {problem}")
        finally:
            thread.ended = time.monotonic()

    def _session(self, thread: Thread) -> None:
        """Connect, iterate, disconnect."""
        options, step = self._options, MODULES[self._options.tc]
        thread.handles = {}
        if options.tc != "Dummy":
            thread.link = _connect(options)
        thread.began = thread.began or time.monotonic()
        due, pause = time.monotonic(), 1 / options.rt if options.rt else 0.0
        done = 0
        latencies = thread.latencies
        while not self.ending.is_set() and (not options.mg or done < options.mg):
            if pause:
                if self.ending.wait(max(0.0, due - time.monotonic())):
                    break
                due += pause
            before = time.perf_counter_ns()
            if not step(thread):
                break
            taken = time.perf_counter_ns() - before
            latencies[0] += taken
            latencies[1] = max(latencies[1], taken)
            latencies[2] = min(latencies[2], taken)
            thread.timed += 1
            thread.iterations += 1
            done += 1
        if thread.link is not None:
            thread.link.disconnect()  # commits the pending unit of work


def _connect(options: CphOptions) -> NetLink:
    application = options.an or f"kew cph {options.tc}"
    if options.jt == "mqb":
        return NetLink(connect_local(options.jb, application))
    tls = None
    if options.jl:
        from kew.client.tls import client_context

        tls = client_context(options.jl, options.kr)
    address = f"{options.jh}({options.jp})"
    return NetLink(
        connect(options.jb, address, options.jc, options.us or None, options.pw or None, application, tls=tls)
    )
