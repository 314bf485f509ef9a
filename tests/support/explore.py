"""Visit every state that a small world can come to, by replaying the choices that lead there."""

from abc import abstractmethod
from collections import deque
from collections.abc import Callable, Hashable


class Explored:
    """A world with choices. The same choices lead to the same state."""

    @abstractmethod
    def choices(self) -> list[str]:
        """What can happen next; nothing in a final state."""

    @abstractmethod
    def do(self, choice: str) -> None:
        """Let it happen."""

    @abstractmethod
    def key(self) -> Hashable:
        """What tells this state from others."""

    @abstractmethod
    def check(self, final: bool) -> None:
        """Raise an AssertionError if something that must hold does not."""


class Broken(AssertionError):
    """A state in which something that must hold does not, with the choices that lead there."""

    def __init__(self, path: tuple[str, ...], why: str) -> None:
        super().__init__(f"{why}\nafter: {' '.join(path)}")
        self.path = path


def explore(make: Callable[[], Explored], most: int = 200_000) -> int:
    """Visit all states and check each; how many there are."""
    seen: set[Hashable] = set()
    waiting: deque[tuple[str, ...]] = deque([()])
    while waiting:
        path = waiting.popleft()
        world = make()
        try:
            for choice in path:
                world.do(choice)
            key = world.key()
            if key in seen:
                continue
            seen.add(key)
            if len(seen) > most:
                raise AssertionError(f"more than {most} states")
            choices = world.choices()
            world.check(not choices)
        except AssertionError as error:
            raise Broken(path, str(error)) from error
        waiting.extend((*path, choice) for choice in choices)
    return len(seen)
