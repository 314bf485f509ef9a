"""An open object of a client, and for a handle that gets what it has asked for and received."""

from kew.channels.protocol.delivery import Message, Selection
from kew.channels.protocol.dialect import name
from kew.channels.protocol.structures import ObjectDescriptor
from kew.client import readahead
from kew.client.readahead import ONE_MESSAGE, UNSETTLED
from kew.codes.errors import MQError
from kew.codes.options import MQGMO_SYNCPOINT, MQPRT_SYNC_RESPONSE
from kew.codes.reasons import MQRC_OPTIONS_CHANGED, MQRC_OPTIONS_ERROR


class Opened:
    """An open object, and for a consuming handle what has been received through it."""

    def __init__(self, handle: int, target: ObjectDescriptor, options: int) -> None:
        self.handle = handle
        self.target = target
        self.options = options
        self.closed: bool = False
        self.window: int = ONE_MESSAGE  # bytes of messages the server may send ahead; 1 for one message at a time
        self.constant: int = UNSETTLED  # what the first get of a handle that reads ahead has settled for all
        self.criteria: Selection | None = None  # of its last get
        self.quiesced: bool = False  # it was to be closed once what was read ahead is taken
        self.under_cursor: Message | None = None  # what a browse that reads ahead has taken last
        self.asking: bool = False  # a request is with the server and has not been answered in full
        self.asked: int = ONE_MESSAGE  # the window of the last request
        self.reserving: bool = False  # what it brings is got in the unit of work
        self.unsettled: int = 0  # messages the program has had, got in the unit, of which the server has not been told
        self.selection: Selection | None = None  # with which the server was asked last
        self.selection_index: int = 0
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

    def settle(self, selection: Selection, options: int, ahead: bool, extended: bool) -> None:
        """Let a get of a handle that reads ahead pass, or refuse it; the first decides whether the handle does so.

        `ahead` says that there are, or may be on their way, messages that the get before has asked for; `extended` that
        the server is Kew's.
        """
        before = self.criteria
        if self.constant == UNSETTLED:
            if readahead.may_begin(selection, options, extended):
                self.constant = readahead.constant_of(options)
            else:
                self.window = ONE_MESSAGE
        elif not readahead.permitted(options):
            raise MQError(MQRC_OPTIONS_ERROR, queue=self.name, options=options)
        elif readahead.constant_of(options) != self.constant or (
            ahead and before is not None and readahead.differs_in_form(before, selection, options)
        ):
            raise MQError(MQRC_OPTIONS_CHANGED, queue=self.name)
        self.criteria = selection

    @property
    def in_units(self) -> bool:
        """Whether it reads ahead what is got in units of work."""
        return self.constant != UNSETTLED and self.constant & MQGMO_SYNCPOINT != 0

    def goes_on(self, selection: Selection, options: int) -> bool:
        """Say whether a get takes what a handle that does so has read ahead."""
        before = self.criteria
        return (
            readahead.may_reserve(selection, options)
            and readahead.constant_of(options) == self.constant
            and (before is None or readahead.same(before, selection, options))
        )
