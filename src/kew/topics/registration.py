"""The registration of a subscription by the queued interface, and its effect on the copies of publications.

A subscription keeps its registration as text, in the form of names and values of an MQRFH, so that it is restored with
the subscription's record after a restart.
"""

from typing import Final

from kew.codes.attributes import (
    MQREGO_INCLUDE_STREAM_NAME,
    MQREGO_INFORM_IF_RETAINED,
    MQREGO_NON_PERSISTENT,
    MQREGO_PERSISTENT,
    MQREGO_PERSISTENT_AS_Q,
)
from kew.codes.options import (
    MQPER_NOT_PERSISTENT,
    MQPER_PERSISTENCE_AS_PARENT,
    MQPER_PERSISTENCE_AS_Q_DEF,
    MQPER_PERSISTENT,
)
from kew.formats.mqrfh import format_pairs, parse_pairs

AS_PUBLISHED: Final = MQPER_PERSISTENCE_AS_PARENT  # copies are as persistent as the publication
Registrant = tuple[str, str, str, bytes]  # stream, queue manager, queue, correlation id
_PERSISTENCE: Final = (
    (MQREGO_NON_PERSISTENT, MQPER_NOT_PERSISTENT),
    (MQREGO_PERSISTENT, MQPER_PERSISTENT),
    (MQREGO_PERSISTENT_AS_Q, MQPER_PERSISTENCE_AS_Q_DEF),
)


class Registration:
    """The options of a registration, and the identities that have joined it."""

    def __init__(self) -> None:
        self.form = 1  # version of the header in which it was said
        self.options = 0
        self.stream = ""
        self.prefix = ""  # the topic string that stands for the stream, blank for the default one
        self.topic = ""  # as the registrant knows it
        self.manager = ""
        self.queue = ""
        self.filter = ""  # the selection string, by which registrations differ too
        self.correlation_id = bytes(24)  # zeros where it is no part of the identity
        self.name = ""  # SubName, blank where it has none of its own
        self.identities: list[str] = []
        self.exclusive = False  # the one identity keeps others out

    def text(self) -> str:
        """Give the registration as text."""
        pairs = [
            ("Form", str(self.form)),
            ("MQPSRegOpts", str(self.options)),
            ("MQPSStreamName", self.stream),
            ("Prefix", self.prefix),
            ("MQPSTopic", self.topic),
            ("MQPSQMgrName", self.manager),
            ("MQPSQName", self.queue),
            ("Filter", self.filter),
            ("MQPSCorrelId", self.correlation_id.hex()),
            ("MQPSSubName", self.name),
            ("Exclusive", str(int(self.exclusive))),
        ]
        return format_pairs(pairs + [("MQPSSubIdentity", each) for each in self.identities])

    def same_identity(self, other: "Registration") -> bool:
        """Say whether two registrations have the same traditional identity: queue, queue manager and correlation id."""
        return self.whose() == other.whose() and (self.topic, self.filter) == (other.topic, other.filter)

    def whose(self) -> Registrant:
        """Give the identity of the registrant: stream, queue manager, queue and correlation id."""
        return self.stream, self.manager, self.queue, self.correlation_id

    def persistence(self) -> int:
        """Give the persistence of copies for the subscription."""
        for option, value in _PERSISTENCE:
            if self.options & option:
                return value
        return AS_PUBLISHED

    def tells_retained(self) -> bool:
        """Say whether copies of retained publications have the retained property."""
        return self.options & MQREGO_INFORM_IF_RETAINED != 0

    def stream_in_copies(self) -> tuple[str, str]:
        """Give the prefix to leave out of the topic in copies, and the stream name for copies (blank: none)."""
        return self.prefix, self.stream if self.options & MQREGO_INCLUDE_STREAM_NAME else ""


def registration_of(text: str) -> Registration:
    """Read the registration of a subscription from its text."""
    pairs = parse_pairs(text)
    said = dict(pairs)
    found = Registration()
    found.form = int(said["Form"])
    found.options = int(said["MQPSRegOpts"])
    found.stream = said["MQPSStreamName"]
    found.prefix = said["Prefix"]
    found.topic = said["MQPSTopic"]
    found.manager = said["MQPSQMgrName"]
    found.queue = said["MQPSQName"]
    found.filter = said["Filter"]
    found.correlation_id = bytes.fromhex(said["MQPSCorrelId"])
    found.name = said["MQPSSubName"]
    found.exclusive = said["Exclusive"] == "1"
    found.identities = [value for name, value in pairs if name == "MQPSSubIdentity"]
    return found
