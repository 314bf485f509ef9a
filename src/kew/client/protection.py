"""Message protection at the client: messages are protected before sending, and unprotected after receiving.

The queue manager sends a client of Kew the policy with the reply to MQOPEN (docs/design/message-protection.md). The
keystore is read when the first queue with a policy is opened. A message that does not meet the policy is put to
SYSTEM.PROTECTION.ERROR.QUEUE, in the program's unit of work where the get was in it, and the get fails with 2063.
"""

import os
from typing import TYPE_CHECKING, Final

from kew.client.received import Received
from kew.codes.errors import MQError
from kew.codes.options import MQAT_UNIX, MQENC_NATIVE, MQFMT_DEAD_LETTER_HEADER
from kew.codes.reasons import MQRC_SECURITY_ERROR
from kew.formats import mqdlh, mqmd
from kew.formats.binary import FormatError
from kew.formats.mqdlh import DeadLetterHeader
from kew.formats.mqmd import MessageDescriptor
from kew.protection import header, keystoreconf, policy
from kew.protection.errors import KeystoreError, Unprotectable
from kew.protection.policy import Policy

if TYPE_CHECKING:
    from kew.protection.protector import Protector

DISABLE: Final = "AMQ_DISABLE_CLIENT_AMS"  # as IBM's clients know it
ERROR_QUEUE: Final = "SYSTEM.PROTECTION.ERROR.QUEUE"
UTF_8: Final = 1208


class Protecting:
    """The protection of a connection's messages: its keystore, loaded when the first queue with a policy is opened."""

    def __init__(self) -> None:
        self.protector: Protector | None = None

    def protection(self, told: bytes) -> "QueueProtection":
        """Give the protection of a queue with a policy."""
        try:
            own = policy.decode(told)
        except FormatError as problem:
            raise MQError(MQRC_SECURITY_ERROR, why=str(problem)) from problem
        if os.environ.get(DISABLE, "").upper() in ("TRUE", "YES", "1"):
            return QueueProtection(own, None)
        if self.protector is None:
            try:
                self.protector = _load()
            except KeystoreError as problem:
                raise MQError(MQRC_SECURITY_ERROR, policy=own.name, why=str(problem)) from problem
        return QueueProtection(own, self.protector)


def _load() -> "Protector":
    from kew.protection.keystore import load  # cryptography takes a while to load, and few need it
    from kew.protection.protector import Protector

    return Protector(load(keystoreconf.read(keystoreconf.usual_path(os.environ))))


class Rejection(Exception):
    """A received message does not meet the policy."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class QueueProtection:
    """Protects and unprotects the messages of one open queue; without a protector, messages stay as they are."""

    def __init__(self, own: Policy, protector: "Protector | None") -> None:
        self.policy = own
        self._protector = protector

    @property
    def unprotects(self) -> bool:
        """True if received messages are unprotected."""
        return self._protector is not None

    def protect(self, descriptor: MessageDescriptor, data: bytes) -> bytes:
        """Give the form in which a message is sent, and set the format and encoding in its descriptor."""
        if self._protector is None:
            if header.find(descriptor.format, data) < 0:
                why = f"the queue has a policy, and {DISABLE} is set"
                raise MQError(MQRC_SECURITY_ERROR, policy=self.policy.name, why=why)
            return data
        try:
            return self._protector.protect(self.policy, descriptor, data)
        except KeystoreError as problem:
            raise MQError(MQRC_SECURITY_ERROR, policy=self.policy.name, why=str(problem)) from problem

    def unprotect(self, received: Received) -> None:
        """Turn a whole stored message into the message put; raises Rejection if it does not meet the policy."""
        assert self._protector is not None
        descriptor = received.descriptor.copy()
        try:
            data = self._protector.unprotect(self.policy, descriptor, received.data)
        except Unprotectable as problem:
            raise Rejection(str(problem)) from problem
        received.replace(descriptor, data)

    def length_of(self, received: Received) -> int:
        """Give the unprotected length of a message that was received in part; -1 if it is unknown."""
        data = received.data
        offset = header.find(received.descriptor.format, data)
        if offset < 0:
            return -1
        try:
            return offset + header.read_outer(data, offset).length
        except Unprotectable:
            return -1

    def refusal(self, rejection: Rejection, queue: str, moved: str) -> MQError:
        """Make the error for a rejected message; `moved` is the reason why the message is not on the error queue."""
        error = MQError(MQRC_SECURITY_ERROR, queue=queue, policy=self.policy.name, why=rejection.why)
        if moved:
            error.facts["not_moved"] = moved
        return error


def dead_letter(received: Received, queue: str, application: bytes) -> tuple[MessageDescriptor, bytes]:
    """Give a rejected message in the form for the error queue."""
    came = received.descriptor
    head = DeadLetterHeader(
        MQRC_SECURITY_ERROR,
        queue.encode(),
        b"",
        came.encoding,
        came.ccsid,
        came.format,
        MQAT_UNIX,
        application[:28],
        came.put_date,
        came.put_time,
    )
    dead = MessageDescriptor()
    mqmd.complete(dead, mqmd.encode(came))
    dead.persistence, dead.priority, dead.expiry = came.persistence, came.priority, came.expiry
    dead.message_id, dead.correlation_id = came.message_id, came.correlation_id
    dead.format, dead.encoding, dead.ccsid = MQFMT_DEAD_LETTER_HEADER, MQENC_NATIVE, UTF_8
    dead.report = 0
    return dead, mqdlh.encode(head) + received.data
