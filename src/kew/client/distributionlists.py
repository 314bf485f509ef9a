"""Distribution lists: one call opens several queues, and one call puts a message to all of them."""

from functools import partial

from kew.channels.protocol.dialect import CLIENT_DIALECT
from kew.channels.protocol.distribution import (
    put_fields,
    put_responses_of,
    responses_of,
    set_destinations,
    set_put_fields,
)
from kew.channels.protocol.options import PutOptions
from kew.channels.protocol.structures import ObjectDescriptor
from kew.client import requests
from kew.client.blocking import Connection, Queue
from kew.codes.completion import MQCC_WARNING
from kew.codes.errors import MQError
from kew.codes.reasons import MQRC_MULTIPLE_REASONS
from kew.formats.mqmd import MessageDescriptor
from kew.formats.mqpmr import PutRecord

Answers = list[tuple[int, int]]  # completion and reason at each destination


class DistributionList(Queue):
    """An open distribution list; `answers` has the outcome of the latest call at each destination."""

    answers: Answers

    def put_to_all(
        self,
        data: bytes,
        descriptor: MessageDescriptor | None = None,
        *,
        syncpoint: bool = False,
        fields: int = 0,
        records: list[PutRecord] | None = None,
        options: PutOptions | None = None,
    ) -> PutOptions:
        """Put a message to all destinations; gives the put options, which have the number of destinations reached.

        Records give the first destinations the fields that `fields` (MQPMRF_*) names; afterwards the records have the
        ids that were used. If a destination does not get the message, the call ends with MQRC_MULTIPLE_REASONS, which
        is a warning while other destinations have it.
        """
        options = options if options is not None else requests.put_options(syncpoint, False)
        given = records if records is not None else []
        set_put_fields(options, len(self.answers), fields, given, CLIENT_DIALECT)
        failure: MQError | None = None
        try:
            self.put(data, descriptor, options=options)
        except MQError as error:
            failure = error
        reason = failure.reason if failure is not None else 0
        completion = failure.completion if failure is not None else 0
        self.answers = _told(put_responses_of(options, CLIENT_DIALECT).answers, completion, reason)
        for record, used in zip(given, put_fields(options, CLIENT_DIALECT), strict=False):
            record.message_id, record.correlation_id, record.group_id = (
                used.message_id,
                used.correlation_id,
                used.group_id,
            )
        if failure is not None:
            raise failure
        return options


def open_list(connection: Connection, queues: list[str], options: int) -> DistributionList:
    """Open several queues as one list; `answers` shows which could not be opened.

    If none could be opened, the error has the answers among its facts.
    """
    target = ObjectDescriptor()
    set_destinations(target, [(queue, "") for queue in queues], CLIENT_DIALECT)
    try:
        found = connection.do(*connection.opening_as(partial(DistributionList, connection), target, options))
    except MQError as error:
        error.facts["answers"] = _told(responses_of(target, CLIENT_DIALECT).answers, error.completion, error.reason)
        raise
    opened = found.opened.target
    answers = responses_of(opened, CLIENT_DIALECT).answers
    completion = MQCC_WARNING if opened.invalid else 0
    found.answers = _told(answers, completion, MQRC_MULTIPLE_REASONS if completion else 0)
    return found


def _told(answers: Answers, completion: int, reason: int) -> Answers:
    """Give the outcome of each destination; the records have outcomes only where these differ."""
    return answers if reason == MQRC_MULTIPLE_REASONS else [(completion, reason)] * len(answers)
