"""Puts and gets of both packages: text, descriptors, properties, headers, lengths."""

from typing import Any, Final

from kew.codes.attributes import MQPROP_FORCE_MQRFH2
from kew.codes.completion import MQCC_WARNING
from kew.codes.errors import MQError
from kew.codes.options import (
    MQENC_NATIVE,
    MQFMT_STRING,
    MQGMO_ACCEPT_TRUNCATED_MSG,
    MQGMO_NO_PROPERTIES,
    MQGMO_PROPERTIES_COMPATIBILITY,
    MQGMO_PROPERTIES_FORCE_MQRFH2,
    MQGMO_PROPERTIES_IN_HANDLE,
    MQPMO_MD_FOR_OUTPUT_ONLY,
)
from kew.codes.reasons import (
    MQRC_BUFFER_LENGTH_ERROR,
    MQRC_GMO_ERROR,
    MQRC_HMSG_ERROR,
    MQRC_MD_ERROR,
    MQRC_PMO_ERROR,
    MQRC_TRUNCATED_MSG_ACCEPTED,
    MQRC_TRUNCATED_MSG_FAILED,
)
from kew.codes.structures import MQGMO_VERSION_4, MQHM_NONE, MQPMO_VERSION_3
from kew.faces import properties
from kew.faces.face import Face
from kew.faces.verbs import Message, Verbs
from kew.formats.binary import FormatError
from kew.mqi.messages.messagehandles import MessageHandle

ANY_LENGTH: Final = -1
_HANDLES: Final = (MQHM_NONE, -1)
_PROPERTIES: Final = (
    MQGMO_PROPERTIES_FORCE_MQRFH2 | MQGMO_NO_PROPERTIES | MQGMO_PROPERTIES_IN_HANDLE | MQGMO_PROPERTIES_COMPATIBILITY
)


def prepared(msg: Any, md: Any, encoding: str, ccsid: int) -> bytes:
    """Give the bytes of a message; text is encoded, and the descriptor says so."""
    if isinstance(msg, bytes):
        return msg
    if isinstance(msg, str):
        md.CodedCharSetId = ccsid
        md.Format = MQFMT_STRING
        return msg.encode(encoding)
    raise TypeError(f"Message type is {type(msg)}. Convert to bytes.")


def put(verbs: Verbs, target: Any, md: Any, pmo: Any, data: bytes) -> None:
    """Put to a handle, or with MQPUT1 to an object descriptor."""
    if md.Version not in (1, 2):
        raise MQError(MQRC_MD_ERROR, version=md.Version)
    if not 1 <= pmo.Version <= MQPMO_VERSION_3:
        raise MQError(MQRC_PMO_ERROR, version=pmo.Version)
    try:
        if pmo.Version >= MQPMO_VERSION_3 and (pmo.OriginalMsgHandle or pmo.NewMsgHandle):
            _put_with_properties(verbs, target, md, pmo, data)
        elif isinstance(target, int):
            verbs.put(target, md, pmo, data)
        else:
            verbs.put1(target, md, pmo, data)
    except FormatError as problem:
        raise MQError(MQRC_MD_ERROR, why=str(problem)) from problem


def _put_with_properties(verbs: Verbs, target: Any, md: Any, pmo: Any, data: bytes) -> None:
    original = 0 if pmo.OriginalMsgHandle in _HANDLES else pmo.OriginalMsgHandle
    new = 0 if pmo.NewMsgHandle in _HANDLES else pmo.NewMsgHandle
    found = properties.to_be_put(pmo.Action, original, new)
    options = pmo.Options
    if options & MQPMO_MD_FOR_OUTPUT_ONLY:
        properties.fill_descriptor(md, original, new)
    before = (md.Format, md.CodedCharSetId, md.Encoding)
    data = properties.write(md, data, found)
    pmo.Options = options & ~MQPMO_MD_FOR_OUTPUT_ONLY
    try:
        if isinstance(target, int):
            verbs.put(target, md, pmo, data)
        else:
            verbs.put1(target, md, pmo, data)
    finally:
        pmo.Options = options
        md.Format, md.CodedCharSetId, md.Encoding = before


