"""What the threads of a worker do, each until the driver says that it is enough.

Every role has the same shape: connect, open, say that it is ready, then do one unit of work after the other and count.
Producers end in the phase EMPTYING; consumers go on until nothing comes any more, so that at the end what was put was
got, or lies on a queue and is counted there.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from kew.codes.errors import MQError
from kew.codes.options import (
    MQGMO_NO_SYNCPOINT,
    MQGMO_SYNCPOINT,
    MQMO_MATCH_CORREL_ID,
    MQMO_MATCH_MSG_ID,
    MQMO_NONE,
    MQMT_REPLY,
    MQMT_REQUEST,
    MQOO_INPUT_SHARED,
    MQOO_OUTPUT,
    MQPER_NOT_PERSISTENT,
    MQPER_PERSISTENT,
    MQPMO_NO_SYNCPOINT,
    MQPMO_SYNCPOINT,
)
from kew.codes.reasons import MQRC_NO_MSG_AVAILABLE
from kew.formats import mqrfh2
from kew.formats.mqmd import MessageDescriptor
from kew.perf.board import COPIES, EMPTYING, ENDING, GETS, PUTS, READY, STARTING, Board, Slot
from kew.perf.bodies import make_body
from kew.perf.links import Link
from kew.perf.scenario import Workload

POLL: Final = 200  # milliseconds that a consumer waits before it looks at the phase
PATIENCE: Final = 2000  # and a requester, before it counts a failure and waits on
COLOURS: Final = ("red", "green", "blue")
_clock = time.perf_counter_ns


@dataclass
class Seat:
    """What a thread is to work with."""

    workload: Workload
    board: Board
    slot: Slot
    connect: Callable[[], Link]
    output: str = ""
    input: str = ""
    number: int = 0
    count: int = 1  # connections, of a crowd
    partner: Slot | None = None  # who gets what this one puts
    verbs: tuple[Slot, ...] = ()
    copies: str = ""  # the queue of copies, of one who takes them too

    def ready(self) -> None:
        """Say so, and wait until all others are: nobody shall wait for somebody who is only being started."""
        self.slot.add(READY)
        while self.board.phase == STARTING:
            time.sleep(0.002)

    def producing(self) -> bool:
        """Whether to begin another unit."""
        return self.board.phase < EMPTYING

    def descriptor(self, kind: int = 0) -> MessageDescriptor:
        """A new message's descriptor."""
        made = MessageDescriptor(
            persistence=MQPER_PERSISTENT if self.workload.persistent else MQPER_NOT_PERSISTENT,
            reply_to_queue=self.input.encode().ljust(48),
        )
        if kind:
            made.message_type = kind
        return made


class Pace:
    """Keeps a rate: a unit that is late is done at once, and what was missed is caught up."""

    def __init__(self, rate: float, phase: int = 0) -> None:
        self._step = 1 / rate if rate else 0.0
        self._next = time.monotonic() + self._step * (phase % 97) / 97

    def wait(self, wanted: Callable[[], bool]) -> bool:
        """Wait until the next unit is due; False when there shall be none."""
        if self._step:
            while (left := self._next - time.monotonic()) > 0:
                if not wanted():
                    return False
                time.sleep(min(left, POLL / 1000))
            self._next += self._step
        return wanted()


def _put_options(units: bool) -> int:
    return MQPMO_SYNCPOINT if units else MQPMO_NO_SYNCPOINT


def _get_options(units: bool) -> int:
    return MQGMO_SYNCPOINT if units else MQGMO_NO_SYNCPOINT


class Requesting:
    """A connection that puts requests and gets their replies."""

    def __init__(self, seat: Seat, body: bytes) -> None:
        self.link = seat.connect()
        self._request = self.link.open(seat.output, MQOO_OUTPUT)
        self._reply = self.link.open(seat.input, MQOO_INPUT_SHARED)
        self._seat = seat
        self._body = body

    def round_trip(self) -> None:
        """Put a request and wait for its reply."""
        seat, link, slot = self._seat, self.link, self._seat.slot
        units = seat.workload.requester_units
        begun = _clock()
        descriptor = seat.descriptor(MQMT_REQUEST)
        link.put(self._request, descriptor, self._body, _put_options(units))
        if units:
            link.commit()
        slot.add(PUTS)
        match, wanted = MQMO_NONE, None
        if seat.workload.correlation:
            match, wanted = MQMO_MATCH_CORREL_ID, MessageDescriptor(correlation_id=descriptor.message_id)
        while link.get(self._reply, _get_options(units), PATIENCE, match, wanted) is None:
            slot.failed(MQRC_NO_MSG_AVAILABLE)
            if seat.board.phase >= ENDING:
                return
        if units:
            link.commit()
        slot.add(GETS)
        slot.timed(_clock() - begun)

    def leave(self) -> None:
        """Close and disconnect."""
        self.link.close(self._request)
        self.link.close(self._reply)
        self.link.disconnect()


