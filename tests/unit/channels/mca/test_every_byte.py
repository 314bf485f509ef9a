"""The connection of a channel is cut after every byte of both directions, or either end dies there."""

from collections.abc import Callable
from typing import NamedTuple

import pytest
from tests.support.mca import NOW, MemoryInbox, MemoryOutbox, message, offer, terms

from kew.channels.mca.receiver import ReceivingEnd
from kew.channels.mca.sender import OVER, Limits, SendingEnd
from kew.channels.protocol.batch import Transfer
from kew.channels.protocol.lifecycle import ChannelRequested
from kew.channels.protocol.negotiate import CONFIRMS_FAST, LARGE_SEGMENTS
from kew.channels.protocol.receiving import ReceiverChannel
from kew.channels.protocol.sending import SenderChannel

NEVER = 1 << 60
LEAST_SEGMENT = 32748


class Scenario(NamedTuple):
    """What is moved, and how."""

    persistent: bool = True
    fast: bool = False  # NPMSPEED(FAST)
    sizes: tuple[int, ...] = (0, 0, 0)
    window: int = 1
    batch_size: int = 2
    slow_sender: bool = False  # the log is written only when nothing else can go on
    slow_receiver: bool = False
    step: int = 1  # bytes between two cuts; the places around each segment's ends are always taken


class Line:
    """A connection between both ends that carries so many bytes, in the order in which they are said."""

    def __init__(self, scenario: Scenario, outbox: MemoryOutbox, inbox: MemoryInbox, left: int = NEVER) -> None:
        self.scenario = scenario
        self.outbox = outbox
        self.inbox = inbox
        self.left = left
        self.carried = 0
        self.edges: list[int] = []  # counts of bytes at which a segment ends
        size = scenario.batch_size
        session = SenderChannel(offer(scenario.window, size, scenario.fast), outbox.record.kept(outbox.doubtful))
        self.sender = SendingEnd(session, outbox, outbox.record, NOW, Limits())
        self.receiver = ReceivingEnd(ReceiverChannel(), inbox, inbox.record)

    def run(self) -> bool:
        """Carry bytes until nothing is said any more, or the line is cut; whether it is whole."""
        sender, receiver = self.sender, self.receiver
        if not self._to_receiver(sender.session.start()):
            return False
        while True:
            sender.run(NOW)
            receiver.run()
            said, answered = sender.session.take_output(), receiver.session.take_output()
            if not self._to_receiver(said) or not self._to_sender(answered):
                return False
            if sender.state == OVER:
                raise AssertionError(f"the channel ended: {sender.ended}, {sender.verdict and sender.verdict.cause}")
            if not said and not answered and not self._force():
                return True
            self._force_fast_logs()

    def _force_fast_logs(self) -> None:
        if not self.scenario.slow_sender:
            self.outbox.journal.force()
        if not self.scenario.slow_receiver:
            self.inbox.journal.force()

    def _force(self) -> bool:
        journals = (self.outbox.journal, self.inbox.journal)
        waiting = [each for each in journals if each.durable < len(each.entries)]
        for each in waiting:
            each.force()
        return bool(waiting)

    def _carried(self, data: bytes) -> bytes:
        at = 0
        while at < len(data):
            at += int.from_bytes(data[at + 4 : at + 8], "big")
            self.edges.append(self.carried + at)
        taken = data[: self.left]
        self.carried += len(taken)
        self.left -= len(taken)
        return taken

    def _to_receiver(self, data: bytes) -> bool:
        taken = self._carried(data)
        session = self.receiver.session
        events = session.receive(taken) if taken else []
        for event in list(events):
            if isinstance(event, ChannelRequested):
                self.inbox.journal.force()
                events += session.keep(self.inbox.record.kept())
                answer, more = session.accept(
                    terms(self.scenario.window, self.scenario.batch_size, word=CONFIRMS_FAST | LARGE_SEGMENTS)
                )
                events += more
                self.receiver.received(events)
                return len(taken) == len(data) and self._to_sender(answer)
        self.receiver.received(events)
        return len(taken) == len(data)

    def _to_sender(self, data: bytes) -> bool:
        taken = self._carried(data)
        if taken:
            self.sender.received(self.sender.session.receive(taken))
        return len(taken) == len(data)


def cut(line: Line) -> int:
    line.sender.run(NOW)
    line.receiver.run()
    lost = line.sender.fast_unconfirmed
    line.sender.lost()
    line.receiver.lost()
    return lost


def sender_dies(line: Line) -> int:
    line.receiver.run()
    line.receiver.lost()
    line.outbox = line.outbox.crash(False)
    return 0


def receiver_dies(line: Line) -> int:
    line.sender.run(NOW)
    line.sender.lost()
    line.inbox = line.inbox.crash(False)
    return 0


def both_die(line: Line) -> int:
    line.outbox, line.inbox = line.outbox.crash(True), line.inbox.crash(False)
    return 0


def half_open(line: Line) -> int:
    """The sending end notices, and calls again before the receiving end has; that one's unit is then backed out."""
    lost = line.sender.fast_unconfirmed
    line.sender.lost()
    line.receiver.run()
    line.receiver.lost()
    return lost


def begin(scenario: Scenario, left: int) -> Line:
    messages = [message(b"%d" % number, scenario.persistent, size) for number, size in enumerate(scenario.sizes)]
    outbox = MemoryOutbox(messages)
    outbox.fast = scenario.fast
    return Line(scenario, outbox, MemoryInbox(), left)


