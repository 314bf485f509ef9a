"""Message handles: MQSETMP, MQINQMP, MQDLTMP, MQBUFMH and MQMHBUF, and the two handles of a put.

A handle holds properties in order, a cursor to the last one inquired, and the descriptor of a message that was got:
Root.MQMD.x names a field of it, and JMS's own names are synonyms for fields and for properties of the folders `jms` and
`mcd`. `formats/properties.py` writes and reads the folders.
"""

from typing import Final

from kew.codes.errors import MQError
from kew.codes.options import (
    MQACTP_FORWARD,
    MQACTP_NEW,
    MQACTP_REPLY,
    MQACTP_REPORT,
    MQBMHO_DELETE_PROPERTIES,
    MQCMHO_NO_VALIDATION,
    MQCMHO_VALIDATE,
    MQCOPY_ALL,
    MQCOPY_DEFAULT,
    MQCOPY_FORWARD,
    MQCOPY_PUBLISH,
    MQCOPY_REPLY,
    MQCOPY_REPORT,
    MQDMPO_DEL_PROP_UNDER_CURSOR,
    MQIMPO_CONVERT_TYPE,
    MQIMPO_CONVERT_VALUE,
    MQIMPO_INQ_NEXT,
    MQIMPO_INQ_PROP_UNDER_CURSOR,
    MQMHBO_DELETE_PROPERTIES,
    MQMHBO_PROPERTIES_IN_MQRFH2,
    MQPD_NO_CONTEXT,
    MQPD_SUPPORT_OPTIONAL,
    MQPD_SUPPORT_REQUIRED,
    MQPD_SUPPORT_REQUIRED_IF_LOCAL,
    MQPD_USER_CONTEXT,
    MQSMPO_APPEND_PROPERTY,
    MQSMPO_SET_FIRST,
    MQSMPO_SET_PROP_AFTER_CURSOR,
    MQSMPO_SET_PROP_BEFORE_CURSOR,
    MQSMPO_SET_PROP_UNDER_CURSOR,
    MQTYPE_AS_SET,
    MQTYPE_BOOLEAN,
    MQTYPE_BYTE_STRING,
    MQTYPE_FLOAT32,
    MQTYPE_INT32,
    MQTYPE_NULL,
    MQTYPE_STRING,
    MQVL_NULL_TERMINATED,
)
from kew.codes.reasons import (
    MQRC_ACTION_ERROR,
    MQRC_CMHO_ERROR,
    MQRC_DMPO_ERROR,
    MQRC_IMPO_ERROR,
    MQRC_MHBO_ERROR,
    MQRC_PD_ERROR,
    MQRC_PROP_CONV_NOT_SUPPORTED,
    MQRC_PROP_NUMBER_FORMAT_ERROR,
    MQRC_PROPERTY_NAME_ERROR,
    MQRC_PROPERTY_NAME_LENGTH_ERR,
    MQRC_PROPERTY_NOT_AVAILABLE,
    MQRC_PROPERTY_TYPE_ERROR,
    MQRC_PROPERTY_VALUE_TOO_BIG,
    MQRC_RFH_FORMAT_ERROR,
    MQRC_SMPO_ERROR,
    MQRC_UNSUPPORTED_PROPERTY,
)
from kew.formats.binary import FormatError
from kew.formats.mqmd import MessageDescriptor
from kew.formats.properties import (
    FLOATS,
    KINDS,
    USER,
    Framed,
    Property,
    Scalar,
    single,
    take_apart,
    text_of,
    with_properties,
    without_properties,
)
from kew.formats.propertynames import is_name
from kew.selection.fields import DESCRIPTOR, DESCRIPTOR_FIELDS, JMS_FIELDS, SYNONYMS, descriptor_field, jms_field
from kew.selection.lexer import KEYWORDS

