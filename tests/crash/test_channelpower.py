"""Power loss of either end of a channel on its own; `python -m tests.crash.channelpower` has more of them."""

from pathlib import Path
from random import Random
from threading import Event

import pytest
from tests.crash.channelpower import Outcome, compare, furnish, run, sites
from tests.support.network import eventually
from tests.support.partners import CHANNEL, REMOTE, TARGET
from tests.support.proxy import Proxy

from kew.codes.attributes import MQCHS_RETRYING

LOSSES = 16


@pytest.mark.parametrize("window", [1, 4])
def test_power_loss_of_either_end_of_a_channel(tmp_path: Path, window: int) -> None:
    outcome = run(tmp_path, LOSSES, window, window)
    assert outcome.faults == []
    assert all(count > LOSSES // 4 for count in outcome.losses.values()), str(outcome)


def test_a_record_that_is_not_on_disk_is_not_stated(tmp_path: Path) -> None:
    """The batch is committed at the receiving end, whose log waits for its disk; a new call asks for it."""
    outcome = Outcome()
    with sites(tmp_path) as (one, two):
        two.partner.listen()
        port = two.partner.port
        with Proxy(port) as proxy:
            furnish(one.partner, two.partner, proxy.address)
            one.partner.put(REMOTE, b"0")
            assert eventually(lambda: one.partner.settled() and two.partner.depth(TARGET) == 1)
            gate = Event()
            two.disk.delay = lambda operation, _path, _length: _wait(gate) if operation == "sync" else None
            one.partner.put(REMOTE, b"1")
            assert eventually(lambda: two.partner.depth(TARGET) == 2)
            proxy.cut()
            assert one.partner.reaches(MQCHS_RETRYING)
            proxy.mend()
            one.partner.mqsc(f"START CHANNEL({CHANNEL})")
            assert not eventually(one.partner.settled, 1.0), "a record was stated that a loss of power can take away"
            proxy.cut()
            left = two.disk.crash(Random(1), "none")
            gate.set()
            two.restart(left).listen(port)
            assert one.partner.reaches(MQCHS_RETRYING)
            proxy.mend()
            one.partner.mqsc(f"START CHANNEL({CHANNEL})")
            assert eventually(one.partner.settled, 30), one.state()
            outcome.put = 2
            compare(outcome, two.partner)
    assert outcome.faults == []


def _wait(gate: Event) -> None:
    gate.wait(60)
