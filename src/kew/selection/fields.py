"""The names in selection strings: properties, fields of the descriptor (Root.MQMD.x), and JMS's names for some.

A name without a dot is a property of the folder `usr`; one with a dot says its folder. JMS's own names are synonyms for
properties of the folders `jms` and `mcd` or, where a message lacks the property, for fields of the descriptor.
"""

import calendar
from abc import abstractmethod
from typing import Final

from kew.codes.options import MQEI_UNLIMITED, MQPER_PERSISTENT
from kew.formats.binary import FormatError
from kew.formats.mqmd import MessageDescriptor, decode_stored
from kew.formats.properties import MOST_HEADERS, RFH2_FORMAT, USER, Folder, Header, Scalar, header_at

_NO_ID: Final = bytes(24)
_FORMAT: Final = 32  # in a stored descriptor, eight bytes
DESCRIPTOR: Final = "Root.MQMD."

# Field of the descriptor -> attribute.
_TEXTS: Final = {
    "Format": "format",
    "ReplyToQ": "reply_to_queue",
    "ReplyToQMgr": "reply_to_queue_manager",
    "UserIdentifier": "user_identifier",
    "ApplIdentityData": "application_identity_data",
    "PutApplName": "put_application_name",
    "PutDate": "put_date",
    "PutTime": "put_time",
    "ApplOriginData": "application_origin_data",
}
_NUMBERS: Final = {
    "Report": "report",
    "MsgType": "message_type",
    "Expiry": "expiry",
    "Feedback": "feedback",
    "Encoding": "encoding",
    "CodedCharSetId": "ccsid",
    "Priority": "priority",
    "Persistence": "persistence",
    "BackoutCount": "backout_count",
    "PutApplType": "put_application_type",
    "MsgSeqNumber": "sequence_number",
    "Offset": "offset",
    "MsgFlags": "message_flags",
    "OriginalLength": "original_length",
}
_BYTES: Final = {
    "MsgId": "message_id",
    "CorrelId": "correlation_id",
    "AccountingToken": "accounting_token",
    "GroupId": "group_id",
}
DESCRIPTOR_FIELDS: Final = {**_TEXTS, **_NUMBERS, **_BYTES}

# JMS's or MQ's name of a property -> the folder and name under which a message has it.
SYNONYMS: Final = {
    "JMSCorrelationID": "jms.Cid",
    "JMSDestination": "jms.Dst",
    "JMSExpiration": "jms.Exp",
    "JMSReplyTo": "jms.Rto",
    "JMSTimestamp": "jms.Tms",
    "JMSType": "mcd.Type",
    "JMSXGroupID": "jms.Gid",
    "JMSXGroupSeq": "jms.Seq",
    "MQTopicString": "mqps.Top",
    "MQSubUserData": "mqps.Sud",
    "MQIsRetained": "mqps.Ret",
}


# JMS's names that a descriptor can answer.
JMS_FIELDS: Final = frozenset(
    (
        "JMSCorrelationID",
        "JMSDeliveryMode",
        "JMSExpiration",
        "JMSMessageID",
        "JMSPriority",
        "JMSRedelivered",
        "JMSReplyTo",
        "JMSTimestamp",
        "JMSXAppID",
        "JMSXDeliveryCount",
        "JMSXGroupID",
        "JMSXGroupSeq",
        "JMSXUserID",
    )
)


def is_known(name: str) -> bool:
    """Say whether a name that begins with Root.MQMD. is a field of the descriptor."""
    return name.removeprefix(DESCRIPTOR) in DESCRIPTOR_FIELDS


class Fields:
    """The named values of a message: properties and fields of the descriptor."""

    def value(self, name: str) -> Scalar:
        """Give the value of a name; None if the message does not have it."""
        if name.startswith("JMS"):
            return self._of_jms(name)
        if name.startswith(DESCRIPTOR):
            return descriptor_field(self.descriptor(), name.removeprefix(DESCRIPTOR))
        return self.property(name)

    @abstractmethod
    def property(self, name: str) -> Scalar:
        """Give the value of a property."""

    @abstractmethod
    def descriptor(self) -> MessageDescriptor:
        """Give the message's descriptor."""

    def _of_jms(self, name: str) -> Scalar:
        synonym = SYNONYMS.get(name)
        if synonym is not None:
            found = self.property(synonym)
            if found is not None:
                return found
        if name in JMS_FIELDS:
            return jms_field(self.descriptor(), name)
        return self.property(name) if synonym is None else None


class GivenFields(Fields):
    """The values of a message whose properties were read already."""

    def __init__(self, properties: dict[str, Scalar], descriptor: MessageDescriptor) -> None:
        self._properties = properties
        self._descriptor = descriptor

    def property(self, name: str) -> Scalar:
        """Give the value of a property."""
        return self._properties.get(name)

    def descriptor(self) -> MessageDescriptor:
        """Give the descriptor."""
        return self._descriptor