MAX_NAME: Final = 4095  # MQ_MAX_PROPERTY_NAME_LENGTH
_SETTABLE: Final = frozenset(("JMSCorrelationID", "JMSReplyTo", "JMSType", "JMSXGroupID", "JMSXGroupSeq"))
_INQUIRIES: Final = MQIMPO_CONVERT_TYPE | MQIMPO_CONVERT_VALUE | MQIMPO_INQ_NEXT | MQIMPO_INQ_PROP_UNDER_CURSOR
_PLACES: Final = (
    MQSMPO_SET_FIRST,
    MQSMPO_SET_PROP_UNDER_CURSOR,
    MQSMPO_SET_PROP_AFTER_CURSOR,
    MQSMPO_SET_PROP_BEFORE_CURSOR,
    MQSMPO_APPEND_PROPERTY,
)
_SUPPORTS: Final = (MQPD_SUPPORT_OPTIONAL, MQPD_SUPPORT_REQUIRED_IF_LOCAL, MQPD_SUPPORT_REQUIRED)
_COPIES: Final = MQCOPY_FORWARD | MQCOPY_PUBLISH | MQCOPY_REPLY | MQCOPY_REPORT
# Action of a put -> the copy option with which a property of the original message is copied.
_COPIED: Final = {MQACTP_FORWARD: MQCOPY_FORWARD, MQACTP_REPLY: MQCOPY_REPLY, MQACTP_REPORT: MQCOPY_REPORT}


class Description:
    """The fields of a property descriptor (MQPD)."""

    def __init__(
        self,
        support: int = MQPD_SUPPORT_OPTIONAL,
        context: int = MQPD_NO_CONTEXT,
        copies: int = MQCOPY_DEFAULT,
        options: int = 0,
    ) -> None:
        good = context in (MQPD_NO_CONTEXT, MQPD_USER_CONTEXT) and (copies == MQCOPY_ALL or not copies & ~_COPIES)
        if options or support not in _SUPPORTS or not good:
            raise MQError(MQRC_PD_ERROR, support=support, context=context, copy_options=copies, options=options)
        self.support = support
        self.context = context
        self.copies = copies


def plain(name: bytes | str) -> str:
    """Give the name under which a property is kept: without the folder `usr`, and with JMS's synonyms replaced."""
    try:
        text = name.decode("utf-8") if isinstance(name, bytes) else name
    except UnicodeDecodeError as problem:
        raise MQError(MQRC_PROPERTY_NAME_ERROR, name=name) from problem
    text = text.rstrip("\0 ").removeprefix(USER + ".")
    return SYNONYMS.get(text, text)


