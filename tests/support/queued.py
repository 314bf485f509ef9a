"""Programs that use queued publish/subscribe, in a queue manager of this process."""

from typing import TypedDict, Unpack

from kew.codes.options import (
    MQGMO_WAIT,
    MQMT_REQUEST,
    MQOO_INPUT_SHARED,
    MQPER_NOT_PERSISTENT,
    MQRO_NONE,
)
from kew.formats import mqrfh, mqrfh2
from kew.formats.mqmd import MessageDescriptor
from kew.formats.mqrfh import FirstHeader
from kew.formats.mqrfh2 import RulesHeader
from kew.mqi.gets.request import Got
from kew.qmgr.manager import QueueManager

CONTROL = "SYSTEM.BROKER.CONTROL.QUEUE"
STREAM = "SYSTEM.BROKER.DEFAULT.STREAM"
WAIT = 20_000
SOON = 300  # milliseconds in which what must not come would have come


class Details(TypedDict, total=False):
    """What a command's message is like."""

    correlation_id: bytes
    persistence: int
    kind: int
    report: int


class Program:
    """A program that sends commands, and reads replies and publications."""

    def __init__(self, running: QueueManager, user: str = "", replies: str = "REPLIES") -> None:
        self.connection = running.connect("program", user)
        self.replies = replies

    def send(
        self,
        queue: str,
        data: bytes,
        format: bytes,
        correlation_id: bytes = bytes(24),
        persistence: int = MQPER_NOT_PERSISTENT,
        kind: int = MQMT_REQUEST,
        report: int = MQRO_NONE,
    ) -> bytes:
        """Put a command; gives its message id."""
        descriptor = MessageDescriptor(format=format, ccsid=1208, message_type=kind, persistence=persistence)
        descriptor.reply_to_queue = self.replies.encode()
        descriptor.correlation_id = correlation_id
        descriptor.report = report
        self.connection.put1(queue, descriptor, data)
        return descriptor.message_id

    def first(self, queue: str, text: str, body: bytes = b"", **more: Unpack[Details]) -> dict[str, str]:
        """Send a command in the first form; gives what the reply says, of several topics what it says last."""
        sent = self.send(queue, first(text, body), mqrfh.FORMAT, **more)
        reply = self.get(self.replies, sent)
        assert reply.descriptor.format == mqrfh.FORMAT
        return dict(mqrfh.decode(reply.data).pairs)

    def second(self, text: str, queue: str = CONTROL, body: bytes = b"", **more: Unpack[Details]) -> list[str]:
        """Send a command in the second form; gives the folders of the reply."""
        sent = self.send(queue, second(text, body), b"MQHRF2  ", **more)
        return mqrfh2.decode(self.get(self.replies, sent).data).folders

    def get(self, queue: str, correlation_id: bytes = b"", wait: int = WAIT) -> Got:
        """Take a message, the one that answers another if that is given."""
        handle = self.connection.open(queue, MQOO_INPUT_SHARED)
        try:
            if not correlation_id:
                return self.connection.get(handle, MQGMO_WAIT, wait)
            wanted = MessageDescriptor(correlation_id=correlation_id)
            return self.connection.get(handle, MQGMO_WAIT, wait, 2, wanted)
        finally:
            self.connection.close(handle)

    def reason(self, queue: str, text: str, **more: Unpack[Details]) -> int:
        """Send a command in the first form; gives the reason of the reply."""
        return int(self.first(queue, text, **more)["MQPSReason"])

    def publish(self, topic: str, body: bytes, options: str = "NoReg", **more: Unpack[Details]) -> int:
        """Publish in the first form; gives the reason of the reply."""
        text = f"MQPSCommand Publish MQPSTopic {mqrfh.quoted(topic)} MQPSPubOpts {options}"
        return int(self.first(STREAM, text, body, **more)["MQPSReason"])


def first(text: str, body: bytes = b"") -> bytes:
    """A message in the first form."""
    return mqrfh.encode(FirstHeader(546, 1208, b"MQSTR   ", 0, mqrfh.parse_pairs(text))) + body


def second(text: str, body: bytes = b"") -> bytes:
    """A message in the second form, of what stands in the folder psc."""
    return mqrfh2.encode(RulesHeader(546, 1208, b"MQSTR   ", folders=[f"<psc>{text}</psc>"])) + body
