"""The words of a script of verbs: options and fields by MQ's names, and data as replies show it."""

import re

from kew.codes import attributes as attribute_codes
from kew.codes import options as option_codes
from kew.formats import mqmde, mqrfh2, mqtm, mqxqh
from kew.formats.mqmd import MessageDescriptor

MOST_SHOWN = 60
IDS = ("msgid", "correlid", "groupid")
FIELDS = {
    "report": "report",
    "msgtype": "message_type",
    "expiry": "expiry",
    "feedback": "feedback",
    "encoding": "encoding",
    "ccsid": "ccsid",
    "format": "format",
    "priority": "priority",
    "persistence": "persistence",
    "msgid": "message_id",
    "correlid": "correlation_id",
    "backoutcount": "backout_count",
    "replytoq": "reply_to_queue",
    "replytoqmgr": "reply_to_queue_manager",
    "useridentifier": "user_identifier",
    "accountingtoken": "accounting_token",
    "applidentitydata": "application_identity_data",
    "putappltype": "put_application_type",
    "putapplname": "put_application_name",
    "putdate": "put_date",
    "puttime": "put_time",
    "applorigindata": "application_origin_data",
    "groupid": "group_id",
    "msgseqnumber": "sequence_number",
    "offset": "offset",
    "msgflags": "message_flags",
    "originallength": "original_length",
}
PREFIXES = {
    "report": "MQRO_",
    "msgtype": "MQMT_",
    "persistence": "MQPER_",
    "msgflags": "MQMF_",
    "putappltype": "MQAT_",
    "ccsid": "MQCCSI_",
}


def code(prefix: str, name: str) -> int:
    """Give the value of one of MQ's constants, named without its prefix."""
    full = prefix + name.upper()
    value = getattr(option_codes, full, None)
    if value is None:
        value = getattr(attribute_codes, full)
    assert isinstance(value, int), full
    return value


def codes(prefix: str, names: str) -> int:
    """Give several options in one, `a,b` or `a+b`; a number stands for itself."""
    total = 0
    for name in re.split("[,+]", names):
        total |= int(name, 0) if name[0] in "0123456789-" else code(prefix, name)
    return total


def pattern(length: int) -> bytes:
    """Data that is known by its length."""
    return (b"0123456789" * (length // 10 + 1))[:length]


def shown(data: bytes) -> str:
    """Data as a reply shows it."""
    if len(data) > MOST_SHOWN and data == pattern(len(data)):
        return f"size={len(data)}"
    if data[:4] == b"RFH " and len(data) > 4:
        rules = mqrfh2.decode(data)
        return "".join(rules.folders) + " " + shown(data[mqrfh2.encoded_length(data) :])
    if data.startswith(b"TM  "):
        return _trigger(data)
    if data.startswith(b"XQH ") and len(data) >= mqxqh.LENGTH:
        return _in_transit(data)
    return '"' + data.decode("utf-8", "backslashreplace") + '"'


def _in_transit(data: bytes) -> str:
    """A message on a transmission queue as a reply shows it: where it goes, then the message."""
    header = mqxqh.decode(data)
    rest = data[mqxqh.LENGTH :]
    where = f"{header.remote_queue.rstrip().decode()}@{header.remote_queue_manager.rstrip().decode()}"
    if not rest.startswith(b"MDE "):
        return f"MQXQH {where} {shown(rest)}"
    extension = mqmde.decode(rest)
    place = f"MQMDE format {extension.format.rstrip().decode()} seq {extension.sequence_number}"
    place += f" offset {extension.offset} flags {extension.message_flags}"
    return f"MQXQH {where} {place} {shown(rest[mqmde.LENGTH :])}"


def _trigger(data: bytes) -> str:
    """A trigger message as a reply shows it: what is blank is left out."""
    message = mqtm.decode(data)
    fields = {
        "queue": message.queue,
        "process": message.process,
        "data": message.trigger_data,
        "applid": message.application_id,
        "env": message.environment_data,
        "user": message.user_data,
    }
    words = [f"{key}={value.rstrip().decode()}" for key, value in fields.items() if value.rstrip()]
    return " ".join(["MQTM", *words])


class Arguments:
    """The words of a call after the names: options, and fields with their values."""

    def __init__(self, words: list[str], names: dict[str, bytes]) -> None:
        self.names = names
        self.options: list[str] = []
        self.values: dict[str, str] = {}
        for word in words:
            key, equals, value = word.partition("=")
            if equals:
                self.values[key] = value
            else:
                self.options.append(word)

    def code(self, prefix: str) -> int:
        """Give the options as one number."""
        total = 0
        for option in self.options:
            total |= codes(prefix, option)
        return total

    def descriptor(self, start: MessageDescriptor | None = None) -> MessageDescriptor:
        """Give a descriptor with the fields that were named."""
        descriptor = start or MessageDescriptor()
        for key, value in self.values.items():
            field = FIELDS.get(key)
            if field is not None:
                setattr(descriptor, field, self._value(key, field, value))
        return descriptor

    def _value(self, key: str, field: str, value: str) -> int | bytes:
        if key in IDS:
            return self.names[value] if value in self.names else value.encode().ljust(24, b"\0")
        if isinstance(getattr(MessageDescriptor(), field), int):
            return codes(PREFIXES.get(key, ""), value)
        return value.encode()
