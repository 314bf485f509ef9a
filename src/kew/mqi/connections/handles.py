"""Object handles: the queues, topics, lists and other objects that a connection has open."""

from collections import deque

from kew.codes.attributes import MQAS_NONE, MQPROP_COMPATIBILITY
from kew.codes.errors import MQError
from kew.codes.reasons import MQRC_HOBJ_ERROR, MQRC_NONE, MQRC_OBJECT_CHANGED
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.connections.logicalorder import Logical
from kew.mqi.messages.transform import BodyTransform
from kew.objects.catalogue import AttributeValue, Catalogue, Record
from kew.objects.schema.custom import cap_on_expiry
from kew.queues.cursor import Cursor
from kew.queues.queue import NO_CAP, TEMPORARY_DYNAMIC, Queue
from kew.selection.selector import Selector
from kew.storage.message import MessageRef
from kew.topics.subscription import Subscription


class OutputTarget:
    """The target of puts through a handle that has no local queue: a topic, a distribution list, a remote queue."""

    def __init__(self) -> None:
        self.queue: Queue | None = None  # the transmission queue that stores the messages


class Reservation:
    """A message that was sent ahead to a client and is reserved for it; see mqi/gets/reservations.py."""

    def __init__(self, item: MessageRef, descriptor: MessageDescriptor | None, body: bytes, differs: bool) -> None:
        self.item = item
        self.descriptor = descriptor  # of a message whose delivery is to be confirmed, and its data
        self.body = body
        self.differs = differs  # whether the data sent to the program differ from the stored data


class DeferredMessage:
    """A message that is to be put when its program's connection ends; see mqi/transactions/deferredputs.py."""

    def __init__(self, queue: str, descriptor: MessageDescriptor, data: bytes, options: int) -> None:
        self.queue = queue
        self.descriptor = descriptor
        self.data = data
        self.options = options


class Handle:
    """An object that a connection has open, known to the program by its MQHOBJ."""

    def __init__(self, number: int, name: str, options: int, queue: Queue | None) -> None:
        self.number = number
        self.owner = 0  # number of the connection that opened it
        self.name = name  # as resolved: the queue the messages are on
        self.opened_name = name  # as the program gave it
        self.options = options
        self.queue = queue
        self.input = False
        self.output = False
        self.browse = False
        self.inquire = False
        self.set = False
        self.cursor = Cursor()
        self.selector: Selector | None = None  # which messages its gets and browses see
        # Attributes of the alias through which the queue was opened, None if there was none.
        self.alias_values: dict[str, AttributeValue] | None = None
        self.alias_priority = 0
        self.alias_persistence = 0
        self.expiry_cap = NO_CAP  # of the alias, in tenths of a second
        self.put_allowed_by_alias = True
        self.get_allowed_by_alias = True
        self.created = False  # made by this open from a model queue
        self.single = False  # of an MQPUT1
        self.definition: Record | None = None  # of an object that is no queue: it can only be inquired about
        self.outlet: OutputTarget | None = None  # a topic that is open to publish on, a list, a queue elsewhere
        self.subscription: Subscription | None = None  # of a handle that MQSUB gave
        self.assists = False  # the subscription is open by another handle, and this handle has its queue
        self.stream_failures: list[int] = []  # reasons of failed copies that were reported to the operator
        self.transform: BodyTransform | None = None  # of the bodies that are put and got through it
        self.consumption = MQAS_NONE  # INACTIVE while a function is registered for its messages, or SUSPENDED
        self.reads_ahead = False  # the client's last request was for more than one message
        self.closed = False
        self.saves_context = False
        self.saved_context: MessageDescriptor | None = None  # of the message last got, for passing on
        self.reserved: deque[Reservation] | None = None  # messages sent ahead, in order; None before the first
        self.logical: Logical | None = None  # where it is in groups and segments, once it has to do with them
        self.warning = MQRC_NONE  # with which the latest put succeeds

    def close(self) -> None:
        """Mark the handle as closed: later verbs with it fail."""
        self.closed = True
        self.queue = None
        self.input = False
        self.output = False
        self.browse = False
        self.inquire = False
        self.set = False

    def refusal(self, reason: int) -> MQError:
        """Give the error for a verb that the handle was not opened for, or that comes after MQCLOSE."""
        return MQError(MQRC_HOBJ_ERROR if self.closed else reason, queue=self.name)

    def refresh_alias(self, catalogue: Catalogue) -> None:
        """Take over the attributes of the alias as they are now; each verb through an alias begins with this.

        If the alias leads to another queue by now, the handle can only be closed (2041).
        """
        record = catalogue.records.get(("QUEUE", self.opened_name))
        if record is None or record.values is self.alias_values:
            return
        values, before = record.values, self.alias_values
        if before is not None and values["TARGET"] != before["TARGET"]:
            raise MQError(MQRC_OBJECT_CHANGED, queue=self.opened_name)
        self.alias_values = values
        self.alias_priority = _number(values, "DEFPRTY")
        self.alias_persistence = _number(values, "DEFPSIST")
        cap = cap_on_expiry(str(values["CUSTOM"]), _number(values, "CAPEXPRY"))
        self.expiry_cap = NO_CAP if cap is None else cap
        self.put_allowed_by_alias = _number(values, "PUT") == 0
        self.get_allowed_by_alias = _number(values, "GET") == 0

    def property_control(self) -> int:
        """Give PROPCTL of the opened queue or alias, for gets that do not choose a form of the properties."""
        values = self.alias_values
        if values is not None:
            return _number(values, "PROPCTL") if "PROPCTL" in values else MQPROP_COMPATIBILITY
        return MQPROP_COMPATIBILITY if self.queue is None else self.queue.property_control

    def default_persistence(self) -> int:
        """Give the default persistence of the alias that was opened or, without one, of the queue."""
        if self.alias_values is not None:
            return self.alias_persistence
        return 0 if self.queue is None else self.queue.default_persistence

    def defined_as(self) -> str:
        """Give the name of the definition that MQINQ and MQSET apply to: the alias, if it was opened through one."""
        return self.name if self.alias_values is None else self.opened_name

    def put_to(self) -> Queue | None:
        """Give the local queue that stores messages put through the handle: its own, or a transmission queue."""
        if self.queue is None and self.outlet is not None:
            return self.outlet.queue
        return self.queue

    def is_temporary(self) -> bool:
        """Say whether the queue is a temporary dynamic one."""
        return self.queue is not None and self.queue.dynamic == TEMPORARY_DYNAMIC

    def take_warning(self) -> int:
        """Give the reason of the latest put's warning, MQRC_NONE without one, and reset it."""
        reason, self.warning = self.warning, MQRC_NONE
        return reason

    def save_context(self, descriptor: MessageDescriptor) -> None:
        """Keep the context of a message that was got, if the handle was opened to do so."""
        if self.saves_context:
            self.saved_context = descriptor


def _number(values: dict[str, AttributeValue], keyword: str) -> int:
    value = values[keyword]
    assert isinstance(value, int)
    return value