class MessageHandle:
    """The properties of one message."""

    def __init__(self, options: int = 0) -> None:
        if options & ~(MQCMHO_NO_VALIDATION | MQCMHO_VALIDATE) or options == MQCMHO_NO_VALIDATION | MQCMHO_VALIDATE:
            raise MQError(MQRC_CMHO_ERROR, options=options)
        self.validates = options != MQCMHO_NO_VALIDATION
        self.items: list[Property] = []
        self.cursor: int = -1
        self.descriptor: MessageDescriptor | None = None  # of the message that was got into it
        self.fields: dict[str, Scalar] = {}  # of the descriptor, set as Root.MQMD.x

    def clear(self) -> None:
        """Delete all properties."""
        self.items.clear()
        self.cursor = -1
        self.descriptor = None
        self.fields.clear()

    def find(self, name: str) -> int:
        """Give the index of a property; -1 if there is none."""
        for place, item in enumerate(self.items):
            if item.name == name:
                return place
        return -1

    # MQSETMP.

    def set(
        self,
        name: bytes | str,
        value: Scalar,
        kind: int,
        length: int = MQVL_NULL_TERMINATED,
        options: int = MQSMPO_SET_FIRST,
        description: Description | None = None,
    ) -> None:
        """MQSETMP: make or change a property."""
        if options not in _PLACES:
            raise MQError(MQRC_SMPO_ERROR, options=options)
        kept = self._checked_name(name)
        item = Property(kept, kind, _checked(value, kind, length))
        if kept.startswith(DESCRIPTOR):
            self.fields[kept.removeprefix(DESCRIPTOR)] = item.value
            return
        if description is not None:
            item.support, item.context = description.support, description.context
            item.copies = description.copies
        cursor = self.cursor
        if options not in (MQSMPO_SET_FIRST, MQSMPO_APPEND_PROPERTY) and not 0 <= cursor < len(self.items):
            raise MQError(MQRC_PROPERTY_NOT_AVAILABLE, name=kept)
        if options == MQSMPO_SET_PROP_UNDER_CURSOR:
            self.items[cursor] = item
        elif options == MQSMPO_SET_PROP_AFTER_CURSOR:
            self.items.insert(cursor + 1, item)
        elif options == MQSMPO_SET_PROP_BEFORE_CURSOR:
            self.items.insert(cursor, item)
            self.cursor += 1
        else:
            place = -1 if options == MQSMPO_APPEND_PROPERTY else self.find(kept)
            if place < 0:
                self.items.append(item)
            else:
                self.items[place] = item if description is not None else item.like(self.items[place])

    def _checked_name(self, name: bytes | str) -> str:
        said = name.decode("utf-8", "replace") if isinstance(name, bytes) else name
        said = said.rstrip("\0 ")
        kept = plain(name)
        if len(kept.encode("utf-8", "replace")) > MAX_NAME:
            raise MQError(MQRC_PROPERTY_NAME_LENGTH_ERR, length=len(kept))
        if not is_name(kept):
            raise MQError(MQRC_PROPERTY_NAME_ERROR, name=kept)
        if kept.startswith(DESCRIPTOR):
            if kept.removeprefix(DESCRIPTOR) not in DESCRIPTOR_FIELDS:
                raise MQError(MQRC_PROPERTY_NAME_ERROR, name=kept)
            return kept
        if self.validates:
            reserved = said.startswith(("JMS", "usr.JMS")) and said not in _SETTABLE
            keyword = kept.upper() in KEYWORDS
            own = kept[:2].lower() == "mq" and not kept.startswith("mq_usr") and kept.count(".") > 1
            if reserved or keyword or own or kept.startswith(("Body.", "Root.")):
                raise MQError(MQRC_PROPERTY_NAME_ERROR, name=said)
        for item in self.items:
            mixed = item.name.startswith(kept + ".") or kept.startswith(item.name + ".")
            if mixed and "." in item.name and "." in kept:  # the property `a` and the folder `a` are different things
                raise MQError(MQRC_PROPERTY_NAME_ERROR, name=kept, mixed_with=item.name)
        return kept

    # MQINQMP.

    def inquire(self, name: bytes | str, options: int, kind: int = MQTYPE_AS_SET) -> Property:
        """MQINQMP: give a property by its name, or the first or next one that matches a name with % at its end."""
        if options & ~_INQUIRIES or (options & MQIMPO_INQ_NEXT and options & MQIMPO_INQ_PROP_UNDER_CURSOR):
            raise MQError(MQRC_IMPO_ERROR, options=options)
        asked = plain(name)
        if options & MQIMPO_INQ_PROP_UNDER_CURSOR:
            place = self.cursor
        elif asked.endswith("%"):
            place = self._fitting(name, asked, self.cursor + 1 if options & MQIMPO_INQ_NEXT else 0)
        elif options & MQIMPO_INQ_NEXT:
            place = self._named(asked, self.cursor + 1)
        else:
            place = self.find(asked)
        if 0 <= place < len(self.items):
            self.cursor = place
            found = self.items[place]
        else:
            found = self._of_descriptor(name, asked)
        if kind in (MQTYPE_AS_SET, found.kind):
            return found
        if not options & MQIMPO_CONVERT_TYPE:
            raise MQError(MQRC_PROPERTY_TYPE_ERROR, name=found.name)
        return Property(found.name, kind, _converted(found, kind)).like(found)

    def _named(self, name: str, start: int) -> int:
        for place in range(start, len(self.items)):
            if self.items[place].name == name:
                return place
        return -1

    def _fitting(self, name: bytes | str, asked: str, start: int) -> int:
        said = name.decode("utf-8", "replace") if isinstance(name, bytes) else name
        users = said.startswith(USER + ".")
        prefix = asked.removesuffix("%")
        for place in range(start, len(self.items)):
            item = self.items[place].name
            if item.startswith(prefix) and not (users and "." in item):
                return place
        return -1

    def _of_descriptor(self, name: bytes | str, asked: str) -> Property:
        """Give a field of the descriptor, by its name or by JMS's name for it."""
        value: Scalar = None
        said = name.decode("utf-8") if isinstance(name, bytes) else name
        said = said.rstrip("\0 ")
        field = asked.removeprefix(DESCRIPTOR) if asked.startswith(DESCRIPTOR) else ""
        if field in self.fields:
            value = self.fields[field]
        elif self.descriptor is not None and field:
            value = descriptor_field(self.descriptor, field)
        elif self.descriptor is not None and said in JMS_FIELDS:
            value = jms_field(self.descriptor, said)
        if value is None:
            raise MQError(MQRC_PROPERTY_NOT_AVAILABLE, name=asked)
        return Property(said, _kind_of(value), value)

    # MQDLTMP.

    def delete(self, name: bytes | str, options: int) -> None:
        """MQDLTMP: delete a property."""
        if options & ~MQDMPO_DEL_PROP_UNDER_CURSOR:
            raise MQError(MQRC_DMPO_ERROR, options=options)
        asked = plain(name)
        if not options and self.fields.pop(asked.removeprefix(DESCRIPTOR), None) is not None:
            return
        place = self.cursor if options else self.find(asked)
        if not 0 <= place < len(self.items):
            raise MQError(MQRC_PROPERTY_NOT_AVAILABLE, name=asked)
        del self.items[place]
        if self.cursor == place:
            self.cursor = -1
        elif self.cursor > place:
            self.cursor -= 1

    # MQBUFMH and MQMHBUF.

    def take(self, message: Framed, options: int = 0) -> Framed:
        """MQBUFMH: copy the properties of a message to the handle, and delete them from the message on request."""
        try:
            carried = take_apart(message.format, message.ccsid, message.encoding, message.data)
        except FormatError as problem:
            raise MQError(MQRC_RFH_FORMAT_ERROR, why=str(problem)) from problem
        self.clear()
        self.items.extend(carried.properties)
        if not options & MQBMHO_DELETE_PROPERTIES:
            return message
        return without_properties(carried, message.ccsid, message.encoding)

    def written(self, message: Framed, options: int, order: str, name: str = "%") -> Framed:
        """MQMHBUF: give the message behind a header with the properties whose names match."""
        if not options & MQMHBO_PROPERTIES_IN_MQRFH2:
            raise MQError(MQRC_MHBO_ERROR, options=options)
        chosen: list[Property] = []
        left: list[Property] = []
        for place, item in enumerate(self.items):
            fits = self._fitting(name, plain(name), place) == place if name.endswith("%") else item.name == plain(name)
            (chosen if fits else left).append(item)
        result = with_properties(chosen, message, order, message.encoding)
        if options & MQMHBO_DELETE_PROPERTIES:
            self.items[:] = left
            self.cursor = -1
        return result


