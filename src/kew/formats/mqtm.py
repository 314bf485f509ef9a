"""The trigger message, MQTM, and its character form MQTMC2, which a started program gets as its argument.

offset 0 StrucId 'TM  '   4 Version 1   8 QName 48   56 ProcessName 48   104 TriggerData 64   168 ApplType
     172 ApplId 256     428 EnvData 128     556 UserData 128     684 end

MQTMC2: StrucId 'TMC ', Version '   2', ApplType four characters that stay blank, and 684 QMgrName 48   732 end
"""

from dataclasses import dataclass
from typing import Final

from kew.formats.binary import LITTLE, FormatError, Reader, Writer, version_order

LENGTH: Final = 684
LENGTH_CHARACTER: Final = 732


@dataclass
class TriggerMessage:
    """The fields of a trigger message; only the character form, MQTMC2, has the queue manager's name."""

    queue: bytes = b""
    process: bytes = b""
    trigger_data: bytes = b""
    application_type: int = 0
    application_id: bytes = b""
    environment_data: bytes = b""
    user_data: bytes = b""
    queue_manager: bytes = b""


def encode(message: TriggerMessage, order: str = LITTLE) -> bytes:
    """Encode the MQTM, the 684 bytes that the queue manager puts on the initiation queue."""
    writer = Writer("MQTM", order)
    writer.raw(b"TM  ")
    writer.i32(1, "Version")
    writer.text(message.queue, 48, "QName")
    writer.text(message.process, 48, "ProcessName")
    writer.text(message.trigger_data, 64, "TriggerData")
    writer.i32(message.application_type, "ApplType")
    writer.text(message.application_id, 256, "ApplId")
    writer.text(message.environment_data, 128, "EnvData")
    writer.text(message.user_data, 128, "UserData")
    return bytes(writer.out)


def decode(data: bytes, offset: int = 0) -> TriggerMessage:
    """Decode the MQTM at an offset, in either byte order; character fields keep their padding."""
    order = version_order("MQTM", b"TM  ", (1,), data, offset)
    reader = Reader("MQTM", data, offset, offset + LENGTH, order)
    reader.need(LENGTH, "the trigger message")
    reader.take(8, "StrucId and Version")
    return TriggerMessage(
        reader.take(48, "QName"),
        reader.take(48, "ProcessName"),
        reader.take(64, "TriggerData"),
        reader.i32("ApplType"),
        reader.take(256, "ApplId"),
        reader.take(128, "EnvData"),
        reader.take(128, "UserData"),
    )


def encode_character(message: TriggerMessage) -> bytes:
    """Encode the MQTMC2, the 732 bytes of the character form."""
    writer = Writer("MQTMC2", LITTLE)
    writer.raw(b"TMC    2")
    writer.text(message.queue, 48, "QName")
    writer.text(message.process, 48, "ProcessName")
    writer.text(message.trigger_data, 64, "TriggerData")
    writer.raw(b"    ")
    writer.text(message.application_id, 256, "ApplId")
    writer.text(message.environment_data, 128, "EnvData")
    writer.text(message.user_data, 128, "UserData")
    writer.text(message.queue_manager, 48, "QMgrName")
    return bytes(writer.out)


def decode_character(data: bytes, offset: int = 0) -> TriggerMessage:
    """Decode the MQTMC2 at an offset; the character form lacks the application type."""
    reader = Reader("MQTMC2", data, offset, offset + LENGTH_CHARACTER, LITTLE)
    reader.need(LENGTH_CHARACTER, "the trigger message")
    head = reader.take(8, "StrucId and Version")
    if head != b"TMC    2":
        raise FormatError("MQTMC2", offset, f"expected StrucId 'TMC ' and version '   2', found {head!r}")
    queue = reader.take(48, "QName")
    process = reader.take(48, "ProcessName")
    trigger_data = reader.take(64, "TriggerData")
    reader.take(4, "ApplType")
    return TriggerMessage(
        queue,
        process,
        trigger_data,
        0,
        reader.take(256, "ApplId"),
        reader.take(128, "EnvData"),
        reader.take(128, "UserData"),
        reader.take(48, "QMgrName"),
    )
