"""Browse marks against a model: any order of puts, browses, marks taken away, closes, gets, and time that passes."""

import hypothesis.strategies as st
from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule
from tests.support.engines import open_engine
from tests.support.world import NAME, PLACES, Told, create, small

from kew.codes.errors import MQError, NoMessage
from kew.codes.options import (
    MQGMO_BROWSE_FIRST,
    MQGMO_MARK_BROWSE_CO_OP,
    MQGMO_MARK_BROWSE_HANDLE,
    MQGMO_UNMARK_BROWSE_CO_OP,
    MQGMO_UNMARK_BROWSE_HANDLE,
    MQGMO_UNMARKED_BROWSE_MSG,
    MQMO_MATCH_MSG_TOKEN,
    MQOO_BROWSE,
    MQOO_CO_OP,
    MQOO_INPUT_SHARED,
    MQOO_OUTPUT,
)
from kew.codes.reasons import MQRC_NO_MSG_AVAILABLE
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.connections.handles import Handle
from kew.mqi.engine import Clock

SETTINGS = small(pool=60)
INTERVAL = 1000  # MARKINT, milliseconds
BROWSERS = 3
COOPERATING = 2  # of them
browsers = st.integers(0, BROWSERS - 1)
flags = st.booleans()


class MarkMachine(RuleBasedStateMachine):
    """A queue, two browsers that cooperate and one that does not; the model knows who has marked what, and when."""

    @initialize()
    def make(self) -> None:
        self.milliseconds = 1_800_000_000_000
        self.host = open_engine(create(SETTINGS), NAME, PLACES, SETTINGS, Told(), threads=False)
        self.set_by = 0  # how much the clock was set, of which marks know nothing
        self.host.engine.clock = Clock(
            lambda: (self.milliseconds + self.set_by) / 1000, lambda: self.milliseconds / 1000
        )
        self.host.engine.mark_interval = INTERVAL
        self.host.administration.define("QLOCAL", "Q", {})
        self.program = self.host.connect("program")
        self.queue = self.program.open("Q", MQOO_OUTPUT | MQOO_INPUT_SHARED)
        self.handles: list[Handle] = [self.opened(place) for place in range(BROWSERS)]
        self.number = 0
        self.there: list[int] = []
        self.own: list[set[int]] = [set() for _ in range(BROWSERS)]
        self.shared: dict[int, tuple[int, int]] = {}  # by message: the browser, and when
        self.tokens: dict[int, bytes] = {}
        for _ in range(3):  # without messages there is nothing to mark
            self.put()

    def opened(self, place: int) -> Handle:
        return self.program.open("Q", MQOO_BROWSE | (MQOO_CO_OP if place < COOPERATING else 0))

    def sees(self, place: int, number: int) -> bool:
        if number in self.own[place]:
            return False
        mark = self.shared.get(number)
        return place >= COOPERATING or mark is None or self.milliseconds - mark[1] >= INTERVAL

    @rule()
    def put(self) -> None:
        self.number += 1
        self.program.put(self.queue, MessageDescriptor(), b"%d" % self.number)
        self.there.append(self.number)

    @rule(place=browsers, marks=flags, together=flags)
    def browse(self, place: int, marks: bool, together: bool) -> None:
        together = together and place < COOPERATING
        options = MQGMO_BROWSE_FIRST | MQGMO_UNMARKED_BROWSE_MSG
        if marks:
            options |= MQGMO_MARK_BROWSE_CO_OP if together else MQGMO_MARK_BROWSE_HANDLE
        expected = [number for number in self.there if self.sees(place, number)]
        try:
            got = self.program.get(self.handles[place], options)
        except NoMessage:
            assert not expected
            return
        number = int(got.data)
        assert number == expected[0]
        if marks:
            self.tokens[number] = got.token
            if together:
                self.shared[number] = (place, self.milliseconds)
            else:
                self.own[place].add(number)

    @rule(place=browsers, together=flags, which=st.integers(0, 50))
    def unmark(self, place: int, together: bool, which: int) -> None:
        if not self.tokens:
            return
        together = together and place < COOPERATING
        number = sorted(self.tokens)[which % len(self.tokens)]
        option = MQGMO_UNMARK_BROWSE_CO_OP if together else MQGMO_UNMARK_BROWSE_HANDLE
        try:
            self.program.get(self.handles[place], option, 0, MQMO_MATCH_MSG_TOKEN, token=self.tokens[number])
        except MQError as error:
            assert error.reason == MQRC_NO_MSG_AVAILABLE
            assert number not in self.there
            return
        assert number in self.there
        if together:
            self.shared.pop(number, None)
        else:
            self.own[place].discard(number)

    @rule(milliseconds=st.integers(1, 1500))
    def wait(self, milliseconds: int) -> None:
        self.milliseconds += milliseconds

    @rule(milliseconds=st.integers(-10_000_000, 10_000_000))
    def set_the_clock(self, milliseconds: int) -> None:
        self.set_by += milliseconds

    @rule(place=browsers)
    def close(self, place: int) -> None:
        self.program.close(self.handles[place])
        self.handles[place] = self.opened(place)
        self.own[place].clear()
        self.shared = {number: mark for number, mark in self.shared.items() if mark[0] != place}

    @rule()
    def get(self) -> None:
        """Marks keep nobody from getting a message."""
        if self.there:
            assert int(self.program.get(self.queue).data) == self.there.pop(0)

    def teardown(self) -> None:
        if hasattr(self, "host"):
            self.host.crash()


MarkMachine.TestCase.settings = settings(
    max_examples=100, stateful_step_count=40, deadline=None, database=None, suppress_health_check=list(HealthCheck)
)
TestMarks = MarkMachine.TestCase
