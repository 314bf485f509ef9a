"""Selectors: selection strings that are parsed once and matched with any number of messages."""

from typing import Final

from kew.codes.errors import MQError
from kew.codes.reasons import MQRC_SELECTOR_ALWAYS_FALSE
from kew.formats.mqmd import LENGTH, MessageDescriptor
from kew.formats.properties import RFH2_FORMAT, Scalar
from kew.selection.fields import Fields, GivenFields, MessageFields
from kew.selection.parser import parse
from kew.selection.tree import EQUAL, FALSE, TRUE, And, Compare, Condition, Literal, Name

# Where a stored message has the format, and the header behind its descriptor the next format and NameValueCCSID.
_FORMAT: Final = 32
_NEXT_FORMAT: Final = LENGTH + 20
_TEXT_CCSID: Final = LENGTH + 32
_UTF_8: Final = ((1208).to_bytes(4, "little"), (1208).to_bytes(4, "big"))
_ESCAPED: Final = frozenset("&<>\"'")


class Selector:
    """A parsed selection string, which never changes, so handles and threads may share it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.condition: Condition = parse(text)
        # Values that certain properties must have in each selected message: an index can be searched for these.
        self.equalities: list[tuple[str, Scalar]] = []
        _find_equalities(self.condition, self.equalities)
        self._needle = _needle(self.equalities)

    def matches(self, properties: dict[str, Scalar], descriptor: MessageDescriptor) -> bool:
        """Say whether a message is selected, by its properties (`usr.` left out) and its descriptor."""
        return self.accepts(GivenFields(properties, descriptor))

    def wants(self, descriptor: MessageDescriptor, data: bytes) -> bool:
        """Say whether a message that is put is selected; its properties are in a header before its data."""
        return self.accepts(MessageFields(descriptor, data, 0))

    def wants_stored(self, content: bytes) -> bool:
        """Say whether a stored message is selected, from its descriptor and its data.

        Most messages are rejected without reading their headers: if a property must have a certain text as its value,
        that text must occur in the message.
        """
        needle = self._needle
        if needle and needle not in content and _is_plain(content):
            return False
        return self.accepts(MessageFields(None, content, LENGTH))

    def accepts(self, message: Fields) -> bool:
        """Say whether the condition is true for a message."""
        return self.condition.test(message) == TRUE


class _NoMessage(Fields):
    """A substitute for a message, which notes whether a condition uses any value of a message."""

    def __init__(self) -> None:
        self.asked = False

    def property(self, name: str) -> Scalar:
        """Give None, and note that the condition uses a property."""
        self.asked = True
        return None

    def descriptor(self) -> MessageDescriptor:
        """Give an empty descriptor, and note that the condition uses the descriptor."""
        self.asked = True
        return MessageDescriptor()


def selector_of(text: str) -> Selector | None:
    """Parse a program's selection string; a string of blanks selects every message, and gives None.

    Raises an MQError with the position of a syntax error, or if no message could ever be selected.
    """
    selector = stored_selector(text)
    if selector is not None:
        nothing = _NoMessage()
        if selector.condition.test(nothing) == FALSE and not nothing.asked:
            raise MQError(MQRC_SELECTOR_ALWAYS_FALSE, selector=text)
    return selector


def stored_selector(text: str) -> Selector | None:
    """Parse a selection string that was accepted before."""
    return Selector(text) if text.strip(" \0") else None


def _find_equalities(condition: Condition, found: list[tuple[str, Scalar]]) -> None:
    if isinstance(condition, And):
        for operand in condition.operands:
            _find_equalities(operand, found)
    elif isinstance(condition, Compare) and condition.operator == EQUAL:
        left, right = condition.left, condition.right
        if isinstance(left, Name) and isinstance(right, Literal):
            found.append((left.name, right.value))
        elif isinstance(right, Name) and isinstance(left, Literal):
            found.append((right.name, left.value))


def _needle(equalities: list[tuple[str, Scalar]]) -> bytes:
    """Give bytes that each selected message with unescaped headers contains; empty if no such bytes are known."""
    for name, value in equalities:
        if isinstance(value, str) and not name.startswith(("JMS", "Root.")) and not _ESCAPED.intersection(value):
            return value.encode("utf-8", "surrogatepass")
    return b""


def _is_plain(content: bytes) -> bool:
    """Say whether a stored message has no properties, or unescaped texts in them."""
    if content[_FORMAT : _FORMAT + 8] != RFH2_FORMAT:
        return True
    if content[_TEXT_CCSID : _TEXT_CCSID + 4] not in _UTF_8 or b"&" in content:
        return False
    return content[_NEXT_FORMAT : _NEXT_FORMAT + 8] != RFH2_FORMAT
