"""What a subscriber's copy says of the publication: the topic, the subscription's user data, whether it was retained.

Where it says so is PSPROP of the subscription:

    MSGPROP   message properties, in the folder mqps of an MQRFH2: Top, Sud and Ret (MQTopicString, MQSubUserData and
              MQIsRetained); a publication that has such a header gets the folder added to it
    RFH2      the folder psc of an MQRFH2 before the data, as message brokers have it
    COMPAT    an MQRFH of version 1 before the data
    NONE      nowhere

    MQRFH   offset 0 StrucId 'RFH '  4 Version 1  8 StrucLength  12 Encoding  16 CodedCharSetId  20 Format 8  28 Flags
            32 names and values as text, with blanks to a multiple of 4

The header of a copy depends on few things, which are the same from one publication to the next, so it is made once and
remembered with the topic.
"""

from struct import Struct
from typing import Final
from xml.sax.saxutils import escape

from kew.codes.attributes import MQPSPROP_COMPAT, MQPSPROP_MSGPROP, MQPSPROP_NONE
from kew.codes.options import MQENC_NATIVE
from kew.formats import charset, mqrfh2
from kew.formats.binary import LITTLE
from kew.formats.mqmd import MessageDescriptor
from kew.formats.mqrfh2 import RulesHeader
from kew.formats.properties import RFH2_FORMAT

RFH_FORMAT: Final = b"MQHRF   "
_MOST_REMEMBERED: Final = 100
_RFH: Final = Struct("<4siiii8si")
_LENGTH: Final = Struct("<i")
_LENGTH_OFFSET: Final = 8
_TEXT_CCSID_OFFSET: Final = 32

Key = tuple[int, str, bool, bytes, int, int]


class Marks:
    """The headers of copies of publications on one topic."""

    def __init__(self, topic: str) -> None:
        self.topic = topic
        self._headers: dict[Key, bytes] = {}

    def marked(self, copy: MessageDescriptor, data: bytes, properties: int, user_data: str, retained: bool) -> bytes:
        """Give the data of a copy with what it says before it; the descriptor is brought into line."""
        if properties == MQPSPROP_NONE:
            return data
        if properties == MQPSPROP_MSGPROP and copy.format == RFH2_FORMAT and _can_be_extended(data):
            return _extended(data, self._folder(user_data, retained))
        key = (properties, user_data, retained, copy.format, copy.ccsid, copy.encoding)
        header = self._headers.get(key)
        if header is None:
            if len(self._headers) >= _MOST_REMEMBERED:
                self._headers.clear()
            header = self._made(key)
            self._headers[key] = header
        copy.format = RFH_FORMAT if properties == MQPSPROP_COMPAT else RFH2_FORMAT
        copy.ccsid = charset.UTF_8
        copy.encoding = MQENC_NATIVE
        return header + data

    def _made(self, key: Key) -> bytes:
        properties, user_data, retained, format, ccsid, encoding = key
        if properties == MQPSPROP_COMPAT:
            return self._first_version(user_data, retained, format, ccsid, encoding)
        header = RulesHeader(encoding, ccsid, format, name_value_ccsid=charset.UTF_8)
        if properties == MQPSPROP_MSGPROP:
            header.folders = [self._folder(user_data, retained)]
        else:
            option = "<PubOpt>IsRetainedPub</PubOpt>" if retained else ""
            said = f"<SubUserData>{escape(user_data)}</SubUserData>" if user_data else ""
            header.folders = [f"<psc><Command>Publish</Command>{option}<Topic>{escape(self.topic)}</Topic>{said}</psc>"]
        return mqrfh2.encode(header, LITTLE)

    def _folder(self, user_data: str, retained: bool) -> str:
        said = f"<Sud>{escape(user_data)}</Sud>" if user_data else ""
        kept = "<Ret dt='boolean'>1</Ret>" if retained else ""
        return f"<mqps><Top>{escape(self.topic)}</Top>{said}{kept}</mqps>"

    def _first_version(self, user_data: str, retained: bool, format: bytes, ccsid: int, encoding: int) -> bytes:
        option = " MQPSPubOpts IsRetainedPub" if retained else ""
        said = f" MQPSSubUserData {_quoted(user_data)}" if user_data else ""
        text = f"MQPSCommand Publish{option} MQPSTopic {_quoted(self.topic)}{said}".encode()
        text = text.ljust((len(text) + 3) & ~3)
        return _RFH.pack(b"RFH ", 1, _RFH.size + len(text), encoding, ccsid, format, 0) + text


def _quoted(text: str) -> str:
    """Give a value as an MQRFH has it: in quotation marks, those within doubled, if it has blanks or such marks."""
    if text and " " not in text and '"' not in text:
        return text
    return '"' + text.replace('"', '""') + '"'


def _can_be_extended(data: bytes) -> bool:
    """Say whether data begin with an MQRFH2 of our byte order and character set, to which a folder can be added."""
    if data[:8] != b"RFH \2\0\0\0" or len(data) < mqrfh2.LENGTH_FIXED:
        return False
    length: int = _LENGTH.unpack_from(data, _LENGTH_OFFSET)[0]
    text_ccsid: int = _LENGTH.unpack_from(data, _TEXT_CCSID_OFFSET)[0]
    return mqrfh2.LENGTH_FIXED <= length <= len(data) and text_ccsid == charset.UTF_8


def _extended(data: bytes, folder: str) -> bytes:
    length: int = _LENGTH.unpack_from(data, _LENGTH_OFFSET)[0]
    text = folder.encode()
    text = text.ljust((len(text) + 3) & ~3)
    added = _LENGTH.pack(len(text)) + text
    total = _LENGTH.pack(length + len(added))
    return data[:_LENGTH_OFFSET] + total + data[_LENGTH_OFFSET + 4 : length] + added + data[length:]
