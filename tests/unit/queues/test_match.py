"""What a get asks for, asked of a descriptor as it was put and as it is stored: both say the same."""

from itertools import product

import pytest

from kew.formats.mqmd import MessageDescriptor, encode
from kew.queues.match import Match

ONE, OTHER = b"1" * 24, b"2" * 24
MESSAGE = MessageDescriptor(message_id=ONE, correlation_id=ONE, group_id=ONE, sequence_number=3, offset=40)


def asked(field: str, wanted: bytes | int) -> Match:
    """A match that asks for one thing."""
    match = Match(**{field: wanted}) if isinstance(wanted, bytes) else Match()
    if isinstance(wanted, int):
        match.place(wanted if field == "sequence_number" else -1, wanted if field == "offset" else -1)
    return match


def accepts(match: Match) -> bool:
    """Ask both ways."""
    stored = b"before it" + encode(MESSAGE)
    assert match.accepts(MESSAGE) == match.accepts_stored(stored, 9)
    return match.accepts(MESSAGE)


@pytest.mark.parametrize(
    ("field", "right", "wrong"),
    [
        ("message_id", ONE, OTHER),
        ("correlation_id", ONE, OTHER),
        ("group_id", ONE, OTHER),
        ("sequence_number", 3, 4),
        ("offset", 40, 0),
    ],
)
def test_a_message_fits_if_what_is_asked_for_is_the_same(field: str, right: bytes | int, wrong: bytes | int) -> None:
    assert accepts(asked(field, right))
    assert not accepts(asked(field, wrong))


def test_all_that_is_asked_for_must_be_the_same() -> None:
    assert accepts(Match())
    for ids in product((ONE, OTHER), repeat=3):
        for sequence_number, offset in product((3, 4), (40, 0)):
            match = Match(*ids)
            match.place(sequence_number, offset)
            assert accepts(match) == (ids == (ONE, ONE, ONE) and (sequence_number, offset) == (3, 40))