def combined(action: int, original: MessageHandle | None, new: MessageHandle | None) -> list[Property]:
    """Give the properties of a message that is put: those of the original message, changed by those of the new handle.

    A property of the new handle replaces the one with its name; a property of type MQTYPE_NULL deletes it.
    """
    copied = _COPIED.get(action)
    if copied is None and action != MQACTP_NEW:
        raise MQError(MQRC_ACTION_ERROR, action=action)
    result: list[Property] = []
    said = frozenset([item.name for item in new.items]) if new is not None else frozenset()
    if original is not None:
        for item in original.items:
            goes = copied is None or item.copies == MQCOPY_ALL or item.copies & copied
            if goes and item.name not in said:
                result.append(item)
    if new is not None:
        for item in new.items:
            if item.kind != MQTYPE_NULL or original is None:
                result.append(item)
    for item in result:
        if item.support != MQPD_SUPPORT_OPTIONAL:
            raise MQError(MQRC_UNSUPPORTED_PROPERTY, name=item.name)
    return result


def fit(found: Property, room: int) -> None:
    """Refuse a value that does not fit the program's buffer."""
    if found.length() > room and (found.kind in (MQTYPE_STRING, MQTYPE_BYTE_STRING) or room > 0):
        raise MQError(MQRC_PROPERTY_VALUE_TOO_BIG, name=found.name, length=found.length())


