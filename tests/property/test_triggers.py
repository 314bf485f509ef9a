"""A queue with TRIGGER against a model of MQ's conditions: any order of puts, gets, units, getters and monitors."""

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from tests.support.engines import open_engine
from tests.support.world import NAME, PLACES, Told, create, small

from kew.codes.attributes import MQTC_OFF, MQTC_ON, MQTT_DEPTH, MQTT_EVERY, MQTT_FIRST
from kew.codes.errors import NoMessage
from kew.codes.options import (
    MQGMO_SYNCPOINT,
    MQOO_BROWSE,
    MQOO_INPUT_SHARED,
    MQOO_OUTPUT,
    MQPMO_SYNCPOINT,
)
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.connections.handles import Handle
from kew.objects.catalogue import AttributeValue, Record
from kew.objects.schema import object_type

SETTINGS = small(pool=60)
DEPTH = 3
LEAST = 3  # TRIGMPRI
flags = st.booleans()


class TriggerMachine(RuleBasedStateMachine):
    """One queue, a putter with a unit of work, a getter, a monitor; the model counts trigger messages."""

    @initialize(kind=st.sampled_from((MQTT_FIRST, MQTT_EVERY, MQTT_DEPTH)), by_priority=flags)
    def make(self, kind: int, by_priority: bool) -> None:
        self.host = open_engine(create(SETTINGS), NAME, PLACES, SETTINGS, Told(), threads=False)
        administration = self.host.administration
        process = {**object_type("PROCESS").defaults, "APPLICID": "serve"}
        administration.install([], [Record("PROCESS", "PROCESS", "P", 0, process)])
        administration.define("QLOCAL", "INIT", {})
        self.least = LEAST if by_priority else 0
        values: dict[str, AttributeValue] = {
            "TRIGTYPE": kind,
            "INITQ": "INIT",
            "PROCESS": "P",
            "TRIGDPTH": DEPTH,
            "TRIGMPRI": self.least,
        }
        administration.define("QLOCAL", "Q", {**values, "TRIGGER": MQTC_ON})
        self.kind = kind
        self.putter = self.host.connect("putter")
        self.output = self.putter.open("Q", MQOO_OUTPUT)
        self.getter = self.host.connect("getter")
        self.input: Handle | None = None
        self.monitor = self.host.connect("monitor")
        self.watched: Handle | None = None
        self.looker = self.host.connect("looker")
        self.look = self.looker.open("INIT", MQOO_BROWSE)
        # The model.
        self.on = True
        self.there: list[int] = []  # priorities of the messages on the queue, as CURDEPTH counts
        self.unit: list[int] = []  # priorities of those put by the unit
        self.events_of_unit = 0
        self.expected = 0

    def enough(self, extra: int = 0) -> bool:
        sufficient = sum(1 for priority in self.there if priority >= self.least) + extra
        return sufficient >= (1 if self.kind == MQTT_FIRST else DEPTH)

    def look_again(self) -> None:
        if self.kind == MQTT_EVERY or not self.on or self.input is not None or self.watched is None:
            return
        if self.enough():
            self.happen()

    def happen(self) -> None:
        self.expected += 1
        if self.kind == MQTT_DEPTH:
            self.on = False

    @rule(priority=st.integers(0, 9), syncpoint=flags, long=flags)
    def put(self, priority: int, syncpoint: bool, long: bool) -> None:
        data = bytes(5000 if long else 10)
        options = MQPMO_SYNCPOINT if syncpoint else 0
        self.putter.put(self.output, MessageDescriptor(priority=priority), data, options)
        due = self.on and self.watched is not None and priority >= self.least
        if self.kind != MQTT_EVERY and self.input is not None:
            due = False
        if self.kind == MQTT_FIRST and self.enough():
            due = False
        if self.kind == MQTT_DEPTH and not self.enough(1):
            due = False
        self.there.append(priority)
        if syncpoint:
            self.unit.append(priority)
        if due and syncpoint:
            self.events_of_unit += 1
            if self.kind == MQTT_DEPTH:
                self.on = False
        elif due:
            self.happen()

    @precondition(lambda self: self.unit)
    @rule(commit=flags)
    def end_unit(self, commit: bool) -> None:
        events, self.events_of_unit = self.events_of_unit, 0
        if commit:
            self.putter.commit()
            self.expected += events
        else:
            self.putter.backout()
            for priority in self.unit:
                self.there.remove(priority)
            if events and self.kind == MQTT_DEPTH:
                self.on = True
            for _ in range(events):
                self.look_again()
        self.unit.clear()

    @precondition(lambda self: not self.unit)
    @rule(most=st.integers(1, 4))
    def serve(self, most: int) -> None:
        """A server opens the queue, gets some messages and closes it."""
        if self.input is not None:
            return
        self.input = self.getter.open("Q", MQOO_INPUT_SHARED)
        for _ in range(most):
            try:
                got = self.getter.get(self.input)
            except NoMessage:
                break
            self.there.remove(got.descriptor.priority)
        self.getter.close(self.input)
        self.input = None
        self.look_again()

    @rule()
    def open_or_close_input(self) -> None:
        if self.input is None:
            self.input = self.getter.open("Q", MQOO_INPUT_SHARED)
        else:
            self.getter.close(self.input)
            self.input = None
            self.look_again()

    @rule()
    def start_or_stop_monitor(self) -> None:
        if self.watched is None:
            self.watched = self.monitor.open("INIT", MQOO_INPUT_SHARED)
            self.look_again()
        else:
            self.monitor.close(self.watched)
            self.watched = None

    @rule(on=flags)
    def switch(self, on: bool) -> None:
        if self.events_of_unit and self.kind == MQTT_DEPTH:
            return  # the switch belongs to the unit
        self.host.administration.alter("Q", {"TRIGGER": MQTC_ON if on else MQTC_OFF})
        before, self.on = self.on, on
        if on and not before:
            self.look_again()

    @precondition(lambda self: self.watched is not None)
    @rule(syncpoint=flags)
    def take(self, syncpoint: bool) -> None:
        """The monitor gets a trigger message, or gets it and backs out."""
        assert self.watched is not None
        try:
            self.monitor.get(self.watched, MQGMO_SYNCPOINT if syncpoint else 0)
        except NoMessage:
            assert self.expected == 0
            return
        if syncpoint:
            self.monitor.backout()
        else:
            self.expected -= 1

    @invariant()
    def as_many_trigger_messages_as_events(self) -> None:
        if not hasattr(self, "host"):
            return
        self.host.trigger_writer.write_pending()
        assert self.host.queues.by_name["INIT"].available() == self.expected
        assert self.host.queues.by_name["Q"].depth == len(self.there)

    def teardown(self) -> None:
        if hasattr(self, "host"):
            self.host.stop()


TriggerMachine.TestCase.settings = settings(
    max_examples=80,
    stateful_step_count=40,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
TestTriggerMachine = TriggerMachine.TestCase


@pytest.mark.parametrize("kind", [MQTT_FIRST, MQTT_DEPTH])
def test_a_got_message_of_a_unit_does_not_hide_the_next(kind: int) -> None:
    machine = TriggerMachine()
    machine.make(kind, True)
    machine.start_or_stop_monitor()
    for _ in range(DEPTH):
        machine.put(9, False, False)
    machine.open_or_close_input()
    assert machine.input is not None
    for _ in range(DEPTH):
        machine.getter.get(machine.input, MQGMO_SYNCPOINT)
    machine.there.clear()
    machine.switch(True)
    machine.open_or_close_input()
    for _ in range(DEPTH):
        machine.put(9, False, False)
    machine.as_many_trigger_messages_as_events()
    assert machine.expected == 2
    machine.getter.commit()
    machine.as_many_trigger_messages_as_events()
    machine.teardown()
