"""One get of a conversation, from the call to its end: its request, and how it is served while it waits."""

from abc import abstractmethod

from kew.channels.protocol.events import Event
from kew.channels.transport.loop import Timer
from kew.codes.errors import MQError
from kew.codes.reasons import MQRC_NONE, MQRC_OBJECT_DAMAGED
from kew.formats.mqmd import MessageDescriptor, encode, reframed
from kew.formats.properties import RFH2_FORMAT
from kew.mqi.gets import get as getting
from kew.mqi.gets.groups import GROUPING
from kew.mqi.gets.request import BROWSE, GetRequest, Got, as_program_sees, note_handed_over, note_redriven
from kew.queues.waiters import Waiter
from kew.storage.log import NO_ADDRESS
from kew.storage.stall import Damaged, Stall


class GetOwner:
    """The conversation that a get belongs to."""

    @abstractmethod
    def congested(self) -> bool:
        """Say whether the client does not read; the get is then tried again only when the client reads."""

    @abstractmethod
    def served(self, get: "GetCall") -> None:
        """Note that a get that waited has an outcome. From any thread, under the engine lock."""


class GetCall(Waiter):
    """One get, from the call to its end."""

    def __init__(self, gets: GetOwner, call: Event, number: int, request: GetRequest, waits: bool) -> None:
        super().__init__(None if request.options & GROUPING else request.match, request.connection.number)
        self.gets = gets
        self.call = call
        self.number = number  # number of the handle
        self.request = request
        self.waits = waits
        self.streams = False
        self.needed = True  # as far as the queue manager knows, the program waits for the first message
        self.idle = False  # the client was notified that there is no message; the get stays for later ones
        self.under_way = 0  # messages sent that had not arrived when the client wrote the call, or that answer it
        self.confirms = False
        self.timer: Timer | None = None
        self.over = False
        self.converts = False
        self.ccsid = 0  # CCSID to convert to
        self.encoding = 0
        # The outcome while it waited.
        self.taken: Got | None = None
        self.reason = MQRC_NONE
        self.stall: Stall | None = None  # the stall for which a worker did not wait
        self.again = False  # the get must be tried again in a thread that may wait

    def converts_to(self, ccsid: int, encoding: int) -> None:
        """Have the data of messages converted to a character set and encoding."""
        self.converts = True
        self.ccsid = ccsid
        self.encoding = encoding

    def is_ahead(self) -> bool:
        """Say whether a message got now would be sent before the program asks for it, and so could be lost."""
        request = self.request
        if request.reserves or request.options & BROWSE:
            return False
        return self.under_way > 0 or not self.needed

    def takes_directly(self) -> bool:
        """Say whether a putting program may hand a message to this get without storing it on the queue."""
        return self.request.takes_directly()

    def hand_over(self, descriptor: MessageDescriptor, data: bytes) -> bool:
        """Take a message that was never on the queue, if it fits the buffer and the client reads."""
        request = self.request
        if descriptor.format == RFH2_FORMAT:
            return self._take_shaped(descriptor, data)
        if not request.has_room(len(data)) or self.gets.congested():
            return False
        if not descriptor.stored:
            descriptor.stored = encode(descriptor)
        self._take(descriptor, descriptor.stored, data)
        return True

    def _take_shaped(self, descriptor: MessageDescriptor, data: bytes) -> bool:
        """Take a message with its properties in the form that the program wants; restore the putter's descriptor."""
        request = self.request
        encoding, ccsid = descriptor.encoding, descriptor.ccsid
        shape = as_program_sees(request, descriptor, data)
        fits = request.has_room(len(shape)) and not self.gets.congested()
        if fits:
            if descriptor.stored:
                self._take(descriptor, reframed(descriptor.stored, descriptor), shape)
            else:
                self._take(descriptor, encode(descriptor), shape)
        descriptor.format, descriptor.encoding, descriptor.ccsid = RFH2_FORMAT, encoding, ccsid
        return fits

    def _take(self, descriptor: MessageDescriptor, stored: bytes, data: bytes) -> None:
        request = self.request
        self.taken = Got(descriptor, data, len(data), MQRC_NONE, NO_ADDRESS)
        self.taken.stored = stored  # the descriptor belongs to the putting program
        note_handed_over(request, descriptor.copy() if request.handle.saves_context else descriptor, len(data))
        self.gets.served(self)

    def serve(self) -> bool:
        """Try the get again, if the client reads."""
        if self.gets.congested():
            return False
        request = self.request
        note_redriven(request)
        request.ahead = self.is_ahead()
        try:
            got = getting.get(request)
            if request.held_back:
                self.gets.served(self)
                return True
            if got is None:
                return False
            self.taken = got
        except Stall:
            self.again = True
        except MQError as error:
            self.reason = error.reason
        except Damaged:
            self.reason = MQRC_OBJECT_DAMAGED
        self.gets.served(self)
        return True

    def fail(self, reason: int) -> None:
        """End the wait with a reason code."""
        self.reason = reason
        self.gets.served(self)
