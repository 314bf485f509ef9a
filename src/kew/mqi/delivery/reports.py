"""Report messages of the queue manager: confirmation of arrival and of delivery, expiration, exception.

A report goes to the reply-to queue of its message, in the unit of work of the put or get that causes it. The report is
put under the authority of the user in the message's context. A report that cannot be put there goes to the dead-letter
queue; if that fails too, the report is lost and the operator is notified. A failed report never fails its message.

    COA          the message is on its queue (not if that is a transmission queue, nor for a dead letter)
    COD          a program got it (not by browsing, nor for a dead letter)
    EXPIRATION   it was removed because it had expired
    EXCEPTION    it could not be delivered; with MQRO_DISCARD_MSG it does not go to the dead-letter queue either

PAN and NAN reports are sent by programs: `messages/reply.py` makes the descriptor.
"""

from typing import Final

from kew.codes.attributes import MQUS_TRANSMISSION
from kew.codes.errors import MQError
from kew.codes.options import (
    MQAT_QMGR,
    MQEI_UNLIMITED,
    MQFB_COA,
    MQFB_COD,
    MQFB_EXPIRATION,
    MQFMT_DEAD_LETTER_HEADER,
    MQFMT_MD_EXTENSION,
    MQFMT_RF_HEADER_1,
    MQFMT_RF_HEADER_2,
    MQFMT_XMIT_Q_HEADER,
    MQGMO_NO_PROPERTIES,
    MQMT_REPORT,
    MQOL_UNDEFINED,
    MQOT_Q,
    MQRO_COA,
    MQRO_COA_WITH_DATA,
    MQRO_COA_WITH_FULL_DATA,
    MQRO_COD,
    MQRO_COD_WITH_DATA,
    MQRO_COD_WITH_FULL_DATA,
    MQRO_DISCARD_MSG,
    MQRO_EXCEPTION,
    MQRO_EXCEPTION_WITH_DATA,
    MQRO_EXCEPTION_WITH_FULL_DATA,
    MQRO_EXPIRATION,
    MQRO_EXPIRATION_WITH_DATA,
    MQRO_EXPIRATION_WITH_FULL_DATA,
    MQRO_PASS_CORREL_ID,
    MQRO_PASS_DISCARD_AND_EXPIRY,
    MQRO_PASS_MSG_ID,
)
from kew.codes.reasons import MQRC_NONE, MQRC_NOT_AUTHORIZED, reason_name
from kew.formats import mqdlh, mqmde, mqxqh
from kew.formats.mqmd import MessageDescriptor
from kew.formats.properties import RFH2_FORMAT
from kew.mqi.delivery.deadletter import grave, letter
from kew.mqi.delivery.delivery import QueueDelivery, cap_expiry, refuse
from kew.mqi.delivery.destination import Destination, addressed, elsewhere, find
from kew.mqi.engine import Engine
from kew.mqi.messages.propertycontrol import apply_property_control
from kew.queues.queue import Queue
from kew.security.authority import Authority
from kew.security.rights import OUTPUT
from kew.storage.stall import Stall
from kew.storage.unit import Unit

DATA: Final = 100  # bytes of a message that a report WITH_DATA has, behind its headers
MOST_HEADERS: Final = 16

# The options that ask for each kind of report: without data, with some data, with all data.
_ASKED: Final = {
    MQFB_COA: (MQRO_COA, MQRO_COA_WITH_DATA, MQRO_COA_WITH_FULL_DATA),
    MQFB_COD: (MQRO_COD, MQRO_COD_WITH_DATA, MQRO_COD_WITH_FULL_DATA),
    MQFB_EXPIRATION: (MQRO_EXPIRATION, MQRO_EXPIRATION_WITH_DATA, MQRO_EXPIRATION_WITH_FULL_DATA),
}
_EXCEPTION: Final = (MQRO_EXCEPTION, MQRO_EXCEPTION_WITH_DATA, MQRO_EXCEPTION_WITH_FULL_DATA)
# Headers of a fixed length, with the offset of the format that follows; RFH and RFH2 have their own length in them.
_FIXED: Final = {
    MQFMT_DEAD_LETTER_HEADER: (mqdlh.LENGTH, 116),
    MQFMT_MD_EXTENSION: (mqmde.LENGTH, 20),
}
_MEASURED: Final = (MQFMT_RF_HEADER_1, MQFMT_RF_HEADER_2)