def requester(seat: Seat) -> None:
    """Put requests and get their replies, on one connection or on a new one for every few."""
    body = make_body(seat.workload.body, seat.workload.size)
    pace = Pace(seat.workload.rate, seat.number)
    session = seat.workload.session
    requesting = Requesting(seat, body)
    seat.ready()
    done = 0
    while pace.wait(seat.producing):
        if session and done == session:
            requesting.leave()
            requesting = Requesting(seat, body)
            done = 0
        requesting.round_trip()
        done += 1
    requesting.leave()


def crowd(seat: Seat) -> None:
    """Hold many connections that each do a round trip once in a while."""
    body = make_body(seat.workload.body, seat.workload.size)
    members = [Requesting(seat, body) for _ in range(seat.count)]
    seat.ready()
    pace = Pace(seat.workload.rate * seat.count, seat.number)
    at = 0
    while pace.wait(seat.producing):
        members[at].round_trip()
        at = (at + 1) % len(members)
    for member in members:
        member.leave()


def responder(seat: Seat) -> None:
    """Answer requests, each on the queue that it asks for."""
    units = seat.workload.responder_units
    link = seat.connect()
    requests = link.open(seat.input, MQOO_INPUT_SHARED)
    replies: dict[bytes, Any] = {}
    slot = seat.slot
    seat.ready()
    while True:
        got = link.get(requests, _get_options(units), POLL, MQMO_NONE, None)
        if got is None:
            if seat.board.phase >= ENDING:
                break
            continue
        data, request = got
        name = request.reply_to_queue
        if name not in replies:
            replies[name] = link.open(name.decode().rstrip(), MQOO_OUTPUT)
        reply = MessageDescriptor(
            message_type=MQMT_REPLY, persistence=request.persistence, correlation_id=request.message_id
        )
        link.put(replies[name], reply, data, _put_options(units))
        if units:
            link.commit()
        slot.add(GETS)
        slot.add(PUTS)
    link.disconnect()


def put_get(seat: Seat) -> None:
    """Put a message and get one back from the same queue."""
    workload, slot = seat.workload, seat.slot
    body = make_body(workload.body, workload.size)
    units = workload.requester_units
    link = seat.connect()
    queue = link.open(seat.output, MQOO_OUTPUT | MQOO_INPUT_SHARED)
    pace = Pace(workload.rate, seat.number)
    seat.ready()
    while pace.wait(seat.producing):
        begun = _clock()
        descriptor = seat.descriptor()
        link.put(queue, descriptor, body, _put_options(units))
        if units:
            link.commit()
        slot.add(PUTS)
        match, wanted = MQMO_NONE, None
        if workload.correlation:
            match, wanted = MQMO_MATCH_MSG_ID, MessageDescriptor(message_id=descriptor.message_id)
        if link.get(queue, _get_options(units), PATIENCE, match, wanted) is None:
            slot.failed(MQRC_NO_MSG_AVAILABLE)
            continue
        if units:
            link.commit()
        slot.add(GETS)
        slot.timed(_clock() - begun)
    link.disconnect()


def sender(seat: Seat) -> None:
    """Put messages, not too far ahead of who gets them."""
    link = seat.connect()
    _send(seat, link, link.open(seat.output, MQOO_OUTPUT))


def publisher(seat: Seat) -> None:
    """Publish messages on a topic."""
    link = seat.connect()
    _send(seat, link, link.open_topic(seat.output, MQOO_OUTPUT))  # type: ignore[attr-defined]


def _send(seat: Seat, link: Link, queue: Any) -> None:
    workload, slot = seat.workload, seat.slot
    body = make_body(workload.body, workload.size)
    units = workload.requester_units
    pace = Pace(workload.rate, seat.number)
    seat.ready()
    while pace.wait(seat.producing):
        begun = _clock()
        for _ in range(workload.batch):
            link.put(queue, seat.descriptor(), body, _put_options(units))
        if units:
            link.commit()
        taken = _clock() - begun
        for _ in range(workload.batch):
            slot.timed(taken)
        slot.add(PUTS, workload.batch)
        if seat.partner is not None:
            while slot.get(PUTS) - seat.partner.get(GETS) > workload.window and seat.producing():
                time.sleep(0.0005)
    link.disconnect()


def receiver(seat: Seat) -> None:
    """Get messages."""
    link = seat.connect()
    _receive(seat, link, link.open(seat.input, MQOO_INPUT_SHARED), GETS, seat.workload.batch)


