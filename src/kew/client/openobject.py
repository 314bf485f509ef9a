"""An open object of a client, with the requests and messages of its gets."""

from kew.channels.protocol.delivery import Message, Selection
from kew.channels.protocol.dialect import name
from kew.channels.protocol.structures import ObjectDescriptor
from kew.client import readahead
from kew.client.protection import QueueProtection
from kew.client.readahead import ONE_MESSAGE, UNSETTLED
from kew.codes.errors import MQError
from kew.codes.options import MQPRT_SYNC_RESPONSE
from kew.codes.reasons import MQRC_OPTIONS_CHANGED, MQRC_OPTIONS_ERROR


class Kept:
    """A message that came for a get after its program had broken the get off."""

    def __init__(self, message: Message, in_unit: bool) -> None:
        self.message = message
        self.in_unit = in_unit  # the message was got in the current unit of work


class OpenObject:
    """An open object, with the state of its gets and of read-ahead."""

    def __init__(self, handle: int, target: ObjectDescriptor, options: int) -> None:
        self.handle = handle
        self.target = target
        self.options = options
        self.closed: bool = False
        self.window: int = ONE_MESSAGE  # bytes of messages the server may send ahead; 1 for one message at a time
        # The options that all gets of a handle with read-ahead must share, from the first get.
        self.constant: int = UNSETTLED
        self.reserving: bool = False  # messages read ahead are got in units of work
        self.unsettled: int = 0  # reserved messages that the program has had, not yet reported to the server
        self.criteria: Selection | None = None  # the last get's selection, also if the server was sent another since
        self.quiesced: bool = False  # the handle closes after the messages read ahead are taken
        self.under_cursor: Message | None = None  # the message that a browse with read-ahead took last
        self.asking: bool = False  # a request is with the server and has not been answered in full
        self.streaming: bool = False  # the request is for more than one message
        self.selection: Selection | None = None  # of the last request to the server
        self.selection_index: int = 0
        self.final: bool = False  # the request is always answered, with a message or a status that there is none
        self.asked_options: int = 0  # options of the get that caused the request
        self.left: bool = False  # a get was broken off, and the reply to its withdrawal is still to come
        self.kept: list[Kept] = []  # messages that came for broken-off gets, for later gets
        self.failure: int = 0  # reason code of a notification that failed the last get
        self.received_bytes: int = 0
        self.message_index: int = 0
        self.global_index: int = 0
        self.resolved_name: str = ""
        self.property_control: int = 0  # PROPCTL, where the server sends it
        self.put_response: int = MQPRT_SYNC_RESPONSE  # DEFPRESP, where the server sends it
        self.protection: QueueProtection | None = None  # where the queue has a policy
        self.read_ahead: int = -1  # DEFREADA, where the server sends it

    @property
    def name(self) -> str:
        """The object's name; of a dynamic queue the generated one."""
        return name(self.target.object_name)

    def reserves(self, selection: Selection, options: int) -> bool:
        """Say whether a get in a unit of work takes messages read ahead; the first get decides for the handle."""
        before = self.selection
        if not readahead.may_reserve(selection, options):
            return False
        if self.constant == UNSETTLED:
            self.constant = readahead.constant_of(options)
            self.reserving = True
        return self.reserving and (before is None or readahead.same(before, selection, options))

    def settle(self, selection: Selection, options: int, ahead: bool) -> None:
        """Check a get of a handle with read-ahead, or refuse it; the first get decides for the handle.

        `ahead` says that messages for the get before have been received, or may be on their way.
        """
        if self.constant == UNSETTLED:
            if readahead.may_begin(options):
                self.constant = readahead.constant_of(options)
            else:
                self.window = ONE_MESSAGE
            self.criteria = selection
            return
        if not readahead.permitted(options):
            raise MQError(MQRC_OPTIONS_ERROR, queue=self.name, options=options)
        if readahead.constant_of(options) != self.constant:
            raise MQError(MQRC_OPTIONS_CHANGED, queue=self.name)
        before = self.criteria
        if ahead and before is not None and readahead.differs_in_form(before, selection, options):
            raise MQError(MQRC_OPTIONS_CHANGED, queue=self.name)
        self.criteria = selection
