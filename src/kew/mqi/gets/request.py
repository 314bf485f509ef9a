"""A get request: its options and match criteria, its state between two steps, and its result."""

from abc import abstractmethod
from typing import Final

from mypy_extensions import mypyc_attr

from kew.codes.completion import MQCC_OK, MQCC_WARNING
from kew.codes.errors import MQError
from kew.codes.options import (
    MQGMO_BROWSE_FIRST,
    MQGMO_BROWSE_MSG_UNDER_CURSOR,
    MQGMO_BROWSE_NEXT,
    MQGMO_SYNCPOINT,
    MQGMO_SYNCPOINT_IF_PERSISTENT,
    MQMO_MATCH_CORREL_ID,
    MQMO_MATCH_GROUP_ID,
    MQMO_MATCH_MSG_ID,
    MQMO_MATCH_MSG_SEQ_NUMBER,
    MQMO_MATCH_OFFSET,
)
from kew.codes.reasons import MQRC_MATCH_OPTIONS_ERROR, MQRC_NONE
from kew.formats.mqmd import MessageDescriptor, encode
from kew.formats.properties import RFH2_FORMAT
from kew.mqi.connections import metering
from kew.mqi.connections.connection import Connection
from kew.mqi.connections.handles import Handle
from kew.mqi.delivery.reports import ReportDelivery
from kew.mqi.gets.groups import GROUPING, Assembly, GroupedSearch
from kew.mqi.messages.extension import extend
from kew.mqi.messages.propertycontrol import apply_property_control
from kew.mqi.messages.transform import GetTransform
from kew.queues.cursor import Cursor
from kew.queues.match import NO_ID, Match
from kew.queues.queue import Queue
from kew.storage.log import NO_ADDRESS, LogAddress
from kew.storage.message import Description, MessageRef
from kew.storage.recovery.attempt import Attempt

LONG_REPLY: Final = 1 << 17  # bytes of a message from which on its reply takes room of a budget

SYNCPOINT: Final = MQGMO_SYNCPOINT | MQGMO_SYNCPOINT_IF_PERSISTENT
BROWSE: Final = MQGMO_BROWSE_FIRST | MQGMO_BROWSE_NEXT | MQGMO_BROWSE_MSG_UNDER_CURSOR
_PLACES: Final = MQMO_MATCH_MSG_SEQ_NUMBER | MQMO_MATCH_OFFSET
_MATCHES: Final = MQMO_MATCH_MSG_ID | MQMO_MATCH_CORREL_ID | MQMO_MATCH_GROUP_ID | _PLACES


class Got:
    """The result of a get: the message, its length and the reason of a warning."""

    def __init__(
        self, descriptor: MessageDescriptor, data: bytes, length: int, reason: int, address: LogAddress
    ) -> None:
        self.descriptor = descriptor
        self.stored = b""  # the descriptor's canonical bytes, where they are known
        self.data = data
        self.length = length  # of the whole message, also when it was cut
        self.reason = reason
        self.address = address  # log address to wait for before the program gets its reply; 0 none
        self.token = b""  # by which a marked message goes
        self.position = 0  # of a message that was browsed by position

    def canonical(self) -> bytes:
        """Give the stored bytes of the descriptor, which is encoded only if these are not known."""
        if not self.stored:
            self.stored = encode(self.descriptor)
        return self.stored

    @property
    def completion(self) -> int:
        """Give MQ's completion code."""
        return MQCC_OK if self.reason == MQRC_NONE else MQCC_WARNING


class ReplyRoom:
    """The memory reserved for a long message at the edge that sends the message."""

    @abstractmethod
    def take(self, size: int) -> None:
        """Reserve memory for a number of bytes; raises a Stall if the get must wait."""

    @abstractmethod
    def give_back(self, kept: int = 0) -> None:
        """Release the memory beyond a number of bytes."""


@mypyc_attr(allow_interpreted_subclasses=True)
class ReplyMemory:
    """The memory that an edge has for replies with long messages; gets reserve room in it."""

    @abstractmethod
    def room(self) -> ReplyRoom:
        """Begin a reservation, which holds no memory yet."""


class LongGet:
    """The state of a get that takes several steps; the message is locked meanwhile.

    A browsed message is not locked: if it is taken before all of it was read, the browse begins anew.
    """

    def __init__(self, queue: Queue, item: MessageRef, held: bool, lets_go: bool) -> None:
        self.queue = queue  # the handle forgets it when it is closed
        self.item = item
        self.held = held  # False when browsing
        self.lets_go = lets_go  # of a get that is not finished: the message was not got before
        self.found: Description | None = None  # with the content, once all of it was read


