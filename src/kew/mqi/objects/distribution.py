"""Distribution lists: one MQOPEN of several queues, and one MQPUT that puts a message to each of them.

A handle of a list has a handle for each destination. A put puts the message to one destination after the other, as a
put to that queue alone would, in the program's unit of work if there is one. An error at one destination has no effect
on the others, and each has a completion and a reason of its own. The call as a whole

    succeeds                                          where all have succeeded
    has the warning MQRC_MULTIPLE_REASONS             where some have
    fails with the common reason, if there is one,
    else with MQRC_MULTIPLE_REASONS                   where none has

A destination is a local queue, a remote queue or an alias of one, but not a model queue or an alias of a topic. Each
message for another queue manager is sent on its own.
"""

from typing import Final

from kew.codes.completion import MQCC_FAILED, MQCC_OK, MQCC_WARNING
from kew.codes.errors import BackedOut, Broken, MQError
from kew.codes.options import (
    MQOO_OUTPUT,
    MQPMO_NEW_CORREL_ID,
    MQPMO_SET_ALL_CONTEXT,
    MQPMO_SET_IDENTITY_CONTEXT,
    MQPMRF_ACCOUNTING_TOKEN,
    MQPMRF_CORREL_ID,
    MQPMRF_FEEDBACK,
    MQPMRF_GROUP_ID,
    MQPMRF_MSG_ID,
)
from kew.codes.reasons import (
    MQRC_ALIAS_BASE_Q_TYPE_ERROR,
    MQRC_MULTIPLE_REASONS,
    MQRC_NONE,
    MQRC_OPEN_FAILED,
    MQRC_OPTION_NOT_VALID_FOR_TYPE,
    MQRC_PMO_RECORD_FLAGS_ERROR,
    MQRC_Q_TYPE_ERROR,
)
from kew.formats.mqmd import MessageDescriptor
from kew.formats.mqpmr import PutRecord
from kew.mqi.connections.connection import Connection
from kew.mqi.connections.handles import Handle
from kew.mqi.delivery.longput import LongPut
from kew.mqi.engine import Engine
from kew.mqi.objects.open import check_request, open_named, other_manager
from kew.mqi.options import OUTPUT_OPTIONS
from kew.mqi.publishing.topics import is_topic_alias
from kew.mqi.puts import put as putting
from kew.mqi.puts.remote import is_elsewhere
from kew.mqi.puts.request import PutRequest
from kew.mqi.puts.target import PutTarget
from kew.queues.administration import MODEL, QueueAdministration
from kew.storage.log import NO_ADDRESS, LogAddress
from kew.storage.stall import Stall

MAX_DESTINATIONS: Final = 4096  # destinations of one list
_AT_A_TIME: Final = 64  # destinations in one hold of the lock
_SETS_CONTEXT: Final = MQPMO_SET_IDENTITY_CONTEXT | MQPMO_SET_ALL_CONTEXT
_FIELDS: Final = MQPMRF_MSG_ID | MQPMRF_CORREL_ID | MQPMRF_GROUP_ID | MQPMRF_FEEDBACK | MQPMRF_ACCOUNTING_TOKEN


class Member:
    """One destination: its MQOR, its handle once it is open, and its MQRR for the latest call."""

    def __init__(self, name: str, manager: str = "") -> None:
        self.name = name
        self.manager = manager
        self.handle: Handle | None = None
        self.refused = MQRC_NONE  # why it could not be opened
        self.completion = MQCC_OK
        self.reason = MQRC_NONE

    def answer(self, completion: int, reason: int) -> None:
        """Keep the completion and reason of a call."""
        self.completion = completion
        self.reason = reason


