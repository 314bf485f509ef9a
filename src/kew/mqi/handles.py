"""Object handles: what a connection has open."""

from kew.codes.errors import MQError
from kew.codes.reasons import MQRC_HOBJ_ERROR
from kew.formats.mqmd import MessageDescriptor
from kew.objects.catalogue import AttributeValue
from kew.queues.cursor import Cursor
from kew.queues.private import NO_CAP, TEMPORARY_DYNAMIC, PrivateQueue


class Handle:
    """An open object."""

    def __init__(self, number: int, name: str, options: int, queue: PrivateQueue | None) -> None:
        self.number = number
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
        self.default_priority = 0  # of the first definition in the chain of aliases, as MQ has it
        self.default_persistence = 0
        self.expiry_cap = NO_CAP  # of the alias, in tenths of a second
        self.put_allowed_by_alias = True
        self.get_allowed_by_alias = True
        self.created = False  # made by this open from a model queue
        self.alias_values: dict[str, AttributeValue] | None = None
        self.closed = False
        self.saves_context = False
        self.saved_context: MessageDescriptor | None = None  # of the message last got, for passing on

    def close(self) -> None:
        """Take note that the program may not use it any more."""
        self.closed = True
        self.queue = None
        self.input = False
        self.output = False
        self.browse = False
        self.inquire = False
        self.set = False

    def refusal(self, reason: int) -> MQError:
        """What a verb is told that the handle was not opened for, or that comes after it was closed."""
        return MQError(MQRC_HOBJ_ERROR if self.closed else reason, queue=self.name)

    def is_temporary(self) -> bool:
        """Say whether the queue is a temporary dynamic one."""
        return self.queue is not None and self.queue.dynamic == TEMPORARY_DYNAMIC

    def save_context(self, descriptor: MessageDescriptor) -> None:
        """Keep the context of a message that was got, if the handle was opened to do so."""
        if self.saves_context:
            self.saved_context = descriptor
