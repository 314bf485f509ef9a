"""The state tables of units of work: what they allow happens, and nothing else does."""

import pytest

from kew.storage.unit import (
    BACKED_OUT,
    BEGIN,
    COMMITTED,
    IN_BACKOUT,
    IN_COMMIT,
    IN_DOUBT,
    IN_FLIGHT,
    STATE_NAMES,
    IllegalMove,
    Unit,
)

STATES = (BEGIN, IN_FLIGHT, IN_DOUBT, IN_COMMIT, COMMITTED, IN_BACKOUT, BACKED_OUT)
LEGAL = {
    (BEGIN, IN_FLIGHT),
    (IN_FLIGHT, IN_COMMIT),
    (IN_FLIGHT, IN_BACKOUT),
    (IN_FLIGHT, IN_DOUBT),
    (IN_DOUBT, IN_COMMIT),
    (IN_DOUBT, IN_BACKOUT),
    (IN_COMMIT, COMMITTED),
    (IN_BACKOUT, BACKED_OUT),
}
EVERY_MOVE = [(start, end) for start in STATES for end in STATES]


@pytest.mark.parametrize(
    ("start", "end"), EVERY_MOVE, ids=[f"{STATE_NAMES[a]} to {STATE_NAMES[b]}" for a, b in EVERY_MOVE]
)
def test_every_move(start: int, end: int) -> None:
    unit = Unit(7)
    unit.state = start
    if (start, end) in LEGAL:
        unit.move(end)
        assert unit.state == end
    else:
        with pytest.raises(IllegalMove, match=f"unit 7: {STATE_NAMES[start]} to {STATE_NAMES[end]}"):
            unit.move(end)
        assert unit.state == start


@pytest.mark.parametrize(
    "states",
    [
        (IN_FLIGHT, IN_COMMIT, COMMITTED),
        (IN_FLIGHT, IN_BACKOUT, BACKED_OUT),
        (IN_FLIGHT, IN_DOUBT, IN_COMMIT, COMMITTED),
        (IN_FLIGHT, IN_DOUBT, IN_BACKOUT, BACKED_OUT),
    ],
    ids=["one-phase commit", "one-phase backout", "two-phase commit", "two-phase backout"],
)
def test_the_ways_of_the_internals_slides(states: tuple[int, ...]) -> None:
    unit = Unit(7)
    for state in states:
        unit.move(state)


def test_a_new_unit_has_done_nothing() -> None:
    unit = Unit(7)
    assert (unit.state, unit.operations, unit.first_address, unit.reserved) == (BEGIN, [], 0, 0)