class GetRequest:
    """A get request, with the state of its search."""

    def __init__(
        self, connection: Connection, handle: Handle, options: int, match: Match | None, buffer_length: int
    ) -> None:
        self.connection = connection
        self.handle = handle
        self.options = options
        if handle.selector is not None:
            match = Match() if match is None else match
            match.selector = handle.selector
        self.match = match
        self.buffer_length = buffer_length  # -1: as long as the message
        self.extends = False  # for a descriptor of version 1: group fields are given in an MQMDE
        self.reserves = False  # in a unit of work: the message is sent ahead, and taken once the program has had it
        # The program has not asked for it yet: nothing is taken that is persistent, which could be lost, or goes into
        # the unit of work, which the program may commit.
        self.ahead = False
        self.seen = NO_ADDRESS  # on disk up to here, the message may be shown
        self.held_back = False  # that was so, and the next message is such a one
        self.long: LongGet | None = None
        self.confirmation: ReportDelivery | None = (
            None  # the report on its delivery, which goes before the message is taken
        )
        self.attempt: Attempt | None = None  # at message and report, which are taken and put in one unit of work
        self.seek: GroupedSearch | None = None  # how far the search for a message in a group has come
        self.turning: GetTransform | None = None  # the body of the message, where the handle has a transform
        self.assembly: Assembly | None = None  # of a logical message of several segments
        self.search: Cursor | None = None  # how far a browse has come; the handle's cursor is moved when it succeeds
        self.memory: ReplyMemory | None = None  # of the edge, where it is limited
        self.room: ReplyRoom | None = None  # that a long message has taken of it

    def make_room(self, length: int) -> None:
        """Reserve memory for a message before it is read; raises a Stall if the get must wait.

        While a message is read it is in memory twice: as stored, and as given to the program.
        """
        if self.memory is not None and length >= LONG_REPLY:
            if self.room is None:
                self.room = self.memory.room()
            self.room.take(2 * length)

    def leave_room(self) -> None:
        """Release the reserved memory, once the message was sent or if there is none."""
        if self.room is not None:
            self.room.give_back()
            self.room = None

    def takes_directly(self) -> bool:
        """Say whether a put may hand a message directly to this get."""
        if self.extends or self.handle.logical is not None or self.handle.transform is not None:
            return False
        return not self.options & (BROWSE | SYNCPOINT | GROUPING)

    def has_room(self, length: int) -> bool:
        """Say whether data of a length fit the program's buffer."""
        return not 0 <= self.buffer_length < length


def offer(connection: Connection, queue: Queue, item: MessageRef) -> None:
    """Offer a message that was unlocked to the gets that wait for one."""
    if queue.waiters.count:
        connection.engine.queues.item_available(queue, item)


def begin_long(request: GetRequest, queue: Queue, item: MessageRef) -> LongGet:
    """Begin to read a message of several pages, and lock it if the get takes it."""
    held = not request.options & BROWSE
    lets_go = held and not request.handle.cursor.has_locked(item)
    if lets_go:
        queue.hold(item)
    long = LongGet(queue, item, held, lets_go)
    request.long = long
    return long


def as_program_sees(request: GetRequest, descriptor: MessageDescriptor, data: bytes) -> bytes:
    """Give the data of a message as its program sees them, and adapt the descriptor to them.

    The program sees the properties that its options or PROPCTL select; one with a version 1 descriptor also sees an
    MQMDE. All messages that programs get or browse pass here: from a queue, reassembled, and handed over by a put.
    """
    if descriptor.format == RFH2_FORMAT:
        data = apply_property_control(request.options, request.handle.property_control(), descriptor, data)
    if request.extends:
        data = extend(descriptor, data, request.connection.engine.ccsid)
    return data


def note_handed_over(request: GetRequest, descriptor: MessageDescriptor, length: int) -> None:
    """Note that a waiting get received a message from a put directly, without the queue."""
    request.handle.save_context(descriptor)
    if request.connection.engine.metered:
        metering.got_directly(request.connection, request.handle, descriptor, length)


def note_redriven(request: GetRequest) -> None:
    """Note that a waiting get is tried again."""
    if request.connection.engine.detailed:
        metering.redriven(request.connection, request.handle, request.options & BROWSE != 0)


def match_of(options: int, wanted: MessageDescriptor | None) -> Match | None:
    """Give the match criteria of a get; None if any message will do."""
    if options & ~_MATCHES:
        raise MQError(MQRC_MATCH_OPTIONS_ERROR, match_options=options)
    if wanted is None:
        return None
    message_id = wanted.message_id if options & MQMO_MATCH_MSG_ID and wanted.message_id != NO_ID else None
    correlation_id = (
        wanted.correlation_id if options & MQMO_MATCH_CORREL_ID and wanted.correlation_id != NO_ID else None
    )
    group_id = wanted.group_id if options & MQMO_MATCH_GROUP_ID and wanted.group_id != NO_ID else None
    if not options & _PLACES:
        if message_id is None and correlation_id is None and group_id is None:
            return None
        return Match(message_id, correlation_id, group_id)
    match = Match(message_id, correlation_id, group_id)
    match.place(
        max(0, wanted.sequence_number) if options & MQMO_MATCH_MSG_SEQ_NUMBER else -1,
        max(0, wanted.offset) if options & MQMO_MATCH_OFFSET else -1,
    )
    return match
