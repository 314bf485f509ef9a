"""The descriptor of a reply, made by the report options of its request."""

from typing import Final

from kew.codes.errors import MQError
from kew.codes.options import (
    MQMT_REPLY,
    MQRO_ACCEPT_UNSUP_IF_XMIT_MASK,
    MQRO_ACCEPT_UNSUP_MASK,
    MQRO_ACTIVITY,
    MQRO_COA_WITH_FULL_DATA,
    MQRO_COD_WITH_FULL_DATA,
    MQRO_COPY_MSG_ID_TO_CORREL_ID,
    MQRO_DISCARD_MSG,
    MQRO_EXCEPTION_WITH_FULL_DATA,
    MQRO_EXPIRATION_WITH_FULL_DATA,
    MQRO_NAN,
    MQRO_NEW_MSG_ID,
    MQRO_PAN,
    MQRO_PASS_CORREL_ID,
    MQRO_PASS_DISCARD_AND_EXPIRY,
    MQRO_PASS_MSG_ID,
)
from kew.codes.reasons import MQRC_REPORT_OPTIONS_ERROR
from kew.formats.mqmd import MessageDescriptor

# Options that ask for a report, which needs a queue to go to; each WITH_FULL_DATA has the bits of the lesser ones.
REPORTS: Final = (
    MQRO_EXCEPTION_WITH_FULL_DATA
    | MQRO_EXPIRATION_WITH_FULL_DATA
    | MQRO_COA_WITH_FULL_DATA
    | MQRO_COD_WITH_FULL_DATA
    | MQRO_PAN
    | MQRO_NAN
    | MQRO_ACTIVITY
)
KNOWN_REPORTS: Final = (
    REPORTS
    | MQRO_NEW_MSG_ID
    | MQRO_COPY_MSG_ID_TO_CORREL_ID
    | MQRO_PASS_MSG_ID
    | MQRO_PASS_CORREL_ID
    | MQRO_DISCARD_MSG
    | MQRO_PASS_DISCARD_AND_EXPIRY
)


def check_unknown(report: int, leaves: bool) -> None:
    """Refuse unknown report options, except those that MQ passes on; `leaves` means to another queue manager."""
    passed = MQRO_ACCEPT_UNSUP_MASK | MQRO_ACCEPT_UNSUP_IF_XMIT_MASK if leaves else MQRO_ACCEPT_UNSUP_MASK
    if report & ~KNOWN_REPORTS & ~passed & 0xFFFFFFFF:
        raise MQError(MQRC_REPORT_OPTIONS_ERROR, report=report)


def reply_to(request: MessageDescriptor, persistence: int | None = None) -> MessageDescriptor:
    """Give the descriptor of a reply: ids by the report options, and the request's priority, persistence and expiry."""
    report = request.report
    reply = MessageDescriptor(
        message_type=MQMT_REPLY,
        priority=request.priority,
        persistence=request.persistence if persistence is None else persistence,
    )
    if report & MQRO_PASS_MSG_ID:
        reply.message_id = request.message_id
    reply.correlation_id = request.correlation_id if report & MQRO_PASS_CORREL_ID else request.message_id
    if report & MQRO_PASS_DISCARD_AND_EXPIRY:
        reply.expiry = request.expiry
        reply.report = report & MQRO_DISCARD_MSG
    return reply