class DistributionList(PutTarget):
    """The destinations of a list, the fields that the next put has for each, and the outcome of the latest call."""

    def __init__(self, members: list[Member]) -> None:
        super().__init__()
        self.counts_itself = True
        self.members = members
        self.fields = 0  # MQPMRF_*: the fields in the records of the next put
        self.records: list[PutRecord] = []
        self.completion = MQCC_OK
        self.reason = MQRC_NONE
        self.known = 0
        self.unknown = 0  # those that are at other queue managers, and succeeded as far as is known here
        self.invalid = 0

    def give(self, fields: int, records: list[PutRecord]) -> None:
        """Set the MQPMRs of the next put, for the destinations in order; those beyond the last record have none."""
        self.fields = fields if records else 0
        self.records = records

    def settle(self) -> None:
        """Sum up the outcomes of a call at all destinations."""
        reasons: list[int] = []
        failed = 0
        away = 0
        for member in self.members:
            if member.completion == MQCC_FAILED:
                failed += 1
            elif member.handle is not None and is_elsewhere(member.handle):
                away += 1
            if member.reason not in reasons:
                reasons.append(member.reason)
        self.known = len(self.members) - failed - away
        self.unknown = away
        self.invalid = failed
        self.copies = self.known + away
        self.reason = reasons[0] if len(reasons) == 1 else MQRC_MULTIPLE_REASONS
        self.completion = MQCC_OK
        if self.reason != MQRC_NONE:
            self.completion = MQCC_WARNING if self.copies else MQCC_FAILED

    def outcome(self) -> MQError | None:
        """Give the warning or error of the latest call; None if it has succeeded everywhere."""
        if self.reason == MQRC_NONE:
            return None
        return MQError(self.reason, completion=self.completion, known=self.known, invalid=self.invalid)

    def put(self, request: PutRequest) -> LogAddress | LongPut:
        """Put a message to all destinations; the outcome is known when the put is done."""
        _check_fields(self.fields, bool(self.records), request.options)
        whole = ListPut(self, request)
        if request.options & MQPMO_NEW_CORREL_ID:  # one for all, whatever the records say
            request.descriptor.correlation_id = request.connection.engine.ids.next()
        try:
            done, address = whole.step(request.connection)
        except Stall:
            if not whole.begun:
                raise
            return whole
        return address if done else whole


class ListPut(LongPut):
    """A put to a list, in steps."""

    def __init__(self, destinations: DistributionList, request: PutRequest) -> None:
        super().__init__(None)
        self._list = destinations
        self._request = request
        self._options = request.options & ~MQPMO_NEW_CORREL_ID
        self._one_correlation = request.options & MQPMO_NEW_CORREL_ID != 0
        self._place = 0  # of the destination that is next
        self._copy = request.descriptor  # the descriptor that it gets, once its put has begun
        self._own: PutRequest | None = None  # to it
        self._current: LongPut | None = None  # its put, if that takes several steps
        self._failure: MQError | None = None  # for which its put is given up
        self._address = NO_ADDRESS
        self.begun = False  # something is put, or has failed

    def is_for_many(self) -> bool:
        """Give True: the put has many destinations."""
        return True

    def advance(self, connection: Connection) -> bool:
        """Put the message to some more destinations; says whether all are done."""
        members = self._list.members
        last = min(self._place + _AT_A_TIME, len(members))
        while self._place < last:
            member = members[self._place]
            handle = member.handle
            if handle is None:
                member.answer(MQCC_FAILED, member.refused if self._request.handle.single else MQRC_OPEN_FAILED)
            elif self._failure is not None:
                self._give_up(connection, member)
            else:
                try:
                    if not self._put(connection, handle):
                        return False
                    self._was_put(member, handle)
                except (Broken, BackedOut):
                    raise
                except MQError as error:
                    if self._current is not None and self._current.absorb(error):
                        continue
                    self._failure = error
                    continue
            self._own = None
            self._place += 1
            self.begun = True
        return self._place == len(members)

    def end(self, engine: Engine) -> LogAddress:
        """Sum up the outcomes of the put."""
        self._list.settle()
        return self._address

    def _put(self, connection: Connection, handle: Handle) -> bool:
        """Begin the put to a destination, or take its next step; says whether it has the message."""
        if self._current is None:
            own = self._own
            if own is None:
                asked, self._copy = self._request, self._described()
                own = PutRequest(connection, handle, self._copy, asked.data, self._options, asked.context, asked.delay)
                self._own = own  # it is kept while it stalls
                if handle.transform is not None:
                    self.begun = True  # with the body that is made for it
            result = putting.put(own)
            if not isinstance(result, LongPut):
                self._address = max(self._address, result)
                return True
            self._current = result
            self.begun = True
        done, address = putting.continue_put(connection, self._current)
        if done:
            self._address = max(self._address, address)
        return done

    def _described(self) -> MessageDescriptor:
        copy = self._request.descriptor.copy()
        fields, records = self._list.fields, self._list.records
        if self._place >= len(records):
            return copy
        record = records[self._place]
        if fields & MQPMRF_MSG_ID:
            copy.message_id = record.message_id
        if fields & MQPMRF_CORREL_ID and not self._one_correlation:
            copy.correlation_id = record.correlation_id
        if fields & MQPMRF_GROUP_ID:
            copy.group_id = record.group_id
        if fields & MQPMRF_FEEDBACK:
            copy.feedback = record.feedback
        if fields & MQPMRF_ACCOUNTING_TOKEN:
            copy.accounting_token = record.accounting_token
        return copy

    def _was_put(self, member: Member, handle: Handle) -> None:
        """Return ids and context of the message in the destination's MQPMR, as far as it has these fields."""
        self._current = None
        told = handle.take_warning()
        member.answer(MQCC_WARNING if told else MQCC_OK, told)
        copy, descriptor, records = self._copy, self._request.descriptor, self._list.records
        if self._place < len(records):
            record = records[self._place]
            record.message_id = copy.message_id
            record.correlation_id = copy.correlation_id
            record.group_id = copy.group_id
        if not self._list.fields & MQPMRF_ACCOUNTING_TOKEN:
            descriptor.accounting_token = copy.accounting_token
        descriptor.user_identifier = copy.user_identifier
        descriptor.application_identity_data = copy.application_identity_data
        descriptor.put_application_type = copy.put_application_type
        descriptor.put_application_name = copy.put_application_name
        descriptor.put_date = copy.put_date
        descriptor.put_time = copy.put_time
        descriptor.application_origin_data = copy.application_origin_data

    def _give_up(self, connection: Connection, member: Member) -> None:
        """Abandon the put to a destination that has failed; nothing of the message remains there."""
        failure = self._failure
        assert failure is not None
        if self._current is not None:
            self._current.abandon(connection)
            self._current = None
        self._failure = None
        member.answer(MQCC_FAILED, failure.reason)

    def let_go(self, connection: Connection) -> None:
        """Abandon the put between two steps; messages put out of syncpoint stay."""
        if self._current is not None:
            self._current.abandon(connection)


