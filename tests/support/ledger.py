"""What programs were told of their units of work, and whether the queue manager kept its word.

Whoever was told that a commit succeeded notes it as certain; a commit whose answer did not come is uncertain: all of
its batch is there, or none.
"""

from collections import Counter
from collections.abc import Iterable
from threading import Lock


class Ledger:
    """What programs were told."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.put: set[bytes] = set()  # committed for certain
        self.perhaps_put: list[set[bytes]] = []
        self.got: list[bytes] = []
        self.perhaps_got: list[list[bytes]] = []

    def note(self, certain: bool, put: bool, batch: list[bytes]) -> None:
        """Take down what became of a batch."""
        with self.lock:
            if put and certain:
                self.put.update(batch)
            elif put:
                self.perhaps_put.append(set(batch))
            elif certain:
                self.got.extend(batch)
            else:
                self.perhaps_got.append(batch)

    def judge(self, left: Iterable[bytes], may_vanish: bool = False) -> None:
        """Compare with what is left on the queue; non-persistent messages may vanish where a queue manager died."""
        seen = [*self.got, *left]
        found = set(seen)
        assert len(seen) == len(found), "a message came twice"
        perhaps_gone = {text for batch in self.perhaps_got for text in batch}
        assert may_vanish or not self.put - found - perhaps_gone, "an acknowledged message is lost"
        uncertain = Counter([text for batch in self.perhaps_got for text in batch])
        for batch in self.perhaps_got:
            # What was backed out may have been got by others since; of what several got uncertainly nothing is known.
            assert len({text in found for text in batch if uncertain[text] == 1}) <= 1, "a unit of work was cut in two"
        known = found | perhaps_gone
        for put in self.perhaps_put:
            assert len({text in known for text in put}) == 1, "a unit of work was cut in two"
        promised = self.put.union(*self.perhaps_put)
        assert not known - promised, "a message that nobody put"
