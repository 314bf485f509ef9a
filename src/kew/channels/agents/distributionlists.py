"""Distribution lists of one conversation: MQOR and MQPMR records become the list, its outcome becomes MQRR records."""

from collections.abc import Callable

from kew.channels.agents.callqueue import CallQueue
from kew.channels.protocol.descriptor import MD2_SIZE, from_canonical, to_canonical
from kew.channels.protocol.dialect import Dialect, name, words
from kew.channels.protocol.distribution import (
    Responses,
    destinations,
    is_list,
    put_fields,
    return_put_fields,
    set_put_responses,
    set_responses,
)
from kew.channels.protocol.events import FAILED, Call
from kew.channels.protocol.messages import Put1, put1_reply
from kew.channels.protocol.options import PutOptions
from kew.channels.protocol.structures import MAX_RECORDS, ObjectDescriptor
from kew.codes.completion import MQCC_FAILED, MQCC_OK
from kew.codes.errors import BackedOut, Broken, MQError
from kew.codes.options import (
    MQOT_Q,
    MQPMO_ASYNC_RESPONSE,
    MQPMO_PASS_ALL_CONTEXT,
    MQPMO_PASS_IDENTITY_CONTEXT,
    MQPMO_RESOLVE_LOCAL_Q,
    MQPMO_SYNC_RESPONSE,
)
from kew.codes.reasons import (
    MQRC_MULTIPLE_REASONS,
    MQRC_OBJECT_NAME_ERROR,
    MQRC_OBJECT_Q_MGR_NAME_ERROR,
    MQRC_OBJECT_RECORDS_ERROR,
    MQRC_PUT_MSG_RECORDS_ERROR,
    MQRC_RECS_PRESENT_ERROR,
)
from kew.formats.mqmd import decode_stored, encode
from kew.mqi.connections.handles import Handle
from kew.mqi.local.connection import LocalConnection
from kew.mqi.messages.extension import absorb
from kew.mqi.objects.distribution import DistributionList, Member

__all__ = ["ListPut1", "is_list", "judge", "list_of", "set_records", "tell_opened", "tell_put"]

_OURS = MQPMO_ASYNC_RESPONSE | MQPMO_SYNC_RESPONSE | MQPMO_RESOLVE_LOCAL_Q
_PASSES = MQPMO_PASS_IDENTITY_CONTEXT | MQPMO_PASS_ALL_CONTEXT


def list_of(target: ObjectDescriptor, dialect: Dialect) -> DistributionList:
    """Make the distribution list that an object descriptor names."""
    if not 0 <= target.records_present <= MAX_RECORDS or target.object_type != MQOT_Q:
        raise MQError(MQRC_RECS_PRESENT_ERROR, records=target.records_present)
    if name(target.object_name):
        raise MQError(MQRC_OBJECT_NAME_ERROR, name=name(target.object_name))
    if name(target.queue_manager):
        raise MQError(MQRC_OBJECT_Q_MGR_NAME_ERROR, queue_manager=name(target.queue_manager))
    named = destinations(target, dialect)
    if not named:
        raise MQError(MQRC_OBJECT_RECORDS_ERROR, records=target.records_present)
    return DistributionList([Member(queue, manager) for queue, manager in named])


def set_records(handle: Handle, options: PutOptions, dialect: Dialect) -> None:
    """Set the put message records of a distribution list; refuse records for any other handle."""
    destined = handle.outlet
    if isinstance(destined, DistributionList):
        _set_records(destined, options, dialect)
    elif options.version >= 2 and options.records_present:
        raise MQError(MQRC_RECS_PRESENT_ERROR, records=options.records_present)


def _set_records(destined: DistributionList, options: PutOptions, dialect: Dialect) -> None:
    if options.version < 2 or not options.records_present:
        destined.give(0, [])
        return
    if not 0 < options.records_present <= MAX_RECORDS:
        raise MQError(MQRC_RECS_PRESENT_ERROR, records=options.records_present)
    if options.record_fields and not options.record_offset:
        raise MQError(MQRC_PUT_MSG_RECORDS_ERROR, fields=options.record_fields)
    destined.give(options.record_fields, put_fields(options, dialect))


def _responses(destined: DistributionList) -> Responses:
    return Responses([(member.completion, member.reason) for member in destined.members])


def judge(reply: Call, destined: DistributionList) -> None:
    """Set the outcome of a distribution list in a reply."""
    if destined.completion != MQCC_OK:
        reply.fail(destined.reason, destined.completion)


def tell_opened(target: ObjectDescriptor, destined: DistributionList, dialect: Dialect) -> None:
    """Write the outcome of an MQOPEN or MQPUT1 at each destination into the object descriptor."""
    target.known, target.unknown, target.invalid = destined.known, destined.unknown, destined.invalid
    if destined.reason == MQRC_MULTIPLE_REASONS:
        set_responses(target, _responses(destined), dialect)


def tell_put(options: PutOptions, destined: DistributionList, dialect: Dialect) -> None:
    """Write the outcome of a put at each destination, and the ids used, into the put options."""
    options.known, options.unknown, options.invalid = destined.known, destined.unknown, destined.invalid
    return_put_fields(options, destined.records, dialect)
    if destined.reason == MQRC_MULTIPLE_REASONS:
        set_put_responses(options, _responses(destined), dialect)


class ListPut1:
    """An MQPUT1 to a distribution list, which a worker carries out."""

    def __init__(
        self, call_queue: CallQueue, local: LocalConnection, call: Put1, unanswered: Callable[[int, int], bool]
    ) -> None:
        dialect = call.dialect
        assert dialect is not None
        self._call_queue = call_queue
        self._unanswered = unanswered  # takes reason and completion; says whether the call has no reply
        self._local = local
        self._call = call
        self._dialect = dialect
        self._list = list_of(call.target, dialect)
        self._descriptor = decode_stored(to_canonical(call.descriptor, dialect), 0)
        if len(call.descriptor) != MD2_SIZE:
            call.payload = absorb(self._descriptor, call.payload)
        _set_records(self._list, call.options, dialect)

    def begin(self) -> None:
        """Hand the put to a worker."""
        self._call_queue.slowly(self._put, self._done)

    def _put(self) -> None:
        call, local = self._call, self._local
        options = call.options.options & ~_OURS
        context = local.connection.handles.get(call.options.context) if options & _PASSES else None
        try:
            local.put1_list(
                self._list,
                self._descriptor,
                call.payload,
                options,
                context,
                words(call.target.alternate_user, call.dialect),
            )
        except (Broken, BackedOut):
            raise
        except MQError:
            if self._list.completion == MQCC_OK:  # the failure is not of one destination
                raise

    def _done(self, reason: int) -> None:
        call, dialect, destined = self._call, self._dialect, self._list
        if self._unanswered(reason or destined.reason, FAILED if reason else destined.completion):
            return
        reply = put1_reply(call)
        if reason:
            reply.fail(reason, FAILED)
            self._call_queue.say(reply)
            return
        version = 2 if len(call.descriptor) == MD2_SIZE else 1
        reply.descriptor = from_canonical(encode(self._descriptor), dialect, version)
        if destined.completion != MQCC_FAILED:
            tell_put(reply.options, destined, dialect)
        tell_opened(reply.target, destined, dialect)
        judge(reply, destined)
        self._call_queue.say(reply)
