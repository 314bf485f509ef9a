"""Judges what concurrent programs were told by a queue: is there one order of their calls that explains all of it?

A history is what programs called and what they were told, each call with the moments at which it began and ended. It is
linearizable if each call can be given a moment between the two so that a queue that carries out one call at a time
would have given the same answers. Nobody can then have seen a message that was never put, nor one that came to nothing
later; nothing was got twice or lost; and the order of delivery was kept.

A call that had not ended when the power was lost has been carried out or not, as the rest of the history shows. A power
loss undoes what units of work have done that are not committed, and all messages that are not persistent. A get in no
unit is one of its own: the message is locked from the get on and gone at its end, so another program may be told that
there is nothing, and the message is there again after a loss of power.

The check goes through the history once and keeps every state that the queue may be in: calls that are under way are
carried out only when one that ends needs it (Lowe, "Testing for linearizability", 2017).
"""

from typing import Final

EMPTY: Final = "nothing"  # what a get or browse is told when there is no message

# A message in a queue: its name, and the unit that holds it: 0 for none, n when n has put it, -n when n has got it.
Entry = tuple[str, int]
State = tuple[Entry, ...]


class Message:
    """What a put says of a message."""

    def __init__(self, name: str, priority: int = 0, persistent: bool = True) -> None:
        self.name = name
        self.priority = priority
        self.persistent = persistent


class Call:
    """A call of a program: put, get, browse, commit or backout, in a unit of work (a number above 0) or in none."""

    def __init__(self, program: str, verb: str, unit: int = 0, message: Message | None = None) -> None:
        self.program = program
        self.verb = verb
        self.unit = unit
        self.message = message  # of a put
        self.told = ""  # the message's name, or EMPTY, of a get or browse that has ended
        self.ended = False
        self.own = 0  # the unit of a get in none

    def __str__(self) -> str:
        what = f" {self.message.name}" if self.message is not None else ""
        unit = f" in unit {self.unit}" if self.unit else ""
        return f"{self.program}: {self.verb}{what}{unit}" + (f" -> {self.told}" if self.told else "")


class History:
    """What happened, in its order: calls that begin, calls that end, and losses of power."""

    def __init__(self) -> None:
        self.events: list[tuple[str, Call | None]] = []

    def begin(self, call: Call) -> Call:
        """Note that a program calls."""
        self.events.append(("begins", call))
        return call

    def end(self, call: Call, told: str = "") -> None:
        """Note what a program is told."""
        call.told = told
        call.ended = True
        self.events.append(("ends", call))

    def lose_power(self) -> None:
        """Note that nothing that was under way has ended, nor ever will."""
        self.events.append(("power", None))


class NotLinearizable(AssertionError):
    """No order of the calls explains what a program was told."""

    def __init__(self, events: list[tuple[str, Call | None]]) -> None:
        lines = [f"{what} {call}" if call is not None else "the power is lost" for what, call in events[-40:]]
        super().__init__("\n".join(["no order of the calls explains the last of these:", *lines]))
        self.call = events[-1][1]


_OWN: Final = 1 << 32  # units above are those of single gets

Configuration = tuple[State, frozenset[Call]]  # the queue, and the calls that are carried out and have not ended


class _Check:
    def __init__(self) -> None:
        self.messages: dict[str, Message] = {}
        self.under_way: list[Call] = []
        self.gets = _OWN
        self.may_be: set[Configuration] = {((), frozenset())}

    def begin(self, call: Call) -> None:
        if call.message is not None:
            self.messages[call.message.name] = call.message
        if call.verb == "get" and not call.unit:
            self.gets += 1
            call.own = self.gets
        self.under_way.append(call)

    def end(self, call: Call) -> None:
        """Keep what explains the end of a call."""
        found: set[Configuration] = set()
        seen = set(self.may_be)
        left = list(self.may_be)
        while left:
            state, done = left.pop()
            if call in done:
                found.add((_without(state, call.own), done - {call}))
                continue
            for other in self.under_way:
                if other not in done:
                    after = self._carry_out(state, other)
                    if after is not None and (after, done | {other}) not in seen:
                        seen.add((after, done | {other}))
                        left.append((after, done | {other}))
        self.under_way.remove(call)
        self.may_be = found

    def lose_power(self) -> None:
        """Go on with whatever of the calls under way was carried out."""
        seen = set(self.may_be)
        left = list(self.may_be)
        while left:
            state, done = left.pop()
            for other in self.under_way:
                after = _without(state, other.own) if other in done else self._carry_out(state, other)
                if after is not None and (after, done | {other}) not in seen:
                    seen.add((after, done | {other}))
                    left.append((after, done | {other}))
        self.under_way = []
        self.may_be = {(self._restarted(state), frozenset()) for state, _done in seen}

    def _restarted(self, state: State) -> State:
        return tuple([(name, 0) for name, unit in state if unit <= 0 and self.messages[name].persistent])

    def _first(self, state: State) -> int:
        """Give the place of the message that comes next; -1 for none."""
        best = -1
        for place, (name, unit) in enumerate(state):
            if not unit and (best < 0 or self.messages[name].priority > self.messages[state[best][0]].priority):
                best = place
        return best

    def _carry_out(self, state: State, call: Call) -> State | None:
        """Give the queue after a call; None if the call would have been told something else."""
        verb, unit = call.verb, call.unit
        if verb == "put":
            assert call.message is not None
            return (*state, (call.message.name, unit))
        if verb in ("get", "browse"):
            place = self._first(state)
            told = EMPTY if place < 0 else state[place][0]
            if call.ended and told != call.told:
                return None
            if place < 0 or verb == "browse":
                return state
            return (*state[:place], (told, -(unit or call.own)), *state[place + 1 :])
        if verb == "commit":
            return tuple([(name, 0 if owner == unit else owner) for name, owner in state if owner != -unit])
        assert verb == "backout"
        return tuple([(name, 0 if owner == -unit else owner) for name, owner in state if owner != unit])


def _without(state: State, unit: int) -> State:
    """Give the queue without what a unit has got."""
    return tuple([entry for entry in state if entry[1] != -unit]) if unit else state


def judge(history: History) -> int:
    """Raise `NotLinearizable` if no order explains the history; gives the most states that had to be kept."""
    check = _Check()
    most = 1
    for place, (what, call) in enumerate(history.events):
        if call is None:
            check.lose_power()
        elif what == "begins":
            check.begin(call)
        else:
            check.end(call)
        if not check.may_be:
            raise NotLinearizable(history.events[: place + 1])
        most = max(most, len(check.may_be))
    return most