def confirms_arrival(queue: Queue, descriptor: MessageDescriptor) -> bool:
    """Say whether the put of a message to a queue is to be confirmed."""
    if not descriptor.report & MQRO_COA or descriptor.format in (MQFMT_DEAD_LETTER_HEADER, MQFMT_XMIT_Q_HEADER):
        return False
    return queue.definition.get("USAGE") != MQUS_TRANSMISSION


def confirms_delivery(descriptor: MessageDescriptor) -> bool:
    """Say whether the get of a message is to be confirmed."""
    return descriptor.report & MQRO_COD != 0 and descriptor.format != MQFMT_DEAD_LETTER_HEADER


def asked_for(report: int, feedback: int) -> bool:
    """Say whether the report options of a message request the report with a feedback code."""
    return report & _ASKED.get(feedback, _EXCEPTION)[0] != 0


def _payload(message: MessageDescriptor, data: bytes, feedback: int) -> bytes:
    _plain, some, full = _ASKED.get(feedback, _EXCEPTION)
    if message.report & full == full:
        return data
    if message.report & some == some:
        return data[: _headers(message, data) + DATA]
    return b""


def _headers(message: MessageDescriptor, data: bytes) -> int:
    """Give the length of the headers at the beginning of a message."""
    name, place = message.format, 0
    order = "little" if message.encoding & 15 == 2 else "big"
    for _ in range(MOST_HEADERS):
        if name == MQFMT_XMIT_Q_HEADER:
            length, following = mqxqh.LENGTH, 104 + 32
        elif name in _FIXED:
            length, following = _FIXED[name]
        elif name in _MEASURED and place + 36 <= len(data):
            length, following = int.from_bytes(data[place + 8 : place + 12], order), 20  # type: ignore[arg-type]
        else:
            break
        if length < 32 or place + length > len(data):
            break
        name = data[place + following : place + following + 8]
        place += length
    return place


def report_of(
    engine: Engine, message: MessageDescriptor, data: bytes, feedback: int
) -> tuple[MessageDescriptor, bytes]:
    """Make the report on a message."""
    passes = message.report & MQRO_PASS_DISCARD_AND_EXPIRY
    engine.clock.now()
    report = MessageDescriptor(
        report=message.report & MQRO_DISCARD_MSG if passes else 0,
        message_type=MQMT_REPORT,
        expiry=message.expiry if passes else MQEI_UNLIMITED,
        feedback=feedback,
        encoding=message.encoding,
        ccsid=message.ccsid,
        format=message.format,
        priority=message.priority,
        persistence=message.persistence,
        message_id=message.message_id if message.report & MQRO_PASS_MSG_ID else engine.ids.next(),
        correlation_id=message.correlation_id if message.report & MQRO_PASS_CORREL_ID else message.message_id,
        reply_to_queue_manager=engine.name.encode().ljust(48),
        user_identifier=message.user_identifier,
        accounting_token=message.accounting_token,
        application_identity_data=message.application_identity_data,
        put_application_type=MQAT_QMGR,
        put_application_name=engine.name.encode()[:28].ljust(28),
        put_date=engine.clock.date,
        put_time=engine.clock.time,
        group_id=message.group_id,
        sequence_number=message.sequence_number,
        offset=message.offset,
        message_flags=message.message_flags,
        original_length=len(data) if message.original_length == MQOL_UNDEFINED else message.original_length,
    )
    payload = _payload(message, data, feedback)
    if not payload and report.format == RFH2_FORMAT:
        apply_property_control(
            MQGMO_NO_PROPERTIES, 0, report, data
        )  # properties are not data: the format is that of the body behind them
    return report, payload


class UserLookup(Stall):
    """The stall of a report whose user's groups are not known yet: they are looked up outside the engine lock."""

    def __init__(self, authority: Authority, user: str) -> None:
        super().__init__(f"the groups of {user} are to be looked up")
        self._authority = authority
        self._user = user

    def resolve(self) -> None:
        """Look up the groups of the user in the operating system."""
        self._authority.groups_of(self._user)


