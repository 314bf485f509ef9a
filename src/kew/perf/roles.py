"""The roles of worker threads; each runs until the driver ends it.

Every role has the same shape: connect, open, say that it is ready, then do one unit of work after the other and count.
Producers end in the phase EMPTYING; consumers continue until no more messages come, so that at the end each message put
was got, or is on a queue and is counted there.
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
REPLY_MILLISECONDS: Final = 2000  # milliseconds that a requester waits before it counts a failure and waits on
COLOURS: Final = ("red", "green", "blue")
_clock = time.perf_counter_ns


@dataclass
class Assignment:
    """The work of a thread: workload, connection, queues, counters."""

    workload: Workload
    board: Board
    slot: Slot
    connect: Callable[[], Link]
    output: str = ""
    input: str = ""
    number: int = 0
    count: int = 1  # connections, of a crowd
    partner: Slot | None = None  # the consumer of this thread's messages
    verbs: tuple[Slot, ...] = ()
    copies: str = ""  # the queue of copies, for a thread that gets them too

    def ready(self) -> None:
        """Report readiness, and wait until all other threads are ready."""
        self.slot.add(READY)
        while self.board.phase == STARTING:
            time.sleep(0.002)

    def producing(self) -> bool:
        """Say whether to begin another unit of work."""
        return self.board.phase < EMPTYING

    def descriptor(self, kind: int = 0) -> MessageDescriptor:
        """Make the descriptor of a new message."""
        made = MessageDescriptor(
            persistence=MQPER_PERSISTENT if self.workload.persistent else MQPER_NOT_PERSISTENT,
            reply_to_queue=self.input.encode().ljust(48),
        )
        if kind:
            made.message_type = kind
        return made


class Pace:
    """Keeps a rate: a late unit is done at once, and missed ones are caught up."""

    def __init__(self, rate: float, phase: int = 0) -> None:
        self._step = 1 / rate if rate else 0.0
        self._next = time.monotonic() + self._step * (phase % 97) / 97

    def wait(self, wanted: Callable[[], bool]) -> bool:
        """Wait until the next unit is due; False if no further unit is wanted."""
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

    def __init__(self, assignment: Assignment, body: bytes) -> None:
        self.link = assignment.connect()
        self._request = self.link.open(assignment.output, MQOO_OUTPUT)
        self._reply = self.link.open(assignment.input, MQOO_INPUT_SHARED)
        self._assignment = assignment
        self._body = body

    def round_trip(self) -> None:
        """Put a request and wait for its reply."""
        assignment, link, slot = self._assignment, self.link, self._assignment.slot
        units = assignment.workload.requester_units
        begun = _clock()
        descriptor = assignment.descriptor(MQMT_REQUEST)
        link.put(self._request, descriptor, self._body, _put_options(units))
        if units:
            link.commit()
        slot.add(PUTS)
        match, wanted = MQMO_NONE, None
        if assignment.workload.correlation:
            match, wanted = MQMO_MATCH_CORREL_ID, MessageDescriptor(correlation_id=descriptor.message_id)
        while link.get(self._reply, _get_options(units), REPLY_MILLISECONDS, match, wanted) is None:
            slot.failed(MQRC_NO_MSG_AVAILABLE)
            if assignment.board.phase >= ENDING:
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


def requester(assignment: Assignment) -> None:
    """Put requests and get their replies, on one connection or on a new one for every few requests."""
    body = make_body(assignment.workload.body, assignment.workload.size)
    pace = Pace(assignment.workload.rate, assignment.number)
    session = assignment.workload.session
    requesting = Requesting(assignment, body)
    assignment.ready()
    done = 0
    while pace.wait(assignment.producing):
        if session and done == session:
            requesting.leave()
            requesting = Requesting(assignment, body)
            done = 0
        requesting.round_trip()
        done += 1
    requesting.leave()


def crowd(assignment: Assignment) -> None:
    """Hold many connections that each do a round trip once in a while."""
    body = make_body(assignment.workload.body, assignment.workload.size)
    members = [Requesting(assignment, body) for _ in range(assignment.count)]
    assignment.ready()
    pace = Pace(assignment.workload.rate * assignment.count, assignment.number)
    at = 0
    while pace.wait(assignment.producing):
        members[at].round_trip()
        at = (at + 1) % len(members)
    for member in members:
        member.leave()


def responder(assignment: Assignment) -> None:
    """Answer requests, each on its reply-to queue."""
    units = assignment.workload.responder_units
    link = assignment.connect()
    requests = link.open(assignment.input, MQOO_INPUT_SHARED)
    replies: dict[bytes, Any] = {}
    slot = assignment.slot
    assignment.ready()
    while True:
        got = link.get(requests, _get_options(units), POLL, MQMO_NONE, None)
        if got is None:
            if assignment.board.phase >= ENDING:
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


def put_get(assignment: Assignment) -> None:
    """Put a message and get one back from the same queue."""
    workload, slot = assignment.workload, assignment.slot
    body = make_body(workload.body, workload.size)
    units = workload.requester_units
    link = assignment.connect()
    queue = link.open(assignment.output, MQOO_OUTPUT | MQOO_INPUT_SHARED)
    pace = Pace(workload.rate, assignment.number)
    assignment.ready()
    while pace.wait(assignment.producing):
        begun = _clock()
        descriptor = assignment.descriptor()
        link.put(queue, descriptor, body, _put_options(units))
        if units:
            link.commit()
        slot.add(PUTS)
        match, wanted = MQMO_NONE, None
        if workload.correlation:
            match, wanted = MQMO_MATCH_MSG_ID, MessageDescriptor(message_id=descriptor.message_id)
        if link.get(queue, _get_options(units), REPLY_MILLISECONDS, match, wanted) is None:
            slot.failed(MQRC_NO_MSG_AVAILABLE)
            continue
        if units:
            link.commit()
        slot.add(GETS)
        slot.timed(_clock() - begun)
    link.disconnect()


def sender(assignment: Assignment) -> None:
    """Put messages, not too far ahead of the consumers."""
    link = assignment.connect()
    _send(assignment, link, link.open(assignment.output, MQOO_OUTPUT))


def publisher(assignment: Assignment) -> None:
    """Publish messages on a topic."""
    link = assignment.connect()
    _send(assignment, link, link.open_topic(assignment.output, MQOO_OUTPUT))  # type: ignore[attr-defined]


def _send(assignment: Assignment, link: Link, queue: Any) -> None:
    workload, slot = assignment.workload, assignment.slot
    body = make_body(workload.body, workload.size)
    units = workload.requester_units
    pace = Pace(workload.rate, assignment.number)
    assignment.ready()
    while pace.wait(assignment.producing):
        begun = _clock()
        for _ in range(workload.batch):
            link.put(queue, assignment.descriptor(), body, _put_options(units))
        if units:
            link.commit()
        taken = _clock() - begun
        for _ in range(workload.batch):
            slot.timed(taken)
        slot.add(PUTS, workload.batch)
        if assignment.partner is not None:
            while slot.get(PUTS) - assignment.partner.get(GETS) > workload.window and assignment.producing():
                time.sleep(0.0005)
    link.disconnect()


def receiver(assignment: Assignment) -> None:
    """Get messages."""
    link = assignment.connect()
    _receive(assignment, link, link.open(assignment.input, MQOO_INPUT_SHARED), GETS, assignment.workload.batch)


def drainer(assignment: Assignment) -> None:
    """Get copies of messages."""
    link = assignment.connect()
    _receive(assignment, link, link.open(assignment.input, MQOO_INPUT_SHARED), COPIES, assignment.workload.drain_batch)


def _receive(assignment: Assignment, link: Link, queue: Any, counter: int, batch: int) -> None:
    units = assignment.workload.requester_units
    slot = assignment.slot
    assignment.ready()
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
        if got is None and assignment.board.phase >= ENDING:
            break
    link.disconnect()


def verbs(assignment: Assignment) -> None:
    """Time each verb; a message is put, got, backed out, and got again."""
    workload = assignment.workload
    body = make_body(workload.body, workload.size)
    connecting, opening, putting, committing, getting, backing, closing, leaving = assignment.verbs
    assignment.ready()

    def timed(slot: Slot, call: Callable[..., Any], *arguments: Any) -> Any:
        begun = _clock()
        result = call(*arguments)
        slot.timed(_clock() - begun)
        return result

    while assignment.producing():
        link = timed(connecting, assignment.connect)
        queue = timed(opening, link.open, assignment.output, MQOO_OUTPUT | MQOO_INPUT_SHARED)
        copies = link.open(assignment.copies, MQOO_INPUT_SHARED) if assignment.copies else None
        for _ in range(workload.batch):
            timed(putting, link.put, queue, assignment.descriptor(), body, MQPMO_SYNCPOINT)
            timed(committing, link.commit)
            link.get(queue, MQGMO_SYNCPOINT, REPLY_MILLISECONDS, MQMO_NONE, None)
            timed(backing, link.back_out)
            timed(getting, link.get, queue, MQGMO_SYNCPOINT, REPLY_MILLISECONDS, MQMO_NONE, None)
            if copies is not None:  # else each put would also pay for a queue that grows
                link.get(copies, MQGMO_SYNCPOINT, REPLY_MILLISECONDS, MQMO_NONE, None)
                assignment.slot.add(COPIES)
            link.commit()
            assignment.slot.add(PUTS)
            assignment.slot.add(GETS)
        timed(closing, link.close, queue)
        timed(leaving, link.disconnect)


def selecting(assignment: Assignment) -> None:
    """Get messages of one colour from among others, and put each back."""
    workload, slot = assignment.workload, assignment.slot
    link = assignment.connect()
    body = make_body(workload.body, workload.size)
    queue = link.open(assignment.output, MQOO_OUTPUT)
    coloured = [_coloured(colour, body) for colour in COLOURS]
    for number in range(workload.messages):
        link.put(queue, _with_header(assignment), coloured[number % len(COLOURS)], MQPMO_NO_SYNCPOINT)
        slot.add(PUTS)
    chosen = link.open(assignment.output, MQOO_INPUT_SHARED, workload.selector)
    assignment.ready()
    while assignment.producing():
        begun = _clock()
        got = link.get(chosen, MQGMO_NO_SYNCPOINT, REPLY_MILLISECONDS, MQMO_NONE, None)
        taken = _clock() - begun
        if got is None:
            slot.failed(MQRC_NO_MSG_AVAILABLE)
            continue
        slot.timed(taken)
        slot.add(GETS)
        link.put(queue, _with_header(assignment), coloured[1] if workload.selector else got[0], MQPMO_NO_SYNCPOINT)
        slot.add(PUTS)
    link.disconnect()


def _with_header(assignment: Assignment) -> MessageDescriptor:
    descriptor = assignment.descriptor()
    descriptor.format = b"MQHRF2  "
    return descriptor


def _coloured(colour: str, body: bytes) -> bytes:
    header = mqrfh2.RulesHeader(encoding=546, ccsid=1208, format=b"MQSTR   ")
    header.folders.append(f"<usr><colour>{colour}</colour></usr>")
    return mqrfh2.encode(header) + body


ROLES: Final[dict[str, Callable[[Assignment], None]]] = {
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


def run_role(role: str, assignment: Assignment) -> str:
    """Run a role to its end; gives the failure, empty for none."""
    try:
        ROLES[role](assignment)
    except MQError as problem:
        assignment.slot.failed(problem.reason)
        return f"{role} {assignment.number}: {problem}"
    except Exception as problem:  # whatever it is, the driver is to hear of it and not to wait
        assignment.slot.failed(1)
        return f"{role} {assignment.number}: {type(problem).__name__}: {problem}"
    return ""