def check_list(connection: Connection, options: int) -> None:
    """Refuse open options that no destination of a list would take."""
    check_request(connection, options)
    if options & ~OUTPUT_OPTIONS or not options & MQOO_OUTPUT:
        raise MQError(MQRC_OPTION_NOT_VALID_FOR_TYPE, options=options)


def open_member(
    connection: Connection, administration: QueueAdministration, member: Member, options: int, alternate_user: str
) -> None:
    """Open one destination, or keep the reason why it cannot be opened."""
    try:
        other = other_manager(connection.engine, member.manager, options)
        record = administration.find(member.name) if not other else None
        if record is not None and record.kind == MODEL:
            raise MQError(MQRC_Q_TYPE_ERROR, name=member.name)
        if record is not None and is_topic_alias(record):
            raise MQError(MQRC_ALIAS_BASE_Q_TYPE_ERROR, alias=member.name)
        member.handle = open_named(connection, administration, member.name, options, alternate_user, other)
        member.answer(MQCC_OK, MQRC_NONE)
    except Broken:
        raise
    except MQError as error:
        member.refused = error.reason
        member.answer(MQCC_FAILED, error.reason)


def open_list(connection: Connection, destinations: DistributionList, options: int) -> Handle:
    """Give the handle of a list; at least one of its destinations must have been opened."""
    destinations.settle()
    told = destinations.outcome()
    if told is not None and told.completion == MQCC_FAILED:
        raise told
    handle = Handle(0, "", options, None)
    handle.output = True
    handle.outlet = destinations
    return connection.add_handle(handle)


def _check_fields(fields: int, given: bool, options: int) -> None:
    wrong = fields & ~_FIELDS or (given and not fields)
    if wrong or (fields & MQPMRF_ACCOUNTING_TOKEN and not options & _SETS_CONTEXT):
        raise MQError(MQRC_PMO_RECORD_FLAGS_ERROR, fields=fields)