def drainer(seat: Seat) -> None:
    """Get copies of messages."""
    link = seat.connect()
    _receive(seat, link, link.open(seat.input, MQOO_INPUT_SHARED), COPIES, seat.workload.drain_batch)


def _receive(seat: Seat, link: Link, queue: Any, counter: int, batch: int) -> None:
    units = seat.workload.requester_units
    slot = seat.slot
    seat.ready()
    pending = 0
    while True:
        got = link.get(queue, _get_options(units), POLL, MQMO_NONE, None)
        if got is not None:
            pending += 1
        if pending and (pending >= batch or got is None):
            if units:
                link.commit()
            slot.add(counter, pending)
            pending = 0
        if got is None and seat.board.phase >= ENDING:
            break
    link.disconnect()


def verbs(seat: Seat) -> None:
    """Time each verb; a message is put, got, backed out, and got again."""
    workload = seat.workload
    body = make_body(workload.body, workload.size)
    connecting, opening, putting, committing, getting, backing, closing, leaving = seat.verbs
    seat.ready()

    def timed(slot: Slot, call: Callable[..., Any], *arguments: Any) -> Any:
        begun = _clock()
        result = call(*arguments)
        slot.timed(_clock() - begun)
        return result

    while seat.producing():
        link = timed(connecting, seat.connect)
        queue = timed(opening, link.open, seat.output, MQOO_OUTPUT | MQOO_INPUT_SHARED)
        copies = link.open(seat.copies, MQOO_INPUT_SHARED) if seat.copies else None
        for _ in range(workload.batch):
            timed(putting, link.put, queue, seat.descriptor(), body, MQPMO_SYNCPOINT)
            timed(committing, link.commit)
            link.get(queue, MQGMO_SYNCPOINT, PATIENCE, MQMO_NONE, None)
            timed(backing, link.back_out)
            timed(getting, link.get, queue, MQGMO_SYNCPOINT, PATIENCE, MQMO_NONE, None)
            if copies is not None:  # else each put would also pay for a queue that grows
                link.get(copies, MQGMO_SYNCPOINT, PATIENCE, MQMO_NONE, None)
                seat.slot.add(COPIES)
            link.commit()
            seat.slot.add(PUTS)
            seat.slot.add(GETS)
        timed(closing, link.close, queue)
        timed(leaving, link.disconnect)


def selecting(seat: Seat) -> None:
    """Get messages of one colour from among others, and put each back."""
    workload, slot = seat.workload, seat.slot
    link = seat.connect()
    body = make_body(workload.body, workload.size)
    queue = link.open(seat.output, MQOO_OUTPUT)
    coloured = [_coloured(colour, body) for colour in COLOURS]
    for number in range(workload.messages):
        link.put(queue, _with_header(seat), coloured[number % len(COLOURS)], MQPMO_NO_SYNCPOINT)
        slot.add(PUTS)
    chosen = link.open(seat.output, MQOO_INPUT_SHARED, workload.selector)
    seat.ready()
    while seat.producing():
        begun = _clock()
        got = link.get(chosen, MQGMO_NO_SYNCPOINT, PATIENCE, MQMO_NONE, None)
        taken = _clock() - begun
        if got is None:
            slot.failed(MQRC_NO_MSG_AVAILABLE)
            continue
        slot.timed(taken)
        slot.add(GETS)
        link.put(queue, _with_header(seat), coloured[1] if workload.selector else got[0], MQPMO_NO_SYNCPOINT)
        slot.add(PUTS)
    link.disconnect()


def _with_header(seat: Seat) -> MessageDescriptor:
    descriptor = seat.descriptor()
    descriptor.format = b"MQHRF2  "
    return descriptor


def _coloured(colour: str, body: bytes) -> bytes:
    header = mqrfh2.RulesHeader(encoding=546, ccsid=1208, format=b"MQSTR   ")
    header.folders.append(f"<usr><colour>{colour}</colour></usr>")
    return mqrfh2.encode(header) + body


ROLES: Final[dict[str, Callable[[Seat], None]]] = {
    role.__name__: role
    for role in (
        requester,
        crowd,
        responder,
        put_get,
        sender,
        publisher,
        receiver,
        drainer,
        verbs,
        selecting,
    )
}


def run_role(role: str, seat: Seat) -> str:
    """Run a role to its end; gives what went wrong, or nothing."""
    try:
        ROLES[role](seat)
    except MQError as problem:
        seat.slot.failed(problem.reason)
        return f"{role} {seat.number}: {problem}"
    except Exception as problem:  # whatever it is, the driver is to hear of it and not to wait
        seat.slot.failed(1)
        return f"{role} {seat.number}: {type(problem).__name__}: {problem}"
    return ""
