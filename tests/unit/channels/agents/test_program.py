"""The calls of a program: the protocol and the table of what carries them out agree."""

from kew.channels.agents.program import HANDLERS
from kew.channels.protocol.states import CLIENT_SAYS, CONNECTED

UNKNOWN = 0xFF  # a kind of segment that nobody sends


def test_each_call_that_a_connected_client_may_make_is_carried_out_by_a_function_of_its_own() -> None:
    said = [kind for state, kind in CLIENT_SAYS if state == CONNECTED]
    assert len(said) > 20
    assert [hex(kind) for kind in said if HANDLERS[kind] is HANDLERS[UNKNOWN]] == []


def test_nothing_else_is_carried_out() -> None:
    said = {kind for state, kind in CLIENT_SAYS if state == CONNECTED}
    known = {kind for kind in range(256) if HANDLERS[kind] is not HANDLERS[UNKNOWN]}
    assert known == said
