"""A channel in every state that crashes, cuts and forces can bring it to: each message arrives once, and in order."""

from collections.abc import Callable

import pytest
from tests.support.explore import Broken, explore
from tests.support.mca import MemoryInbox, MemoryOutbox, World

from kew.channels.mca.receiver import ReceivingEnd
from kew.channels.protocol.resync import Verdict
from kew.storage.log import LogAddress


@pytest.mark.parametrize(
    ("count", "window", "batch_size", "faults"),
    [(3, 1, 2, 1), (2, 1, 1, 2), (4, 2, 1, 1), (3, 2, 2, 1), (3, 8, 1, 1)],
)
def test_every_crash_and_every_cut(count: int, window: int, batch_size: int, faults: int) -> None:
    assert explore(lambda: World(count, window, batch_size, faults)) > 50


class NoForceBeforeRequest(MemoryOutbox):
    def on_disk(self, address: LogAddress) -> bool:
        return True


class NoForceBeforeConfirmation(MemoryInbox):
    def on_disk(self, address: LogAddress) -> bool:
        return True


class RecordNotForced(World):
    def force_record(self) -> None:
        pass


class UnitSurvivesItsConnection(World):
    def back_out_receiver(self, receiver: ReceivingEnd) -> None:
        pass


class EagerSender(World):
    def __init__(self) -> None:
        super().__init__(2, 1, 1, 2)

    def connect(self) -> None:
        self.outbox.__class__ = NoForceBeforeRequest
        super().connect()


class EagerReceiver(World):
    def __init__(self) -> None:
        super().__init__(2, 1, 1, 2)

    def connect(self) -> None:
        self.inbox.__class__ = NoForceBeforeConfirmation
        super().connect()


@pytest.mark.parametrize(
    "make",
    [
        EagerSender,
        EagerReceiver,
        lambda: RecordNotForced(2, 1, 1, 2),
        lambda: UnitSurvivesItsConnection(3, 1, 2, 1),
    ],
    ids=["no force before the request", "no force before the confirmation", "record not forced", "unit survives"],
)
def test_a_broken_rule_is_noticed(make: Callable[[], World]) -> None:
    with pytest.raises(Broken):
        explore(make)


class SendsAlwaysAgain(World):
    def judge(self, verdict: Verdict) -> None:
        verdict.arrived = 0


class ForgetsAlways(World):
    def judge(self, verdict: Verdict) -> None:
        verdict.arrived = len(self.outbox.prepared)


@pytest.mark.parametrize("world", [SendsAlwaysAgain, ForgetsAlways])
def test_a_wrong_decision_is_noticed(world: type[World]) -> None:
    with pytest.raises(Broken):
        explore(lambda: world(2, 1, 1, 2))


class LosesItsRecord(World):
    """The receiving end's record is lost with a crash, or comes back from an old backup, and its messages stay."""

    def connect(self) -> None:
        if self.faults == 0 and not self.inbox.record.serial > 1000:
            fresh = MemoryInbox(b"R-again.")
            fresh.queue = self.inbox.queue
            fresh.journal = self.inbox.journal
            fresh.record = type(self.inbox.record)(2, 1001, b"R-again.")
            self.inbox = fresh
        super().connect()

    def check(self, final: bool) -> None:
        queue = self.inbox.queue
        assert len(queue) == len(set(queue)), "doubled"
        if final and self.told:
            settled = len(queue) + len(self.outbox.waiting) + sum(len(each[2]) for each in self.outbox.prepared)
            assert settled >= len(self.messages), "lost"


def test_a_lost_record_stops_the_channel_and_doubles_nothing() -> None:
    assert explore(lambda: LosesItsRecord(3, 1, 1, 1)) > 50
