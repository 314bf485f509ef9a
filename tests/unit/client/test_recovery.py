"""Reconnection: when it is tried again, what is given up, what the program is told."""

from collections.abc import Callable
from functools import partial
from itertools import islice
from typing import Any

import pytest

from kew.client.effects import Effect, Established, Look, Pause, Run, Script
from kew.client.link import Operation, Step
from kew.client.recovery import DELAYS, Call, Recovery, delays, restoring
from kew.client.verbs import Verbs
from kew.codes.errors import MQError
from kew.codes.options import MQCNO_RECONNECT, MQCNO_RECONNECT_Q_MGR
from kew.codes.reasons import (
    MQRC_BACKED_OUT,
    MQRC_CALL_INTERRUPTED,
    MQRC_CONNECTION_BROKEN,
    MQRC_HOST_NOT_AVAILABLE,
    MQRC_NOT_AUTHORIZED,
    MQRC_OBJECT_IN_USE,
    MQRC_RECONNECT_FAILED,
    MQRC_RECONNECT_QMID_MISMATCH,
    MQRC_RECONNECT_TIMED_OUT,
    MQRC_UNKNOWN_CHANNEL_NAME,
    MQRC_UNKNOWN_OBJECT_NAME,
)


def test_attempts_follow_a_schedule() -> None:
    given = list(islice(delays(schedule=((0.5, 0.25), (2.0, 0.0))), 4))
    assert 0.5 <= given[0] <= 0.75
    assert given[1:] == [2.0, 2.0, 2.0]


def test_by_themselves_they_become_rarer() -> None:
    for delay, least in zip(islice(delays(), len(DELAYS) + 1), (*DELAYS, DELAYS[-1]), strict=True):
        assert least <= delay <= least * 1.25


class Site:
    """Carries out the effects of a reconnection: connections are numbers, failures are prepared."""

    def __init__(self) -> None:
        self.failures: list[int] = []  # of the attempts to connect
        self.missing: list[int] = []  # of the attempts to open everything again
        self.done: list[object] = []
        self.delays: list[float] = []
        self.ended = False

    def make(self) -> Script[Established[Any]]:
        yield Look(lambda: None)
        if self.failures:
            raise MQError(self.failures.pop(0))
        return Established(f"connection {len(self.done)}", Leaving())  # type: ignore[arg-type]

    def reopening(self, _verbs: Verbs) -> Operation[None]:
        yield Step(b"", False)
        if self.missing:
            raise MQError(self.missing.pop(0))

    def restore(self, recovery: Recovery, interrupted_at: type[Effect] | None = None) -> Any:
        """Carry a reconnection out; the new connection."""
        script = restoring("lost", self.make, recovery, self.reopening)
        try:
            effect = next(script)
            while True:
                self.done.append(type(effect).__name__)
                try:
                    if type(effect) is interrupted_at:
                        raise KeyboardInterrupt
                    answer = self._carry_out(effect)
                except (MQError, KeyboardInterrupt) as problem:
                    effect = script.throw(problem)
                else:
                    effect = script.send(answer)
        except StopIteration as done:
            return done.value.driver

    def _carry_out(self, effect: Effect) -> object:
        if isinstance(effect, Pause):
            self.delays.append(effect.seconds)
            return self.ended
        if isinstance(effect, Run):
            list(effect.operation)
        return None


class Leaving:
    """The verbs of a connection on which not everything could be opened."""

    def disconnect(self) -> Operation[None]:
        yield Step(b"", False)


def reason_of(call: Callable[[], object]) -> int:
    with pytest.raises(MQError) as failure:
        call()
    return failure.value.reason


def test_how_long_it_is_tried() -> None:
    site = Site()
    site.failures = [MQRC_HOST_NOT_AVAILABLE] * 8
    site.restore(Recovery(MQCNO_RECONNECT))
    assert len(site.delays) == 9
    for delay, least in zip(site.delays, [*DELAYS, 25.0, 25.0], strict=True):
        assert least <= delay <= least * 1.25


def test_when_it_is_given_up() -> None:
    site = Site()
    site.failures = [MQRC_HOST_NOT_AVAILABLE] * 3
    assert reason_of(lambda: site.restore(Recovery(MQCNO_RECONNECT, 0.0))) == MQRC_RECONNECT_TIMED_OUT
    for reason in (MQRC_NOT_AUTHORIZED, MQRC_UNKNOWN_CHANNEL_NAME):
        site.failures = [reason]
        assert reason_of(lambda: site.restore(Recovery(MQCNO_RECONNECT))) == MQRC_RECONNECT_FAILED
    assert site.restore(Recovery(MQCNO_RECONNECT))


def test_a_connection_on_which_not_everything_can_be_opened_is_left() -> None:
    site = Site()
    site.missing = [MQRC_OBJECT_IN_USE]  # by the connection that broke, for a while
    site.restore(Recovery(MQCNO_RECONNECT))
    assert site.done == ["Close", "Pause", "Look", "Run", "Run", "Close", "Pause", "Look", "Run"]
    site.missing, site.done = [MQRC_UNKNOWN_OBJECT_NAME], []
    assert reason_of(lambda: site.restore(Recovery(MQCNO_RECONNECT))) == MQRC_RECONNECT_FAILED
    assert site.done == ["Close", "Pause", "Look", "Run", "Run", "Close"]


def test_a_connection_that_was_just_made_is_closed_when_the_program_breaks_off() -> None:
    site = Site()
    with pytest.raises(KeyboardInterrupt):
        site.restore(Recovery(MQCNO_RECONNECT), Run)
    assert site.done == ["Close", "Pause", "Look", "Run", "Close"]


def test_a_program_that_has_disconnected_is_not_connected_again() -> None:
    site = Site()
    site.ended = True
    assert reason_of(lambda: site.restore(Recovery(MQCNO_RECONNECT))) == MQRC_CONNECTION_BROKEN
    assert site.done == ["Close", "Pause"]


def test_another_queue_manager() -> None:
    recovery = Recovery(MQCNO_RECONNECT_Q_MGR)
    recovery.recognise("QM1_1")
    recovery.recognise("QM1_1")
    assert reason_of(lambda: recovery.recognise("QM1_2")) == MQRC_RECONNECT_QMID_MISMATCH
    site = Site()
    site.missing = [MQRC_RECONNECT_QMID_MISMATCH]
    assert reason_of(lambda: site.restore(recovery)) == MQRC_RECONNECT_QMID_MISMATCH


def nothing(_verbs: Verbs) -> Operation[None]:
    yield Step(b"", False)


def test_what_becomes_of_the_verb() -> None:
    recovery = Recovery(MQCNO_RECONNECT)
    put, commit = Call(nothing, doubtful=True), Call(nothing, doubtful=True, ends=True)
    recovery.come_back(put, sent=False)  # it is done again: the break was known before anything was sent
    assert reason_of(lambda: recovery.come_back(put, sent=True)) == MQRC_CALL_INTERRUPTED
    for call in (put, commit):
        recovery.unit = True
        assert not recovery.begin(call, standing=False)
        assert reason_of(partial(recovery.come_back, call, sent=False)) == MQRC_BACKED_OUT
    recovery.unit = True
    assert recovery.begin(commit, standing=True)
    assert reason_of(lambda: recovery.come_back(commit, sent=True)) == MQRC_CALL_INTERRUPTED
    recovery.come_back(Call(nothing), sent=True)
