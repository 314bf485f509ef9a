"""Parameters that SET changes until the queue manager ends: those of SYSTEM, LOG and ARCHIVE."""

from collections.abc import Callable, Mapping

from kew.objects.schema import ObjectType
from kew.objects.values import Value


class Parameters:
    """The parameters of one kind: as the queue manager started, and as they were set since."""

    def __init__(
        self, kind: ObjectType, initial: Mapping[str, Value], heed: Callable[[Mapping[str, Value]], None]
    ) -> None:
        self.kind = kind
        self.initial = dict(initial)  # only what is in force: a parameter that nothing heeds is not here
        self.changed: dict[str, Value] = {}
        self.heed = heed  # brings the parts into line

    def value(self, keyword: str) -> Value:
        """Give a parameter as it is now."""
        return self.changed.get(keyword, self.initial[keyword])

    def set(self, values: Mapping[str, Value], from_start: bool) -> None:
        """Change some; all others go back to how they started if that is wanted."""
        self.changed = {**({} if from_start else self.changed), **values}
        self.heed({**self.initial, **self.changed})