def places(scenario: Scenario) -> list[int]:
    """The counts of bytes after which the connection is cut."""
    line = begin(scenario, NEVER)
    assert line.run()
    assert line.inbox.queue == line.outbox.all
    near = {edge + more for edge in (0, *line.edges) for more in range(-2, 3)}
    return sorted({*range(0, line.carried, scenario.step), *[each for each in near if 0 <= each < line.carried]})


SCENARIOS = {
    "one by one": Scenario(batch_size=1),
    "batch": Scenario(batch_size=50),
    "overlapping": Scenario(window=2, batch_size=1),
    "far ahead": Scenario(window=8, batch_size=1, slow_receiver=True),
    "slow log of the sending end": Scenario(slow_sender=True),
    "slow log of the receiving end": Scenario(window=2, slow_receiver=True),
    "both logs slow": Scenario(window=2, batch_size=1, slow_sender=True, slow_receiver=True),
    "segments": Scenario(sizes=(0, 3 << 20, 0), step=1 << 16),
}


@pytest.mark.parametrize(
    "accident", [cut, sender_dies, receiver_dies, both_die, half_open], ids=lambda each: each.__name__
)
@pytest.mark.parametrize("name", SCENARIOS)
def test_persistent_messages_arrive_once_wherever_the_line_breaks(name: str, accident: Callable[[Line], int]) -> None:
    scenario = SCENARIOS[name]
    if accident is not cut:
        scenario = scenario._replace(step=max(scenario.step, 7))
    for place in places(scenario):
        line = begin(scenario, place)
        assert not line.run()
        accident(line)
        again = Line(scenario, line.outbox, line.inbox)
        assert again.run()
        assert again.inbox.queue == again.outbox.all, f"cut after {place} bytes"
        assert not again.outbox.prepared
        ours, theirs = again.outbox.record.last, again.inbox.record.last
        assert (ours.number, ours.luwid) == (theirs.number, theirs.luwid)


@pytest.mark.parametrize("accident", [cut, half_open], ids=lambda each: each.__name__)
def test_other_messages_on_a_normal_channel_arrive_once_too(accident: Callable[[Line], int]) -> None:
    scenario = Scenario(persistent=False, batch_size=2)
    for place in places(scenario):
        line = begin(scenario, place)
        assert not line.run()
        accident(line)
        again = Line(scenario, line.outbox, line.inbox)
        assert again.run()
        assert again.inbox.queue == again.outbox.all, f"cut after {place} bytes"


@pytest.mark.parametrize("accident", [cut, half_open], ids=lambda each: each.__name__)
@pytest.mark.parametrize("batch_size", [1, 2, 50])
def test_fast_messages_are_never_doubled_and_those_lost_are_counted(
    batch_size: int, accident: Callable[[Line], int]
) -> None:
    scenario = Scenario(persistent=False, fast=True, sizes=(0, 0, 0, 0, 0), batch_size=batch_size)
    losses = 0
    for place in places(scenario):
        line = begin(scenario, place)
        assert not line.run()
        counted = accident(line)
        again = Line(scenario, line.outbox, line.inbox)
        assert again.run()
        found = again.inbox.queue
        assert len(found) == len(set(found)), f"doubled, cut after {place} bytes"
        assert [each for each in again.outbox.all if each in found] == found, "out of order"
        lost = len(scenario.sizes) - len(found)
        assert lost <= counted <= len(scenario.sizes), f"{lost} lost and {counted} counted, cut after {place} bytes"
        losses += lost
    assert losses, "no cut lost anything: fast messages were not fast"


class Forgetful(MemoryInbox):
    """A receiving end that confirms what its journal may lose."""

    def on_disk(self, address: object) -> bool:
        return True


class Transferring(MemoryInbox):
    """A receiving end that puts persistent messages outside its unit."""

    def put(self, event: Transfer) -> bool:
        self.queue.append(event.payload)
        return False


@pytest.mark.parametrize(("wrong", "accident"), [(Forgetful, receiver_dies), (Transferring, cut)])
def test_a_wrong_end_is_noticed(wrong: type[MemoryInbox], accident: Callable[[Line], int]) -> None:
    scenario = Scenario(slow_receiver=True)
    differs = 0
    for place in places(scenario):
        line = begin(scenario, place)
        line.inbox.__class__ = wrong
        line.run()
        accident(line)
        again = Line(scenario, line.outbox, line.inbox)
        try:
            again.run()
        except AssertionError:
            differs += 1
            continue
        differs += again.inbox.queue != again.outbox.all
    assert differs


def test_a_partner_that_agrees_and_breaks_the_protocol_at_once_is_left() -> None:
    """What closes the session comes in the same read as the agreement: the end says nothing more, and is over."""
    line = begin(Scenario(), NEVER)
    sender, receiver = line.sender, line.receiver
    receiver.session.receive(sender.session.start())
    receiver.session.keep(line.inbox.record.kept())
    answer, _ = receiver.session.accept(terms(1, 2, word=CONFIRMS_FAST | LARGE_SEGMENTS))
    sender.received(sender.session.receive(answer + b"no segment".ljust(40)))
    sender.run(NOW)
    assert sender.state == OVER
    assert sender.ended is not None
