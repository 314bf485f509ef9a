"""A selector: a selection string that was read, to be asked of messages as often as one likes."""

from kew.formats.mqmd import LENGTH, MessageDescriptor
from kew.formats.properties import Scalar
from kew.selection.fields import Fields, GivenFields, MessageFields
from kew.selection.parser import parse
from kew.selection.tree import EQUAL, TRUE, And, Compare, Condition, Literal, Name


class Selector:
    """What a selection string asks of a message. It never changes, so handles and threads may share it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.condition: Condition = parse(text)
        # Values that certain properties must have, whatever else is asked: what an index can be asked for.
        self.equalities: list[tuple[str, Scalar]] = []
        _find_equalities(self.condition, self.equalities)

    def matches(self, properties: dict[str, Scalar], descriptor: MessageDescriptor) -> bool:
        """Say whether a message is wanted, from its properties (those of users without `usr.`) and its descriptor."""
        return self.accepts(GivenFields(properties, descriptor))

    def wants(self, descriptor: MessageDescriptor, data: bytes) -> bool:
        """Say whether a message is wanted that is being put: its properties are in a header before its data."""
        return self.accepts(MessageFields(descriptor, data, 0))

    def wants_stored(self, content: bytes) -> bool:
        """Say whether a message is wanted as it is stored, its descriptor before its data."""
        return self.accepts(MessageFields(None, content, LENGTH))

    def accepts(self, message: Fields) -> bool:
        """Say whether the whole is true of a message."""
        return self.condition.test(message) == TRUE


def selector_of(text: str) -> Selector | None:
    """Read a selection string; blanks alone select everything. MQError says what cannot be read, and where."""
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
