"""Triggering: the conditions under which a put makes a trigger event, and the trigger message of the event.

A put on a queue with TRIGGER is a trigger event under MQ's conditions:

  1. the message has at least the priority TRIGMPRI;
  2. FIRST: no other such message was there, or the trigger interval has passed since the last event;
     EVERY: always; DEPTH: with it there are at least TRIGDPTH such messages. Uncommitted puts count, as in CURDEPTH;
  3. FIRST and DEPTH: the queue is not open for input;
  4. gets from the queue are allowed, and its process is defined (a transmission queue needs none);
  5. its initiation queue is a local queue of ordinary use that is open for input, with puts and gets allowed.

FIRST and DEPTH are checked again whenever something other than a put may have made them true: the last program with the
queue open for input closes it, a trigger monitor opens the initiation queue, a definition changes, a unit that had made
an event is backed out.

The trigger message of a put is put in the unit of that put (`mqi/puts/put.py`), so that both are there after a crash or
neither. The trigger message of a later check is put by a thread; after a crash before that, the check at the trigger
monitor's next open finds the event again. DEPTH switches TRIGGER off: in memory with the event, in the definition by
the same thread, so that a crash in between leaves one trigger message too many and never one too few.
"""

import time
from collections import deque
from collections.abc import Callable, Mapping
from typing import Final

from kew.codes.attributes import MQTC_ON, MQTT_DEPTH, MQTT_EVERY, MQTT_FIRST, MQTT_NONE, MQUS_NORMAL, MQUS_TRANSMISSION
from kew.formats.mqtm import TriggerMessage, encode
from kew.objects.catalogue import AttributeValue
from kew.queues.queue import Queue
from kew.storage.unit import BACKED_OUT, COMMITTED, Unit

Values = Mapping[str, AttributeValue]

_CRITERIA: Final = ("TRIGGER", "TRIGTYPE", "TRIGDPTH", "TRIGMPRI", "GET", "PROCESS", "INITQ", "USAGE")


class QueueTrigger:
    """The trigger attributes of a queue, and the state of its trigger. Used under the engine lock."""

    def __init__(self, triggers: "Triggers", queue: Queue, values: Values) -> None:
        self._triggers = triggers
        self.queue = queue
        self.kind = _number(values, "TRIGTYPE")
        self.priority = _number(values, "TRIGMPRI")
        self.depth = _number(values, "TRIGDPTH")
        self.initiation_queue = str(values["INITQ"])
        self.process = str(values["PROCESS"])
        self.transmits = _number(values, "USAGE") == MQUS_TRANSMISSION
        self.criteria = [values[keyword] for keyword in _CRITERIA]
        self.armed = True  # DEPTH: False once it has made its event
        self.last = 0.0  # moment of the last event

    def due(self, priority: int) -> bool:
        """Say whether a message of a priority, if put now, makes a trigger event."""
        if priority < self.priority or not self.armed:
            return False
        if self.kind != MQTT_EVERY:
            if self.queue.input_handles:
                return False
            there = self.there()
            if self.kind == MQTT_DEPTH:
                if there + 1 < self.depth:
                    return False
            elif there and not self._triggers.interval_over(self.last):
                return False
        return self._triggers.can_tell(self)

    def due_again(self) -> bool:
        """Say whether there is a trigger event without a put."""
        if self.kind == MQTT_EVERY or not self.armed or self.queue.input_handles:
            return False
        return self.there() >= (1 if self.kind == MQTT_FIRST else self.depth) and self._triggers.can_tell(self)

    def there(self) -> int:
        """Count the messages of sufficient priority, as CURDEPTH counts.

        A queue with MSGDLVSQ(FIFO) counts all its messages. Messages that uncommitted units have got count as messages
        of sufficient priority, so that there may be one event too many and never one too few.
        """
        queue = self.queue
        if not self.priority or not queue.store.by_priority:
            return queue.depth
        used = queue.store.depth(0, False)
        sufficient = queue.store.depth(self.priority, False)
        return max(0, sufficient - (used - queue.depth))


def no_process(_name: str) -> Values | None:
    """Give None for any name: the stand-in where processes cannot be defined."""
    return None


