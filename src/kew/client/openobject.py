"""An open object of a client, and for a handle that gets what it has asked for and received."""

from kew.channels.protocol.delivery import Message, Selection
from kew.channels.protocol.dialect import name
from kew.channels.protocol.structures import ObjectDescriptor
from kew.client import readahead
from kew.client.readahead import ONE_MESSAGE, UNSETTLED
from kew.codes.errors import MQError
from kew.codes.options import MQPRT_SYNC_RESPONSE
from kew.codes.reasons import MQRC_OPTIONS_CHANGED, MQRC_OPTIONS_ERROR


class Kept:
    """A message that came for a get after its program had broken it off."""

    def __init__(self, message: Message, in_unit: bool) -> None:
        self.message = message
        self.in_unit = in_unit  # it was got in the unit of work that is under way


class OpenObject:
    """An open object, and for a consuming handle what has been received through it."""

    def __init__(self, handle: int, target: ObjectDescriptor, options: int) -> None:
        self.handle = handle
        self.target = target
        self.options = options
        self.closed: bool = False
        self.window: int = ONE_MESSAGE  # bytes of messages the server may send ahead; 1 for one message at a time
        self.constant: int = UNSETTLED  # what the first get of a handle that reads ahead has settled for all
        self.reserving: bool = False  # what is read ahead is got in units of work
        self.unsettled: int = 0  # messages of them that the program has had, of which the server has not been told
        self.criteria: Selection | None = None  # of the last get, whatever the server was asked since
        self.quiesced: bool = False  # it was to be closed once what was read ahead is taken
        self.under_cursor: Message | None = None  # what a browse that reads ahead has taken last
        self.asking: bool = False  # a request is with the server and has not been answered in full
        self.streaming: bool = False  # the request is for more than one message
        self.selection: Selection | None = None  # with which the server was asked last
        self.selection_index: int = 0
        self.final: bool = False  # it is answered in any case, with a message or the word that there is none
        self.asked_options: int = 0  # of the get on whose behalf the server was asked
        self.left: bool = False  # a get was broken off, and the answer to its withdrawal is still to come
        self.kept: list[Kept] = []  # what came for it all the same, for the gets that follow
        self.failure: int = 0  # why the last get failed, where a notification said so
        self.received_bytes: int = 0
        self.message_index: int = 0
        self.global_index: int = 0
        self.resolved_name: str = ""
        self.property_control: int = 0  # PROPCTL, where the server says it
        self.put_response: int = MQPRT_SYNC_RESPONSE  # DEFPRESP, where the server says it
        self.read_ahead: int = -1  # DEFREADA, where the server says it

    @property
    def name(self) -> str:
        """The object's name; for a dynamic queue the one it was given."""
        return name(self.target.object_name)

    def reserves(self, selection: Selection, options: int) -> bool:
        """Say whether a get in a unit of work takes what is read ahead, which the first one may begin."""
        before = self.selection
        if not readahead.may_reserve(selection, options):
            return False
        if self.constant == UNSETTLED:
            self.constant = readahead.constant_of(options)
            self.reserving = True
        return self.reserving and (before is None or readahead.same(before, selection, options))

    def settle(self, selection: Selection, options: int, ahead: bool) -> None:
        """Let a get of a handle that reads ahead pass, or refuse it; the first decides whether the handle does so.

        `ahead` says that there are, or may be on their way, messages that the get before has asked for.
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
