"""Properties of a publication's copy: its topic, the user data of the subscription, and whether it was retained.

PSPROP of the subscription says where these properties are:

    MSGPROP   message properties, in the folder mqps of an MQRFH2: Top, Sud and Ret (MQTopicString, MQSubUserData and
              MQIsRetained); a publication that has such a header gets the folder added to it
    RFH2      the folder psc of an MQRFH2 before the data, as message brokers have it
    COMPAT    an MQRFH of version 1 before the data
    NONE      nowhere

A publisher of the queued interface may give further names and values. These are in the header too; a folder has only
those whose names are valid names of elements.

For a registration for a stream other than the default one, the topic is given without the stream's own topic string.

The header of a copy depends on few values, which are the same from one publication to the next, so it is made once and
kept with the topic.
"""

from struct import Struct
from typing import Final
from xml.sax.saxutils import escape

from kew.codes.attributes import MQPSPROP_COMPAT, MQPSPROP_MSGPROP, MQPSPROP_NONE
from kew.codes.options import MQENC_NATIVE
from kew.formats import charset, mqrfh, mqrfh2
from kew.formats.binary import LITTLE
from kew.formats.mqmd import MessageDescriptor
from kew.formats.mqrfh import FirstHeader
from kew.formats.mqrfh2 import RulesHeader
from kew.formats.properties import RFH2_FORMAT

RFH_FORMAT: Final = mqrfh.FORMAT
_MOST_REMEMBERED: Final = 100
_LENGTH: Final = Struct("<i")
_LENGTH_OFFSET: Final = 8
_TEXT_CCSID_OFFSET: Final = 32

Stream = tuple[str, str]
Key = tuple[int, str, bool, bytes, int, int, Stream, str]


class CopyProperties:
    """The headers of the copies of publications on one topic."""

    def __init__(self, topic: str) -> None:
        self.topic = topic
        self._headers: dict[Key, bytes] = {}

    def marked(
        self,
        copy: MessageDescriptor,
        data: bytes,
        properties: int,
        user_data: str,
        retained: bool,
        stream: Stream = ("", ""),
        further: str = "",
    ) -> bytes:
        """Give the data of a copy behind its header; the descriptor's format is changed to match."""
        if properties == MQPSPROP_NONE:
            return data
        if properties == MQPSPROP_MSGPROP and copy.format == RFH2_FORMAT and _can_be_extended(data):
            return _extended(data, self._folder(user_data, retained))
        key = (properties, user_data, retained, copy.format, copy.ccsid, copy.encoding, stream, further)
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
        properties, user_data, retained, format, ccsid, encoding, stream, further = key
        if properties == MQPSPROP_COMPAT:
            return self._first_version(key)
        header = RulesHeader(encoding, ccsid, format, name_value_ccsid=charset.UTF_8)
        if properties == MQPSPROP_MSGPROP:
            header.folders = [self._folder(user_data, retained)]
        else:
            option = "<PubOpt>IsRetainedPub</PubOpt>" if retained else ""
            said = f"<SubUserData>{escape(user_data)}</SubUserData>" if user_data else ""
            for name, value in mqrfh.parse_pairs(further):
                plain = name.removeprefix("MQPS")
                if mqrfh2.is_name(plain):
                    said += f"<{plain}>{escape(value)}</{plain}>"
            topic = escape(self._topic_below(stream[0]))
            header.folders = [f"<psc><Command>Publish</Command>{option}<Topic>{topic}</Topic>{said}</psc>"]
        return mqrfh2.encode(header, LITTLE)

    def _topic_below(self, prefix: str) -> str:
        """Give the topic string without the prefix of its stream."""
        return self.topic.removeprefix(prefix + "/") if prefix else self.topic

    def _folder(self, user_data: str, retained: bool) -> str:
        said = f"<Sud>{escape(user_data)}</Sud>" if user_data else ""
        kept = "<Ret dt='boolean'>1</Ret>" if retained else ""
        return f"<mqps><Top>{escape(self.topic)}</Top>{said}{kept}</mqps>"

    def _first_version(self, key: Key) -> bytes:
        _properties, user_data, retained, format, ccsid, encoding, stream, further = key
        pairs = [("MQPSCommand", "Publish")]
        if retained:
            pairs.append(("MQPSPubOpts", "IsRetainedPub"))
        pairs.append(("MQPSTopic", self._topic_below(stream[0])))
        if stream[1]:
            pairs.append(("MQPSStreamName", stream[1]))
        if user_data:
            pairs.append(("MQPSSubUserData", user_data))
        pairs += mqrfh.parse_pairs(further)
        return mqrfh.encode(FirstHeader(encoding, ccsid, format, 0, pairs), LITTLE)


def _can_be_extended(data: bytes) -> bool:
    """Say whether data begin with an MQRFH2 in Kew's byte order and character set, to which a folder can be added."""
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
