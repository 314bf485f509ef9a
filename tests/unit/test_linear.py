"""The judge of histories finds what no order of calls explains, and lets pass what one does."""

import pytest
from hypothesis import given
from hypothesis import strategies as some
from tests.support.linear import EMPTY, Call, History, Message, NotLinearizable, judge


def told(*lines: str) -> History:
    """A history: 'a get x' is a whole call, '1 a get x' one in unit 1, '+a get x' its beginning, '-a get x' its end."""
    history = History()
    open_calls: dict[str, Call] = {}
    for line in lines:
        if line == "power":
            history.lose_power()
            continue
        mark = line[0] if line[0] in "+-" else ""
        words = line.lstrip("+-").split()
        unit = int(words.pop(0)) if words[0].isdigit() else 0
        program, verb, *rest = words
        name = rest[0] if rest else ""
        if mark != "-":
            priority, persistent = (9 if name.isupper() else 0), not name.startswith("np")
            message = Message(name, priority, persistent) if verb == "put" else None
            open_calls[program] = history.begin(Call(program, verb, unit, message))
        if mark != "+":
            history.end(open_calls.pop(program), name.replace("nothing", EMPTY) if verb in ("get", "browse") else "")
    return history


GOOD = {
    "one after the other": ["a put x", "b get x", "b get nothing"],
    "in order": ["a put x", "a put y", "b get x", "b get y"],
    "by priority": ["a put x", "a put Y", "b get Y", "b get x"],
    "two puts at once, either order": ["+a put x", "+b put y", "-a put x", "-b put y", "c get y", "c get x"],
    "a get while the put is under way": ["+a put x", "b get x", "-a put x"],
    "nothing while the put is under way": ["+a put x", "b get nothing", "-a put x", "b get x"],
    "a put that never ended": ["+a put x", "power", "b get nothing"],
    "a put that never ended and was carried out": ["+a put x", "power", "b get x"],
    "a get that never ended": ["a put x", "+b get x", "power", "b get nothing"],
    "a unit is unseen and then there": ["1 a put x", "b get nothing", "1 a commit", "b get x"],
    "a unit is undone": ["a put x", "1 b get x", "a get nothing", "1 b backout", "a get x"],
    "an open unit is undone by a loss of power": [
        "a put x",
        "1 b get x",
        "1 b put y",
        "power",
        "c get x",
        "c get nothing",
    ],
    "a commit under way": ["1 a put x", "1 a put y", "+1 a commit", "power", "c get x", "c get y"],
    "a commit under way that came to nothing": ["1 a put x", "+1 a commit", "power", "c get nothing"],
    "non-persistent messages are gone": ["a put np", "a put x", "power", "b get x", "b get nothing"],
    "what was got goes back to its place": ["a put x", "a put y", "1 b get x", "c browse y", "1 b backout", "c get x"],
}
BAD = {
    "lost": ["a put x", "b get nothing"],
    "lost with the power": ["a put x", "power", "b get nothing"],
    "got twice": ["a put x", "b get x", "c get x"],
    "got and there again": ["a put x", "b get x", "power", "c get x"],
    "out of order": ["a put x", "a put y", "b get y"],
    "against priority": ["a put x", "a put Y", "b get x"],
    "never put": ["b get x"],
    "seen then undone": ["+a put x", "b browse x", "power", "b get nothing"],
    "got then undone, in a unit": ["+a put x", "1 b get x", "1 b put y", "1 b commit", "power", "b get nothing"],
    "seen before its unit was committed": ["1 a put x", "b browse x", "1 a commit"],
    "half a unit": ["1 a put x", "1 a put y", "+1 a commit", "power", "c get y", "c get nothing"],
    "undone and not back": ["a put x", "1 b get x", "1 b backout", "a get nothing"],
    "undone and still there": ["1 a put x", "1 a backout", "b get x"],
    "back at another place": ["a put x", "a put y", "1 b get x", "1 b backout", "c get y"],
    "a non-persistent message that came back": ["a put np", "power", "b get np"],
}


@pytest.mark.parametrize("name", GOOD)
def test_what_an_order_explains_passes(name: str) -> None:
    judge(told(*GOOD[name]))


@pytest.mark.parametrize("name", BAD)
def test_what_no_order_explains_is_found(name: str) -> None:
    with pytest.raises(NotLinearizable):
        judge(told(*BAD[name]))


@given(data=some.data())
def test_any_order_of_calls_passes_however_long_each_took(data: some.DataObject) -> None:
    history, queue = History(), list[str]()
    programs = ["a", "b", "c"]
    under_way: dict[str, tuple[Call, str]] = {}
    for number in range(data.draw(some.integers(0, 25))):
        program = data.draw(some.sampled_from(programs))
        if program in under_way:
            call, answer = under_way.pop(program)
            history.end(call, answer)
        elif data.draw(some.booleans()):
            call = history.begin(Call(program, "put", 0, Message(f"m{number}")))
            queue.append(f"m{number}")
            under_way[program] = (call, "")
        else:
            call = history.begin(Call(program, "get"))
            under_way[program] = (call, queue.pop(0) if queue else EMPTY)
    for call, answer in under_way.values():
        history.end(call, answer)
    judge(history)