class Triggers:
    """The triggers of a queue manager. Methods run under the engine lock."""

    def __init__(
        self,
        queues: Mapping[str, Queue],
        process_of: Callable[[str], Values | None] = no_process,
        ring: Callable[[], None] | None = None,
    ) -> None:
        self._queues = queues
        self.process_of = process_of  # the definition of a process
        self.interval = 999999999  # TRIGINT, milliseconds
        self.now: Callable[[], float] = time.monotonic
        self._by_initiation_queue: dict[str, dict[Queue, QueueTrigger]] = {}
        self._fit: set[str] = set()  # initiation queues that take trigger messages now
        self.in_units: dict[int, tuple[Unit, QueueTrigger]] = {}  # events whose message a unit has put, by its item
        self._next = 1
        self.ring = ring  # wakes the thread for what follows
        self.due: deque[Queue] = deque()  # their trigger messages are to be put
        self.spent: deque[Queue] = deque()  # TRIGGER is to be switched off in their definitions

    def set_interval(self, milliseconds: int) -> None:
        """Set TRIGINT, the trigger interval of the queue manager."""
        self.interval = milliseconds

    # -- definitions --------------------------------------------------------------------------------------------------

    def configure(self, queue: Queue, values: Values) -> None:
        """Apply the definition of a queue to its trigger."""
        before = queue.trigger
        wanted = _number(values, "TRIGGER") == MQTC_ON and _number(values, "TRIGTYPE") != MQTT_NONE
        if not wanted or not values["INITQ"]:
            self.forget(queue)
        else:
            trigger = QueueTrigger(self, queue, values)
            changed = not isinstance(before, QueueTrigger) or before.criteria != trigger.criteria or not before.armed
            if isinstance(before, QueueTrigger):
                trigger.last = before.last
                self.forget(queue)
            queue.trigger = trigger
            self._by_initiation_queue.setdefault(trigger.initiation_queue, {})[queue] = trigger
            if changed:
                self.look(queue)
        self.initiation_queue_changed(queue)

    def forget(self, queue: Queue) -> None:
        """Remove the trigger of a queue that no longer has one, or is deleted."""
        trigger = queue.trigger
        if isinstance(trigger, QueueTrigger):
            queue.trigger = None
            self._by_initiation_queue[trigger.initiation_queue].pop(queue, None)

    # -- conditions ---------------------------------------------------------------------------------------------------

    def interval_over(self, last: float) -> bool:
        """Say whether the trigger interval has passed since the last event."""
        return last > 0.0 and (self.now() - last) * 1000 >= self.interval

    def can_tell(self, trigger: QueueTrigger) -> bool:
        """Say whether the process is defined and a trigger monitor has the initiation queue open."""
        queue = trigger.queue
        if queue.deleted or not queue.get_allowed:
            return False
        initiation = self._queues.get(trigger.initiation_queue)
        if initiation is None or not _is_fit(initiation):
            return False
        if not trigger.process:
            return trigger.transmits
        return self.process_of(trigger.process) is not None

    # -- events -------------------------------------------------------------------------------------------------------

    def happened(self, queue: Queue, unit: Unit | None) -> None:
        """Note a trigger event; a backout of its unit undoes the event."""
        trigger = queue.trigger
        if not isinstance(trigger, QueueTrigger):
            return
        trigger.last = self.now()
        if trigger.kind == MQTT_DEPTH:
            trigger.armed = False
        if unit is not None:
            self.in_units[self._next] = (unit, trigger)
            self._next += 1
        elif trigger.kind == MQTT_DEPTH:
            self._switch_off(queue)

    def _switch_off(self, queue: Queue) -> None:
        self.spent.append(queue)
        self._ring()

    def take_spent(self, queue: Queue | None) -> bool:
        """Say whether TRIGGER is to be switched off in a queue's definition; a second call says no."""
        if queue is None or queue not in self.spent:
            return False
        self.spent.remove(queue)
        return True

    def next_spent(self) -> Queue | None:
        """Give a queue whose TRIGGER is to be switched off."""
        return self.spent[0] if self.spent else None

    def _ring(self) -> None:
        if self.ring is not None:
            self.ring()

    def unit_ended(self) -> None:
        """Settle the events of units that have ended: switch DEPTH off, or check again after a backout."""
        for number, (unit, trigger) in list(self.in_units.items()):
            if unit.state not in (COMMITTED, BACKED_OUT):
                continue
            del self.in_units[number]
            if unit.state == COMMITTED and trigger.kind == MQTT_DEPTH:
                self._switch_off(trigger.queue)
            elif unit.state == BACKED_OUT:
                trigger.armed = True
                self.look(trigger.queue)

    def look(self, queue: Queue) -> None:
        """Check for a trigger event without a put; the trigger thread puts its trigger message."""
        trigger = queue.trigger
        if isinstance(trigger, QueueTrigger) and trigger.due_again():
            self.happened(queue, None)
            self.put_later(queue)

    def put_later(self, queue: Queue) -> None:
        """Let the trigger thread put the trigger message of an event."""
        self.due.append(queue)
        self._ring()

    def initiation_queue_changed(self, queue: Queue) -> None:
        """Check the waiting events again, since an initiation queue may take trigger messages now, or no longer."""
        waiting = self._by_initiation_queue.get(queue.name)
        if waiting is None:
            return
        before = queue.name in self._fit
        if not _is_fit(queue):
            self._fit.discard(queue.name)
        elif not before:
            self._fit.add(queue.name)
            for each in list(waiting):
                self.look(each)

    def closed(self, queue: Queue) -> None:
        """Check for a trigger event, since a queue is no longer open for input."""
        if queue.trigger is not None:
            self.look(queue)
        self.initiation_queue_changed(queue)

    # -- the trigger message ------------------------------------------------------------------------------------------

    def initiation_queue(self, queue: Queue) -> Queue | None:
        """Give the initiation queue of a queue."""
        return self._queues.get(str(queue.definition["INITQ"]))

    def message(self, queue: Queue) -> bytes:
        """Make the trigger message of a queue from the current definitions of the queue and its process."""
        values = queue.definition
        process = self.process_of(str(values["PROCESS"])) or {}
        kind = process.get("APPLTYPE", 0)
        return encode(
            TriggerMessage(
                queue.name.encode(),
                str(values["PROCESS"]).encode(),
                str(values["TRIGDATA"]).encode(),
                kind if isinstance(kind, int) else 0,
                str(process.get("APPLICID", "")).encode(),
                str(process.get("ENVRDATA", "")).encode(),
                str(process.get("USERDATA", "")).encode(),
            )
        )


def _is_fit(queue: Queue) -> bool:
    """Say whether an initiation queue takes trigger messages, and a program has it open for input."""
    ordinary = queue.definition["USAGE"] == MQUS_NORMAL
    return queue.input_handles > 0 and queue.get_allowed and queue.put_allowed and ordinary


def _number(values: Values, keyword: str) -> int:
    value = values[keyword]
    assert isinstance(value, int)
    return value