class ReportDelivery:
    """The delivery of a report: to its queue, else to the dead-letter queue, else it is lost."""

    def __init__(
        self, engine: Engine, descriptor: MessageDescriptor, data: bytes, queue: str, manager: str, unit: Unit | None
    ) -> None:
        self.engine = engine
        self.descriptor = descriptor
        self.data = data
        self.queue = queue
        self.manager = manager
        self.unit = unit
        self.user: str | None = None  # user whose authority the put has; None: the queue manager's own
        self.reason = MQRC_NONE  # why it did not go to its queue
        self.done = False
        self._delivery: QueueDelivery | None = None

    def step(self) -> bool:
        """Take a step; says whether the report is sent, or lost. May stall, and is then called again."""
        while not self.done:
            try:
                if self._delivery is None:
                    self._delivery = self._begin()
                if not self._delivery.step():
                    return False
                self.done = True
                self._delivery.announce()
            except MQError as error:
                self._delivery = None
                if self.reason != MQRC_NONE:
                    self.done = True
                    self._lost(error.reason)
                self.reason = error.reason
        return True

    def _begin(self) -> QueueDelivery:
        engine = self.engine
        descriptor, data = self.descriptor, self.data
        if self.reason == MQRC_NONE:
            destination = self._destination()
        else:
            destination = grave(engine)
            descriptor, data = letter(engine, descriptor, data, self.queue, self.manager or engine.name, self.reason)
        descriptor, data = addressed(engine, destination, descriptor, data)
        return deliver(engine, destination, descriptor, data, self.unit)

    def _destination(self) -> Destination:
        authority = self.engine.authority
        if self.user is not None and not authority.knows(self.user):
            raise UserLookup(authority, self.user)
        name = self.queue
        if elsewhere(self.engine, self.manager):
            name = find(self.engine, self.queue, self.manager).queue.name  # it is the transmission queue that counts
        if self.user is not None and not authority.allows(self.user, MQOT_Q, name, OUTPUT):
            raise MQError(MQRC_NOT_AUTHORIZED, user=self.user, object=name)
        return find(self.engine, self.queue, self.manager)

    def _lost(self, reason: int) -> None:
        names = (self.queue, reason_name(self.reason), reason_name(reason))
        self.engine.notices.tell("CSQM902W", (self.reason, reason), names)

    def abandon(self) -> None:
        """Abandon the report between two steps."""
        if self._delivery is not None and not self.done:
            self._delivery.abandon()


def deliver(
    engine: Engine, destination: Destination, descriptor: MessageDescriptor, data: bytes, unit: Unit | None
) -> QueueDelivery:
    """Begin the delivery of a complete message to a destination; refused as a put would be."""
    queue = destination.queue
    if queue.expiry_cap >= 0 or destination.expiry_cap >= 0:
        descriptor = descriptor.copy()
        cap_expiry(descriptor, queue.expiry_cap)
        cap_expiry(descriptor, destination.expiry_cap)
    delivery = QueueDelivery(engine, queue, descriptor, data, unit)
    refuse(engine, queue, len(data), delivery.persistent)
    return delivery


def report(engine: Engine, message: MessageDescriptor, data: bytes, feedback: int, unit: Unit | None) -> ReportDelivery:
    """Begin to send the report on a message."""
    descriptor, payload = report_of(engine, message, data, feedback)
    queue, manager = (
        name.rstrip(b" \0").decode("ascii", "replace")
        for name in (message.reply_to_queue, message.reply_to_queue_manager)
    )
    sending = ReportDelivery(engine, descriptor, payload, queue, manager, unit)
    sending.user = message.user_identifier.rstrip(b" \0").decode("utf-8", "replace")
    return sending


def undeliverable(
    engine: Engine,
    message: MessageDescriptor,
    data: bytes,
    queue: str,
    manager: str,
    reason: int,
    unit: Unit | None,
) -> list[ReportDelivery]:
    """Give the messages to send when a message cannot be delivered: its exception report, and the dead letter."""
    sendings: list[ReportDelivery] = []
    if asked_for(message.report, reason):
        sendings.append(report(engine, message, data, reason, unit))
        if message.report & MQRO_DISCARD_MSG:
            return sendings
    burial = ReportDelivery(engine, message, data, queue, manager, unit)
    burial.reason = reason
    sendings.append(burial)
    return sendings