def get(verbs: Verbs, handle: int, md: Any, gmo: Any, length: int) -> Message:
    """Get a message; its properties go into the message handle of the options, if there is one.

    The queue manager leaves them in their header then; without a handle it decides by PROPCTL.
    """
    if md.Version not in (1, 2):
        raise MQError(MQRC_MD_ERROR, version=md.Version)
    if not 1 <= gmo.Version <= MQGMO_VERSION_4:
        raise MQError(MQRC_GMO_ERROR, version=gmo.Version)
    options = gmo.Options
    into = handle_of(verbs, handle, gmo)
    if into is None:
        return verbs.get(handle, md, gmo, length)
    gmo.Options = in_header(options)
    try:
        if options & MQGMO_ACCEPT_TRUNCATED_MSG:
            return _cut(without_properties(verbs.get(handle, md, gmo, ANY_LENGTH), md, into), length)
        return _get_fitting(verbs, handle, md, gmo, length, into)
    finally:
        gmo.Options = options


def handle_of(verbs: Verbs, handle: int, gmo: Any) -> MessageHandle | None:
    """Give the message handle that takes properties, emptied; None if there is none."""
    options: int = gmo.Options
    number = gmo.MsgHandle if gmo.Version >= MQGMO_VERSION_4 else MQHM_NONE
    if not number or number in _HANDLES:
        if options & MQGMO_PROPERTIES_IN_HANDLE:
            raise MQError(MQRC_HMSG_ERROR, handle=number)
        return None
    into = properties.handle(number)
    into.clear()
    asked = options & _PROPERTIES
    if asked & (MQGMO_PROPERTIES_FORCE_MQRFH2 | MQGMO_NO_PROPERTIES):
        return None
    return into if asked or verbs.property_control(handle) != MQPROP_FORCE_MQRFH2 else None


def in_header(options: int) -> int:
    """Give the options of a get that leave properties in their header, for the program's side to read."""
    return options & ~_PROPERTIES | MQGMO_PROPERTIES_FORCE_MQRFH2


def _get_fitting(verbs: Verbs, handle: int, md: Any, gmo: Any, length: int, into: MessageHandle) -> Message:
    """Get a message whose body fits, whatever the length of its properties; a longer one stays on the queue."""
    wanted = dict(md.__dict__)
    room = length
    while True:
        message = verbs.get(handle, md, gmo, room)
        if message.reason != MQRC_TRUNCATED_MSG_FAILED:
            return without_properties(message, md, into)
        needed = length + properties.header_length(md, message.data)
        if needed <= room:
            message.data = properties.read(md, message.data, into)[:length]
            return message
        room = needed
        md.__dict__.update(wanted)


def without_properties(message: Message, md: Any, into: MessageHandle) -> Message:
    """Give the message without its properties, which go into a handle."""
    before = len(message.data)
    message.data = properties.read(md, message.data, into)
    message.length -= before - len(message.data)
    return message


def _cut(message: Message, length: int) -> Message:
    if 0 <= length < len(message.data):
        message.data = message.data[:length]
        message.reason = MQRC_TRUNCATED_MSG_ACCEPTED
    return message


def read(face: Face, verbs: Verbs, handle: int, md: Any, gmo: Any, max_length: int | None) -> bytes:
    """Get a message for a program; a warning is raised, with the message in it."""
    length = max_length
    if length is None:
        length = 0 if gmo.Options & MQGMO_ACCEPT_TRUNCATED_MSG else ANY_LENGTH
    try:
        if max_length is not None and max_length < 0:
            raise MQError(MQRC_BUFFER_LENGTH_ERROR, length=max_length)
        message = get(verbs, handle, md, gmo, length)
    except MQError as error:
        face.fail(error, message=b"", original_length=0)
    if message.reason:
        raise face.mqi_error(MQCC_WARNING, message.reason, message=message.data, original_length=message.length)
    return message.data


def with_headers(msg: Any, opts: tuple[Any, ...]) -> Any:
    """Give the message behind the MQRFH2 headers, which are the third of the options."""
    if len(opts) < 3 or opts[2] is None:
        return msg
    if not isinstance(opts[2], list):
        raise TypeError("Third item of opts should be a list.")
    encoding = MQENC_NATIVE if opts[0] is None else opts[0]["Encoding"]
    packed = b""
    for header in opts[2]:
        if header is not None:
            packed += header.pack(encoding)
            encoding = header["Encoding"]
    return packed + msg