# Values.


def _kind_of(value: Scalar) -> int:
    if isinstance(value, bool):
        return MQTYPE_BOOLEAN
    if isinstance(value, int):
        return MQTYPE_INT32 if -(1 << 31) <= value < 1 << 31 else MQTYPE_INT32 << 1
    return MQTYPE_BYTE_STRING if isinstance(value, bytes) else MQTYPE_STRING


def _checked(value: Scalar, kind: int, length: int) -> Scalar:
    if kind not in KINDS:
        raise MQError(MQRC_PROPERTY_TYPE_ERROR, type=kind)
    if kind == MQTYPE_NULL:
        return None
    if kind == MQTYPE_STRING:
        if not isinstance(value, str | bytes):
            raise TypeError(f"a property of type MQTYPE_STRING is str or bytes, not {type(value).__name__}")
        text = value.encode("utf-8") if isinstance(value, str) else value
        text = text.partition(b"\0")[0] if length < 0 else text[:length]
        return text.decode("utf-8", "replace")
    if kind == MQTYPE_BYTE_STRING:
        if not isinstance(value, bytes | bytearray):
            raise TypeError(f"a property of type MQTYPE_BYTE_STRING is bytes, not {type(value).__name__}")
        return bytes(value) if length < 0 else bytes(value)[:length]
    if kind == MQTYPE_BOOLEAN:
        return bool(value)
    return _number(value, kind)


def _number(value: Scalar, kind: int) -> int | float:
    try:
        if kind in FLOATS:
            if not isinstance(value, int | float):
                raise ValueError(value)
            return single(value) if kind == MQTYPE_FLOAT32 else float(value)
        if value is None or isinstance(value, bytes) or (isinstance(value, float) and not value.is_integer()):
            raise ValueError(value)
        width: int = KINDS[kind][1]
        return int.from_bytes(int(value).to_bytes(width, "little", signed=True), "little", signed=True)
    except (ValueError, OverflowError) as problem:
        raise MQError(MQRC_PROP_NUMBER_FORMAT_ERROR, value=value) from problem


def _converted(found: Property, kind: int) -> Scalar:
    value = found.value
    if found.kind == MQTYPE_NULL or kind == MQTYPE_NULL or kind not in KINDS:
        raise MQError(MQRC_PROP_CONV_NOT_SUPPORTED, name=found.name)
    if kind == MQTYPE_STRING:
        return ("TRUE" if value else "FALSE") if isinstance(value, bool) else text_of(found)
    if found.kind == MQTYPE_BYTE_STRING or kind == MQTYPE_BYTE_STRING:
        raise MQError(MQRC_PROP_CONV_NOT_SUPPORTED, name=found.name)
    if kind == MQTYPE_BOOLEAN:
        return value.lower() in ("true", "1") if isinstance(value, str) else bool(value)
    if isinstance(value, str):
        try:
            value = float(value) if kind in FLOATS else int(value)
        except ValueError as problem:
            raise MQError(MQRC_PROP_NUMBER_FORMAT_ERROR, name=found.name, value=value) from problem
    return _number(value, kind)