class MessageFields(Fields):
    """The values of a message as it is put or stored; each header is read once, and only if it is needed."""

    def __init__(self, descriptor: MessageDescriptor | None, content: bytes, start: int) -> None:
        # Without a descriptor the content begins with a stored one, and data at `start`.
        self._descriptor = descriptor
        self._content = content
        self._start = start
        self._headers: list[Header] | None = None
        self._folders: dict[str, dict[str, Scalar]] = {}

    def descriptor(self) -> MessageDescriptor:
        """Give the descriptor, which is decoded at the first call."""
        descriptor = self._descriptor
        if descriptor is None:
            descriptor = decode_stored(self._content, 0)
            self._descriptor = descriptor
        return descriptor

    def property(self, name: str) -> Scalar:
        """Give the value of a property; headers that cannot be read hold none."""
        folder, dot, _ = name.partition(".")
        if not dot:
            folder = USER
        values = self._folders.get(folder)
        if values is None:
            values = self._read(folder)
            self._folders[folder] = values
        return values.get(name)

    def _read(self, folder: str) -> dict[str, Scalar]:
        headers = self._headers
        if headers is None:
            headers = self._find_headers()
            self._headers = headers
        values: dict[str, Scalar] = {}
        for header in headers:
            for each in header.folders:
                if each.name == folder and each.holds_properties:
                    _read_folder(each, values)
        return values

    def _find_headers(self) -> list[Header]:
        found: list[Header] = []
        content = self._content
        descriptor = self._descriptor
        format = content[_FORMAT : _FORMAT + 8] if descriptor is None else descriptor.format
        offset = self._start
        try:
            while format == RFH2_FORMAT and len(found) < MOST_HEADERS:
                header = header_at(content, offset)
                found.append(header)
                offset += header.length
                format = header.format
        except FormatError:
            pass  # what stands before it counts
        return found


def _read_folder(folder: Folder, values: dict[str, Scalar]) -> None:
    """Add a folder's properties; of those with one name the first counts. A folder that cannot be read has none."""
    try:
        found = folder.properties()
    except FormatError:
        return
    for item in found:
        if item.name not in values:
            values[item.name] = item.value


def descriptor_field(descriptor: MessageDescriptor, field: str) -> Scalar:
    """Give a field of the descriptor: numbers, texts without their padding, and bytes."""
    attribute = DESCRIPTOR_FIELDS.get(field)
    if attribute is None:
        return None
    value = getattr(descriptor, attribute)
    if isinstance(value, int):
        return value
    assert isinstance(value, bytes)
    if field in _BYTES:
        return value
    return value.rstrip(b" \0").decode("utf-8", "replace")


def jms_field(descriptor: MessageDescriptor, name: str) -> Scalar:
    """Give a field of the descriptor by JMS's name for it."""
    if name == "JMSPriority":
        return descriptor.priority
    if name == "JMSDeliveryMode":
        return "PERSISTENT" if descriptor.persistence == MQPER_PERSISTENT else "NON_PERSISTENT"
    if name == "JMSMessageID":
        return "ID:" + descriptor.message_id.hex()
    if name == "JMSCorrelationID":
        return _as_id(descriptor.correlation_id)
    if name == "JMSXGroupID":
        return _as_id(descriptor.group_id)
    if name == "JMSXGroupSeq":
        return None if descriptor.group_id == _NO_ID else descriptor.sequence_number
    if name == "JMSRedelivered":
        return descriptor.backout_count > 0
    if name == "JMSXDeliveryCount":
        return descriptor.backout_count + 1
    if name == "JMSXUserID":
        return descriptor_field(descriptor, "UserIdentifier")
    if name == "JMSXAppID":
        return descriptor_field(descriptor, "PutApplName")
    if name == "JMSReplyTo":
        return _reply_to(descriptor)
    put = _put_at(descriptor)
    if name == "JMSTimestamp":
        return put
    if descriptor.expiry == MQEI_UNLIMITED:  # JMSExpiration
        return 0
    return None if put is None else put + descriptor.expiry * 100


def _as_id(value: bytes) -> Scalar:
    return None if value == _NO_ID else "ID:" + value.hex()


def _reply_to(descriptor: MessageDescriptor) -> Scalar:
    queue = descriptor.reply_to_queue.rstrip(b" \0").decode("utf-8", "replace")
    manager = descriptor.reply_to_queue_manager.rstrip(b" \0").decode("utf-8", "replace")
    return f"queue://{manager}/{queue}" if queue else None


def _put_at(descriptor: MessageDescriptor) -> int | None:
    """Give the time of the put, in milliseconds since 1970."""
    date, time = descriptor.put_date, descriptor.put_time
    if len(date) != 8 or len(time) != 8 or not (date + time).isdigit():
        return None
    year, month, day = int(date[:4]), int(date[4:6]), int(date[6:])
    if year < 1970 or not 1 <= month <= 12 or not 1 <= day <= 31:
        return None
    seconds = calendar.timegm((year, month, day, int(time[:2]), int(time[2:4]), int(time[4:6])))
    return seconds * 1000 + int(time[6:]) * 10
